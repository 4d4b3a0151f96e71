"""BGP sessions as the running configuration has them, and what shows them."""

from __future__ import annotations

import re
from ipaddress import ip_interface
from typing import TYPE_CHECKING, Any, TypeAlias

from fabric.live.rehearsal.box import Peering
from fabric.live.rehearsal.cli import texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from ipaddress import IPv4Interface, IPv6Interface

    from fabric.live.rehearsal.box import PeerState
    from fabric.live.rehearsal.cli.device import CliBox

Interface: TypeAlias = "IPv4Interface | IPv6Interface"


def peerings(box: CliBox) -> tuple[Peering, ...]:
    """Sessions, in the order of the configuration.

    The data's ``bgp`` has regular expressions on the lines with all that stands above them:
    ``asn``, ``peers`` (groups ``remote`` or ``port``, ``asn``), ``addresses`` (``port``,
    ``address``, ``mask``), ``down`` (``port`` or ``remote``).
    """
    data = box.system.main.get("bgp")
    if not data:
        return ()
    lines = box.form.flat(box.running)
    if box.told[0] != lines:  # each session of each neighbour asks
        box.told = (lines, _read(box, data, lines))
    return box.told[1]


def _read(box: CliBox, data: Mapping[str, Any], lines: Sequence[str]) -> tuple[Peering, ...]:
    asn = next((m["asn"] for m in _all(lines, [data["asn"]])), "0")
    ports = _addresses(lines, data["addresses"])
    down = {m["what"] for m in _all(lines, data.get("down", []))}
    found: dict[str, Peering] = {}
    for match in _all(lines, data["peers"]):
        groups = match.groupdict()
        peering = _peering(box, groups, int(asn), ports, down)
        known = found.get(peering.remote or peering.port)
        if known is None or not known.remote_asn:
            found[peering.remote or peering.port] = peering
    return tuple(found.values())


def _all(lines: Sequence[str], patterns: Sequence[str]) -> Iterator[re.Match[str]]:
    for pattern in map(re.compile, patterns):
        for line in lines:
            if match := pattern.search(line):
                yield match


def _addresses(lines: Sequence[str], patterns: Sequence[str]) -> list[tuple[str, Interface]]:
    found = []
    for match in _all(lines, patterns):
        length = match.groupdict().get("mask")
        text = f"{match['address']}/{length}" if length else match["address"]
        found.append((match["port"], ip_interface(text)))
    return found


def _peering(
    box: CliBox,
    groups: dict[str, str | None],
    asn: int,
    ports: list[tuple[str, Interface]],
    down: set[str],
) -> Peering:
    remote, port = groups.get("remote") or "", groups.get("port") or ""
    local = ""
    at = ip_interface(remote).ip if remote else None
    for name, own in ports if at else ():
        if at in own.network:
            port, local = name, str(own.ip)
    told = groups.get("asn") or ""
    up = not {port, remote} & down
    number = int(told) if told.isdigit() else 0
    return Peering(box.setup.device, port, local, remote, asn, number, up)


def summary(box: CliBox, family: str = "") -> str:
    """The rows of the sessions (4, 6, or all), as the system shows them."""
    data = box.system.main["bgp"]
    rows = []
    for peering in peerings(box):
        if family and family != ("6" if ":" in peering.remote else "4"):
            continue
        state = box.world.peers.state(peering)
        up = state.state == "Established"
        asn = peering.remote_asn or state.remote_asn
        facts = {
            "peer": peering.remote
            or data.get("port", "<<port>>").replace("<<port>>", peering.port),
            "asn": str(asn or "0"),
            "state": data.get("words", {}).get(state.state, state.state),
            "since": _since(state, data.get("since", "hms")),
            "peerhost": state.hostname or "",
        }
        rows.append(texts.fill(data["row"] if up else data.get("row_down", data["row"]), facts))
    return "".join(f"{row}\n" for row in rows)


def _since(state: PeerState, style: str) -> str:
    hours, rest = divmod(int(state.since_s), 3600)
    minutes, seconds = divmod(rest, 60)
    if style == "long":
        return (
            f"{hours:04d}h{minutes:02d}m" if hours else f"{hours:02d}:{minutes:02d}:{seconds:02d}"
        )
    if style == "junos":
        return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
    return f"{hours:02d}:{minutes:02d}:{seconds:02d}"


def facts(box: CliBox) -> dict[str, str]:
    """What headers of the summaries speak of."""
    data = box.system.main["bgp"]
    lines = box.form.flat(box.running)
    told = peerings(box)
    up = [box.world.peers.state(one).state == "Established" for one in told]
    router = next((m["id"] for m in _all(lines, [data["router_id"]])), "0.0.0.0")  # noqa: S104
    return {
        "asn": next((m["asn"] for m in _all(lines, [data["asn"]])), ""),
        "router_id": router,
        "peer_count": str(len(told)),
        "up_count": str(sum(up)),
        "down_count": str(len(up) - sum(up)),
    }
