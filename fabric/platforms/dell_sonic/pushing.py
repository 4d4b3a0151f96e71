"""How Enterprise SONiC is changed: a config session, committed for a time (timer class A).

What is typed in a session goes to a candidate, which outlives the terminal; ``commit timeout`` puts
it in force, ``commit confirm`` keeps it and ends the session (sonic-net/sonic-mgmt,
spytest/apis/system/config_session; Broadcom's translib/cs). What is not confirmed is taken back by
loading the old configuration anew, with which services restart. While a session is there, nobody
else can change anything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fabric.changing.replies import unlike
from fabric.changing.typed_preview import TypedPreview
from fabric.model.push import (
    Ask,
    Command,
    Difference,
    Effect,
    Identity,
    Lines,
    ReplyError,
    Step,
    TimerClass,
)
from fabric.platforms.dell_sonic.lines import CONFIG_FILE
from fabric.platforms.dell_sonic.words import GRAMMAR, NAMED, SILENT, TYPING

if TYPE_CHECKING:
    from fabric.model.platform import PlatformSpec
    from fabric.model.push import Files, Job
    from fabric.model.push_spec import PushSpec

_LONG_S = 300.0
_RELOAD_S = 900.0
_GONE_S = 60.0  # a terminal that was lost holds its session until the switch has noticed
_LEAST_S, _MOST_S = 30, 3600  # of `commit timeout`; below, no timer starts at all
_YES = ((r"(?i)\[?y(es)?/n(o)?\]?", "y"),)
_ANY = (".",)
_ENTER, _LEAVE = Command("configure session"), Command("exit")
# Not `abort`: what the timer has begun to take back is left alone by this word, not by that one.
_CLEAR = Command("clear config session", answers=_YES, tolerates=_ANY, timeout_s=_RELOAD_S)
_RUNNING = Command("show running-configuration", timeout_s=_LONG_S)
_SESSION = Command("show config session", tolerates=_ANY)
_LINES_ALONE = re.compile(r"(?i)\b(in)?active\b")
_NO_FILE = r"(?i)no such file|not (found|exist)|does not exist"


def preview(_platform: PlatformSpec, push: PushSpec) -> Preview:
    """Reading Enterprise SONiC, and laying a candidate down."""
    return Preview(push.owned)


def commit(_platform: PlatformSpec, push: PushSpec) -> Commit:
    """Putting a candidate in force."""
    return Commit(Preview(push.owned))


@dataclass(frozen=True, slots=True)
class Preview(TypedPreview):
    """See ``fabric.changing.procedure.Preview``."""

    file = CONFIG_FILE
    grammar = GRAMMAR
    typing = TYPING
    named = NAMED
    silent = SILENT

    def identify(self) -> Ask[Identity]:
        """From ``show version`` and the hostname's line."""
        return Ask((Command("show version"), _RUNNING), _identity)

    def holder(self) -> Ask[str | None]:
        """A config session that is there: one a switch, whoever it belongs to."""
        return Ask((_SESSION,), lambda replies: _session(replies[0]))

    def running(self) -> Ask[Files]:
        """``show running-configuration``."""
        return Ask((_RUNNING,), lambda replies: {CONFIG_FILE: _whole(replies[0])})

    def stage(self, job: Job) -> tuple[Step, ...]:
        """The lines, typed in a session that is then left, not ended."""
        lines = Lines(self.lines(job.before, job.target), timeout_s=_LONG_S)
        return (Step("type the lines in a session", Effect.STAGES, (_ENTER, lines, _LEAVE)),)

    def difference(self, job: Job) -> Ask[Difference]:
        """That the switch says that the session changes something, and our own words for it."""

        def read(replies: tuple[str, ...]) -> Difference:
            if not _ours(replies[0], job):
                msg = "there is no config session of ours"
                raise ReplyError(msg)
            shown = [line.lstrip() for line in replies[2].splitlines()]
            told = [line for line in shown if re.match(r"[+-](?!--|\+\+)", line)]
            own = self.differences(job.before, job.target)
            if own and not told:
                what = unlike("what runs and the plan", own)
                msg = f"the switch shows no difference, though {what}"
                raise ReplyError(msg)
            return Difference(own or tuple(told))

        diff = Command("do show config session diff", timeout_s=_LONG_S)
        return Ask((_SESSION, _ENTER, diff, _LEAVE), read)

    def discard(self, job: Job) -> tuple[Step, ...]:
        """The session cleared, which has to be gone then."""
        gone = Ask((_SESSION,), lambda replies: _still(replies[0], job))
        return (Step("clear the session", Effect.STAGES, _clear(job), gone, _GONE_S),)


