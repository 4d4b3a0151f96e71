"""Files: copying configurations to and from them, saving, checkpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.rehearsal.cli.verbs.sources import path, source

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabric.live.rehearsal.cli.forms import Config
    from fabric.live.rehearsal.cli.terminal import Terminal

Done = tuple[str, dict[str, str]]
_OK: Done = ("", {})


def put(terminal: Terminal, where: str, config: Config, style: str = "") -> bool:
    """Write a configuration to a file; whether there was room."""
    box = terminal.box
    if box.world.faults.on("disk-full"):
        return False
    lines = box.form.write(config, style or box.system.option("file_style"))
    box.disk[where] = "".join(f"{line}\n" for line in lines).encode()
    return True


def save(terminal: Terminal) -> Done:
    """Running to startup."""
    box = terminal.box
    if not put(terminal, box.system.main["startup"], box.running):
        return "disk_full", {}
    box.saved = box.world.clock()
    return _OK


def store(terminal: Terminal, name: str, what: str = "running", style: str = "") -> Done:
    """A configuration to a file."""
    config, _ = source(terminal, what)
    if config is None:
        return "absent", {}
    return _OK if put(terminal, path(terminal, name), config, style) else ("disk_full", {})


def duplicate(terminal: Terminal, name: str, other: str) -> Done:
    """A file to a file."""
    disk = terminal.box.disk
    if path(terminal, name) not in disk:
        return "absent", {}
    if terminal.box.world.faults.on("disk-full"):
        return "disk_full", {}
    disk[path(terminal, other)] = disk[path(terminal, name)]
    return _OK


def erase(terminal: Terminal, name: str) -> Done:
    """A file is removed."""
    return _OK if terminal.box.disk.pop(path(terminal, name), None) is not None else ("absent", {})


def listing(terminal: Terminal, start: str) -> Done:
    """Names of files below a folder."""
    names = [one for one in sorted(terminal.box.disk) if one.startswith(path(terminal, start))]
    rows = [f"{len(terminal.box.disk[one]):>12}  {one.rpartition('/')[2]}" for one in names]
    return "", {"text": "".join(f"{row}\n" for row in rows)}


def look(terminal: Terminal, name: str) -> Done:
    """A file's text."""
    body = terminal.box.disk.get(path(terminal, name))
    return ("", {"text": body.decode(errors="replace")}) if body is not None else ("absent", {})


def checkpoint(terminal: Terminal, name: str) -> Done:
    """Remember the running configuration under a name."""
    box = terminal.box
    if name in box.checkpoints and not box.system.option("checkpoint_replaces", default=True):
        return "exists", {}
    if box.world.faults.on("disk-full") and box.system.option("checkpoints_are_files"):
        return "disk_full", {}
    box.checkpoints[name] = box.form.copy(box.running)
    return _OK


def forget(terminal: Terminal, name: str) -> Done:
    """A checkpoint is removed."""
    found = terminal.box.checkpoints.pop(name, None)
    return _OK if found is not None else ("absent", {})


VERBS: Mapping[str, Callable[..., Done]] = {
    "save": save,
    "store": store,
    "duplicate": duplicate,
    "erase": erase,
    "listing": listing,
    "look": look,
    "checkpoint": checkpoint,
    "forget": forget,
}
