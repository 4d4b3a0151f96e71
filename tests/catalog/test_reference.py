"""The whole of every shipped switch against the collected facts, where they lie at hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from fabric import catalog
from tests.catalog.ports import PortRow, sku_ports

if TYPE_CHECKING:
    from fabric.model.hardware import BufferProfile

REFERENCE = Path(__file__).resolve().parents[3] / "shared/reference/hardware"
SWITCHES = [name for name in catalog.switch_names() if name != "generic"]

pytestmark = pytest.mark.skipif(
    not REFERENCE.is_dir(), reason="the collected hardware facts do not lie beside this checkout"
)


def sonic(name: str) -> dict[str, Any]:
    text = (REFERENCE / f"switches/{name}.yaml").read_bytes()
    data: dict[str, Any] = yaml.safe_load(text)["sonic"]
    return data


@pytest.mark.parametrize("name", SWITCHES)
def test_headroom(name: str) -> None:
    facts = sonic(name)
    skus = catalog.switch_model(name).skus
    assert [sku.name for sku in skus] == list(facts["hwskus"])
    for sku in skus:
        rows = facts["headroom_tables"][facts["hwskus"][sku.name]["headroom"]]
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
    keys = {"dynamic_th": profile.dynamic_th, "static_th": profile.static_th_bytes}
    stated = {key: value for key, value in keys.items() if value is not None}
    return {"pool": profile.pool, "size": profile.size_bytes, **stated}


@pytest.mark.parametrize("name", SWITCHES)
def test_buffers(name: str) -> None:
    facts = sonic(name)
    for sku in catalog.switch_model(name).skus:
        places = facts["hwskus"][sku.name]["buffers"]
        assert [buffers.place for buffers in sku.buffers] == list(places)
        for buffers in sku.buffers:
            stated = facts["buffer_tables"][places[buffers.place]]
            pools = {
                pool.name: {"size": pool.size_bytes, "type": pool.direction, "mode": pool.mode}
                | ({} if pool.xoff_bytes is None else {"xoff": pool.xoff_bytes})
                for pool in buffers.pools
            }
            profiles = {
                profile.name: {"pool": profile.pool, "size": profile.size_bytes}
                | ({} if profile.dynamic_th is None else {"dynamic_th": profile.dynamic_th})
                | (
                    {}
                    if profile.static_th_bytes is None
                    else {"static_th": profile.static_th_bytes}
                )
                for profile in buffers.profiles
            }
            assert pools == stated["pools"]
            assert profiles == stated["profiles"]


def reference_rows(run: dict[str, Any]) -> list[PortRow]:
    first, last, *step = run["cages"]
    rows = []
    for index, cage in enumerate(range(first, last + 1, step[0] if step else 1)):
        if "lane0_list" in run:
            lane = run["lane0_list"][index]
        else:
            lane = run["lane0"][0] + index * run["lane0"][1]
        for child in range(run["split"]):
            start = lane + child * run["lanes"]
            rows.append(
                PortRow(
                    run["eth"][0] + index * run["eth"][1] + child * run["eth"][2],
                    run["alias"].format(c=cage, n=child + 1, s="abcdefgh"[child]),
                    cage,
                    run["speed"],
                    tuple(range(start, start + run["lanes"])),
                )
            )
    return rows


@pytest.mark.parametrize("name", SWITCHES)
def test_ports(name: str) -> None:
    facts = sonic(name)
    model = catalog.switch_model(name)
    for sku in model.skus:
        stated = facts["hwskus"][sku.name]
        expected = [row for run in stated["ports"] for row in reference_rows(run)]
        assert len(expected) == stated["count"]
        assert sku_ports(model, sku) == {row.number: row for row in expected}


@pytest.mark.parametrize("name", SWITCHES)
def test_breakouts(name: str) -> None:
    cages = {cage.number: cage for cage in catalog.switch_model(name).cages}
    for run in sonic(name).get("breakout", []):
        first, last = run["cages"]
        for index, number in enumerate(range(first, last + 1)):
            cage = cages[number]
            start = (
                run["lane0_list"][index]
                if "lane0_list" in run
                else run["lane0"][0] + index * run["lane0"][1]
            )
            assert cage.lanes == tuple(range(start, start + run["lanes"]))
            assert cage.first_port_number == run["eth"][0] + index * run["eth"][1]
            assert {mode.text: mode.alias for mode in cage.modes} == run["modes"]
