"""BGP of the fabric: one object for the configs and for the forwarding model."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class BgpSession:
    """One eBGP session as one end sees it. Unnumbered: ``peer_address`` is ``None``."""

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


@dataclass(frozen=True, slots=True)
class Speaker:
    """One switch in BGP. ``announces``: host prefixes and loopbacks, never point-to-point links.

    ``discards``: aggregates announced by this switch, each with a discard route.
    ``allowas_in`` 0: own ASN in the path is refused.
    """

    device: str
    asn: int
    router_id: str
    announces: tuple[str, ...]
    discards: tuple[str, ...] = ()
    allowas_in: int = 0
    max_paths: int = 64
    multipath_relax: bool = True


@dataclass(frozen=True)
class Underlay:
    """Who talks BGP to whom. ``community_rules``: reserved for policies that a topology needs."""

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
