"""What of a Cumulus switch is the plan's, and the procedure against a program that plays ``nv``."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.catalog import platform_spec
from fabric.files.locate import templates_root
from fabric.model.push import Command, Identity, Job, ReplyError, TimerClass
from fabric.platforms.cumulus_nvue.pushing.committing import NvueCommit
from fabric.platforms.cumulus_nvue.pushing.lines import OWNS, nv_lines, places, replacing
from fabric.platforms.cumulus_nvue.pushing.previewing import NvuePreview
from tests.changing.doing import CommandError, Machine, commands_of, syntax_errors

COMMIT = NvueCommit()
PREVIEW = NvuePreview()
HERE = Path(__file__).parent
RUNNING = {"fabric.nv": (HERE / "running/leaf-0.nv").read_text()}
GOLDEN = sorted(path for path in (HERE / "golden").glob("*/*") if (path / "fabric.nv").exists())
FACTS = (("home", "/home/cumulus"), ("root", "sudo"), ("timer", "systemd-run"), ("revision", "4"))
IDENTITY = Identity("leaf-0", "SN5610", "5.14.0", FACTS)


def _rendered(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def _job(folder: Path, before: dict[str, str] | None = None, revision: str = "4") -> Job:
    now = before or RUNNING
    identity = Identity("leaf-0", "SN5610", "5.14.0", (*FACTS[:3], ("revision", revision)))
    target = PREVIEW.target(now, _rendered(folder))
    return Job("p1", "leaf-0", "cumulus", now, target, 600, identity)


def test_the_words_are_those_of_the_manifest() -> None:
    assert platform_spec("cumulus_nvue", (templates_root(),)).owns == OWNS


@pytest.mark.parametrize("folder", GOLDEN, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_is_not_the_plans_stays_byte_for_byte(folder: Path) -> None:
    target = PREVIEW.target(RUNNING, _rendered(folder))
    text = target["fabric.nv"]
    for line in (
        "nv set interface eth0 ip address 198.51.100.12/24",
        "nv set interface eth0 ip gateway 198.51.100.1",
        "nv set interface eth0 description 'as it came'",  # out of a line with ports of the plan
        "nv set router policy prefix-list CUSTOMERS rule 10 match 203.0.113.0/24",
        "nv set service snmp-server readonly-community $nvsec$abcdef access any",
        "nv set system aaa user cumulus hashed-password '*'",
        "nv set system message pre-login 'Authorised users\nonly'",
        "nv set system ssh-server state enabled",
    ):
        assert f"{line}\n" in text
    for gone in ("swp9 link mtu 1500", "qos roce", "65009", "br_default vlan 10,20", "10.9.9.9"):
        assert gone not in text
    assert PREVIEW.target(target, _rendered(folder)) == target
    assert PREVIEW.differences(target, target) == ()


def test_the_way_to_the_switch_is_never_the_plans() -> None:
    plan = "nv set interface eth0 ip address 192.0.2.1/24\nnv set interface lo type loopback\n"
    plan += "nv set service ntp mgmt server 192.0.2.3\n"  # the user's own, added
    target = PREVIEW.target(RUNNING, {"fabric.nv": plan})["fabric.nv"]
    assert "192.0.2.1" not in target
    assert "server 192.0.2.3\n" in target
    assert "server 198.51.100.123\n" in target


def test_short_and_long_forms_are_the_same() -> None:
    short = "nv set interface swp1-2 type swp\nnv set qos mapping m dscp 0-2 switch-priority 1\n"
    long = "".join(
        [f"nv set interface swp{n} type swp\n" for n in (2, 1)]
        + ["nv set qos mapping m dscp 0,1,2 switch-priority 1\n"]
    )
    assert PREVIEW.differences({"fabric.nv": short}, {"fabric.nv": long}) == ()
    assert PREVIEW.canonical({"fabric.nv": short}) == PREVIEW.canonical({"fabric.nv": long})
    other = short.replace("swp1-2", "swp1")
    assert PREVIEW.differences({"fabric.nv": short}, {"fabric.nv": other}) == (
        "- interface swp2 type swp",
    )


@pytest.mark.parametrize("text", ["no line", "nv set qos 'open", "nv show qos", "nv set"])
def test_what_is_no_line_of_nv_set_is_refused(text: str) -> None:
    with pytest.raises(ReplyError):
        nv_lines(text)


def test_an_owned_part_is_replaced_as_a_whole() -> None:
    before = "nv set interface swp1 link mtu 1500\nnv set interface swp2 type swp\nnv set qos a b\n"
    after = "nv set interface swp1 link state up\nnv set interface swp2 type swp\nnv set qos a b\n"
    assert replacing(before, after) == (
        "nv unset interface swp1\n",
        "nv set interface swp1 link state up\n",
    )
    extra = after + "nv set service ntp mgmt server 192.0.2.3\n"
    assert replacing(after, extra) == ("", "nv set service ntp mgmt server 192.0.2.3\n")
    assert replacing(extra, after) == ("nv unset service ntp mgmt server\n", "")


_LINES = st.lists(
    st.sampled_from(RUNNING["fabric.nv"].replace("\nonly", " only").splitlines()), max_size=12
)
_PLAN = st.lists(
    st.sampled_from((HERE / "golden/vlan/leaf-0/fabric.nv").read_text().splitlines()[1:80]),
    max_size=12,
)


@settings(max_examples=60)
@given(_LINES, _PLAN)
def test_merged_twice_is_merged_once(running: list[str], plan: list[str]) -> None:
    now = {"fabric.nv": "".join(f"{line}\n" for line in running)}
    rendered = {"fabric.nv": "".join(f"{line}\n" for line in plan)}
    once = PREVIEW.target(now, rendered)
    assert PREVIEW.target(once, rendered) == once
    gone, come = replacing(now["fabric.nv"], once["fabric.nv"])
    assert _patched(now["fabric.nv"], gone, come) == places(once["fabric.nv"])


def _patched(text: str, gone: str, come: str) -> frozenset[tuple[str, ...]]:
    left = places(text)
    for _, root in nv_lines(gone.replace("nv unset", "nv set")):
        left = frozenset(path for path in left if path[: len(root)] != root)
    return left | places(come)


def test_every_line_is_a_shell_line(tmp_path: Path) -> None:
    job = _job(GOLDEN[0])
    steps = [*COMMIT.apply(job), *COMMIT.confirm(job), *COMMIT.save(job)]
    steps += [*COMMIT.restore(job, pending=True, saving=True), *PREVIEW.discard(job)]
    for text in commands_of(steps):
        assert not syntax_errors(text, tmp_path), text
    assert len({step.name for step in COMMIT.apply(job)}) == len(COMMIT.apply(job))
    assert COMMIT.timer is TimerClass.CANDIDATE
    assert "600 s" in COMMIT.way_back(job)
    assert "nv config apply -y --confirm 600s" in commands_of(COMMIT.apply(job))


@pytest.fixture
def switch(tmp_path: Path) -> Machine:
    lines = _singly(RUNNING["fabric.nv"])
    state = {
        "applied": lines, "startup": lines, "pending": None, "revisions": {"4": lines},
        "states": {"1": "applied_and_saved", "3": "detached", "4": "applied"}, "last": "4",
        "before": lines,
    }  # fmt: skip
    (tmp_path / "state.json").write_text(json.dumps(state))
    nv = tmp_path / "bin" / "nv"
    nv.parent.mkdir()
    nv.write_text(f'#!/bin/sh\nexec {sys.executable} {HERE / "played_nv.py"} {tmp_path} "$@"\n')
    nv.chmod(0o755)
    (tmp_path / "home").mkdir()
    return Machine(enter=("env", f"HOME={tmp_path / 'home'}"), path=str(nv.parent))


def _singly(text: str) -> list[str]:
    """One interface a line, as the player keeps them."""
    return [shlex.join(path).replace("\n", " ") for path in sorted(places(text))]


def _state(machine: Machine) -> dict[str, list[str]]:
    found: dict[str, list[str]] = json.loads((Path(machine.path).parent / "state.json").read_text())
    return found


def _real_job(machine: Machine, folder: Path = HERE / "golden/numbered/leaf-0") -> Job:
    before = machine.ask(PREVIEW.running())
    identity = machine.ask(PREVIEW.identify())
    target = PREVIEW.target(before, _rendered(folder))
    return Job("p1", "leaf-0", "cumulus", before, target, 600, identity)


def _runs(machine: Machine, files: dict[str, str]) -> bool:
    now = machine.ask(PREVIEW.running())
    return PREVIEW.canonical(now) == PREVIEW.canonical(files)


def test_identity_and_nobody_else(switch: Machine) -> None:
    identity = switch.ask(PREVIEW.identify())
    assert (identity.model, identity.os_version) == ("SN5610", "5.14.0")
    assert identity.fact("revision") == "4"
    assert switch.ask(PREVIEW.holder()) is None
    switch.reply(Command("mkdir $HOME/fabric-push-p0"))
    assert "p0" in str(switch.ask(PREVIEW.holder()))


def test_pushed_kept_and_pushed_again(switch: Machine) -> None:
    job = _real_job(switch)
    switch.do(PREVIEW.stage(job))
    found = switch.ask(PREVIEW.difference(job))
    assert found.lines == PREVIEW.differences(job.before, job.target)
    assert "pending settings" in str(switch.ask(PREVIEW.holder()))
    switch.do(PREVIEW.discard(job))
    assert switch.ask(PREVIEW.holder()) is None
    switch.do(COMMIT.apply(job))
    assert switch.ask(COMMIT.pending(job))
    assert _runs(switch, dict(job.target))
    assert "waits to be confirmed" in str(switch.ask(PREVIEW.holder()))
    switch.do(COMMIT.confirm(job))
    assert not switch.ask(COMMIT.pending(job))
    switch.do(COMMIT.save(job))
    assert _state(switch)["startup"] == _state(switch)["applied"]
    assert switch.ask(PREVIEW.holder()) is None
    again = _real_job(switch)
    assert PREVIEW.differences(again.before, again.target) == ()


def test_restored_after_each_step(switch: Machine) -> None:
    job = _real_job(switch)
    done = [*COMMIT.apply(job), *COMMIT.confirm(job), *COMMIT.save(job)]
    for count in range(len(done) + 1):
        switch.do(done[:count])
        switch.do(COMMIT.restore(job, pending=switch.ask(COMMIT.pending(job)), saving=True))
        assert _runs(switch, dict(job.before)), f"after {count} steps"
        assert not switch.ask(COMMIT.pending(job))
        assert _state(switch)["startup"] == _state(switch)["applied"]
        assert switch.ask(PREVIEW.holder()) is None


def test_a_refused_line_changes_nothing(switch: Machine) -> None:
    job = _real_job(switch)
    target = {"fabric.nv": job.target["fabric.nv"] + "nv set qos broken on\n"}
    job = Job("p1", "leaf-0", "cumulus", job.before, target, 600, job.identity)
    with pytest.raises(CommandError, match="Invalid config"):
        switch.do(COMMIT.apply(job))
    switch.do(COMMIT.restore(job, pending=switch.ask(COMMIT.pending(job)), saving=True))
    assert _runs(switch, dict(job.before))


def test_a_trial_that_ran_out_cannot_be_confirmed(switch: Machine) -> None:
    job = _real_job(switch)
    switch.do(COMMIT.apply(job))
    switch.reply(Command("nv config apply --confirm-no"))
    with pytest.raises(CommandError, match="has run out"):
        switch.do(COMMIT.confirm(job))
