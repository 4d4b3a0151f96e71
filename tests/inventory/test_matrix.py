"""Traffic matrices from files: what is read, and every fault with its place."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.inventory import matrix
from fabric.inventory.matrix import read_matrix
from fabric.inventory.matrix_names import NicNames, UnknownNicError
from fabric.model.finding import InputError
from tests.design.graphs import Graph, Node

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.topology import Topology
    from fabric.model.traffic import TrafficMatrix


def topology() -> Topology:
    """Two hosts with two NICs, each on a rail of its own; gpu-2 and gpu-3 with one."""
    switches = [Node("l0", "leaf", 0), Node("l1", "leaf", 0), Node("s", "spine", 1)]
    hosts = [("gpu-0", ("l0", "l1")), ("gpu-1", ("l0", "l1")), ("gpu-2", ("l0",))]
    cables = [("l0", "s", 1), ("l1", "s", 1)]
    return Graph(switches, cables, [*hosts, ("gpu-3", ("l1",))]).topology()


def told(of: TrafficMatrix) -> list[tuple[str, str, str, float]]:
    return [
        (phase.name, of.nics[a], of.nics[b], amount)
        for phase in of.phases
        for a, b, amount in zip(phase.source, phase.target, phase.amount, strict=True)
    ]


def read(folder: Path, text: str, name: str = "m.csv") -> TrafficMatrix:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_matrix(path, topology())


def faults(folder: Path, text: str, name: str = "m.csv") -> list[tuple[str, int, int, str, str]]:
    with pytest.raises(InputError) as caught:
        read(folder, text, name)
    return [
        (f.rule, f.location.line, f.location.column, f.message, f.fix)
        for f in caught.value.findings
        if f.location
    ]


def test_nics_are_named_in_three_ways(tmp_path: Path) -> None:
    text = "from,to,gbps\ngpu-2,gpu-3,100\ngpu-3/rdma0,gpu-0/rdma1,2.5\n\ngpu-0 rdma1,gpu-2,1e1\n"
    found = read(tmp_path, text)
    assert (found.unit, found.file) == ("gbps", str(tmp_path / "m.csv"))
    assert told(found) == [
        ("", "gpu-2 rdma0", "gpu-3 rdma0", 100.0),
        ("", "gpu-3 rdma0", "gpu-0 rdma1", 2.5),
        ("", "gpu-0 rdma1", "gpu-2 rdma0", 10.0),
    ]


def test_two_hosts_send_rail_by_rail(tmp_path: Path) -> None:
    assert told(read(tmp_path, "from,to,rate\ngpu-0,gpu-1,1\n")) == [
        ("", "gpu-0 rdma0", "gpu-1 rdma0", 0.5),
        ("", "gpu-0 rdma1", "gpu-1 rdma1", 0.5),
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_phases_comments_and_delimiters(tmp_path: Path, delimiter: str) -> None:
    rows = ["# made by hand", "Phase,TO,From,Bytes", "b,gpu-3,gpu-2,7", '"a",gpu-2,gpu-3,8']
    found = read(tmp_path, "\n".join([*rows, "b,gpu-2,gpu-3,9"]).replace(",", delimiter))
    assert found.unit == "bytes"
    assert [phase.name for phase in found.phases] == ["b", "a"]
    assert told(found) == [
        ("b", "gpu-2 rdma0", "gpu-3 rdma0", 7.0),
        ("b", "gpu-3 rdma0", "gpu-2 rdma0", 9.0),
        ("a", "gpu-3 rdma0", "gpu-2 rdma0", 8.0),
    ]


NAMES = st.sampled_from(["gpu-0 rdma0", "gpu-0 rdma1", "gpu-1 rdma0", "gpu-2 rdma0", "gpu-3 rdma0"])
PAIRS = st.tuples(NAMES, NAMES).filter(lambda pair: pair[0] != pair[1])


@given(st.dictionaries(PAIRS, st.floats(1e-9, 1e18), min_size=1))
@settings(max_examples=20)
def test_csv_and_json_say_the_same(
    tmp_path_factory: pytest.TempPathFactory, rows: dict[tuple[str, str], float]
) -> None:
    folder = tmp_path_factory.mktemp("m")
    lines = [f"{a},{b},{amount!r}" for (a, b), amount in rows.items()]
    listed = [{"from": a, "to": b, "rate": amount} for (a, b), amount in rows.items()]
    by_csv = read(folder, "\n".join(["from,to,rate", *lines]))
    by_json = read(folder, json.dumps({"traffic": listed}), "m.json")
    assert told(by_csv) == told(by_json) == [("", a, b, amount) for (a, b), amount in rows.items()]


NUMBER = "expected 0, or a number from 1e-09 to 1e+18"


@pytest.mark.parametrize(
    ("row", "column", "said", "fix"),
    [
        ("gpu-2,gpu-2,1", 2, "gpu-2 sends to itself", "another receiver"),
        ("gpu-0,gpu-0/rdma1,1", 1, "do not match rail by rail", "as gpu-0/rdma0"),
        ("gpu-0,gpu-2,1", 1, "do not match rail by rail", "as gpu-0/rdma0"),
        ("gpu-0,gpu-0,1", 2, "gpu-0 sends to itself", "another receiver"),
        ("gpu-9,gpu-2,1", 1, "there is no host 'gpu-9'", "did you mean gpu-"),
        ("gpu-2,zzz,1", 2, "there is no host 'zzz'", "`fabric show hosts` lists them"),
        ("gpu-2,gpu-1/rdma7,1", 2, "gpu-1 has no NIC 'gpu-1/rdma7'", "did you mean gpu-1/rdma1"),
        (",gpu-2,1", 1, "from is '', expected a host or a NIC", "gpu-1/rdma0"),
        ("gpu-2,gpu-3,-1", 3, f"gbps is '-1', {NUMBER}", "send nothing"),
        ("gpu-2,gpu-3,nan", 3, f"gbps is 'nan', {NUMBER}", "send nothing"),
        ("gpu-2,gpu-3,1e999", 3, f"gbps is '1e999', {NUMBER}", "send nothing"),
        ("gpu-2,gpu-3,1e19", 3, f"gbps is '1e19', {NUMBER}", "send nothing"),
        ("gpu-2,gpu-3,1e-10", 3, f"gbps is '1e-10', {NUMBER}", "send nothing"),
        ("gpu-2,gpu-3,1_0", 3, f"gbps is '1_0', {NUMBER}", "send nothing"),
        ("gpu-2,gpu-3,", 3, f"gbps is '', {NUMBER}", "send nothing"),
        ("gpu-2,gpu-3", 1, "2 cells, expected the 3 of the header", "as the others"),
        ("gpu-2,gpu-3,1,1", 1, "4 cells, expected the 3 of the header", "as the others"),
        ("gpu-1/rdma0,gpu-2,2", 1, "stands in row 2 already", "one row a pair"),
    ],
)
def test_a_fault_of_a_row(tmp_path: Path, row: str, column: int, said: str, fix: str) -> None:
    text = f"from,to,gbps\ngpu-1 rdma0,gpu-2,1\n{row}\ngpu-3,gpu-2,1\n"
    ((rule, line, at, message, help_),) = faults(tmp_path, text)
    assert (rule, line, at) == ("RCE027", 3, column)
    assert message.startswith("row 3: ")
    assert said in message
    assert fix in help_


def test_a_host_and_its_nic_are_one_pair_twice(tmp_path: Path) -> None:
    text = "from,to,gbps\ngpu-0,gpu-1,1\ngpu-0/rdma1,gpu-1/rdma1,1\n"
    ((_, line, _, message, _),) = faults(tmp_path, text)
    assert (line, message) == (3, "row 3: gpu-0 rdma1 to gpu-1 rdma1 stands in row 2 already")


def test_a_name_that_nobody_has_is_told_once(tmp_path: Path) -> None:
    found = faults(tmp_path, "from,to,gbps\nx,gpu-2,1\nx,gpu-3,1\ngpu-2,x,1\ny,gpu-2,1\n")
    assert [(line, at) for _, line, at, _, _ in found] == [(2, 1), (5, 1)]


def test_hosts_on_other_rails_do_not_match() -> None:
    nics = ("a r0", "a r1", "b r0", "b r1")
    names = NicNames(nics, (0, 1, 0, 2), {"a": (0, 1), "b": (2, 3)}, {})
    with pytest.raises(UnknownNicError, match="do not match rail by rail"):
        names.pairs("a", "b")


def test_all_faults_at_once(tmp_path: Path) -> None:
    text = "from,to,gbps\nx,gpu-2,-1\ngpu-2,gpu-2,1\ngpu-2\n"
    assert [(line, at) for _, line, at, _, _ in faults(tmp_path, text)] == [
        (2, 3),
        (2, 1),
        (3, 2),
        (4, 1),
    ]


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("source,to,gbps", ["the column source is not known", "there is no column from"]),
        ("from,to,gbps,rate", ["one column says how much: rate, gbps, bytes; found rate and gbps"]),
        ("from,to", ["one column says how much: rate, gbps, bytes; found none of them"]),
        ("from,from,to,gbps", ["the column from stands twice"]),
        ("from,to,gbps,", ["the column (empty) is not known"]),
    ],
)
def test_a_fault_of_the_header(tmp_path: Path, header: str, said: list[str]) -> None:
    found = faults(tmp_path, f"{header}\ngpu-2,gpu-3,1\n")
    assert [message for _, _, _, message, _ in found] == said
    assert {(rule, line) for rule, line, _, _, _ in found} == {("RCE027", 1)}
    assert all("from,to,gbps" in fix for *_, fix in found)


@pytest.mark.parametrize(
    ("text", "rule", "said"),
    [
        ("", "RCE001", "is empty"),
        ("from,to,gbps\n", "RCE027", "has no row: nobody sends anything"),
        ("from,to,gbps\ngpu-2,gpu-3,0\n", "RCE027", "sends nothing: all amounts are 0"),
        ("phase,from,to,gbps\na,gpu-2,gpu-3,0\n", "RCE027", "phase a sends nothing"),
        ("phase,from,to,gbps\n,gpu-2,gpu-3,1\n", "RCE027", "phase is '', expected a name"),
        ('from,to,gbps\n"gpu-2,gpu-3,1\n', "RCE027", "not CSV"),
        ("from\0to", "RCE001", "is binary"),
    ],
)
def test_a_fault_of_the_whole(tmp_path: Path, text: str, rule: str, said: str) -> None:
    ((found, _, _, message, _),) = faults(tmp_path, text)
    assert found == rule
    assert said in message


ROW = '{"from": "gpu-2", "to": "gpu-3", "gbps": 1}'


@pytest.mark.parametrize(
    ("text", "rule", "line", "said"),
    [
        ("[]", "RCE006", 1, "expected an object"),
        ("{}", "RCE027", 1, "no traffic"),
        ('{"traffic": 3}', "RCE027", 1, "traffic is not a list of objects"),
        ('{"traffic": [[]]}', "RCE027", 1, "traffic is not a list of objects"),
        ('{"traffic": []}', "RCE027", 1, "has no row"),
        (f'{{"traffic": [{ROW}],\n"unit": 1}}', "RCE027", 2, "the key unit is not known"),
        (f'{{"traffic": [{ROW},\n{{"from": "a"}}]}}', "RCE027", 2, "traffic[1]: found from, exp"),
        (f'{{"traffic": [{ROW},\n{ROW}]}}', "RCE027", 2, "stands in traffic[0] already"),
        (f'{{"traffic": [\n{ROW.replace("1", "true")}]}}', "RCE027", 2, "gbps is True"),
        (f'{{"traffic": [\n{ROW.replace("1", "NaN")}]}}', "RCE002", 1, "NaN is no number"),
        (f'{{"traffic": [\n{ROW.replace("1", "1" + "0" * 400)}]}}', "RCE027", 2, "gbps is 1000"),
        (
            f'{{"traffic": [\n{ROW.replace(chr(34) + "gpu-2" + chr(34), "7")}]}}',
            "RCE027",
            2,
            "is 7",
        ),
    ],
)
def test_a_fault_of_json(tmp_path: Path, text: str, rule: str, line: int, said: str) -> None:
    ((found, at, _, message, _),) = faults(tmp_path, text, "m.json")
    assert (found, at) == (rule, line)
    assert said in message


def test_of_very_many_faults_the_first_are_told(tmp_path: Path) -> None:
    found = faults(tmp_path, "from,to,gbps\n" + "gpu-2,gpu-2,1\n" * 1000)
    assert len(found) == 21
    assert "the first 20 problems" in found[-1][3]


TWO = "phase,from,to,gbps\na,gpu-2,gpu-3,1\nb,gpu-3,gpu-2,1\n"


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("MOST_BYTES", "is larger than 0 MB"),
        ("MOST_PAIRS", "row 3: more than 1 pairs of NICs"),
        ("MOST_PHASES", "row 3: more than 1 phases"),
    ],
)
def test_a_huge_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, said: str
) -> None:
    monkeypatch.setattr(matrix, limit, 1)
    first = faults(tmp_path, TWO)[0]
    assert said in first[3]
    assert "some phases" in first[4] or "name few" in first[4]
