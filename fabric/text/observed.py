"""Facts as the readers of all systems give them → the typed state of one switch."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from fabric.model.names import natural_sorted
from fabric.model.observed import CONNECTED, NextHop, ObservedNeighbour, ObservedRoute
from fabric.model.observed_state import (
    ObservedInterface,
    ObservedPeer,
    ObservedSwitch,
    ObservedSystem,
    PfcCount,
    QueueCount,
    WatchdogQueue,
)
from fabric.reading.json_output import listing, mapping, number_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fabric.model.observed import Evidence
    from fabric.model.reading import Facts, Json

_NOWHERE = "Null0"  # what several systems call the way of a discard route
_T = TypeVar("_T", ObservedInterface, ObservedPeer)


def observed_switch(
    device: str,
    outputs: Iterable[Facts],
    *,
    evidence: tuple[Evidence, ...] = (),
    not_available: tuple[tuple[str, str], ...] = (),
) -> ObservedSwitch:
    """One switch from the facts of its commands; of what two commands say the later one counts."""
    whole = _merged(outputs)
    return ObservedSwitch(
        device=device,
        system=ObservedSystem(
            *(text_of(whole.get(key)) for key in ("version", "model", "hostname"))
        ),
        interfaces=tuple(_rows(ObservedInterface, "name", mapping(whole.get("interfaces")))),
        neighbours=tuple(_neighbours(device, listing(whole.get("neighbors")))),
        peers=tuple(_rows(ObservedPeer, "address", mapping(whole.get("peers")))),
        routes=tuple(_routes(device, mapping(whole.get("routes")))),
        pfc=tuple(_pfc(mapping(whole.get("pfc")))),
        queues=tuple(_queues(mapping(whole.get("queues")))),
        watchdog=tuple(_watchdog(mapping(whole.get("queues")))),
        lossless=tuple(_lossless(mapping(whole.get("ports")))),
        evidence=evidence,
        not_available=not_available,
    )


def _merged(outputs: Iterable[Facts]) -> dict[str, Json]:
    whole: dict[str, Json] = {}
    for facts in outputs:
        for key, value in _placed(facts).items():
            whole[key] = _joined(whole.get(key), value)
    return whole


def _placed(facts: Facts) -> Mapping[str, Json]:
    """What a command about one port says, below that port's name as in commands about all."""
    port = text_of(facts.get("port"))
    if port is None:
        return facts
    totals = {f"{way}_total": count for way, count in mapping(facts.get("pfc_total")).items()}
    queues = {name: mapping(row) for name, row in mapping(facts.get("queues")).items()}
    counted: dict[str, Json] = {q: row for q, row in queues.items() if {*row} & {*_COUNTS}}
    guarded: dict[str, Json] = {
        f"{port}:{q}": row for q, row in queues.items() if "storms_detected" in row
    }
    states: dict[str, Json] = {k: facts[k] for k in ("lossless", "trust") if k in facts}
    return {
        "pfc": {port: {**mapping(facts.get("pfc_by_priority")), **totals}},
        "queues": {**({port: counted} if counted else {}), **guarded},
        "ports": {port: states},
    }


def _joined(before: Json, after: Json) -> Json:
    if isinstance(before, dict) and isinstance(after, dict):
        return {**before, **{key: _joined(before.get(key), value) for key, value in after.items()}}
    return after


def _rows(kind: type[_T], key: str, table: Mapping[str, Json]) -> Iterator[_T]:
    """One value a row: columns that the type knows, numbers where it has numbers."""
    for name in natural_sorted(table):
        row = mapping(table[name])
        known: dict[str, Any] = {f.name: _typed(str(f.type), row.get(f.name)) for f in fields(kind)}
        yield kind(**{**known, key: name})


def _typed(kind: str, value: Json) -> str | int | None:
    return number_of(value) if kind.startswith("int") else text_of(value)


def _neighbours(device: str, found: list[Json]) -> Iterator[ObservedNeighbour]:
    for row in map(mapping, found):
        port = text_of(row.get("local_port"))
        if port:
            host, remote = text_of(row.get("remote_host")), text_of(row.get("remote_port"))
            yield ObservedNeighbour(device, port, host, remote)


def _routes(device: str, table: Mapping[str, Json]) -> Iterator[ObservedRoute]:
    for prefix, row in ((prefix, mapping(row)) for prefix, row in table.items()):
        connected = text_of(row.get("connected"))
        if connected and connected != _NOWHERE:
            yield ObservedRoute(device, prefix, CONNECTED, (NextHop(connected),))
            continue
        hops = tuple(
            hop
            for said in map(mapping, listing(row.get("next_hops")))
            for hop in (NextHop(text_of(said.get("interface")), text_of(said.get("via"))),)
            if _NOWHERE not in {hop.interface, hop.address}
        )
        protocol = text_of(row.get("protocol")) or ""
        yield ObservedRoute(device, prefix, protocol, hops, discard=not hops)


def _pfc(table: Mapping[str, Json]) -> Iterator[PfcCount]:
    for port in natural_sorted(table):
        row = mapping(table[port])
        rx, tx = mapping(row.get("rx")), mapping(row.get("tx"))
        for priority in natural_sorted({*rx, *tx}):
            counts = number_of(rx.get(priority)), number_of(tx.get(priority))
            yield PfcCount(port, number_of(priority), *counts)
        sums = number_of(row.get("rx_total")), number_of(row.get("tx_total"))
        if any(count is not None for count in sums):
            yield PfcCount(port, None, *sums)


def _queues(table: Mapping[str, Json]) -> Iterator[QueueCount]:
    """Counters by port and queue; the watchdog's rows, by ``port:queue``, are left to it."""
    for port in natural_sorted(table):
        row = mapping(table[port])
        for queue in natural_sorted(row) if all(isinstance(v, dict) for v in row.values()) else ():
            facts = mapping(row[queue])
            names = {"packets": "tx_packets", "bytes": "tx_bytes"}
            found = {k: number_of(facts.get(k, facts.get(names.get(k, k)))) for k in _COUNTS}
            yield QueueCount(port, queue, **found)


_COUNTS = ("packets", "bytes", "drop_packets", "drop_bytes", "ecn_marked_packets")


def _watchdog(table: Mapping[str, Json]) -> Iterator[WatchdogQueue]:
    for name in natural_sorted(table):
        port, colon, queue = name.rpartition(":")
        row = mapping(table[name])
        if colon and "storms_detected" in row:
            yield WatchdogQueue(
                port,
                queue,
                text_of(row.get("status")),
                number_of(row.get("storms_detected")),
                number_of(row.get("storms_restored")),
            )


def _lossless(table: Mapping[str, Json]) -> Iterator[tuple[str, tuple[int, ...]]]:
    for port in natural_sorted(table):
        row = mapping(table[port])
        if "lossless" in row:
            numbers = (number_of(value) for value in listing(row["lossless"]))
            yield port, tuple(n for n in numbers if n is not None)
