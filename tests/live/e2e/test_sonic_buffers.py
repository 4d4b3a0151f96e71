"""Rows that SONiC makes and removes itself: they shut no gate, and nothing hides behind them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from fabric.cli._pushing import with_devices
from fabric.live.push import rollback
from fabric.model.push import Command, PutFile
from tests.live.e2e.bench import LEAF, Bench, plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from fabric.live.rehearsal.control import ServerProcess


@pytest.fixture
def generic(server: ServerProcess, tmp_path: Path) -> Iterator[Bench]:
    """Hardware whose buffers nobody knows: they are left to the switch."""
    planned = plan("sonic", (), tmp_path, hardware=("generic", 400))
    one = Bench(planned, tmp_path / "run", server)
    yield one
    one.close()


def _tables(one: Bench) -> Any:
    return json.loads(one.state()["config_db"])


def test_buffers_that_are_left_to_the_switch(generic: Bench) -> None:
    one = generic
    before, tables = dict(one.state()), _tables(one)
    told = one.push()
    assert told.code == 0, told.messages
    after = _tables(one)
    assert set(after["BUFFER_PG"]) == {f"{port}|3" for port in after["PORT"]}
    assert after["BUFFER_POOL"] == tables["BUFFER_POOL"]
    assert after["DEVICE_METADATA"]["localhost"]["buffer_model"] == "traditional"
    changed = dict(one.state())
    told = one.push()
    assert (told.code, told.lines[-1]["by_status"]) == (0, {"unchanged": 1})
    assert dict(one.state()) == changed
    last = rollback.earlier_push(one.pushes, None)
    back = rollback.rewound(one.planned, last, ())
    told = one.told(lambda: with_devices(one.asked(refresh=True), back, one))
    assert told.code == 0, told.messages
    one.later()
    assert dict(one.state())["running"] == before["running"]
    assert dict(one.state())["startup"] == before["startup"]


def test_a_switch_without_buffers_is_refused_before_anything_is_touched(generic: Bench) -> None:
    one = generic
    with one.line() as line:
        tables = json.loads(line.ask(one.system.preview.running())["config_db.json"])
        del tables["BUFFER_POOL"]
        line.perform(PutFile("/home/admin/new.json", json.dumps(tables)))
        line.perform(Command("sudo -n cp /home/admin/new.json /etc/sonic/config_db.json"))
    one.rehearsal.reboot(LEAF)
    one.later()
    before = dict(one.state())
    told = one.push(dry_run=True)
    (refused,) = told.lines[0]["refused"]
    assert (told.code, refused["device"], refused["rule"]) == (1, LEAF, "RCE923")
    assert "no headroom for Ethernet0|3" in refused["message"]
    assert dict(one.state()) == before


def test_ports_that_are_down_give_their_headroom_back(bench: Callable[..., Bench]) -> None:
    """On Mellanox; the plan has a row for every port, used or not."""
    one = bench("sonic")
    told = one.push()
    assert told.code == 0, told.messages
    tables = _tables(one)
    up = {port for port, row in tables["PORT"].items() if row["admin_status"] == "up"}
    assert up < tables["PORT"].keys()
    assert {key for key in tables["BUFFER_PG"] if key.endswith("|3")} == {f"{p}|3" for p in up}
    told = one.push()
    assert (told.code, told.lines[-1]["by_status"]) == (0, {"unchanged": 1})
