"""How OS10 is changed: computed lines in a transaction; no timer and no replacement of its own.

``start transaction`` has the lines go to a candidate, ``commit`` puts it in force as a whole,
``discard`` drops it (OS10 user guide; Dell KB 000120163). The candidate is that of a session. To go
back, the opposite lines are typed, and the result is compared with what was in force before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
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
from fabric.platforms.dell_os10.readers.version import version
from fabric.platforms.dell_os10.reading import CONFIG_FILE
from fabric.platforms.dell_os10.words import GRAMMAR, NAMED, SILENT, TYPING

if TYPE_CHECKING:
    from fabric.model.platform import PlatformSpec
    from fabric.model.push import Files, Job
    from fabric.model.push_spec import PushSpec

_LONG_S = 180.0
_ERROR = r"^\s*% ?Error"
_ANY = (".",)  # a line that has nothing to undo is refused, which is as good
_BEGIN = (Command("start transaction"), Command("configure terminal"))
_CANDIDATE = Command("show candidate-configuration", timeout_s=_LONG_S)
_COMMIT = (Command("end"), Command("commit", timeout_s=2 * _LONG_S))
_RUNNING = Command("show running-configuration", timeout_s=_LONG_S)
_STARTUP = Command("show startup-configuration", timeout_s=_LONG_S)
_BOOTS = "config://startup.xml"
_NO_FILE = r"(?i)no such file|not (found|exist)|does not exist"


def preview(_platform: PlatformSpec, push: PushSpec) -> Preview:
    """Reading OS10, and looking at a candidate."""
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
        """The lock can be had, and nobody's changes wait to be committed."""
        said = ("lock", "unlock", "show diff candidate-configuration running-configuration")
        asked = tuple(Command(one, timeout_s=_LONG_S, tolerates=(_ERROR,)) for one in said)
        return Ask(asked, _holder)

    def running(self) -> Ask[Files]:
        """``show running-configuration``."""
        return Ask((_RUNNING,), lambda replies: {CONFIG_FILE: _whole(replies[0])})

    def stage(self, job: Job) -> tuple[Step, ...]:  # noqa: ARG002 — see difference
        """Nothing: the candidate dies with its session."""
        return ()

    def difference(self, job: Job) -> Ask[Difference]:
        """The candidate as the switch prints it, against what is in force."""
        typed = tuple(Command(line) for line in self.lines(job.before, job.target))
        shown = len(_BEGIN) + len(typed) + 1

        def read(replies: tuple[str, ...]) -> Difference:
            candidate = {CONFIG_FILE: _configuration(replies[shown])}
            return Difference(self.differences(job.before, candidate), candidate)

        return Ask((*_BEGIN, *typed, Command("end"), _CANDIDATE, Command("discard")), read)

    def discard(self, job: Job) -> tuple[Step, ...]:
        """What waits in the candidate, should its session have left it; checkpoints of old too."""
        drop = Command("discard", tolerates=_ANY)
        return (Step("discard the candidate", Effect.STAGES, (drop,)), _leftovers(job))


