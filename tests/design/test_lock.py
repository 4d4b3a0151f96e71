"""The lock's text: round trip, the same bytes, and every way to spoil it."""

from __future__ import annotations

import json
from itertools import chain, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.design.lock import lock_text, read_lock
from fabric.design.members import read_members, write_members
from fabric.model.addressing import Lock, LockRow
from fabric.model.finding import ProblemError

LOCK = Lock(
    "train64",
    (
        LockRow("asn", "/top", 0, 1, ("/top",)),
        LockRow("link", "leaf-2", 0, 4, ("spine-0", "spine-1", "spine-2", "spine-1:2")),
        LockRow("link", "leaf-10", 4, 4, ("spine-0", "", "spine-2")),
        LockRow("port", "leaf-0 down", 0, 8),
    ),
    (("asn", "4200000000"), ("link", "10.254.0.0/16")),
)

TEXT = """{
  "lock": "roce-fabric",
  "schema": 1,
  "fabric": "train64",
  "pools": {"asn": "4200000000", "link": "10.254.0.0/16"},
  "rows": [
    ["asn", "/top", 0, 1, "/top"],
    ["link", "leaf-2", 0, 4, "spine-[0-2] spine-1:2"],
    ["link", "leaf-10", 4, 4, "spine-0 * spine-2"],
    ["port", "leaf-0 down", 0, 8]
  ]
}
"""


def test_the_text_is_one_row_a_line_and_reads_back() -> None:
    assert lock_text(LOCK) == TEXT
    assert read_lock(TEXT, "x.lock.json") == LOCK
    assert read_lock(TEXT.encode(), "x.lock.json") == LOCK


def test_the_order_in_memory_does_not_show() -> None:
    shuffled = Lock(LOCK.fabric, LOCK.rows[::-1], LOCK.pools[::-1])
    assert lock_text(shuffled) == TEXT


def test_an_empty_lock_reads_back() -> None:
    assert read_lock(lock_text(Lock("a")), "x") == Lock("a")


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ((), ""),
        (("a",), "a"),
        (("leaf-8", "leaf-9", "leaf-10"), "leaf-[8-10]"),
        (("gpu-008", "gpu-009", "gpu-010"), "gpu-[008-010]"),
        (("n08", "n9"), "n08 n9"),
        (("edge-0-1", "edge-0-2"), "edge-0-[1-2]"),
        (("edge-0-1", "edge-1-1"), "edge-[0-1]-1"),
        (("a:s0:1", "a:s1:1", "a:s2:1", "a:s2:2"), "a:s[0-2]:1 a:s2:2"),
        (("p0q0", "p0q1", "p1q1"), "p0q[0-1] p1q1"),
        (("s9", "s10", "s11", "s0"), "s[9-11] s0"),
        (("r1a", "r2a", "r3b"), "r[1-2]a r3b"),
        (("s0:2", "s1:2", "s2:3"), "s[0-1]:2 s2:3"),
        (("1/0", "1/1", "1/west"), "1/[0-1] 1/west"),
        (("s2", "s1", "s0"), "s2 s1 s0"),
        (("s0", "", "", "s1"), "s0 * * s1"),
        (("0", "1", "2"), "[0-2]"),
    ],
)
def test_members_as_ranges(members: tuple[str, ...], text: str) -> None:
    assert write_members(members) == text
    assert read_members(text, len(members)) == members


NAMES = st.one_of(
    st.just(""),
    st.from_regex(r"[a-z0-9._-]{1,6}(:[0-9]{1,2})?", fullmatch=True),
    st.builds(lambda p, n, s: f"{p}{n}{s}", st.sampled_from("ab-"), st.integers(0, 120),
              st.sampled_from(["", "x", ":2", "-0"])),
)  # fmt: skip
RUNS = st.builds(
    lambda start, length, width: [f"gpu-{n:0{width}d}" for n in range(start, start + length)],
    st.integers(0, 1200),
    st.integers(1, 30),
    st.integers(1, 4),
)


@given(st.lists(st.one_of(NAMES.map(lambda name: [name]), RUNS)))
def test_members_round_trip(runs: list[list[str]]) -> None:
    members = list(chain.from_iterable(runs))
    assert read_members(write_members(members), len(members)) == tuple(members)


