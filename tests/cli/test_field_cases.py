"""Design-time field cases: what people write, and what they must be told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

HEAD = "fabric: t\ntopology: {kind: leaf-spine, leaves: 2, spines: 2}\n"
SN5600 = "platforms: {default: {model: nvidia-sn5600}}\n"
SN3700 = "platforms: {default: {model: nvidia-sn3700}}\nlinks: {speed: 200}\n"

# case: inventory, exit code, words that must stand in the findings
CASES = {
    "FC-01, stock map": (
        HEAD + "roce: {dscp: 46, priority: 3, cnp_dscp: 48, cnp_priority: 6}\n",
        0,
        ("RCE307", "46", "TC 5"),
    ),
    "FC-07, everything paused": (
        HEAD + "roce: {pfc: {priorities: [0, 1, 2, 3, 4, 5, 6, 7]}}\n",
        2,
        ("priorities", "CNP", "6", "headroom"),
    ),
    "FC-13, host MTU": (
        HEAD + "roce: {mtu: {host: 9216, switch: 9100}}\n",
        2,
        ("hosts", "9216", "9100"),
    ),
    "FC-33 a, Kmin above the pause threshold": (
        HEAD + SN3700 + "hosts: {count: 4, nic: connectx-6, speed: 200}\n"
        "roce: {dynamic_th: -3, ecn: {kmin_bytes: 1230000, kmax_bytes: 1280000}}\n",
        0,
        ("RCE406", "PFC acts before ECN"),
    ),
    "FC-33 b, upside down": (
        HEAD + "roce: {ecn: {kmin_bytes: 800000, kmax_bytes: 400000}}\n",
        2,
        ("kmin", "kmax", "800,000", "400,000"),
    ),
    "FC-41, pool too small": (
        HEAD.replace("2", "16") + "addressing: {pools: {links: 10.254.0.0/24}}\n",
        2,
        ("128", "256", "/23"),
    ),
    "FC-53 a, ports": (
        HEAD.replace("spines: 2", "spines: 32")
        + SN5600
        + "links: {speed: 800}\nhosts: {per_leaf: 40, speed: 800, name: 'g{n}'}\n",
        2,
        ("40×800G down + 32×800G up = 72, has 64",),
    ),
    "FC-65, base 60 where a number belongs": (
        HEAD + "hosts: {count: 4, speed: 1:40}\n",
        2,
        ("RCE003", "hosts.speed", "1:40", "100", "quotes"),
    ),
    "FC-67, duplicate key": (
        HEAD + "platforms:\n  leaf-0: {model: generic}\n  leaf-0: {model: nvidia-sn3700}\n",
        2,
        ("leaf-0", "line 4", "line 5"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_must_be_said(fabric: Shell, case: str) -> None:
    text, code, words = CASES[case]
    fabric.write("t.yaml", text)
    done = fabric("plan", "t.yaml")
    said = " ".join((done.out + done.err).split())
    assert done.code == code, said
    assert [word for word in words if word not in said] == []
    assert (fabric.folder / "build").exists() is (code == 0)


def test_fc_65_where_text_belongs_it_stays_text(fabric: Shell) -> None:
    fabric.write("t.yaml", HEAD + "racks: {leaf-0: 52:54:00:12:34:56}\n")
    assert fabric("plan", "t.yaml").code == 0
    assert "leaf-0,52:54:00:12:34:56," in (fabric.folder / "build/t/cables.csv").read_text()


def test_fc_33_c_is_clean(fabric: Shell) -> None:
    ecn = "roce: {ecn: {kmin_bytes: 400000, kmax_bytes: 900000, pmax_percent: 20}}\n"
    fabric.write("t.yaml", HEAD + SN5600 + ecn)
    found = fabric("check", "t.yaml", "--json").json["findings"]
    assert [f["rule"] for f in found if f["severity"] != "info"] == []
