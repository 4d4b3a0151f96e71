"""Failure sweeps: the truth table of validation 1.5, symmetry, samples, interrupts, limits."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

import pytest

from fabric.analysis import deadlock, failure_sets, priorities
from fabric.analysis.failure_sets import SweepTooLargeError
from fabric.analysis.routing import models
from fabric.analysis.sweep import Sweep
from fabric.model.deadlock import DeadlockVerdict, SweepVerdict
from tests.analysis import sweep_fabrics as fabrics
from tests.analysis.test_rerouting import MODELS, random_case, random_network

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.analysis.network import Network
    from fabric.analysis.routing.models import Model

FABRICS = {
    "ls 4×2": fabrics.leaf_spine(4, 2),
    "ls 4×4": fabrics.leaf_spine(4, 4),
    "ft 4": fabrics.fat_tree(4),
}


def spf(network: Network) -> Model:
    return models.Spf(network)


def rfc7938(network: Network) -> Model:
    return models.Bgp(network, fabrics.rfc7938(network))


def allowas_in(network: Network) -> Model:
    return models.Bgp(network, fabrics.rfc7938(network, allowed=1))


def sweep(model: Model, *, by_symmetry: bool = True) -> Sweep:
    return Sweep(model, priorities.none(model.network), told, by_symmetry=by_symmetry)


def told(cables: tuple[str, ...], switches: tuple[str, ...]) -> DeadlockVerdict:
    return DeadlockVerdict(" ".join((*cables, *switches)), None, None, None, 1, 0)


def counts(found: SweepVerdict) -> tuple[int, int, int]:
    return found.sets, found.with_cbd, found.with_unreachable


Row = tuple[str, int, int, tuple[int, int], tuple[int, int], tuple[int, int]]

# validation 1.5: sets, then CBD / unreachable under spf, RFC 7938 and own ASN allowed once
TRUTH: list[Row] = [
    ("ls 4×2", 1, 8, (0, 0), (0, 0), (0, 0)),
    ("ls 4×2", 2, 28, (12, 4), (0, 16), (12, 4)),
    ("ls 4×2", 3, 56, (0, 24), (0, 48), (0, 24)),
    ("ls 4×4", 2, 120, (0, 0), (0, 0), (0, 0)),
    ("ft 4", 1, 32, (0, 0), (0, 0), (0, 0)),
    ("ft 4", 2, 496, (56, 8), (0, 64), (56, 8)),
]


@pytest.mark.parametrize("by_symmetry", [True, False], ids=["orbits", "every set"])
@pytest.mark.parametrize("row", TRUTH, ids=str)
def test_truth_table(row: Row, *, by_symmetry: bool) -> None:
    name, size, sets, *expected = row
    for make, found_bad in zip((spf, rfc7938, allowas_in), expected, strict=True):
        run = sweep(make(FABRICS[name]), by_symmetry=by_symmetry)
        # Three cables: as many drawn as there are sets.
        found = run.cables(size) if size < 3 else run.drawn(10**4, seed=1, size=size)
        assert counts(found) == (sets, *found_bad), make
        assert found.of == sets
        assert found.complete


def ft4_asn(label: Callable[[str], str]) -> Model:
    network = FABRICS["ft 4"]
    names = [label(name) for name in network.names]
    number = {name: 65000 + n for n, name in enumerate(dict.fromkeys(names))}
    return models.Bgp(network, fabrics.rules(network, [number[name] for name in names]))


def _pod(name: str) -> str:
    return name.split(".", maxsplit=1)[0] if name.startswith("a") else name


# validation 1.5, "ASN plan variants, ft 4, all 496 two-cable sets"
ASN_PLANS: list[tuple[str, Callable[[str], str], int, int]] = [
    ("rfc7938", lambda n: "core" if n.startswith("c") else _pod(n), 0, 64),
    ("core planes", lambda n: f"plane {int(n[1:]) // 2}" if n.startswith("c") else _pod(n), 0, 64),
    ("aggs apart", lambda n: "core" if n.startswith("c") else n, 48, 16),
    ("all apart", lambda n: n, 56, 8),
    (
        "agg planes",
        lambda n: "core" if n.startswith("c") else f"plane {n[-1]}" if n.startswith("a") else n,
        0,
        496,
    ),
]


@pytest.mark.parametrize("by_symmetry", [True, False], ids=["orbits", "every set"])
@pytest.mark.parametrize(
    ("label", "with_cbd", "with_unreachable"),
    [plan[1:] for plan in ASN_PLANS],
    ids=[plan[0] for plan in ASN_PLANS],
)
def test_asn_plans(
    label: Callable[[str], str], with_cbd: int, with_unreachable: int, *, by_symmetry: bool
) -> None:
    found = sweep(ft4_asn(label), by_symmetry=by_symmetry).cables(2)
    assert counts(found) == (496, with_cbd, with_unreachable)


@pytest.mark.parametrize(
    ("network", "expected"),
    [
        (fabrics.leaf_spine(4, 2), (6, 0, 0)),
        (fabrics.leaf_spine(4, 1), (5, 0, 1)),  # the spine parts all leaves
        (fabrics.fat_tree(4), (20, 0, 0)),
        (fabrics.ring(5), (5, 0, 0)),  # a line
    ],
    ids=str,
)
def test_single_switches(network: Network, expected: tuple[int, int, int]) -> None:
    found = sweep(spf(network)).single()
    assert found.nodes is not None
    assert counts(found.nodes) == expected


def test_a_cut_ring_of_four_has_no_cycle_and_one_with_all_its_cables_has() -> None:
    network = fabrics.ring(4)
    assert deadlock.prove(spf(network).settle()).cbd
    assert counts(sweep(spf(network)).cables(1)) == (4, 0, 0)
    assert counts(sweep(spf(network)).cables(2)) == (6, 0, 6)


def test_orbits_leave_few_sets_to_work_out() -> None:
    network = fabrics.fat_tree(8)
    assert sweep(spf(network)).cables(1).worked_out == 2
    assert sweep(rfc7938(network)).cables(1).worked_out == 2
    found = sweep(rfc7938(network)).cables(2)
    assert found.worked_out < 20
    assert (found.sets, found.of) == (32_640, 32_640)


def test_dragonfly_with_one_cable_a_group_pair_is_parted_by_each_of_them() -> None:
    network = fabrics.dragonfly(2, 4, 2, 9)
    found = sweep(models.DragonflyMinimal(network)).cables(1)
    # 36 global cables part a pair of groups, 54 local ones a pair of routers.
    assert counts(found) == (90, 90, 90)


@pytest.mark.parametrize("number", range(24))
def test_orbits_give_what_every_set_gives(number: int) -> None:
    rng = fabrics.seeded(1000 + number)
    network = random_network(rng)
    name = MODELS[number % len(MODELS)]
    if name == "dragonfly-minimal":
        network = fabrics.dragonfly(*rng.choice([(1, 2, 1, 3), (1, 2, 2, 4), (1, 4, 1, 3)]))
    if not network.count.any():
        return
    if name == "l2-flood":
        network, _ = network.apart()
    case = random_case(name, network, rng)
    whole, each = (
        Sweep(case.model, case.rising, told, by_symmetry=by_symmetry)
        for by_symmetry in (True, False)
    )
    one, other = whole.single(), each.single()
    assert one.nodes is not None
    assert other.nodes is not None
    assert counts(one) == counts(other)
    assert counts(one.nodes) == counts(other.nodes)
    if network.count.sum() < 50:  # the truth table has the larger ones
        assert counts(whole.cables(2)) == counts(each.cables(2))


def test_symmetry_is_given_up_where_a_tie_is_broken_by_number() -> None:
    """Two arms of one kind; with its short cut gone, m takes l's route in one and r's in the other.

    x has the ASN of l and refuses the first. m1–d and m2–d are alike but for the order of the
    switches, and cutting them is not.
    """
    order = ("d", "l1", "r1", "r2", "l2", "m1", "m2", "x1", "x2")
    asn = {"l1": 1, "x1": 1, "l2": 2, "x2": 2, "d": 3, "r1": 4, "r2": 5, "m1": 6, "m2": 7}
    arm = [("d", "m"), ("d", "l"), ("d", "r"), ("l", "m"), ("r", "m"), ("m", "x")]
    pairs = [(a if a == "d" else a + n, b + n, "cable") for n in "12" for a, b in arm]
    nodes = [fabrics.Node(name, int(name[0] in "dx")) for name in order]
    network = fabrics.Network.of(nodes, fabrics.numbered(pairs))
    model = models.Bgp(network, fabrics.rules(network, [asn[name] for name in order]))
    # m1–d, and the only cables of x1 and of x2
    assert counts(sweep(model, by_symmetry=False).cables(1)) == (12, 0, 3)
    assert counts(sweep(model).cables(1)) == (12, 0, 3)


def test_updown_is_as_symmetric_as_its_cables() -> None:
    network = fabrics.ring(8)
    found = sweep(models.UpDown(network, ("r0",))).cables(2)
    assert counts(found) == (28, 0, 28)
    assert found.worked_out == 4


def test_the_smallest_is_a_set_with_a_cbd_and_no_part_of_it_will_do() -> None:
    found = sweep(spf(FABRICS["ls 4×2"])).cables(2)
    assert found.smallest is not None
    failed, verdict = found.smallest
    assert verdict.routing == " ".join(failed)  # the callable was asked for it
    leaves = {name for cable in failed for name in cable.split(":") if name.startswith("l")}
    spines = {name for cable in failed for name in cable.split(":") if name.startswith("s")}
    assert (len(failed), len(leaves), len(spines)) == (2, 2, 2)


def test_the_smallest_is_one_cable_where_one_is_enough() -> None:
    """Five leaves on two spines, l0 without s0: then cutting l1–s1 is enough."""
    network = fabrics.leaf_spine(5, 2).without(["l0:s0:1"])
    found = sweep(spf(network)).cables(2)
    assert found.with_cbd
    assert found.smallest is not None
    assert len(found.smallest[0]) == 1


def test_without_a_cbd_the_smallest_has_unreachable_pairs() -> None:
    found = sweep(rfc7938(FABRICS["ls 4×2"])).cables(2)
    assert found.smallest is not None
    assert not found.with_cbd
    assert sweep(rfc7938(FABRICS["ls 4×4"])).cables(2).smallest is None


def test_parallel_cables_are_sets_of_their_own() -> None:
    network = fabrics.leaf_spine(4, 2, parallel=2)
    found = sweep(spf(network)).cables(2)
    assert counts(found) == (120, 0, 0)
    four = sweep(spf(network)).drawn(10**6, seed=1, size=4)
    assert four.sets == comb(16, 4)
    # Both cables of two bundles: as ls 4×2 with two cables cut.
    assert (four.with_cbd, four.with_unreachable) == (12, 4)


def test_a_sample_is_drawn_without_repetition_and_says_how_much_it_covers() -> None:
    network = fabrics.fat_tree(8)
    found = sweep(spf(network)).drawn(100, seed=3)
    again = sweep(spf(network)).drawn(100, seed=3)
    assert found == again
    assert found.sets == 100
    assert found.of == 32_640
    assert found.coverage == "100 of 32,640 sets of two cables, 0.31 %, drawn with seed 3"
    sets = failure_sets.drawn(network, 30_000, 1, 2)
    assert len({s.bundles for s in sets}) == 30_000
    assert [s.bundles for s in sets] != [
        s.bundles for s in failure_sets.drawn(network, 30_000, 2, 2)
    ]


def test_sampling_all_sets_is_the_whole_sweep() -> None:
    network = FABRICS["ls 4×2"]
    found = sweep(spf(network)).drawn(10**5, seed=1)
    assert counts(found) == (28, 12, 4)
    assert found.coverage.startswith("28 of 28 sets of two cables, all of them")


def test_too_many_sets_are_counted_and_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failure_sets, "MAX_SETS", 300)
    network = FABRICS["ft 4"]
    with pytest.raises(SweepTooLargeError) as caught:
        sweep(spf(network), by_symmetry=False).cables(2)
    assert caught.value.sets == 496
    assert 300 < caught.value.needed <= 496
    assert "496 sets of two cables" in str(caught.value)
    assert sweep(spf(network)).cables(2).sets == 496  # by symmetry there are few
    with pytest.raises(SweepTooLargeError):
        sweep(spf(network)).drawn(301, seed=1)


def test_progress_and_an_interrupt() -> None:
    network = FABRICS["ft 4"]
    seen: list[tuple[int, int]] = []

    def progress(done: int, of: int) -> None:
        seen.append((done, of))
        if done == 100:
            raise KeyboardInterrupt

    run = Sweep(spf(network), priorities.none(network), told, progress=progress, by_symmetry=False)
    found = run.cables(2)
    assert seen[-1] == (100, 496)
    assert not found.complete
    assert (found.sets, found.of) == (100, 496)
    assert found.coverage == "100 of 496 sets of two cables, then interrupted"


def test_a_fabric_without_cables() -> None:
    network = fabrics.Network.of([fabrics.Node("a", 1), fabrics.Node("b", 1)], [])
    found = sweep(spf(network)).single()
    assert counts(found) == (0, 0, 0)
    assert found.nodes is not None
    assert counts(found.nodes) == (2, 0, 0)
    assert counts(sweep(spf(network)).cables(2)) == (0, 0, 0)
