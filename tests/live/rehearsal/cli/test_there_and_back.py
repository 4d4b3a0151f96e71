"""What Dell's procedures type leads there and back on their fakes, whatever is planned."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from fabric.live.push.guard import line_paths
from fabric.live.rehearsal.box import World
from fabric.live.rehearsal.cli import box as make
from fabric.live.rehearsal.planned import setup_of
from tests.live.rehearsal.cli.driver import Bench, quiet, say, switch
from tests.platforms.dell_os10 import cases as os10
from tests.platforms.dell_sonic import cases as sonic
from tests.platforms.pushed import spec

if TYPE_CHECKING:
    from types import ModuleType

    from fabric.live.rehearsal.box import Setup
    from fabric.live.rehearsal.cli.device import CliBox
    from fabric.platforms.dell_os10 import pushing as dell_os10
    from fabric.platforms.dell_sonic import pushing as dell_sonic

ROOT = Path(__file__).parents[3] / "platforms"
# How lines get to a candidate, and how that comes into force.
WAYS = {
    "dell_os10": (("start transaction", "configure terminal"), ("end", "commit")),
    "dell_sonic": (("sonic-cli", "configure session"), ("commit", "exit")),
}
CASES = [
    pytest.param(name, module, case, device, id=f"{name}-{case}-{device}")
    for name, module in (("dell_os10", os10), ("dell_sonic", sonic))
    for case, device in module.EVERY
]


def running(box: CliBox, preview: dell_os10.Preview | dell_sonic.Preview) -> dict[str, str]:
    user = box.login("admin")
    say(user, *WAYS[box.system.name][0][:1])
    (command,) = preview.running().commands
    text = dict(preview.running().read((user.type(command.text),)))
    user.hang_up()
    return text


def typed(box: CliBox, lines: tuple[str, ...]) -> None:
    """Every line is taken, in the mode that it is typed in."""
    enter, leave = WAYS[box.system.name]
    user = box.login("admin")
    say(user, *enter)
    top = user.prompt()
    quiet(user, *lines)
    assert user.prompt() == top
    say(user, *leave)
    user.hang_up()
    assert box.candidates == {}


def what_stands(box: CliBox) -> list[str]:
    """Without an order, and a port that says nothing of it is up."""
    up = re.compile(r"^interface \S+ > no shutdown$")
    return sorted(one for one in line_paths(box.state()["running"]) if not up.search(one))


def used(setup: Setup) -> Setup:
    """A switch that somebody used before; it has all ports. A banner is no line that is typed."""
    text = (ROOT / setup.system / "running/leaf-0.cfg").read_text(encoding="utf-8")
    text = re.sub(r"(?ms)^banner motd %.*?^%\n", "", text)
    more = (f"interface {port}\n" for port in setup.ports if f"interface {port}\n" not in text)
    return replace(setup, files={"": "".join((text, *more))})


@pytest.mark.parametrize("is_used", [False, True])
@pytest.mark.parametrize(("name", "module", "case", "device"), CASES)
def test_there_and_back(
    name: str, module: ModuleType, case: str, device: str, *, is_used: bool
) -> None:
    pushing = import_module(f"fabric.platforms.{name}.pushing")
    preview = cast("dell_os10.Preview | dell_sonic.Preview", pushing.Preview(spec(name).owned))
    bench = Bench()
    setup = setup_of(module.model(case, device), "4.5.0")
    if is_used:
        setup = used(setup)
    box = cast("CliBox", make(setup, World(bench.clock, bench, bench)))
    assert box.refused == []
    stood, before = what_stands(box), running(box, preview)
    target = dict(preview.target(before, {module.FILE: module.text(case, device)}))
    assert preview.differences(before, target)
    typed(box, preview.lines(before, target))
    assert preview.differences(running(box, preview), target) == ()
    typed(box, preview.lines(target, before))
    assert what_stands(box) == stood


@pytest.mark.parametrize("name", sorted(WAYS))
def test_who_holds_the_configuration_is_told_and_asking_holds_nothing(name: str) -> None:
    holder = import_module(f"fabric.platforms.{name}.pushing").Preview(spec(name).owned).holder()
    bench = Bench()
    box = switch(name, bench)

    def asked() -> str | None:
        user = box.login("admin")
        say(user, *(("sonic-cli",) if name == "dell_sonic" else ()))
        told = holder.read(tuple(user.type(command.text) for command in holder.commands))
        other = box.login("carol")
        quiet(other, *(("sonic-cli",) if name == "dell_sonic" else ()))
        if told is None:  # the first login is still there
            quiet(other, "configure terminal", "hostname leaf-0")
        user.hang_up()
        other.hang_up()
        return cast("str | None", told)

    assert asked() is None
    bench.armed["lock"] = 1
    assert "carol" in str(asked())
    bench.armed.clear()
    other = box.login("carol")
    say(other, *WAYS[name][0], "hostname other")
    other.hang_up()
    assert asked() is not None  # a candidate that waits
