"""The whole: profiles, who has which, fits, notes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.catalog import switch_model
from fabric.design.lossless import derive
from fabric.design.lossless.notes import sonic_watchdog_factor
from fabric.design.lossless.profiles import lanes_of
from fabric.model.intent import DeviceHardware, Hardware
from fabric.model.qos import ClassMap
from tests.samples import (
    sample_class_map,
    sample_intent,
    sample_sn3700,
    sample_spec,
    sample_topology,
    with_roce,
)

if TYPE_CHECKING:
    from fabric.model.intent import Intent
    from fabric.model.platform import PlatformSpec


def on(intent: Intent, model: str, spec: PlatformSpec | None = None) -> Intent:
    """The intent with other switches."""
    return replace(
        intent, hardware=Hardware(DeviceHardware(spec or sample_spec(), switch_model(model)))
    )


def test_profiles_by_role_speed_and_length() -> None:
    got = derive(sample_topology(), sample_intent())
    assert [(p.name, p.in_use) for p in got.profiles] == [
        ("leaf-100G-5m", True),
        ("leaf-100G-40m", True),
        ("spine-100G-40m", True),
        ("spine-100G-5m", False),  # unused ports alone, with the default cable
    ]
    leaf = got.profile_at("leaf-0", "Ethernet8")
    assert leaf is not None
    assert (leaf.name, leaf.cable_m, leaf.xoff_bytes.value) == ("leaf-100G-40m", 40.0, 44_032)
    assert leaf.floor_bytes == 14_266  # 9,216 + 2·40·1.25e10/1.98e8
    assert got.profile_at("gpu-0", "rdma0") is None


def test_every_port_has_a_profile_and_only_cabled_ones_count() -> None:
    got = derive(sample_topology(), sample_intent())
    assert len(got.ports) == 4 * 32
    fits = {fit.device: fit for fit in got.fits}
    assert fits["leaf-0"].need_bytes == 2 * 33_792 + 2 * 44_032
    assert fits["spine-0"].need_bytes == 2 * 44_032
    assert {fit.verdict for fit in got.fits} == {"ok"}


def test_two_lossless_priorities_need_twice_as_much() -> None:
    classes = sample_class_map().classes
    more = replace(classes[0], name="storage", priority=4, priority_group=4, lossless=True)
    rest = replace(classes[0], dscps=())
    intent = with_roce(sample_intent(), class_map=ClassMap((rest, *classes[1:], more)))
    got = derive(sample_topology(), intent)
    assert got.fits[0].need_bytes == 2 * (2 * 33_792 + 2 * 44_032)


def test_congested_ports_are_those_with_a_cable() -> None:
    got = derive(sample_topology(leaves=2, spines=2, per_leaf=6), sample_intent())
    assert {p.role: p.ecn.congested_ports for p in got.profiles} == {"leaf": 8, "spine": 2}


def test_namesakes_on_other_hardware_are_told_apart() -> None:
    other = DeviceHardware(sample_spec(), switch_model("nvidia-sn4700"))
    base = sample_intent()
    intent = replace(base, hardware=replace(base.hardware, devices=(("leaf-1", other),)))
    got = derive(sample_topology(), intent)
    names = [p.name for p in got.profiles if p.in_use]
    assert "leaf-100G-5m-nvidia-sn3700-ACS-MSN3700" in names
    assert "leaf-100G-5m-nvidia-sn4700-ACS-MSN4700" in names
    assert len(set(names)) == len(names)
    assert {p.asic for p in got.profiles} == {"spectrum-2", "spectrum-3"}


def test_own_xoff_goes_to_every_port() -> None:
    got = derive(sample_topology(), with_roce(sample_intent(), xoff_bytes=50_000))
    assert {p.xoff_bytes.value for p in got.profiles} == {50_000}
    assert {p.published for p in got.profiles} == {False}


def test_generic_model_is_an_estimate_and_says_so() -> None:
    got = derive(sample_topology(), on(sample_intent(), "generic"))
    assert got.profiles[0].xoff_bytes.value == 44_404
    text = "\n".join(got.notes)
    assert "generic estimate" in text
    assert "not a lower bound" in text
    assert "ECN not clamped below PFC" in text
    assert {fit.verdict for fit in got.fits} == {"unknown"}


def test_t1_table_above_the_leaves() -> None:
    got = derive(sample_topology(), on(sample_intent(), "nvidia-sn3700"))
    pools = {fit.device: fit.pool_bytes for fit in got.fits}
    assert (pools["leaf-0"], pools["spine-0"]) == (14_542_848, 11_622_400)


def test_a_system_without_pfc_has_no_profiles() -> None:
    spec = sample_spec("frr", lossless=False)
    got = derive(sample_topology(), on(sample_intent(), "nvidia-sn3700", spec))
    assert (got.profiles, got.ports, got.fits) == ((), (), ())
    assert got.notes[-1].startswith("leaf-0 … spine-1 (4 switches): frr has no lossless function")


def test_cnp_note_says_capped_or_uncapped() -> None:
    capped = derive(sample_topology(), sample_intent()).notes
    assert "cnp: strict priority in queue 6, capped at 10 % of line rate" in capped
    spec = sample_spec()
    spec = replace(spec, capabilities=replace(spec.capabilities, rate_cap=False))
    bare = derive(sample_topology(), on(sample_intent(), "nvidia-sn3700", spec)).notes
    assert (
        "cnp: strict priority in queue 6, uncapped: sonic has no confirmed cap for a strict queue"
        in bare
    )


def test_watchdog_notes() -> None:
    notes = derive(sample_topology(), sample_intent()).notes
    assert any("at most 335.5 µs at 100G: 200 ms span 596 of them" in note for note in notes)
    off = replace(sample_intent().roce.watchdog, enabled=False)
    silent = derive(sample_topology(), with_roce(sample_intent(), watchdog=off)).notes
    assert any(note.startswith("PFC watchdog off") for note in silent)


def test_sonic_multiplies_its_default_times() -> None:
    assert [sonic_watchdog_factor(n) for n in (1, 32, 33, 64, 512)] == [1, 1, 2, 2, 16]


def test_lanes_by_mode_and_by_share() -> None:
    port = sample_topology().switch("leaf-0").ports[0]
    model = sample_sn3700()
    assert lanes_of(port, model) == 4
    unknown = replace(port, lane_numbers=())
    assert lanes_of(replace(unknown, breakout="2x100G[50G,25G,10G,1G]", children=2), model) == 2
    assert lanes_of(replace(unknown, breakout=None, children=4), model) == 1
    assert lanes_of(replace(unknown, cage=99), model) is None


def test_the_same_input_gives_the_same_numbers() -> None:
    assert derive(sample_topology(), sample_intent()) == derive(sample_topology(), sample_intent())
