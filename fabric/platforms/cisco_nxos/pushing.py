"""How NX-OS is changed: ``configure replace`` with the merged configuration; no timer of its own.

``configure replace`` works out the patch itself, applies it, and puts the old configuration back
when a line fails or the result is not what the file says (Nexus 9000 system management guide,
*performing configuration replace*). The guide also has a commit-timeout; the words that confirm one
and that tell whether it runs are in no public source read here, so it is not used.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.changing.replies import Says, unlike
from fabric.changing.section_preview import STARTUP, SectionPreview, startup_as, text_of
from fabric.changing.sections import BELOW, Grammar, blocks, differences
from fabric.model.push import (
    Ask,
    Command,
    Difference,
    Effect,
    Identity,
    PutFile,
    ReplyError,
    Step,
    TimerClass,
)
from fabric.platforms.cisco_nxos.lines import CONFIG_FILE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.model.platform import PlatformSpec
    from fabric.model.push import Files, Job
    from fabric.model.push_spec import PushSpec

_LONG_S = 300.0
_YES = ((r"\(y/n\)", "y"), (r"\[y/n\]", "y"), (r"\[Y/N\]", "y"))
_RUNNING = Command("show running-config", timeout_s=_LONG_S)
_STARTUP = Command("show startup-config", timeout_s=_LONG_S)
_BOOTS = Command("show startup-config", timeout_s=_LONG_S, tolerates=(".",))
_COPIED = Says("Copy complete")
_VERSION = re.compile(r"^\s*NXOS: version (\S+)", re.MULTILINE)
_CHASSIS = re.compile(r"^\s*cisco Nexus\s?9000 (?:N9K-)?(\S+)", re.MULTILINE | re.IGNORECASE)
_NAME = re.compile(r"^\s*Device name: (\S+)", re.MULTILINE)
_ABSENT = "(?i)no such file|not exist"
_PORT = re.compile("interface (Ethernet|port-channel)")
_OF_VLAN = frozenset({"switchport", "switchport mode access"})  # a port with an access VLAN is that
_OTHERWISE = frozenset({"no switchport", "switchport mode trunk"})
GRAMMAR = Grammar(
    literals=((r"^banner (?:motd|exec) (?P<end>\S+)\s*$", ""),),
    last="",
    implied=r"^interface (Ethernet|port-channel)\S+ > no shutdown$",
    unless=r"^no switchport$",  # recorded: routed ports that are up say so, switched ones do not
)


def preview(_platform: PlatformSpec, push: PushSpec) -> Preview:
    """Reading NX-OS, and laying a candidate down."""
    return Preview(push.owned)


def commit(_platform: PlatformSpec, _push: PushSpec) -> Commit:
    """Putting a candidate in force."""
    return Commit()


@dataclass(frozen=True, slots=True)
class Preview(SectionPreview):
    """See ``fabric.changing.procedure.Preview``."""

    file = CONFIG_FILE
    grammar = GRAMMAR

    def identify(self) -> Ask[Identity]:
        """From ``show version``."""
        return Ask((Command("show version"),), _identity)

    def holder(self) -> Ask[str | None]:
        """NX-OS has no lock on its running configuration that could be asked for."""
        return Ask((), lambda _: None)

    def running(self) -> Ask[Files]:
        """``show running-config``, and what it boots from, whatever that is."""
        return Ask((_RUNNING, _BOOTS), lambda r: {CONFIG_FILE: _whole(r[0]), STARTUP: r[1]})

    def differences(self, before: Files, after: Files) -> tuple[str, ...]:
        """Line by line, without what says nothing beside the other lines of its port.

        A routed port is shut down unless it says ``no shutdown``, and a port of a VLAN is an access
        port unless it says ``mode trunk``; neither is in ``show running-config`` (recorded).
        """
        lines = SectionPreview.differences(self, before, after)
        ports = [_ports(files[CONFIG_FILE]) for files in (before, after)]
        return tuple(line for line in lines if not all(_says_nothing(line, one) for one in ports))

    def stage(self, job: Job) -> tuple[Step, ...]:
        """A file with the target."""
        return (_put(job),)

    def difference(self, job: Job) -> Ask[Difference]:
        """Our own: the words of ``show-patch`` are in no public source read here."""
        return Ask((), lambda _: Difference(self.differences(job.before, job.target)))

    def discard(self, job: Job) -> tuple[Step, ...]:
        """All files deleted; a startup-config that an older push kept too."""
        return (_delete("remove our files", _candidate(job), _before(job), _kept(job)),)


@dataclass(frozen=True, slots=True)
class Commit:
    """See ``fabric.changing.procedure.Commit``."""

    timer = TimerClass.NONE

    def way_back(self, job: Job) -> str:
        """Nobody but us."""
        return (
            "no device-side timer: nobody undoes the change when this program is cut off; "
            f"`configure replace bootflash:{_before(job)}` on the switch does"
        )

    def apply(self, job: Job) -> tuple[Step, ...]:
        """Checkpoints on bootflash, the file, and the replacement."""
        keep = (
            Command(f"copy startup-config bootflash:{_kept(job)}", answers=_YES, check=_COPIED),
            Command(f"copy running-config bootflash:{_before(job)}", answers=_YES, check=_COPIED),
        )
        return (
            Step("checkpoint", Effect.STAGES, keep),
            _put(job),
            _replaced("replace the configuration", _candidate(job)),
        )

    def confirm(self, job: Job) -> tuple[Step, ...]:  # noqa: ARG002 — there is no timer
        """Nothing: there is no timer."""
        return ()

    def save(self, job: Job) -> tuple[Step, ...]:
        """``copy running-config startup-config``, then both are compared."""

        def left(replies: tuple[str, ...]) -> str | None:
            running, startup = (_whole(reply) for reply in replies)
            found = differences(running, startup, GRAMMAR)
            return unlike("startup-config and what is in force", found)

        save = Command("copy running-config startup-config", answers=_YES, timeout_s=_LONG_S)
        proof = Ask((_RUNNING, _STARTUP), left)
        return (
            Step("save", Effect.SAVES, (save,), until=proof, until_s=_LONG_S),
            _delete("remove our files", _candidate(job), _before(job)),
        )

    def restore(
        self,
        job: Job,
        *,
        pending: bool,  # noqa: ARG002 — no timer
        saving: bool,
    ) -> tuple[Step, ...]:
        """The checkpoint in place of all; startup-config as it was, if saving began.

        The old startup-config is kept on bootflash also when a push has ended well, since another
        device may make all go back. An earlier restore may have used it up, so what counts is that
        startup-config reads as before.
        """
        file = PutFile(f"/bootflash/{_before(job)}", text_of(job.before, CONFIG_FILE))
        startup = Command(
            f"copy bootflash:{_kept(job)} startup-config",
            answers=_YES,
            timeout_s=_LONG_S,
            tolerates=(_ABSENT,),
        )
        proof = Ask((_BOOTS,), startup_as(job.before, GRAMMAR))
        boots = Step("startup-config as before", Effect.SAVES, (startup,), proof, _LONG_S)
        return (
            _replaced("replace by the checkpoint", _before(job), file),
            *((boots,) if saving else ()),
            _delete("remove our files", _candidate(job), _before(job), _kept(job)),
        )

    def pending(self, job: Job) -> Ask[bool | None]:  # noqa: ARG002 — there is no timer
        """Never."""
        return Ask((), lambda _: False)


def _ports(text: str) -> dict[str, set[str]]:
    """The lines of each port, by its header."""
    ports = (block for block in blocks(text, GRAMMAR) if _PORT.match(block.header))
    return {block.header: {line.strip() for line in block.lines} for block in ports}


def _says_nothing(line: str, ports: Mapping[str, set[str]]) -> bool:
    """Whether a line of a difference follows from the others of its port, said or not."""
    header, _, word = line[1:].partition(BELOW)
    beside = ports.get(header, set())
    if word == "shutdown" and header.startswith("interface Ethernet"):
        return "no switchport" in beside and "no shutdown" not in beside
    of_vlan = any(one.startswith("switchport access vlan ") for one in beside)
    return word in _OF_VLAN and of_vlan and not beside & _OTHERWISE


def _whole(reply: str) -> str:
    """NX-OS prints no last line: that it is whole is known by the prompt that followed."""
    if not re.search(r"^version \S+", reply, re.MULTILINE):
        msg = "the configuration has no line `version …`"
        raise ReplyError(msg)
    return reply.rstrip("\n") + "\n"


def _identity(replies: tuple[str, ...]) -> Identity:
    version, chassis, name = (p.search(replies[0]) for p in (_VERSION, _CHASSIS, _NAME))
    if version is None or name is None:
        msg = "show version has no `NXOS: version …` or no `Device name: …`"
        raise ReplyError(msg)
    return Identity(name[1], f"N9K-{chassis[1]}" if chassis else None, version[1])


def _candidate(job: Job) -> str:
    return f"{job.push_id}.cfg"


def _before(job: Job) -> str:
    return f"{job.push_id}-before"


def _kept(job: Job) -> str:
    return f"{job.push_id}-startup"


def _put(job: Job) -> Step:
    file = PutFile(f"/bootflash/{_candidate(job)}", text_of(job.target, CONFIG_FILE))
    return Step("copy the candidate over", Effect.STAGES, (file,))


def _replaced(name: str, file: str, *first: PutFile) -> Step:
    command = Command(
        f"configure replace bootflash:{file}",
        answers=_YES,
        timeout_s=2 * _LONG_S,
        check=Says("(?i)configure replace completed successfully"),
    )
    return Step(name, Effect.RUNS, (*first, command))


def _delete(name: str, *files: str) -> Step:
    """A file that is not there is refused, which is as good."""
    return Step(
        name,
        Effect.STAGES,
        tuple(
            Command(f"delete bootflash:{file} no-prompt", tolerates=(_ABSENT,)) for file in files
        ),
    )
