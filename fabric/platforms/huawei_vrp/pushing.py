"""How VRP on CloudEngine is changed: two-stage, ``commit trial … persist`` (timer class A).

With a persist id the trial outlives the session that began it and is confirmed from any other
(CE6800/CE8800 V300R023C00 command reference, *commit*); what becomes of a trial without one when
its session dies is not written there, so it is never used. The candidate is loaded from a file
that holds the merged configuration, and lives in one session alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.changing.replies import Says, unlike
from fabric.changing.section_preview import STARTUP, SectionPreview, startup_as, text_of
from fabric.changing.sections import Grammar, differences
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
from fabric.platforms.huawei_vrp.config import CONFIG_FILE

if TYPE_CHECKING:
    from fabric.model.platform import PlatformSpec
    from fabric.model.push import Files, Job
    from fabric.model.push_spec import PushSpec

_LONG_S = 180.0
_LEAST_S, _MOST_S = 60, 65535  # of `commit trial`
_YES = ((r"\[Y/N\]", "y"), (r"\[Y\(yes\)/N\(no\)(/C\(cancel\))?\]", "y"))
_ERROR = "^Error"
_ABSENT = "(?i)not exist|no such"
_CURRENT = Command("display current-configuration", timeout_s=_LONG_S)
_SAVED = Command("display saved-configuration", timeout_s=_LONG_S)
_BOOTS = Command("display saved-configuration", timeout_s=_LONG_S, tolerates=(".",))
_COPIED = Says("(?i)done")  # "Copied file … to …...Done.", "Copying file … to …... Done."
_STARTUP = re.compile(
    r"^\s*Next startup saved-configuration file\s*:?\s*(?:flash:/?)?(\S+)", re.MULTILINE
)
_HEADER = r"^header (?:login|shell) information (?P<end>[^\w\s])(?!.*(?P=end)\s*$)"
GRAMMAR = Grammar(
    comments=("#", "!"),
    literals=((_HEADER, ""),),
    last="return",
    implied=r"^interface \S+ > undo shutdown$",  # ports that are up say nothing
)


def preview(_platform: PlatformSpec, push: PushSpec) -> Preview:
    """Reading VRP, and laying a candidate down."""
    return Preview(push.owned)


def commit(_platform: PlatformSpec, _push: PushSpec) -> Commit:
    """Putting a candidate in force."""
    return Commit()


@dataclass(frozen=True, slots=True)
class Preview(SectionPreview):
    """See ``fabric.changing.procedure.Preview``."""

    file = CONFIG_FILE
    grammar = GRAMMAR
    assumed = (("startup", "flash:/vrpcfg.zip"),)

    def identify(self) -> Ask[Identity]:
        """Version and model, the name, and the file that it boots from (fact ``startup``)."""
        name = Command("display current-configuration | include sysname")
        return Ask((Command("display version"), name, Command("display startup")), _identity)

    def holder(self) -> Ask[str | None]:
        """The lock can be had, and no trial runs."""
        asked = (
            Command("configuration exclusive", tolerates=(_ERROR,), answers=_YES),
            Command("undo configuration exclusive", tolerates=(_ERROR,), answers=_YES),
            Command("system-view"),
            Command("display configuration trial status", tolerates=(_ERROR,)),
            Command("return"),
        )
        return Ask(asked, _holder)

    def running(self) -> Ask[Files]:
        """``display current-configuration``, and what it boots from, whatever that is."""
        return Ask((_CURRENT, _BOOTS), lambda r: {CONFIG_FILE: _whole(r[0]), STARTUP: r[1]})

    def stage(self, job: Job) -> tuple[Step, ...]:
        """The file; the candidate itself dies with its session."""
        return (_put(job),)

    def difference(self, job: Job) -> Ask[Difference]:
        """What the switch says that the candidate changes, against the whole that it would be."""

        def read(replies: tuple[str, ...]) -> Difference:
            changes, candidate = replies[2], {CONFIG_FILE: replies[3]}
            told = [line for line in changes.splitlines() if line.lstrip().startswith(("+", "-"))]
            lines = self.differences(job.before, candidate) if told else ()
            return Difference(lines or tuple(told), candidate)

        return Ask(
            (
                Command("system-view"),
                _load(job),
                Command("display configuration candidate changes", timeout_s=_LONG_S),
                Command("display configuration candidate merge", timeout_s=_LONG_S),
                Command("clear configuration candidate", answers=_YES, timeout_s=_LONG_S),
                Command("return"),
            ),
            read,
        )

    def discard(self, job: Job) -> tuple[Step, ...]:
        """All files deleted; a startup file that an older push kept too."""
        return (_delete("remove our files", *_files(job)),)


@dataclass(frozen=True, slots=True)
class Commit:
    """See ``fabric.changing.procedure.Commit``."""

    timer = TimerClass.CANDIDATE

    def way_back(self, job: Job) -> str:
        """The switch's own trial."""
        return (
            f"VRP rolls the trial back itself unless it is confirmed within {_trial(job)} s, also "
            "when our session is lost (commit trial … persist); a restart boots the saved file"
        )

    def apply(self, job: Job) -> tuple[Step, ...]:
        """Checkpoints, the file, and the trial."""
        before = Command(f"save {_before(job)}", answers=_YES, timeout_s=_LONG_S)
        startup = Command(
            f"copy {job.identity.fact('startup')} {_kept(job)}",
            answers=_YES,
            timeout_s=_LONG_S,
            check=_COPIED,
        )
        trial = Command(
            f"commit trial {_trial(job)} persist {job.push_id}", answers=_YES, timeout_s=_LONG_S
        )
        return (
            Step("checkpoint", Effect.STAGES, (startup, before)),
            _put(job),
            Step(
                "commit on trial",
                Effect.RUNS,
                (Command("system-view"), _load(job), trial, Command("return")),
            ),
        )

    def confirm(self, job: Job) -> tuple[Step, ...]:
        """The trial kept."""
        keep = Command(f"commit persist {job.push_id}", answers=_YES, timeout_s=_LONG_S)
        return (Step("confirm", Effect.CONFIRMS, _in_system_view(keep)),)

    def save(self, job: Job) -> tuple[Step, ...]:
        """``save``; what is saved is then compared with what is in force."""

        def left(replies: tuple[str, ...]) -> str | None:
            current, saved = (_whole(reply) for reply in replies)
            return unlike("saved and in force", differences(current, saved, GRAMMAR))

        save = Command("save", answers=_YES, timeout_s=_LONG_S)
        proof = Ask((_CURRENT, _SAVED), left)
        return (
            Step("save", Effect.SAVES, (save,), until=proof, until_s=_LONG_S),
            _delete("remove our files", f"flash:/{_candidate(job)}", _before(job)),
        )

    def restore(self, job: Job, *, pending: bool, saving: bool) -> tuple[Step, ...]:
        """The trial aborted, or the checkpoint rolled back to; after a save the startup file.

        The old startup file is kept on flash also when a push has ended well, since another device
        may make all go back. An earlier restore may have used it up, so what counts is that it
        reads as before.
        """
        file = PutFile(_before(job).removeprefix("flash:"), text_of(job.before, CONFIG_FILE))
        abort = Command(f"abort trial persist {job.push_id}", answers=_YES, timeout_s=_LONG_S)
        back = Command(
            f"rollback configuration to file {_before(job)}", answers=_YES, timeout_s=_LONG_S
        )
        startup = Command(
            f"copy {_kept(job)} {job.identity.fact('startup')}",
            answers=_YES,
            timeout_s=_LONG_S,
            tolerates=(_ABSENT,),
        )
        proof = Ask((_BOOTS,), startup_as(job.before, GRAMMAR))
        boots = Step("startup file as before", Effect.SAVES, (startup,), proof, _LONG_S)
        return (
            Step("abort the trial", Effect.RUNS, _in_system_view(abort))
            if pending
            else Step("roll back to the checkpoint", Effect.RUNS, (file, back)),
            *((boots,) if saving else ()),
            _delete("remove our files", *_files(job)),
        )

    def pending(self, job: Job) -> Ask[bool | None]:
        """Whether the trial with our id runs."""
        asked = (
            Command("system-view"),
            Command("display configuration trial status", tolerates=(_ERROR,)),
            Command("return"),
        )
        ours = re.compile(rf"(?<!\S){re.escape(job.push_id)}(?!\S)")
        return Ask(asked, lambda r: _on_trial(r[1]) and ours.search(r[1]) is not None)


