from __future__ import annotations

import pytest

from fabric.live.rehearsal.orders import Order, OrderError, placed, read_order
from fabric.model.push import Effect, Step

STEPS = (
    Step("look", Effect.READS, ()),
    Step("copy", Effect.STAGES, ()),
    Step("commit", Effect.RUNS, ()),
)


def test_an_order_as_typed() -> None:
    assert read_order("drop@leaf-0", ["leaf-0"]) == Order("drop", "leaf-0")
    assert read_order("drop@leaf-0:a b: c", ["leaf-0"]) == Order("drop", "leaf-0", "a b: c")


@pytest.mark.parametrize(
    ("text", "meant"),
    [("dorp@leaf-0", "drop"), ("drop@leef-0", "leaf-0"), ("drop", "kinds: "), ("drop@", "kinds: ")],
)
def test_what_is_not_there_is_refused_with_what_was_meant(text: str, meant: str) -> None:
    with pytest.raises(OrderError) as error:
        read_order(text, ["leaf-0"])
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


def test_lasting_kinds_last() -> None:
    assert Order("password", "x").fault.count == 0
    assert Order("drop", "x").fault.count == 1
