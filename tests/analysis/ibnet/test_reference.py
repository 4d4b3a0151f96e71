"""The judge's own parts, without the programs: definition, netlist, readers."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import pytest

from tests.analysis.ibnet import reference, tables
from tests.analysis.ibnet.netlist import (
    Fabric,
    dragonfly,
    drawn,
    fat_tree,
    grid,
    leaf_spine,
    ring,
)
from tests.analysis.ibnet.tables import Channel, Route

CROSSED = (("l0", "s1"), ("l1", "s0"))
# validation.md 1.5, model spf: edges and the largest component where the table has them
EDGES_AND_LARGEST = {
    "ft 4": (fat_tree(4), 128, 0),
    "ft 8": (fat_tree(8), 2304, 0),
    "ls 4×2": (leaf_spine(4, 2), 24, 0),
    "ring 3": (ring(3), 0, 0),
    "ring 4": (ring(4), None, 4),
    "ring 5": (ring(5), None, 5),
    "ring 6": (ring(6), None, 6),
    "ring 8": (ring(8), None, 8),
    "ls 3×2 cut": (leaf_spine(3, 2).without(*CROSSED), None, 0),
    "ls 4×2 cut": (leaf_spine(4, 2).without(*CROSSED), None, 4),
    "ls 5×2 cut": (leaf_spine(5, 2).without(*CROSSED), None, 12),
    "ft 4 cut": (fat_tree(4).without(("e0.0", "a0.0"), ("e0.1", "a0.1")), None, 48),
    "df(1,2,1,3)": (dragonfly(1, 2, 1, 3), 12, 6),
    "df(2,4,2,9)": (dragonfly(2, 4, 2, 9), 480, None),
    "df(2,4,4,16)": (dragonfly(2, 4, 4, 16), 1908, None),
}


@pytest.mark.parametrize("name", EDGES_AND_LARGEST)
def test_the_definition_gives_the_truth_table(name: str) -> None:
    fabric, edges, largest = EDGES_AND_LARGEST[name]
    sources = [switch for switch, hosts in fabric.hosts.items() if hosts]
    graph = reference.dependencies(sources, reference.shortest(fabric))
    if edges is not None:
        assert len(graph.edges) == edges
    if largest is not None:
        assert reference.largest_component(graph) == largest


def test_what_nobody_sends_waits_for_nothing() -> None:
    there, on, back = Channel("a", "b", 1), Channel("b", "c", 2), Channel("c", "a", 2)
    route = Route("d", {"a": (there,), "b": (on,), "c": (back,)})
    assert reference.active(["d"], route) == frozenset()
    assert reference.largest_component(reference.dependencies(["d"], [route])) == 0
    assert reference.largest_component(reference.dependencies(["a"], [route])) == 3


def test_a_netlist_names_both_ends_of_each_cable() -> None:
    fabric = Fabric({"x": 1, "y": 1}, (("x", "y", 2),))
    assert fabric.netlist() == (
        'Switch\t3 "x"\n[1]\t"y"[1]\n[2]\t"y"[2]\n[3]\t"x-h0"[1]\n\n'
        'Switch\t3 "y"\n[1]\t"x"[1]\n[2]\t"x"[2]\n[3]\t"y-h0"[1]\n\n'
        'Hca\t1 "x-h0"\n[1]\t"x"[3]\n\n'
        'Hca\t1 "y-h0"\n[1]\t"y"[3]\n'
    )


@pytest.mark.parametrize(
    "fabric", [*(drawn(seed) for seed in range(48)), grid(4, 4), dragonfly(2, 4, 4, 16)]
)
def test_drawn_and_built_fabrics_are_in_one_piece(fabric: Fabric) -> None:
    between, below = fabric.ports()
    assert all(between[far] == near for near, far in between.items())
    assert nx.is_connected(nx.Graph((a, b) for (a, _), (b, _) in between.items()))
    assert len(below) == sum(fabric.hosts.values()) >= 2


def _end(kind: str, name: str, guid: int, lid: int, port: str) -> str:
    return (
        f"{{ {kind} Ports:01 SystemGUID:{guid:016x} NodeGUID:{guid:016x} PortGUID:{guid:016x} "
        f"VenID:000000 DevID:0000 Rev:000000A1 {{{name}}} LID:{lid:04X} PN:{port} }}"
    )


X, Y = _end("SW", "x", 0x20000A, 2, "0B"), _end("SW", "y", 0x20000B, 3, "01")
ON_X, ON_Y = _end("SW", "x", 0x20000A, 2, "01"), _end("SW", "y", 0x20000B, 3, "02")
HOST, FAR_HOST = _end("CA-SM", "h", 0x100000, 1, "01"), _end("CA", "i", 0x100002, 10, "01")
PAIRS = ((HOST, ON_X), (ON_X, HOST), (X, Y), (Y, X), (ON_Y, FAR_HOST), (FAR_HOST, ON_Y))
SUBNET = "".join(f"{a} {b} PHY=4x LOG=ACT SPD=2.5\n" for a, b in PAIRS)
TABLES = """\
dump_ucast_routes: Switch 0x000000000020000a
LID    : Port : Hops : Optimal
0x0001 : 001  : 01   : yes
0x0002 : 000  : 00   : yes
0x000A : 011  : 02   : yes
dump_ucast_routes: Switch 0x000000000020000b
LID    : Port : Hops : Optimal
0x0001 : 001  : 02   : yes
0x0003 : 000  : 00   : yes
0x000A : 002  : 01   : yes
"""
SAID = """\
NUM-DLIDS NUM-SWITCH-PORTS
       0   3
       2   4
