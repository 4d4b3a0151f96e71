"""A real process that is killed for real, and a second one that goes on."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fabric.live.push.run import PushError
from fabric.model.push import TimerClass
from tests.live.push.run.scene import Scene, outcomes


def lines_of(tmp_path: Path, timer: TimerClass) -> int:
    scene = Scene(tmp_path, [["a"], ["b"]], timer)
    scene.run()
    return len(scene.folder.journal.read_text().splitlines())


# The devices' memory is written down after each action, so that it outlives the process.
PROCESS = """
import os, pickle, signal, sys
from pathlib import Path
from fabric.live.push.journal import Journal
from tests.live.push.run.scene import Scene
from tests.live.push.run.toy import ToyBox
from fabric.model.push import TimerClass

scene = Scene(Path(sys.argv[1]), [["a"], ["b"]], TimerClass(sys.argv[2]))
do, write, left = ToyBox.do, Journal.write, [int(sys.argv[3])]
memory = Path(sys.argv[1]) / "memory"
def kept(box, action):
    reply = do(box, action)
    states = {n: {k: v for k, v in vars(b).items() if k != "clock"}
              for n, b in scene.net.boxes.items()}
    memory.write_bytes(pickle.dumps((scene.clock.now(), states)))
    return reply
def killed(journal, record):
    write(journal, record)
    left[0] -= 1
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
ToyBox.do, Journal.write = kept, killed
scene.run()
"""


@pytest.mark.parametrize("part", [0.0, 0.5, 0.9], ids=["first", "middle", "last"])
@pytest.mark.parametrize("timer", list(TimerClass), ids=lambda t: t.value)
def test_a_real_process_killed_for_real(tmp_path: Path, timer: TimerClass, part: float) -> None:
    root = Path(__file__).parents[4]
    at = 1 + round(part * (lines_of(tmp_path / "whole", timer) - 2))
    done = subprocess.run(
        [sys.executable, "-c", PROCESS, str(tmp_path), timer.value, str(at)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        check=False,
        timeout=60,
    )
    assert done.returncode == -signal.SIGKILL
    scene = Scene(tmp_path, [["a"], ["b"]], timer)
    memory = tmp_path / "memory"
    if memory.exists():
        now, states = pickle.loads(memory.read_bytes())  # noqa: S301 - our own
        scene.clock.sleep(now - scene.clock.now())
        for name, state in states.items():
            vars(scene.net.boxes[name]).update(state)
    assert len(scene.folder.journal.read_text().splitlines()) == at
    with pytest.raises(PushError, match="begun already"):
        scene.run()
    report = scene.run(again=True)
    scene.check(report)
    assert outcomes(report) == {"a": "changed", "b": "changed"}
