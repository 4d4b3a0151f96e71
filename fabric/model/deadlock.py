"""What the deadlock proof says: verdict, cycle, certificate, assumptions, sweeps (validation 1)."""

from __future__ import annotations

from dataclasses import dataclass

NO_CBD = "no CBD"
CBD = "CBD (deadlock possible)"
NOT_PROVEN = "not proven"
CHECKED = "checked in the config"
ASSUMED = "assumed"


@dataclass(frozen=True, slots=True)
class CycleStep:
    """One buffer of a cycle: that of ``receiver`` behind the cable ``link``, at ``priority``.

    It waits for the next one because packets from ``source`` to ``destination`` (leaves) are in it
    that leave over the next cable. ``priority``: the 802.1p number. Ports are empty where they are
    not known.
    """

    link: str
    sender: str
    sender_port: str
    receiver: str
    receiver_port: str
    priority: int
    destination: str
    source: str


@dataclass(frozen=True, slots=True)
class Certificate:
    """Why there is no cycle, without looking at each buffer.

    ``argument``: sentences for a reader. ``survives_failures``: it holds whatever fails.
    """

    title: str
    argument: tuple[str, ...]
    survives_failures: bool


@dataclass(frozen=True, slots=True)
class Assumption:
    """What a verdict rests on. ``how``: ``CHECKED`` or ``ASSUMED``; ``why``: what was looked at."""

    text: str
    how: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class DeadlockVerdict:
    """The proof for one state of the fabric.

    ``cbd`` ``None``: not proven either way (certificate only, and there is none); then ``edges``
    and ``largest_scc`` are ``None`` too. ``edges``: dependencies between channels, a channel being
    a directed cable at one priority. ``priorities``: levels that active traffic uses.
    ``unreachable_pairs``: ordered pairs of leaves without a way, of which ``unreachable`` names
    the first few; ``None``: not looked at.
    """

    routing: str
    cbd: bool | None
    edges: int | None
    largest_scc: int | None
    priorities: int
    unreachable_pairs: int | None
    cycle: tuple[CycleStep, ...] = ()
    certificate: Certificate | None = None
    unreachable: tuple[tuple[str, str], ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """The verdict in the words that it has."""
        return NOT_PROVEN if self.cbd is None else CBD if self.cbd else NO_CBD


@dataclass(frozen=True, slots=True)
class SweepVerdict:
    """The proof for many sets of failures.

    ``sets``: that were looked at, each counted on its own even where symmetry made one stand for
    many. ``of``: that there are. ``smallest``: a set with a CBD, else one with unreachable pairs,
    of the fewest failures: (what failed, its verdict). ``nodes``: the same for single switches.
    """

    sets: int
    of: int
    with_cbd: int
    with_unreachable: int
    smallest: tuple[tuple[str, ...], DeadlockVerdict] | None
    worked_out: int  # sets that were computed, one for each orbit
    coverage: str  # in words, with the seed where sets were drawn
    complete: bool = True  # False: interrupted
    nodes: SweepVerdict | None = None
    unfailed: DeadlockVerdict | None = None  # with nothing failed beyond what was said to be
    assumptions: tuple[Assumption, ...] = ()


@dataclass(frozen=True, slots=True)
class HeadroomCost:
    """Headroom of the switch that it fills most, before and after; shares are of its pool."""

    device: str
    before_bytes: int
    after_bytes: int
    before_share: float | None  # None: pool not known
    after_share: float | None


@dataclass(frozen=True, slots=True)
class PathCost:
    """Even-split ECMP under uniform traffic: every endpoint sends as much to every other one.

    Only traffic between pairs that have a way. ``hops``: cables between switches that a packet
    crosses, on average. ``load``: of the fullest cable when every endpoint sends at its line rate,
    as a part of that cable's own.
    """

    hops_before: float
    hops_after: float
    load_before: float
    load_after: float

    @property
    def throughput(self) -> tuple[float, float]:
        """Part of its line rate that every endpoint gets through, before and after."""
        return (1 / max(1.0, self.load_before), 1 / max(1.0, self.load_after))


@dataclass(frozen=True, slots=True)
class Cure:
    """A way out of a CBD that was tried: what the exact engine said about it.

    ``change``: what to change in the inventory or the network. ``cbd``: whether one is left.
    ``levels``: priorities that RoCE goes through on its way.
    ``priorities``: lossless ones that a switch carries then, ``priorities_before`` that it carries
    now; ``limit``: that it can carry, ``limit_by`` says what sets it. ``headroom`` ``None``: the
    same as before, or no switch has any. ``paths`` ``None``: the same as before, or not measured.
    ``survives_failures``: no further failure brings a CBD back.
    """

    name: str
    title: str
    change: str
    cbd: bool
    levels: int
    priorities_before: int
    priorities: int
    limit: int
    limit_by: str
    unreachable_before: int
    unreachable: int
    headroom: HeadroomCost | None = None
    port_headroom: str = ""  # why a port cannot hold it; empty: it can, or no limit is known
    paths: PathCost | None = None
    survives_failures: bool = False
    note: str = ""

    @property
    def word(self) -> str:
        """The verdict with it."""
        return CBD if self.cbd else NO_CBD

    @property
    def fits(self) -> bool:
        """Whether the switches have the priorities and the headroom for it."""
        share = self.headroom.after_share if self.headroom else None
        has_room = not self.port_headroom and (share is None or share <= 1)
        return self.priorities <= self.limit and has_room

    @property
    def helps(self) -> bool:
        """Whether it is a cure at all: verified, and possible on these switches."""
        return not self.cbd and self.fits


@dataclass(frozen=True, slots=True)
class KindCost:
    """What the loss of one cable costs, by kind of cable.

    ``worked_out`` of ``cables`` were, ``paired`` have a parallel one beside them: their loss
    changes no next hop.
    ``worst``: its id, with the ordered pairs of leaves that it parts. ``with_cbd``: cables whose
    loss leaves a CBD.
    """

    kind: str
    cables: int
    paired: int
    worked_out: int
    with_unreachable: int
    with_cbd: int
    worst: str
    worst_pairs: int


@dataclass(frozen=True, slots=True)
class Remedy:
    """A way to keep all pairs together when one cable fails, checked over all such failures.

    ``checked``: failures that were worked out; of these ``with_unreachable`` part a pair and
    ``with_cbd`` leave a CBD. ``priorities``: lossless ones that a switch carries with it.
    """

    title: str
    change: str
    checked: int
    with_unreachable: int
    with_cbd: int
    priorities: int
    note: str = ""

    @property
    def helps(self) -> bool:
        """Whether no single cable parts a pair or leaves a CBD with it."""
        return not self.with_unreachable and not self.with_cbd


@dataclass(frozen=True, slots=True)
class SingleFailureCosts:
    """What single cables cost on a Dragonfly under its policy, and what helps.

    ``complete``: every cable was worked out, else a few of each kind. ``priorities``: lossless
    ones now; ``limit``: that a switch can carry, ``limit_by`` says what sets it.
    """

    kinds: tuple[KindCost, ...]
    remedies: tuple[Remedy, ...]
    complete: bool
    priorities: int
    limit: int
    limit_by: str
