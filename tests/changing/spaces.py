"""A machine in namespaces of its own, for procedures that write below /etc. Needs root."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.changing.doing import Machine, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator

_KINDS = ("--mount", "--net", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc")
_UNSHARE = "/usr/bin/unshare"


def why_not(*programs: str) -> str | None:
    """Why this machine can have no such machine on it."""
    if os.geteuid() != 0:
        return "namespaces need root"
    missing = [name for name in (_UNSHARE, "nsenter", *programs) if not shutil.which(name)]
    if missing:
        return f"not installed: {', '.join(missing)}"
    ended = subprocess.run((_UNSHARE, *_KINDS, "true"), capture_output=True, check=False)
    return "this machine allows no namespaces" if ended.returncode else None


@contextmanager
def inside(script: Path, *words: str) -> Iterator[Machine]:
    """A script as process 1; it has to write /run/started and then to wait.

    ``words``: what stands before each command, such as ``env HOME=…``.
    """
    started = subprocess.Popen((_UNSHARE, *_KINDS, "sh", str(script)), start_new_session=True)
    try:
        wait_for(lambda: _first(started.pid) is not None, "a first process")
        pid = str(_first(started.pid))
        wait_for(lambda: Path(f"/proc/{pid}/root/run/started").exists(), "the machine is up")
        yield Machine(enter=("nsenter", "-t", pid, "-m", "-n", "-u", "-p", *words))
    finally:
        os.killpg(started.pid, signal.SIGKILL)
        started.wait(timeout=30)


def _first(pid: int) -> int | None:
    children = Path(f"/proc/{pid}/task/{pid}/children")
    words = children.read_text().split() if children.exists() else []
    return int(words[0]) if words else None
