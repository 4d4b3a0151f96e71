"""The whole of every shipped switch against the collected facts, where they lie at hand."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from fabric import catalog
from tests.catalog.ports import PortRow, sku_ports

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.hardware import BreakoutMode, BufferProfile, Cage

REFERENCE = Path(__file__).resolve().parents[3] / "shared/reference/hardware"
SWITCHES = [name for name in catalog.switch_names() if name != "generic"]

# Side cages whose lanes the public table gives to another cage too: they are not offered.
NOT_OFFERED = {
    "arista-7050cx3-32s": {34},
    "dell-s5232f": {34},
    "edgecore-as9726-32d": {33, 34},
}
PLACES = ("t0", "t1", "t2", "lt2", "ft2")
NOTHING = (None, "empty", "unrendered")  # no file, or one that holds nothing

pytestmark = pytest.mark.skipif(
    not REFERENCE.is_dir(), reason="the collected hardware facts do not lie beside this checkout"
)


@cache
def facts(name: str) -> dict[str, Any]:
    text = (REFERENCE / f"switches/{name}.yaml").read_bytes()
    data: dict[str, Any] = yaml.safe_load(text)
    return data


def sonic(name: str) -> dict[str, Any]:
    found: dict[str, Any] = facts(name).get("sonic", {"hwskus": {}})
    return found


def span(cages: list[int]) -> range:
    first, last, *step = cages
    return range(first, last + 1, step[0] if step else 1)


@pytest.mark.parametrize("name", SWITCHES)
def test_chip_and_platform(name: str) -> None:
    stated, model = facts(name), catalog.switch_model(name)
    remembered = stated.get("asic_source", {}).get("confidence") == "remembered"
    unknown = remembered or stated["asic"] == "unknown"
    assert model.asic.name == ("generic" if unknown else stated["asic"])
    if "sonic" in stated:
        assert model.sonic_platform == stated["sonic"]["platform"]


@pytest.mark.parametrize("name", SWITCHES)
def test_nothing_remembered_is_shipped(name: str) -> None:
    """Cages come from a port table, or from a source that somebody can look up."""
    stated, model = facts(name), catalog.switch_model(name)
    if "sonic" not in stated:
        for run in stated["cages"]:
            assert run["source"]["confidence"] != "remembered"
            cages = [cage for cage in model.cages if cage.number in span(run["cages"])]
            assert len(cages) == len(span(run["cages"]))
            assert {(c.speed_gbps, c.lane_count) for c in cages} == {(run["speed"], run["lanes"])}
        return
    kinds = {
        number: run["type"]
        for run in stated["cages"]
        if run["source"].get("confidence") != "remembered"
        for number in span(run["cages"])
    }
    for cage in model.cages:
        assert cage.kind in ("", kinds.get(cage.number, ""))


@pytest.mark.parametrize("name", SWITCHES)
def test_limits(name: str) -> None:
    stated, model = facts(name).get("limits", {}), catalog.switch_model(name)
    most = stated.get("max_logical_ports")
    assert model.max_logical_ports == (most if isinstance(most, int) else None)
    assert model.max_ports_per_pipeline == stated.get("max_per_pipeline")


@pytest.mark.parametrize("name", SWITCHES)
def test_headroom(name: str) -> None:
    stated = sonic(name)
    skus = catalog.switch_model(name).skus
    assert [sku.name for sku in skus] == list(stated["hwskus"])
    for sku in skus:
        table = stated["hwskus"][sku.name].get("headroom")
        rows = [] if table in NOTHING else stated["headroom_tables"][table]
        ours = {
            (
                row.speed_gbps,
                row.cable_m,
                row.size_bytes,
                row.xon_bytes,
                row.xoff_bytes,
                row.threshold,
                *(() if row.xon_offset_bytes is None else (row.xon_offset_bytes,)),
            )
            for row in sku.headroom
        }
        assert ours == {tuple(row) for row in rows}
        assert len(sku.headroom) == len(rows)


def stated_profile(profile: BufferProfile) -> dict[str, str | int]:
    figures = {
        "dynamic_th": profile.dynamic_th,
        "static_th": profile.static_th_bytes,
        "xon": profile.xon_bytes,
        "xoff": profile.xoff_bytes,
        "xon_offset": profile.xon_offset_bytes,
    }
    known = {key: value for key, value in figures.items() if value is not None}
    return {"pool": profile.pool, "size": profile.size_bytes, **known}


@pytest.mark.parametrize("name", SWITCHES)
def test_buffers(name: str) -> None:
    stated = sonic(name)
    for sku in catalog.switch_model(name).skus:
        places = {
            place: table
            for place, table in stated["hwskus"][sku.name].get("buffers", {}).items()
            if place in PLACES and table not in NOTHING
        }
        assert [buffers.place for buffers in sku.buffers] == list(places)
        for buffers in sku.buffers:
            table = stated["buffer_tables"][places[buffers.place]]
            pools = {
                pool.name: {"size": pool.size_bytes, "type": pool.direction, "mode": pool.mode}
                | ({} if pool.xoff_bytes is None else {"xoff": pool.xoff_bytes})
                for pool in buffers.pools
            }
            not_ours = ("zero_in_source", "packet_discard_action")
            assert pools == {
                key: {k: v for k, v in pool.items() if k not in not_ours}
                for key, pool in table["pools"].items()
            }
            assert {p.name: stated_profile(p) for p in buffers.profiles} == {
                key: {k: v for k, v in profile.items() if k not in (*not_ours, "mode")}
                for key, profile in table["profiles"].items()
            }


def aliases(pattern: str, cage: int, child: int, number: int) -> str:
    """``child`` from 1."""
    values = {
        "c": f"{cage}",
        "c+1": f"{cage + 1}",
        "c:02": f"{cage:02}",
        "n": f"{child}",
        "n-1": f"{child - 1}",
        "s": "abcdefgh"[child - 1],
        "e": f"{number}",
    }
    return re.sub(r"\{([^}]*)\}", lambda found: values[found[1]], pattern)


def lanes_of(run: dict[str, Any], index: int, child: int) -> tuple[int, ...]:
    if "lanes_list" in run:
        return tuple(int(lane) for lane in run["lanes_list"][index][child].split(","))
    first = (
        run["lane0_list"][index]
        if "lane0_list" in run
        else run["lane0"][0] + index * run["lane0"][1]
    )
    return tuple(range(first + child * run["lanes"], first + (child + 1) * run["lanes"]))


def reference_rows(name: str, run: dict[str, Any]) -> Iterator[PortRow]:
    for index, cage in enumerate(span(run["cages"])):
        for child in range(run["split"]):
            number = run["eth"][0] + index * run["eth"][1] + child * run["eth"][2]
            nth = child + run.get("first_child", 1)
            alias = (
                run["alias_list"][index][child]
                if "alias_list" in run
                else aliases(run["alias"], cage, nth, number)
            )
            # One public table gives etp39 the index of cage 38.
            real = 39 if name == "nvidia-sn3800" and alias == "etp39" else cage
            yield PortRow(number, alias, real, run["speed"], lanes_of(run, index, child))


def without_clashes(name: str, rows: list[PortRow]) -> list[PortRow]:
    """No cage of shared lanes; no alias that several ports have, or that no pattern gives."""
    left_out = NOT_OFFERED.get(name, set())
    often = Counter(row.alias for row in rows)
    clashing = {row.cage for row in rows if often[row.alias] > 1 or "?" in row.alias}
    clashing |= {row.cage for row in rows if row.alias == f"Ethernet{row.number}"}  # its own name
    if name == "nvidia-sn6810-ld":  # eight ports in an engine, counted through: no pattern
        clashing = set(range(1, 17))
    return [
        row._replace(alias="") if row.cage in clashing else row
        for row in rows
        if row.cage not in left_out
    ]


@pytest.mark.parametrize("name", SWITCHES)
def test_ports(name: str) -> None:
    stated = sonic(name)["hwskus"]
    model = catalog.switch_model(name)
    for sku in model.skus:
        own = stated[sku.name]
        runs = stated[own["ports_as"]]["ports"] if "ports_as" in own else own["ports"]
        rows = [row for run in runs for row in reference_rows(name, run)]
        assert len(rows) == own["count"]
        expected = without_clashes(name, rows)
        assert sku_ports(model, sku) == {row.number: row for row in expected}


@pytest.mark.parametrize("name", sorted(NOT_OFFERED))
def test_left_out_cages_are_those_that_clash(name: str) -> None:
    clashes = [
        {int(number) for number in re.findall(r"Ethernet(\d+)", text)}
        for sku in sonic(name)["hwskus"].values()
        for text in sku.get("source_lane_clashes", [])
    ]
    assert clashes
    for run in sonic(name)["hwskus"].values():
        for ports in run.get("ports", []):
            for row in reference_rows(name, ports):
                if row.cage in NOT_OFFERED[name] and "source_lane_clashes" in run:
                    assert any(row.number in clash for clash in clashes)


def same_alias(mode: BreakoutMode, cage: Cage, pattern: str) -> bool:
    if "?" in pattern or pattern == "Ethernet{e}":  # not known, or the port's own name
        return mode.alias == ""
    for child in range(1, mode.children + 1):
        number = (cage.first_port_number or 0) + (child - 1) * mode.lanes_each
        ours = aliases(mode.alias, cage.number, child, number)
        if ours != aliases(pattern, cage.number, child, number):
            return False
    return True


@pytest.mark.parametrize("name", [name for name in SWITCHES if name != "nvidia-sn6810-ld"])
def test_breakouts(name: str) -> None:
    """Except of modes with unequal ports, and of the box whose cages are optical engines."""
    cages = {cage.number: cage for cage in catalog.switch_model(name).cages}
    for run in sonic(name).get("breakout", []):
        for index, number in enumerate(span(run["cages"])):
            if number in NOT_OFFERED.get(name, set()):
                continue
            cage = cages[number]
            assert cage.lanes == lanes_of(run, index, 0)
            assert cage.first_port_number == run["eth"][0] + index * run["eth"][1]
            stated = {text: alias for text, alias in run["modes"].items() if "+" not in text}
            assert [mode.text for mode in cage.modes] == list(stated)
            assert all(same_alias(mode, cage, stated[mode.text]) for mode in cage.modes)
