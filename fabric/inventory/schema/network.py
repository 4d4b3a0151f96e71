"""``addressing:``, ``management:`` and ``suppress:``."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from fabric.inventory.schema.base import Address, InterfaceAddress, Network, Section

_RULE = re.compile(r"RCE[0-9]{3}\Z")


class PoolsSection(Section):
    """Prefixes that addresses are cut from."""

    loopbacks: Network = Field(
        default="10.255.0.0/16",
        description="one /32 a switch; with family ipv6 its router id alone, on no interface",
    )
    links: Network = Field(default="10.254.0.0/16", description="one /31 a numbered cable")
    hosts: Network = Field(default="10.0.0.0/12", description="host subnets")
    loopbacks_v6: Network | None = Field(
        default=None, description="one /128 a switch; default: from the fabric's name"
    )
    links_v6: Network | None = Field(
        default=None, description="one /127 a numbered cable; default: from the fabric's name"
    )
    hosts_v6: Network | None = Field(
        default=None,
        description="one /64 a switch with hosts, a /127 in it each NIC; default: from the "
        "fabric's name",
    )


class AsnSection(Section):
    """How switches get their AS number."""

    scheme: Literal["auto", "rfc7938", "unique", "explicit"] = Field(
        default="auto",
        description="rfc7938: one for the top tier, one per pod's middle tier, one per leaf; "
        "auto: rfc7938 where every cable joins adjacent tiers, else unique",
    )
    base: Annotated[int, Field(ge=1, le=4_294_967_294)] = Field(
        default=4_200_000_000, description="first AS number"
    )


class BgpSection(Section):
    """Timers and paths."""

    keepalive_s: Annotated[int, Field(ge=1, le=65_535)] = Field(default=3)
    hold_s: Annotated[int, Field(ge=3, le=65_535)] = Field(default=9)
    bfd: bool = Field(default=False, description="BFD on every session")
    max_paths: Annotated[int, Field(ge=1, le=1024)] = Field(
        default=64, description="equal-cost paths"
    )


class AddressingSection(Section):
    """Addresses and routing."""

    family: Literal["ipv4", "ipv6", "dual"] = Field(
        default="ipv4", description="addresses of switches and hosts; dual: both"
    )
    rdma_family: Literal["ipv4", "ipv6"] | None = Field(
        default=None, description="which one RDMA uses with family dual; default: ipv4"
    )
    links: Literal["numbered", "unnumbered"] = Field(
        default="numbered", description="cables between switches"
    )
    pools: PoolsSection = Field(default=PoolsSection())
    host_subnets: Literal["per-nic", "per-leaf"] | None = Field(
        default=None,
        description="a /31 (/127) for each NIC, or a subnet for each leaf; default: as hosts.port "
        "asks, routed: per-nic, vlan: per-leaf",
    )
    rail_aggregates: bool = Field(
        default=False,
        description="rails: IPv4 host prefixes of a rail inside a prefix of its own, as IPv6 ones "
        "always are",
    )
    asn: AsnSection = Field(default=AsnSection())
    bgp: BgpSection = Field(default=BgpSection())


class ManagementSection(Section):
    """Out-of-band management of the switches."""

    interface: str = Field(default="eth0", description="management interface of the switches")
    gateway: Address | None = Field(default=None)
    addresses: dict[str, InterfaceAddress] = Field(
        default_factory=dict, description="device: address with prefix length"
    )


def _rule(value: str) -> str:
    if not _RULE.match(value):
        msg = "is no rule id: it is RCE and three digits"
        raise ValueError(msg)
    return value


def _iso_date(value: str) -> str:
    try:
        if len(value) == len("2027-01-31"):
            return date.fromisoformat(value).isoformat()
    except ValueError:
        pass
    msg = "is no date of the form 2027-01-31"
    raise ValueError(msg)


def _reason(value: str) -> str:
    if not value.strip():
        msg = "is empty: say why the finding is accepted"
        raise ValueError(msg)
    return value


class SuppressSection(Section):
    """A finding that somebody accepted, and why."""

    rule: Annotated[str, AfterValidator(_rule)] = Field(description="rule id, such as RCE302")
    subject: str = Field(default="*", description='glob over the finding\'s subject, "leaf-*"')
    reason: Annotated[str, AfterValidator(_reason)] = Field(description="why it is accepted")
    expires: Annotated[str, AfterValidator(_iso_date)] | None = Field(
        default=None, description="last day on which it counts, YYYY-MM-DD"
    )
