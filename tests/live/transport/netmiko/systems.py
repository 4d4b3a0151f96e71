"""What is said to each system in these tests, and what it answers; words of the vendors' guides."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.catalog.push import push_spec
from fabric.live.rehearsal.box import Setup
from tests.live.rehearsal.cli.driver import MODELS, PORTS

if TYPE_CHECKING:
    from fabric.model.push_spec import PushSpec

TEMPLATES = Path(__file__).resolve().parents[4] / "templates"
NEW_NAME = "ai-dc1-pod03-rack17-leaf01"  # FC-73


@dataclass(frozen=True)
class System:
    """``version``: a command and what its reply holds. ``rename``: up to another name's prompt.

    ``refused``: a line that the system does not know. ``question``: lines before, a command that
    asks, what it asks, the answer, what is shown then.
    """

    name: str
    driver: str
    version: tuple[str, str]
    configuration: str
    enter: str
    rename: tuple[str, ...]
    leave: str
    refused: str = "frobnicate everything"
    question: tuple[tuple[str, ...], str, str, str, str] | None = None


SYSTEMS = (
    System(
        "arista_eos",
        "arista_eos",
        ("show version", "Software image version"),
        "show running-config",
        "configure terminal",
        (f"hostname {NEW_NAME}",),
        "end",
    ),
    System(
        "juniper_junos",
        "juniper_junos",
        ("show version", "Junos:"),
        "show configuration",
        "configure",
        (f"set system host-name {NEW_NAME}", "commit"),
        "exit",
        question=(
            ("configure", "set system host-name x"),
            "exit",
            r"\[yes,no\] \(yes\) ",
            "yes",
            "Exiting configuration mode",
        ),
    ),
    System(
        "cisco_nxos",
        "cisco_nxos",
        ("show version", "NXOS: version"),
        "show running-config",
        "configure terminal",
        (f"hostname {NEW_NAME}",),
        "end",
        question=((), "reload", r"\(y/n\)\?", "n", ""),
    ),
    System(
        "huawei_vrp",
        "huawei_vrpv8",
        ("display version", "VRP (R)"),
        "display current-configuration",
        "system-view",
        (f"sysname {NEW_NAME}", "commit"),
        "return",
        question=((), "save", r"\[Y/N\]:", "y", "success"),
    ),
    System(
        "nokia_srl",
        "nokia_srl",
        ("show version", "Software Version"),
        "info flat",
        "enter candidate",
        (f"set / system name host-name {NEW_NAME}", "commit stay"),
        "enter running",
    ),
    System(
        "dell_sonic",
        "dell_sonic",
        ("show version", "Enterprise SONiC"),
        "show running-configuration",
        "configure terminal",
        (f"hostname {NEW_NAME}",),
        "end",
        question=((), "reboot", r"\[y/N\]: ", "n", ""),
    ),
    System(
        "hp_comware",
        "hp_comware",
        ("display version", "Comware"),
        "display current-configuration",
        "system-view",
        (f"sysname {NEW_NAME}",),
        "return",
        question=((), "save", r"\[Y/N\]:|\(To leave.*\):", "y", "success"),
    ),
    System(
        "dell_os10",
        "dell_os10",
        ("show version", "OS10"),
        "show running-configuration",
        "configure terminal",
        (f"hostname {NEW_NAME}",),
        "end",
        question=((), "reload", r"\[confirm yes/no\]:", "no", ""),
    ),
)


def spoken(system: System) -> PushSpec:
    """How the system is spoken to."""
    return push_spec(system.name, [TEMPLATES])


def setup(system: System, device: str = "leaf-0") -> Setup:
    """A fake switch as its platform ships."""
    model, version = MODELS[system.name]
    return Setup(device, system.name, model, version, ports=PORTS[system.name])
