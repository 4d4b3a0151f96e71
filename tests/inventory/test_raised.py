"""The class that RoCE rises to: defaults, own values, and what cannot be honoured."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabric import flow
from fabric.model.finding import InputError
from tests.inventory.writing import LEAF_SPINE, reading, refusals

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.intent import RocePolicy

DRAGONFLY = "fabric: t\ntopology: {kind: dragonfly, p: 1, a: 2, h: 1, g: 3}\n"


def policy(folder: Path, roce: str = "{}", topology: str = DRAGONFLY) -> RocePolicy:
    return reading(folder, f"{topology}roce: {roce}\n").intent.roce


def lossless(roce: RocePolicy) -> dict[str, tuple[int, int]]:
    """DSCP and priority of each lossless class."""
    return {c.name: (c.dscps[0], c.priority) for c in roce.class_map.lossless}


def test_a_dragonfly_has_a_second_class_for_its_global_cables(tmp_path: Path) -> None:
    roce = policy(tmp_path)
    assert lossless(roce) == {"roce": (26, 3), "roce-raised": (34, 4)}
    assert roce.rise is not None
    assert (roce.rise.kinds, roce.rise.steps) == (("global",), ("roce", "roce-raised"))
    assert (roce.dscp, roce.priority) == (26, 3)  # hosts send the first class alone


@pytest.mark.parametrize(
    "topology",
    [
        LEAF_SPINE,
        "fabric: t\ntopology: {kind: dragonfly, p: 1, a: 1, h: 2, g: 3}\n",  # a full mesh: one hop
        "fabric: t\ntopology: {kind: dragonfly-plus, p: 1, leaves: 2, spines: 2, h: 1, g: 3}\n",
    ],
)
def test_other_topologies_stay_in_one_class(tmp_path: Path, topology: str) -> None:
    roce = policy(tmp_path, topology=topology)
    assert lossless(roce) == {"roce": (26, 3)}
    assert roce.rise is None
    (finding,) = refusals(tmp_path, f"{topology}roce: {{raised: [{{dscp: 34}}]}}\n")
    assert finding.rule == "RCE020"
    assert "stays in one class" in finding.message


@pytest.mark.parametrize(
    ("roce", "raised"),
    [
        # DSCP + 8; the next priority that no class has.
        ("{preset: huawei_ai_fabric}", (32, 5)),
        ("{preset: article}", (54, 4)),
        ("{priority: 5}", (34, 1)),
        ("{raised: [{dscp: 12}]}", (12, 4)),
        ("{raised: [{priority: 2}]}", (34, 2)),
        ("{raised: [{dscp: 12, priority: 1}]}", (12, 1)),
        ("{classes: [{name: x, dscp: 8, priority: 4}]}", (34, 5)),
        # A preset's lossless class made lossy: then RoCE alone is lossless.
        ("{preset: gaudi3, classes: [{name: ack, dscp: 16, priority: 3}]}", (32, 4)),
    ],
)
def test_defaults_and_own_values(tmp_path: Path, roce: str, raised: tuple[int, int]) -> None:
    assert lossless(policy(tmp_path, roce))["roce-raised"] == raised


@pytest.mark.parametrize(
    ("roce", "place", "words"),
    [
        ("{dscp: 40}", "roce.dscp", "RoCE rises to DSCP 40 + 8 unless told otherwise, but DSCP 48"),
        ("{dscp: 60}", "roce.dscp", "there is no DSCP 68"),
        ("{classes: [{name: x, dscp: 34, priority: 2}]}", "roce", "DSCP 34 is x's"),
        ("{raised: [{dscp: 48}]}", "roce.raised[0].dscp", "DSCP 48 is in two classes"),
        ("{raised: [{dscp: 56}]}", "roce.raised[0].dscp", "network control"),
        ("{raised: [{dscp: 26}]}", "roce.raised[0].dscp", "DSCP 26 is in two classes"),
        ("{raised: [{dscp: 0}]}", "roce.raised[0].dscp", "which unmarked traffic carries"),
        ("{raised: [{priority: 3}]}", "roce.raised[0].priority", "share priority and queue 3"),
        ("{raised: [{priority: 6}]}", "roce.raised[0].priority", "CNP would be paused"),
        ("{raised: [{priority: 7}]}", "roce.raised[0].priority", "must never be paused"),
        ("{raised: [{priority: 0}]}", "roce.raised[0].priority", "all unmarked traffic"),
        ("{raised: [{}, {}]}", "roce.raised", "raised lists 2 classes"),
        ("{preset: sonic_azure}", "roce.preset", "class roce-4 is lossless, but only RoCE rises"),
        (
            "{classes: [{name: x, dscp: 8, priority: 1, lossless: true}]}",
            "roce.classes[0]",
            "class x is lossless, but only RoCE rises",
        ),
        (
            "{classes: [{name: roce-raised, dscp: 8, priority: 1}]}",
            "roce.classes[0].name",
            "is what the class is called",
        ),
        ("{pfc: {priorities: [3]}}", "roce.pfc.priorities", "lacks 4, the priority of roce-raised"),
    ],
)
def test_what_cannot_be_honoured_is_said_where_it_stands(
    tmp_path: Path, roce: str, place: str, words: str
) -> None:
    found = refusals(tmp_path, f"{DRAGONFLY}roce: {roce}\n")
    assert all(finding.rule == "RCE020" for finding in found)
    told = {finding.location.path: finding.message for finding in found if finding.location}
    assert place in told, told
    assert words in told[place]


def test_no_priority_is_left(tmp_path: Path) -> None:
    classes = ", ".join(f"{{name: c{p}, dscp: {p}, priority: {p}}}" for p in (1, 2, 4, 5))
    found = refusals(tmp_path, f"{DRAGONFLY}roce: {{classes: [{classes}]}}\n")
    assert any("no priority from 1 to 5 is left" in finding.message for finding in found)


def test_a_broken_topology_says_nothing_about_raised_classes(tmp_path: Path) -> None:
    text = "fabric: t\ntopology: {kind: dragonfly, p: 0, a: 2, h: 1, g: 3}\n"
    found = refusals(tmp_path, f"{text}roce: {{raised: [{{dscp: 34}}]}}\n")
    assert {finding.rule for finding in found} == {"RCE011"}


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.integers(1, 98))
def test_on_a_cable_with_one_of_its_classes_roce_keeps_its_share(
    tmp_path: Path, share: int
) -> None:
    """Weights add up to 100; alone with the others, the raised class has the share asked for."""
    roce = policy(tmp_path, f"{{classes: [{{name: roce, weight: {share}}}]}}")
    weights = {c.name: c.weight or 0 for c in roce.class_map.classes if c.scheduler == "dwrr"}
    assert sum(weights.values()) == 100
    assert abs(weights["roce"] - weights["roce-raised"]) <= 1
    kept = weights["roce-raised"] / (weights["roce-raised"] + weights["default"])
    assert kept == pytest.approx(share / 100, abs=0.02)


def test_a_map_with_a_raised_class_is_complete(tmp_path: Path) -> None:
    classes = policy(tmp_path).class_map.classes
    assert sorted(d for c in classes for d in c.dscps) == list(range(64))
    assert len({c.queue for c in classes}) == len(classes)


def test_an_unknown_key_is_refused(tmp_path: Path) -> None:
    found = refusals(tmp_path, f"{DRAGONFLY}roce: {{raised: [{{dscp: 34, prio: 4}}]}}\n")
    assert {finding.rule for finding in found} == {"RCE005"}


@pytest.mark.parametrize(
    ("roce", "rules"),
    [
        # What is refused clashes with nothing, and what follows from it is not said.
        ("{raised: [{dscp: 70}], priority: 6}", {"RCE006", "RCE020"}),
        ("{raised: [{priority: high}], cnp_dscp: 26}", {"RCE006", "RCE020"}),
        ("{raised: 34}", {"RCE006"}),
        ("{dscp: 70}", {"RCE006"}),
        ("{priority: 9}", {"RCE006"}),
        ("{preset: nvidea}", {"RCE009"}),
    ],
)
def test_what_depends_on_a_refused_value_is_not_said(
    tmp_path: Path, roce: str, rules: set[str]
) -> None:
    found = refusals(tmp_path, f"{DRAGONFLY}roce: {roce}\n")
    assert {finding.rule for finding in found} == rules, [f.message for f in found]


def test_a_refused_system_hides_no_other_problem(tmp_path: Path) -> None:
    path = tmp_path / "inv.yaml"
    path.write_text(
        f"{DRAGONFLY}platforms: {{default: {{platform: arista_eos}}}}\n"
        "roce: {mtu: {host: 1500}}\nracks: {nobody: r1}\n",
        encoding="utf-8",
    )
    with pytest.raises(InputError) as caught:
        flow.derive(path)
    assert {"RCE021", "RCE023"} < {finding.rule for finding in caught.value.findings}
