"""What a verdict rests on, and which of it the plan itself shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.analysis.prefixes import bouncing
from fabric.model.deadlock import ASSUMED, CHECKED, Assumption

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.design import Design


def of(design: Design, routing: str) -> tuple[Assumption, ...]:
    """All of them; the first words of each say what would have to hold."""
    return tuple(_all(design, routing))


def _all(design: Design, routing: str) -> Iterator[Assumption]:
    yield Assumption("routing has converged", ASSUMED)
    if routing != "as-planned":
        yield Assumption(f"routing is {routing}", ASSUMED, "the plan configures something else")
    if routing != "l2-flood":
        yield _flooding(design)
    yield _hosts(design)
    yield _defaults(design)
    if routing in ("as-planned", "bgp"):
        yield _own_asn(design, routing)
    if not any(
        design.intent.hardware.of(s.name, s.role).platform.capabilities.lossless
        for s in design.topology.switches
    ):
        yield Assumption("the switches pause", ASSUMED, "the systems of this inventory have no PFC")


def _flooding(design: Design) -> Assumption:
    roce, classes = design.intent.roce, design.lossless.class_map
    raised = [
        c for name in (roce.rise.steps[1:] if roce.rise else ()) if (c := classes.named(name))
    ]
    numbers = [roce.priority, *(c.priority for c in raised)]
    listed = " and ".join(map(str, numbers))
    text = f"priorit{'ies' if raised else 'y'} {listed} {'are' if raised else 'is'} not flooded"
    vlans = [s.leaf for s in design.addressing.host_subnets if s.vlan is not None]
    if not vlans:
        return Assumption(text, CHECKED, "every host port is routed, there is no VLAN")
    return Assumption(text, ASSUMED, f"{vlans[0]} has a VLAN towards hosts (fabric explain RCE510)")


def _hosts(design: Design) -> Assumption:
    text = "hosts do not forward"
    if not design.topology.hosts:
        return Assumption(text, ASSUMED)
    return Assumption(text, CHECKED, "ip_forward = 0 in the host files of the plan")


def _defaults(design: Design) -> Assumption:
    """Extra lines of the user's own may hold one: then it is assumed."""
    text = "no default route or aggregate leads into the fabric without a discard route"
    found = next(bouncing(design.underlay, design.addressing), None)
    if found is not None:
        return Assumption(text, ASSUMED, f"{found.prefix} of {found.switch} does: RCE502")
    known = design.intent.hardware
    if any(
        h.extra for h in (known.default, *dict(known.roles).values(), *dict(known.devices).values())
    ):
        return Assumption(text, ASSUMED, "extra lines of the inventory are not read for it")
    return Assumption(text, CHECKED, "every aggregate that is announced has a discard route")


def _own_asn(design: Design, routing: str) -> Assumption:
    text = "a switch refuses routes with its own ASN"
    lenient = [s.device for s in design.underlay.speakers if s.allowas_in]
    if lenient and routing == "as-planned":
        return Assumption(text, ASSUMED, f"{lenient[0]} accepts its own ASN")
    return Assumption(text, CHECKED, "no allowas-in, no as-override")
