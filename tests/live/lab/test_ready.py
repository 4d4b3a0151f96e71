"""What is told of a lab that does not run, or runs otherwise than planned; without one."""

from __future__ import annotations

import fcntl
import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.live.lab import find, nodes, observe, ready, state
from fabric.live.lab.observe import SessionState
from tests.live.lab.agreement import as_planned, settled

if TYPE_CHECKING:
    from fabric.live.lab.layout import Layout, Node


def node(layout: Layout, name: str) -> Node:
    found = layout.node(name)
    assert found is not None
    return found


def test_of_a_lab_that_does_not_run_everything_is_missing(small: Layout) -> None:
    lacking = ready.wait(small, 0)
    assert sorted(lacking) == sorted(ready.missing(small))
    # 4 sessions and 6 cables, seen from both ends.
    assert sum(line.startswith("BGP") for line in lacking) == 2 * 4
    assert sum(line.startswith("LLDP") for line in lacking) == 2 * 6
    assert "BGP leaf-0 swp33 to spine-0 (10.254.0.1), ipv4: none" in lacking
    assert "LLDP h1 eth1: sees nobody, not leaf-0 swp1" in lacking
    word, listed = find.condition(small.name)
    assert (word, {pid for _, pid in listed}) == ("partial", {None})


@pytest.mark.parametrize(
    ("session", "said"),
    [
        (SessionState("Established", 4200000000), []),
        (SessionState("Connect", 4200000000), ["(10.254.0.1), ipv4: Connect"]),
        (SessionState("Established", 65000), [": ASN 65000, planned is 4200000000"]),
    ],
)
def test_a_session_is_there_when_it_carries_the_planned_asn(
    session: SessionState, said: list[str], small: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = SessionState("Established", 4200000000)
    found = {("10.254.0.1", "ipv4"): session, ("10.254.0.3", "ipv4"): other}
    monkeypatch.setattr(observe, "sessions", lambda _lab, _node: found)
    lacking = ready.missing_sessions(small.name, node(small, "leaf-0"))
    assert [line.removeprefix("BGP leaf-0 swp33 to spine-0").strip() for line in lacking] == [
        text.strip() for text in said
    ]


def test_waiting_ends_only_when_routes_rest(small: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last change is in the seventh look; three alike in a row are rest."""
    looks: list[int] = []

    def routes(at: Node) -> dict[str, frozenset[str]]:
        looks.append(1)
        look = (len(looks) - 1) // len(small.switches)
        return {"10.0.0.0/31": frozenset({str(min(look, 6))})} if at.is_switch else {}

    monkeypatch.setattr(observe, "_AT_ONCE", 1)
    monkeypatch.setattr(observe, "routes", routes)
    monkeypatch.setattr(ready, "missing_sessions", lambda _lab, _node: [])
    monkeypatch.setattr(ready, "missing_neighbours", lambda _lab, _node: [])
    monkeypatch.setattr("time.sleep", lambda _seconds: None)
    assert ready.wait(small, 60) == []
    assert len(looks) // len(small.switches) == 6 + 3


def test_a_table_that_never_becomes_the_models_is_told(
    small: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observe, "routes", lambda _node: {})
    told = settled(small, as_planned(flow.load(small.inventory)), timeout_s=0)
    assert any(line.startswith("leaf-0 → leaf-1") for line in told)


def test_a_process_with_a_number_of_old_is_none_of_a_nodes(small: Layout) -> None:
    leaf = node(small, "leaf-0")
    file = state.node_file(small.name, leaf.name, "pid")
    file.parent.mkdir(parents=True)
    file.write_text(f"{os.getpid()}\n")
    with subprocess.Popen(["/bin/sleep", "60"]) as child:  # this process has one, as a node has
        assert nodes.first_process(small.name, leaf) is None
        child.kill()


def test_one_at_a_time_takes_a_management_network(small: Layout) -> None:
    descriptor = os.open(state.root().parent, os.O_RDONLY)
    try:
        with state.locked(), pytest.raises(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(descriptor)
    assert small.name in state.names()
