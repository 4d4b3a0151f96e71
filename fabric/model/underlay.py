"""BGP of the fabric: one object for the configs and for the forwarding model."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Community:
    """A standard BGP community (RFC 1997): a name for lists and its value, ``64999:1``."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Tag:
    """On import: a route learned over a cable of ``kind`` gets the community.

    ``alone``: it loses the communities that it had; otherwise it keeps them.
    """

    kind: str
    community: Community
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Denial:
    """On export: a route with the community is not sent over a cable of ``kind``."""

    kind: str
    community: Community


@dataclass(frozen=True, slots=True)
class RoutePolicy:
    """What a switch passes on beyond the own-ASN check, by kind of cable; no system's words.

    A topology kind states one for each role that needs it; a role without one sends what it
    learned everywhere. Own prefixes carry no community, so they go out over every cable. At most
    one tag and one denial a kind of cable.
    """

    tags: tuple[Tag, ...] = ()
    denials: tuple[Denial, ...] = ()

    def tag(self, kind: str) -> Tag | None:
        """What a route learned over a cable of that kind gets."""
        return next((tag for tag in self.tags if tag.kind == kind), None)

    def denial(self, kind: str) -> Denial | None:
        """What is not sent over a cable of that kind."""
        return next((denial for denial in self.denials if denial.kind == kind), None)

    @property
    def denied(self) -> tuple[Community, ...]:
        """Communities that some denial asks for."""
        return tuple(dict.fromkeys(denial.community for denial in self.denials))


# By role, as a topology kind states them.
RoutePolicies = tuple[tuple[str, RoutePolicy], ...]


@dataclass(frozen=True, slots=True)
class BgpSession:
    """One eBGP session as one end sees it. Unnumbered: ``peer_address`` is ``None``.

    ``kind``: of the cable, which the route policy of the speaker goes by.
    """

    device: str
    port: str
    link: str
    peer: str
    peer_port: str
    local_asn: int
    peer_asn: int
    local_address: str | None  # without length
    peer_address: str | None
    family: str  # transport: ipv4 or ipv6
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Speaker:
    """One switch in BGP. ``announces``: host prefixes and loopbacks, never point-to-point links.

    ``discards``: aggregates announced by this switch, each with a discard route.
    ``allowas_in`` 0: own ASN in the path is refused. ``policy`` ``None``: everything learned is
    passed on.
    """

    device: str
    asn: int
    router_id: str
    announces: tuple[str, ...]
    discards: tuple[str, ...] = ()
    allowas_in: int = 0
    max_paths: int = 64
    multipath_relax: bool = True
    policy: RoutePolicy | None = None


@dataclass(frozen=True)
class Underlay:
    """Who talks BGP to whom."""

    speakers: tuple[Speaker, ...]
    sessions: tuple[BgpSession, ...]
    keepalive_s: int
    hold_s: int
    bfd: bool
    bgp_dscp: int
    numbering: str  # numbered or unnumbered
    notes: tuple[str, ...] = ()
    _by_device: dict[str, Speaker] = field(init=False, repr=False, compare=False)
    _sessions_of: dict[str, tuple[BgpSession, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_device", {s.device: s for s in self.speakers})
        of: dict[str, list[BgpSession]] = {s.device: [] for s in self.speakers}
        for session in self.sessions:
            of[session.device].append(session)
        object.__setattr__(self, "_sessions_of", {k: tuple(v) for k, v in of.items()})

    def speaker(self, device: str) -> Speaker:
        """The speaker on that switch."""
        return self._by_device[device]

    def sessions_of(self, device: str) -> tuple[BgpSession, ...]:
        """Its sessions, in order of its ports."""
        return self._sessions_of[device]
