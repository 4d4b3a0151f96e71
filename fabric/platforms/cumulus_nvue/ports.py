"""Front ports with the profiles that hold for them.

What a port's profile does not say the global profile says only where the port has none of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.model.names import natural_sorted
from fabric.platforms import CODES, ConfigError
from fabric.platforms.cumulus_nvue import defaults
from fabric.platforms.cumulus_nvue.ranges import names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.platforms.cumulus_nvue.defaults import Defaults
    from fabric.platforms.cumulus_nvue.tree import Node

GLOBAL = "default-global"
OFF = ("disable", "disabled", "off")
_PORT = re.compile(r"swp[0-9]+(?:s[0-9]+)?")
_WHOLE = ("1x", "disabled")


@dataclass(frozen=True)
class Binding:
    """A port with the profiles that hold for it: those of its bond, if it is a member of one."""

    name: str
    node: Node
    bearer: Node
    qos: Node
    base: Defaults

    def profile_name(self, kind: str) -> str:
        """What the port's profile of that kind is called."""
        return self.bearer.value("qos", kind, "profile") or GLOBAL

    def profile(self, kind: str) -> Node:
        """The profile; an empty one where it is not written."""
        return self.qos.at(kind, self.profile_name(kind))

    def own(self, kind: str) -> bool:
        """Whether the port has a profile of its own."""
        return self.profile_name(kind) != GLOBAL

    def listed(self) -> tuple[int, ...]:
        """Priorities of the PFC profile, whether PFC is on or not."""
        found = self.profile("pfc").at("switch-priority")
        if not self.own("pfc") and not found.below:
            return self.base.pfc
        return tuple(sorted({number for number, _ in found.codes(CODES)}))

    def priorities(self) -> tuple[int, ...]:
        """Priorities with PFC in both directions."""
        off = any(self.profile("pfc").value(way) in OFF for way in ("tx", "rx"))
        return () if off else self.listed()

    @property
    def watched(self) -> bool:
        """Whether the watchdog is on."""
        watchdog = ("qos", "pfc-watchdog")
        return self.node.has(*watchdog) and self.node.value(*watchdog, "state") not in OFF


def bindings(config: Node) -> Iterator[Binding]:
    """The front ports in natural order, a split cage by its children.

    Raises:
        ConfigError: RoCE is in a mode of which nothing is known.
    """
    base = defaults.defaults_of(config)
    if base is None:
        msg = f"qos roce mode {defaults.roce_mode(config)} is not known here"
        raise ConfigError(msg)
    interfaces = config.at("interface")
    bonds = bonds_of(config)
    for name in natural_sorted(interfaces.below):
        node = interfaces.at(name)
        split = node.value("link", "breakout")
        if _PORT.fullmatch(name) and (split is None or split in _WHOLE):
            bearer = interfaces.at(bonds[name]) if name in bonds else node
            yield Binding(name, node, bearer, config.at("qos"), base)


def bonds_of(config: Node) -> dict[str, str]:
    """Bond of each port that is a member of one."""
    interfaces = config.at("interface")
    return {
        member: bond
        for bond in interfaces.below
        for written in interfaces.at(bond, "bond", "member").below
        for member in names(written)
    }
