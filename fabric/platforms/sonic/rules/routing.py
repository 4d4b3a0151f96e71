"""The device itself and its BGP: type, mode of the routing container, neighbours, route maps."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

from fabric.platforms.sonic.database import number, rows
from fabric.platforms.sonic.rules import missing, outside, unlike

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.platforms.sonic.database import ConfigDb, Row

_TYPES_TEXT = """
ToRRouter LeafRouter SpineRouter LowerSpineRouter UpperSpineRouter FabricSpineRouter
BackEndToRRouter BackEndLeafRouter BackEndSpineRouter MgmtToRRouter MgmtLeafRouter
MgmtSpineRouter not-provisioned
"""
_TYPES = frozenset(_TYPES_TEXT.split())
_MODES = frozenset({"unified", "split", "split-unified"})
_MODELS = frozenset({"traditional", "dynamic"})
_MAX_ASN = 4_294_967_295
_MAX_PATHS = 256


def metadata(config: ConfigDb) -> Iterator[str]:
    """The routing mode is stated and not `separated`, in which the box writes BGP itself."""
    where = "DEVICE_METADATA|localhost"
    row = rows(config, "DEVICE_METADATA").get("localhost")
    if row is None:
        yield f"{where}: there is no such row"
        return
    yield from missing(where, row, "hostname", "type", "docker_routing_config_mode")
    yield from unlike(where, row, "type", _TYPES)
    yield from unlike(where, row, "docker_routing_config_mode", _MODES)
    yield from unlike(where, row, "buffer_model", _MODELS)
    yield from outside(where, row, "bgp_asn", 1, _MAX_ASN)
    if row.get("docker_routing_config_mode") == "split":
        yield f"{where}: split deletes frr.conf at each start of bgp, split-unified keeps it"


def neighbours(config: ConfigDb) -> Iterator[str]:
    """Neighbours of bgpcfgd are addresses; an interface needs `default|`, and that BGP_GLOBALS."""
    instances = rows(config, "BGP_GLOBALS")
    for key, row in rows(config, "BGP_NEIGHBOR").items():
        where = f"BGP_NEIGHBOR|{key}"
        instance, bar, _peer = key.partition("|")
        if bar and instance not in instances:
            yield f"{where}: there is no BGP_GLOBALS|{instance}"
        if not bar and not _is_address(key):
            yield f"{where}: is no address; an interface needs default|{key}"
        yield from outside(where, row, "asn", 1, _MAX_ASN)
        if "asn" not in row and "peer_type" not in row:
            yield f"{where}: neither asn nor peer_type says who is there"


def unified(config: ConfigDb) -> Iterator[str]:
    """Under frrcfgd a session wants policy both ways, and one path is the default."""
    policies = rows(config, "ROUTE_MAP_SET")
    active = rows(config, "BGP_NEIGHBOR_AF")
    for key in rows(config, "BGP_NEIGHBOR"):
        if "|" in key and not any(row.startswith(f"{key}|") for row in active):
            yield f"BGP_NEIGHBOR|{key}: is active in no address family"
    for key, row in active.items():
        for way in ("route_map_in", "route_map_out"):
            yield from _policy(f"BGP_NEIGHBOR_AF|{key}", row, way, policies)
    for key, row in rows(config, "BGP_GLOBALS_AF").items():
        where = f"BGP_GLOBALS_AF|{key}"
        yield from missing(where, row, "max_ebgp_paths")
        yield from outside(where, row, "max_ebgp_paths", 1, _MAX_PATHS)
    for key in rows(config, "ROUTE_REDISTRIBUTE"):
        if not rows(config, "ROUTE_REDISTRIBUTE")[key].get("route_map"):
            yield f"ROUTE_REDISTRIBUTE|{key}: announces links between switches: no route_map"


def _policy(where: str, row: Row, way: str, policies: dict[str, Row]) -> Iterator[str]:
    maps = row.get(way)
    if not maps:
        yield f"{where}: no {way}, and an eBGP session without policy carries no routes"
    elif not isinstance(maps, list):
        yield f"{where}: {way} {maps!r} is a list in CONFIG_DB"
    else:
        yield from (f"{where}: {way} {m} does not exist" for m in maps if m not in policies)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def references(config: ConfigDb) -> Iterator[str]:
    """Route maps and what they match exist."""
    sets, paths = rows(config, "PREFIX_SET"), rows(config, "AS_PATH_SET")
    communities = rows(config, "COMMUNITY_SET")
    matched = (
        ("match_prefix_set", sets),
        ("match_as_path", paths),
        ("match_community", communities),
    )
    for key, row in rows(config, "ROUTE_MAP").items():
        where = f"ROUTE_MAP|{key}"
        yield from missing(where, row, "route_operation")
        name, _, step = key.partition("|")
        if name not in rows(config, "ROUTE_MAP_SET"):
            yield f"{where}: there is no ROUTE_MAP_SET|{name}"
        if number(step) is None:
            yield f"{where}: {step!r} is no number of a statement"
        for field, known in matched:
            if field in row and row[field] not in known:
                yield f"{where}: {field} {row[field]} does not exist"
    for key in rows(config, "PREFIX"):
        if key.partition("|")[0] not in sets:
            yield f"PREFIX|{key}: there is no PREFIX_SET|{key.partition('|')[0]}"


RULES = (metadata, neighbours, unified, references)