@dataclass(frozen=True, slots=True)
class Commit:
    """See ``fabric.changing.procedure.Commit``."""

    preview: Preview
    timer = TimerClass.CANDIDATE

    def way_back(self, job: Job) -> str:
        """The switch's own timer, and what it costs."""
        return (
            f"SONiC loads the old configuration anew unless the change is confirmed within "
            f"{_timeout(job)} s (commit timeout): services restart, and traffic stops while they "
            "do; a restart before that boots the old startup configuration"
        )

    def apply(self, job: Job) -> tuple[Step, ...]:
        """A checkpoint, the session, its commit for a time."""
        keep = Command(
            f"copy running-configuration {_before(job)}", answers=_YES, timeout_s=_LONG_S
        )
        timed = Command(f"commit timeout {_timeout(job)}", answers=_YES, timeout_s=_LONG_S)
        leave = Command("exit", tolerates=_ANY)
        return (
            Step("checkpoint", Effect.STAGES, (keep,)),
            *self.preview.stage(job),
            Step("commit for a time", Effect.RUNS, (_ENTER, timed, leave)),
        )

    def confirm(self, job: Job) -> tuple[Step, ...]:  # noqa: ARG002 — there is one session a switch
        """``commit confirm``, which ends the session too."""
        keep = Command("commit confirm", answers=_YES, timeout_s=_LONG_S)
        return (Step("confirm", Effect.CONFIRMS, (_ENTER, keep)),)

    def save(self, job: Job) -> tuple[Step, ...]:  # noqa: ARG002 — nothing of it is named
        """``write memory``; no source shows how to read back what was saved."""
        save = Command("write memory", answers=_YES, timeout_s=_LONG_S)
        return (Step("save", Effect.SAVES, (save,)),)

    def restore(
        self,
        job: Job,
        *,
        pending: bool,
        saving: bool,  # noqa: ARG002 — right either way
    ) -> tuple[Step, ...]:
        """The session cleared, which takes back what it committed; else the checkpoint."""

        def left(replies: tuple[str, ...]) -> str | None:
            found = self.preview.differences({CONFIG_FILE: _whole(replies[0])}, job.before)
            return unlike("what runs and what ran before", found) or _still(replies[1], job)

        proof = Ask((_RUNNING, _SESSION), left)
        if pending:
            name = "take back what the session committed"
            return (Step(name, Effect.RUNS, _clear(job), proof, _RELOAD_S, may_drop=True),)
        # The file is not there where nothing had been changed yet.
        back = Command(
            f"copy {_before(job)} running-configuration replace",
            answers=_YES,
            tolerates=(_NO_FILE,),
            timeout_s=_RELOAD_S,
        )
        save = Command("write memory", answers=_YES, timeout_s=_LONG_S)
        return (
            *self.preview.discard(job),
            Step("replace by the checkpoint", Effect.RUNS, (back,), proof, _RELOAD_S),
            Step("save the old configuration", Effect.SAVES, (save,)),
        )

    def pending(self, job: Job) -> Ask[bool | None]:
        """Whether a session of ours is there that is more than lines: it ends with its timer.

        Its states are ACTIVE, INACTIVE and, while the timer runs, PENDING CONFIRM (Broadcom
        translib/cs, GetState); how they are laid out is in no source.
        """

        def read(replies: tuple[str, ...]) -> bool:
            return _ours(replies[0], job) and not _LINES_ALONE.search(replies[0])

        return Ask((_SESSION,), read)


def _session(reply: str) -> str | None:
    """What is told of a session; a reply that speaks of none, or of nothing, tells of none."""
    text = " ".join(reply.split())
    none = re.search(r"(?i)^$|^%|\bno\b|not (found|present|active)", text)
    return None if none else f"a config session is there: {text[:120]}"


def _ours(reply: str, job: Job) -> bool:
    ours = re.search(rf"(?<![\w.-]){re.escape(job.user)}(?![\w.-])", reply)
    return bool(ours) and _session(reply) is not None


def _clear(job: Job) -> tuple[Command, ...]:
    """That of somebody else stays: the switch would clear it too."""

    def theirs(reply: str) -> str | None:
        return None if _ours(reply, job) else _session(reply)

    return (replace(_SESSION, check=theirs), _CLEAR)


def _still(reply: str, job: Job) -> str | None:
    return "our config session is still there" if _ours(reply, job) else None


def _whole(reply: str) -> str:
    """No last line is printed: that it is whole is known by the prompt that followed."""
    if not re.search(r"^interface ", reply, re.MULTILINE):
        msg = "the configuration has no line `interface …`"
        raise ReplyError(msg)
    return reply.rstrip("\n") + "\n"


def _identity(replies: tuple[str, ...]) -> Identity:
    version = re.search(r"^Software Version\s*:\s*(\S+)", replies[0], re.MULTILINE)
    model = re.search(r"^HwSKU\s*:\s*(\S+)", replies[0], re.MULTILINE)
    name = re.search(r"^\s*hostname (\S+)", replies[1], re.MULTILINE)
    if version is None or name is None:
        msg = "no `Software Version :` or no `hostname …` in what the switch says of itself"
        raise ReplyError(msg)
    return Identity(name[1], model[1] if model else None, version[1])


def _timeout(job: Job) -> int:
    return min(max(job.timer_s, _LEAST_S), _MOST_S)


def _before(job: Job) -> str:
    return f"config://{job.push_id}-before"
