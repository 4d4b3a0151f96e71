"""``fabric analyze deadlock``: the JSON contract, the words, exit codes, bad input."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import INVENTORIES

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

KEYS = {
    "schema",
    "routing",
    "cbd",
    "edges",
    "largest_scc",
    "priorities",
    "unreachable_pairs",
    "cycle",
    "certificate",
}
RING4 = str(INVENTORIES / "ring4.yaml")
LAB = str(INVENTORIES / "leafspine-lab.yaml")  # 4 leaves, 2 spines
DRAGONFLY = str(INVENTORIES / "dragonfly128.yaml")
CUTS = ("--fail", "leaf-0:spine-1", "--fail", "leaf-1:spine-0")


def test_json_without_a_cycle(fabric: Shell) -> None:
    done = fabric("analyze", "deadlock", LAB, "--json")
    assert done.code == 0
    assert done.json.keys() >= KEYS
    facts = {key: done.json[key] for key in ("schema", "routing", "cbd", "edges", "cycle")}
    assert facts == {
        "schema": 1,
        "routing": "as-planned",
        "cbd": False,
        "edges": 24,
        "cycle": [],
    }
    assert (done.json["largest_scc"], done.json["priorities"]) == (0, 1)
    assert done.json["certificate"]["survives_failures"] is True


def test_json_with_a_cycle(fabric: Shell) -> None:
    done = fabric("analyze", "deadlock", RING4, "--json")
    assert done.code == 1
    assert (done.json["cbd"], done.json["edges"], done.json["largest_scc"]) == (True, 8, 4)
    assert done.json["certificate"] is None
    steps = done.json["cycle"]
    assert len(steps) == 4
    for step in steps:
        assert step.keys() >= {"link", "from", "to", "priority", "destination"}
        assert step["priority"] == 3
        assert {step["from"], step["to"]} == set(step["link"].split(":")[:2])


def test_a_cycle_stands_in_the_text_port_by_port(fabric: Shell) -> None:
    done = fabric("analyze", "deadlock", RING4)
    assert done.code == 1
    lines = [line.split() for line in done.out.splitlines()]
    assert lines[1][:3] == ["CBD", "(deadlock", "possible)"]
    ring = [line for line in lines if "→" in line and "holds" in line]
    assert [line[0] for line in ring] == ["r0", "r1", "r2", "r3"]
    assert "deadlocked" not in done.out
    assert "Assumed: routing has converged." in done.out
    assert "Checked in the config: priority 3 is not flooded; hosts do not forward;" in done.out


@pytest.mark.parametrize(
    ("options", "code", "facts"),
    [
        # validation.md 1.5: ls 4×2 with two cuts
        (("--routing", "spf", *CUTS), 1, {"cbd": True, "largest_scc": 4, "unreachable_pairs": 0}),
        (("--routing", "bgp", *CUTS), 0, {"cbd": False, "unreachable_pairs": 2}),
        (("--routing", "bgp-allowas-in", *CUTS), 1, {"cbd": True, "unreachable_pairs": 0}),
        (("--routing", "spf", "--priority-rise", "bounce", *CUTS), 0, {"priorities": 2}),
        (("--routing", "updown", *CUTS), 0, {"cbd": False, "unreachable_pairs": 2}),
        (("--routing", "l2-flood"), 1, {"cbd": True}),
        (("--fail", "spine-0", "spine-1"), 0, {"edges": 0, "unreachable_pairs": 12}),
        (("--fail", "leaf-0"), 0, {"edges": 12, "unreachable_pairs": 0}),
        (("--certificate-only",), 0, {"cbd": False, "edges": None, "largest_scc": None}),
    ],
)
def test_a_leaf_spine(
    fabric: Shell, options: tuple[str, ...], code: int, facts: dict[str, object]
) -> None:
    done = fabric("analyze", "deadlock", LAB, *options, "--json")
    assert done.code == code, done.err
    assert {key: done.json[key] for key in facts} == facts


@pytest.mark.parametrize(
    ("options", "code", "facts"),
    [
        ((), 0, {"cbd": False, "priorities": 2}),
        (("--priority-rise", "none"), 1, {"cbd": True, "priorities": 1}),
        (("--routing", "dragonfly-minimal", "--priority-rise", "global-hop"), 0, {"priorities": 2}),
        (("--routing", "spf", "--priority-rise", "global-hop"), 0, {"cbd": False, "priorities": 3}),
        (("--routing", "dragonfly-minimal", "--priority-rise", "none"), 1, {"cbd": True}),
    ],
)
def test_a_dragonfly(
    fabric: Shell, options: tuple[str, ...], code: int, facts: dict[str, object]
) -> None:
    done = fabric("analyze", "deadlock", DRAGONFLY, *options, "--json")
    assert done.code == code, done.err
    assert {key: done.json[key] for key in facts} == facts


def test_raised_priorities_bear_the_numbers_of_the_plan(fabric: Shell) -> None:
    done = fabric("analyze", "deadlock", DRAGONFLY)
    assert "no deadlock is possible at priorities 3, 4" in done.out


def test_unreachable_pairs_are_named(fabric: Shell) -> None:
    done = fabric("analyze", "deadlock", LAB, *CUTS)
    assert "No way: leaf-0 → leaf-1, leaf-1 → leaf-0." in done.out


def test_without_a_certificate_nothing_is_proven(fabric: Shell) -> None:
    done = fabric("analyze", "deadlock", RING4, "--certificate-only", "--json")
    assert done.code == 1
    assert (done.json["cbd"], done.json["edges"], done.json["certificate"]) == (None, None, None)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((LAB, "--fail", "leaf-0:spine-7"), "did you mean spine-1, spine-0"),
        ((LAB, "--routing", "up-down"), "did you mean updown"),
        ((LAB, "--priority-rise", "bounces"), "did you mean bounce"),
        ((LAB, "--routing", "updown", "--root", "spine-9"), "did you mean spine-1"),
        ((LAB, "leaf-0"), "what has failed follows --fail"),
        ((LAB, "--routing", "dragonfly-minimal"), "6 switches are in none"),
        (("nowhere.yaml",), "nowhere.yaml"),
    ],
)
def test_bad_input(fabric: Shell, arguments: tuple[str, ...], said: str) -> None:
    done = fabric("analyze", "deadlock", *arguments)
    assert done.code == 2
    assert said in done.err
    assert done.out == ""


def test_all_wrong_words_are_told_at_once(fabric: Shell) -> None:
    done = fabric("analyze", "deadlock", LAB, "--fail", "leaf-9", "leaf-0:leaf-1")
    assert done.err.count("error: --fail") == 2
    assert done.err.count("help:") == 2


def test_without_endpoints_there_is_nothing_to_prove(fabric: Shell) -> None:
    fabric.write(
        "empty.yaml",
        "fabric: e\ntopology:\n  kind: explicit\n"
        "  switches: [{name: a, tier: 1}, {name: b, tier: 1}]\n  cables: [{a: a, b: b}]\n"
        "platforms: {default: {platform: frr, model: generic}}\n",
    )
    done = fabric("analyze", "deadlock", "empty.yaml")
    assert done.code == 2
    assert "no endpoints" in done.err


def test_one_group_alone_is_no_dragonfly(fabric: Shell) -> None:
    fabric.write(
        "one.yaml",
        "fabric: o\ntopology:\n  kind: explicit\n"
        "  switches: [{name: a, endpoints: 1, group: x}, {name: b, endpoints: 1, group: x}]\n"
        "  cables: [{a: a, b: b}]\nplatforms: {default: {platform: frr, model: generic}}\n",
    )
    done = fabric("analyze", "deadlock", "one.yaml", "--routing", "dragonfly-minimal")
    assert done.code == 2
    assert "one group alone" in done.err


def test_design_findings_and_suppressions_do_not_touch_it(fabric: Shell) -> None:
    text = (INVENTORIES / "ring4.yaml").read_text(encoding="utf-8")
    fabric.write("ring.yaml", text.partition("suppress:")[0])
    assert fabric("plan", "ring.yaml").code == 1  # RCE501
    assert fabric("analyze", "deadlock", "ring.yaml").code == 1
    assert fabric("plan", RING4).code == 0


def test_the_plan_states_the_verdict(fabric: Shell) -> None:
    ring = fabric("plan", RING4, "--json")
    assert ring.json["design"]["deadlock"] == "CBD (deadlock possible): r0 → r1 → r2 → r3 → r0"
    assert "Deadlock   no CBD, whatever fails (up, then down)" in fabric("plan", LAB).out


RING = ", ".join(f"{{name: r{n}, endpoints: 1, group: g{n}}}" for n in range(14))
AROUND = ", ".join(f"{{a: r{n}, b: r{(n + 1) % 14}}}" for n in range(14))


def test_no_two_levels_share_a_priority(fabric: Shell) -> None:
    """Seven hops rise six times; 1 to 5 can be lossless, and what rises further is not."""
    fabric.write(
        "ring14.yaml",
        f"fabric: r\ntopology: {{kind: explicit, switches: [{RING}], cables: [{AROUND}]}}\n"
        "platforms: {default: {platform: frr, model: generic}}\n",
    )
    done = fabric("analyze", "deadlock", "ring14.yaml", "--priority-rise", "global-hop")
    assert "at priorities 3, 4, 5, 1, 2" in done.out
    assert "go on in a lossy class" in " ".join(done.out.split())
    done = fabric("analyze", "deadlock", "ring14.yaml", "--priority-rise", "bounce", "--json")
    assert done.code == 1
    assert "no cable leads from one tier to another" in done.json["notes"][0]


def test_a_root_needs_up_down_routing(fabric: Shell) -> None:
    done = fabric("analyze", "deadlock", LAB, "--root", "spine-0")
    assert done.code == 2
    assert "--root goes with --routing updown" in done.err


def test_with_nobody_in_service_nothing_crosses_the_fabric(fabric: Shell) -> None:
    leaves = [f"leaf-{n}" for n in range(4)]
    done = fabric("analyze", "deadlock", LAB, "--fail", *leaves, "--json")
    assert done.code == 0
    assert "fewer than two leaves" in done.json["notes"][0]


def test_a_sweep_says_what_holds_with_nothing_failed(fabric: Shell) -> None:
    done = fabric("analyze", "deadlock", RING4, "--failures", "1", "--json")
    assert done.code == 1
    assert done.json["unfailed"] == {"cbd": True, "unreachable_pairs": 0}
    assert (done.json["with_cbd"], done.json["sets"]) == (0, 4)
    done = fabric("analyze", "deadlock", RING4, "--failures", "1")
    assert "CBD (deadlock possible) with nothing failed already" in done.out
