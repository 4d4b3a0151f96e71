# ruff: noqa: S108 - paths on the fake
from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fabric.live.rehearsal.box import Neighbour
from fabric.live.rehearsal.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.live.rehearsal.box import Setup
    from fabric.live.rehearsal.control import Rehearsal
    from tests.live.rehearsal.client import Client

    Start = Callable[..., Rehearsal]
    Connect = Callable[[Rehearsal, str], Client]


@pytest.fixture
def box(start: Start, connect: Connect, cumulus: Setup) -> tuple[Rehearsal, Client]:
    rehearsal = start(cumulus)
    return rehearsal, connect(rehearsal, "leaf1")


def _applied(client: Client) -> list[str]:
    return client.out("nv config show -o commands").splitlines()


def test_pending_is_not_applied(box: tuple[Rehearsal, Client]) -> None:
    _, client = box
    client.out("nv set interface swp1-2 link mtu 9216")
    assert client.out("nv config diff -o commands") == "nv set interface swp1-2 link mtu 9216\n"
    assert not any("mtu" in line for line in _applied(client))
    client.out("nv config detach")
    assert client.out("nv config diff") == ""


def test_apply_saves_by_itself_from_5_9_on(start: Start, connect: Connect, cumulus: Setup) -> None:
    for version, saved in (("5.8", False), ("5.9", True)):
        rehearsal = start(replace(cumulus, os_version=version))
        client = connect(rehearsal, "leaf1")
        client.out("nv set interface swp1 link mtu 9216")
        assert client.out("nv config apply -y") == "applied [rev_id: 2]\n"
        assert ("mtu" in rehearsal.state("leaf1")["startup"]) is saved
        assert client.out("nv config save") == "saved [rev_id: applied]\n"
        assert "mtu" in rehearsal.state("leaf1")["startup"]


def test_an_unconfirmed_apply_is_taken_back(box: tuple[Rehearsal, Client]) -> None:
    rehearsal, client = box
    before = rehearsal.state("leaf1")
    client.out("nv set interface swp1 link mtu 9216")
    client.out("nv config apply -y --confirm 300s")
    states = json.loads(client.out("nv config revision -o json"))
    assert states["2"]["state"] == "confirm"
    assert rehearsal.state("leaf1")["startup"] == before["startup"]
    rehearsal.advance(299)
    assert "mtu" in rehearsal.state("leaf1")["running"]
    rehearsal.advance(2)
    assert rehearsal.state("leaf1")["running"] == before["running"]
    assert json.loads(client.out("nv config revision -o json"))["1"]["state"] == "applied"


@pytest.mark.parametrize(("span", "seconds"), [("90s", 90), ("5m", 300), ("2", 120), ("", 600)])
def test_units_of_the_confirm_time(box: tuple[Rehearsal, Client], span: str, seconds: int) -> None:
    rehearsal, client = box
    client.out(f"nv set interface swp1 link mtu 9216; nv config apply -y --confirm {span}")
    rehearsal.advance(seconds - 2)
    assert "mtu" in rehearsal.state("leaf1")["running"]
    rehearsal.advance(3)
    assert "mtu" not in rehearsal.state("leaf1")["running"]


def test_a_confirmed_apply_stays(box: tuple[Rehearsal, Client]) -> None:
    rehearsal, client = box
    client.out("nv set interface swp1 link mtu 9216; nv config apply -y --confirm 60s")
    client.out("nv config apply 2 --confirm-yes")
    rehearsal.advance(100)
    assert "mtu" in rehearsal.state("leaf1")["running"]
    assert "mtu" in rehearsal.state("leaf1")["startup"]


def test_confirm_no_goes_back_at_once(box: tuple[Rehearsal, Client]) -> None:
    rehearsal, client = box
    client.out("nv set interface swp1 link mtu 9216; nv config apply -y --confirm 60s")
    client.out("nv config apply --confirm-no")
    assert "mtu" not in rehearsal.state("leaf1")["running"]


def test_a_reboot_in_the_window_ends_in_the_old_configuration(
    box: tuple[Rehearsal, Client], connect: Connect
) -> None:
    rehearsal, client = box
    before = rehearsal.state("leaf1")["running"]
    client.out("nv set interface swp1 link mtu 9216; nv config apply -y --confirm 60s")
    rehearsal.reboot("leaf1")
    rehearsal.advance(100)
    assert rehearsal.state("leaf1")["running"] == before
    connect(rehearsal, "leaf1").out("nv config show")


