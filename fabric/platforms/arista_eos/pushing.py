"""How EOS is changed: a named configure session, committed for a time (timer class A).

The session starts as a copy of what is in force. It is emptied (``rollback clean-config``) and
filled from a file that holds the merged configuration, so the switch itself works out what changes
and unowned lines need not be typed. A session committed later overwrites whatever changed since it
was opened (Arista user manual, *configure session*); one that somebody else has open is therefore
a lock.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fabric.changing.replies import Says
from fabric.changing.section_preview import STARTUP, SectionPreview, startup_as, text_of
from fabric.changing.sections import Grammar
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
from fabric.platforms.arista_eos.lines import CONFIG_FILE

if TYPE_CHECKING:
    from fabric.model.platform import PlatformSpec
    from fabric.model.push import Files, Job
    from fabric.model.push_spec import PushSpec

OURS = "fabric-"  # what names of sessions and files of pushes begin with
_LONG_S = 120.0
_FLASH = "/mnt/flash/"
_MAP = re.compile(r"^(qos map (?:dscp|cos) )([0-9][0-9, -]*)( to traffic-class .*)$")
_COPIED = "Copy completed successfully"
_NO_FILE = "(?i)no such file"
_STARTUP = Command("show startup-config", timeout_s=_LONG_S, tolerates=(".",))
_DIFF_HEADS = ("---", "+++", "@@")


def _normal(line: str) -> str:
    """Lists of code points one way: EOS prints ranges where it has them."""
    found = _MAP.match(line)
    if not found:
        return line
    numbers: set[int] = set()
    for part in found[2].replace(",", " ").split():
        low, _, high = part.partition("-")
        numbers.update(range(int(low), int(high or low) + 1))
    return f"{found[1]}{' '.join(map(str, sorted(numbers)))}{found[3]}"


GRAMMAR = Grammar(
    literals=((r"^banner (login|motd)", r"^EOF$"), (r"^\s+action bash\s*$", r"^\s*EOF$")),
    normal=_normal,
    implied=r"^interface \S+ > no shutdown$",  # recorded: ports that are up say nothing
)


def preview(_platform: PlatformSpec, push: PushSpec) -> Preview:
    """Reading EOS, and laying a candidate down."""
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
        """From ``show version`` and ``show hostname``."""
        return Ask((Command("show version | json"), Command("show hostname | json")), _identity)

    def holder(self) -> Ask[str | None]:
        """A commit timer that runs, or a session that somebody has open."""
        return Ask((Command("show configuration sessions detail | json"),), _holder)

    def running(self) -> Ask[Files]:
        """``show running-config``, and what it boots from, whatever that is."""
        return Ask((Command("show running-config", timeout_s=_LONG_S), _STARTUP), _running)

    def stage(self, job: Job) -> tuple[Step, ...]:
        """A file with the target, loaded into a session of its own."""
        return _stage(job)

    def difference(self, job: Job) -> Ask[Difference]:
        """What the switch says the session would change, each line with the headers above it."""

        def read(replies: tuple[str, ...]) -> Difference:
            shown, candidate = replies[0], {CONFIG_FILE: replies[1]}
            told = [line for line in shown.splitlines() if line.startswith(("+", "-"))]
            told = [line for line in told if not line.startswith(_DIFF_HEADS)]
            lines = self.differences(job.before, candidate) if told else ()
            return Difference(lines or tuple(told), candidate)

        name = job.push_id
        return Ask(
            (
                Command(f"show session-config named {name} diffs", timeout_s=_LONG_S),
                Command(f"show session-config named {name}", timeout_s=_LONG_S),
            ),
            read,
        )

    def discard(self, job: Job) -> tuple[Step, ...]:
        """The session aborted, all files deleted; a startup-config that an older push kept too."""
        return (_abort(job), _delete("remove our files", *_files(job)))


class Commit:
    """See ``fabric.changing.procedure.Commit``."""

    timer = TimerClass.CANDIDATE

    def way_back(self, job: Job) -> str:
        """The switch's own commit timer."""
        return (
            f"EOS takes the change back itself unless it is confirmed within {job.timer_s} s "
            "(commit timer); a restart before the confirmation boots the old startup-config"
        )

    def apply(self, job: Job) -> tuple[Step, ...]:
        """Checkpoints on flash, the session, its commit for a time."""
        name = job.push_id
        return (
            Step(
                "checkpoint",
                Effect.STAGES,
                (
                    _copy("startup-config", f"flash:{name}-startup"),
                    _copy("running-config", f"flash:{name}-before"),
                ),
            ),
            *_stage(job),
            Step(
                "commit for a time",
                Effect.RUNS,
                (
                    Command(
                        f"configure session {name} commit timer {_clock(job.timer_s)}",
                        timeout_s=_LONG_S,
                    ),
                ),
            ),
        )

    def confirm(self, job: Job) -> tuple[Step, ...]:
        """The commit without a timer."""
        command = Command(f"configure session {job.push_id} commit", timeout_s=_LONG_S)
        return (Step("confirm", Effect.CONFIRMS, (command,)),)

    def save(self, job: Job) -> tuple[Step, ...]:
        """``write memory``; the switch then tells no difference between running and startup."""
        return (
            Step(
                "save",
                Effect.SAVES,
                (
                    Command("write memory", timeout_s=_LONG_S, check=Says(_COPIED)),
                    Command("show running-config diffs", timeout_s=_LONG_S, check=_nothing_left),
                ),
            ),
            _delete("remove our files", f"{job.push_id}.cfg", f"{job.push_id}-before"),
        )

    def restore(self, job: Job, *, pending: bool, saving: bool) -> tuple[Step, ...]:
        """The timer's own way back, or the checkpoint; startup-config as it was, if saving began.

        The old startup-config is kept on flash also when a push has ended well, since another
        device may make all go back. An earlier restore may have used it up, so what counts is that
        startup-config reads as before.
        """
        name = job.push_id
        file = PutFile(f"{_FLASH}{name}-before", text_of(job.before, CONFIG_FILE))
        back = Command(f"configure replace flash:{name}-before", timeout_s=_LONG_S)
        replace = () if pending else (Step("replace by the checkpoint", Effect.RUNS, (file, back)),)
        startup = Command(
            f"copy flash:{name}-startup startup-config",
            timeout_s=_LONG_S,
            tolerates=(_NO_FILE,),
            check=_copied_or_absent,
        )
        proof = Ask((_STARTUP,), startup_as(job.before, GRAMMAR))
        boots = Step("startup-config as before", Effect.SAVES, (startup,), proof, _LONG_S)
        return (
            _abort(job),
            *replace,
            *((boots,) if saving else ()),
            _delete("remove our files", *_files(job)),
        )

    def pending(self, job: Job) -> Ask[bool | None]:
        """Whether the commit timer of our session runs."""

        def read(replies: tuple[str, ...]) -> bool:
            return _timed(_json(replies[0])) == job.push_id

        return Ask((Command("show configuration sessions detail | json"),), read)


