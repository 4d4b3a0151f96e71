"""How SR Linux goes back, and what it tells of commits and of others."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from fabric.model.push import Command
from tests.platforms.nokia_srl.cases import FILE
from tests.platforms.nokia_srl.jobs import COMMIT, JOB, PREVIEW, RUNNING, step_of
from tests.platforms.pushed import typed

if TYPE_CHECKING:
    from fabric.model.push import Step

ENTER = "enter candidate private name fabric-7f3a"
LOAD = "load checkpoint name fabric-7f3a"
CLEAR = "/tools system configuration checkpoint fabric-7f3a clear"
LEFT_BEHIND = [ENTER, "discard now", CLEAR]


def tolerated(steps: tuple[Step, ...]) -> dict[str, list[str]]:
    """By step, the commands that may be refused."""
    return {
        step.name: [
            action.text
            for action in step.actions
            if isinstance(action, Command)
            and any(re.search(one, "Error: No such thing") for one in action.tolerates)
        ]
        for step in steps
    }


def test_what_may_be_refused_and_what_may_not() -> None:
    assert tolerated(COMMIT.apply(JOB)) == {
        "checkpoint": [CLEAR],
        "fill the candidate": ["discard now"],
        "commit for a time": ["enter running"],
    }
    dropped = {"drop the candidate": [ENTER, "discard now"]}
    assert tolerated(COMMIT.confirm(JOB)) == {"confirm": [], **dropped}
    assert tolerated(COMMIT.save(JOB)) == {"save": []}
    assert tolerated(COMMIT.restore(JOB, pending=True, saving=True)) == {
        "reject the commit": ["/tools system configuration confirmed-reject"],
        "load the checkpoint": ["discard now", LOAD],
        "save the old configuration": [],
        **dropped,
        "remove our checkpoint": [CLEAR],
    }
    assert tolerated(PREVIEW.discard(JOB)) == {**dropped, "remove our checkpoint": [CLEAR]}
    done = step_of(COMMIT.restore(JOB, pending=True, saving=True), "load the checkpoint").actions[
        -1
    ]
    assert isinstance(done, Command)
    assert any(re.search(one, "Error: No changes to commit") for one in done.tolerates)


def test_the_way_back_with_and_without_the_timer() -> None:
    reject = "/tools system configuration confirmed-reject"
    for pending in (True, False):
        steps = COMMIT.restore(JOB, pending=pending, saving=True)
        assert (typed(steps)[0] == reject) is pending
        assert (reject in typed(steps)) is pending
        step = step_of(steps, "load the checkpoint")
        assert typed([step]) == [
            ENTER,
            "discard now",
            ENTER,
            "/",
            LOAD,
            "info | as json",
            "commit now",
        ]
        load = step.actions[-3]
        assert isinstance(load, Command)
        assert load.tolerates  # there is none where nothing had been changed yet
        assert step.until is not None
        assert step.until.read((RUNNING[FILE],)) is None
        assert step.until.read((JOB.target[FILE],)) is not None
        assert typed(steps[-2:]) == typed(PREVIEW.discard(JOB)) == LEFT_BEHIND


def test_nothing_is_committed_on_the_way_back_that_is_not_the_configuration_of_before() -> None:
    step = step_of(COMMIT.restore(JOB, pending=False, saving=False), "load the checkpoint")
    look = step.actions[-2]
    assert isinstance(look, Command)
    assert look.check is not None
    assert look.check(f"{RUNNING[FILE]}\n--{{ candidate private fabric-7f3a }}--[  ]--\n") is None
    assert look.check(JOB.target[FILE]) == "it is not the configuration of before"


@pytest.mark.parametrize("pending", [True, False])
def test_what_boots_is_left_alone_where_nothing_was_saved(pending: bool) -> None:
    saved = typed(COMMIT.restore(JOB, pending=pending, saving=True))
    assert "save startup" in saved
    left = typed(COMMIT.restore(JOB, pending=pending, saving=False))
    assert left == [line for line in saved if line != "save startup"]


def test_a_switch_that_saves_every_commit_by_itself() -> None:
    tree = json.loads(RUNNING[FILE])
    tree["system"]["configuration"] = {"auto-save": True}
    job = replace(JOB, before={FILE: json.dumps(tree)})
    assert "save startup" in typed(COMMIT.restore(job, pending=True, saving=False))
    assert "may boot the new configuration" in COMMIT.way_back(job)
    assert "boots the old startup configuration" in COMMIT.way_back(JOB)


def listed(name: str, *entries: dict[str, Any]) -> str:
    told = {"system": {"configuration": {name: [{"id": 1, "status": "complete"}, *entries]}}}
    return f"--{{ running }}--[  ]--\n{json.dumps(told)}"


OURS = {"name": "fabric-7f3a", "type": "private", "username": "carol"}


@pytest.mark.parametrize(
    ("status", "waits", "over"),
    [
        ("unconfirmed", True, False),
        ("srl_nokia-configuration:unconfirmed", True, False),
        ("reverting", True, False),
        ("publishing", False, False),
        ("save", False, False),
        ("complete", False, True),
        ("failed", False, True),
    ],
)
def test_a_commit_of_ours(status: str, waits: bool, over: bool) -> None:
    reply = listed("commit", {"id": 2, "status": status, **OURS})
    assert COMMIT.pending(JOB).read((reply,)) is waits
    assert (PREVIEW.holder().read((reply, "")) is None) is over
    for steps in (COMMIT.confirm(JOB), COMMIT.restore(JOB, pending=True, saving=False)):
        until = steps[0].until
        assert until is not None
        assert (until.read((reply,)) is None) is over


def test_a_commit_of_somebody_else_is_not_taken_for_ours() -> None:
    theirs = listed("commit", {"id": 2, "status": "unconfirmed", **OURS, "name": "private-carol"})
    assert COMMIT.pending(JOB).read((theirs,)) is False
    assert PREVIEW.holder().read((theirs, "")) == "a commit of carol waits to be confirmed"
    nameless = listed("commit", {"id": 2, "status": "unconfirmed"})
    assert COMMIT.pending(JOB).read((nameless,)) is True
    assert COMMIT.pending(JOB).read(("",)) is None


def test_a_candidate_that_somebody_has_for_himself() -> None:
    shared = {"id": 2, "name": "default", "exclusive": False, "username": "carol"}
    assert PREVIEW.holder().read(("", listed("session", shared))) is None
    alone = listed("session", {**shared, "exclusive": True})
    assert PREVIEW.holder().read(("", alone)) == "carol has an exclusive candidate"
    asked = [command.text for command in PREVIEW.holder().commands]
    assert asked == [
        f"info from state system configuration {what} * | as json" for what in ("commit", "session")
    ]
