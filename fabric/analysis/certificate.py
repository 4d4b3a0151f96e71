"""Why there can be no cycle of waiting buffers: sufficient arguments, without arrays.

*Turns*: under BGP a switch can pass packets from one neighbour on to another only if a route may
travel the other way: the first does not find its own ASN in it, and no policy keeps it back. That
is judged switch by switch and holds whatever has failed; if the turns that remain let buffers wait
in one order only, no failure can close a ring.

*Valleys*: with the shortest paths of one state, if nothing that came down is sent up again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fabric.analysis.waiting import in_order
from fabric.model.deadlock import Certificate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fabric.analysis.waiting import Groups
    from fabric.model.qos import Rise
    from fabric.model.topology import Topology
    from fabric.model.underlay import RoutePolicy, Speaker, Underlay

_UP, _DOWN = 1, -1


class Way(NamedTuple):
    """A class of directed cables. ``sign``: of the change of tier. Policies: of its two ends."""

    kind: str
    sign: int
    tail: RoutePolicy | None
    head: RoutePolicy | None

    @property
    def name(self) -> str:
        """``edge-agg up``; a cable within a tier has no direction."""
        word = {_UP: "up", _DOWN: "down"}.get(self.sign)
        return f"{self.kind} {word}" if word else self.kind


Turn = tuple[Way, Way]  # a packet came by the first and leaves by the second
Route = tuple[Way, frozenset[str]]  # learned over this way, with these communities then
Buffers = tuple[Way, int]  # behind the cables of a way, at a level


def turn_certificate(
    topology: Topology, underlay: Underlay, rise: Rise | None = None
) -> Certificate | None:
    """No cycle under BGP with these ASNs and policies, whatever fails; ``None``: not shown so.

    ``rise``: how the lossless class changes on the way.
    """
    turns, refused = _turns(topology, underlay)
    routes, kept_back = _routes(turns)
    order = in_order(_waiting(routes, rise), lambda buffers: buffers[0].sign != 0)
    if order is None:
        return None
    return Certificate(
        "up, then down" if _is_up_down(order) else "buffers wait in one order",
        tuple(_argument(order, topology, underlay, (refused, kept_back))),
        survives_failures=True,
    )


def _turns(topology: Topology, underlay: Underlay) -> tuple[set[Turn], bool]:
    """Turns that the own-ASN check leaves at some switch, and whether it refuses any."""
    speakers = {speaker.device: speaker for speaker in underlay.speakers}
    before: dict[str, dict[Way, set[int]]] = {name: {} for name in speakers}
    behind: dict[str, dict[Way, set[int]]] = {name: {} for name in speakers}
    lenient: set[tuple[str, Way]] = set()
    for one, two, way in _directed(topology, speakers):
        behind[one].setdefault(way, set()).add(speakers[two].asn)
        before[two].setdefault(way, set()).add(speakers[one].asn)
        if speakers[one].allowas_in:
            lenient.add((two, way))
    allowed: set[Turn] = set()
    refused = False
    for name, ways in before.items():
        for came, senders in ways.items():
            for goes, receivers in behind[name].items():
                # Of one ASN alone: the sender finds its own in every route that comes this way.
                if len(senders | receivers) > 1 or (name, came) in lenient:
                    allowed.add((came, goes))
                else:
                    refused = True
    return allowed, refused


def _directed(
    topology: Topology, speakers: Mapping[str, Speaker]
) -> Iterator[tuple[str, str, Way]]:
    """Every cable in both directions: (from, to, its way)."""
    tier = {switch.name: switch.position.tier for switch in topology.switches}
    known: dict[tuple[object, ...], Way] = {}
    for link in topology.fabric_links:
        for one, two in ((link.a.device, link.b.device), (link.b.device, link.a.device)):
            tail, head = speakers[one].policy, speakers[two].policy
            sign = (tier[two] > tier[one]) - (tier[two] < tier[one])
            key = (link.kind, sign, id(tail), id(head))
            if key not in known:
                known[key] = Way(link.kind, sign, tail, head)
            yield one, two, known[key]


def _routes(turns: set[Turn]) -> tuple[set[tuple[Route, Route]], bool]:
    """Turns with the communities of a route that makes them possible, and whether any is kept back.

    A route travels against the packets: who learned it over the second way passes it on over the
    first, unless its policy denies that.
    """
    earlier: dict[Way, list[Way]] = {}
    for came, goes in turns:
        earlier.setdefault(goes, []).append(came)
    queue: list[Route] = [(way, _marked(way, frozenset())) for way in earlier]
    seen = set(queue)
    found: set[tuple[Route, Route]] = set()
    kept_back = False
    while queue:
        goes, marks = route = queue.pop()
        for came in earlier.get(goes, ()):
            denial = goes.tail.denial(came.kind) if goes.tail else None
            if denial is not None and denial.community.value in marks:
                kept_back = True
                continue
            passed = (came, _marked(came, marks))
            found.add((passed, route))
            if passed not in seen:
                seen.add(passed)
                queue.append(passed)
    return found, kept_back


def _marked(way: Way, marks: frozenset[str]) -> frozenset[str]:
    """Communities of a route once it is learned over a way."""
    tag = way.tail.tag(way.kind) if way.tail else None
    if tag is None:
        return marks
    own = frozenset({tag.community.value})
    return own if tag.alone else marks | own


def _waiting(routes: set[tuple[Route, Route]], rise: Rise | None) -> dict[Buffers, set[Buffers]]:
    """Which buffers may wait for which, level by level from the hosts on."""
    onward: dict[Route, list[Route]] = {}
    for came, goes in routes:
        onward.setdefault(came, []).append(goes)
        onward.setdefault(goes, [])
    levels = len(rise.steps) if rise else 1
    raising = rise.kinds if rise else ()
    queue = [(route, int(route[0].kind in raising)) for route in onward]
    seen = set(queue)
    waits: dict[Buffers, set[Buffers]] = {}
    while queue:
        route, level = queue.pop()
        here = waits.setdefault((route[0], level), set())
        for following in onward[route]:
            there = level + int(following[0].kind in raising)
            if there >= levels:
                continue  # not lossless there: nothing waits for it
            here.add((following[0], there))
            if (following, there) not in seen:
                seen.add((following, there))
                queue.append((following, there))
    return waits


def _is_up_down(order: Groups[Buffers]) -> bool:
    signs = [buffers[0].sign for group in order for buffers in group]
    return 0 not in signs and signs == sorted(signs, reverse=True)


def _argument(
    order: Groups[Buffers], topology: Topology, underlay: Underlay, why: tuple[bool, bool]
) -> Iterator[str]:
    refused, kept_back = why
    if refused and _one_asn_above(topology, underlay):
        yield (
            "All switches above a switch share one ASN, and each refuses a route with its own ASN "
            "in it: what came down to a switch is never sent up again."
        )
    elif refused:
        yield "A switch refuses a route with its own ASN in it."
    if kept_back:
        yield "Route policies keep back what would lead on over another such cable."
    levels = {buffers[1] for group in order for buffers in group}
    names = [_name(buffers, levels) for group in order for buffers in sorted(group, key=_height)]
    if names:
        yield f"So buffers wait in one order only: {', '.join(dict.fromkeys(names))}, host."
    else:
        yield "No packet crosses two cables between switches, so no buffer waits for another."
    yield "That holds at every switch by itself, so no failure can close a ring."


def _height(buffers: Buffers) -> tuple[str, int]:
    return (buffers[0].kind, buffers[1])


def _name(buffers: Buffers, levels: Iterable[int]) -> str:
    way, level = buffers
    return f"{way.name} (priority step {level})" if len(set(levels)) > 1 else way.name


def _one_asn_above(topology: Topology, underlay: Underlay) -> bool:
    above: dict[str, set[int]] = {}
    tier = {switch.name: switch.position.tier for switch in topology.switches}
    for link in topology.fabric_links:
        low, high = sorted((link.a.device, link.b.device), key=tier.__getitem__)
        if tier[low] == tier[high]:
            return False
        above.setdefault(low, set()).add(underlay.speaker(high).asn)
    return bool(above) and all(len(asns) == 1 for asns in above.values())
