"""Without devices: the whole order from the plan and what was read before."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, NoReturn

import pytest

if TYPE_CHECKING:
    from tests.live.push.conftest import Bench


@pytest.fixture
def no_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        pytest.fail("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.mark.usefixtures("no_sockets")
def test_without_addresses_no_socket_is_opened(bench: Bench) -> None:
    bench.plan(addresses=False)
    done = bench.fabric("push", "--dry-run")
    assert done.code == 0
    assert "offline: nothing was read from devices" in done.out
    assert not (bench.folder / ".fabric").exists()


@pytest.mark.usefixtures("no_sockets")
def test_json_contract(bench: Bench) -> None:
    bench.plan(addresses=False)
    done = bench.fabric("push", "--dry-run", "--json")
    change = done.json
    assert done.code == 0
    assert list(change) == ["schema", "change", "offline", "waves", "refused"]
    assert (change["schema"], change["offline"], len(change["change"])) == (1, True, 64)
    assert [[d["device"] for d in wave] for wave in change["waves"]] == [
        ["leaf-0"],
        ["leaf-1", "leaf-2"],
        ["spine-0"],
        ["spine-1"],
    ]
    first = change["waves"][0][0]
    assert list(first) == ["device", "class", "diff", "commands"]
    assert first["class"] == "traffic"
    assert "+qos > dscp 26" in first["diff"]
    assert first["commands"][-2] == "save"


@pytest.mark.usefixtures("no_sockets")
def test_offline_on_request(planned: Bench) -> None:
    done = planned.fabric("push", "--dry-run", "--offline", "--json")
    assert (done.code, done.json["offline"], done.json["refused"]) == (0, True, [])


def test_offline_takes_what_was_read_last(planned: Bench) -> None:
    switch = planned.toys.switches["leaf-0"]
    switch.running += "qos\n  dscp 26\n"
    planned.push()
    done = planned.push(offline=True)
    assert "leaf-0 and 4 more: compared with the running configuration that an earlier" in done.out
    diff = planned.push(offline=True, devices=("leaf-0",))
    assert "hostname leaf-0" in diff.out
    assert "+qos" not in diff.out


def test_nobody_answers_falls_back_and_says_so(planned: Bench) -> None:
    planned.toys.silent |= set(planned.toys.switches)
    done = planned.push()
    assert done.code == 3
    assert "offline: nothing was read from devices" in done.out
    assert done.out.count("RCE907  ") == 5
    found = planned.push(as_json=True).json
    assert (found["offline"], len(found["refused"])) == (True, 5)
    assert sum(len(wave) for wave in found["waves"]) == 5


def test_a_named_device_that_does_not_answer(planned: Bench) -> None:
    planned.toys.silent.add("leaf-1")
    done = planned.push(devices=("leaf-1",), as_json=True)
    assert (done.code, done.json["offline"]) == (3, True)
    assert [d["device"] for wave in done.json["waves"] for d in wave] == ["leaf-1"]


def test_offline_alone_is_no_push(planned: Bench) -> None:
    done = planned.fabric("push", "--offline")
    assert (done.code, "add --dry-run" in done.err) == (2, True)


def test_did_you_mean(planned: Bench) -> None:
    done = planned.fabric("push", "--dry-run", "--device", "leaf-O", "--device", "spine-1")
    assert (done.code, done.out) == (2, "")
    assert "toy has no device leaf-O" in done.err
    assert "did you mean leaf-" in done.err


def test_several_plans_are_listed(bench: Bench) -> None:
    bench.plan(addresses=False)
    second = (bench.folder / "toy.yaml").read_text().replace("fabric: toy", "fabric: other")
    (bench.folder / "other.yaml").write_text(second)
    assert bench.fabric("plan", "other.yaml").code == 0
    done = bench.fabric("push", "--dry-run")
    assert (done.code, done.out) == (2, "")
    assert "  other  5 devices\n  toy  5 devices" in done.err
    for name in ("other", "build/other"):
        named = bench.fabric("push", name, "--dry-run")
        assert (named.code, named.out.startswith("other · 5 devices")) == (0, True)
    wrong = bench.fabric("push", "othr", "--dry-run")
    assert (wrong.code, "did you mean other?" in wrong.err) == (2, True)


def test_no_plan(bench: Bench) -> None:
    done = bench.fabric("push")
    assert (done.code, "fabric plan INVENTORY" in done.err or "no terminal" in done.err) == (
        2,
        True,
    )
