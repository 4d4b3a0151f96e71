"""The cable list as people export it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric.inventory.cables import read_cables
from fabric.model.finding import Severity
from tests.inventory.writing import reading

if TYPE_CHECKING:
    from pathlib import Path

SWITCHES = ("l0", "l1", "s0", "s1")
ONE = {"a": "l0", "a_port": "Ethernet0", "b": "s0", "b_port": "Ethernet8"}


def cables(text: str) -> tuple[dict[str, object], ...]:
    found = read_cables(text.encode(), "c.csv", SWITCHES)
    assert not [p for p in found.problems if p.severity is Severity.ERROR]
    assert len(found.entries) == len(found.rows)
    return found.entries


@pytest.mark.parametrize(
    "text",
    [
        "l0,Ethernet0,s0,Ethernet8\n",
        "\ufeffdevice,port,device,port\nl0,Ethernet0,s0,Ethernet8\n",
        "Device A;Port A;Device B;Port B\nl0;Ethernet0;s0;Ethernet8\n",
        "Local Device\tLocal Port\tRemote Device\tRemote Port\nl0\tEthernet0\ts0\tEthernet8\n",
        "source,source_port,destination,destination_port\r\n l0 , Ethernet0 ,s0,Ethernet8\r\n",
        'From,Interface,To,Interface\n"l0","Ethernet0","s0","Ethernet8"\n\n# end\n,,,\n',
        "Rack,Source,Port,Rack,Destination,Port,Colour\nr1,l0,Ethernet0,r2,s0,Ethernet8,red\n",
    ],
)
def test_headings_and_separators_that_people_use(text: str) -> None:
    assert cables(text) == (ONE,)


def test_speed_length_count_and_label() -> None:
    text = (
        "device,device,speed,length m,count,label\n"
        "l0,s0,400G,15.5 m,2,x1\nl0,s1,100GbE,3,,\nl1,s0,,,,\n"
    )
    assert cables(text) == (
        {"a": "l0", "b": "s0", "speed": 400, "length": 15.5, "count": 2, "label": "x1"},
        {"a": "l0", "b": "s1", "speed": 100, "length": 3.0},
        {"a": "l1", "b": "s0"},
    )


def test_racks_are_read_on_either_side_of_the_device() -> None:
    text = (
        "Rack,Source,Port,Destination,Rack,Port\n"
        "r1,l0,Ethernet0,s0,r9,Ethernet8\n,l1,Ethernet0,s0,r9,Ethernet16\n"
    )
    found = read_cables(text.encode(), "c.csv", SWITCHES)
    assert found.racks == (("l0", "r1"), ("s0", "r9"))
    assert found.entries[0] == ONE


def test_locations_and_cable_types_are_read() -> None:
    text = (
        "Source,Rack,Location,Port,Destination,Rack,Location,Port,Cable\n"
        "l0,r1,U40,Ethernet0,s0,r9,U12,Ethernet8,AOC\n"
    )
    found = read_cables(text.encode(), "c.csv", SWITCHES)
    assert found.problems == ()
    assert found.locations == (("l0", "U40"), ("s0", "U12"))
    assert found.entries == ({**ONE, "type": "AOC"},)


def test_a_row_with_two_faults_says_both() -> None:
    text = (
        "device,port,device,port,length\n"
        "l0,Ethernet0,s0,Ethernet0,5\nl1,Ethernet0,s0,Ethernet0,long\n"
        "l0,Ethernet0,s9,Ethernet0,5\n"
    )
    found = read_cables(text.encode(), "c.csv", SWITCHES).problems
    assert [problem.message for problem in found] == [
        "row 3: length is 'long', not a number",
        "row 3: s0 port Ethernet0 is already used in row 2",
        "row 4: there is no switch s9",
        "row 4: l0 port Ethernet0 is already used in row 2",
    ]


def test_a_switch_stands_in_one_rack() -> None:
    text = "device,rack,device\nl0,r1,s0\nl0,r2,s1\n"
    (found,) = read_cables(text.encode(), "c.csv", SWITCHES).problems
    assert found.message == "row 3: l0 stands in rack r2, in row 2 in r1"


def test_racks_of_the_inventory_win(tmp_path: Path) -> None:
    text = (
        "fabric: t\ntopology: {kind: explicit, switches: [{name: l0, tier: 0, endpoints: 2}, "
        "{name: s0, tier: 1}], cables_csv: c.csv}\nracks: {s0: r5, host-0: r6}\n"
    )
    listed = "device,rack,device,rack\nl0,r1,s0,r9\n"
    read = reading(tmp_path, text, c__dot__csv=listed)
    assert dict(read.intent.racks) == {"l0": "r1", "s0": "r5", "host-0": "r6"}


def test_both_directions_of_a_cable_count_once() -> None:
    text = "l0,Ethernet0,s0,Ethernet8\ns0,Ethernet8,l0,Ethernet0\n"
    assert cables(text) == (ONE,)


def test_without_ports_every_row_is_a_cable() -> None:
    assert len(cables("device,device\nl0,s0\nl0,s0\ns0,l0\n")) == 3


@pytest.mark.parametrize(
    ("row", "line_column", "words"),
    [
        ("l9,1,s0,1", (2, 1), "no switch l9"),
        ("l0,1,,1", (2, 3), "device at one end is missing"),
        ("l0,,s0,1", (2, 2), "port of l0 is missing"),
        ("l0,1,s0", (2, 4), "port of s0 is missing"),
        ("l0,1,s0,1,fast", (2, 5), "speed is 'fast', not a number"),
        ("l0,1,s0,1,100.5", (2, 5), "speed is '100.5', not a number"),
    ],
)
def test_bad_cells_name_row_and_column(row: str, line_column: tuple[int, int], words: str) -> None:
    found = read_cables(f"device,port,device,port,speed\n{row}\n".encode(), "c.csv", SWITCHES)
    (problem,) = found.problems
    assert problem.rule == "RCE017"
    assert problem.location is not None
    assert (problem.location.line, problem.location.column) == line_column
    assert words in problem.message
    assert not found.entries


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name,to\nl0,s0\n", "two device columns"),
        ("l0,s0\n", "no headings"),
        ("device,port,device\nl0,1,s0\n", "two device columns"),
        ("device,port,device,port\n", "lists no cable"),
        ('device,device\n"l0,s0\n', "not a CSV file"),
        ("l0,1,s0,1\nl1,2,s0,1\n", "s0 port 1 is already used in row 1"),
    ],
)
def test_bad_lists(text: str, words: str) -> None:
    found = read_cables(text.encode(), "c.csv", SWITCHES)
    assert any(words in problem.message for problem in found.problems)


def test_a_column_that_is_not_read_is_said() -> None:
    found = read_cables(b"device,device,budget\nl0,s0,7\n", "c.csv", SWITCHES)
    (problem,) = found.problems
    assert (problem.severity, len(found.entries)) == (Severity.INFO, 1)
    assert "budget" in problem.message


def test_rows_join_the_cables_of_the_inventory_and_keep_their_place(tmp_path: Path) -> None:
    text = (
        "fabric: t\ntopology:\n  kind: explicit\n"
        "  switches: [{name: l0, endpoints: 1}, {name: l1, endpoints: 1}, {name: s0, tier: 1}]\n"
        "  cables: [{a: l0, b: s0}]\n  cables_csv: lists/c.csv\n"
    )
    read = reading(tmp_path, text, lists__c__dot__csv="device,device\nl1,s0\nl0,s0\n")
    params = read.intent.topology_params
    assert [(c.a, c.b) for c in params.cables] == [  # type: ignore[attr-defined]
        ("l0", "s0"),
        ("l1", "s0"),
        ("l0", "s0"),
    ]
    assert read.locate(("topology", "cables", 0)).line == 5
    first = read.locate(("topology", "cables", 1))
    assert (first.file, first.line) == (str(tmp_path / "lists" / "c.csv"), 2)
    place = read.locate(("topology", "cables", 2, "a"))
    assert (place.file, place.line) == (str(tmp_path / "lists" / "c.csv"), 3)
    assert [name for name, _ in read.inputs] == ["inv.yaml", "lists/c.csv"]
