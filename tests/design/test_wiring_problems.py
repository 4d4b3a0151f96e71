"""Ports that run out, speeds that no cage does, and other things that stop a plan."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fabric import topologies
from fabric.catalog import switch_model
from fabric.design.wiring import wire
from fabric.model.finding import ProblemError
from fabric.model.hardware import BreakoutMode, Cage, SwitchModel
from fabric.model.intent import Hardware, HostGroup
from fabric.model.topology import Blueprint, CableNode, Position, Shape, SwitchNode
from tests.samples import sample_intent
from tests.topologies.fabrics import group, hardware, ports_of, problems, wired

LeafSpine = topologies.params_type("leaf-spine")
FatTree = topologies.params_type("fat-tree")
SN3700 = switch_model("nvidia-sn3700")
SN5600 = switch_model("nvidia-sn5600")
Z9664F = switch_model("dell-z9664f")


def _larger(model: SwitchModel) -> str:
    return f"a larger model than {model.name}, fewer hosts a switch, or more switches"


TOO_SMALL: list[tuple[Any, HostGroup, int, SwitchModel, list[str]]] = [
    # field case 53 a
    (
        LeafSpine(2, 32),
        group(80, speed=400),
        400,
        Z9664F,
        ["leaf needs 40×400G down + 32×400G up = 72, has 64"],
    ),
    (
        LeafSpine(2, 33),
        group(64, speed=100),
        100,
        SN3700,
        ["leaf needs 32×100G down + 33×100G up = 65, has 64"],
    ),
    (
        LeafSpine(2, 70),
        group(256, speed=200),
        400,
        SN5600,
        ["leaf needs 128×200G down in 32 cages + 70×400G up in 35 cages = 67 cages, has 64"],
    ),
    (
        LeafSpine(40, 1),
        group(40, speed=200),
        200,
        SN3700,
        ["spine-0 needs 40×200G down = 40, has 32"],
    ),
    (
        LeafSpine(3, 2),
        group(80, speed=200, per_leaf=32),
        200,
        SN3700,
        ["leaf-0 and 1 more needs 32×200G down + 2×200G up = 34, has 32"],
    ),
]


@pytest.mark.parametrize(("params", "hosts", "speed", "model", "messages"), TOO_SMALL)
def test_ports_run_out(
    params: Any, hosts: HostGroup, speed: int, model: SwitchModel, messages: list[str]
) -> None:
    with pytest.raises(ProblemError) as error:
        wired("leaf-spine", params, (hosts,), speed=speed, on=hardware(model))
    assert problems(error) == [
        ("RCE101", ("topology",), message, _larger(model)) for message in messages
    ]


def test_the_last_free_child_is_used() -> None:
    # 33 down and 31 up in pairs are 17 + 16 cages of 32: one cage serves both
    hosts = (group(66, speed=100),)
    topology, _ = wired("leaf-spine", LeafSpine(2, 31), hosts, on=hardware(SN3700))
    assert ports_of(topology, "leaf-0")[32] == ("gpu-32", "Ethernet64")
    assert ports_of(topology, "leaf-0")[-1] == ("spine-30", "Ethernet66")


def test_a_speed_that_no_cage_does_is_told_once() -> None:
    hosts = (group(4, speed=100), group(4, "fast", speed=400))
    with pytest.raises(ProblemError) as error:
        wired("leaf-spine", LeafSpine(2, 2), hosts, speed=800, on=hardware(SN3700))
    runs = "its ports run at 200G, 100G, 50G, 40G, 25G, 10G, 1G: set"
    assert problems(error) == [
        ("RCE103", ("hosts", 1), "nvidia-sn3700 has no port of 400G", f"{runs} hosts.speed"),
        ("RCE103", ("links", "speed"), "nvidia-sn3700 has no port of 800G", f"{runs} links.speed"),
    ]


def test_more_logical_ports_than_the_switch_carries() -> None:
    small = replace(SN5600, max_logical_ports=192)
    hosts = (group(256, speed=200),)
    with pytest.raises(ProblemError) as error:
        wired("leaf-spine", LeafSpine(2, 64), hosts, speed=400, on=hardware(small))
    assert problems(error) == [
        (
            "RCE104",
            ("topology",),
            (
                "leaf would have 193 logical ports (1 × 1 + 32 × 2 + 32 × 4: management and free "
                "ports included), nvidia-sn5600 carries 192"
            ),
            _larger(SN5600),
        )
    ]
    topology, _ = wired("leaf-spine", LeafSpine(2, 64), hosts, speed=400, on=hardware(SN5600))
    assert len(topology.switch("leaf-0").ports) == 193


def test_a_system_without_port_names() -> None:
    with pytest.raises(ProblemError) as error:
        wired("leaf-spine", LeafSpine(2, 2), on=hardware(SN3700, "nonesuch"))
    assert problems(error) == [
        (
            "RCE009",
            ("platforms",),
            "nobody says what nonesuch calls the ports of nvidia-sn3700",
            "add naming.nonesuch to the file of the model",
        )
    ]


def test_two_nics_of_one_name() -> None:
    hosts = replace(group(2, speed=100, nics=2), netdevs=("eth0", "eth0"))
    with pytest.raises(ProblemError) as error:
        wired("leaf-spine", LeafSpine(2, 2), (hosts,))
    assert problems(error) == [
        (
            "RCE012",
            ("hosts", 0, "netdevs"),
            "gpu: two NICs of a host have the same name",
            "give every NIC a name of its own",
        )
    ]


def _two_kinds_of_cages() -> SwitchModel:
    """4 SFP28 cages, then 2 QSFP28 cages that may be split, of which nothing else is known."""
    sfp = [Cage(n, "SFP28", 25, 1) for n in range(1, 5)]
    modes = (
        BreakoutMode("1x100G", 1, (100,), 4, ""),
        BreakoutMode("1x40G", 1, (40,), 4, ""),
        BreakoutMode("4x25G", 4, (25,), 1, ""),
    )
    qsfp = [Cage(n, "QSFP28", 100, 4, (), 4 * n, modes) for n in (5, 6)]
    naming = (("sonic", "Eth1/{c}|Eth1/{c}/{n}"),)
    return replace(
        SN3700,
        name="mixed",
        cages=(*sfp, *qsfp),
        usable_cages=(1, 2, 3, 4, 5, 6),
        naming=naming,
    )


def test_cages_of_two_kinds() -> None:
    mixed = Hardware(hardware(SN3700), (("leaf", hardware(_two_kinds_of_cages())),))
    topology, _ = wired("leaf-spine", LeafSpine(1, 1), (group(3, speed=25),), on=mixed)
    assert [port for _, port in ports_of(topology, "leaf-0")] == [
        "Eth1/1",
        "Eth1/2",
        "Eth1/3",
        "Eth1/6",
    ]
    # 4 SFP28 cages and 2 cages of 4: 12 ports, those in SFP28 cages unsplit
    topology, _ = wired("leaf-spine", LeafSpine(1, 1), (group(11, speed=25),), speed=25, on=mixed)
    names = [port for _, port in ports_of(topology, "leaf-0")]
    assert names == [
        *(f"Eth1/{n}" for n in range(1, 5)),
        *(f"Eth1/5/{n}" for n in range(1, 5)),
        *("Eth1/6/1", "Eth1/6/2", "Eth1/6/3"),
        "Eth1/6/4",
    ]


@pytest.mark.parametrize(
    ("hosts", "speed", "message"),
    [
        (group(12, speed=25), 25, "leaf-0 needs 12×25G down + 1×25G up = 13, has 12"),
        (
            group(2, speed=40),
            100,
            "leaf-0 needs 2×40G down in 2 cages + 1×100G up in 1 cage = 3 cages, has 2",
        ),
        (group(5, speed=25), 100, None),
    ],
)
def test_cages_of_two_kinds_run_out(hosts: HostGroup, speed: int, message: str | None) -> None:
    mixed = Hardware(hardware(SN3700), (("leaf", hardware(_two_kinds_of_cages())),))
    if message is None:
        wired("leaf-spine", LeafSpine(1, 1), (hosts,), speed=speed, on=mixed)
        return
    with pytest.raises(ProblemError) as error:
        wired("leaf-spine", LeafSpine(1, 1), (hosts,), speed=speed, on=mixed)
    assert [found[2] for found in problems(error)] == [message]


def test_gaps_in_the_slots_stay_free() -> None:
    """A kind may leave room: its third bundle is already where it will be."""
    switches = (
        SwitchNode("low", "leaf", Position(0, None, 0)),
        SwitchNode("high", "spine", Position(1, None, 0)),
    )
    cables = tuple(
        CableNode("low", "high", 2, 100, 5.0, "cable", a_slot=slot, b_slot=slot, b_stride=3)
        for slot in (1, 5)
    )
    plan = Blueprint("toy", switches, cables, (), Shape("toy", 0, None, ""))
    intent = replace(sample_intent(), host_groups=(), hardware=Hardware(hardware(SN3700)))
    topology, _ = wire(plan, intent, None)
    assert [port for _, port in ports_of(topology, "low")] == [
        "Ethernet120",
        "Ethernet116",
        "Ethernet104",
        "Ethernet100",
    ]
    assert [port for _, port in ports_of(topology, "high")] == [
        "Ethernet4",
        "Ethernet16",
        "Ethernet20",
        "Ethernet32",
    ]
