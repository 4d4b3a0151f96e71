"""A verdict on a design: routing and rule by name, failures, certificate, exact path, cycle."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fabric.analysis import assumptions
from fabric.analysis.certificate import turn_certificate
from fabric.analysis.valleys import valley_certificate
from fabric.model.deadlock import Certificate, DeadlockVerdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.network import Network
    from fabric.analysis.priorities import Rising
    from fabric.analysis.routing.bgp import BgpRules
    from fabric.model.design import Design

AS_PLANNED = "as-planned"
ROUTINGS = (
    AS_PLANNED,
    "spf",
    "bgp",
    "bgp-allowas-in",
    "updown",
    "dragonfly-minimal",
    "l2-flood",
)
RISES = ("none", "bounce", "global-hop")
EXACT_SWITCHES = 256  # up to which a plan looks at every buffer
_NAMED = 10  # unreachable pairs that are named
_PAIR = 2
_UP_DOWN = Certificate(
    "up, then down",
    (
        "Every way leads towards the root first, then away from it and never back.",
        "So buffers wait in that order, whatever fails.",
    ),
    survives_failures=True,
)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked. ``rise`` ``None``: the plan's own. ``cables``: ids that have failed."""

    routing: str = AS_PLANNED
    rise: str | None = None
    cables: frozenset[str] = frozenset()
    switches: frozenset[str] = frozenset()
    roots: tuple[str, ...] = ()

    @property
    def failed(self) -> tuple[str, ...]:
        """Names of all that has failed, sorted."""
        return tuple(sorted((*self.cables, *self.switches)))


def priority_numbers(design: Design, rise: str | None = None) -> tuple[int, ...]:
    """802.1p number of each level: RoCE's own, those that the plan raises to, then free ones."""
    from fabric.analysis.priorities import numbers  # noqa: PLC0415

    roce = design.intent.roce
    steps = roce.rise.steps if roce.rise else ()
    named = [
        c.priority
        for name in (steps if rise is None else ())
        if (c := design.lossless.class_map.named(name)) is not None
    ]
    classes = design.lossless.class_map.classes
    taken = {c.priority for c in classes if c.name not in steps}
    return numbers(named or [roce.priority], taken)


def forwarding_of(design: Design, network: Network, question: Question) -> Forwarding:
    """Next hops under the routing model that the question names.

    Raises:
        fabric.analysis.routing.dragonfly.GroupError: minimal paths without groups.
    """
    from fabric.analysis.routing import bgp, dragonfly, shortest, up_down  # noqa: PLC0415

    match question.routing:
        case "spf":
            return shortest.spf(network)
        case "l2-flood":
            return shortest.l2_flood(network)
        case "updown":
            return up_down.up_down(network, question.roots)
        case "dragonfly-minimal":
            return dragonfly.minimal(network)
        case _:
            return bgp.bgp(network, bgp_rules(design, network, question.routing))


def bgp_rules(design: Design, network: Network, routing: str) -> BgpRules:
    """ASNs and policies under ``as-planned``, ``bgp`` or ``bgp-allowas-in``."""
    from fabric.analysis.routing.bgp import BgpRules  # noqa: PLC0415

    planned = BgpRules.of(design.underlay, network)
    if routing == AS_PLANNED:
        return planned
    return planned.plain(own_asn_allowed=int(routing == "bgp-allowas-in"))


def rising_of(design: Design, network: Network, rise: str | None) -> Rising:
    """The rule of rising levels; ``None``: the plan's.

    What would rise above the last priority that there is goes on in a lossy class.
    """
    from fabric.analysis import priorities  # noqa: PLC0415

    levels = len(priority_numbers(design, rise))
    match rise:
        case "bounce":
            return priorities.bounce(network, levels=levels)
        case "global-hop":
            return priorities.global_hop(network, levels=levels)
        case None if (planned := design.intent.roce.rise) is not None:
            return priorities.on_kinds(network, planned.kinds, levels=len(planned.steps))
        case _:
            return priorities.none(network)


def certified(design: Design, question: Question) -> Certificate | None:
    """A certificate for what is asked, if one of the arguments applies."""
    topology = design.topology
    planned = design.intent.roce.rise if question.rise is None else None
    match question.routing:
        case "as-planned":
            return turn_certificate(topology, design.underlay, planned)
        case "bgp" | "bgp-allowas-in":
            allowed = int(question.routing == "bgp-allowas-in")
            speakers = tuple(
                replace(s, policy=None, allowas_in=allowed) for s in design.underlay.speakers
            )
            return turn_certificate(topology, replace(design.underlay, speakers=speakers), planned)
        case "spf":
            return valley_certificate(topology, question.cables, question.switches)
        case "updown":
            return _UP_DOWN
        case _:
            return None


