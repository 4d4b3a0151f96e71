"""The page qos.md."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.model.intent import Hardware
from fabric.model.qos import Lossless, tos_byte
from fabric.report.qos import qos_page
from fabric.report.qos_text import cable_text, dscp_ranges, table
from tests.design.hosts.made import Wanted, made_design
from tests.platforms.models import Case, design
from tests.samples import sample_spec


def _cells(page: str, first: str) -> list[str]:
    line = next(x for x in page.splitlines() if x.startswith(f"| {first} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


@pytest.mark.parametrize(
    ("dscp", "ecn", "byte"),
    # RFC 2474 and 3168; 26, 48 and 46 as the host reference spells them.
    [
        (26, 0, 104),
        (26, 1, 105),
        (26, 2, 106),
        (48, 0, 192),
        (46, 0, 184),
        (10, 1, 41),
        (63, 3, 255),
    ],
)
def test_whole_byte(dscp: int, ecn: int, byte: int) -> None:
    assert tos_byte(dscp, ecn) == byte


def test_four_spellings() -> None:
    page = qos_page(made_design(Wanted()))
    assert _cells(page, "RoCE") == ["RoCE", "26", "104 (0x68)", "106 (0x6a)", "3", "104"]
    assert _cells(page, "CNP") == ["CNP", "48", "192 (0xc0)", "", "6", "the NIC's own"]
    assert "26 written there would be DSCP 6." in page


@given(st.integers(0, 63))
def test_spellings_follow_the_dscp(dscp: int) -> None:
    design = made_design(Wanted())
    intent = replace(design.intent, roce=replace(design.intent.roce, dscp=dscp))
    cells = _cells(qos_page(replace(design, intent=intent)), "RoCE")
    assert int(cells[1]) == dscp
    assert int(cells[5]) == int(cells[2].split()[0]) == dscp << 2
    assert int(cells[3].split()[0]) == (dscp << 2) + 2
    assert int(cells[2].split()[1].strip("()"), 16) == dscp << 2


@pytest.mark.parametrize(
    ("wanted", "used", "other"),
    [
        (Wanted(), "IPv4 (this fabric)", "IPv6"),
        (Wanted(v4=False, v6=True), "IPv6 (this fabric)", "IPv4"),
    ],
)
def test_efficiency_of_either_family(wanted: Wanted, used: str, other: str) -> None:
    page = qos_page(made_design(wanted))
    rows = {"IPv4": ("82 B", "0.9804", "98.0 of 100G"), "IPv6": ("102 B", "0.9757", "97.6 of 100G")}
    for name in (used, other):
        assert tuple(_cells(page, name)[2:5]) == rows[name.partition(" ")[0]]


def test_the_family_of_the_gids_is_said() -> None:
    assert _cells(qos_page(made_design(Wanted(v4=False, v6=True))), "GID")[1] == (
        "RoCE v2, IPv6 address of this fabric, never link-local; no fixed index"
    )
    both = made_design(Wanted(v6=True))
    assert "IPv4 address of this fabric" in _cells(qos_page(both), "GID")[1]


def test_classes_of_all_dscps() -> None:
    page = qos_page(made_design(Wanted()))
    assert _cells(page, "default") == [
        "default",
        "0-25, 27-47, 49-55, 57-63",
        *("0", "0", "0", "0"),
        "lossy",
        "dwrr",
        "weight 50, at least 50 %",
    ]
    assert _cells(page, "roce")[1:7] == ["26", "3", "3", "3", "3", "lossless"]
    assert _cells(page, "cnp")[7:] == ["strict", "at most 10 % of line rate"]
    assert _cells(page, "control")[7:] == ["strict", "uncapped"]


def test_pause_watchdog_mtu() -> None:
    page = qos_page(made_design(Wanted()))
    assert "- PFC priorities: 3, at both ends" in page
    assert "polls every 100 ms, acts after 200 ms of pause, restores after 400 ms" in page
    assert "- MTU: switches 9216, hosts 9000, RDMA path 4096." in page


def test_profiles_with_basis_and_source() -> None:
    page = qos_page(made_design(Wanted()))
    lines = [x for x in page.splitlines() if x.startswith("| leaf-100-5 |")]
    assert lines[0] == (
        "| leaf-100-5 | spectrum-2 | 100G | 4.5 m, counted as 5 m | 4 | 33,792 B | 19,456 B "
        "| 19,456 B | 2^0 | published row |"
    )
    assert lines[1] == "| leaf-100-5 | 400,000 B | 1,600,000 B | 5 % | formula | formula |"
    assert "- ACS-MSN3700 row 100000 5m: leaf-100-5" in page
    assert _cells(page, "2 leaf (leaf-0 … leaf-1)")[1:] == [
        "202,752 B",
        "not known",
        "14,542,848 B",
        "34,287,552 B",
        "ok",
    ]


def test_a_length_that_counts_as_it_is_stands_alone() -> None:
    (profile, *_) = made_design(Wanted()).lossless.profiles
    assert cable_text(replace(profile, cable_m=3.0, configured_cable_m=3)) == "3 m"
    assert cable_text(replace(profile, cable_m=3.0, configured_cable_m=5)) == "3 m, counted as 5 m"


def test_hosts_preset_dcbx_and_notes() -> None:
    env = (("NCCL_IB_TIMEOUT", "22"),)
    page = qos_page(made_design(Wanted(group=(("env", env),))))
    assert (
        "Preset `nvidia`, everything that it stands for is below. Source:\n\nlinux-host ref" in page
    )
    assert _cells(page, "PFC by priority, 0 to 7")[1] == "0,0,0,1,0,0,0,0"
    assert _cells(page, "traffic class of RDMA-CM, NCCL, UCX, NVSHMEM")[1] == "104"
    assert "- `NCCL_IB_TIMEOUT=22` on the hosts of group hosts" in page
    assert "## DCBX\n\nNobody negotiates." in page
    assert "- a note of the stage" in page
    assert "- Round-trip time for marking: 20 µs." in page


def test_a_system_that_cannot_cap_or_pause_is_named() -> None:
    design = made_design(Wanted())
    plain = replace(design.intent.hardware.default, platform=sample_spec("frr", lossless=False))
    intent = replace(design.intent, hardware=Hardware(plain))
    lossless = design.lossless
    empty = Lossless(lossless.class_map, (), (), (), replace(lossless.watchdog, enabled=False))
    page = qos_page(replace(design, intent=intent, lossless=empty))
    assert "- Not on frr: it has no PFC." in page
    assert "- Not on frr: it has no watchdog." in page
    assert "Strict queues are uncapped on frr" in page
    assert "No switch of this fabric has PFC: nothing is lossless." in page
    assert "- PFC watchdog: off." in page
    assert "- PFC priorities: 3, on the hosts alone;" in page


def test_the_same_design_gives_the_same_bytes() -> None:
    design = made_design(Wanted())
    page = qos_page(design)
    assert page == qos_page(design)
    assert page.endswith("\n")
    assert not page.endswith("\n\n")
    assert not any(line != line.rstrip() for line in page.splitlines())


@given(st.sets(st.integers(0, 63)))
def test_ranges_hold_every_dscp(dscps: set[int]) -> None:
    text = dscp_ranges(dscps)
    parts = [] if text == "none" else text.split(", ")
    ends = [[int(n) for n in part.split("-")] for part in parts]
    assert {n for end in ends for n in range(end[0], end[-1] + 1)} == dscps


def test_bars_are_escaped() -> None:
    assert table(("a",), [("x|y",)])[2] == "| x\\|y |"


def test_where_roce_rises_stands_on_the_page() -> None:
    page = qos_page(design(Case(rise=True)))
    assert "## RoCE rises on global cables" in page
    assert _cells(page, "roce-raised")[:6] == ["roce-raised", "34", "4", "4", "4", "4"]
    raised = page[page.index("## RoCE rises") : page.index("## Pause")]
    rows = {name: _cells(raised, name) for name in ("default", "roce", "roce-raised", "cnp")}
    assert rows["roce"] == ["roce", "26", "3", "4", "34", "roce-raised", "obeys priority 4"]
    assert rows["roce-raised"] == ["roce-raised", "34", "4", "0", "0", "default", "never paused"]
    assert rows["cnp"] == ["cnp", "48", "6", "6", "48", "cnp", "never paused"]
    assert rows["default"] == ["default", "60 of them", "0", "0", "0", "default", "never paused"]
    assert "PFC priorities: 3, 4, at both ends of every cable" in page
    assert "| priority of roce-raised (received alone) | DSCP 34 is priority 4 |" in page
    assert "| PFC by priority, 0 to 7 | 0,0,0,1,1,0,0,0 |" in page
    assert "RCE331" in raised


def test_without_a_rise_the_page_does_not_speak_of_it() -> None:
    page = qos_page(design(Case()))
    assert "rises" not in page
    assert "The map is bound on every port of every switch; nothing uses" in page


def test_without_pfc_nothing_rises() -> None:
    made = design(Case(rise=True))
    bare = replace(made, lossless=replace(made.lossless, profiles=(), ports=(), fits=()))
    page = qos_page(bare)
    assert "no switch of this fabric has lossless classes" in page
    assert "DSCP on the wire" not in page
