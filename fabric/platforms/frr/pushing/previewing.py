"""Reading an FRR switch, and laying a candidate down."""

from __future__ import annotations

import re
from shlex import quote
from typing import TYPE_CHECKING

from fabric.changing.login import ASSUMED, FACTS, facts_of, open_changes
from fabric.changing.shell import either, folder_of, old_looks, room, root_of
from fabric.model.push import (
    Ask,
    Command,
    Difference,
    Effect,
    Identity,
    RenderedError,
    ReplyError,
    Step,
)
from fabric.platforms.frr.pushing.files import (
    CONF,
    NEW,
    OLD,
    OTHERS,
    SETTINGS,
    STARTUP,
    changed,
    differences,
    placed,
    reload_conf,
    running,
)
from fabric.platforms.frr.pushing.forcing import SYSCTL, settings
from fabric.platforms.frr.pushing.sections import merged, places

if TYPE_CHECKING:
    from fabric.model.push import Files, Job

_ROOM_KB = 1024  # some files of a few kilobytes
_VERSION = re.compile(r"^FRRouting (\S+)", re.MULTILINE)


class FrrPreview:
    """See ``changing/procedure.py``."""

    assumed = ASSUMED

    def identify(self) -> Ask[Identity]:
        """Version by FRR; a Linux box has no model."""
        return Ask((either("vtysh -c 'show version'"), *FACTS), _identity)

    def holder(self) -> Ask[str | None]:
        """FRR has no lock: another change of ours that is open here."""
        return open_changes()

    def running(self) -> Ask[Files]:
        """What FRR runs, and the files."""
        return running()

    def canonical(self, files: Files) -> str:
        """Places in natural order; the text on the disk is no part of what is in force."""
        lines = [f"{CONF}: {place}" for place in sorted(places(files.get(CONF, "")))]
        for file in OTHERS:
            placed_lines = placed(files.get(file.name, ""))
            lines += [f"{file.name}: {line}" for line in sorted(placed_lines)]
        return "\n".join(lines) + "\n"

    def target(self, running: Files, rendered: Files) -> Files:
        """The rendered files; of ``frr.conf`` what is not the plan's stays."""
        if CONF not in rendered:
            msg = f"the plan has no {CONF}"
            raise ReplyError(msg)
        _known_settings(rendered.get(SYSCTL, ""))
        _goes_on(rendered[CONF])
        text = merged(running.get(CONF, ""), rendered[CONF])
        others = {name: text for name, text in rendered.items() if name != CONF}
        return {**running, **others, CONF: text, STARTUP: text}

    def differences(self, before: Files, after: Files) -> tuple[str, ...]:
        """Of all files but the text on the disk."""
        return differences(before, after)

    def stage(self, job: Job) -> tuple[Step, ...]:
        """Lay the files down, and let FRR read its own.

        ``vtysh -C`` comes first: with a syntax error ``frr-reload.py --test`` prints a difference
        that deletes everything.
        """
        folder, root = folder_of(job), root_of(job.identity)
        new = {f"{NEW}/{file.name}": job.target.get(file.name, "") for file in changed(job)}
        candidate = quote(folder.file(f"{NEW}/{CONF}"))
        checks = [Command(f"{root}vtysh -C -f {candidate}", 60.0)]
        if changed(job):
            checks.append(Command('test "$(id -u)" = 0 || sudo -n true'))
        return (
            Step(
                "make a folder for the change",
                Effect.STAGES,
                (old_looks(job, root), folder.make(NEW, OLD), room(folder, _ROOM_KB)),
            ),
            Step(
                "lay the new files down",
                Effect.STAGES,
                folder.put({f"{NEW}/{CONF}": job.target[CONF], **new}),
            ),
            Step("check the words of the new configuration", Effect.READS, tuple(checks)),
            Step(
                "ask FRR what it would change",
                Effect.READS,
                (Command(f"{root}{reload_conf(folder, NEW, '--test')}", 120.0),),
            ),
        )

    def difference(self, job: Job) -> Ask[Difference]:
        """Ours: ``frr-reload.py --test`` also lists lines that FRR never shows."""
        lines = differences(job.before, job.target)
        return Ask((), lambda _replies: Difference(lines))

    def discard(self, job: Job) -> tuple[Step, ...]:
        """The folder goes."""
        remove = folder_of(job).remove(root_of(job.identity))
        return (Step("remove the folder of the change", Effect.STAGES, (remove,)),)


def _known_settings(text: str) -> None:
    """What the kernel had of others is not read, so it could not be given back after a save."""
    strange = [name for name in settings(text) if name.replace("/", ".") not in SETTINGS]
    if strange:
        more = f" (and {len(strange) - 1:,} more)" if len(strange) > 1 else ""
        msg = (
            f"{SYSCTL} of the plan sets {strange[0]}{more}, which is not read back and could not "
            "be restored: write it into a file of your own below /etc/sysctl.d"
        )
        raise ReplyError(msg)


def _goes_on(text: str) -> None:
    """A line ``end`` leaves the configuration: what follows is no part of it any more."""
    lines = [line for line in text.splitlines() if line.strip() and line[0] not in "!#"]
    if "end" in lines[:-1]:
        msg = "the line `end` ends the text, and more follows"
        raise RenderedError(msg)


def _identity(replies: tuple[str, ...]) -> Identity:
    version = _VERSION.search(replies[0])
    if version is None:
        msg = f"`show version` does not say which FRR this is: {replies[0][-80:]!r}"
        raise ReplyError(msg)
    hostname, facts = facts_of(replies[1:])
    return Identity(hostname, None, version[1], facts)
