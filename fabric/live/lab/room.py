"""What a lab takes of the machine, and what there is: memory, and the kernel's neighbour tables.

All namespaces share one neighbour table for IPv4 (ARP) and one for IPv6. When it is full nobody's
address is resolved any more, in any namespace: sessions of every lab and of the machine itself stay
down. So the labs that are up are counted, too.
"""

from __future__ import annotations

from collections import Counter
from ipaddress import ip_interface
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fabric.live.lab import state
from fabric.live.lab.errors import lab_error

if TYPE_CHECKING:
    from fabric.live.lab.layout import Layout

# Measured, zebra, bgpd, staticd, sshd and lldpd of a switch, sshd and lldpd of a host, rounded up.
SWITCH_MIB, HOST_MIB = 30, 5
_MEMORY_SHARE = 0.7  # of what is available
_MOST_NODES = 250  # a k=8 fat-tree has 80 switches and 128 hosts; more nobody has measured
_THRESHOLDS = tuple(
    Path(f"/proc/sys/net/{family}/neigh/default/gc_thresh3") for family in ("ipv4", "ipv6")
)
_USUAL_ENTRIES = 1024  # kernel, net/ipv4/arp.c and net/ipv6/ndisc.c: gc_thresh3
_SYSCTL = "sysctl -w net.ipv4.neigh.default.gc_thresh3={0} net.ipv6.neigh.default.gc_thresh3={0}"


class Room(NamedTuple):
    """``entries``: of one neighbour table."""

    memory_mib: int
    entries: int
    nodes: int


def needed(layout: Layout) -> Room:
    """What a lab takes.

    Both ends of a cable know each other, a node and the machine do once it was reached by SSH, and
    in a VLAN all hosts do.
    """
    switches, hosts = len(layout.switches), len(layout.hosts)
    subnets = Counter(
        ip_interface(address).network
        for host in layout.hosts
        for port in host.ports
        for address in port.addresses
    )
    shared = sum(count * (count - 1) for count in subnets.values())
    entries = 2 * (len(layout.cables) + len(layout.nodes)) + shared
    return Room(switches * SWITCH_MIB + hosts * HOST_MIB, entries, switches + hosts)


def left() -> Room:
    """What one more lab may take."""
    others = [known.layout for name in state.names() if (known := state.read(name)) is not None]
    entries = most_entries() - sum(needed(layout).entries for layout in others)
    return Room(int(available_mib() * _MEMORY_SHARE), entries, _MOST_NODES)


def require(layout: Layout) -> None:
    """Refuse a lab that the machine has no room for.

    Raises:
        LabError: it says what fits.
    """
    wanted, there = needed(layout), left()
    shares = [want / max(have, 1) for want, have in zip(wanted, there, strict=True)]
    if max(shares) <= 1:
        return
    switches, hosts = len(layout.switches), len(layout.hosts)
    message = (
        f"{switches:,} switches, {hosts:,} hosts and {len(layout.cables):,} cables need about "
        f"{wanted.memory_mib:,} MiB of memory and {wanted.entries:,} entries of the kernel's "
        f"neighbour table, which all labs share; here {there.memory_mib:,} MiB and "
        f"{max(there.entries, 0):,} entries are left, and more than {_MOST_NODES} nodes were "
        "never measured"
    )
    fits, each = int(switches / max(shares)), f"{hosts / max(switches, 1):.3g}"
    hint = (
        f"about {fits:,} such switches with {each} hosts each fit: fewer pods, leaves, hosts or "
        "cables in a copy of the inventory"
    )
    if wanted.entries > there.entries:
        hint += f"; more entries: {_SYSCTL.format(_power(most_entries(), wanted, there))}"
    raise lab_error(message, hint)


def _power(now: int, wanted: Room, there: Room) -> int:
    """The power of two that has room for the labs that are up and this one."""
    return 1 << (now - there.entries + wanted.entries - 1).bit_length()


def available_mib() -> int:
    """Memory that programs can still have."""
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) // 1024
    return 0


def most_entries() -> int:
    """Entries that the smaller neighbour table may have; a container is not told."""
    return min(map(_number, _THRESHOLDS))


def _number(path: Path) -> int:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return _USUAL_ENTRIES
