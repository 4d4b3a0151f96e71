"""Rendered text and the saved plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.model.finding import Finding


@dataclass(frozen=True, slots=True)
class RenderedFile:
    """One file: ``text`` with header, ``body_sha256`` of the text without it."""

    name: str
    remote_path: str
    text: str
    body_sha256: str
    mode: str = "0644"


@dataclass(frozen=True, slots=True)
class Rendered:
    """All files of one device or host. ``digest`` covers the bodies of all of them."""

    device: str
    platform: str
    template_version: str
    files: tuple[RenderedFile, ...]
    digest: str
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class DevicePlan:
    """One device in plan.json."""

    name: str
    role: str
    platform: str
    model: str
    management_address: str | None
    model_sha256: str  # of the DeviceModel
    digest: str  # of the rendered bodies
    experimental: bool


@dataclass(frozen=True, slots=True)
class TierSummary:
    """One line of the summary table."""

    role: str
    switches: int
    ports_used: int  # most on one switch
    ports_free: int  # least on one switch; −1: as many as wanted (generic)
    oversubscription: float | None
    asn_text: str
    headroom_used: float | None  # worst fraction of pool


@dataclass(frozen=True, slots=True)
class Summary:
    """What a designer looks at first."""

    fabric: str
    title: str
    hosts: int
    nics: int
    switches: int
    links: int
    hardware: str
    tiers: tuple[TierSummary, ...]
    bisection_gbps: float | None
    bisection_note: str
    endpoints: int
    line_rate_gbps: int
    asn_reason: str
    notes: tuple[str, ...] = ()
    deadlock: str = ""  # the verdict in one line; empty: an older version wrote the plan
    expect: str = ""  # the effective rate in one line; empty: no target asked for it


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan as read back or as about to be written."""

    schema: int
    program: str
    fabric: str
    pushable: bool
    inputs: tuple[tuple[str, str], ...]  # name → sha256
    devices: tuple[DevicePlan, ...]
    hosts: tuple[tuple[str, str], ...]  # name → digest
    files: tuple[tuple[str, str], ...]  # path → sha256
    findings: tuple[Finding, ...]
    summary: Summary
    inventory: str = ""  # its name below inputs/