def certificate_only(design: Design, question: Question) -> DeadlockVerdict:
    """The verdict of a certificate alone; without one nothing is proven."""
    from fabric.analysis.dependencies import traffic  # noqa: PLC0415
    from fabric.analysis.network import of_topology  # noqa: PLC0415

    certificate = certified(design, question)
    state = of_topology(design.topology).without(question.cables, question.switches)
    forwarding = forwarding_of(design, state, question)
    network, lost = forwarding.network, forwarding.unreachable
    rising = rising_of(design, network, question.rise)
    flow = traffic(forwarding, rising) if rising.steps.any() else None
    return DeadlockVerdict(
        routing=question.routing,
        cbd=None if certificate is None else False,
        edges=None,
        largest_scc=None,
        priorities=flow.levels_used if flow else 1,
        unreachable_pairs=len(lost),
        certificate=certificate,
        unreachable=tuple((network.names[a], network.names[b]) for a, b in lost[:_NAMED]),
        assumptions=assumptions.of(design, question.routing),
        notes=tuple(_notes(forwarding, rising, demotes=flow is not None and flow.demotes)),
    )


def _notes(forwarding: Forwarding, rising: Rising, *, demotes: bool) -> Iterator[str]:
    """What a reader could take the verdict for and should not."""
    yield from forwarding.notes
    if len(forwarding.network.leaves) < _PAIR:
        yield "fewer than two leaves with endpoints are in service, so nothing crosses the fabric"
    if rising.name == "bounce" and not forwarding.network.is_tiered:
        yield "no cable leads from one tier to another, so no packet rises at a bounce"
    if rising.name == "global-hop" and not rising.way.any():
        yield "no cable joins two groups, so no packet rises"
    if demotes:
        yield (
            f"packets that would rise above the {rising.levels} priorities that can be lossless go "
            "on in a lossy class: nothing waits for them, and they may be dropped"
        )


def judged(
    design: Design,
    question: Question,
    network: Network | None = None,
    *,
    certificate: Certificate | None = None,
) -> DeadlockVerdict:
    """The exact verdict. ``network``: that of the design with nothing failed, if it is at hand."""
    from fabric.analysis import cycle, deadlock  # noqa: PLC0415
    from fabric.analysis.network import of_topology  # noqa: PLC0415

    whole = network or of_topology(design.topology)
    state = whole
    if question.cables or question.switches:
        state = whole.without(question.cables, question.switches)
    forwarding = forwarding_of(design, state, question)
    rising = rising_of(design, forwarding.network, question.rise)
    proof = deadlock.prove(forwarding, rising)
    numbers = priority_numbers(design, question.rise)
    lost = forwarding.unreachable
    return DeadlockVerdict(
        routing=question.routing,
        cbd=proof.cbd,
        edges=proof.edges,
        largest_scc=proof.largest_scc,
        priorities=proof.priorities,
        unreachable_pairs=len(lost),
        cycle=cycle.shortest(proof, numbers.__getitem__),
        certificate=certificate,
        unreachable=tuple((state.names[a], state.names[b]) for a, b in lost[:_NAMED]),
        assumptions=assumptions.of(design, question.routing),
        notes=tuple(_notes(forwarding, rising, demotes=proof.graph.traffic.demotes)),
    )


def planned(design: Design) -> DeadlockVerdict:
    """The verdict for a plan: the certificate, else the exact path where the fabric is small."""
    question = Question()
    certificate = certified(design, question)
    switches = len(design.topology.switches)
    if certificate is None and switches <= EXACT_SWITCHES and design.topology.host_links:
        return judged(design, question)
    rise = design.intent.roce.rise
    return DeadlockVerdict(
        routing=question.routing,
        cbd=None if certificate is None else False,
        edges=None,
        largest_scc=None,
        priorities=len(rise.steps) if rise else 1,
        unreachable_pairs=None,
        certificate=certificate,
        assumptions=assumptions.of(design, question.routing),
        notes=() if certificate is not None else (_left_out(design),),
    )


def _left_out(design: Design) -> str:
    if not design.topology.host_links:
        return "there are no endpoints, so no traffic"
    switches = len(design.topology.switches)
    return (
        f"no certificate applies, and a plan looks at every buffer up to {EXACT_SWITCHES} "
        f"switches only ({switches:,} here); `fabric analyze deadlock` looks at any number"
    )


def verdict(design: Design, question: Question) -> DeadlockVerdict:
    """Certificate and exact path: both, so that each is held against the other."""
    return judged(design, question, certificate=certified(design, question))
