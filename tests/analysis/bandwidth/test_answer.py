"""What is said of a design: parts, kinds, failures, and what cannot be had."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.analysis.bandwidth import bisection as bisecting
from fabric.analysis.bandwidth import throughput
from fabric.analysis.bandwidth.answer import Asked, State, answer, placer
from fabric.analysis.bandwidth.demand import NoGroupsError
from fabric.analysis.bandwidth.placing import Hashed, LeastLoaded, UgalLike, Valiant
from fabric.analysis.bandwidth.thetas import theta as theta_of

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.design import Design

LEAF_SPINE = "kind: leaf-spine, leaves: 3, spines: 2"


def design(folder: Path, topology: str, hosts: int, more: str = "") -> Design:
    path = folder / "fabric.yaml"
    path.write_text(
        f"fabric: f\ntopology: {{{topology}}}\n"
        "platforms: {default: {platform: sonic, model: nvidia-sn4700}}\n"
        f"hosts: {{names: 'h-[1-{hosts}]', nics: 1, nic: connectx-7, speed: 400}}\n{more}",
        encoding="utf-8",
    )
    return flow.load(path)


@pytest.fixture
def tree(tmp_path: Path) -> Design:
    return design(tmp_path, "kind: fat-tree, k: 4", 16)


@pytest.fixture
def dragonfly(tmp_path: Path) -> Design:
    return design(tmp_path, "kind: dragonfly, p: 1, a: 2, h: 1, g: 3", 6)


def test_a_fat_tree(tree: Design) -> None:
    found = answer(tree, Asked(trials=4))
    assert (found.endpoints, found.detached, found.nic_gbps) == (16, 0, 400)
    assert found.bisection is not None
    assert (found.bisection.kind, found.bisection.links, found.bisection.ratio) == (
        "closed-form",
        8,
        1,
    )
    assert found.bisection.gbps == 3200
    uniform, shift, adversarial = found.thetas
    assert (uniform.lp, uniform.ecmp) == pytest.approx((15 / 14, 15 / 14))
    assert (shift.lp, shift.ecmp) == pytest.approx((1, 1))
    assert adversarial.kind == "adversarial"
    assert found.worst_ratio == 1
    assert [(e.qps, e.trials, e.seed) for e in found.effective] == [(1, 4, 1), (8, 4, 1)]
    assert not any(e.hypothetical for e in found.effective)


def test_a_failed_cable_and_a_dead_core(tree: Design) -> None:
    """Validation 2.5."""
    names = {x.id for x in tree.topology.fabric_links if x.kind == "agg-core"}
    found = answer(tree, Asked(only="bisection", cables=frozenset([min(names)])))
    assert found.bisection is not None
    assert (found.bisection.kind, found.bisection.ratio) == ("exact", 0.875)
    core = next(s.name for s in tree.topology.switches if s.role == "core")
    state = State(tree, switches=frozenset([core]))
    assert state.removed == 4
    thetas = [theta_of(state, word, 9) for word in ("uniform", "shift")]
    assert [t.lp for t in thetas] == pytest.approx([0.9375, 0.75])
    assert [t.ecmp for t in thetas] == pytest.approx([0.625, 0.5])


def test_a_dead_leaf_takes_its_endpoints(tree: Design) -> None:
    leaf = next(s.name for s in tree.topology.switches if s.role == "edge")
    found = answer(tree, Asked(trials=2, switches=frozenset([leaf])))
    assert (found.endpoints, found.detached) == (16, 2)
    assert found.bisection is not None
    assert found.bisection.kind == "exact"
    assert found.bisection.links == pytest.approx(7)
    assert all(e.stranded == 0 for e in found.effective)


def test_a_leaf_without_uplinks_is_shown_as_such(tree: Design) -> None:
    leaf = next(s.name for s in tree.topology.switches if s.role == "edge")
    uplinks = frozenset(x.id for x in tree.topology.fabric_links if x.a.device == leaf)
    found = answer(tree, Asked(trials=4, cables=uplinks))
    assert len(uplinks) == 2
    assert (found.worst_leaf, found.worst_ratio) == (leaf, 0)
    for theta in found.thetas[:2]:
        assert theta.lp == pytest.approx(0, abs=1e-9)
        assert (theta.ecmp, theta.volumetric) == (0, 0)
    assert found.effective[0].stranded > 0
    assert found.effective[0].worst_pair < found.effective[0].mean
    assert found.bisection is not None
    assert found.bisection.kind == "exact"


def test_an_odd_number_of_leaves(tmp_path: Path) -> None:
    """3×2 with four hosts: 4 of 6, as one leaf is parted."""
    found = answer(design(tmp_path, LEAF_SPINE, 12), Asked(only="bisection"))
    assert found.bisection is not None
    assert found.bisection.links == pytest.approx(4)
    assert found.bisection.ratio == pytest.approx(2 / 3)


def test_an_odd_number_of_endpoints(tmp_path: Path) -> None:
    """Five against six."""
    found = answer(design(tmp_path, LEAF_SPINE, 11), Asked(trials=2))
    assert found.endpoints == 11
    assert found.bisection is not None
    assert found.bisection.ratio == pytest.approx(found.bisection.links / 5)


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_endpoints(tmp_path: Path, count: int) -> None:
    word = ("no", "one")[count]
    whole = design(tmp_path, "kind: leaf-spine, leaves: 2, spines: 1", 2)
    hosts = sorted(x.id for x in whole.topology.host_links)
    with pytest.raises(ValueError, match=f"^{word} endpoint is in service: there is nobody"):
        answer(whole, Asked(cables=frozenset(hosts[count:])))


def test_no_groups_are_said(tmp_path: Path) -> None:
    planned = design(tmp_path, LEAF_SPINE, 12)
    adversarial = answer(planned, Asked(only="theta")).thetas[2]
    assert (adversarial.lp, adversarial.ecmp, adversarial.volumetric) == (None, None, None)
    assert "several groups" in adversarial.why_null
    for asked in (
        Asked(only="effective", pattern="adversarial"),
        Asked(only="effective", hash="valiant"),
        Asked(only="effective", hash="ugal-like"),
    ):
        with pytest.raises(NoGroupsError):
            answer(planned, asked)


def test_a_program_too_large_is_said(tree: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throughput, "MOST_VARIABLES", 10)
    theta = answer(tree, Asked(only="theta")).thetas[0]
    assert theta.lp is None
    assert theta.ecmp == pytest.approx(15 / 14)
    assert "10 at most" in theta.why_null
    # 64 arcs; each of 16 endpoints sends 2/15 over 2 hops and 12/15 over 4: 55.47
    assert "between the even split, 1.071, and the bound 1.154" in theta.why_null


def test_where_bounds_meet_no_program_is_needed(
    tree: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shift of a fat-tree: the even split reaches 1, and no more than 1 fits its cables."""
    monkeypatch.setattr(throughput, "MOST_VARIABLES", 10)
    shift = answer(tree, Asked(only="theta")).thetas[1]
    assert (shift.lp, shift.ecmp, shift.volumetric, shift.why_null) == (1, 1, 1, "")


