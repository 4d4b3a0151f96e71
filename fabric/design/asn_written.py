"""ASNs that the inventory gives: may they be used, do they clash, is one missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.finding import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fabric.model.intent import Intent
    from fabric.model.topology import Topology

LAST_ASN = 4_294_967_294
RESERVED = {
    0: "RFC 7607",
    23_456: "RFC 6793, AS_TRANS",
    65_535: "RFC 7300",
    4_294_967_295: "RFC 7300",
}
SCHEME_PATH = ("addressing", "asn", "scheme")
_PRIVATE = "private numbers are 64512 … 65534 and 4200000000 … 4294967294 (RFC 6996)"
_NAMED = 3  # how many a message names before it counts


def number_fault(asn: int) -> str:
    """Why a number cannot be used; empty: it can."""
    if asn in RESERVED:
        return f"ASN {asn} is reserved ({RESERVED[asn]})"
    return "" if 0 < asn <= LAST_ASN else f"ASN {asn} is outside 1..{LAST_ASN}"


def written_faults(intent: Intent, written: Mapping[str, int]) -> list[Problem]:
    """RCE203 for each number in the inventory that no switch can have."""
    return [
        Problem(
            "RCE203", asn_path(intent, name), f"{name}: {number_fault(asn)}", _PRIVATE, subject=name
        )
        for name, asn in written.items()
        if number_fault(asn)
    ]


def scheme_problem(topology: Topology, intent: Intent) -> list[Problem]:
    """RCE204 when tiers are to share numbers and the kind's route policy needs one a switch."""
    if intent.addressing.asn_scheme != "rfc7938" or not topology.route_policies:
        return []
    message = (
        f"ASN scheme rfc7938 numbers the tiers of a Clos; in a {topology.kind} routes pass between "
        "switches of one tier, so every switch has its own ASN"
    )
    return [Problem("RCE204", SCHEME_PATH, message, "write scheme: auto, or scheme: unique")]


def missing_problem(topology: Topology, written: Mapping[str, int]) -> list[Problem]:
    """RCE204 when the scheme is explicit and switches have no number."""
    missing = [switch.name for switch in topology.switches if switch.name not in written]
    if not missing:
        return []
    message = (
        f"ASN scheme explicit, but {len(missing)} of {len(topology.switches)} switches "
        f"have no asn: {_names(missing)}"
    )
    fix = "give every switch of the explicit topology an asn, or write scheme: auto"
    return [Problem("RCE204", SCHEME_PATH, message, fix)]


def lock_clashes(
    intent: Intent, written: Mapping[str, int], generated: Mapping[str, int]
) -> list[Problem]:
    """RCE204 for each written number that the lock gave to another switch.

    ``generated``: numbers handed out, by switch. A switch that was given the number, and has
    it in the inventory too, is not among them.
    """
    holder = {asn: name for name, asn in generated.items()}
    return [
        Problem(
            "RCE204",
            asn_path(intent, name),
            f"{name}: ASN {asn} was handed to {holder[asn]} before",
            "take another number: what was handed out stays",
            subject=name,
        )
        for name, asn in written.items()
        if asn in holder
    ]


def session_problems(topology: Topology, intent: Intent, asns: Mapping[str, int]) -> list[Problem]:
    """RCE204 for each number on both ends of a cable: there is no eBGP session to be had."""
    pairs: dict[int, dict[tuple[str, str], None]] = {}
    for link in topology.fabric_links:
        a, b = link.a.device, link.b.device
        if asns[a] == asns[b]:
            pairs.setdefault(asns[a], {})[a, b] = None
    return [
        Problem(
            "RCE204",
            _pair_path(topology, intent, pair),
            f"ASN {asn} is on both ends of a cable ({_names('–'.join(p) for p in pair)}): "
            "eBGP needs two different ones",
            "give one end another asn, or write scheme: unique",
        )
        for asn, pair in pairs.items()
    ]


def asn_path(intent: Intent, name: str) -> tuple[str | int, ...]:
    """Where the inventory gives that switch its ASN."""
    switches = getattr(intent.topology_params, "switches", None)
    if isinstance(switches, tuple):
        for number, switch in enumerate(switches):
            if getattr(switch, "name", None) == name:
                return ("topology", "switches", number, "asn")
    return ("topology", "switches")


def _pair_path(
    topology: Topology, intent: Intent, pairs: Iterable[tuple[str, str]]
) -> tuple[str | int, ...]:
    """The first written number of the pairs; without one the scheme made them alike."""
    for name in (name for pair in pairs for name in pair):
        if topology.switch(name).asn is not None:
            return asn_path(intent, name)
    return SCHEME_PATH


def _names(names: Iterable[str]) -> str:
    every = list(names)
    more = f" and {len(every) - _NAMED} more" if len(every) > _NAMED else ""
    return ", ".join(every[:_NAMED]) + more
