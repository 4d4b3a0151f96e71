"""How SR Linux is changed: a private candidate, ``commit confirmed timeout`` (timer class A).

The candidate is filled with ``delete`` and ``set`` lines for owned subtrees alone; a commit puts
the net difference in force. It bears a name of its own, since an unnamed one that somebody left
behind would go on silently, and it stays open until the commit is confirmed or rejected
(napalm-srlinux, driver and docs/guide/commit-confirm).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from fabric.changing.replies import Says
from fabric.model.push import (
    Ask,
    Command,
    Difference,
    Effect,
    Identity,
    Lines,
    Step,
    TimerClass,
)
from fabric.platforms.nokia_srl.places import parsed
from fabric.platforms.nokia_srl.set_lines import Owned, merged, remediation
from fabric.platforms.nokia_srl.told import (
    commit_waits,
    files_of,
    identity_of,
    leaves,
    tree_of,
)

if TYPE_CHECKING:
    from fabric.model.platform import PlatformSpec
    from fabric.model.push import Files, Job
    from fabric.model.push_spec import PushSpec

_LONG_S = 180.0
_REVERT_S = 180.0
_ANY = (".",)
_TOOLS = "/tools system configuration"
_RUNNING = Command("info from running | as json", timeout_s=_LONG_S)
_COMMITS = Command("info from state system configuration commit * | as json")
_ROOT = Command("/")
_SAVED = "Saved current running configuration"
_UNSAVED = r"(?m)^--\{ \S*\+"  # in the prompt: what is in force differs from what boots


def preview(_platform: PlatformSpec, push: PushSpec) -> Preview:
    """Reading SR Linux, and looking at a candidate."""
    return Preview(push.owned)


def commit(_platform: PlatformSpec, push: PushSpec) -> Commit:
    """Putting a candidate in force."""
    return Commit(Preview(push.owned))


@dataclass(frozen=True, slots=True)
class Preview:
    """See ``fabric.changing.procedure.Preview``. ``owned``: places of subtrees, see ``Owned``."""

    owned: tuple[str, ...]
    assumed: ClassVar[tuple[tuple[str, str], ...]] = ()

    def identify(self) -> Ask[Identity]:
        """From ``show version``."""
        return Ask((Command("show version"),), lambda replies: identity_of(replies[0], _UNSAVED))

    def holder(self) -> Ask[str | None]:
        """A commit that waits to be confirmed; one an exclusive candidate is refused by itself."""

        def read(replies: tuple[str, ...]) -> str | None:
            return "a commit waits to be confirmed" if commit_waits(replies[0]) else None

        return Ask((_COMMITS,), read)

    def running(self) -> Ask[Files]:
        """The whole configuration in force as JSON."""
        return Ask((_RUNNING,), lambda replies: files_of(parsed(replies[0], _RUNNING.text)))

    def canonical(self, files: Files) -> str:
        """Every leaf with its place, sorted."""
        return "".join(f"{line}\n" for line in sorted(leaves(tree_of(files))))

    def target(self, running: Files, rendered: Files) -> Files:
        """Owned subtrees as rendered, all others as they are."""
        return files_of(merged(tree_of(running), tree_of(rendered), Owned(self.owned)))

    def differences(self, before: Files, after: Files) -> tuple[str, ...]:
        """Leaf by leaf with its place."""
        old, new = (dict.fromkeys(leaves(tree_of(files))) for files in (before, after))
        return (
            *(f"-{line}" for line in old if line not in new),
            *(f"+{line}" for line in new if line not in old),
        )

    def stage(self, job: Job) -> tuple[Step, ...]:  # noqa: ARG002 — see difference
        """Nothing: the candidate is filled, looked at and dropped in one go."""
        return ()

    def difference(self, job: Job) -> Ask[Difference]:
        """The candidate as the switch prints it, against what is in force."""
        fill = (*_entered(job), *(Command(line) for line in self.lines(job)))

        def read(replies: tuple[str, ...]) -> Difference:
            compared, printed = replies[len(fill) : len(fill) + 2]
            told = [line for line in compared.splitlines() if re.match(r"[+-](?!-\{)", line)]
            candidate = files_of(parsed(printed, "info"))
            lines = self.differences(job.before, candidate)
            return Difference(lines or tuple(told), candidate)

        look = (
            Command("diff", timeout_s=_LONG_S),
            Command("info | as json", timeout_s=_LONG_S),
            Command("discard now"),
        )
        return Ask((*fill, *look), read)

    def discard(self, job: Job) -> tuple[Step, ...]:
        """The candidate dropped, should a failure have left it behind; an older checkpoint too."""
        return (_dropped(job), _leftovers(job))

    def lines(self, job: Job) -> tuple[str, ...]:
        """What fills a candidate that is a copy of what is in force."""
        return remediation(tree_of(job.before), tree_of(job.target), Owned(self.owned))


@dataclass(frozen=True, slots=True)
class Commit:
    """See ``fabric.changing.procedure.Commit``."""

    preview: Preview
    timer = TimerClass.CANDIDATE

    def way_back(self, job: Job) -> str:
        """The switch's own timer, and what a save means for what had not been saved."""
        unsaved = "; what had not been saved before goes into it with a save"
        more = unsaved if job.identity.fact("unsaved") else ""
        return (
            f"SR Linux takes the change back itself unless it is confirmed within {job.timer_s} s, "
            "also when our session is lost (commit confirmed timeout); a restart before that boots "
            f"the old startup configuration{more}"
        )

    def apply(self, job: Job) -> tuple[Step, ...]:
        """A checkpoint in place of an older one; the candidate and its commit for a time."""
        keep = Command(
            f"{_TOOLS} generate-checkpoint name {job.push_id}",
            timeout_s=_LONG_S,
            check=Says("Generated checkpoint"),
        )
        timed = Command(
            f"commit confirmed timeout {job.timer_s}",
            timeout_s=_LONG_S,
            check=Says("(?i)commit confirmed"),
        )
        lines = Lines(self.preview.lines(job), timeout_s=_LONG_S)
        leave = Command("enter running", tolerates=_ANY)
        return (
            Step("checkpoint", Effect.STAGES, (_cleared(job), keep)),
            Step("commit for a time", Effect.RUNS, (*_entered(job), lines, timed, leave)),
        )

    def confirm(self, job: Job) -> tuple[Step, ...]:
        """The commit accepted, the candidate that it kept open dropped."""
        accept = Command(f"{_TOOLS} confirmed-accept", timeout_s=_LONG_S)
        return (Step("confirm", Effect.CONFIRMS, (accept,)), _dropped(job))

    def save(self, job: Job) -> tuple[Step, ...]:  # noqa: ARG002 — nothing of it is named
        """``save startup``; the prompt then no longer says that both differ.

        The checkpoint stays: another device may make all go back.
        """
        proof = Command("/", check=Says("", never=_UNSAVED))
        return (Step("save", Effect.SAVES, (_saved(), proof)),)

    def restore(
        self,
        job: Job,
        *,
        pending: bool,
        saving: bool,  # noqa: ARG002 — right either way
    ) -> tuple[Step, ...]:
        """A commit that waits rejected; then the checkpoint loaded, and without a timer saved.

        There is no checkpoint where nothing had been changed yet; then nothing is loaded. After a
        rejection it changes nothing more.
        """
        before = self.preview.canonical(job.before)

        def left(replies: tuple[str, ...]) -> str | None:
            found = files_of(parsed(replies[0], _RUNNING.text))
            return None if self.preview.canonical(found) == before else "not as before yet"

        reject = Command(f"{_TOOLS} confirmed-reject", timeout_s=_LONG_S, tolerates=_ANY)
        load = Command(f"load checkpoint name {job.push_id}", timeout_s=_LONG_S, tolerates=_ANY)
        done = Command("commit now", timeout_s=_LONG_S, tolerates=("(?i)no .*changes",))
        back = Ask((_RUNNING,), left)
        loaded = (*_entered(job), load, done)
        save = Step("save the old configuration", Effect.SAVES, (_saved(),))
        return (
            *((Step("reject the commit", Effect.RUNS, (reject,)),) if pending else ()),
            Step("load the checkpoint", Effect.RUNS, loaded, back, _REVERT_S),
            *(() if pending else (save,)),
            _dropped(job),
            _leftovers(job),
        )

    def pending(self, job: Job) -> Ask[bool | None]:  # noqa: ARG002 — there is one a switch
        """Whether a commit waits to be confirmed (one a switch); unknown where none is listed."""
        return Ask((_COMMITS,), lambda replies: commit_waits(replies[0]))


def _entered(job: Job) -> tuple[Command, ...]:
    """A fresh candidate of our name, at its root."""
    enter = Command(f"enter candidate private name {job.push_id}")
    return (enter, Command("discard now", tolerates=_ANY), enter, _ROOT)


def _dropped(job: Job) -> Step:
    enter = Command(f"enter candidate private name {job.push_id}", tolerates=_ANY)
    drop = (enter, Command("discard now", tolerates=_ANY))
    return Step("drop the candidate", Effect.STAGES, drop)


def _saved() -> Command:
    return Command("save startup", timeout_s=_LONG_S, check=Says(_SAVED))


def _cleared(job: Job) -> Command:
    """Clearing a checkpoint that is not there is refused, which is as good."""
    return Command(f"{_TOOLS} checkpoint {job.push_id} clear", tolerates=_ANY)


def _leftovers(job: Job) -> Step:
    return Step("remove our checkpoint", Effect.STAGES, (_cleared(job),))
