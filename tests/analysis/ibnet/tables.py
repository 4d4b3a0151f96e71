"""OpenSM's dumps (``opensm-subnet.lst``, ``opensm.fdbs``) and ibdmchk's report, read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tests.analysis.ibnet.netlist import Ports

_END = (
    r"\{ (CA|CA-SM|SW) Ports:\w+ SystemGUID:\w+ NodeGUID:(\w+) PortGUID:\w+ VenID:\w+ DevID:\w+"
    r" Rev:\w+ \{([^}]*)\} LID:(\w+) PN:(\w+) \}"
)
_CABLE = re.compile(rf"{_END} {_END} PHY=\S+ LOG=ACT SPD=\S+")
_SWITCH = re.compile(r"dump_ucast_routes: Switch 0x([0-9a-f]{16})")
_ROUTE = re.compile(r"0x([0-9A-F]{4}) : (\d{3})  : \d{2}   : yes")
_HEADING = "LID    : Port : Hops : Optimal"
_ROUTE_PORT = re.compile(r"S([0-9a-f]{16})/U1/P(\d+) VL: (\d+)$", re.MULTILINE)
_LOOP, _NO_LOOP = "-E- credit loops in routing", "-I- no credit loops found"


class Channel(NamedTuple):
    """A directed cable from a switch to a switch, with its port on the first."""

    tail: str
    head: str
    port: int


class Route(NamedTuple):
    """How packets get to one destination: where it stands, and each other switch's ways out."""

    at: str
    ways: dict[str, tuple[Channel, ...]]


@dataclass(frozen=True)
class Subnet:
    """``ends``: far end of each (switch, port) that leads to a switch, ``channels`` the same.

    ``sources``: switches with hosts. ``routes``: by LID of a host. ``names``: switches by GUID.
    """

    sources: frozenset[str]
    ends: Ports
    channels: dict[tuple[str, int], Channel]
    routes: dict[int, Route]
    names: dict[str, str]


def read(subnet: str, tables: str) -> Subnet:
    """The cables and the single way to each host.

    Raises:
        ValueError: a line that is not understood, or a switch without a way to a host.
    """
    names: dict[str, str] = {}
    ends: Ports = {}
    stands: dict[int, str] = {}
    for line in subnet.splitlines():
        found = _CABLE.fullmatch(line)
        if found is None:
            msg = f"no cable: {line}"
            raise ValueError(msg)
        kind, guid, name, _, port, far_kind, _, far, far_lid, far_port = found.groups()
        if kind != "SW":
            continue
        names[guid.lower()] = name
        if far_kind == "SW":
            ends[name, int(port, 16)] = (far, int(far_port, 16))
        else:
            stands[int(far_lid, 16)] = name
    channels = {(name, port): Channel(name, far, port) for (name, port), (far, _) in ends.items()}
    ports = _ports(tables, names)
    routes = {lid: _route(lid, at, ports, channels) for lid, at in stands.items()}
    return Subnet(frozenset(stands.values()), ends, channels, routes, names)


def _ports(tables: str, names: dict[str, str]) -> dict[str, dict[int, int]]:
    """Switch → LID → port."""
    ports: dict[str, dict[int, int]] = {}
    now: dict[int, int] = {}
    for line in tables.splitlines():
        if found := _ROUTE.fullmatch(line.rstrip()):
            now[int(found[1], 16)] = int(found[2])
        elif found := _SWITCH.fullmatch(line):
            now = ports.setdefault(names[found[1]], {})
        elif line and line != _HEADING:
            msg = f"no route: {line}"
            raise ValueError(msg)
    return ports


def _route(
    lid: int,
    at: str,
    ports: dict[str, dict[int, int]],
    channels: dict[tuple[str, int], Channel],
) -> Route:
    ways: dict[str, tuple[Channel, ...]] = {}
    for switch, table in ports.items():
        if lid not in table or (switch != at and (switch, table[lid]) not in channels):
            msg = f"{switch} has no way to LID {lid}"
            raise ValueError(msg)
        if switch != at:
            ways[switch] = (channels[switch, table[lid]],)
    return Route(at, ways)


def with_ports(tables: str, names: dict[str, str], ports: dict[tuple[str, int], int]) -> str:
    """The same tables with other ports where ``ports`` has (switch, LID); hops are left alone."""
    lines, switch = [], ""
    for line in tables.splitlines():
        if found := _SWITCH.fullmatch(line):
            switch = names[found[1]]
        found = _ROUTE.fullmatch(line.rstrip())
        key = (switch, int(found[1], 16)) if found else None
        lines.append(line if key not in ports else f"{line[:9]}{ports[key]:03}{line[12:]}")
    return "\n".join(lines) + "\n"


def levels(ports: Ports, names: dict[str, str], raised: Ports) -> str:
    """ibdmchk's SL2VL file: packets that come in by a port of ``raised`` go out on VL 1, else 0.

    ``ports``: all (switch, port). A line: switch, port in, port out, VLs of the 16 SLs.
    """
    guids = {name: guid for guid, name in names.items()}
    lines = []
    for switch, come in ports:
        vls = " ".join(["0x11" if (switch, come) in raised else "0x00"] * 8)
        lines += [
            f"0x{guids[switch]} {come} {out} {vls}\n" for near, out in ports if near == switch
        ]
    return "".join(lines)


@dataclass(frozen=True)
class Verdict:
    """ibdmchk's: whether there is a credit loop, one of them, and the use of switch ports.

    ``loop``: its (switch, port), the last hop first, empty without one. ``used``: how many ports
    from switch to switch carry packets for how many LIDs, at least one.
    """

    has_loop: bool
    loop: tuple[tuple[str, int], ...]
    used: dict[int, int]


def verdict(said: str, names: dict[str, str]) -> Verdict:
    """What ibdmchk's report says of the subnet whose switches have these GUIDs.

    Raises:
        ValueError: no verdict in it, two of them, or paths that do not arrive.
    """
    if (said.count(_LOOP), said.count(_NO_LOOP)) not in ((1, 0), (0, 1)) or "Fail to" in said:
        msg = f"no verdict: {said[-500:]}"
        raise ValueError(msg)
    table = said.partition("NUM-DLIDS NUM-SWITCH-PORTS\n")[2].partition("\n---")[0]
    rows = (map(int, line.split()) for line in table.splitlines())
    used = {lids: ports for lids, ports in rows if lids}  # idle switches it does not count
    # The walk back from where the loop closes, on past it to the host that it began at.
    back = [(names.get(guid), int(port), vl) for guid, port, vl in _ROUTE_PORT.findall(said)]
    once = back[: back.index(back[0], 1)] if back else []
    loop = [(name, port) for name, port, _ in once if name]
    return Verdict(_LOOP in said, tuple(loop), used)
