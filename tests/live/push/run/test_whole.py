"""Whole pushes of the toy system."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric.live.push.ending import by_status, exit_code
from fabric.model.push import TimerClass
from tests.live.push.run.scene import Scene
from tests.live.push.run.toy import TARGET

if TYPE_CHECKING:
    from pathlib import Path

CLASSES = pytest.mark.parametrize("timer", list(TimerClass))


@CLASSES
def test_a_push_changes_confirms_saves_and_reads_back(tmp_path: Path, timer: TimerClass) -> None:
    scene = Scene(tmp_path, [["a"], ["b", "c"]], timer)
    report = scene.run()
    scene.check(report)
    assert by_status(report) == {"changed": 3}
    assert exit_code(report) == 0
    assert scene.net.open == 0
    assert all(box.running == TARGET for box in scene.net.boxes.values())
