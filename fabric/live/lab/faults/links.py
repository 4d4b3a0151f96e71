"""Faults of cables, at the end that is named first.

Where that is a host's, at the other one: taking a host's port down would lose its routes, which no
cable does.
"""

from __future__ import annotations

import contextlib
import re
import time
from typing import TYPE_CHECKING

from fabric.live.lab.cables import Cable, cable
from fabric.live.lab.errors import lab_error
from fabric.live.lab.faults.kind import Fault
from fabric.live.programs import ProgramError, ip_batch, run

if TYPE_CHECKING:
    from fabric.live.lab.layout import Layout, Node, Port

    Targets = tuple[str, ...]

_FLAPS, _FLAP_S = 3, 0.5
_MTU_BYTES = 1500
_LEAST_MTU_BYTES = 1280  # below it the kernel takes IPv6 off the port
_RATE = "100mbit"
_RATE_FORM = re.compile(r"[1-9][0-9]*(kbit|mbit|gbit)\Z")


def _end(layout: Layout, word: str) -> tuple[Node, Port]:
    found = cable(layout, word)
    return (found.a, found.a_port) if found.a.is_switch else (found.b, found.b_port)


def _is_cable(layout: Layout, targets: Targets) -> None:
    cable(layout, targets[0])


def _set(node: Node, port: Port, what: str) -> None:
    run(["ip", "-n", node.namespace, "link", "set", "dev", port.netdev, *what.split()])


def _down(layout: Layout, targets: Targets) -> None:
    _set(*_end(layout, targets[0]), "down")


def _up(layout: Layout, targets: Targets) -> None:
    _set(*_end(layout, targets[0]), "up")


def _flap(layout: Layout, targets: Targets) -> None:
    for _ in range(_FLAPS):
        try:
            _down(layout, targets)
            time.sleep(_FLAP_S)
        finally:
            _up(layout, targets)
        time.sleep(_FLAP_S)


def _mtu_check(layout: Layout, targets: Targets) -> None:
    _is_cable(layout, targets)
    size = targets[1] if len(targets) > 1 else str(_MTU_BYTES)
    if not size.isdecimal() or int(size) < _LEAST_MTU_BYTES:
        msg = f"mtu {size}: an MTU in bytes, {_LEAST_MTU_BYTES} or more"
        raise lab_error(msg)


def _mtu(layout: Layout, targets: Targets) -> None:
    size = targets[1] if len(targets) > 1 else str(_MTU_BYTES)
    _set(*_end(layout, targets[0]), f"mtu {size}")


def _mtu_back(layout: Layout, targets: Targets) -> None:
    node, port = _end(layout, targets[0])
    _set(node, port, f"mtu {port.mtu_bytes}")


def _rate_check(layout: Layout, targets: Targets) -> None:
    _is_cable(layout, targets)
    if len(targets) > 1 and not _RATE_FORM.match(targets[1]):
        msg = f"rate {targets[1]}: as in 100mbit, with kbit, mbit or gbit"
        raise lab_error(msg)


def _slow(layout: Layout, targets: Targets) -> None:
    rate = targets[1] if len(targets) > 1 else _RATE
    found = cable(layout, targets[0])
    for node, port in ((found.a, found.a_port), (found.b, found.b_port)):
        at = ["tc", "-n", node.namespace]
        on = ["dev", port.netdev]
        run([*at, "qdisc", "replace", *on, "root", "handle", "1:", "htb", "default", "1"])
        run([*at, "class", "replace", *on, "parent", "1:", "classid", "1:1", "htb", "rate", rate])


def _fast(layout: Layout, targets: Targets) -> None:
    found = cable(layout, targets[0])
    for node, port in ((found.a, found.a_port), (found.b, found.b_port)):
        at = ["tc", "-n", node.namespace, "qdisc"]
        if " htb " in run([*at, "show", "dev", port.netdev]):  # not after it was plugged anew
            run([*at, "delete", "dev", port.netdev, "root"])


def _pair(layout: Layout, targets: Targets) -> tuple[Cable, Cable]:
    """Both cables, each with the switch that they share as its first end."""
    one, two = (cable(layout, word) for word in targets)
    for first in (one, _turned(one)):
        for second in (two, _turned(two)):
            between = first.a.is_switch and first.b.is_switch and second.b.is_switch
            if between and first.a == second.a and first.a_port != second.a_port:
                return first, second
    msg = f"{targets[0]} and {targets[1]} are not two cables of one switch to other switches"
    raise lab_error(msg, "as in leaf-0:spine-0 leaf-0:spine-1")


def _turned(found: Cable) -> Cable:
    return Cable(found.b, found.b_port, found.a, found.a_port)


def _swap_check(layout: Layout, targets: Targets) -> None:
    _pair(layout, targets)


def _swap(layout: Layout, targets: Targets) -> None:
    one, two = _pair(layout, targets)
    _plug(one, two, ((one, two), (two, one)))


def _unswap(layout: Layout, targets: Targets) -> None:
    one, two = _pair(layout, targets)
    _plug(one, two, ((one, one), (two, two)))


def _plug(one: Cable, two: Cable, joined: tuple[tuple[Cable, Cable], ...]) -> None:
    """Pull both cables out and put new ones in: from the near end of one to the far end of another.

    A pair of devices cannot be parted, so all four ends are made anew, as ports that are plugged
    in while the switch runs; FRR gives them their addresses again. (Exchanging names instead
    confuses bgpd 8.4.4: now and then it takes its own prefixes for unreachable from then on.)
    """
    for node, port in ((one.a, one.a_port), (two.a, two.a_port)):
        with contextlib.suppress(ProgramError):  # gone already, when we were stopped half-way
            run(["ip", "-n", node.namespace, "link", "delete", "dev", port.netdev])
    ip_batch(
        f"link add name {near.a_port.netdev} mtu {near.a_port.mtu_bytes} netns {near.a.namespace} "
        f"type veth peer name {far.b_port.netdev} mtu {far.b_port.mtu_bytes} "
        f"netns {far.b.namespace}"
        for near, far in joined
    )
    for found in (one, two):
        _set(found.a, found.a_port, "up")
        _set(found.b, found.b_port, "up")


FAULTS = (
    Fault(
        "link-down",
        "CABLE",
        "a cable is unplugged",
        "both ends lose carrier at once; BGP goes another way",
        _down,
        _up,
        _is_cable,
    ),
    Fault(
        "link-flap",
        "CABLE",
        f"a cable goes down and up {_FLAPS} times",
        "carrier changes are counted; sessions start anew",
        _flap,
        None,
        _is_cable,
    ),
    Fault(
        "swap",
        "CABLE CABLE",
        "two cables of a switch are in each other's ports",
        "LLDP names all four ends; sessions stay down where the ASN or address is another",
        _swap,
        _unswap,
        _swap_check,
    ),
    Fault(
        "mtu",
        "CABLE [BYTES]",
        f"one end of a cable has a small MTU ({_MTU_BYTES} unless given)",
        "BGP and LLDP see nothing; packets of full size vanish on that cable",
        _mtu,
        _mtu_back,
        _mtu_check,
    ),
    Fault(
        "slow",
        "CABLE [RATE]",
        f"a cable carries little ({_RATE} unless given), both ways",
        "BGP and LLDP see nothing; flows that hash to it are slow",
        _slow,
        _fast,
        _rate_check,
    ),
)
