"""Each refusal with what it meets and what it lets pass: pairs, good beside bad."""

from __future__ import annotations

import hashlib
import importlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fabric.live.push import refusals
from tests.live.push.conftest import INVENTORY
from tests.live.push.toy import Talk, lost

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.model.push import Ask, Difference, Job
    from tests.live.push.conftest import Bench


def with_extra(line: str) -> str:
    """The inventory with a snippet for one leaf."""
    return INVENTORY.replace("}}\nhosts", f'}}, leaf-0: {{extra: "{line}"}}}}\nhosts')


def told(bench: Bench, **asked: object) -> list[tuple[str | None, str, str]]:
    found = bench.push(as_json=True, **asked).json["refused"]
    return [(r["device"], r["rule"], r["message"]) for r in found]


def rules(bench: Bench, **asked: object) -> list[tuple[str | None, str]]:
    return [(device, rule) for device, rule, _ in told(bench, **asked)]


def edit_plan(bench: Bench, change: Callable[[dict[str, object]], None]) -> None:
    """Change plan.json by hand."""
    file = bench.plan_folder / "plan.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    change(data)
    file.write_text(json.dumps(data), encoding="utf-8")


def test_a_whole_plan_of_ready_switches_is_refused_nothing(planned: Bench) -> None:
    done = planned.push(as_json=True)
    assert (done.code, done.json["refused"]) == (0, [])


def test_rce910_an_error_in_the_plan(planned: Bench) -> None:
    error = {
        "rule": "RCE302",
        "severity": "error",
        "subject": "leaf-0",
        "message": "the chain is broken",
        "verdict": "violated",
    }
    edit_plan(planned, lambda plan: plan.update(findings=[error]))
    assert told(planned) == [
        (None, "RCE910", "the plan holds 1 error(s): RCE302 the chain is broken")
    ]
    assert planned.push(dry_run=False, yes=True).code == 2  # also with --yes
    assert all(not switch.log for switch in planned.toys.switches.values())


def test_rce910_not_with_a_suppressed_error_or_a_warning(planned: Bench) -> None:
    suppressed = {
        "rule": "RCE302",
        "severity": "error",
        "subject": "leaf-0",
        "message": "the chain is broken",
        "verdict": "violated",
        "suppressed": {"reason": "a lab", "expires": None},
    }
    warning = {**suppressed, "severity": "warning", "suppressed": None}
    edit_plan(planned, lambda plan: plan.update(findings=[suppressed, warning]))
    assert told(planned) == []


def test_rce911_a_file_edited_by_hand(planned: Bench) -> None:
    file = planned.plan_folder / "configs" / "leaf-0" / "toy.conf"
    good = file.read_text(encoding="utf-8")
    file.write_text(good + "reboot\n", encoding="utf-8")
    done = planned.push(as_json=True)
    (refused,) = done.json["refused"]
    assert (done.code, refused["rule"]) == (2, "RCE911")
    assert "configs/leaf-0/toy.conf" in refused["message"]
    file.write_text(good, encoding="utf-8")
    assert told(planned) == []


def test_rce912_another_version_derives_another_model(planned: Bench) -> None:
    def other(plan: dict[str, object]) -> None:
        devices = plan["devices"]
        assert isinstance(devices, list)
        devices[1]["model_sha256"] = "0" * 64

    edit_plan(planned, other)
    ((device, rule, message),) = told(planned)
    assert (device, rule) == (None, "RCE912")
    assert "planned by another version" in message
    assert devices_in(message) == ["leaf-1"]


def devices_in(message: str) -> list[str]:
    return [word for word in message.replace(",", " ").split() if word.startswith("leaf-")]


def test_rce912_an_address_edited_by_hand(planned: Bench) -> None:
    def other(plan: dict[str, object]) -> None:
        devices = plan["devices"]
        assert isinstance(devices, list)
        devices[0]["management_address"] = "192.0.2.99/24"

    edit_plan(planned, other)
    assert rules(planned) == [(None, "RCE912")]


def test_rce913_experimental(bench: Bench) -> None:
    manifest = bench.folder / "templates" / "toy_os" / "platform.yaml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace("experimental: false", "experimental: true"))
    bench.plan()
    assert rules(bench) == [(None, "RCE913")]
    assert rules(bench, allow_experimental=True) == []
    assert bench.push(dry_run=False, yes=True).code == 2


def test_rce914_a_system_that_nobody_has_written_a_way_for(planned: Bench) -> None:
    procedure = planned.folder / "build" / "toy" / "inputs" / "templates" / "toy_os" / "push.yaml"
    assert procedure.exists()
    (planned.folder / "templates" / "toy_os" / "push.yaml").unlink()
    planned.plan()
    done = planned.push(as_json=True)
    assert done.code == 2
    assert [(r["device"], r["rule"]) for r in done.json["refused"]] == [(None, "RCE914")]
    assert done.json["waves"] == []


