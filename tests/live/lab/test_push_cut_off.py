"""A push to a lab whose process is killed: each switch goes back by itself, and then on."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.live.lab import inventories
from tests.live.lab.conftest import lab_of
from tests.live.lab.pushed import TIMERS, Bench, within

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("allowed")

TIMER_S = 40
WAVE = ("leaf-1", "leaf-2")
SYSCTL = "net.ipv6.conf.all.keep_addr_on_down"  # the plan of this lab does not set it


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    inventory = tmp_path / "pushed.yaml"
    inventory.write_text(inventories.PUSHED)
    with lab_of(inventory) as (_, layout):
        made = Bench(tmp_path, layout)
        made.plan()
        made.met()
        yield made


def running(bench: Bench, name: str) -> str:
    return bench.on(name, "vtysh -c 'show running-config'")


def test_killed_between_apply_and_confirm(bench: Bench) -> None:
    """The canary is changed and saved, the next wave is in force and its timers run."""
    before = bench.configured()
    bench.own_sysctl(f"{SYSCTL} = 1")
    bench.plan(TIMERS)
    held = bench.folder / "held"
    words = ("push", *bench.to, "--yes", "--window", "--json")
    settings = {"timer_s": TIMER_S, "hold": "leaf-2", "held": str(held)}
    with subprocess.Popen(
        bench.words(words, **settings),
        cwd=bench.folder,
        env=bench.env,
        stdout=subprocess.DEVNULL,
    ) as pushing:
        assert within(held.exists, 120)
        pushing.kill()
        assert pushing.wait(30) == -9

    now = {name: running(bench, name) for name in WAVE}
    assert all("timers 2 6" in text for text in now.values())  # in force, and nobody there
    assert bench.on("leaf-1", f"sysctl -n {SYSCTL}").strip() == "1"
    status = bench.run("status", *bench.to)
    assert status.status == 1
    assert "was cut off and is open" in status.out
    assert "its own timer takes the change back in" in status.out
    assert " ".join(("fabric push", *bench.to, "--resume")) in status.out
    other = bench.push("--refresh")
    assert other.status == 2
    assert "RCE941" in other.out

    def back() -> bool:
        return all(bench.configured()[name] == before[name] for name in WAVE)

    assert within(back, TIMER_S + 60)
    assert bench.on("leaf-1", f"sysctl -n {SYSCTL}").strip() == "0"
    assert not any(bench.on(name, "pgrep -f timer[.]sh; true") for name in WAVE)
    assert "timers 2 6" in running(bench, "leaf-0")  # was saved before
    assert "timers 2 6" not in running(bench, "spine-0")  # was not begun
    assert bench.as_planned()
    assert "its own timer ran out" in bench.run("status", *bench.to).out

    done = bench.run("push", "--resume", *bench.to, "--yes", "--json")
    assert (done.status, done.tally) == (0, {"changed": 6}), done.out
    assert bench.left() == ""
    assert bench.as_planned()
    assert bench.push().tally == {"unchanged": 6}
    assert bench.run("status", *bench.to).status == 0
    assert "no push is open" in bench.run("push", "--resume", *bench.to).out

    back_again = bench.run("rollback", *bench.to, "--yes", "--window", "--json")
    assert (back_again.status, back_again.tally) == (0, {"changed": 6}), back_again.out
    assert bench.configured() == before
    assert bench.as_planned()
