"""A plan is the same with one process, with two, and with a second one that fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fabric.files.tree import file_names

ROOT = Path(__file__).resolve().parent.parent.parent
INVENTORY = """\
fabric: small
topology: {kind: leaf-spine, leaves: 3, spines: 2}
platforms: {default: {model: sn3700}}
hosts: {count: 6, speed: 100}
"""
ONE = "process._processors = lambda: 1"
TWO = "process._processors = lambda: 2"
DIES_AT_ONCE = f"{TWO}\nprocess._child = lambda design, roots, writes: os._exit(1)"
TALKS_NONSENSE = f"""{TWO}
def child(design, roots, writes):
    os.write(writes, b'nonsense')
    os._exit(0)
process._child = child"""
DIES_MIDWAY = f"""{TWO}
def child(design, roots, writes):
    import pickle
    from fabric.plan.switches import switch_texts
    with os.fdopen(writes, 'wb') as target:
        for number, text in enumerate(switch_texts(design, roots)):
            if number == 2:
                break
            pickle.dump(text, target)
    os._exit(0)
process._child = child"""


def plan(folder: Path, setting: str) -> dict[str, bytes]:
    folder.mkdir()
    (folder / "small.yaml").write_text(INVENTORY)
    code = (
        f"import os, sys\nfrom fabric.plan import process\n{setting}\n"
        "from fabric.cli import run\nsys.exit(run(['plan', 'small.yaml']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT)},
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    built = folder / "build" / "small"
    return {name: (built / name).read_bytes() for name in file_names(built)}


@pytest.mark.parametrize("setting", [TWO, DIES_AT_ONCE, TALKS_NONSENSE, DIES_MIDWAY])
def test_the_same_plan(tmp_path: Path, setting: str) -> None:
    alone = plan(tmp_path / "alone", ONE)
    assert len([name for name in alone if name.startswith("configs/")]) == 10
    assert plan(tmp_path / "both", setting) == alone


def test_the_second_process_does_switches(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    folder.mkdir()
    (folder / "small.yaml").write_text(INVENTORY)
    code = (
        "import time\nfrom pathlib import Path\nfrom datetime import date\n"
        "from fabric import flow\nfrom fabric.plan import process, write\n"
        "process._processors = lambda: 2\n"
        "own, ready = write.switch_texts, process.SecondProcess.ready\n"
        "seconds, theirs = [], []\n"
        "def watched(self):\n"
        "    seconds.append(self)\n"
        "    for text in ready(self):\n"
        "        theirs.append(text.line.name)\n"
        "        yield text\n"
        "process.SecondProcess.ready = watched\n"
        "def slow(design, roots, without, backwards):\n"  # waits until the other has all but one
        "    until = time.monotonic() + 60\n"
        "    texts = own(design, roots, without, backwards=backwards)\n"
        "    first = next(texts)\n"
        "    while len(theirs) < 5 and time.monotonic() < until:\n"
        "        for text in watched(seconds[0]):\n"
        "            yield text\n"
        "    yield first\n"
        "write.switch_texts = slow\n"
        "flow.plan('small.yaml', out=Path('out'), today=date(2026, 1, 1))\n"
        "print(sorted(theirs))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT)},
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout.strip() == "['leaf-0', 'leaf-1', 'leaf-2', 'spine-0', 'spine-1']"
