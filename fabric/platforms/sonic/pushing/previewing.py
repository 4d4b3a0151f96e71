"""Reading a SONiC switch, and laying a candidate down."""

from __future__ import annotations

import re
from shlex import quote
from typing import TYPE_CHECKING

from fabric.changing.json_tables import differences, read_tables
from fabric.changing.login import ASSUMED, FACTS, facts_of, read_open
from fabric.changing.shell import ROOT, ask, folder_of, old_looks, room
from fabric.model.push import Ask, Command, Difference, Effect, Identity, ReplyError, Step
from fabric.platforms.sonic.pushing.files import (
    CONF,
    CONFIG,
    LOCK_PATH,
    READ_DB,
    READ_LOOKUP,
    READ_STARTUP,
    canonical_text,
    compared,
    conf_lines,
    conf_of,
    reads_conf,
    running,
    target,
)
from fabric.platforms.sonic.pushing.machine_made import without
from fabric.platforms.sonic.pushing.ownership import OWNERSHIP

if TYPE_CHECKING:
    from fabric.changing.json_tables import Tables
    from fabric.model.push import Files, Job

_FACT = re.compile(r"^(SONiC Software Version|Platform|HwSKU): *(?:SONiC[.-])?(\S+)", re.MULTILINE)
_SHOWN = 3
_ROOM_KB = 32 * 1024  # five files as large as CONFIG_DB, which is one or two megabytes


class SonicPreview:
    """See ``changing/procedure.py``."""

    assumed = ASSUMED

    def identify(self) -> Ask[Identity]:
        """The box by its platform; ``hwsku`` is a fact."""
        return Ask((Command("show version", 120.0), *FACTS), _identity)

    def holder(self) -> Ask[str | None]:
        """A reload that is running, changes that nobody saved, an open change of ours.

        The restore loads the startup file: what is not in it would be lost.
        """
        lock = ask(f"{ROOT}cat {LOCK_PATH}")
        commands = (Command('ls "$HOME"'), lock, READ_DB, READ_STARTUP, READ_LOOKUP)
        return Ask(commands, _holder)

    def running(self) -> Ask[Files]:
        """CONFIG_DB, the startup file, ``frr.conf``."""
        return running()

    def canonical(self, files: Files) -> str:
        """Places and values."""
        return canonical_text(files)

    def target(self, running: Files, rendered: Files) -> Files:
        """See ``files.target``."""
        return target(running, rendered)

    def differences(self, before: Files, after: Files) -> tuple[str, ...]:
        """By table, key and field."""
        return compared(before, after)

    def stage(self, job: Job) -> tuple[Step, ...]:
        """Lay the candidate down; the switch checks it itself before it stops anything."""
        folder = folder_of(job)
        files = {CONFIG: job.target[CONFIG]}
        first = (old_looks(job, ROOT), folder.make(), room(folder, _ROOM_KB))
        steps = [
            Step("make a folder for the change", Effect.STAGES, first),
            Step("lay the candidate down", Effect.STAGES, folder.put({**files, **cover(job)})),
        ]
        if new_conf(job):
            path = quote(folder.file(CONF))
            check = Command(f"{ROOT}vtysh -C -f /dev/stdin <{path}", 60.0)
            steps.append(Step("check the words of the new frr.conf", Effect.READS, (check,)))
        return tuple(steps)

    def difference(self, job: Job) -> Ask[Difference]:
        """Ours: the switch compares no file with what it runs."""
        lines = compared(job.before, job.target)
        return Ask((), lambda _replies: Difference(lines))

    def discard(self, job: Job) -> tuple[Step, ...]:
        """The folder goes."""
        remove = folder_of(job).remove(ROOT)
        return (Step("remove the folder of the change", Effect.STAGES, (remove,)),)


def new_conf(job: Job) -> dict[str, str]:
    """The new ``frr.conf`` where FRR reads it and it changes."""
    text = conf_of(job.target)
    same = not text or conf_lines(text) == conf_lines(conf_of(job.before))
    return {} if same else {CONF: text}


def cover(job: Job) -> dict[str, str]:
    """What lies over ``frr.conf`` until the change is saved; empty: nothing.

    Where FRR shall not read the file any more the container removes it, or writes its own: a copy
    of the old one bears that.
    """
    leaves = reads_conf(job.before) and not reads_conf(job.target)
    return {CONF: conf_of(job.before)} if leaves else new_conf(job)


def _identity(replies: tuple[str, ...]) -> Identity:
    found = dict(_FACT.findall(replies[0]))
    if "SONiC Software Version" not in found:
        msg = f"`show version` does not say which SONiC this is: {replies[0][-80:]!r}"
        raise ReplyError(msg)
    hostname, facts = facts_of(replies[1:])
    if dict(facts)["root"] == "none":
        msg = "`sudo -n` is refused: the user needs sudo without a password"
        raise ReplyError(msg)
    hwsku = ("hwsku", found.get("HwSKU", ""))
    version = found["SONiC Software Version"]
    return Identity(hostname, found.get("Platform"), version, (*facts, hwsku))


def _holder(replies: tuple[str, ...]) -> str | None:
    opened, lock, database, startup, lookup = replies
    if lock.strip():
        return f"config reload is running on the switch ({lock.strip()})"
    if opened_change := read_open((opened,)):
        return opened_change
    saved, runs = read_tables(startup, "the startup file"), read_tables(database, "it")
    if unsaved := _unsaved(saved, runs, lookup):
        shown = "; ".join(unsaved[:_SHOWN])
        more = f" and {len(unsaved) - _SHOWN} more" if len(unsaved) > _SHOWN else ""
        return (
            f"CONFIG_DB differs from /etc/sonic/config_db.json ({shown}{more}); "
            "`sudo config save -y` keeps that, `sudo config reload -y` drops it"
        )
    return None


def _unsaved(startup: Tables, database: Tables, lookup: str) -> tuple[str, ...]:
    """What a reload would lose. What buffermgrd makes after each boot is not among it."""
    return differences(without(startup, lookup), without(database, lookup), OWNERSHIP)
