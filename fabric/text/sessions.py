"""A switch's BGP sessions as configs group them: by route policy, then by what they carry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.model.device import DeviceModel
    from fabric.model.underlay import BgpSession, Denial, Tag


@dataclass(frozen=True, slots=True)
class PolicySessions:
    """Sessions that one pair of route maps is for.

    ``suffix``: what the names of maps and groups end in, empty where the speaker has no policy:
    then these are all sessions.
    """

    suffix: str
    sessions: tuple[BgpSession, ...]
    tag: Tag | None = None
    denial: Denial | None = None


@dataclass(frozen=True, slots=True)
class PeerGroup:
    """A peer group that is in use. ``families``: address families it carries."""

    name: str
    suffix: str
    sessions: tuple[BgpSession, ...]
    families: tuple[str, ...]
    unnumbered: bool


def by_policy(device: DeviceModel) -> tuple[PolicySessions, ...]:
    """With a route policy one entry a kind of cable, in the order of the ports; else one."""
    policy = device.speaker.policy
    if policy is None:
        return (PolicySessions("", device.sessions),)
    of: dict[str, list[BgpSession]] = {}
    for session in device.sessions:
        of.setdefault(session.kind, []).append(session)
    return tuple(
        PolicySessions(_suffix(kind), tuple(found), policy.tag(kind), policy.denial(kind))
        for kind, found in of.items()
    )


def peer_groups(device: DeviceModel) -> tuple[PeerGroup, ...]:
    """``FABRIC`` for unnumbered sessions, ``FABRIC-V4`` and ``-V6``; with a policy by cable."""
    found: list[PeerGroup] = []
    for part in by_policy(device):
        base = f"FABRIC{part.suffix}"
        bare = tuple(s for s in part.sessions if s.peer_address is None)
        found.append(PeerGroup(base, part.suffix, bare, ("ipv4", "ipv6"), unnumbered=True))
        for family in ("ipv4", "ipv6"):
            own = tuple(s for s in part.sessions if s.peer_address and s.family == family)
            name = f"{base}-V{family[-1]}"
            found.append(PeerGroup(name, part.suffix, own, (family,), unnumbered=False))
    return tuple(group for group in found if group.sessions)


def _suffix(kind: str) -> str:
    return f"-{kind.upper()}"
