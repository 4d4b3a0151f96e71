"""The gate: what keeps a wave from being confirmed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.push import Ask, TimerClass
from tests.live.push.run.scene import Scene, outcomes
from tests.live.push.run.toy import BEFORE, TARGET
from tests.live.push.run.toy_procedures import ToyCommit

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from fabric.model.push_change import Event


def at_step(scene: Scene, step: str, do: Callable[[], None], status: str = "done") -> None:
    def watch(event: Event) -> None:
        if (event.step, event.status) == (step, status):
            do()

    scene.on_event = watch


def test_all_of_a_wave_are_applied_before_any_is_judged(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"], ["b", "c", "d"]])
    scene.check(scene.run())
    told = [
        (e.device, e.event if e.event == "gate" else e.step)
        for e in scene.events
        if e.wave == 2 and (e.event == "gate" or (e.event == "step" and e.status == "done"))
    ]
    applied = max(n for n, (_, what) in enumerate(told) if what == "commit for a time")
    judged = [n for n, (_, what) in enumerate(told) if what == "gate"]
    confirmed = [n for n, (_, what) in enumerate(told) if what == "confirm"]
    saved = [n for n, (_, what) in enumerate(told) if what == "save"]
    assert applied < min(judged)
    assert max(judged) < min(confirmed)
    assert max(confirmed) < min(saved)


def test_a_line_that_got_lost_on_the_way_is_seen(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"]])
    box = scene.net.boxes["a"]
    at_step(
        scene,
        "commit for a time",
        lambda: setattr(box, "running", box.running.replace("pfc 3\n", "")),
    )
    report = scene.run()
    scene.check(report)
    assert outcomes(report) == {"a": "failed-restored"}
    assert "what is in force is not what was approved: - pfc 3" in report.results[0].message
    assert "confirm toy-1" not in box.commands


def test_the_read_back_is_compared_with_the_target_as_the_device_words_it(tmp_path: Path) -> None:
    words = TARGET.replace("mtu 9216", "mtu jumbo")
    scene = Scene(tmp_path, [["a"]])
    box = scene.net.boxes["a"]
    at_step(scene, "commit for a time", lambda: setattr(box, "running", words))
    assert outcomes(scene.run()) == {"a": "failed-restored"}
    scene = Scene(tmp_path / "two", [["a"]])
    other = scene.net.boxes["a"]
    scene.folder.keep("a", "candidate", {"config": words})
    at_step(scene, "commit for a time", lambda: setattr(other, "running", words))
    assert outcomes(scene.run()) == {"a": "changed"}


def test_a_timer_that_cannot_be_asked_for_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ToyCommit, "pending", lambda *_: Ask((), lambda _: None))
    scene = Scene(tmp_path, [["a"]])
    assert outcomes(scene.run()) == {"a": "changed"}
    gate = next(e for e in scene.events if e.event == "gate")
    assert "timer not checked" in gate.message


def test_a_secret_in_what_is_in_force_is_not_told(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"]])
    box = scene.net.boxes["a"]
    text = "user anna password 7 C4N4RY\nhost leaf\n"
    at_step(scene, "commit for a time", lambda: setattr(box, "running", text))
    report = scene.run()
    assert outcomes(report) == {"a": "failed-restored"}
    assert "+ user anna password" in report.results[0].message
    told = (report, scene.events, scene.folder.journal.read_text())
    assert "C4N4RY" not in repr(told)


def test_a_change_that_did_nothing_is_seen(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"]], TimerClass.NONE)
    scene.net.boxes["a"].deaf = {"load"}
    report = scene.run()
    assert outcomes(report) == {"a": "failed-restored"}
    assert "the change is not in force" in report.results[0].message


def test_a_timer_that_does_not_run_is_seen(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"]], TimerClass.SCHEDULED)
    box = scene.net.boxes["a"]
    at_step(scene, "restart", lambda: setattr(box, "timer", None))
    report = scene.run()
    scene.check(report)
    assert outcomes(report) == {"a": "failed-restored"}
    assert "its timer does not run" in report.results[0].message


def test_a_session_that_stays_down_shuts_the_gate(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"]])
    box = scene.net.boxes["a"]
    at_step(scene, "commit for a time", lambda: box.peers.update({"10.0.0.2": "Active"}))
    report = scene.run()
    scene.check(report)
    assert outcomes(report) == {"a": "failed-restored"}
    assert "BGP sessions that were up before are down: 10.0.0.2" in report.results[0].message
    assert scene.clock.now() >= 1_000_000 + 120


def test_a_session_that_comes_up_again_in_time_is_waited_for(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"]])
    box = scene.net.boxes["a"]
    at_step(scene, "commit for a time", lambda: box.peers.update({"10.0.0.2": "Active"}))
    asked = []
    do = box._do_vtysh

    def up_at_the_third(rest: str) -> str:
        asked.append(rest)
        if len(asked) == 4:  # the first is before the change
            box.peers["10.0.0.2"] = "Established"
        return do(rest)

    box._do_vtysh = up_at_the_third  # type: ignore[method-assign,assignment]
    report = scene.run()
    scene.check(report)
    assert outcomes(report) == {"a": "changed"}
    assert len(asked) == 4


def test_a_session_that_was_down_before_does_not_matter(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"]])
    scene.net.boxes["a"].peers = {"10.0.0.2": "Active", "10.0.0.4": "Established"}
    assert outcomes(scene.run()) == {"a": "changed"}


def test_a_session_that_the_target_no_longer_has_is_told(tmp_path: Path) -> None:
    before = BEFORE + "neighbor 10.0.0.2\n"
    scene = Scene(tmp_path, [["a"]], before=before)
    box = scene.net.boxes["a"]
    box.running = box.startup = before
    at_step(scene, "commit for a time", box.peers.clear)
    assert outcomes(scene.run()) == {"a": "changed"}
    gate = next(e for e in scene.events if e.event == "gate")
    assert "BGP sessions no longer configured: 10.0.0.2" in gate.message


def test_a_session_that_is_not_listed_any_more_though_nobody_took_it_out_is_down(
    tmp_path: Path,
) -> None:
    scene = Scene(tmp_path, [["a"]])
    box = scene.net.boxes["a"]
    at_step(scene, "commit for a time", box.peers.clear)
    report = scene.run()
    scene.check(report)
    assert outcomes(report) == {"a": "failed-restored"}
    assert "are down: 10.0.0.2" in report.results[0].message


def test_what_is_not_checked_is_said(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"]])
    scene.net.boxes["a"].deaf = {"vtysh"}
    assert outcomes(scene.run()) == {"a": "changed"}
    gate = next(e for e in scene.events if e.event == "gate")
    assert "lossless chain not compared" in gate.message
    assert "BGP not compared: none was configured before the change" in gate.message


def test_bgp_that_was_there_and_could_not_be_asked_for(tmp_path: Path) -> None:
    before = f"{BEFORE}router bgp 65000\n"
    scene = Scene(tmp_path, [["a"]], before=before)
    scene.net.boxes["a"].running = before
    scene.net.boxes["a"].deaf = {"vtysh"}
    scene.run()
    gate = next(e for e in scene.events if e.event == "gate")
    assert "BGP not checked: it could not be asked for before the change" in gate.message


def test_what_the_save_did_not_keep_in_force_is_seen(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a"]])
    box = scene.net.boxes["a"]
    at_step(scene, "clean up", lambda: setattr(box, "running", BEFORE + "reload\n"))
    report = scene.run()
    assert outcomes(report)["a"] != "changed"
    message = report.results[0].message
    assert "after saving, what is in force is not what was approved: + mtu 1500;" in message


def test_no_timer_means_one_device_at_a_time(tmp_path: Path) -> None:
    scene = Scene(tmp_path, [["a", "b"]], TimerClass.NONE, workers=8)
    scene.check(scene.run())
    told = [e.device for e in scene.events if e.event == "step"]
    assert told == sorted(told)


def test_a_chain_that_the_running_text_does_not_have_shuts_the_gate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fabric.live.push import gate  # noqa: PLC0415
    from fabric.model.finding import Finding, Severity  # noqa: PLC0415

    def read_back(_model: object, files: dict[str, str]) -> tuple[Finding, ...]:
        accepted = Finding("RCE392", Severity.ERROR, "a", "a: accepted when planned")
        wrong = Finding("RCE392", Severity.ERROR, "a", "a: PFC on 4, the design means 3")
        return (accepted,) if "seen" not in files["config"] else (accepted, wrong)

    monkeypatch.setattr(gate, "_against", read_back)
    scene = Scene(tmp_path, [["a"]], model=lambda _: object())  # type: ignore[arg-type,return-value]
    assert outcomes(scene.run()) == {"a": "changed"}
    monkeypatch.setattr(scene.net.boxes["a"], "running", BEFORE)
    other = Scene(tmp_path / "two", [["a"]], model=lambda _: object())  # type: ignore[arg-type,return-value]
    preview = type(other.prepared.systems["frr"].preview)
    monkeypatch.setattr(preview, "differences", lambda *_: ())
    at_step(
        other,
        "commit for a time",
        lambda: setattr(other.net.boxes["a"], "running", "host leaf\nseen\n"),
    )
    report = other.run()
    assert outcomes(report) == {"a": "failed-restored"}
    assert "PFC on 4" in report.results[0].message
    assert "accepted when planned" not in report.results[0].message


def test_what_the_device_dropped_from_its_own_candidate_is_not_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fabric.live.push import gate  # noqa: PLC0415
    from fabric.model.finding import Finding, Severity  # noqa: PLC0415

    def read_back(_model: object, files: dict[str, str]) -> tuple[Finding, ...]:
        wrong = Finding("RCE392", Severity.ERROR, "a", "a: PFC is off, the design means 3")
        return () if "mtu" in files["config"] else (wrong,)

    monkeypatch.setattr(gate, "_against", read_back)
    scene = Scene(tmp_path, [["a"]], model=lambda _: object())  # type: ignore[arg-type,return-value]
    less = TARGET.replace("mtu 9216\n", "")
    scene.folder.keep("a", "candidate", {"config": less})
    at_step(scene, "commit for a time", lambda: setattr(scene.net.boxes["a"], "running", less))
    report = scene.run()
    assert outcomes(report) == {"a": "failed-restored"}
    assert "PFC is off" in report.results[0].message


def test_what_cannot_be_read_in_the_approved_text_is_not_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a text that is not understood nothing was accepted: all of its chain may be wrong."""
    from fabric.live.push import gate  # noqa: PLC0415
    from fabric.model.finding import Finding, Severity  # noqa: PLC0415

    text = "a: line 3 is not understood"
    unread = Finding("RCE392", Severity.ERROR, "a", text, keys=("unreadable",))
    monkeypatch.setattr(gate, "_against", lambda *_: (unread,))
    scene = Scene(tmp_path, [["a"]], model=lambda _: object())  # type: ignore[arg-type,return-value]
    report = scene.run()
    assert outcomes(report) == {"a": "failed-restored"}
    assert text in report.results[0].message
