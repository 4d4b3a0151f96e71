"""Presets and class maps: truth typed from the sources that the presets name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabric.inventory import preset_names
from fabric.model.finding import InputError
from tests.inventory.writing import LEAF_SPINE, reading

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.intent import RocePolicy


def policy(folder: Path, roce: str) -> RocePolicy:
    return reading(folder, f"{LEAF_SPINE}roce: {roce}\n").intent.roce


def table(roce: RocePolicy) -> dict[str, tuple[object, ...]]:
    """Class → DSCPs (None: the rest), priority, PG, lossless, scheduler, weight, cap."""
    return {
        c.name: (
            None if c.name == "default" else c.dscps,
            c.priority,
            c.priority_group,
            c.lossless,
            c.scheduler,
            c.weight,
            c.max_rate_percent,
        )
        for c in roce.class_map.classes
    }


DEFAULT = (None, 0, 0, False, "dwrr")
CNP = ((48,), 6, 0, False, "strict", None, 10)
PRESETS: dict[str, dict[str, tuple[object, ...]]] = {
    # Cumulus `nv set qos roce`: RoCE 26 → 3, 50 %; CNP 48 → 6, strict
    "nvidia": {
        "default": (*DEFAULT, 50, None),
        "roce": ((26,), 3, 3, True, "dwrr", 50, None),
        "cnp": CNP,
        "control": ((56,), 7, 0, False, "strict", None, None),
    },
    # EDOC1100155250: CNP priority 6, PQ, DSCP 25; RoCEv2 priority 4, DRR 65 %, DSCP 24
    "huawei_ai_fabric": {
        "default": (*DEFAULT, 35, None),
        "roce": ((24,), 4, 4, True, "dwrr", 65, None),
        "cnp": ((25,), 6, 0, False, "strict", None, 10),
        "control": ((48, 56), 7, 0, False, "strict", None, None),
    },
    # Expected Switch Configuration: priority 2 DSCP 24 data, priority 3 DSCP 16 ACK
    "gaudi3": {
        "default": (*DEFAULT, 34, None),
        "roce": ((24,), 2, 2, True, "dwrr", 33, None),
        "ack": ((16,), 3, 3, True, "dwrr", 33, None),
        "cnp": CNP,
        "control": ((56,), 7, 0, False, "strict", None, None),
    },
    # qos_config.j2: DSCP 3 → TC 3, 4 → TC 4 lossless, 48 → TC 6
    "sonic_azure": {
        "default": (*DEFAULT, 34, None),
        "roce": ((3,), 3, 3, True, "dwrr", 33, None),
        "roce-4": ((4,), 4, 4, True, "dwrr", 33, None),
        "cnp": CNP,
        "control": ((56,), 7, 0, False, "strict", None, None),
    },
    "article": {
        "default": (*DEFAULT, 50, None),
        "roce": ((46,), 3, 3, True, "dwrr", 50, None),
        "cnp": CNP,
        "control": ((56,), 7, 0, False, "strict", None, None),
    },
}


@pytest.mark.parametrize("name", PRESETS)
def test_presets_come_to_this(tmp_path: Path, name: str) -> None:
    roce = policy(tmp_path, f"{{preset: {name}}}")
    assert table(roce) == PRESETS[name]
    assert roce.preset == name
    assert roce.preset_source.endswith(".")
    assert roce.bgp_dscp == (48 if name == "huawei_ai_fabric" else 56)


def test_all_presets_are_known_and_nvidia_is_the_default(tmp_path: Path) -> None:
    assert set(preset_names()) == set(PRESETS)
    assert preset_names()[0] == "nvidia"
    assert table(policy(tmp_path, "{}")) == PRESETS["nvidia"]


def test_what_is_written_changes_the_preset_and_the_source_says_so(tmp_path: Path) -> None:
    roce = policy(tmp_path, "{dscp: 10, priority: 5, cnp_dscp: 48}")
    assert (roce.dscp, roce.priority, roce.cnp_dscp, roce.cnp_priority) == (10, 5, 48, 6)
    assert roce.preset_source.endswith("The inventory changes dscp, priority.")


def test_cnp_on_priority_7_moves_control_to_6(tmp_path: Path) -> None:
    # Broadcom's NICs send CNP on priority 7 (linux-host reference)
    classes = table(policy(tmp_path, "{cnp_priority: 7}"))
    assert classes["cnp"][1] == 7
    assert classes["control"][1] == 6


def test_further_classes_and_weights(tmp_path: Path) -> None:
    text = (
        "{classes: [{name: storage, dscp: [10, 12], priority: 4, lossless: true, weight: 30},"
        " {name: bulk, dscp: 8, priority: 1}, {name: voice, dscp: 46, priority: 5,"
        " scheduler: strict, max_rate_percent: 5}, {name: roce, weight: 40}]}"
    )
    classes = table(policy(tmp_path, text))
    assert list(classes) == ["default", "roce", "storage", "bulk", "voice", "cnp", "control"]
    assert classes["storage"] == ((10, 12), 4, 4, True, "dwrr", 30, None)
    assert classes["bulk"] == ((8,), 1, 0, False, "dwrr", 15, None)
    assert classes["voice"] == ((46,), 5, 0, False, "strict", None, 5)
    assert (classes["roce"][5], classes["default"][5]) == (40, 15)


def test_a_preset_class_may_be_replaced_by_name(tmp_path: Path) -> None:
    text = "{preset: gaudi3, classes: [{name: ack, dscp: 18, priority: 3, lossless: true}]}"
    classes = table(policy(tmp_path, text))
    assert classes["ack"][:4] == ((18,), 3, 3, True)


def test_pfc_may_repeat_what_is_lossless(tmp_path: Path) -> None:
    roce = policy(tmp_path, "{preset: gaudi3, pfc: {priorities: [3, 2]}}")
    assert roce.class_map.lossless_priorities == (2, 3)


def test_numbers_that_are_written_arrive(tmp_path: Path) -> None:
    text = (
        "{ecn: {kmin_bytes: 100000, kmax_bytes: 200000, pmax_percent: 20}, rtt_us: 8,"
        " watchdog: {poll_ms: 200, detect_ms: 300, restore_ms: 900, action: forward},"
        " mtu: {switch: 9100, host: 4200, rdma: 2048}, dynamic_th: -3, xoff_bytes: 50000,"
        " cnp_rate_percent: 5}"
    )
    roce = policy(tmp_path, text)
    assert (roce.ecn.kmin_bytes, roce.ecn.kmax_bytes, roce.ecn.pmax_percent) == (
        100_000,
        200_000,
        20,
    )
    assert (roce.rtt_us, roce.ecn.rtt_us) == (8, 8)
    assert (roce.watchdog.poll_ms, roce.watchdog.detect_ms) == (200, 300)
    assert (roce.watchdog.restore_ms, roce.watchdog.action) == (900, "forward")
    mtus = (roce.switch_mtu_bytes, roce.host_mtu_bytes, roce.rdma_mtu_bytes)
    assert mtus == (9100, 4200, 2048)
    assert (roce.dynamic_th, roce.xoff_bytes) == (-3, 50_000)
    assert table(roce)["cnp"][6] == 5


def test_the_largest_rdma_mtu_that_fits(tmp_path: Path) -> None:
    # Linux takes 96 B off the Ethernet MTU: 4,096 + 96 = 4,192 fits, one less does not
    assert policy(tmp_path, "{mtu: {host: 4192}}").rdma_mtu_bytes == 4096
    with pytest.raises(InputError):
        policy(tmp_path, "{mtu: {host: 4191}}")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    dscp=st.integers(0, 63),
    priority=st.integers(0, 7),
    cnp_dscp=st.integers(0, 63),
    cnp_priority=st.integers(0, 7),
)
def test_every_map_is_complete_and_keeps_its_promises_or_is_refused(
    tmp_path: Path, dscp: int, priority: int, cnp_dscp: int, cnp_priority: int
) -> None:
    text = (
        f"{{dscp: {dscp}, priority: {priority}, cnp_dscp: {cnp_dscp}, "
        f"cnp_priority: {cnp_priority}}}"
    )
    fine = (
        dscp not in {0, 48, 56, cnp_dscp}
        and priority in range(1, 6)
        and cnp_priority not in {0, priority}
    ) or (dscp in {48, 56} and dscp == cnp_dscp and False)
    try:
        roce = policy(tmp_path, text)
    except InputError:
        assert not fine
        return
    assert fine
    dscps = sorted(value for c in roce.class_map.classes for value in c.dscps)
    assert dscps == list(range(64))
    queues = [c.queue for c in roce.class_map.classes]
    assert len(set(queues)) == len(queues)
    assert roce.class_map.lossless_priorities == (priority,)
    assert sum(c.weight or 0 for c in roce.class_map.classes) == 100
    control = roce.class_map.named("control")
    assert control is not None
    assert roce.bgp_dscp in control.dscps