---------------------------------------------------------------------------
Found credit loop on: S000000000020000a/U1/P11 VL: 0
  - BT credit loop through: S000000000020000b/U1/P1 VL: 0
  - BT credit loop through: S000000000020000a/U1/P11 VL: 0
  - BT credit loop through: S0000000000100000/U1/P1 VL: 0
-E- credit loops in routing
"""


def test_tables_of_opensm_are_read() -> None:
    subnet = tables.read(SUBNET, TABLES)
    there, back = Channel("x", "y", 11), Channel("y", "x", 1)
    assert subnet.routes == {1: Route("x", {"y": (back,)}), 10: Route("y", {"x": (there,)})}
    assert subnet.ends == {("x", 11): ("y", 1), ("y", 1): ("x", 11)}
    assert subnet.sources == {"x", "y"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("0x000A : 011  : 02   : yes\n", ""),
        ("0x000A : 011  : 02   : yes", "0x000A : UNREACHABLE"),
        ("0x000A : 011  ", "0x000A : 007  "),
        (
            "0x0001 : 001  : 02   : yes",
            "0x0001 : 001  : 02   : No 02 hop path possible via port 4!",
        ),
    ],
    ids=["lacking", "unreachable", "port without cable", "longer than need be"],
)
def test_tables_that_do_not_lead_there_are_refused(old: str, new: str) -> None:
    assert TABLES.count(old) == 1
    with pytest.raises(ValueError, match=r"no (way|route)"):
        tables.read(SUBNET, TABLES.replace(old, new))


def test_ports_are_written_into_tables() -> None:
    names = tables.read(SUBNET, TABLES).names
    changed = tables.with_ports(TABLES, names, {("x", 10): 7, ("y", 1): 12})
    before, after = TABLES.splitlines(), changed.splitlines()
    assert [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]] == [
        ("0x000A : 011  : 02   : yes", "0x000A : 007  : 02   : yes"),
        ("0x0001 : 001  : 02   : yes", "0x0001 : 012  : 02   : yes"),
    ]


def test_levels_are_written_by_the_port_that_packets_come_in_by() -> None:
    ports = {("x", 1): ("h", 1), ("x", 11): ("y", 1), ("y", 1): ("x", 11)}
    zero, one = " ".join(["0x00"] * 8), " ".join(["0x11"] * 8)
    names = tables.read(SUBNET, TABLES).names
    assert tables.levels(ports, names, {("y", 1): ("x", 11), ("x", 11): ("y", 1)}) == (
        f"0x000000000020000a 1 1 {zero}\n0x000000000020000a 1 11 {zero}\n"
        f"0x000000000020000a 11 1 {one}\n0x000000000020000a 11 11 {one}\n"
        f"0x000000000020000b 1 1 {one}\n"
    )


def test_the_report_of_ibdmchk_is_read() -> None:
    names = tables.read(SUBNET, TABLES).names
    found = tables.verdict(SAID, names)
    assert found == tables.Verdict(has_loop=True, loop=(("x", 11), ("y", 1)), used={2: 4})
    clean = SAID.partition("Found")[0] + "-I- no credit loops found\n"
    assert tables.verdict(clean, names) == replace(found, has_loop=False, loop=())
    with pytest.raises(ValueError, match="no verdict"):
        tables.verdict(SAID.partition("-E-")[0], names)
