"""Faults of what runs on a switch: a wrong ASN, a daemon that is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.lab import boot
from fabric.live.lab.errors import lab_error
from fabric.live.lab.faults.kind import Fault
from fabric.live.lab.find import node_of
from fabric.live.lab.nodes import shell

if TYPE_CHECKING:
    from fabric.live.lab.layout import Layout, Node

    Targets = tuple[str, ...]

_WRONG_ASN = 65_534  # the last private one of two bytes: no plan of ours begins there
_MOST_ASN = 2**32 - 2
_KILL = 'kill -9 "$(cat /run/frr/{daemon}.pid)"'
# A process that was killed leaves its file; while another runs under that number, nothing is begun.
_START = 'kill -0 "$(cat /run/frr/{daemon}.pid)" 2>/dev/null || {start}'
_WAIT = """\
for _ in 1 2 3 4 5 6 7 8 9 10; do
    vtysh -d {daemon} -c 'show version' && break
    sleep 0.2
done
"""


def _switch(layout: Layout, name: str) -> Node:
    node = node_of(layout, name)
    if not node.is_switch:
        msg = f"{name} is a host: it runs no FRR"
        raise lab_error(msg, "name a switch")
    return node


def _asn(targets: Targets) -> int:
    return int(targets[1]) if len(targets) > 1 else _WRONG_ASN


def _asn_check(layout: Layout, targets: Targets) -> None:
    node = _switch(layout, targets[0])
    if len(targets) > 1 and not (targets[1].isdecimal() and 0 < int(targets[1]) <= _MOST_ASN):
        msg = f"{targets[1]} is no ASN"
        raise lab_error(msg, f"a number from 1 to {_MOST_ASN}")
    if _asn(targets) == node.asn:
        msg = f"{node.name} has ASN {node.asn} already"
        raise lab_error(msg, "another one")


def _wrong_asn(layout: Layout, targets: Targets) -> None:
    node, asn = _switch(layout, targets[0]), _asn(targets)
    text = shell(layout.name, node, "cat /etc/frr/frr.conf")
    wrong = text.replace(f"router bgp {node.asn}\n", f"router bgp {asn}\n")
    _without_bgp(layout, node, node.asn)
    shell(layout.name, node, "cat >/tmp/wrong.conf && vtysh -f /tmp/wrong.conf", given=wrong)


def _right_asn(layout: Layout, targets: Targets) -> None:
    node = _switch(layout, targets[0])
    _without_bgp(layout, node, _asn(targets))
    shell(layout.name, node, boot.LOAD)


def _without_bgp(layout: Layout, node: Node, asn: int | None) -> None:
    shell(layout.name, node, f"vtysh -c 'configure terminal' -c 'no router bgp {asn}'")


def _daemon(targets: Targets) -> str:
    return targets[1] if len(targets) > 1 else "bgpd"


def _daemon_check(layout: Layout, targets: Targets) -> None:
    node = _switch(layout, targets[0])
    known = [name for name in boot.FRR_DAEMONS if name != "bfdd" or node.bfd]
    if _daemon(targets) not in known:
        msg = f"{node.name} runs no {_daemon(targets)}"
        raise lab_error(msg, f"one of {', '.join(known)}")


def _killed(layout: Layout, targets: Targets) -> None:
    shell(layout.name, _switch(layout, targets[0]), _KILL.format(daemon=_daemon(targets)))


def _started(layout: Layout, targets: Targets) -> None:
    """Start the daemon, and what hangs on it: bgpd does not tell a new zebra all it knows."""
    node, daemon = _switch(layout, targets[0]), _daemon(targets)
    if daemon == "zebra":
        for other in ("staticd", "bgpd"):
            shell(layout.name, node, _KILL.format(daemon=other) + " || true")
    daemons = ("zebra", "staticd", "bgpd") if daemon == "zebra" else (daemon,)
    for name in daemons:
        start = _START.format(daemon=name, start=boot.frr_daemon(name))
        shell(layout.name, node, f"{start}; {_WAIT.format(daemon=name)}")
    shell(layout.name, node, boot.LOAD)


FAULTS = (
    Fault(
        "wrong-asn",
        "SWITCH [ASN]",
        f"a switch runs BGP with another ASN ({_WRONG_ASN} unless given)",
        "its sessions do not come up: the neighbours expect the planned one",
        _wrong_asn,
        _right_asn,
        _asn_check,
    ),
    Fault(
        "daemon-killed",
        "SWITCH [DAEMON]",
        "a daemon of FRR is gone (bgpd, zebra or staticd)",
        "bgpd: its routes vanish and neighbours go another way; "
        "zebra: sessions stay, routes of the kernel freeze",
        _killed,
        _started,
        _daemon_check,
    ),
)
