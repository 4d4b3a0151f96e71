"""3xx: the chain DSCP → TC → queue and PG → PFC on every port of the path host … host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.checks.chain import listed, path_through, walk
from fabric.checks.facts import class_of
from fabric.checks.rules import ERROR, WARNING, Found, grouped, rule, some

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.checks.facts import ChainGroup, Facts
    from fabric.model.topology import End, Link

_NEEDS = ("chains",)
_EMPTY: tuple[int, ...] = ()


def _ports_text(facts: Facts, group: ChainGroup) -> str:
    if len(group.ends) == 1:
        return f"{group.ends[0].device} {group.ends[0].port}"
    return f"{facts.who(group.devices)} ({len(group.ends):,} ports)"


def _port_names(ends: tuple[End, ...]) -> tuple[str, ...]:
    return some(f"{end.device} {end.port}" for end in ends)


def _found(facts: Facts, group: ChainGroup, message: str, *keys: str, **more: object) -> Found:
    only = group.ends[0] if len(group.ends) == 1 else None
    evidence = more.pop("evidence", _port_names(group.ends))
    assert isinstance(evidence, tuple)  # noqa: S101 — narrows for the type checker
    return Found(
        subject=f"{only.device} {only.port}" if only else facts.subject(group.devices),
        message=f"{_ports_text(facts, group)}: {message}",
        evidence=evidence,
        device=group.devices[0] if len(group.devices) == 1 else None,
        port=only.port if only else None,
        keys=keys,
    )
