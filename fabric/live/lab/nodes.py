"""Nodes as the kernel has them: their processes, found by namespace, and commands inside them."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.live.lab import names, state
from fabric.live.programs import ProgramError, run

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.live.lab.layout import Node

_NAMESPACES = Path("/run/netns")
_START_S = 60
_STEPS = ("setsid", "sh", "nsenter", "unshare")  # what start() goes through


def namespaces(lab: str) -> tuple[str, ...]:
    """Namespaces that a lab has or left behind, by name."""
    found = _NAMESPACES.glob(f"{names.prefix(lab)}*") if _NAMESPACES.is_dir() else ()
    return tuple(sorted(path.name for path in found))


def processes(spaces: Iterable[str]) -> list[int]:
    """Every process in these network namespaces, in one look through /proc."""
    wanted = {identity for name in spaces if (identity := _identity(_NAMESPACES / name))}
    return [
        int(path.name)
        for path in Path("/proc").glob("[0-9]*")
        if _identity(path / "ns/net") in wanted
    ]


def starting(lab: str) -> list[int]:
    """Processes that were on their way into a node when their parent was killed."""
    scripts = str(state.folder(lab) / "nodes")
    return [
        int(path.parent.name)
        for path in Path("/proc").glob("[0-9]*/cmdline")
        if _starts(_words(path), scripts)
    ]


def _starts(words: list[str], scripts: str) -> bool:
    """Whether a command line is one of :func:`start`, as it is or at a later step of its own."""
    script = words[-1] if words else ""
    is_ours = script.startswith(f"{scripts}/") and script.endswith("/start.sh")
    return is_ours and words[0].rpartition("/")[2] in _STEPS


def _words(path: Path) -> list[str]:
    try:
        return path.read_text(errors="replace").split("\0")[:-1]
    except OSError:
        return []


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def kill(pids: Iterable[int]) -> None:
    """End processes at once; one that has gone is none."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def first_process(lab: str, node: Node) -> int | None:
    """Process 1 of a node as the machine numbers it; ``None``: it does not run.

    Numbers are used again: only one that sits in the node's own namespace is meant.
    """
    try:
        outer = int(state.node_file(lab, node.name, "pid").read_text())
        if _identity(Path(f"/proc/{outer}/ns/net")) != _identity(_NAMESPACES / node.namespace):
            return None
        children = Path(f"/proc/{outer}/task/{outer}/children").read_text().split()
        return int(children[0]) if children else None
    except (OSError, ValueError):
        return None


def start(lab: str, node: Node) -> None:
    """Start a node and wait until its daemons are started.

    Raises:
        ProgramError: its script failed, or took more than a minute.
    """
    log = state.node_file(lab, node.name, "log")
    pid_file = state.node_file(lab, node.name, "pid")
    script = state.node_file(lab, node.name, "start.sh")
    inside = [
        *("nsenter", f"--net={_NAMESPACES / node.namespace}", "--wd=/"),
        *("unshare", "--mount", "--uts", "--pid", "--fork", "--mount-proc"),
        *("--kill-child=SIGKILL", "/bin/sh", str(script)),
    ]
    keep = 'echo $$ >"$1"; exec >"$2" 2>&1 </dev/null; shift 2; exec "$@"'
    words = ["setsid", "--fork", "/bin/sh", "-c", keep, "sh", str(pid_file), str(log), *inside]
    run(words)
    deadline = time.monotonic() + _START_S
    while time.monotonic() < deadline:
        pid = first_process(lab, node)
        if pid is not None and Path(f"/proc/{pid}/root/run/started").exists():
            return
        if _has_ended(pid_file):
            raise ProgramError(inside, 1, log.read_text())
        time.sleep(0.02)
    raise ProgramError(inside, None, log.read_text())


def _has_ended(pid_file: Path) -> bool:
    try:
        return not Path(f"/proc/{int(pid_file.read_text())}").exists()
    except (OSError, ValueError):
        return False  # not written yet


def inside(lab: str, node: Node, command: Iterable[str]) -> list[str]:
    """The command line that runs a command inside a node.

    Raises:
        ProgramError: the node does not run.
    """
    words = list(command)
    pid = first_process(lab, node)
    if pid is None:
        raise ProgramError(words, 1, f"{node.name} does not run")
    spaces = ("--net", "--mount", "--uts", "--pid")
    return ["nsenter", f"--target={pid}", *spaces, "--wd=/", "--", *words]


def shell(lab: str, node: Node, text: str, *, given: str = "") -> str:
    """What a shell inside a node prints.

    Raises:
        ProgramError: it failed.
    """
    return run(inside(lab, node, ["/bin/sh", "-c", text]), text=given)
