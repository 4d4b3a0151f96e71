"""What is known about labs that are up: one folder each below /run/fabric-lab, root's alone."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fabric.live.lab.layout import Layout

if TYPE_CHECKING:
    from collections.abc import Iterator

SCHEMA = 1
BUILDING, UP = "building", "up"
_FILE = "lab.json"


def root() -> Path:
    """Folder of all labs; it is gone after a reboot, as they are."""
    return Path(os.environ.get("FABRIC_LAB_STATE", "/run/fabric-lab"))


@dataclass(frozen=True, slots=True)
class State:
    """A lab as last written. ``faults``: those in force, as (word, targets)."""

    layout: Layout
    phase: str
    faults: tuple[tuple[str, tuple[str, ...]], ...] = ()


def folder(name: str) -> Path:
    """Folder of one lab."""
    return root() / name


def key_file(name: str) -> Path:
    """Private key that logs in on every node of a lab."""
    return folder(name) / "id_ed25519"


def known_hosts(name: str) -> Path:
    """Host keys of all nodes of a lab."""
    return folder(name) / "known_hosts"


def pushes(name: str) -> Path:
    """What is known of the pushes to a lab; it goes with the lab."""
    return folder(name) / "pushes"


def seed(name: str, node: str) -> Path:
    """What a node starts with: a tree that is laid over its root."""
    return folder(name) / "nodes" / node / "root"


def node_file(name: str, node: str, what: str) -> Path:
    """A file about one node: its log, its process."""
    return folder(name) / "nodes" / node / what


def names() -> tuple[str, ...]:
    """Labs that left a folder."""
    return tuple(sorted(path.parent.name for path in root().glob(f"*/{_FILE}")))


def read(name: str) -> State | None:
    """The state of a lab; ``None``: there is none, or it cannot be read."""
    try:
        value: dict[str, Any] = json.loads((folder(name) / _FILE).read_text())
        if value["schema"] != SCHEMA:
            return None
        faults = tuple((word, tuple(targets)) for word, targets in value["faults"])
        return State(Layout.of_value(value["layout"]), value["phase"], faults)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write(state: State) -> None:
    """Keep a state, whole or not at all."""
    path = folder(state.layout.name) / _FILE
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    value = {
        "schema": SCHEMA,
        "phase": state.phase,
        "faults": state.faults,
        "layout": state.layout.value(),
    }
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(value, indent=1))
    fresh.replace(path)


def forget(name: str) -> None:
    """Remove a lab's folder, and that of all labs when it was the last."""
    shutil.rmtree(folder(name), ignore_errors=True)
    with contextlib.suppress(OSError):  # others are up, or there was none
        root().rmdir()


@contextlib.contextmanager
def locked() -> Iterator[None]:
    """One at a time: labs that start together must not take the same management network."""
    descriptor = os.open(root().parent, os.O_RDONLY)  # a folder that stays, so no file is left
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
