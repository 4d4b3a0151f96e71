"""Which switches' texts are read back before a plan counts.

Reading back every SONiC text takes a quarter of the time that rendering takes. What the shipped
templates write is proven by tests over systems, topologies and roles, so one switch of each kind
is enough; where words of the user's are in force, every switch they can reach is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.files.tree import file_names

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.design import Design
    from fabric.model.intent import DeviceHardware


def switches_to_read(design: Design, roots: tuple[Path, ...]) -> dict[str, bool]:
    """The switches to read back, each with whether words of the user's may be in its text.

    The same in every process.
    """
    order = design.topology.switches_in_order()
    if any(True for root in roots[:-1] for _ in file_names(root)):
        return {switch.name: True for switch in order}
    hardware = _hardware(design)
    profiles: dict[str, set[str]] = {}
    for port in design.lossless.ports:
        profiles.setdefault(port.device, set()).add(port.profile)
    wanted: dict[str, bool] = {}
    met: set[object] = set()
    for switch in order:
        own = hardware[switch.name]
        words = (own.platform.name, own.model.name, own.sku)
        kind = (switch.role, words, frozenset(profiles.get(switch.name, ())))
        if own.extra or kind not in met:
            wanted[switch.name] = bool(own.extra)
        met.add(kind)
    return wanted


def _hardware(design: Design) -> dict[str, DeviceHardware]:
    known = design.intent.hardware
    own, roles = dict(known.devices), dict(known.roles)
    return {
        switch.name: own.get(switch.name) or roles.get(switch.role) or known.default
        for switch in design.topology.switches
    }
