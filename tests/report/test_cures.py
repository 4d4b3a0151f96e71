"""The words for ways out: what helps, what does not fit, what leaves a CBD."""

from __future__ import annotations

from dataclasses import replace

from fabric.model.deadlock import (
    Cure,
    HeadroomCost,
    KindCost,
    PathCost,
    Remedy,
    SingleFailureCosts,
)
from fabric.report.cures import (
    cure_json,
    cures_lines,
    single_failure_lines,
    single_failures_json,
)
from fabric.report.text import Style

WIDE = Style(width=200)
_LOAD = (
    "  load: of the fullest cable between switches when every endpoint sends at its line rate, as "
    "much to each other one, split equally at every switch"
)
DATELINE = Cure(
    name="dateline",
    title="one more priority across r0–r3 (dateline)",
    change="both ends of r0:r3:1 send RoCE in the next class",
    cbd=False,
    levels=2,
    priorities_before=1,
    priorities=2,
    limit=2,
    limit_by="a model under a system",
    unreachable_before=0,
    unreachable=0,
    headroom=HeadroomCost("r0", 900, 1_800, 0.09, 0.18),
    note="holds for the routes as they are",
)
PLAIN = replace(DATELINE, levels=1, priorities=1, headroom=None, note="")
UP_DOWN = replace(
    PLAIN,
    name="updown",
    title="up/down routing from r0",
    change="never up again",
    paths=PathCost(1.5, 1.6, 1.0, 1.25),
    survives_failures=True,
)


def test_what_helps() -> None:
    assert cures_lines([DATELINE, UP_DOWN], WIDE) == [
        "Ways out, checked:",
        (
            "  - one more priority across r0–r3 (dateline): no CBD; 2 lossless priorities (now 1); "
            "headroom 9 % → 18 % of the pool on r0"
        ),
        "    how: both ends of r0:r3:1 send RoCE in the next class",
        "    holds for the routes as they are",
        (
            "  - up/down routing from r0: no CBD, whatever else fails; load 1.00 → 1.25, uniform "
            "traffic gets 80 % of line rate (now 100 %), 1.50 → 1.60 cables a packet"
        ),
        "    how: never up again",
        _LOAD,
    ]


def test_what_the_switches_cannot_carry() -> None:
    many = replace(DATELINE, levels=3, priorities=3, note="")
    full = replace(DATELINE, headroom=HeadroomCost("r0", 900, 1_800, 0.6, 1.2), note="")
    port = replace(DATELINE, headroom=None, port_headroom="9 B on one port", note="")
    lines = cures_lines([many, full, port], WIDE)
    assert lines[0] == "Ways out, checked: none of those that were tried"
    assert lines[1] == "No CBD with these, but the switches cannot carry them:"
    assert lines[2].endswith(
        "no CBD; needs 3 lossless priorities, a model under a system carries 2"
    )
    assert lines[4].endswith("headroom 60 % → 120 % of the pool on r0, more than there is")
    assert lines[6].endswith("2 lossless priorities (now 1); 9 B on one port")
    assert not any(cure.helps for cure in (many, full, port))


def test_more_than_there_are() -> None:
    told = cures_lines([replace(DATELINE, levels=9, priorities=9)], WIDE)[2]
    assert "needs more than 8 lossless priorities" in told


def test_what_does_not_help() -> None:
    bounce = replace(PLAIN, title="one more at each turn", cbd=True, note="over same-tier cables")
    assert cures_lines([UP_DOWN, bounce], WIDE)[3:6] == [
        "These do not help:",
        "  - one more at each turn: still a CBD",
        "    over same-tier cables",
    ]


def test_pairs_without_a_way_are_told_both_times() -> None:
    told = [
        cures_lines([replace(PLAIN, unreachable_before=b, unreachable=a)], WIDE)[1]
        for b, a in ((0, 2), (2, 2), (2, 0))
    ]
    assert told[0].endswith("2 ordered pairs of leaves without a way (now 0)")
    assert told[1].endswith("2 pairs of leaves without a way, as now")
    assert told[2].endswith("every pair of leaves has a way (now 2 have none)")


def test_load_is_left_out_where_less_traffic_has_a_way() -> None:
    lines = cures_lines([replace(UP_DOWN, unreachable=2)], WIDE)
    assert not any("load" in line for line in lines)


def test_unknown_pools_are_told_in_bytes() -> None:
    cost = HeadroomCost("r0", 316_000, 632_000, None, None)
    told = cures_lines([replace(DATELINE, headroom=cost)], WIDE)[1]
    assert told.endswith("headroom 316 kB → 632 kB on r0, whose pool is not known")


def test_json_has_the_same_facts() -> None:
    found = cure_json(UP_DOWN)
    assert found["name"] == "updown"
    assert found["helps"] is True
    assert found["headroom"] is None
    assert found["uniform_even_split"] == {
        "mean_hops_before": 1.5,
        "mean_hops": 1.6,
        "fullest_cable_load_before": 1.0,
        "fullest_cable_load": 1.25,
    }


COSTS = SingleFailureCosts(
    kinds=(
        KindCost("local", 54, 0, 54, 54, 0, "x:y:1", 34),
        KindCost("global", 40, 4, 36, 0, 0, "", 0),
    ),
    remedies=(Remedy("any shortest path", "no route policy", 90, 0, 0, 4),),
    complete=True,
    priorities=2,
    limit=2,
    limit_by="a model under a system",
)


def test_single_failures() -> None:
    assert single_failure_lines(COSTS, WIDE) == [
        "If one cable fails, under minimal paths:",
        (
            "  - local, 54 cables: 54 of 54 worked out part a pair, up to 34 ordered pairs of "
            "leaves (x:y:1), no CBD"
        ),
        (
            "  - global, 40 cables: none of 36 worked out parts a pair, no CBD; 4 have a parallel "
            "one beside them and part nobody"
        ),
        "What keeps pairs together, checked over every such failure:",
        (
            "  - any shortest path: no pair is parted; no CBD; needs 4 lossless priorities, "
            "a model under a system carries 2"
        ),
        "    how: no route policy",
    ]
    found = single_failures_json(COSTS)
    remedies = found["remedies"]
    assert isinstance(remedies, list)
    assert remedies[0]["helps"] is False


def test_a_sample_is_called_one() -> None:
    lines = single_failure_lines(replace(COSTS, complete=False), WIDE)
    assert lines[0].endswith("(a few cables of each kind were worked out):")
    assert "over a few of such failures" in lines[3]
