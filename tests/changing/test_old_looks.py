"""What looks left that were killed: found by a real `find`, by name and age."""

from __future__ import annotations

import os
import subprocess
import time
from typing import TYPE_CHECKING

from fabric.changing.login import read_open
from fabric.changing.shell import old_looks
from fabric.model.push import Identity, Job

if TYPE_CHECKING:
    from pathlib import Path

LOOK = "fabric-push-fabric-0123456789-abcdef"
STAY = (
    "fabric-push-fabric-0123456789",  # of a push: no mark
    "fabric-push-fabric-0123456789-abcde",
    "fabric-push-fabric-0123456789-mine00",
    "fabric-push-p1",
    "theirs",
)


def test_only_looks_of_an_hour_and_more_go(tmp_path: Path) -> None:
    home = tmp_path / "home of a user"
    young = "fabric-push-fabric-9876543210-fedcba"
    for name in (*STAY, LOOK, young):
        (home / name).mkdir(parents=True)
        (home / name / "file").write_text("x")
    (home / "theirs" / LOOK).mkdir()
    long_ago = time.time() - 7200
    for folder in home.iterdir():
        if folder.name != young:
            os.utime(folder, (long_ago, long_ago))
    identity = Identity("sonic", None, "1", (("home", str(home)),))
    job = Job("p1", "leaf-0", "admin", {}, {}, 600, identity)
    subprocess.run(["/bin/sh", "-c", old_looks(job, "").text], check=True, timeout=60)
    assert {folder.name for folder in home.iterdir()} == {*STAY, young}
    assert (home / "theirs" / LOOK).is_dir()


def test_a_look_is_no_open_change() -> None:
    assert read_open((f"{LOOK}\nDocuments\n",)) is None
    told = read_open((f"{LOOK}\nfabric-push-fabric-0123456789\n",))
    assert told is not None
    assert told.startswith("the change fabric-0123456789 is open")
