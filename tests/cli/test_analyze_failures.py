"""``fabric analyze deadlock --failures``: counts, the smallest counter-example, exit codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from fabric.analysis import failure_sets
from fabric.analysis.rerouting import Rerouting
from tests.cli.conftest import INVENTORIES

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

LAB = str(INVENTORIES / "leafspine-lab.yaml")  # 4 leaves, 2 spines
RING = str(INVENTORIES / "ring4.yaml")
TRAIN = str(INVENTORIES / "64node.yaml")


def counted(answer: Any) -> tuple[int, int, int]:
    return answer["sets"], answer["with_cbd"], answer["with_unreachable"]


@pytest.mark.parametrize(
    ("words", "code", "expected"),
    [
        (("--failures", "1"), 0, (8, 0, 0)),
        (("--failures", "2"), 0, (28, 0, 16)),
        (("--failures", "2", "--routing", "spf"), 1, (28, 12, 4)),
        (("--failures", "2", "--routing", "bgp-allowas-in"), 1, (28, 12, 4)),
        (("--failures", "2", "--routing", "spf", "--priority-rise", "bounce"), 0, (28, 0, 4)),
        (("--failures", "2", "--routing", "updown"), 0, (28, 0, 16)),
        (("--failures", "1", "--routing", "l2-flood"), 1, (8, 8, 0)),
    ],
    ids=str,
)
def test_counts(
    fabric: Shell, words: tuple[str, ...], code: int, expected: tuple[int, int, int]
) -> None:
    done = fabric("analyze", "deadlock", LAB, *words, "--json")
    assert done.code == code
    assert counted(done.json) == expected
    assert done.json["complete"] is True


def test_the_smallest_has_the_single_form(fabric: Shell) -> None:
    words = ("analyze", "deadlock", LAB, "--routing", "spf", "--json")
    smallest = fabric(*words, "--failures", "2").json["smallest"]
    assert len(smallest["failed"]) == 2
    assert (smallest["cbd"], smallest["largest_scc"], len(smallest["cycle"])) == (True, 4, 4)
    # Named again with --fail, it is the same state.
    cuts = [word for cable in smallest["failed"] for word in ("--fail", cable)]
    alone = fabric(*words, *cuts).json
    for key in ("cbd", "edges", "largest_scc", "priorities", "unreachable_pairs", "cycle"):
        assert alone[key] == smallest[key]


def test_single_switches_stand_beside_single_cables(fabric: Shell) -> None:
    nodes = fabric("analyze", "deadlock", RING, "--failures", "1", "--json").json["nodes"]
    assert counted(nodes) == (4, 0, 0)
    assert nodes["smallest"] is None
    answer = fabric("analyze", "deadlock", RING, "--failures", "2", "--json").json
    assert counted(answer) == (6, 0, 6)
    assert "nodes" not in answer


def test_what_is_down_already_stays_down(fabric: Shell) -> None:
    words = ("--fail", "leaf-0:spine-0", "--failures", "1", "--routing", "spf", "--json")
    done = fabric("analyze", "deadlock", LAB, *words)
    assert done.code == 1
    # leaf-1, leaf-2 or leaf-3 loses spine-1; leaf-0 loses its last cable
    assert counted(done.json) == (7, 3, 1)
    assert done.json["failed"] == ["leaf-0:spine-0:1"]


def test_text(fabric: Shell) -> None:
    out = fabric("analyze", "deadlock", LAB, "--failures", "2", "--routing", "spf").out
    assert "CBD (deadlock possible) after some failures" in out
    assert "all 28 sets of two cables, 3 worked out and the others by symmetry" in out
    assert "Smallest counter-example: leaf-" in out
    assert "4 buffers wait for each other in a ring" in out
    out = fabric("analyze", "deadlock", LAB, "--failures", "1").out
    assert "no CBD after any of these failures" in out
    assert "Assumed: routing has converged" in out


def test_a_sample_says_what_it_covers(fabric: Shell) -> None:
    done = fabric("analyze", "deadlock", TRAIN, "--failures", "sample:50", "--json")
    assert (done.json["sets"], done.json["of"]) == (50, 8_128)
    assert done.json["coverage"] == "50 of 8,128 sets of two cables, 0.62 %, drawn with seed 1"
    out = fabric("analyze", "deadlock", TRAIN, "--failures", "sample:50").out
    assert "no CBD in what was drawn: the rest is not proven" in out


@pytest.mark.parametrize("word", ["0", "3", "sample:", "sample:0", "sample:-1", "sample:²", "all"])
def test_words_that_name_no_sets(fabric: Shell, word: str) -> None:
    done = fabric("analyze", "deadlock", LAB, "--failures", word)
    assert done.code == 2
    assert f"--failures {word}" in done.err
    assert "sample:1000" in done.err


def test_no_certificate_for_many_states(fabric: Shell) -> None:
    done = fabric("analyze", "deadlock", LAB, "--failures", "1", "--certificate-only")
    assert done.code == 2
    assert "--certificate-only" in done.err


def test_too_many_sets(fabric: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failure_sets, "MAX_SETS", 2)
    done = fabric("analyze", "deadlock", LAB, "--failures", "2")
    assert done.code == 2
    assert "there are 28 sets of two cables" in done.err
    assert "sample:N" in done.err


def test_an_interrupt_prints_what_is_known(fabric: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome, seen = Rerouting.outcome, list[object]()

    def interrupted(
        self: Rerouting, bundles: tuple[int, ...] = (), switches: tuple[int, ...] = ()
    ) -> object:
        seen.append(bundles)
        if len(seen) == 3:
            raise KeyboardInterrupt
        return outcome(self, bundles, switches)

    monkeypatch.setattr(Rerouting, "outcome", interrupted)
    done = fabric("analyze", "deadlock", LAB, "--failures", "2", "--routing", "updown")
    assert done.code == 130
    assert "of 28 sets of two cables" in done.out
    assert "then interrupted" in done.out
    assert "the rest is not proven" in done.out
