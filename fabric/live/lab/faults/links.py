"""Faults of cables, at the end that is named first.

Where that is a host's, at the other one: taking a host's port down would lose its routes, which no
cable does.
"""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING

from fabric.live.lab.cables import cable
from fabric.live.lab.errors import lab_error
from fabric.live.lab.faults.kind import Fault
from fabric.live.lab.nodes import shell
from fabric.live.programs import ip_batch, run

if TYPE_CHECKING:
    from fabric.live.lab.layout import Layout, Node, Port

    Targets = tuple[str, ...]

_FLAPS, _FLAP_S = 3, 0.5
_MTU_BYTES = 1500
_LEAST_MTU_BYTES = 1280  # below it the kernel takes IPv6 off the port
_RATE = "100mbit"
_RENAMED_S = 1.0
# bgpd 8.4.4 sometimes goes on taking its own prefixes for unreachable after ports were renamed,
# which no plug does on a real switch: have it look again. A bgpd that is down needs none of this.
_LOOK_AGAIN = (
    "vtysh -c 'configure terminal' -c 'router bgp {asn}' "
    "-c 'no bgp network import-check' -c 'bgp network import-check' || true"
)
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
        run(["tc", "-n", node.namespace, "qdisc", "delete", "dev", port.netdev, "root"])


def _shared(layout: Layout, targets: Targets) -> tuple[Node, Port, Port]:
    """The switch that both cables are on, and its two ports."""
    first, second = (cable(layout, word) for word in targets)
    for node, port in ((first.a, first.a_port), (first.b, first.b_port)):
        for other, far in ((second.a, second.a_port), (second.b, second.b_port)):
            if node.is_switch and node.name == other.name and port.netdev != far.netdev:
                return node, port, far
    msg = f"{targets[0]} and {targets[1]} are not two cables of one switch"
    raise lab_error(msg, "as in leaf-0:spine-0 leaf-0:spine-1")


def _swap_check(layout: Layout, targets: Targets) -> None:
    _shared(layout, targets)


def _swap(layout: Layout, targets: Targets) -> None:
    """Exchange two plugs of a switch: far ends move, names, addresses and MACs of its ports stay.

    The devices are what the cables hang on, so it is the names that change places.
    """
    node, one, two = _shared(layout, targets)
    said = json.loads(run(["ip", "-n", node.namespace, "-j", "link", "show"]))
    mac = {item["ifname"]: item["address"] for item in said}
    spare = "swapping"
    lines = []
    for port in (one, two):
        lines.append(f"link set dev {port.netdev} down")
        lines.append(f"address flush dev {port.netdev} scope global")
    for old, new in ((one.netdev, spare), (two.netdev, one.netdev), (spare, two.netdev)):
        lines.append(f"link set dev {old} name {new}")
    for port in (one, two):
        lines.append(f"link set dev {port.netdev} address {mac[port.netdev]}")
        lines += [f"address replace {a} dev {port.netdev}" for a in port.addresses]
        lines.append(f"link set dev {port.netdev} up")
    ip_batch(lines, namespace=node.namespace)
    time.sleep(_RENAMED_S)
    shell(layout.name, node, _LOOK_AGAIN.format(asn=node.asn))


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
        _swap,
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
