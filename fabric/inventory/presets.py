"""RoCE presets: what ecosystems met in practice mark, and where that is written."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PresetClass:
    """A further class that the ecosystem uses."""

    name: str
    dscp: int
    priority: int
    lossless: bool


@dataclass(frozen=True, slots=True)
class Preset:
    """Marking of one ecosystem. ``source`` also says what the source leaves open."""

    name: str
    dscp: int
    priority: int
    cnp_dscp: int
    cnp_priority: int
    source: str
    weight: int | None = None  # share of the RoCE class among the DWRR classes
    classes: tuple[PresetClass, ...] = ()


PRESETS: tuple[Preset, ...] = (
    Preset(
        name="nvidia",
        dscp=26,
        priority=3,
        cnp_dscp=48,
        cnp_priority=6,
        weight=50,
        source="NVIDIA Cumulus Linux, RoCE lossless mode (`nv set qos roce`): RoCE DSCP 26 on "
        "switch priority 3 with 50 % of the bandwidth, CNP DSCP 48 on switch priority 6, strict. "
        "mlx5 maps DSCP to priority by DSCP / 8, so neither value needs a map on the NIC.",
    ),
    Preset(
        name="huawei_ai_fabric",
        dscp=24,
        priority=4,
        cnp_dscp=25,
        cnp_priority=6,
        weight=65,
        source="Huawei EDOC1100155250, Typical AI Fabric Configuration Cases: RoCEv2 DSCP 24 on "
        "priority 4, DRR with weight 65 %; CNP DSCP 25 on priority 6, PQ. Its storage case also "
        "has TCP (DSCP 7, priority 1, 15 %) and O&M (priority 0, 5 %); here both are the default "
        "class. mlx5 maps both DSCPs to priority 3 until its map is changed.",
    ),
    Preset(
        name="gaudi3",
        dscp=24,
        priority=2,
        cnp_dscp=48,
        cnp_priority=6,
        classes=(PresetClass("ack", dscp=16, priority=3, lossless=True),),
        source="Intel Gaudi documentation, Expected Switch Configuration: RDMA WRITE packets are "
        "DSCP 24 on priority 2, ACK packets DSCP 16 on priority 3, set by the driver. The page "
        "makes priorities 0 to 3 no-drop; 0 and 1 carry none of this traffic, and priority 0 is "
        "the default class, so only 2 and 3 are lossless here. It names no CNP: 48 on 6 is the "
        "value of the nvidia preset.",
    ),
    Preset(
        name="sonic_azure",
        dscp=3,
        priority=3,
        cnp_dscp=48,
        cnp_priority=6,
        classes=(PresetClass("roce-4", dscp=4, priority=4, lossless=True),),
        source="sonic-net/sonic-buildimage files/build_templates/qos_config.j2 (AZURE): DSCP 3 on "
        "TC 3 and DSCP 4 on TC 4 are lossless, DSCP 48 is on TC 6. The file names no CNP: TC 6 is "
        "where its DSCP 48 goes; sonic-net/sonic-mgmt#25347 has a network that marks CNP 46. Its "
        "lossy rows (8 on TC 0, 5 on TC 2, 46 on TC 5, the rest on TC 1) are one default class "
        "here.",
    ),
    Preset(
        name="article",
        dscp=46,
        priority=3,
        cnp_dscp=48,
        cnp_priority=6,
        source="Articles that mark RoCE as EF (DSCP 46 on priority 3), as their readers report "
        "them; none was read for this preset. Queue 0, which is reported too, would make the "
        "default class lossless: here the queue is the priority. CNP: 48 on 6 is the value of the "
        "nvidia preset. DSCP 46 is voice in mixed networks, "
        "mlx5 maps it to priority 5 and SONiC's stock map to a lossy class until both are changed.",
    ),
)


def preset_names() -> tuple[str, ...]:
    """Names of the presets, the default first."""
    return tuple(preset.name for preset in PRESETS)


def preset(name: str) -> Preset | None:
    """The preset of that name, if there is one."""
    return next((known for known in PRESETS if known.name == name), None)
