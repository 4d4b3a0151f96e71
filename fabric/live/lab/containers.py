"""What a node's container starts with: FRR or a host with a script, or a system's own container."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.live.lab import boot, seeds
from fabric.live.lab.errors import lab_error
from fabric.live.lab.planned import FRR
from fabric.report.containerlab import Container

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.live.lab.layout import Node, Port
    from fabric.live.lab.words import Words

    Files = dict[str, str]  # by path beside the topology

HOST = "host"
# The frrouting image of the branch that our FRR text was tried on (8.4.4 of Debian 12), and the
# image with iproute2, ping, iperf3 and tcpdump that containerlab's own tools use.
IMAGES = {FRR: "quay.io/frrouting/frr:8.4.2", HOST: "ghcr.io/srl-labs/network-multitool"}
_SCRIPT_PATH = "/fabric/start.sh"
_FRR_FILES = ("frr.conf", "daemons")
_SCRIPT = """\
# What {name} is told beyond its config; containerlab runs it when the cables are there.
set -e
# The way out of containerlab's network is none of the plan's.
ip -4 route del default dev eth0 2>/dev/null || true
ip -6 route del default dev eth0 2>/dev/null || true
{settings}
{links}
"""


@dataclass(frozen=True, slots=True)
class Vendor:
    """A system's own container: containerlab's ``kind``, the plan's ``file`` it starts with."""

    kind: str
    file: str
    image: str  # as containerlab's documentation calls it; vendors hand it out to customers
    port: re.Pattern[str]

    def netdev(self, port: str) -> str | None:
        """What a port of that name is called between containers; ``None``: there is none."""
        found = self.port.match(port)
        return f"eth{found[1].replace('/', '_')}" if found else None


# containerlab, Kinds, Arista cEOS: startup-config; eth1_1 is Ethernet1/1.
VENDORS = {
    "arista_eos": Vendor(
        "arista_ceos", "eos.cfg", "ceos:4.32.0F", re.compile(r"Ethernet([1-9][0-9]*(/[0-9]+)*)\Z")
    )
}
# What containerlab exchanges in a startup-config before the node reads it: $NAME, ${…}, $$, {{…}}.
_EXCHANGED = re.compile(r"\$[\w{$]|\{\{")


def of_linux(node: Node, words: Words, files: Files) -> Container:
    """A switch that runs FRR, or a host; its files are added to ``files``."""
    rendered, links = seeds.rendered_of(node, words)
    files[f"{node.name}/start.sh"] = _SCRIPT.format(
        name=node.name,
        settings=boot.set_lines(seeds.settings(node, rendered)),
        links="\n".join((*_mtus(node), links.strip())),
    )
    binds = [(f"{node.name}/start.sh", _SCRIPT_PATH)]
    if node.is_switch:
        own = {file.name: file.text for file in rendered.files if file.name in _FRR_FILES}
        own["vtysh.conf"] = seeds.VTYSH_CONF
        files.update({f"{node.name}/{name}": text for name, text in own.items()})
        binds += [(f"{node.name}/{name}", f"/etc/frr/{name}") for name in own]
    return Container(
        name=node.name,
        group=FRR if node.is_switch else HOST,
        management=node.management,
        binds=tuple(binds),
        commands=(f"sh {_SCRIPT_PATH}",),
    )


def _mtus(node: Node) -> Iterator[str]:
    """Both ends of a cable get one MTU from containerlab; the plan's may differ."""
    for port in node.ports:
        yield f"ip link set dev {port.netdev} mtu {port.mtu_bytes}"


def of_vendor(node: Node, vendor: Vendor, words: Words, files: Files) -> Container:
    """A switch in its system's own container, which starts with the plan's text.

    Raises:
        LabError: containerlab would change the text.
    """
    rendered = words.planned(node.name)
    text = next(file.text for file in rendered.files if file.name == vendor.file)
    found = _EXCHANGED.search(text)
    if found is not None:
        msg = f"{node.name} {vendor.file} has {found[0]!r}, which containerlab would exchange"
        raise lab_error(msg, "--images frr: FRR takes its place")
    path = f"{node.name}/{vendor.file}"
    files[path] = text
    return Container(node.name, rendered.platform, node.management, startup_config=path)


def end(node: Node, port: Port, vendor: Vendor | None) -> tuple[str, str]:
    """A cable's end as containerlab names it."""
    return node.name, (vendor.netdev(port.name) if vendor else None) or port.netdev
