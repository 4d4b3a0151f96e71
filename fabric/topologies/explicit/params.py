"""The parameters of an explicit topology, as the user writes them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class SwitchEntry:
    """One switch."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    name: str = field(metadata={"description": "letters, digits, '-', '_' and '.'"})
    tier: int = field(
        default=0, metadata={"description": "0 has endpoints, higher is nearer the top"}
    )
    asn: int | None = field(default=None, metadata={"description": "BGP AS number"})
    endpoints: int = field(
        default=0, metadata={"description": "ports for hosts: one for each NIC; tier 0 only"}
    )
    group: int | str | None = field(default=None, metadata={"description": "pod, group or plane"})
    role: str | None = field(
        default=None,
        metadata={"description": "default: leaf on tier 0, spine on the top tier, agg between"},
    )


@dataclass(frozen=True, slots=True)
class CableEntry:
    """One cable, or ``count`` parallel ones, between two switches; either end may come first."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    a: str = field(metadata={"description": "switch at one end"})
    b: str = field(metadata={"description": "switch at the other end"})
    count: int = field(default=1, metadata={"description": "parallel cables"})
    speed: int | None = field(default=None, metadata={"description": "Gb/s; default: links.speed"})
    length: float | None = field(
        default=None, metadata={"description": "metres; default: cables.cable"}
    )
    a_port: str | None = field(default=None, metadata={"description": "port on a"})
    b_port: str | None = field(default=None, metadata={"description": "port on b"})
    label: str | None = field(default=None, metadata={"description": "what the cable is tagged"})
    type: str | None = field(default=None, metadata={"description": "cable or part, such as AOC"})


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters of ``kind: explicit``.

    The reader appends the rows of ``cables_csv`` to ``cables``; the kind itself opens no file.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    switches: tuple[SwitchEntry, ...] = field(metadata={"description": "every switch"})
    cables: tuple[CableEntry, ...] = field(
        default=(), metadata={"description": "cables between switches"}
    )
    cables_csv: str | None = field(
        default=None, metadata={"description": "CSV file with further cables"}
    )
