from __future__ import annotations

from typing import TYPE_CHECKING

from tests.live.push.golden import same

if TYPE_CHECKING:
    from tests.live.push.conftest import Bench


def test_screen(planned: Bench) -> None:
    done = planned.push()
    assert done.code == 0
    same("dry-run", done.out)


def test_one_device_in_full(planned: Bench) -> None:
    done = planned.push(devices=("leaf-1",))
    assert done.code == 0
    same("dry-run-device", done.out)


def test_offline_screen(bench: Bench) -> None:
    bench.plan(addresses=False)
    done = bench.push()
    assert done.code == 0
    same("offline", done.out)


def test_refusals_screen(planned: Bench) -> None:
    toys = planned.toys
    toys.silent.add("leaf-0")
    toys.switches["leaf-1"].lock = "anna has the candidate open since 10:02"
    toys.switches["leaf-2"].version = "1.3.1"
    toys.switches["spine-0"].model = "SW2000"
    done = planned.push()
    assert done.code == 3
    same("refusals", done.out)