def _stage(job: Job) -> tuple[Step, ...]:
    name = job.push_id
    file = PutFile(f"{_FLASH}{name}.cfg", text_of(job.target, CONFIG_FILE))
    load = (
        Command(f"configure session {name}"),
        Command("rollback clean-config"),
        Command(f"copy flash:{name}.cfg session-config", timeout_s=_LONG_S),
        Command("end"),
    )
    return (
        Step("copy the candidate over", Effect.STAGES, (file,)),
        Step("load it into a session", Effect.STAGES, load),
    )


def _json(reply: str) -> dict[str, Any]:
    try:
        found = json.loads(reply[reply.index("{") :])
    except ValueError:
        msg = f"no JSON: {' '.join(reply.split())[:80]!r}"
        raise ReplyError(msg) from None
    if not isinstance(found, dict):
        msg = "no JSON object"
        raise ReplyError(msg)
    return found


def _identity(replies: tuple[str, ...]) -> Identity:
    version, name = _json(replies[0]), _json(replies[1])
    try:
        return Identity(str(name["hostname"]), str(version["modelName"]), str(version["version"]))
    except KeyError as error:
        msg = f"show version and show hostname lack {error}"
        raise ReplyError(msg) from None


def _running(replies: tuple[str, ...]) -> Files:
    text = replies[0]
    if "\nend" not in f"\n{text.rstrip()}":
        msg = "the running-config does not end with `end`: it was cut off"
        raise ReplyError(msg)
    return {CONFIG_FILE: text.rstrip("\n") + "\n", STARTUP: replies[1]}


def _sessions(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    sessions = found.get("sessions", {})
    return sessions if isinstance(sessions, dict) else {}


def _timed(found: dict[str, Any]) -> str | None:
    """The session whose commit timer runs: told at the top from 4.32 on, else by its state."""
    if found.get("commitTimerSessionName"):
        return str(found["commitTimerSessionName"])
    for name, session in _sessions(found).items():
        if "pendingCommitTimer" in str(session.get("state", "")):
            return name
    return None


def _holder(replies: tuple[str, ...]) -> str | None:
    found = _json(replies[0])
    timed = _timed(found)
    if timed is not None:
        return f"the commit timer of session {timed} runs"
    for name, session in _sessions(found).items():
        users = [
            f"{one.get('user', 'somebody')} on {one.get('terminal', 'a terminal')}"
            for one in dict(session.get("instances", {})).values()
        ]
        if session.get("state") == "pending" and users:
            return f"{' and '.join(sorted(users))} has configure session {name} open"
    return None


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def _nothing_left(reply: str) -> str | None:
    left = [line for line in reply.splitlines() if line.startswith(("+", "-"))]
    return "startup-config differs from what is in force" if left else None


def _copy(source: str, to: str) -> Command:
    return Command(f"copy {source} {to}", timeout_s=_LONG_S, check=Says(_COPIED))


def _copied_or_absent(reply: str) -> str | None:
    return None if re.search(_NO_FILE, reply) else Says(_COPIED)(reply)


def _abort(job: Job) -> Step:
    """Aborting a session that does not exist is refused, which is as good."""

    def left(replies: tuple[str, ...]) -> str | None:
        session = _sessions(_json(replies[0])).get(job.push_id, {})
        open_still = "pending" in str(session.get("state", ""))
        return f"session {job.push_id} is still open" if open_still else None

    return Step(
        "abort the session",
        Effect.STAGES,
        (Command(f"configure session {job.push_id} abort", tolerates=(".",), timeout_s=_LONG_S),),
        until=Ask((Command("show configuration sessions detail | json"),), left),
        until_s=_LONG_S,
    )


def _files(job: Job) -> tuple[str, ...]:
    """The candidate and both checkpoints."""
    return tuple(f"{job.push_id}{end}" for end in (".cfg", "-before", "-startup"))


def _delete(name: str, *files: str) -> Step:
    """A file that is not there is refused, which is as good."""
    gone = tuple(
        Command(f"delete flash:{file}", tolerates=(_NO_FILE, "(?i)error deleting"))
        for file in files
    )
    return Step(name, Effect.STAGES, gone)
