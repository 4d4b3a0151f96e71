"""`fabric analyze deadlock`: ways out, single failures of a dragonfly, the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from tests.cli.conftest import INVENTORIES, SMALL

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

RING = (INVENTORIES / "ring4.yaml").read_text(encoding="utf-8")
DRAGONFLY = """\
fabric: df
topology: {kind: dragonfly, p: 1, a: 2, h: 1, g: 3}
platforms: {default: {platform: sonic, model: nvidia-sn4700}}
hosts: {names: 'h-[1-6]', nics: 1, nic: connectx-7, speed: 400}
"""
CUT = """\
fabric: cut
topology:
  kind: explicit
  switches:
    - {name: l0, tier: 0, endpoints: 2, asn: 4200000010}
    - {name: l1, tier: 0, endpoints: 2, asn: 4200000011}
    - {name: l2, tier: 0, endpoints: 2, asn: 4200000012}
    - {name: l3, tier: 0, endpoints: 2, asn: 4200000013}
    - {name: s0, tier: 1, asn: 4200000001}
    - {name: s1, tier: 1, asn: 4200000002}
  cables:
    - {a: l0, b: s0}
    - {a: l1, b: s0}
    - {a: l2, b: s0}
    - {a: l3, b: s0}
    - {a: l0, b: s1}
    - {a: l1, b: s1}
    - {a: l2, b: s1}
    - {a: l3, b: s1}
platforms:
  default: {platform: sonic, model: nvidia-sn3700}
hosts: {nic: connectx-6, speed: 100}
links: {speed: 100}
"""


def test_ring4_has_two_ways_out(fabric: Shell) -> None:
    ring = fabric.write("ring4.yaml", RING)
    done = fabric("analyze", "deadlock", str(ring))
    assert done.code == 1
    assert "Ways out, checked:" in done.out
    assert "one more priority across r0–r3 (dateline): no CBD; 2 lossless" in done.out
    assert "uniform traffic gets 70" in done.out
    found = fabric("analyze", "deadlock", str(ring), "--json").json["ways_out"]
    assert [(way["name"], way["helps"], way["levels"]) for way in found] == [
        ("dateline", True, 2),
        ("updown", True, 1),
    ]


def test_failures_of_a_leaf_spine_with_asns_of_its_own(fabric: Shell) -> None:
    path = fabric.write("cut.yaml", CUT)
    down = ("--fail", "l0:s1", "--fail", "l1:s0")
    done = fabric("analyze", "deadlock", str(path), *down, "--json")
    assert done.code == 1
    ways = {way["name"]: way for way in done.json["ways_out"]}
    assert ways["bounce"]["helps"]
    assert ways["bounce"]["priorities"] == 2
    assert ways["bounce"]["headroom"]["device"]
    assert ways["asn-plan"]["unreachable_pairs_before"] == 0
    assert ways["asn-plan"]["unreachable_pairs"] == 2


def test_no_cbd_no_ways_out(fabric: Shell) -> None:
    small = fabric.write("small.yaml", SMALL)
    done = fabric("analyze", "deadlock", str(small), "--json")
    assert done.code == 0
    assert done.json["ways_out"] == []
    assert done.json["single_failures"] is None
    assert "Ways out" not in fabric("analyze", "deadlock", str(small)).out


def test_a_certificate_alone_asks_nothing_further(fabric: Shell) -> None:
    ring = fabric.write("ring4.yaml", RING)
    done = fabric("analyze", "deadlock", str(ring), "--certificate-only", "--json")
    assert done.json["ways_out"] == []
    df = fabric.write("df.yaml", DRAGONFLY)
    done = fabric("analyze", "deadlock", str(df), "--certificate-only", "--json")
    assert done.json["single_failures"] is None


def test_a_dragonfly_tells_what_one_cable_costs(fabric: Shell) -> None:
    df = fabric.write("df.yaml", DRAGONFLY)
    done = fabric("analyze", "deadlock", str(df))
    assert done.code == 0
    assert "3 of 3 worked out part a pair, up to 10 ordered pairs" in done.out
    assert "topology.local_links: 2, topology.links_per_group_pair: 2" in done.out
    other = fabric("analyze", "deadlock", str(df), "--routing", "spf", "--json")
    assert other.json["single_failures"] is None


def test_the_picture(fabric: Shell) -> None:
    ring = fabric.write("ring4.yaml", RING)
    done = fabric("analyze", "deadlock", str(ring), "--svg", "cycle.svg")
    assert done.code == 1
    text = (fabric.folder / "cycle.svg").read_text(encoding="utf-8")
    words = " ".join(ET.fromstring(text).itertext())  # noqa: S314 — our own text
    for link in ("r0:r1:1", "r1:r2:1", "r2:r3:1", "r0:r3:1"):
        assert link in words
    assert "tier" not in words, "one tier is none"


def test_nothing_to_draw_and_nowhere_to_write(fabric: Shell) -> None:
    small = fabric.write("small.yaml", SMALL)
    done = fabric("analyze", "deadlock", str(small), "--svg", "cycle.svg")
    assert done.code == 0
    assert done.err == "no cycle to draw: cycle.svg was not written\n"
    assert not (fabric.folder / "cycle.svg").exists()
    ring = fabric.write("ring4.yaml", RING)
    done = fabric("analyze", "deadlock", str(ring), "--svg", "no/where.svg")
    assert done.code == 2
    assert "no/where.svg cannot be written: No such file or directory" in done.err
