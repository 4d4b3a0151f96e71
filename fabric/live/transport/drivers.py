"""netmiko's drivers by name: what ``cli: netmiko`` cannot be honoured for is told first."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from fabric.model.push_change import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from netmiko import BaseConnection

    from fabric.live.connections import Connections
    from fabric.model.push_spec import PushSpec

_SSH = "_ssh"  # may be added to each name; those of telnet and of serial lines do not do


def driver_named(kind: str) -> type[BaseConnection] | None:
    """The driver of this name, where netmiko has one that speaks over SSH."""
    from netmiko.ssh_dispatcher import CLASS_MAPPER_BASE  # noqa: PLC0415 - slow

    return CLASS_MAPPER_BASE.get(kind.removesuffix(_SSH))


def by_driver(connections: Connections, specs: Mapping[str, PushSpec]) -> dict[str, list[str]]:
    """Devices that netmiko's drivers are to speak to, by the name of the driver."""
    found: dict[str, list[str]] = {}
    for name, made in connections.items():
        spec = specs.get(name)
        if spec is not None and spec.session == "cli" and made.cli == "netmiko":
            found.setdefault(spec.netmiko_type, []).append(name)
    return found


def missing_drivers(connections: Connections, specs: Mapping[str, PushSpec]) -> tuple[Refused, ...]:
    """A refusal for each driver that is named and does not exist; no device is spoken to."""
    wanted = by_driver(connections, specs)
    return tuple(
        _missing(kind, specs[devices[0]].name, devices)
        for kind, devices in wanted.items()
        if driver_named(kind) is None
    )


def no_driver(kind: str, system: str) -> str:
    """The sentence about it."""
    import netmiko  # noqa: PLC0415 - slow

    has = f"netmiko {netmiko.__version__} has no driver {kind!r} for SSH"
    return f"connection.cli is netmiko, and {has} (netmiko_type in {system}/platform.yaml)"


def _missing(kind: str, system: str, devices: list[str]) -> Refused:
    from netmiko.ssh_dispatcher import CLASS_MAPPER_BASE  # noqa: PLC0415 - slow

    many = f"{len(devices):,} devices, {devices[0]} first"
    who = devices[0] if len(devices) == 1 else many
    close = difflib.get_close_matches(kind, CLASS_MAPPER_BASE, 1)
    meant = f"did you mean {close[0]}? Else " if close else ""
    fix = f"{meant}leave `cli` out: fabric's own terminal speaks to these devices then"
    return Refused(None, "RCE904", f"{no_driver(kind, system)}: {who}", fix)
