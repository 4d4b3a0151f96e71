"""``show route | display json``: active routes of the main tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.reading import Facts, Json, Reading
from fabric.platforms.juniper_junos.readers.leaves import children, elements, has, leaf

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOP = "route-information"
_TABLES = ("inet.0", "inet6.0")
_OWN = ("Direct", "Local")


def routes(text: str) -> Reading:
    """``routes`` by prefix, with all next hops; a discard route has none."""
    document = has(text, _TOP)
    if document is None:
        return Reading()
    found: Facts = {}
    for table in elements(document, "route-table"):
        if leaf(table, "table-name") in _TABLES:
            found.update(_of_table(table))
    return Reading({"routes": found})


def _of_table(table: dict[str, Json]) -> Iterator[tuple[str, Json]]:
    for route in children(table, "rt"):
        prefix = _prefix(route)
        entry = next((one for one in children(route, "rt-entry") if _active(one)), None)
        if prefix is None or entry is None:
            continue
        hops = children(entry, "nh") if "nh" in entry else []
        port = next((p for hop in hops if (p := _interface(hop)) is not None), None)
        if leaf(entry, "protocol-name") in _OWN and port is not None:
            yield prefix, {"connected": port}
        else:
            found: Facts = {"next_hops": [hop for one in hops if (hop := _hop(one))]}
            protocol = leaf(entry, "protocol-name")
            yield prefix, {**found, "protocol": protocol.lower()} if protocol else found


def _prefix(route: dict[str, Json]) -> str | None:
    """Detailed output has the length apart."""
    prefix, length = leaf(route, "rt-destination"), leaf(route, "rt-prefix-length")
    if prefix is None or "/" in prefix or length is None:
        return prefix
    return f"{prefix}/{length}"


def _active(entry: dict[str, Json]) -> bool:
    return "*" in (leaf(entry, "active-tag") or "") or "current-active" in entry


def _interface(hop: dict[str, Json]) -> str | None:
    return leaf(hop, "via") or leaf(hop, "nh-local-interface")


def _hop(hop: dict[str, Json]) -> Facts:
    found: Facts = {"via": leaf(hop, "to"), "interface": _interface(hop)}
    return {key: value for key, value in found.items() if value is not None}
