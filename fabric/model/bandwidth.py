"""Bandwidth as reports and JSON show it. Rates in NIC rates unless a name says Gb/s."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bisection:
    """``links``: the cut, one direction, in NIC rates; of an interval its upper end.

    ``ratio``: to what half the endpoints can send. ``kind``: ``closed-form``, ``exact`` or
    ``bounds``; then the truth lies between ``lower`` and ``upper``, and ``why`` says why no more is
    known.
    """

    links: float
    lower: float
    ratio: float
    kind: str
    upper: float
    nic_gbps: float
    why: str = ""

    @property
    def gbps(self) -> float:
        """The cut in Gb/s."""
        return self.links * self.nic_gbps


@dataclass(frozen=True, slots=True)
class Effective:
    """What hashed flows get, in NIC rates a pair and direction, means over ``trials``.

    ``qps``: flows a pair. ``mean`` of the pairs, ``sd`` of the trials' means (n − 1),
    ``worst_pair``: mean of each trial's worst, ``striped``: QPs × slowest QP, what a message split
    over all QPs sees. ``hypothetical``: not the hash that the plan renders. ``stranded``: share of
    pairs that have no way.
    """

    qps: int
    hash: str
    mean: float
    sd: float
    worst_pair: float
    striped: float
    trials: int
    seed: int
    pattern: str = "bisection"
    stranded: float = 0.0
    hypothetical: bool = False


@dataclass(frozen=True, slots=True)
class Theta:
    """Greatest multiple of a traffic matrix that can be carried; not capped by the NICs.

    ``lp``: over any paths; ``ecmp``: every switch splits evenly over its next hops as planned;
    ``volumetric``: an upper bound on both; ``nics``: the multiple at which the first NIC is full.
    ``None`` with ``why_null``. ``kind``: of a given matrix the name of its phase; ``pairs`` that
    send in it, ``left_out`` of them with an end out of service; ``seed``: of a drawn one.
    """

    kind: str
    lp: float | None
    ecmp: float | None
    volumetric: float | None
    why_null: str = ""
    nics: float | None = None
    pairs: int = 0
    left_out: int = 0
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Matrices:
    """θ of each phase of a matrix file. ``unit``: of its amounts: rate, gbps or bytes."""

    file: str
    unit: str
    phases: tuple[Theta, ...]


@dataclass(frozen=True, slots=True)
class Bandwidth:
    """All that was asked of one state. Parts that were not asked for are empty or ``None``.

    ``detached``: endpoints without a live cable; the figures are of the others. ``worst_ratio``:
    live uplinks / NIC rates of the leaf that is worst off. ``notes``: what the effective rates hang
    on that nothing here could check. ``matrices``: θ of the phases of a file.
    """

    endpoints: int
    detached: int
    nic_gbps: float
    mixed_rates: bool
    bisection: Bisection | None = None
    thetas: tuple[Theta, ...] = ()
    matrices: Matrices | None = None
    worst_leaf: str = ""
    worst_ratio: float | None = None
    effective: tuple[Effective, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FailureCost:
    """What one set of failures leaves. ``stands_for``: as many sets are alike.

    ``ecmp``: θ of uniform traffic, split evenly as planned; 0 where some pair has no way. ``nics``:
    the multiple of it at which the first NIC is full, half where a bond has lost one of two cables.
    ``bisection`` ``None``: fewer than two endpoints are left. ``parallel``: cables between the two
    switches of a single failed cable, itself among them; 0 where none or something else failed.
    ``thetas``, ``effective``: what was asked beyond; ``left_out``: why they are not there.
    """

    failed: tuple[str, ...]
    stands_for: int
    detached: int
    bisection: Bisection | None
    worst_ratio: float
    worst_leaf: str
    ecmp: float
    parallel: int = 0
    thetas: tuple[Theta, ...] = ()
    effective: tuple[Effective, ...] = ()
    left_out: str = ""
    nics: float = float("inf")


@dataclass(frozen=True, slots=True)
class WorstFailure:
    """The single failure that leaves least of one figure. ``failed`` empty: none lowers it.

    ``value``: then that of nothing failed. ``parallel``, ``stands_for``: as in `FailureCost`.
    ``unknown``: kinds of failures that the figure was not worked out for. ``is_bound``: the value
    is the lower end of an interval, ``unfailed_is_bound``: that of nothing failed is.
    """

    figure: str
    unfailed: float
    value: float
    failed: tuple[str, ...]
    stands_for: int
    parallel: int
    unknown: int = 0
    is_bound: bool = False
    unfailed_is_bound: bool = False


@dataclass(frozen=True, slots=True)
class FailureSweep:
    """All single failures, one of each kind worked out; ``of``: how many they stand for.

    ``parts``: of the costly ones (``theta``, ``effective``) what was asked. ``parted``: some pairs
    have no way with nothing failed; ``ecmp`` of every kind leaves them out.
    """

    unfailed: FailureCost
    rows: tuple[FailureCost, ...]
    of: int
    parts: tuple[str, ...] = ()
    worst: tuple[WorstFailure, ...] = ()
    parted: bool = False


@dataclass(frozen=True, slots=True)
class Drain:
    """Whether a switch may be taken out. ``worst_next``: the worst single failure after that.

    ``slower``: endpoints that are left on one leaf of two.
    """

    switch: str
    may: bool
    reasons: tuple[str, ...]
    before: FailureCost
    after: FailureCost
    worst_next: FailureCost | None
    slower: int = 0
