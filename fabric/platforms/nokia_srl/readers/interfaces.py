"""``/interface``: state and counters of ports and LAGs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.nokia_srl.readers.state import is_interface, known, up_or_down
from fabric.platforms.nokia_srl.tree import below, by_key, document, number, word
from fabric.reading.numbers import speed_mbps

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.model.reading import Facts, Json
    from fabric.platforms.nokia_srl.tree import Tree

    Leaves = dict[str, tuple[str, Callable[[Tree, str], Json]]]


def _speed(tree: Tree, name: str) -> Json:
    return speed_mbps(word(tree, name))


_STATE: Leaves = {
    "admin-state": ("admin", up_or_down),
    "oper-state": ("oper", up_or_down),
    "mtu": ("mtu", number),
}
_COUNTS: Leaves = {
    "in-packets": ("rx_packets", number),
    "out-packets": ("tx_packets", number),
    "in-error-packets": ("in_errors", number),
    "out-error-packets": ("out_errors", number),
    "in-fcs-error-packets": ("crc_errors", number),
    "in-discarded-packets": ("in_discards", number),
    "out-discarded-packets": ("out_discards", number),
    "carrier-transitions": ("flaps", number),
}
_ETHERNET: Leaves = {
    "in-mac-pause-frames": ("in_pause", number),
    "out-mac-pause-frames": ("out_pause", number),
}


def interfaces(text: str) -> Reading:
    """A cage that is split has no state of a port; its children have."""
    found = by_key(document(text), "interface", key="name")
    ports: Facts = {
        name: _port(one)
        for name, one in found.items()
        if is_interface(name) and "breakout-mode" not in one
    }
    return Reading({"interfaces": ports}) if ports else Reading()


def _port(interface: Tree) -> Facts:
    ethernet = below(interface, "ethernet")
    fec = below(ethernet, "forward-error-correction")
    return {
        **known(interface, _STATE),
        **known(ethernet, {"port-speed": ("speed_mbps", _speed)}),
        **known(fec, {"operational-host-if-fec": ("fec", word)}),
        **known(below(interface, "statistics"), _COUNTS),
        **known(below(ethernet, "statistics"), _ETHERNET),
    }
