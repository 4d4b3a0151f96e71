"""A plan is the same with one process, with two, and with a second one that fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fabric.files.tree import file_names
from fabric.plan.process import Queue, second_process

ROOT = Path(__file__).resolve().parent.parent.parent
INVENTORY = """\
fabric: small
topology: {kind: leaf-spine, leaves: 3, spines: 2}
platforms: {default: {model: sn3700}}
hosts: {count: 6, speed: 100}
"""
ONE = "process._processors = lambda: 1"
TWO = "process._processors = lambda: 2"
DIES_AT_ONCE = f"{TWO}\nprocess._child = lambda work, writes: os._exit(1)"
TALKS_NONSENSE = f"""{TWO}
def child(work, writes):
    os.write(writes, b'nonsense')
    os._exit(0)
process._child = child"""
DIES_MIDWAY = f"""{TWO}
own = rendering.switch_texts
def texts(*given):
    for number, text in enumerate(own(*given)):
        if number == 2 and os.getpid() != parent:
            os._exit(1)
        yield text
rendering.switch_texts = texts"""
DIES_IN_A_FILE = f"""{TWO}
own = tree.Staged.write
def write(self, name, data, *, mode=0o644):
    if os.getpid() != parent and name.endswith('.conf'):
        own(self, name, data[:100], mode=mode)
        os._exit(1)
    own(self, name, data, mode=mode)
tree.Staged.write = write"""
# The first process does not begin before the second has done everything.
SECOND_DOES_ALL = f"""{TWO}
both = rendering._with_a_second
def watched(share, hosts, switches):
    def wait(queue):
        del share.hosts
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
    share.hosts = lambda queue: wait(queue) if os.getpid() == parent else own(queue)
    own = type(share).hosts.__get__(share)
    both(share, hosts, switches)
    assert len(share.done.lines) == 5 and len(share.done.digests) == 6
rendering._with_a_second = watched"""
SECOND_DOES_NOTHING = f"""{TWO}
def child(work, writes):
    time.sleep(60)
process._child = child
process._result = lambda from_child: None"""


def run(folder: Path, setting: str) -> subprocess.CompletedProcess[str]:
    folder.mkdir(exist_ok=True)
    (folder / "small.yaml").write_text(INVENTORY)
    code = (
        "import os, sys, time\nfrom fabric.files import tree\n"
        f"from fabric.plan import process, rendering\nparent = os.getpid()\n{setting}\n"
        "from fabric.cli import run\nsys.exit(run(['plan', 'small.yaml']))"
    )
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT)},
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )


def plan(folder: Path, setting: str) -> dict[str, bytes]:
    done = run(folder, setting)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    built = folder / "build" / "small"
    return {name: (built / name).read_bytes() for name in file_names(built)}


@pytest.mark.parametrize(
    "setting",
    [
        TWO,
        DIES_AT_ONCE,
        TALKS_NONSENSE,
        DIES_MIDWAY,
        DIES_IN_A_FILE,
        SECOND_DOES_ALL,
        SECOND_DOES_NOTHING,
    ],
)
def test_the_same_plan(tmp_path: Path, setting: str) -> None:
    alone = plan(tmp_path / "alone", ONE)
    assert len([name for name in alone if name.startswith("configs/")]) == 10
    assert plan(tmp_path / "both", setting) == alone
    assert [path.name for path in (tmp_path / "both" / "build").iterdir()] == ["small"]


def test_planned_again_nothing_changes(tmp_path: Path) -> None:
    assert plan(tmp_path / "a", TWO) == plan(tmp_path / "a", TWO)
    assert "Changed since last plan: nothing." in run(tmp_path / "a", SECOND_DOES_ALL).stdout


@pytest.mark.parametrize("setting", [TWO, SECOND_DOES_NOTHING])
def test_a_template_is_wrong_for_the_first_in_order(tmp_path: Path, setting: str) -> None:
    block = tmp_path / "templates" / "sonic" / "config" / "blocks" / "own.j2"
    block.parent.mkdir(parents=True)
    block.write_text('{% if device.name != "leaf-0" %}{{ refuse("no") }}{% endif %}')
    alone, both = run(tmp_path, ONE), run(tmp_path, setting)
    assert alone.returncode == 2
    assert "leaf-1" in alone.stderr
    assert both.stderr == alone.stderr
    assert list((tmp_path / "build").iterdir()) == []


def test_interrupted_nothing_is_left(tmp_path: Path) -> None:
    setting = f"{TWO}\ndef stop(*given):\n    raise KeyboardInterrupt\n"
    done = run(tmp_path, setting + "rendering.host_texts = stop")
    assert done.returncode != 0
    assert list((tmp_path / "build").iterdir()) == []


def test_a_queue_gives_each_item_once() -> None:
    items = [f"item {number}" for number in range(5000)]
    with Queue(items) as queue, second_process(lambda: list(queue)) as result:
        mine = list(queue)
        theirs = result()
    assert sorted([*mine, *theirs]) == sorted(items)
    with Queue(items[:0]) as queue:
        assert list(queue) == []


def test_a_queue_ends_when_its_owner_has_gone() -> None:
    with Queue(range(5000)) as queue:
        queue._owner = 2**22 + 1  # no process can have this number
        assert list(queue) == []
    assert os.getpid() != queue._owner
