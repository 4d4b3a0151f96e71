"""Words for systems that are reached by a shell: our folder on the device, files put in place.

Plain POSIX words, one command where one does: whoever watches the device can read and repeat them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from shlex import quote
from typing import TYPE_CHECKING

from fabric.model.push import Command, PutFile, ReplyError

if TYPE_CHECKING:
    from fabric.model.push import Check, Files, Identity, Job

ANY_STATUS = tuple(range(256))  # the reply tells; a killed session (-1) is none of these
ROOT = "sudo -n "  # never asks for a password


def ask(text: str, timeout_s: float = 30.0) -> Command:
    """A command whose reply matters, not its exit status; what it complains of is dropped."""
    return Command(f"{text} 2>/dev/null", timeout_s, statuses=ANY_STATUS)


def either(text: str, timeout_s: float = 60.0) -> Command:
    """A command as root where sudo lets us, else as ourselves."""
    return Command(f"{ROOT}{text} 2>/dev/null || {text}", timeout_s)


@dataclass(frozen=True, slots=True)
class Folder:
    """Where a change keeps its files on the device: in the home of who is logged in, for him alone.

    A home survives a reboot, and no root is needed to write there.
    """

    path: str

    def file(self, name: str) -> str:
        """A file in it."""
        return f"{self.path}/{name}"

    def make(self, *parts: str) -> Command:
        """Right also where it is there already. ``parts``: folders in it."""
        paths = " ".join(quote(path) for path in (self.path, *map(self.file, parts)))
        return Command(f"mkdir -p -m 0700 {paths}")

    def remove(self, root: str) -> Command:
        """Right also where it is gone. ``root``: scripts that run as root leave files of root."""
        return Command(f"{root}rm -rf {quote(self.path)}")

    def put(self, files: Files, mode: str = "0600") -> tuple[PutFile, ...]:
        """Files with their texts."""
        return tuple(PutFile(self.file(name), text, mode) for name, text in files.items())


def folder_of(job: Job) -> Folder:
    """The folder of a change."""
    return Folder(f"{job.identity.fact('home').rstrip('/')}/fabric-push-{job.push_id}")


def is_look(name: str) -> bool:
    """Whether a folder is of a look: that of a push has no mark behind the plan's."""
    return re.fullmatch(r"fabric-push-fabric-[0-9a-f]{10}-[0-9a-f]{6}", name) is not None


def old_looks(job: Job, root: str) -> Command:
    """Remove what looks left that were killed. Of an hour and more: another may be going on."""
    home = quote(job.identity.fact("home").rstrip("/") or "/")
    plan, mark = "[0-9a-f]" * 10, "[0-9a-f]" * 6
    named = f"-maxdepth 1 -type d -name 'fabric-push-fabric-{plan}-{mark}'"
    return Command(f"{root}find {home} {named} -mmin +60 -exec rm -rf {{}} +", statuses=ANY_STATUS)


def root_of(identity: Identity) -> str:
    """What stands before a command that needs root: nothing where we are root, or cannot be."""
    return ROOT if identity.fact("root") == "sudo" else ""


def beside(path: str) -> str:
    """Where a new file lies until it is whole; what a lost session leaves there, a restore removes.

    It does harm there: every name in ``/etc/network/interfaces.d`` is read at the next start.
    """
    return f"{path}.fabric-new"


def install(source: str, path: str, root: str, rights: str) -> tuple[Command, ...]:
    """Put a file in another's place: a full disk or a lost session leaves the old one whole.

    ``rights``: words for ``install`` (owner, group, mode). The last command compares.
    """
    new = quote(beside(path))
    return (
        Command(f"{root}install {rights} {quote(source)} {new}"),
        Command(f"{root}sync {new}"),
        Command(f"{root}mv -f {new} {quote(path)}"),
        Command(f"{root}cmp {quote(source)} {quote(path)}"),
    )


def lay_over(source: str, path: str, root: str) -> str:
    """Shell text: show ``source`` to everybody who opens ``path``, and leave the disk as it is.

    A bind mount: it is gone after a reboot, and the old file is there again.
    """
    old = quote(path)
    return f"{root}touch {old} && {root}mount --bind {quote(source)} {old}"


def take_off(path: str, root: str) -> str:
    """Shell text: undo ``lay_over``; fails where nothing lies over the file."""
    return f"{root}umount {quote(path)} 2>/dev/null"


def room(folder: Folder, needed_kb: int) -> Command:
    """Refuse a disk on which what we write would not fit."""

    def check(reply: str) -> str | None:
        words = reply.rstrip().rpartition("\n")[2].split()
        if len(words) < 4 or not words[3].isdecimal():  # noqa: PLR2004 - columns of df -P
            return f"df did not say how much is free: {reply[-80:]!r}"
        free = int(words[3])
        return None if free >= needed_kb else f"{free} KB are free, {needed_kb} KB are needed"

    return Command(f"df -Pk {quote(folder.path)}", check=check)


def equal_text(expected: str, what: str) -> Check:
    """Check that a reply is a text, ends of lines aside."""

    def check(reply: str) -> str | None:
        return None if reply.rstrip() == expected.rstrip() else f"{what} reads back otherwise"

    return check


def first_line(reply: str, what: str) -> str:
    """The first line of a reply.

    Raises:
        ReplyError: there is none.
    """
    lines = reply.strip().splitlines()
    if not lines:
        msg = f"no answer to: {what}"
        raise ReplyError(msg)
    return lines[0].strip()
