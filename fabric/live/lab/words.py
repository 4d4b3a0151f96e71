"""The files of a switch as FRR has them, whatever system the inventory names.

The model stays what the plan made of it; only what a Linux kernel cannot be told is put another
way: names of ports lose their slashes, and lines in another system's words are left out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.catalog import platform_spec
from fabric.design.devices import DeviceModels
from fabric.design.hosts import HostModels
from fabric.live.lab.names import netdev
from fabric.live.lab.planned import FRR
from fabric.text import Renderer
from fabric.text.host import own_words

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.design import Design
    from fabric.model.device import DeviceModel, HostModel
    from fabric.model.plan import Rendered
    from fabric.model.platform import PlatformSpec
    from fabric.text.host import NicWords


def as_frr(model: DeviceModel, spec: PlatformSpec) -> DeviceModel:
    """The same switch with FRR on it. ``spec``: FRR's manifest."""
    svis = tuple(
        replace(
            svi,
            name=spec.vlan.name(svi.vlan) if spec.vlan else svi.name,
            ports=tuple(map(netdev, svi.ports)),
        )
        for svi in model.svis
    )
    return replace(
        model,
        platform=spec,
        interfaces=tuple(replace(i, name=netdev(i.name)) for i in model.interfaces),
        sessions=tuple(replace(s, port=netdev(s.port)) for s in model.sessions),
        svis=svis,
        extra=model.extra if model.platform.name == FRR else None,
    )


class Words:
    """What switches and hosts of a lab are given, one at a time."""

    def __init__(self, design: Design, roots: tuple[Path, ...]) -> None:
        self._spec = platform_spec(FRR, roots)
        self._renderer = Renderer(roots)
        self._switches, self._hosts = DeviceModels(design), HostModels(design)

    def switch(self, name: str) -> tuple[DeviceModel, Rendered]:
        """The model of a switch under FRR, and its files.

        Raises:
            fabric.text.TemplateFault: a template is wrong.
        """
        model = as_frr(self._switches.of(name), self._spec)
        return model, self._renderer.device(model)

    def planned(self, name: str) -> Rendered:
        """The files of a switch in its own system's words, as in the plan.

        Raises:
            fabric.text.TemplateFault: a template is wrong.
        """
        return self._renderer.device(self._switches.of(name))

    def host(self, name: str) -> tuple[HostModel, Rendered, tuple[NicWords, ...]]:
        """The model of a host, its files, and its NICs with the routes that the files set.

        Raises:
            fabric.text.TemplateFault: a template is wrong.
        """
        model = self._hosts.of(name)
        nics: tuple[NicWords, ...] = own_words(model)["nics"]  # type: ignore[assignment]
        return model, self._renderer.host(model), nics