def test_rce916_no_timer(planned: Bench, no_timer: None) -> None:
    del no_timer
    assert rules(planned) == [(None, "RCE916")]
    done = planned.push(as_json=True, accept_no_timer=True)
    assert done.json["refused"] == []
    assert [len(wave) for wave in done.json["waves"]] == [1, 1, 1, 1, 1]  # one at a time


@pytest.mark.parametrize(("line", "risk"), [("reboot", "needs window"), ("warp 9", "unclassified")])
def test_rce917_window(bench: Bench, line: str, risk: str) -> None:
    bench.plan(text=with_extra(line))
    done = bench.push(as_json=True)
    assert [(r["device"], r["rule"]) for r in done.json["refused"]] == [("leaf-0", "RCE917")]
    assert risk in done.json["refused"][0]["message"]
    classes = {d["device"]: d["class"] for wave in done.json["waves"] for d in wave}
    assert classes["leaf-0"] == risk
    assert classes["leaf-1"] == "traffic"
    assert bench.push(dry_run=False, yes=True).code == 2
    with_window = bench.push(as_json=True, request=bench.request(window=True))
    assert (with_window.code, with_window.json["refused"]) == (0, [])


@pytest.mark.parametrize(
    ("attribute", "value", "words"),
    [
        ("model", "SW2000", "it is a SW2000, planned is acme-sw1000"),
        ("version", "1.20", "it runs Toy OS 1.20, the plan's text is for 1.2"),
        ("hostname", "leaf-1", "it calls itself leaf-1, which is another device of the plan"),
    ],
)
def test_rce918_another_device(planned: Bench, attribute: str, value: str, words: str) -> None:
    setattr(planned.toys.switches["leaf-0"], attribute, value)
    ((device, rule, message),) = told(planned)
    assert (device, rule) == ("leaf-0", "RCE918")
    assert words in message


@pytest.mark.parametrize(
    ("attribute", "value"),
    [("model", "ACME-SW1000-F"), ("version", "1.2"), ("hostname", "leaf-0")],
)
def test_rce918_the_planned_device(planned: Bench, attribute: str, value: str) -> None:
    setattr(planned.toys.switches["leaf-0"], attribute, value)
    assert told(planned) == []


def test_rce919_held_by_somebody(planned: Bench) -> None:
    planned.toys.switches["spine-1"].lock = "anna on vty 2 since 10:02"
    ((device, rule, message),) = told(planned)
    assert (device, rule) == ("spine-1", "RCE919")
    assert "anna on vty 2" in message
    assert "show running" not in planned.toys.switches["spine-1"].log


@pytest.mark.parametrize(
    "line", ["management 192.0.2.10", "user root level 15", "ip route 192.0.2.0/24 blackhole"]
)
def test_rce920_locked_out(bench: Bench, line: str) -> None:
    bench.plan(text=with_extra(line))
    switch = bench.toys.switches["leaf-0"]
    switch.running = switch.running.replace("192.0.2.10", "192.0.2.77")
    ((device, rule, message),) = told(bench)
    assert (device, rule) == ("leaf-0", "RCE920")
    assert "s3cr3t" not in message
    assert not any(word.startswith(("put", "load")) for word in switch.log)


