"""``fabric analyze deadlock --observed`` and ``fabric schema --observed``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.analysis.observed_files import Facts, hosts, route, wired

if TYPE_CHECKING:
    from tests.cli.conftest import Shell


def _ring() -> Facts:
    names = [f"r{n}" for n in range(4)]
    facts = wired(names, [(names[n], names[(n + 1) % 4]) for n in range(4)])
    facts["fabric"] = "ring"
    for n, name in enumerate(names):
        hosts(facts, name, f"10.0.{n}.0/24")
        left, right, far = (names[(n + d) % 4] for d in (1, 3, 2))
        for other in (left, right):
            route(facts, other, f"10.0.{n}.0/24", name)
        route(facts, far, f"10.0.{n}.0/24", left, right)
    return facts


def _looping() -> Facts:
    facts = wired(["l0", "s0"], [("l0", "s0")])
    hosts(facts, "l0", "10.0.0.0/24")
    route(facts, "l0", "0.0.0.0/0", "s0")
    route(facts, "s0", "10.0.0.0/16", "l0")
    return facts


def test_a_ring_has_a_cbd_with_ports(fabric: Shell) -> None:
    fabric.write("ring.json", json.dumps(_ring()))
    done = fabric("analyze", "deadlock", "--observed", "ring.json", "--json")
    assert done.code == 1
    found = done.json
    assert (found["schema"], found["fabric"], found["routing"]) == (1, "ring", "observed")
    assert (found["cbd"], found["largest_scc"], found["unreachable_pairs"]) == (True, 4, 0)
    assert len(found["cycle"]) == 4
    assert all(step["from_port"] and step["to_port"] for step in found["cycle"])
    assert {step["priority"] for step in found["cycle"]} == {3}
    assert found["loops"] == []


def test_the_priority_of_the_file_is_the_one_that_is_told(fabric: Shell) -> None:
    fabric.write("ring.json", json.dumps({**_ring(), "priority": 4}))
    done = fabric("analyze", "deadlock", "--observed", "ring.json")
    assert "CBD (deadlock possible) at priority 4" in done.out
    assert "r0 Ethernet" in done.out


def test_a_loop_is_told_first_and_with_its_cables(fabric: Shell) -> None:
    fabric.write("loop.json", json.dumps(_looping()))
    done = fabric("analyze", "deadlock", "--observed", "loop.json")
    assert done.code == 1
    first = done.out.splitlines()[1]
    assert first.startswith("Routing loop: packets for 10.0.0.0/16 (less one longer prefix)")
    assert "which no switch has" in first
    found = fabric("analyze", "deadlock", "--observed", "loop.json", "--json").json
    (loop,) = found["loops"]
    assert [cable["link"] for cable in loop["cables"]] == ["l0:s0:1", "l0:s0:1"]
    assert (loop["dead"], loop["lossless"], loop["prefix_count"]) == (True, True, 1)


def test_bad_files_are_exit_2_with_json_findings(fabric: Shell) -> None:
    fabric.write("bad.json", '{"schema": 1, "devices": {"l0": {"routes": {"x": {}}}}}')
    done = fabric("analyze", "deadlock", "--observed", "bad.json", "--json")
    assert done.code == 2
    assert [f["rule"] for f in done.json["findings"]] == ["RCE007"]
    assert fabric("analyze", "deadlock", "--observed", "none.json").code == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--observed", "ring.json", "x.yaml"), "does not go with an inventory"),
        (("--observed", "ring.json", "--routing", "spf"), "does not go with --routing"),
        (("--observed", "ring.json", "--fail", "r0"), "does not go with --fail"),
        (("--observed", "ring.json", "--priority-rise", "bounce"), "the tier of each switch"),
        (("--observed", "ring.json", "--priority-rise", "bouncy"), "did you mean bounce?"),
        (("--observed", "idle.json"), "no switch has hosts"),
        ((), "an inventory is missing"),
    ],
)
def test_what_does_not_go_together_is_exit_2(
    fabric: Shell, words: tuple[str, ...], told: str
) -> None:
    fabric.write("ring.json", json.dumps(_ring()))
    fabric.write("idle.json", json.dumps(wired(["l0", "s0"], [("l0", "s0")])))
    done = fabric("analyze", "deadlock", *words)
    assert (done.code, done.out) == (2, "")
    assert told in done.err


def test_the_schema_of_observed_facts_is_printed(fabric: Shell) -> None:
    assert "DeviceSection" in fabric("schema", "--observed").json["$defs"]
    assert "topology" in fabric("schema").json["properties"]


def test_the_schema_of_a_job_is_printed(fabric: Shell) -> None:
    assert "gradient_checkpointing" in fabric("schema", "--workload").json["properties"]
    done = fabric("schema", "--workload", "--observed")
    assert (done.code, done.out) == (2, "")
    assert "two schemas" in done.err
