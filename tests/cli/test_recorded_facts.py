"""What was recorded from the box decides over what is published for its model."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from fabric.flow import load
from fabric.model.finding import InputError
from tests.cli.conftest import SMALL

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.design import Design
    from tests.cli.conftest import Shell

GENERIC = SMALL.replace("nvidia-sn3700", "generic")
BUFFERS: dict[str, Any] = {
    "BUFFER_POOL": {
        "ingress_lossless_pool": {
            "type": "ingress",
            "mode": "dynamic",
            "size": "32000000",
            "xoff": "9000000",
        },
        "egress_lossless_pool": {"type": "egress", "mode": "static", "size": "33000000"},
    },
    "BUFFER_PROFILE": {
        "ingress_lossy_profile": {
            "pool": "ingress_lossless_pool",
            "size": "0",
            "static_th": "33000000",
        },
        "egress_lossless_profile": {
            "pool": "egress_lossless_pool",
            "size": "0",
            "static_th": "33000000",
        },
        "egress_lossy_profile": {"pool": "egress_lossless_pool", "size": "0", "dynamic_th": "2"},
        "pg_lossless_100000_5m_profile": {
            "pool": "ingress_lossless_pool",
            "size": "4608",
            "xon": "4608",
            "xoff": "160000",
            "xon_offset": "4608",
            "dynamic_th": "0",
        },
    },
}


def design(tmp_path: Path, text: str, **facts: object) -> Design:
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts" / "leaf-0.json").write_text(json.dumps(facts))
    path = tmp_path / "small.yaml"
    path.write_text(text)
    return load(path)


def said(tmp_path: Path, text: str, **facts: object) -> list[str]:
    with pytest.raises(InputError) as caught:
        design(tmp_path, text, **facts)
    return [f"{f.location}: {f.message}" for f in caught.value.findings]


def test_recorded_rows_and_pools_are_used(tmp_path: Path) -> None:
    made = design(tmp_path, GENERIC, buffers=BUFFERS)
    mine = made.lossless.profile_at("leaf-0", "Ethernet0")
    other = made.lossless.profile_at("leaf-1", "Ethernet0")
    assert mine is not None
    assert other is not None
    assert (mine.xoff_bytes.value, mine.xoff_bytes.basis) == (160_000, "recorded row")
    assert mine.xoff_bytes.source == "recorded from the box, facts/leaf-0.json"
    assert (mine.size_bytes.value, mine.xon_bytes.value, mine.xon_offset_bytes) == (
        4_608,
        4_608,
        4_608,
    )
    assert other.xoff_bytes.value == 44_404  # generic estimate, 100G, 5 m
    fits = {fit.device: fit for fit in made.lossless.fits}
    assert fits["leaf-0"].headroom_pool_bytes == 9_000_000
    assert fits["leaf-0"].need_bytes == 4 * 160_000
    assert fits["leaf-1"].headroom_pool_bytes is None


def test_recorded_buffers_reach_the_config(fabric: Shell) -> None:
    fabric.write("small.yaml", GENERIC)
    facts = fabric.folder / "facts"
    facts.mkdir()
    lanes = {f"Ethernet{8 * n}": [8 * n + k for k in range(4)] for n in range(64)}
    (facts / "leaf-0.json").write_text(json.dumps({"buffers": BUFFERS, "lanes": lanes}))
    assert fabric("plan", "small.yaml").code == 0
    config = json.loads(
        (fabric.folder / "build/small/configs/leaf-0/config_db.json").read_text(encoding="utf-8")
    )
    assert config["BUFFER_POOL"] == BUFFERS["BUFFER_POOL"]
    rows = BUFFERS["BUFFER_PROFILE"]
    assert (
        config["BUFFER_PROFILE"]["pg_lossless_100000_5m_profile"]
        == rows["pg_lossless_100000_5m_profile"]
    )
    assert config["BUFFER_PG"]["Ethernet0|3"] == {"profile": "pg_lossless_100000_5m_profile"}
    without = fabric.folder / "build/small/configs/leaf-1/config_db.json"
    assert "BUFFER_POOL" not in json.loads(without.read_text(encoding="utf-8"))


def test_pools_without_the_chips_xon_are_not_rendered(fabric: Shell) -> None:
    fabric.write("small.yaml", GENERIC)
    facts = fabric.folder / "facts"
    facts.mkdir()
    profiles = {k: v for k, v in BUFFERS["BUFFER_PROFILE"].items() if "pg_" not in k}
    pools_only = {**BUFFERS, "BUFFER_PROFILE": profiles}
    (facts / "leaf-0.json").write_text(json.dumps({"buffers": pools_only}))
    assert fabric("plan", "small.yaml").code == 0
    config = fabric.folder / "build/small/configs/leaf-0/config_db.json"
    assert "BUFFER_POOL" not in json.loads(config.read_text(encoding="utf-8"))


def test_the_recorded_sku_decides(tmp_path: Path) -> None:
    made = design(tmp_path, SMALL, hwsku="Site-Special")
    fits = {fit.device: fit for fit in made.lossless.fits}
    assert fits["leaf-0"].pool_bytes is None, "nothing is published for that SKU"
    assert fits["leaf-1"].pool_bytes == 14_542_848
    hardware = made.intent.hardware.of("leaf-0", "leaf")
    assert hardware.sku == "Site-Special"


def test_a_written_sku_that_contradicts_the_box(tmp_path: Path) -> None:
    text = SMALL.replace("model: nvidia-sn3700", "model: nvidia-sn3700, sku: ACS-MSN3700")
    (message,) = said(tmp_path, text, hwsku="Site-Special")
    assert "leaf-0 is written with SKU ACS-MSN3700; its recorded facts say Site-Special" in message


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"BUFFER_POOL": []}, "BUFFER_POOL must be rows by name, as in CONFIG_DB"),
        (
            {"BUFFER_POOL": {"p": {"type": "sideways", "mode": "dynamic", "size": "1"}}},
            "type must be one of ingress, egress, both",
        ),
        (
            {"BUFFER_POOL": {"p": {"type": "ingress", "mode": "dynamic", "size": "10 MB"}}},
            "size must be a whole number of bytes",
        ),
    ],
)
def test_wrong_rows_are_named(tmp_path: Path, change: dict[str, Any], expected: str) -> None:
    messages = said(tmp_path, SMALL, buffers={**BUFFERS, **change})
    assert any(message.endswith(expected) and "leaf-0.json:1:" in message for message in messages)


def test_a_profile_of_no_pool(tmp_path: Path) -> None:
    profiles = {"x": {"pool": "puddle", "size": "0"}}
    messages = said(tmp_path, SMALL, buffers={**BUFFERS, "BUFFER_PROFILE": profiles})
    assert [m for m in messages if m.endswith("there is no pool puddle")]