def test_without_the_program_a_bisection_has_the_even_split_s_bound(
    tree: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ft 4 without one core uplink: 5/8 by even split (validation 2.5), so 5/8 · 64/15 = 2.7."""
    monkeypatch.setattr(throughput, "MOST_VARIABLES", 10)
    monkeypatch.setattr(bisecting, "MOST_SWITCHES", 0)
    monkeypatch.setattr(State, "least_cut", lambda _: 0.0)
    cables = frozenset({"agg-0-0:core-0:1"})
    cut = answer(tree, Asked(only="bisection", cables=cables)).bisection
    assert cut is not None
    assert (cut.kind, cut.lower, cut.upper) == ("bounds", 3, 7)


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("ecmp", Hashed),
        ("ecmp-polarised", Hashed),
        ("dlb", LeastLoaded),
        ("valiant", Valiant),
        ("ugal-like", UgalLike),
    ],
)
def test_any_hash_can_be_asked(dragonfly: Design, word: str, kind: type) -> None:
    state = State(dragonfly)
    chosen = placer(state, word, word)
    assert type(chosen) is kind
    if isinstance(chosen, Hashed):
        assert len(set(chosen.seeds.tolist())) == (1 if word == "ecmp-polarised" else 6)
    found = answer(dragonfly, Asked(only="effective", hash=word, trials=2)).effective
    assert [(e.hash, e.hypothetical) for e in found] == [(word, True)] * 2


def test_spraying_can_be_asked(tree: Design) -> None:
    found = answer(tree, Asked(only="effective", hash="spray", trials=2)).effective
    assert [e.hash for e in found] == ["spray"] * 2
    assert [e.mean for e in found] == pytest.approx([1, 1])


def test_dragonfly_minimal_is_what_is_planned(dragonfly: Design) -> None:
    """Validation 2.5: 1.1111 / 1.0 and 0.75 / 0.5 for df(1,2,1,3)."""
    found = answer(dragonfly, Asked(only="theta")).thetas
    assert (found[0].lp, found[0].ecmp) == pytest.approx((10 / 9, 1))
    assert (found[2].lp, found[2].ecmp) == pytest.approx((0.75, 0.5))


def test_progress_counts_all_trials(tree: Design) -> None:
    told: list[tuple[int, int]] = []
    asked = Asked(only="effective", qps=(1, 2), trials=3)
    answer(tree, asked, progress=lambda done, of: told.append((done, of)))
    assert told == [(n, 6) for n in range(1, 7)]


def test_seeds_of_the_plan_are_those_of_the_roles(tree: Design) -> None:
    state = State(tree)
    by_role = {
        s.role: int(seed)
        for s, seed in zip(tree.topology.switches, state.seeds.tolist(), strict=True)
    }
    assert by_role == {"edge": 0, "agg": 10, "core": 25}  # SONiC's, from the device type
