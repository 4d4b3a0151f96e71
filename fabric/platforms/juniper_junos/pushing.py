"""How Junos is changed: an exclusive candidate, ``commit confirmed`` (timer class A).

The candidate is the active configuration; a file of ``delete`` and ``set`` lines takes only owned
statements into the target. ``commit check`` also confirms a pending commit (Junos CLI user guide,
*commit confirmed*), so it is said before ``commit confirmed`` alone, never while a timer runs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.changing.replies import Says
from fabric.model.push import (
    Ask,
    Command,
    Difference,
    Effect,
    Identity,
    PutFile,
    RenderedError,
    ReplyError,
    Step,
    TimerClass,
)
from fabric.platforms.juniper_junos.config import CONFIG_FILE
from fabric.platforms.juniper_junos.set_lines import (
    VERBS,
    merged,
    not_said,
    remediation,
    set_lines,
)
from fabric.platforms.juniper_junos.tree import BrokenTextError

if TYPE_CHECKING:
    from fabric.model.platform import PlatformSpec
    from fabric.model.push import Files, Job
    from fabric.model.push_spec import PushSpec

_LONG_S = 180.0
_ABSENT = "No such file"
_FOLDER = "/var/tmp/"  # noqa: S108 — on the switch: where Junos has its users put files
_ENTER, _LEAVE = "configure exclusive", "exit configuration-mode"
_LOCKED = r"(?i)locked by|modified|users currently editing"
_ACTIVE = Command("show configuration | display set | no-more", timeout_s=_LONG_S)
_PENDING = re.compile(r"^0\s.*commit confirmed, rollback in", re.MULTILINE)
_MINUTE = 60


def preview(_platform: PlatformSpec, push: PushSpec) -> Preview:
    """Reading Junos, and laying a candidate down."""
    return Preview(push.owned)


def commit(_platform: PlatformSpec, push: PushSpec) -> Commit:
    """Putting a candidate in force."""
    return Commit(push.owned)


@dataclass(frozen=True, slots=True)
class Preview:
    """See ``fabric.changing.procedure.Preview``. ``owned``: see ``set_lines``."""

    owned: tuple[str, ...]
    assumed = ()

    def identify(self) -> Ask[Identity]:
        """From ``show version``."""
        return Ask((Command("show version | no-more"),), _identity)

    def holder(self) -> Ask[str | None]:
        """An exclusive candidate can be had only when nobody edits and nothing is uncommitted."""
        asked = (
            Command(_ENTER, tolerates=(_LOCKED,)),
            Command(_LEAVE, tolerates=("(?i)unknown command|syntax error",)),
            Command("show system commit | no-more"),
        )
        return Ask(asked, _holder)

    def running(self) -> Ask[Files]:
        """The active configuration as ``set`` lines."""
        return Ask((_ACTIVE,), lambda replies: {CONFIG_FILE: _lines(replies[0])})

    def canonical(self, files: Files) -> str:
        """The ``set`` lines, without the version of the software that wrote them."""
        lines = _set_lines(files)
        return "".join(f"{line}\n" for line in lines if not line.startswith("set version "))

    def target(self, running: Files, rendered: Files) -> Files:
        """Lines of owned statements as rendered, all others as they are."""
        lost = not_said(rendered.get(CONFIG_FILE, ""))
        if lost:
            msg = f"`{' '.join(lost.split()[:2])} …` is a command, no statement of a configuration"
            raise RenderedError(msg)
        try:
            said = _set_lines(rendered)
        except ReplyError as error:
            raise RenderedError(str(error)) from None
        lines = merged(_set_lines(running), said, self.owned)
        return {CONFIG_FILE: "".join(f"{line}\n" for line in lines)}

    def differences(self, before: Files, after: Files) -> tuple[str, ...]:
        """Line by line; of lines in another order nothing is told."""
        old, new = (dict.fromkeys(_set_lines(files)) for files in (before, after))
        return (
            *(f"-{line}" for line in old if line not in new),
            *(f"+{line}" for line in new if line not in old),
        )

    def stage(self, job: Job) -> tuple[Step, ...]:
        """The file with what is to be loaded."""
        return (_put(job, self.owned),)

    def difference(self, job: Job) -> Ask[Difference]:
        """The candidate as the switch prints it, against the active configuration."""

        def read(replies: tuple[str, ...]) -> Difference:
            _, _, active, compared, shown, _, _ = replies
            candidate = {CONFIG_FILE: _lines(shown)}
            told = [line for line in compared.splitlines() if line.startswith(("+", "-"))]
            lines = self.differences({CONFIG_FILE: _lines(active)}, candidate) if told else ()
            return Difference(lines or tuple(told), candidate)

        return Ask(
            (
                Command(_ENTER),
                _load(job),
                Command("run show configuration | display set | no-more", timeout_s=_LONG_S),
                Command("show | compare | no-more", timeout_s=_LONG_S),
                Command("show | display set | no-more", timeout_s=_LONG_S),
                Command("rollback 0", timeout_s=_LONG_S),
                Command(_LEAVE),
            ),
            read,
        )

    def discard(self, job: Job) -> tuple[Step, ...]:
        """The file deleted, and an older push's checkpoint; the candidate went with its session."""
        return (
            _delete("remove the candidate file", f"{job.push_id}.set", f"{job.push_id}-before"),
        )


