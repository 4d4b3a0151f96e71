"""Sessions both ways over every cable between switches; what each switch announces."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fabric.design.addressing import allocate
from fabric.design.underlay import derive
from fabric.model.intent import Hardware
from fabric.model.underlay import BgpSession, Speaker
from tests.design.graphs import fat_tree, intent, leaf_spine
from tests.samples import sample_intent, sample_spec, sample_topology

if TYPE_CHECKING:
    from fabric.model.intent import Intent
    from fabric.model.topology import Topology
    from fabric.model.underlay import Underlay


def underlay(topology: Topology, wish: Intent) -> Underlay:
    return derive(topology, allocate(topology, wish), wish)


def test_a_small_leaf_spine_line_by_line() -> None:
    found = underlay(sample_topology(), sample_intent())
    assert found.speaker("leaf-1") == Speaker(
        device="leaf-1",
        asn=4_200_001_001,
        router_id="10.255.0.2",
        announces=("10.255.0.2/32", "10.0.0.4/30"),
        discards=("10.0.0.4/30",),
        allowas_in=0,
        max_paths=64,
        multipath_relax=True,
    )
    assert found.speaker("spine-0").announces == ("10.255.0.3/32",)
    assert found.speaker("spine-0").discards == ()
    assert found.sessions_of("leaf-1")[1] == BgpSession(
        device="leaf-1",
        port="Ethernet12",
        link="leaf-1:spine-1:1",
        peer="spine-1",
        peer_port="Ethernet4",
        local_asn=4_200_001_001,
        peer_asn=4_200_000_000,
        local_address="10.254.0.6",
        peer_address="10.254.0.7",
        family="ipv4",
        kind="leaf-spine",
    )
    assert (found.keepalive_s, found.hold_s, found.bfd, found.bgp_dscp) == (3, 9, False, 56)
    assert found.numbering == "numbered"


@pytest.mark.parametrize("numbering", ["numbered", "unnumbered"])
@pytest.mark.parametrize("graph", [fat_tree(4), leaf_spine(3, 2, 2, 2)])
def test_the_two_ends_of_a_session_agree(graph: object, numbering: str) -> None:
    topology = graph.topology()  # type: ignore[attr-defined]
    found = underlay(topology, intent(link_numbering=numbering))
    assert len(found.sessions) == 2 * len(topology.fabric_links)
    by_end = {(s.link, s.device): s for s in found.sessions}
    for s in found.sessions:
        other = by_end[s.link, s.peer]
        assert (other.peer, other.peer_port, other.port) == (s.device, s.port, s.peer_port)
        assert (other.local_asn, other.peer_asn) == (s.peer_asn, s.local_asn)
        assert (other.local_address, other.peer_address) == (s.peer_address, s.local_address)
        assert s.local_asn != s.peer_asn
        assert (s.family == "ipv6") == (s.local_address is None)


def test_sessions_stand_in_the_order_of_the_ports() -> None:
    found = underlay(sample_topology(4, 2), sample_intent())
    ports = [s.port for s in found.sessions_of("spine-0")]
    assert ports == ["Ethernet0", "Ethernet4", "Ethernet8", "Ethernet12"]
    turned = sample_topology(4, 2)
    backwards = replace(turned, links=turned.links[::-1])
    again = underlay(backwards, sample_intent())
    assert [s.port for s in again.sessions_of("spine-0")] == ports


def test_no_link_is_announced() -> None:
    topology = fat_tree(4).topology()
    found = underlay(topology, intent())
    links = {s.local_address for s in found.sessions}
    announced = [p for speaker in found.speakers for p in speaker.announces]
    assert len(set(announced)) == len(announced) == 20 + 8  # loopbacks and edges' host prefixes
    assert not any(p.startswith("10.254.") for p in announced)
    assert all(address is not None and address.startswith("10.254.") for address in links)
    assert {d for s in found.speakers for d in s.discards} <= set(announced)


def test_unnumbered_sessions_run_over_link_local_addresses() -> None:
    found = underlay(sample_topology(), intent(link_numbering="unnumbered"))
    assert {(s.local_address, s.peer_address, s.family) for s in found.sessions} == {
        (None, None, "ipv6")
    }
    assert found.numbering == "unnumbered"


def test_parallel_cables_have_a_session_each_with_addresses() -> None:
    found = underlay(leaf_spine(2, 1, 1, 2).topology(), intent(link_numbering="unnumbered"))
    assert len(found.sessions_of("leaf-0")) == 2
    assert {s.family for s in found.sessions} == {"ipv4"}


def test_paths_are_as_many_as_intent_and_system_allow() -> None:
    wide = intent(max_paths=256)
    assert underlay(sample_topology(), wide).speaker("leaf-0").max_paths == 64
    assert underlay(sample_topology(), intent(max_paths=8)).speaker("leaf-0").max_paths == 8
    spec = sample_spec("frr")
    broad = replace(spec, capabilities=replace(spec.capabilities, max_ecmp_paths=128))
    default = wide.hardware.default
    mixed = replace(
        wide, hardware=Hardware(default, (("spine", replace(default, platform=broad)),))
    )
    found = underlay(sample_topology(), mixed)
    assert (found.speaker("leaf-0").max_paths, found.speaker("spine-0").max_paths) == (64, 128)


def test_timers_and_bfd_come_from_the_intent() -> None:
    found = underlay(sample_topology(), intent(bgp_keepalive_s=10, bgp_hold_s=30, bfd=True))
    assert (found.keepalive_s, found.hold_s, found.bfd) == (10, 30, True)
