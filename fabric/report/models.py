"""What the hardware catalogue holds: switches, NICs and servers with what one chooses them by."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fabric.model.units import speed_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.model.hardware import Nic, ServerModel, SwitchModel
    from fabric.model.platform import PlatformSpec


def switch_row(model: SwitchModel) -> dict[str, object]:
    """One switch: chip, ports for hosts and links, SKUs, whether headroom and pools are known."""
    usable = set(model.usable_cages)
    speeds = Counter(cage.speed_gbps for cage in model.cages if cage.number in usable)
    skus = [sku.name for sku in model.skus]
    return {
        "switch": model.name,
        "chip": model.asic.name,
        "ports": _counted(speeds.items()) or "any",
        "most_ports": model.max_logical_ports,
        "skus": len(skus),
        "headroom_table": any(sku.headroom for sku in model.skus),
        "buffer_table": any(sku.buffers for sku in model.skus),
    }


def nic_row(nic: Nic) -> dict[str, object]:
    """One adapter: driver and the ports it comes with."""
    return {
        "nic": nic.name,
        "driver": nic.driver,
        "ports": " or ".join(f"{count}×{speed_text(speed)}" for count, speed in nic.ports),
    }


def server_row(server: ServerModel) -> dict[str, object]:
    """One server: GPUs and NICs."""
    return {"server": server.name, "gpus": server.gpus, "nics": server.nics}


def _counted(speeds: Iterable[tuple[int, int]]) -> str:
    ordered = sorted(speeds, reverse=True)
    return " + ".join(f"{count}×{speed_text(speed)}" for speed, count in ordered)


def system_row(spec: PlatformSpec, timer: str | None) -> dict[str, object]:
    """One switch system: releases, how sure its words are, what it can do.

    ``timer``: class of the timer that undoes a push (A, B, C, none); ``None``: it is not pushed to.
    """
    able = spec.capabilities
    return {
        "platform": spec.name,
        "title": spec.title,
        "releases": ", ".join(spec.os_versions),
        "words": "experimental" if spec.experimental else spec.confidence,
        "pfc": able.lossless,
        "ecn": able.ecn,
        "watchdog": able.watchdog,
        "unnumbered": able.unnumbered,
        "class_rise": able.per_port_maps,
        "bonds": spec.lag is not None,
        "vlans": spec.vlan is not None,
        "push_timer": timer,
    }