ROWS = st.builds(
    lambda pool, key, start, size, members: LockRow(pool, key, start, size, tuple(members[:size])),
    st.sampled_from(["asn", "host", "link", "loopback", "port"]),
    st.text(st.characters(exclude_categories=("Cs", "No")), max_size=8),
    st.integers(0, 10**7),
    st.integers(1, 8),
    st.lists(NAMES, max_size=8),
)


@given(st.text(max_size=10), st.lists(ROWS, max_size=20))
def test_any_lock_round_trips_to_the_same_bytes(fabric: str, rows: list[LockRow]) -> None:
    text = lock_text(Lock(fabric, tuple(rows), (("link", "10.0.0.0/8"),)))
    assert text.endswith("\n")
    assert lock_text(read_lock(text, "x")) == text
    starts = [(row.pool, row.start) for row in read_lock(text, "x").rows]
    assert all(one <= two for one, two in pairwise(starts))


def _with(**changes: object) -> str:
    return json.dumps({**json.loads(TEXT), **changes})


SPOILT: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", "is not JSON"),
    "cut off": (TEXT[:60], "is not JSON"),
    "binary": (b"\xff\xfe\x00", "not UTF-8"),
    "merge": (TEXT.replace("{\n", "{\n<<<<<<< HEAD\n", 1), "merge conflicts"),
    "deep": ("[" * 100_000, "is not JSON"),
    "list": ("[]", "not a lock of this program"),
    "foreign": ('{"lock": "npm", "schema": 1}', "not a lock of this program"),
    "number": ("1", "not a lock of this program"),
    "newer": (_with(schema=2), "newer program (schema 2, this one reads 1)"),
    "schema 0": (_with(schema=0), "schema is 0"),
    "schema true": (_with(schema=True), "schema is True"),
    "schema text": (_with(schema="1"), "schema is '1'"),
    "extra key": (_with(time="now"), "wrong or missing keys: time"),
    "missing key": ('{"lock": "roce-fabric", "schema": 1}', "missing keys: fabric, pools, rows"),
    "twice": (TEXT.replace('"schema": 1,', '"schema": 1,\n  "schema": 1,'), "a key twice"),
    "fabric": (_with(fabric=3), "fabric must be a text"),
    "pools": (_with(pools={"link": 3}), "pools must give a text"),
    "rows": (_with(rows={}), "rows a list"),
    "row": (_with(rows=[["link", "a", 0]]), "row 1 is not [pool"),
    "row types": (_with(rows=[["link", "a", "0", 1]]), "row 1 is not two texts"),
    "row float": (_with(rows=[["link", "a", 0.5, 1]]), "row 1 is not two texts"),
    "row bool": (_with(rows=[["link", "a", 0, True]]), "row 1 is not two texts"),
    "negative": (_with(rows=[["link", "a", -1, 1]]), "row 1 starts at -1"),
    "no place": (_with(rows=[["link", "a", 0, 0]]), "has 0 places"),
    "crowd": (_with(rows=[["link", "a", 0, 1, "a b"]]), "row 1: more names"),
    "range crowd": (_with(rows=[["link", "a", 0, 2, "a[0-9999999999]"]]), "no range that fits"),
    "huge crowd": (
        _with(rows=[["link", "a", 0, 10**12, "a[0-99999999999]"]]),
        "no range that fits",
    ),
    "backwards": (_with(rows=[["link", "a", 0, 9, "a[5-1]"]]), "no range that fits"),
    "bracket": (_with(rows=[["link", "a", 0, 9, "a[5"]]), "neither a name nor a range"),
}


@pytest.mark.parametrize("case", SPOILT)
def test_a_spoilt_lock_is_one_problem_that_names_the_file(case: str) -> None:
    text, message = SPOILT[case]
    with pytest.raises(ProblemError) as caught:
        read_lock(text, "my.lock.json")
    (problem,) = caught.value.problems
    assert problem.rule == "RCE206"
    assert problem.message.startswith("my.lock.json: ")
    assert message in problem.message
    assert problem.fix