def test_rce920_what_the_device_itself_says(
    planned: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line takes more away than it says: only the device knows."""
    answer = Talk._shown

    def also(talk: Talk, text: str, word: str, name: str) -> str:
        shown = answer(talk, text, word, name)
        lost = word == "compare" and talk.device == "leaf-0"
        return f"{shown}\n-user other password 7 s3cr3t" if lost else shown

    monkeypatch.setattr(Talk, "_shown", also)
    ((device, rule, message),) = told(planned)
    assert (device, rule) == ("leaf-0", "RCE920")
    assert "-user other …" in message
    assert planned.toys.switches["leaf-0"].log[-1].startswith("remove")


@pytest.mark.parametrize(
    ("gone", "words"),
    [
        ("management 192.0.2.10\n", "-management 192.0.2.10 …, 192.0.2.10 is gone"),
        ("ntp 198.51.100.1 from 192.0.2.10\n", ": 192.0.2.10 is gone"),
    ],
)
def test_rce920_the_candidate_that_the_device_shows(
    planned: Bench, monkeypatch: pytest.MonkeyPatch, gone: str, words: str
) -> None:
    switch = planned.toys.switches["leaf-0"]
    if gone not in switch.running:
        switch.running = f"user admin password 7 s3cr3t\n{gone}"
    pushing = importlib.import_module("fabric.platforms.toy_os.pushing")
    difference = pushing.Preview.difference

    def shown(preview: object, job: Job) -> Ask[Difference]:
        asked: Ask[Difference] = difference(preview, job)
        text = job.target["toy.conf"]
        text = text.replace(gone, "") if job.device == "leaf-0" else text
        return replace(asked, read=lambda r: replace(asked.read(r), candidate={"toy.conf": text}))

    monkeypatch.setattr(pushing.Preview, "difference", shown)
    ((device, rule, message),) = told(planned)
    assert (device, rule) == ("leaf-0", "RCE920")
    assert words in message


def test_rce923_a_line_of_extra_that_would_be_lost(bench: Bench) -> None:
    bench.plan(text=with_extra("end\\nntp 203.0.113.1"))
    ((device, rule, message),) = told(bench)
    assert (device, rule) == ("leaf-0", "RCE923")
    assert "the plan's text would lose a line: the line `end` ends the text" in message


def test_rce920_other_snippets_pass(bench: Bench) -> None:
    bench.plan(text=with_extra("ntp 203.0.113.1"))
    assert [(d, r) for d, r, _ in told(bench) if r == "RCE920"] == []


def test_unreached_devices_are_named_and_the_others_shown(planned: Bench) -> None:
    planned.toys.silent.add("leaf-1")
    done = planned.push(as_json=True)
    assert done.code == 3
    assert [(r["device"], r["rule"]) for r in done.json["refused"]] == [("leaf-1", "RCE907")]
    assert done.json["offline"] is False
    assert sum(len(wave) for wave in done.json["waves"]) == 4


@pytest.mark.parametrize("command", ["show running", "put", "load", "compare", "remove"])
def test_rce923_a_device_that_fails_leaves_the_others_alone(planned: Bench, command: str) -> None:
    switch = planned.toys.switches["leaf-2"]
    switch.faults[command] = lost("leaf-2", command)
    ((device, rule, message),) = told(planned)
    assert (device, rule) == ("leaf-2", "RCE923")
    assert "the session ended" in message
    if command == "remove":
        assert "may lie there still, not in force" in message
    if command in {"put", "load", "compare"}:
        assert switch.log[-1].startswith("remove")  # by a session of its own
    assert switch.open_sessions == 0


def test_a_reply_that_is_not_understood(planned: Bench) -> None:
    planned.toys.switches["leaf-2"].hostname = "two words"
    ((device, rule, message),) = told(planned)
    assert (device, rule) == ("leaf-2", "RCE923")
    assert "`show version` is not understood" in message


def test_a_plan_of_another_schema(planned: Bench) -> None:
    edit_plan(planned, lambda plan: plan.update(schema=99))
    done = planned.fabric("push", "--dry-run")
    assert done.code == 2
    assert "has schema 99; this version reads 1" in done.err


def test_every_refusal_is_explained(bench: Bench) -> None:
    for number in (910, 911, 912, 913, 914, 916, 917, 918, 919, 920, 921, 922, 923):
        done = bench.fabric("explain", f"RCE{number}")
        assert (done.code, "What to do" in done.out) == (0, True)


def edited_with_its_digest(bench: Bench, device: str) -> None:
    """What somebody does who knows that digests are compared."""
    file = bench.plan_folder / "configs" / device / "toy.conf"
    file.write_text(file.read_text(encoding="utf-8") + "snmp public\n", encoding="utf-8")
    digest = hashlib.sha256(file.read_bytes()).hexdigest()

    def follow(plan: dict[str, object]) -> None:
        files = plan["files"]
        assert isinstance(files, dict)
        files[f"configs/{device}/toy.conf"] = digest

    edit_plan(bench, follow)


@pytest.mark.parametrize("command", [{}, {"dry_run": False, "yes": True}])
def test_rce911_a_file_edited_together_with_its_digest(
    planned: Bench, command: dict[str, bool]
) -> None:
    edited_with_its_digest(planned, "leaf-1")
    done = planned.push(**command)
    assert done.code == 2
    assert "RCE911  the texts of leaf-1 are not what the plan's own inputs give" in done.out
    assert all(not switch.log for switch in planned.toys.switches.values())


def test_rce911_not_for_a_device_that_is_left_alone(planned: Bench) -> None:
    edited_with_its_digest(planned, "leaf-1")
    assert planned.push(devices=("leaf-0",)).code == 0


def test_rce912_another_version_with_other_words(
    planned: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The template changed, the models did not: told as what it is, not as an edit."""
    edited_with_its_digest(planned, "leaf-1")
    monkeypatch.setattr(refusals, "program_version", lambda: "99.0")
    ((_, rule, message),) = told(planned)
    assert (rule, "planned by another version (roce-fabric" in message) == ("RCE912", True)


def test_own_templates_and_snippets_of_the_plan_are_rendered_again(bench: Bench) -> None:
    """The plan keeps them; what lies beside the inventory by now does not count."""
    bench.plan(text=with_extra("ntp 203.0.113.1"))
    (template,) = (bench.folder / "templates" / "toy_os" / "config").glob("*.j2")
    template.write_text("another thing altogether\n", encoding="utf-8")
    assert rules(bench) == [("leaf-0", "RCE917")]


@pytest.mark.parametrize("stray", [".DS_Store", "old/", "toy.conf~"])
def test_what_lies_among_the_texts_and_is_none_of_them(planned: Bench, stray: str) -> None:
    path = planned.plan_folder / "configs" / "leaf-0" / stray.rstrip("/")
    if stray.endswith("/"):
        path.mkdir()
    else:
        path.write_bytes(b"\x00\xff")
    done = planned.push()
    assert done.code == 2
    assert "RCE911" in done.out
    assert f"configs/leaf-0/{stray.rstrip('/')}" in " ".join(done.out.split())