@dataclass(frozen=True, slots=True)
class Commit:
    """See ``fabric.changing.procedure.Commit``."""

    owned: tuple[str, ...]
    timer = TimerClass.CANDIDATE

    def way_back(self, job: Job) -> str:
        """The switch's own ``commit confirmed``."""
        minutes = _minutes(job.timer_s)
        return (
            f"Junos rolls the change back itself unless it is confirmed within {minutes} minutes "
            "(commit confirmed); what a restart does to the timer is not in a source read here"
        )

    def apply(self, job: Job) -> tuple[Step, ...]:
        """Checkpoint, file, and the commit for a time."""
        save = Command(
            f"show configuration | save {_FOLDER}{job.push_id}-before",
            timeout_s=_LONG_S,
            check=Says("Wrote "),
        )
        confirmed = f'commit confirmed {_minutes(job.timer_s)} comment "{job.push_id}"'
        return (
            Step("checkpoint", Effect.STAGES, (save,)),
            _put(job, self.owned),
            Step(
                "commit for a time",
                Effect.RUNS,
                (
                    Command(_ENTER),
                    _load(job),
                    Command("commit check", timeout_s=_LONG_S, check=_says("check succeeds")),
                    Command(confirmed, timeout_s=_LONG_S, check=_says("commit complete")),
                    Command(_LEAVE),
                ),
            ),
        )

    def confirm(self, job: Job) -> tuple[Step, ...]:
        """The commit that keeps it."""
        return (_committed("confirm", Effect.CONFIRMS, comment=job.push_id),)

    def save(self, job: Job) -> tuple[Step, ...]:
        """What is committed is what boots; proven by the list of commits. Our file goes.

        The checkpoint stays, since another device may make all go back.
        """
        proof = Command("show system commit | no-more", check=_kept)
        gone = _delete("remove our files", f"{job.push_id}.set")
        return (Step("read the commit back", Effect.SAVES, (proof,)), gone)

    def restore(
        self,
        job: Job,
        *,
        pending: bool,  # noqa: ARG002 — same way
        saving: bool,  # noqa: ARG002 — right either way
    ) -> tuple[Step, ...]:
        """The checkpoint loaded in place of all, and committed: that ends a timer too.

        Without a checkpoint nothing had been changed yet.
        """
        load = Command(
            f"load override {_FOLDER}{job.push_id}-before",
            timeout_s=_LONG_S,
            tolerates=(_ABSENT,),
            check=_says(f"load complete|{_ABSENT}"),
        )
        return (
            _committed("load the checkpoint", Effect.RUNS, load, comment=f"{job.push_id} back"),
            _delete("remove our files", f"{job.push_id}.set", f"{job.push_id}-before"),
        )

    def pending(self, job: Job) -> Ask[bool | None]:
        """Whether the newest commit is ours and waits to be confirmed."""

        def read(replies: tuple[str, ...]) -> bool:
            newest = re.split(r"^1\s", replies[0], maxsplit=1, flags=re.MULTILINE)[0]
            return bool(_PENDING.search(newest)) and job.push_id in newest

        return Ask((Command("show system commit | no-more"),), read)


def _set_lines(files: Files) -> tuple[str, ...]:
    try:
        return set_lines(files[CONFIG_FILE])
    except KeyError:
        msg = f"there is no {CONFIG_FILE}"
        raise ReplyError(msg) from None
    except BrokenTextError as error:
        msg = f"{CONFIG_FILE}: {error}"
        raise ReplyError(msg) from None


def _lines(reply: str) -> str:
    lines = [line.strip() for line in reply.splitlines() if line.strip().startswith(VERBS)]
    if not lines:
        msg = "the configuration has no `set` line"
        raise ReplyError(msg)
    return "".join(f"{line}\n" for line in lines)


def _identity(replies: tuple[str, ...]) -> Identity:
    found = {
        key: re.search(rf"^{word}:\s*(\S+)", replies[0], re.MULTILINE)
        for key, word in (("name", "Hostname"), ("model", "Model"), ("version", "Junos"))
    }
    missing = [key for key, match in found.items() if match is None]
    if missing:
        msg = f"show version has no {' and no '.join(missing)}"
        raise ReplyError(msg)
    name, model, version = (match[1] for match in found.values() if match)
    return Identity(name, model, version)


def _holder(replies: tuple[str, ...]) -> str | None:
    if re.search(_LOCKED, replies[0]):
        return " ".join(replies[0].split()).removeprefix("error: ")
    waits = _PENDING.search(replies[2])
    return f"a commit waits to be confirmed: {waits[0]}" if waits else None


def _minutes(seconds: int) -> int:
    return max(1, -(-seconds // _MINUTE))


def _says(words: str) -> Says:
    return Says(words, never=r"\(\d+ errors?\)")


def _kept(reply: str) -> str | None:
    waits = _PENDING.search(reply)
    return f"the commit still waits to be confirmed: {waits[0]}" if waits else None


def _put(job: Job, owned: tuple[str, ...]) -> Step:
    lines = remediation(_set_lines(job.before), _set_lines(job.target), owned)
    text = "".join(f"{line}\n" for line in lines)
    file = PutFile(f"{_FOLDER}{job.push_id}.set", text)
    return Step("copy the candidate over", Effect.STAGES, (file,))


def _load(job: Job) -> Command:
    return Command(
        f"load set {_FOLDER}{job.push_id}.set", timeout_s=_LONG_S, check=_says("load complete")
    )


def _committed(name: str, effect: Effect, *load: Command, comment: str) -> Step:
    done = Command(f'commit comment "{comment}"', timeout_s=_LONG_S, check=_says("commit complete"))
    return Step(name, effect, (Command(_ENTER), *load, done, Command(_LEAVE)))


def _delete(name: str, *files: str) -> Step:
    """A file that is not there is refused, which is as good."""
    return Step(
        name,
        Effect.STAGES,
        tuple(Command(f"file delete {_FOLDER}{file}", tolerates=(_ABSENT,)) for file in files),
    )
