from __future__ import annotations

import pytest

from fabric.live.rehearsal.orders import Order, OrderError, placed, read_order
from fabric.model.push import Effect, Step

STEPS = (
    Step("look", Effect.READS, ()),
    Step("copy", Effect.STAGES, ()),
    Step("commit", Effect.RUNS, ()),
)


def read(text: str) -> Order:
    return read_order(text, ["leaf-0", "spine-0"], ["leaf-0"])


def test_an_order_as_typed() -> None:
    assert read("drop@leaf-0") == Order("drop", "leaf-0")
    assert read("drop@leaf-0:a b: c") == Order("drop", "leaf-0", "a b: c")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("dorp@leaf-0", "drop"),
        ("drop@leef-0", "leaf-0"),
        ("drop", "kinds: "),
        ("drop@", "kinds: "),
        ("drop@leaf-0:", "kinds: "),
        ("drop@spine-0", "add --device spine-0"),
    ],
)
def test_what_is_not_there_is_refused_with_what_was_meant(text: str, meant: str) -> None:
    with pytest.raises(OrderError) as error:
        read(text)
    assert meant in error.value.fix


@pytest.mark.parametrize(
    ("kind", "step"), [("reject", "copy"), ("disk-full", "copy"), ("drop", "commit"), ("lock", "")]
)
def test_without_a_step_the_first_that_fits(kind: str, step: str) -> None:
    order = placed(Order(kind, "leaf-0"), STEPS)
    assert order.step == step
    assert order.at_once == (not step)


def test_a_step_that_is_not_there() -> None:
    with pytest.raises(OrderError) as error:
        placed(Order("drop", "leaf-0", "comit"), STEPS)
    assert "did you mean commit?" in error.value.fix


def test_nothing_that_can_fail_so() -> None:
    with pytest.raises(OrderError, match="no step of it can fail so"):
        placed(Order("drop", "leaf-0"), STEPS[:1])


def test_only_a_named_step_is_met_whatever_it_does() -> None:
    assert Order("reboot", "leaf-0", "look").fault.anything
    assert not placed(Order("reboot", "leaf-0"), STEPS).fault.anything


def test_lasting_kinds_last() -> None:
    assert Order("password", "x").fault.count == 0
    assert Order("drop", "x").fault.count == 1
