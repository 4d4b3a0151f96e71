"""Nothing that can stand in a file makes the reader raise anything but its own error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabric import flow
from fabric.inventory import read
from fabric.model.finding import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.finding import Finding

GOOD: dict[str, Any] = {
    "fabric": "t",
    "topology": {
        "kind": "explicit",
        "switches": [{"name": "l0", "endpoints": 4}, {"name": "s0", "tier": 1, "asn": 65001}],
        "cables": [{"a": "l0", "b": "s0", "count": 2, "speed": 400, "length": 3}],
    },
    "platforms": {
        "default": {"platform": "sonic", "model": "nvidia-sn3700"},
        "l[0-0]": {"extra": "x"},
    },
    "hosts": {"names": "gpu-[0-3]", "nics": 1, "nic": "connectx-7", "speed": 200, "rails": [0]},
    "roce": {
        "preset": "nvidia",
        "dscp": 26,
        "classes": [{"name": "bulk", "dscp": [8], "priority": 1}],
        "ecn": {"kmin_bytes": 1000, "kmax_bytes": 2000},
        "pfc": {"priorities": [3]},
        "mtu": {"host": 9000},
        "watchdog": {"poll_ms": 100},
    },
    "cables": {"default": 5, "leaf-spine": 3.5},
    "addressing": {
        "pools": {"hosts": "10.0.0.0/12"},
        "asn": {"base": 65000},
        "bgp": {"bfd": False},
    },
    "management": {"addresses": {"l0": "192.0.2.1/24"}},
    "connection": {"user": "admin"},
    "racks": {"l0": "r1"},
    "suppress": [{"rule": "RCE302", "reason": "known", "expires": "2027-01-31"}],
}
QUIET = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])

_odd = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=12),
    st.sampled_from(["", "x[1-", "10.0.0.0/8", "NO", "010", "leaf-spine", "../x", "\u2028", "{n}"]),
    st.just([]),
    st.just({}),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=4), st.integers(), max_size=2),
)


def _paths(data: object, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    )
    return [p for key, value in items for p in ((*above, key), *_paths(value, (*above, key)))]


@st.composite
def mutations(draw: st.DrawFn) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(json.dumps(GOOD))
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(_paths(GOOD)))
        holder: Any = data
        for part in path[:-1]:
            holder = holder[part] if _has(holder, part) else None
        if not _has(holder, path[-1]):
            continue
        if draw(st.booleans()) and isinstance(holder, dict):
            holder[draw(st.text(max_size=6))] = holder.pop(path[-1])
        else:
            holder[path[-1]] = draw(_odd)
    return data


def _has(holder: object, part: Any) -> bool:
    if isinstance(holder, dict):
        return part in holder
    return isinstance(holder, list) and isinstance(part, int) and part < len(holder)


def _read(folder: Path, content: bytes) -> None:
    path = folder / "inv.yaml"
    path.write_bytes(content)
    found: tuple[Finding, ...] | None = None
    try:
        flow.derive(path)  # also what the design says about a draft
    except InputError as error:
        found = error.findings
    assert found is None or found
    for finding in found or ():
        assert finding.location is not None
        assert finding.message
        assert "\n" not in finding.message


def test_the_good_one_is_good(tmp_path: Path) -> None:
    path = tmp_path / "inv.yaml"
    path.write_text(json.dumps(GOOD), encoding="utf-8")
    assert not read(path).findings


@QUIET
@given(mutations())
def test_mutated_inventories(tmp_path: Path, data: dict[str, Any]) -> None:
    _read(tmp_path, json.dumps(data).encode())


@QUIET
@given(st.binary(max_size=120))
def test_random_bytes(tmp_path: Path, content: bytes) -> None:
    _read(tmp_path, content)


@QUIET
@given(st.data())
def test_damaged_text(tmp_path: Path, data: st.DataObject) -> None:
    text = bytearray(json.dumps(GOOD, indent=1).encode())
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    _read(tmp_path, bytes(text))


@QUIET
@given(st.binary(max_size=120))
def test_random_facts_and_cable_lists(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "facts").mkdir(exist_ok=True)
    (tmp_path / "facts" / "l0.json").write_bytes(content)
    (tmp_path / "c.csv").write_bytes(content)
    topology = {**GOOD["topology"], "cables_csv": "c.csv"}
    _read(tmp_path, json.dumps({**GOOD, "topology": topology}).encode())