def _whole(reply: str) -> str:
    if not re.search(r"^return\s*\Z", reply.rstrip(), re.MULTILINE):
        msg = "the configuration does not end with `return`: it was cut off"
        raise ReplyError(msg)
    return reply.rstrip("\n") + "\n"


def _identity(replies: tuple[str, ...]) -> Identity:
    version = re.search(r"Version \S+ \(.*?(V\d+R\d+\w*)\)", replies[0])
    model = re.search(r"^HUAWEI (\S+) uptime", replies[0], re.MULTILINE)
    name = re.search(r"^\s*sysname (\S+)", replies[1], re.MULTILINE)
    startup = _STARTUP.search(replies[2])
    found = {"version": version, "model": model, "sysname": name, "startup file": startup}
    missing = [what for what, match in found.items() if match is None]
    if version is None or model is None or name is None or startup is None:
        msg = f"no {' and no '.join(missing)} in what the switch says of itself"
        raise ReplyError(msg)
    return Identity(name[1], model[1], version[1], (("startup", f"flash:/{startup[1]}"),))


def _holder(replies: tuple[str, ...]) -> str | None:
    refused = re.search(_ERROR + r":?\s*(.+)", replies[0], re.MULTILINE)
    if refused:
        return refused[1]
    trial = " ".join(replies[3].split())
    return f"a trial commit runs: {trial[:120]}" if _on_trial(trial) else None