def test_going_back_to_an_older_revision(box: tuple[Rehearsal, Client]) -> None:
    rehearsal, client = box
    before = rehearsal.state("leaf1")["running"]
    client.out("nv set interface swp1 link mtu 9216; nv config apply -y")
    client.out("nv config apply 1 -y")
    assert rehearsal.state("leaf1")["running"] == before
    status, _, err = client.run("nv config apply 99 -y")
    assert status == 1
    assert "Unknown revision" in err


def test_patch_adds_and_replace_takes_all_else_away(box: tuple[Rehearsal, Client]) -> None:
    rehearsal, client = box
    client.put("/tmp/new.nv", "# ports\nnv set interface swp1-2 link mtu 9216\n")
    client.out("nv config patch /tmp/new.nv")
    assert client.out("nv config diff -o commands") == "nv set interface swp1-2 link mtu 9216\n"
    client.out("nv config replace /tmp/new.nv")
    client.out("nv config apply -y")
    assert rehearsal.state("leaf1")["running"] == "nv set interface swp1-2 link mtu 9216\n"


def test_yaml_is_what_show_prints(box: tuple[Rehearsal, Client]) -> None:
    _, client = box
    client.out("nv set qos roce enable on; nv config apply -y; nv config show > /tmp/all.yaml")
    client.out("nv unset interface swp1; nv config apply -y; nv config replace /tmp/all.yaml")
    assert client.out("nv config diff -o commands") == "nv set interface swp1 type swp\n"


def test_a_bad_line_of_a_file_is_told_and_nothing_is_taken(box: tuple[Rehearsal, Client]) -> None:
    _, client = box
    client.put("/tmp/new.nv", "nv set interface swp1 link mtu 9216\nnv set foo bar\n")
    status, _, err = client.run("nv config patch /tmp/new.nv")
    assert status == 1
    assert "line 2: nv set foo bar" in err
    assert client.out("nv config diff") == ""


def test_an_invalid_whole_is_refused_at_apply(box: tuple[Rehearsal, Client]) -> None:
    rehearsal, client = box
    before = rehearsal.state("leaf1")["running"]
    client.out(
        "nv set qos traffic-pool a memory-percent 60; nv set qos traffic-pool b memory-percent 60"
    )
    status, out, err = client.run("nv config apply -y")
    assert (status, out) == (1, "")
    assert err.startswith("Invalid config [rev_id: 2]\n  Config invalid at qos.traffic-pool")
    assert rehearsal.state("leaf1")["running"] == before
    client.out("nv config detach")
    assert client.out("nv config diff") == ""


def test_someone_else_waits_for_a_confirmation(box: tuple[Rehearsal, Client]) -> None:
    rehearsal, client = box
    rehearsal.arm("leaf1", Fault("lock", 0))
    found = json.loads(client.out("nv config revision -o json"))
    assert {"state": "confirm", "user": "operator"} in found.values()
    client.out("nv set interface swp1 link mtu 9216")
    assert client.run("nv config apply -y")[0] == 1


def test_sessions(start: Start, connect: Connect, cumulus: Setup) -> None:
    leaf = replace(cumulus, neighbours=(Neighbour("swp1", "spine1", "swp2"),))
    spine = replace(cumulus, device="spine1", neighbours=(Neighbour("swp2", "leaf1", "swp1"),))
    rehearsal = start(leaf, spine)
    for name, asn, port in (("leaf1", 65101, "swp1"), ("spine1", 65001, "swp2")):
        connect(rehearsal, name).out(
            f"nv set router bgp autonomous-system {asn}; "
            f"nv set vrf default router bgp neighbor {port} remote-as external; nv config apply -y"
        )
    found = json.loads(
        connect(rehearsal, "leaf1").out("nv show vrf default router bgp neighbor -o json")
    )
    assert found == {"swp1": {"state": "established"}}


def test_replies_without_a_source_are_listed(box: tuple[Rehearsal, Client]) -> None:
    rehearsal, client = box
    client.out("nv config show")
    assert rehearsal.unsourced() == {}
    client.run("nv config apply -y")
    assert rehearsal.unsourced() == {"leaf1": ("no-pending",)}
