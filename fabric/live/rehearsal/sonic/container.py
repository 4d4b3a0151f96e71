"""The container of FRR in SONiC: its view of the disk, and what it makes of CONFIG_DB."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Any

from fabric.live.rehearsal.shell.interpreter import Call

if TYPE_CHECKING:
    from fabric.live.rehearsal.boxes.sonic import SonicBox
    from fabric.live.rehearsal.replies import Replies
    from fabric.live.rehearsal.sonic.database import Tables

_CONTAINER = "/var/lib/docker/bgp"  # where files lie that only the bgp container sees


class Routing:
    """The box as the FRR programs see it, with FRR's own words."""

    def __init__(self, sonic: SonicBox, words: Replies) -> None:
        self.__dict__["_sonic"], self.__dict__["replies"] = sonic, words

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sonic, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._sonic, name, value)


class _InsideCall(Call):
    """A call in the bgp container: it sees /etc/frr, and a disk of its own."""

    __slots__ = ()

    def path(self, text: str) -> str:
        """Where the host keeps what the container calls so."""
        inner = posixpath.normpath(posixpath.join("/", text))
        if inner.startswith("/etc/frr/"):
            return "/etc/sonic/frr/" + inner.removeprefix("/etc/frr/")
        return _CONTAINER + inner


def inside(call: Call) -> Call:
    """A call as the container sees it."""
    return _InsideCall(call.box, "root", call.args, call.stdin, "/")


def frr_lines(tables: Tables) -> str:
    """What bgpcfgd and frrcfgd make of CONFIG_DB, as far as sessions go."""
    meta = tables.get("DEVICE_METADATA", {}).get("localhost", {})
    instance = tables.get("BGP_GLOBALS", {}).get("default", {})
    asn = instance.get("local_asn") or meta.get("bgp_asn", "")
    if not asn.isdigit():
        return ""
    lines = [f"router bgp {asn}", " no bgp ebgp-requires-policy"]
    for key, row in tables.get("BGP_NEIGHBOR", {}).items():
        name = key.split("|")[-1]
        remote = row.get("asn") or row.get("peer_type", "external")
        kind = " interface" if name.startswith(("Ethernet", "PortChannel", "Vlan")) else ""
        lines.append(f" neighbor {name}{kind} remote-as {remote}")
        if row.get("admin_status") == "down":
            lines.append(f" neighbor {name} shutdown")
    return "\n".join(lines) + "\n"
