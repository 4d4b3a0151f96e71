"""Version, model and LLDP neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.nokia_srl.readers.state import container, is_interface
from fabric.platforms.nokia_srl.tree import entries, word

if TYPE_CHECKING:
    from fabric.model.reading import Json


def version(text: str) -> Reading:
    """``/system/information``: ``v25.3.2-312-ga0c5002f15``."""
    found = container(text, "system", "information", leaf="version")
    number, says = word(found, "version"), word(found, "description") or ""
    if number is None or not says.startswith("SRLinux"):
        return Reading()
    return Reading({"version": number})


def chassis(text: str) -> Reading:
    """``/platform/chassis``: ``type`` is the model."""
    found = container(text, "platform", "chassis", leaf="hw-mac-address")
    model = word(found, "type")
    return Reading({"model": model}) if model and "hw-mac-address" in found else Reading()


def neighbours(text: str) -> Reading:
    """``/system/lldp``: ports without a neighbour are there too."""
    found = container(text, "system", "lldp", leaf="chassis-id-type")
    if "interface" not in found:
        return Reading()
    rows: list[Json] = [
        {
            "local_port": word(interface, "name"),
            "remote_host": word(neighbour, "system-name"),
            "remote_port": word(neighbour, "port-id"),
        }
        for interface in entries(found, "interface")
        if is_interface(word(interface, "name"))
        for neighbour in entries(interface, "neighbor")
    ]
    return Reading({"neighbors": rows})
