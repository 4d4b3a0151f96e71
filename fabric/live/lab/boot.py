"""How a node starts: the script that is process 1 of a node, and the ``ip`` lines it carries out.

A node has a mount namespace with /etc, /var and /home of its own (copy on write, on a small private
disk), an empty /root, and its own /run, /tmp and /var/log, so that daemons find their usual paths
and nothing is written to the machine. It has a PID namespace: with its process 1 all that it ever
started ends.
"""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

from fabric.live.lab.names import MANAGEMENT_NETDEV

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from fabric.live.lab.layout import Node
    from fabric.model.device import Svi
    from fabric.text.host import NicWords

USER = "admin"  # who logs in: may use vtysh and write FRR's files
USER_ID = 2001
DISK_KB = 8192
FRR_DAEMONS = {
    "zebra": "-A 127.0.0.1 -s 90000000",
    "staticd": "-A 127.0.0.1",
    "bgpd": "-A 127.0.0.1",
    "bfdd": "-A 127.0.0.1",
}
# vtysh warns on standard error that it has nobody to ask (PAM); it carries on.
LOAD = "vtysh -b"

_SCRIPT = """\
# Process 1 of {name}
set -e
umount -R -l /run/netns 2>/dev/null || true # the other nodes' namespaces stay theirs alone
mount -t sysfs sysfs /sys
mount -t tmpfs -o size={disk_kb}k,mode=755 {name} /mnt
for part in etc var home; do
    mkdir -p /mnt/$part.upper /mnt/$part.work
    over=lowerdir=/$part,upperdir=/mnt/$part.upper,workdir=/mnt/$part.work
    mount -t overlay {name}-$part -o "$over" "/$part"
done
mkdir -m 700 /mnt/root
mount --bind /mnt/root /root # empty: the machine's is not this node's
rm -rf /etc/frr /etc/lldpd.conf /etc/lldpd.d # the machine's own are not this node's
cp -a {seed}/. /
hostname {name}
mount -t tmpfs -o size=8m,mode=755 run /run
mount -t tmpfs -o size=8m,mode=1777 tmp /tmp
mount -t tmpfs -o size=8m,mode=755 log /var/log # a log of the machine must not show through
mkdir -p /run/sshd /run/lldpd /run/frr /var/log/frr /home/{user}
chown {user}: /home/{user}
{owners}
{settings}
{links}
{daemons}
: >/run/started
while :; do sleep 3600 & wait $! || true; done # reaps what its parents left
"""
_SET_TO = (
    'set_to() { if [ -e "/proc/sys/$1" ]; then echo "$2" >"/proc/sys/$1" 2>/dev/null || true; fi; }'
)
_FRR_OWNERS = (
    "chown frr:frr /run/frr /var/log/frr && chmod 775 /run/frr /var/log/frr\n"
    "chown -R frr:frr /etc/frr && chmod 775 /etc/frr && chmod 664 /etc/frr/*"
)


def script(
    node: Node, seed: Path, links: str, settings: Iterable[tuple[str, str]], daemons: Iterable[str]
) -> str:
    """The whole script. ``settings``: below /proc/sys, one that the kernel lacks is passed over."""
    return _SCRIPT.format(
        name=quote(node.name),
        disk_kb=DISK_KB,
        seed=quote(str(seed)),
        user=USER,
        owners=_FRR_OWNERS if node.is_switch else "",
        settings=set_lines(settings),
        links=links,
        daemons="\n".join(daemons),
    )


def set_lines(settings: Iterable[tuple[str, str]]) -> str:
    """Shell text that sets what the kernel has of these, by path below /proc/sys."""
    return "\n".join(
        (_SET_TO, *(f"set_to {quote(path)} {quote(value)}" for path, value in settings))
    )


def frr_daemon(name: str) -> str:
    """The command that starts one of FRR's daemons."""
    return f"/usr/lib/frr/{name} -d {FRR_DAEMONS[name]} --log file:/var/log/frr/{name}.log"


def daemons(node: Node) -> list[str]:
    """Commands that start a node's daemons; one of FRR's that fails is seen by what is missing."""
    netdevs = ",".join(port.netdev for port in node.ports)
    lines = ["/usr/sbin/sshd"]
    if netdevs:
        lines.append(f"/usr/sbin/lldpd -I {quote(netdevs)}")
    if node.is_switch:
        wanted = ["zebra", "staticd", "bgpd", *(["bfdd"] if node.bfd else [])]
        lines += [frr_daemon(name) for name in wanted]
        lines.append(f"{LOAD} >/var/log/frr/load.log 2>&1 || true")
    return lines


def switch_links(node: Node, svis: Iterable[Svi]) -> list[str]:
    """``ip`` lines of a switch: ports up; FRR gives them their addresses."""
    lines = ["link set dev lo up"]
    for svi in svis:
        lines.append(f"link add name {svi.name} type bridge")
        lines += [f"link set dev {port} master {svi.name}" for port in svi.ports]
        lines.append(f"link set dev {svi.name} mtu {svi.mtu_bytes} up")
    return [*lines, *(f"link set dev {port.netdev} up" for port in node.ports)]


def host_links(nics: Iterable[NicWords]) -> dict[int, list[str]]:
    """``ip`` lines of a host by family: what its network configuration says."""
    lines: dict[int, list[str]] = {4: ["link set dev lo up"], 6: []}
    for nic in nics:
        lines[4].append(f"link set dev {nic.netdev} up")
        for address in nic.addresses:
            lines[6 if ":" in address else 4].append(f"address add {address} dev {nic.netdev}")
        for rule in nic.rules:
            lines[rule.family].append(
                f"rule add from {rule.address} lookup {nic.table} priority {nic.table}"
            )
        for route in nic.routes:
            way = f"via {route.via} dev {nic.netdev}" if route.via else f"dev {nic.netdev}"
            lines[route.family].append(f"route add {route.to} {way} table {nic.table}")
    return lines


def management(node: Node, length: int) -> list[str]:
    """``ip`` lines of the way to a node."""
    return [
        f"address add {node.management}/{length} dev {MANAGEMENT_NETDEV}",
        f"link set dev {MANAGEMENT_NETDEV} up",
    ]


def batch(lines: Iterable[str], family: int = 4) -> str:
    """Shell text that has ``ip`` carry the lines out."""
    text = "\n".join(lines)
    return f"ip -{family} -batch - <<'END'\n{text}\nEND" if text else ""


def kernel_settings(text: str) -> list[tuple[str, str]]:
    """Settings of a sysctl file as paths below /proc/sys; a dot in a device's name stays one.

    A dash in front means: where the kernel has it.
    """
    found = []
    for line in text.splitlines():
        key, equals, value = line.strip().partition("=")
        if equals and not line.startswith("#"):
            found.append((_path(key.strip().lstrip("-")), value.strip()))
    return found


def _path(key: str) -> str:
    """Of ``net.ipv4.conf.eth1.100.rp_filter`` the device is all between ``conf`` and the last."""
    parts = key.split(".")
    if "conf" in parts[:-1]:
        at = parts.index("conf") + 1
        parts[at:-1] = [".".join(parts[at:-1])]
    return "/".join(parts)
