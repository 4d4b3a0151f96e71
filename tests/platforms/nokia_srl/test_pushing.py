"""How SR Linux is changed: what is owned, what is typed, what replies mean."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from fabric.model.push import Command, Effect, Identity, ReplyError, TimerClass
from tests.platforms.nokia_srl.cases import EVERY, FILE, text
from tests.platforms.nokia_srl.jobs import (
    COMMIT,
    JOB,
    PREVIEW,
    RUNNING,
    SPEC,
    without_extra,
)
from tests.platforms.pushed import typed

OLD, NEW = (json.loads(files[FILE]) for files in (JOB.before, JOB.target))


def entry(tree: Any, name: str, key: str = "interface") -> Any:
    return next((one for one in tree[key] if one["name"] == name), None)


def test_what_is_not_owned_stays_as_it_is() -> None:
    assert NEW["acl"] == OLD["acl"]
    for port in ("irb0", "mgmt0"):
        assert entry(NEW, port) == entry(OLD, port)
    assert entry(NEW, "mgmt", "network-instance") == entry(OLD, "mgmt", "network-instance")
    for part in ("aaa", "ssh-server", "ntp", "logging"):
        assert NEW["system"][part] == OLD["system"][part]
    assert NEW["system"]["name"] == {"host-name": "leaf-0", "domain-name": "example.net"}
    assert NEW["system"]["lldp"] == OLD["system"]["lldp"]
    assert [*NEW][: len(OLD)] == [*OLD]


def test_what_is_owned_goes() -> None:
    assert '"what stood here"' in JOB.before[FILE]
    for gone in ("what stood here", "10.0.0.9", "theirs", "irb0.0", "65000", "old-name"):
        assert f'"{gone}"' not in JOB.target[FILE]


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_all_that_is_rendered_is_in_the_target_once(case: str, device: str) -> None:
    rendered = without_extra(text(case, device))
    target = PREVIEW.target(RUNNING, rendered)
    said = PREVIEW.canonical(rendered).splitlines()
    there = PREVIEW.canonical(target).splitlines()
    assert [line for line in said if line not in there] == []
    assert len(there) == len(set(there))
    assert PREVIEW.target(target, rendered) == target


def test_module_prefixes_and_texts_of_numbers_make_no_difference() -> None:
    one = {FILE: '{"srl_nokia-qos:qos": {"a": "srl_nokia-common:x", "max-threshold": "15"}}'}
    other = {FILE: '{"qos": {"a": "x", "max-threshold": 15}}'}
    assert PREVIEW.differences(one, other) == ()
    assert PREVIEW.canonical(one) == PREVIEW.canonical(other) == "qos a x\nqos max-threshold 15\n"


@pytest.mark.parametrize(
    "extra",
    [
        {"interface": [{"name": "mgmt0", "description": "ours now"}]},
        {"network-instance": [{"name": "mgmt", "description": "ours now"}]},
        {"srl_nokia-system:system": {"aaa": {"authentication": {"idle-timeout": 9}}}},
        {"acl": {"policers": {}, "x": 1}},
    ],
)
def test_what_lets_us_in_is_protected_in_differences(extra: dict[str, Any]) -> None:
    target = PREVIEW.target(RUNNING, {FILE: json.dumps(extra)})
    ours = [one for one in PREVIEW.differences(RUNNING, target) if one.startswith("+")]
    assert ours
    assert all(any(re.search(p, one[1:]) for p in SPEC.protected) for one in ours)


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_a_plan_touches_nothing_protected(case: str, device: str) -> None:
    target = PREVIEW.target(RUNNING, {FILE: text(case, device)})
    changed = [line[1:] for line in PREVIEW.differences(RUNNING, target)]
    assert not any(re.search(one, line) for one in SPEC.protected for line in changed)


def test_the_whole_way_there() -> None:
    lines = PREVIEW.lines(JOB)
    assert typed(COMMIT.apply(JOB)) == [
        "/tools system configuration checkpoint fabric-7f3a clear",
        "/tools system configuration generate-checkpoint name fabric-7f3a",
        "enter candidate private name fabric-7f3a",
        "discard now",
        "enter candidate private name fabric-7f3a",
        "/",
        *lines,
        "enter candidate private name fabric-7f3a",
        "commit confirmed timeout 605",
        "enter running",
    ]
    effects = [step.effect for step in COMMIT.apply(JOB)]
    assert effects == [Effect.STAGES, Effect.STAGES, Effect.RUNS]
    assert typed(COMMIT.confirm(JOB)) == [
        "/tools system configuration confirmed-accept",
        "enter candidate private name fabric-7f3a",
        "discard now",
    ]
    assert typed(COMMIT.save(JOB)) == ["save startup", "/"]
    assert COMMIT.timer is TimerClass.CANDIDATE


def test_only_owned_places_are_deleted_and_set() -> None:
    lines = PREVIEW.lines(JOB)
    gone = [line for line in lines if line.startswith("delete ")]
    assert gone == [
        "delete / interface ethernet-1/2",
        "delete / interface system0",
        "delete / system name host-name",
        "delete / network-instance default",
        "delete / qos",
    ]
    assert list(lines[: len(gone)]) == gone
    assert not any("mgmt" in line or " irb0" in line for line in lines)


@pytest.mark.parametrize(
    "line",
    [
        'set / interface ethernet-1/3 description "to spine-1 ethernet-1/1"',
        "set / interface ethernet-1/1/1 subinterface 0 ipv4 address 10.0.0.0/31",
        "set / network-instance default interface ethernet-1/3.0",
        "set / network-instance default protocols bgp group FABRIC-V4 export-policy [ FABRIC-OUT ]",
        "set / network-instance default next-hop-groups group discard blackhole",
        "set / routing-policy prefix-set ANNOUNCE-V4 prefix 10.0.0.0/30 mask-length-range exact",
        "set / qos queues queue unicast-3 queue-index 3",
        "set / qos interfaces interface ethernet-1/3 output buffer-allocation-profile fabric",
        "set / qos buffer-management queue-management-profile fabric-750000-3000000-5 wred \
wred-slope all drop-probability all enable-ecn true max-threshold 3000000",
    ],
)
def test_lines_as_the_cli_writes_them(line: str) -> None:
    assert line in PREVIEW.lines(JOB)


def test_saving_is_proven_by_what_the_switch_says() -> None:
    save, prompt = COMMIT.save(JOB)[0].actions
    assert isinstance(save, Command)
    assert isinstance(prompt, Command)
    assert save.check is not None
    assert prompt.check is not None
    said = "/system:\n    Saved current running configuration as initial (startup) configuration"
    assert save.check(said) is None
    assert save.check("") is not None
    assert prompt.check("\n--{ running }--[  ]--\n") is None
    for flags in ("+", "+*", "!+", "[FACTORY] +", "[FACTORY] [X y] +*"):
        assert prompt.check(f"\n--{{ {flags} running }}--[  ]--\n") is not None
    assert prompt.check("\n--{ [FACTORY] * candidate private a+b }--[  ]--\n") is None


def test_a_checkpoint_says_that_it_was_made() -> None:
    keep = COMMIT.apply(JOB)[0].actions[1]
    assert isinstance(keep, Command)
    assert keep.check is not None
    assert keep.check("/system:\n    Generated checkpoint '/etc/x.json' with name 'a'") is None
    assert keep.check("") is not None


def test_what_a_save_takes_along_is_told() -> None:
    unsaved = replace(JOB, identity=replace(JOB.identity, facts=(("unsaved", "yes"),)))
    more = "what had not been saved before goes into it with a save"
    assert more in COMMIT.way_back(unsaved)
    assert more not in COMMIT.way_back(JOB)


def test_what_is_read_is_what_is_in_force() -> None:
    assert [one.text for one in PREVIEW.running().commands] == ["info from running | as json"]


def test_a_commit_for_a_time_says_so() -> None:
    command = next(
        action
        for action in COMMIT.apply(JOB)[2].actions
        if isinstance(action, Command) and action.text.startswith("commit ")
    )
    assert command.check is not None
    said = "Commit confirmed (automatic rollback in 10 minutes)\nAll changes have been committed."
    assert command.check(said) is None
    assert command.check("") is not None
    refused = "Cannot commit transaction (commit confirmed in progress)"
    assert command.check(refused) is not None


def test_the_candidate_is_shown_and_dropped_in_one_session() -> None:
    assert PREVIEW.stage(JOB) == ()
    ask = PREVIEW.difference(JOB)
    said = [command.text for command in ask.commands]
    lines = PREVIEW.lines(JOB)
    assert said[4 : 4 + len(lines)] == list(lines)
    assert said[-3:] == ["diff", "info | as json", "discard now"]
    candidate = RUNNING[FILE].replace("old-name", "leaf-0")
    before = ("",) * (len(said) - 3)
    prompt = "\n--{ * candidate private fabric-7f3a }--[  ]--\n"
    same = ask.read((*before, prompt, RUNNING[FILE] + prompt, ""))
    assert same.lines == ()
    found = ask.read((*before, f"      system {{\n-  host-name{prompt}", candidate + prompt, ""))
    assert found.lines == ("-system name host-name old-name", "+system name host-name leaf-0")
    assert found.candidate is not None
    assert json.loads(found.candidate[FILE]) == json.loads(candidate)
    only_told = ask.read(
        (*before, f"      acl {{\n+         x y\n-         z{prompt}", RUNNING[FILE], "")
    )
    assert only_told.lines == ("+         x y", "-         z")


def test_identity() -> None:
    reply = (
        "Hostname             : leaf-0\nChassis Type         : 7220 IXR-H4\n"
        "Part Number          : Sim Part No.\nSoftware Version     : v25.3.2\n"
    )
    assert PREVIEW.identify().read((reply,)) == Identity("leaf-0", "7220 IXR-H4", "v25.3.2")
    for flags in ("+", "[FACTORY] +"):
        unsaved = PREVIEW.identify().read((f"{reply}--{{ {flags} running }}--[  ]--\n",))
        assert unsaved.fact("unsaved") == "yes"
    with pytest.raises(ReplyError, match="Software Version"):
        PREVIEW.identify().read((reply.replace("Software", "Other"),))


def test_a_configuration_that_was_cut_off_is_refused() -> None:
    with pytest.raises(ReplyError, match="cut off"):
        PREVIEW.running().read((RUNNING[FILE][:300],))


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_every_changed_leaf_has_a_class(case: str, device: str) -> None:
    target = PREVIEW.target(RUNNING, without_extra(text(case, device)))
    changed = [line[1:] for line in PREVIEW.differences(RUNNING, target)]
    patterns = [risk.pattern for risk in SPEC.risks]
    assert [c for c in changed if not any(re.search(one, c) for one in patterns)] == []