@dataclass(frozen=True, slots=True)
class Commit:
    """See ``fabric.changing.procedure.Commit``."""

    preview: Preview
    timer = TimerClass.NONE

    def way_back(self, job: Job) -> str:
        """Nobody but us."""
        return (
            "no device-side timer: nobody undoes the change when this program is cut off; the old "
            f"configuration lies in config://{_before(job)}, and a restart boots the old startup "
            "configuration until the change is saved"
        )

    def apply(self, job: Job) -> tuple[Step, ...]:
        """Checkpoints in the config folder; then the transaction."""
        keep = (
            Command(f"copy {_BOOTS} config://{_kept(job)}", timeout_s=_LONG_S),
            Command(f"copy running-configuration config://{_before(job)}", timeout_s=_LONG_S),
        )
        lines = (Lines(self.preview.lines(job.before, job.target), timeout_s=_LONG_S),)
        return (
            Step("checkpoint", Effect.STAGES, keep),
            Step("commit the lines", Effect.RUNS, (*_BEGIN, *lines, *_COMMIT)),
        )

    def confirm(self, job: Job) -> tuple[Step, ...]:  # noqa: ARG002 — there is no timer
        """Nothing: there is no timer."""
        return ()

    def save(self, job: Job) -> tuple[Step, ...]:  # noqa: ARG002 — nothing of it is named
        """``copy running-configuration startup-configuration``, then both are compared.

        The checkpoints stay: another device may make all go back.
        """

        def left(replies: tuple[str, ...]) -> str | None:
            one, other = _whole(replies[0]), _configuration(replies[1])
            found = self.preview.differences({CONFIG_FILE: one}, {CONFIG_FILE: other})
            return unlike("startup and running configuration", found)

        save = Command("copy running-configuration startup-configuration", timeout_s=_LONG_S)
        proof = Ask((_RUNNING, _STARTUP), left)
        return (Step("save", Effect.SAVES, (save,), until=proof, until_s=_LONG_S),)

    def restore(
        self,
        job: Job,
        *,
        pending: bool,  # noqa: ARG002 — no timer
        saving: bool,
    ) -> tuple[Step, ...]:
        """The opposite lines in a transaction, until all is as before; then the startup file."""
        back = self.preview.lines(job.target, job.before)
        lines = tuple(Command(line, tolerates=_ANY) for line in back)

        def left(replies: tuple[str, ...]) -> str | None:
            found = self.preview.differences({CONFIG_FILE: _whole(replies[0])}, job.before)
            return unlike("what runs and what ran before", found)

        # The file is not there where an earlier restore used it up.
        boots = Command(
            f"copy config://{_kept(job)} {_BOOTS}", timeout_s=_LONG_S, tolerates=(_NO_FILE,)
        )
        return (
            Step("discard the candidate", Effect.STAGES, (Command("discard", tolerates=_ANY),)),
            Step(
                "type the old lines",
                Effect.RUNS,
                (*_BEGIN, *lines, *_COMMIT),
                until=Ask((_RUNNING,), left),
                until_s=_LONG_S,
            ),
            *((Step("startup file as before", Effect.SAVES, (boots,)),) if saving else ()),
            _leftovers(job),
        )

    def pending(self, job: Job) -> Ask[bool | None]:  # noqa: ARG002 — there is no timer
        """Never."""
        return Ask((), lambda _: False)


def _whole(reply: str) -> str:
    """OS10 prints no last line: that it is whole is known by the prompt that followed."""
    if not re.search(r"^! Version \S+", reply, re.MULTILINE):
        msg = "the configuration has no line `! Version …`"
        raise ReplyError(msg)
    return _configuration(reply)


def _configuration(reply: str) -> str:
    """Whether candidate and startup configuration begin with the version no source shows."""
    if not re.search(r"^interface ", reply, re.MULTILINE):
        msg = "the configuration has no line `interface …`"
        raise ReplyError(msg)
    return reply.rstrip("\n") + "\n"


def _identity(replies: tuple[str, ...]) -> Identity:
    facts = version(replies[0]).facts
    found, model = facts.get("version"), facts.get("model")
    name = re.search(r"^hostname (\S+)", replies[1], re.MULTILINE)
    if not isinstance(found, str) or name is None:
        msg = "no `OS Version:` or no `hostname …` in what the switch says of itself"
        raise ReplyError(msg)
    return Identity(name[1], model if isinstance(model, str) else None, found)


def _holder(replies: tuple[str, ...]) -> str | None:
    """A refusal that does not speak of a lock says nothing about one."""
    refused = re.search(_ERROR + r":?\s*(.*lock.*)", replies[0], re.MULTILINE | re.IGNORECASE)
    if refused:
        return refused[1]
    lines = [line for line in replies[2].splitlines() if line.strip(" !^")]
    waits = lines and not re.search(_ERROR, replies[2], re.MULTILINE)
    return f"changes wait to be committed: {lines[0].strip()}" if waits else None


def _before(job: Job) -> str:
    return f"{job.push_id}-before.cfg"


def _kept(job: Job) -> str:
    return f"{job.push_id}-startup.xml"


def _leftovers(job: Job) -> Step:
    gone = tuple(
        Command(f"delete config://{file}", tolerates=_ANY) for file in (_before(job), _kept(job))
    )
    return Step("remove our files", Effect.STAGES, gone)
