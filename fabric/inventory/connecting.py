"""``connection:`` as a policy: how devices are logged in to, by reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.inventory.hardware import Selector
from fabric.inventory.ranges import HINT, RangeError, expand
from fabric.model.finding import Problem
from fabric.model.intent import ConnectionPolicy, DeviceConnection

if TYPE_CHECKING:
    from fabric.inventory.schema import ConnectionSection

_PASSWORDS = ("password_env", "password_command", "keyring_service", "ask")


def connection_policy(
    section: ConnectionSection, problems: list[Problem]
) -> tuple[ConnectionPolicy, tuple[Selector, ...]]:
    """How to log in; the password is kept in one place at most."""
    named = [key for key in _PASSWORDS if getattr(section, key)]
    for key in named[1:]:
        message = f"{key} beside {named[0]}: the password is read from one place"
        problems.append(Problem("RCE006", ("connection", key), message, f"leave {key} out"))
    devices, selectors = _devices(section, problems)
    written = section.model_dump(exclude={"devices"})
    return ConnectionPolicy(**written, devices=devices), selectors


def _devices(
    section: ConnectionSection, problems: list[Problem]
) -> tuple[tuple[DeviceConnection, ...], tuple[Selector, ...]]:
    devices: dict[str, DeviceConnection] = {}
    selectors: list[Selector] = []
    for text, entry in section.devices.items():
        path = ("connection", "devices", text)
        try:
            names = expand(text)
        except RangeError as error:
            problems.append(Problem("RCE019", path, str(error), HINT))
            continue
        twice = next((name for name in names if name in devices), None)
        if twice is not None:
            message = f"{twice} stands in two entries of connection.devices"
            problems.append(Problem("RCE012", path, message, "name each device once"))
        for name in names:
            devices.setdefault(name, DeviceConnection(device=name, **entry.model_dump()))
            selectors.append(Selector(name, path, "one switch"))
    return tuple(devices.values()), tuple(selectors)
