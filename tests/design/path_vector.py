"""BGP by hand: what an ``Underlay`` makes of its cables, one destination switch at a time."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from fabric.model.underlay import BgpSession, Underlay


@dataclass(frozen=True)
class Route:
    """A route as a switch holds it. ``kinds``: of the cables from here to the destination."""

    path: tuple[int, ...]
    communities: frozenset[str]
    kinds: tuple[str, ...]


class Bgp:
    """Routes to every switch; ``cut``: ids of cables that are down.

    ``seed``: which of equally good routes a switch passes on, the order in which it learned them;
    ``None``: that of the peer that comes first among the speakers.
    ``policies`` false: every switch passes everything on.
    """

    def __init__(
        self,
        underlay: Underlay,
        cut: Collection[str] = (),
        *,
        seed: int | None = 0,
        policies: bool = True,
    ) -> None:
        self._policies = {s.device: s.policy if policies else None for s in underlay.speakers}
        self._asn = {s.device: s.asn for s in underlay.speakers}
        self._allowed = {s.device: s.allowas_in for s in underlay.speakers}
        self._sessions = [s for s in underlay.sessions if s.link not in cut]
        self._into = {name: [s for s in self._sessions if s.device == name] for name in self._asn}
        order = {s.device: n for n, s in enumerate(underlay.speakers)}
        self._rank = {
            (s.device, s.link): f"{order[s.peer]:09}".encode()
            if seed is None
            else sha256(f"{seed} {s.device} {s.link}".encode()).digest()
            for s in self._sessions
        }

    def to(self, destination: str) -> dict[str, dict[str, Route]]:
        """By switch its next hops: best route by cable; empty: it knows no way."""
        origin = Route((), frozenset(), ())
        best: dict[str, Route | None] = dict.fromkeys(self._asn, None)
        best[destination] = origin
        learned: dict[str, dict[str, Route]] = {name: {} for name in self._asn}
        for _ in range(4 * len(best)):
            learned = {name: dict(self._learn(name, best)) for name in best}
            now: dict[str, Route | None] = {
                name: origin if name == destination else self._choose(name, learned[name])
                for name in best
            }
            if now == best:
                return {name: _shortest(routes) for name, routes in learned.items()}
            best = now
        msg = "the routes do not settle"
        raise AssertionError(msg)

    def _learn(self, name: str, best: dict[str, Route | None]) -> Iterator[tuple[str, Route]]:
        for session in self._into[name]:
            route = best[session.peer]
            if route is None or self._kept_back(session, route):
                continue
            path = (self._asn[session.peer], *route.path)
            if path.count(self._asn[name]) > self._allowed[name]:
                continue
            tag = (policy := self._policies[name]) and policy.tag(session.kind)
            communities = route.communities
            if tag:
                own = frozenset({tag.community.value})
                communities = own if tag.alone else communities | own
            yield session.link, Route(path, communities, (session.kind, *route.kinds))

    def _kept_back(self, session: BgpSession, route: Route) -> bool:
        """Whether the peer does not send it over this cable."""
        policy = self._policies[session.peer]
        denial = policy.denial(session.kind) if policy else None
        return denial is not None and denial.community.value in route.communities

    def _choose(self, name: str, routes: dict[str, Route]) -> Route | None:
        good = _shortest(routes)
        return good[min(good, key=lambda link: self._rank[name, link])] if good else None


def _shortest(routes: dict[str, Route]) -> dict[str, Route]:
    least = min((len(route.path) for route in routes.values()), default=0)
    return {link: route for link, route in routes.items() if len(route.path) == least}
