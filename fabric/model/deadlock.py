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
    assumptions: tuple[Assumption, ...] = ()
