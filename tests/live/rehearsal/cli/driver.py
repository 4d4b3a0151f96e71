"""A fake switch without SSH: time that the test moves, faults that it arms, a user who types."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from fabric.live.rehearsal.box import Neighbour, Peering, PeerState, Setup, World
from fabric.live.rehearsal.cli import box as make

if TYPE_CHECKING:
    from fabric.live.rehearsal.cli.device import CliBox
    from fabric.live.rehearsal.cli.terminal import Terminal

MODELS = {
    "arista_eos": ("DCS-7060DX5-64S-F", "4.31.5M"),
    "juniper_junos": ("qfx5240-64od", "23.4R2.13-EVO"),
    "cisco_nxos": ("Nexus9000 C9364D-GX2A", "10.4(5)"),
    "huawei_vrp": ("CE9860-4C-EI", "V300R023C00SPC500"),
    "nokia_srl": ("7220 IXR-H4", "v25.3.1"),
    "dell_sonic": ("DellEMC-Z9664f-O64", "4.5.0"),
    "hp_comware": ("S9825-64D", "9.1.058"),
    "dell_os10": ("Z9432F-ON", "10.5.6.4"),
}
PORTS = {
    "arista_eos": ("Ethernet1/1", "Ethernet2/1"),
    "juniper_junos": ("et-0/0/0", "et-0/0/1"),
    "cisco_nxos": ("Ethernet1/1", "Ethernet1/2"),
    "huawei_vrp": ("400GE1/0/1", "400GE1/0/2"),
    "nokia_srl": ("ethernet-1/1", "ethernet-1/2"),
    "dell_sonic": ("Eth1/1", "Eth1/2"),
    "hp_comware": ("FourHundredGigE1/0/1", "FourHundredGigE1/0/2"),
    "dell_os10": ("ethernet1/1/1", "ethernet1/1/2"),
}


@dataclass
class Bench:
    """Time, faults and neighbours, as ``World`` wants them."""

    now: float = 1000.0
    armed: dict[str, int] = field(default_factory=dict)
    state_told: PeerState = field(default_factory=lambda: PeerState("Established", "leaf-9"))

    def clock(self) -> float:
        return self.now

    def on(self, kind: str) -> bool:
        return self.armed.get(kind, 0) > 0

    def take(self, kind: str) -> bool:
        if not self.on(kind):
            return False
        self.armed[kind] -= 1
        return True

    def state(self, peering: Peering) -> PeerState:
        del peering
        return self.state_told


def switch(system: str, bench: Bench, device: str = "leaf-0") -> CliBox:
    model, version = MODELS[system]
    ports = PORTS[system]
    setup = Setup(
        device, system, model, version, ports=ports,
        neighbours=(Neighbour(ports[0], "spine-0", ports[1]),),
    )  # fmt: skip
    return cast("CliBox", make(setup, World(bench.clock, bench, bench)))


def say(terminal: Terminal, *lines: str) -> str:
    """Type lines; what was answered to all of them."""
    return "".join(terminal.type(line) for line in lines)


def quiet(terminal: Terminal, *lines: str) -> None:
    """Type lines that must not be answered with anything."""
    for line in lines:
        assert terminal.type(line) == "", line
