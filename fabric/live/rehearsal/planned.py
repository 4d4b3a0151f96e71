"""The switches of a plan as fakes: hardware, ports and cables of the plan, nothing configured."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.live.rehearsal.box import Neighbour, Setup

if TYPE_CHECKING:
    from fabric.model.device import DeviceModel

USER = "admin"
_LENGTH, _LENGTH_V6 = 24, 64  # of a management network, where an address stands alone


def setup_of(model: DeviceModel, os_version: str) -> Setup:
    """The fake that stands for a switch.

    ``os_version``: what it shall run. It bears its planned name, and its management address if it
    has one, with the gateway, as an operator sets them first. Its ports bear their planned names,
    so cages that are to be broken out are so already.
    """
    cables = tuple(
        Neighbour(port.name, port.peer_device, port.peer_port)
        for port in model.interfaces
        if port.peer_device and port.peer_port
    )
    setup = Setup(
        device=model.name,
        system=model.platform.name,
        model=_hardware(model),
        os_version=os_version,
        user=USER,
        ports=tuple(port.name for port in model.interfaces),
        neighbours=cables,
        platform=model.sonic_platform or "",
    )
    address = model.management_address
    if address is None:
        return setup
    length = _LENGTH_V6 if ":" in address else _LENGTH
    return replace(
        setup,
        address=address if "/" in address else f"{address}/{length}",
        gateway=model.management_gateway or "",
    )


def _hardware(model: DeviceModel) -> str:
    """What the switch calls its hardware: its SKU where it has one, else the vendor's number."""
    if model.sku and model.sonic_platform:
        return model.sku
    vendor, _, number = model.model_name.partition("-")
    if vendor == "arista":
        return f"DCS-{number.upper()}"
    return number.upper() or "generic"