def _on_trial(reply: str) -> bool:
    """Whether any trial runs; also one that is being taken back.

    INACTIVE, ACTIVE, CANCELING, WAITCANCEL are all values there are (command reference, *display
    configuration trial status*).
    """
    status = re.search(r"(?i)\btrial status\s*:\s*(INACTIVE|ACTIVE|CANCELING|WAITCANCEL)\b", reply)
    if status is not None:
        return status[1].upper() != "INACTIVE"
    if re.search(r"(?i)^\s*(info|error): (there is )?no trial configuration\.?\s*$", reply):
        return False
    msg = f"whether a trial runs is not said: {' '.join(reply.split())[:80]!r}"
    raise ReplyError(msg)


def _trial(job: Job) -> int:
    return min(max(job.timer_s, _LEAST_S), _MOST_S)


def _candidate(job: Job) -> str:
    return f"{job.push_id}.cfg"


def _before(job: Job) -> str:
    return f"flash:/{job.push_id}-before.cfg"


def _kept(job: Job) -> str:
    return f"flash:/{job.push_id}-startup{_ending(job)}"


def _ending(job: Job) -> str:
    startup = job.identity.fact("startup")
    return startup[startup.rindex(".") :] if "." in startup else ""


def _put(job: Job) -> Step:
    file = PutFile(f"/{_candidate(job)}", text_of(job.target, CONFIG_FILE))
    return Step("copy the candidate over", Effect.STAGES, (file,))


def _load(job: Job) -> Command:
    return Command(
        f"load configuration file flash:/{_candidate(job)} replace",
        answers=_YES,
        timeout_s=_LONG_S,
    )


def _in_system_view(*commands: Command) -> tuple[Command, ...]:
    return (Command("system-view"), *commands, Command("return"))


def _files(job: Job) -> tuple[str, ...]:
    """The candidate and both checkpoints."""
    return (f"flash:/{_candidate(job)}", _before(job), _kept(job))


def _delete(name: str, *files: str) -> Step:
    """A file that is not there is refused, which is as good."""
    gone = tuple(
        Command(f"delete /unreserved {file}", answers=_YES, tolerates=(_ERROR,)) for file in files
    )
    return Step(name, Effect.STAGES, gone)
