"""How SR Linux is changed: a private candidate, ``commit confirmed timeout`` (timer class A).

The candidate is filled with ``delete`` and ``set`` lines for owned subtrees alone; a commit puts
the net difference in force. It bears a name of its own, since an unnamed one that somebody left
behind would go on silently, and it stays open until the commit is confirmed or rejected
(napalm-srlinux, driver and docs/guide/commit-confirm). While a commit waits, all others are refused
(srlinuxamericas/ac4-grpc, gnmi/README).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
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
    commits_of,
    files_of,
    holder_of,
    identity_of,
    leaves,
    saves_itself,
    tree_of,
)
from fabric.platforms.nokia_srl.tree import CONFIG_FILE
from fabric.platforms.nokia_srl.typed import (
    ANY,
    CANDIDATE,
    COMMITS,
    LONG_S,
    REVERT_S,
    RUNNING,
    SESSIONS,
    TOOLS,
    cleared,
    dropped,
    ended,
    enter,
    fresh,
    leftovers,
    saved,
)

if TYPE_CHECKING:
    from fabric.model.platform import PlatformSpec
    from fabric.model.push import Files, Job
    from fabric.model.push_spec import PushSpec

# In the prompt: what is in force differs from what boots. A new switch says `[FACTORY] +`.
_UNSAVED = r"(?m)^--\{ (\[[^\]]*\] )*\S*\+"


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
        """A commit that is not over, or an exclusive candidate."""
        return Ask((COMMITS, SESSIONS), lambda replies: holder_of(*replies))

    def running(self) -> Ask[Files]:
        """The whole configuration in force as JSON."""
        return Ask((RUNNING,), lambda replies: files_of(parsed(replies[0], RUNNING.text)))

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
        fill = (*fresh(job), *(Command(line) for line in self.lines(job)))

        def read(replies: tuple[str, ...]) -> Difference:
            compared, printed = replies[len(fill) : len(fill) + 2]
            told = [line for line in compared.splitlines() if re.match(r"[+-](?!-\{)", line)]
            candidate = files_of(parsed(printed, CANDIDATE.text))
            lines = self.differences(job.before, candidate)
            return Difference(lines or tuple(told), candidate)

        look = (
            Command("diff", timeout_s=LONG_S),
            CANDIDATE,
            Command("discard now"),
        )
        return Ask((*fill, *look), read)

    def discard(self, job: Job) -> tuple[Step, ...]:
        """The candidate dropped, should a failure have left it behind; an older checkpoint too."""
        return (dropped(job), leftovers(job))

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
        boots = f"boots the old startup configuration{more}"
        if saves_itself(tree_of(job.before)):
            boots = "may boot the new configuration (auto-save is on)"
        return (
            f"SR Linux takes the change back itself unless it is confirmed within {job.timer_s} s, "
            "also when our session is lost (commit confirmed timeout); a restart before that "
            f"{boots}"
        )

    def apply(self, job: Job) -> tuple[Step, ...]:
        """A checkpoint in place of an older one, the candidate, its commit for a time."""
        keep = Command(
            f"{TOOLS} generate-checkpoint name {job.push_id}",
            timeout_s=LONG_S,
            check=Says("Generated checkpoint"),
        )
        timed = Command(
            f"commit confirmed timeout {job.timer_s}",
            timeout_s=LONG_S,
            check=Says("(?m)^Commit confirmed"),
        )
        lines = Lines(self.preview.lines(job), timeout_s=LONG_S)
        leave = Command("enter running", tolerates=ANY)
        return (
            Step("checkpoint", Effect.STAGES, (cleared(job), keep)),
            Step("fill the candidate", Effect.STAGES, (*fresh(job), lines)),
            Step("commit for a time", Effect.RUNS, (enter(job), timed, leave)),
        )

    def confirm(self, job: Job) -> tuple[Step, ...]:
        """The commit accepted, the candidate that it kept open dropped."""
        accept = Command(f"{TOOLS} confirmed-accept", timeout_s=LONG_S)
        return (Step("confirm", Effect.CONFIRMS, (accept,), ended(job), REVERT_S), dropped(job))

    def save(self, job: Job) -> tuple[Step, ...]:  # noqa: ARG002 — nothing of it is named
        """``save startup``; the prompt then no longer says that both differ.

        The checkpoint stays: another device may make all go back.
        """
        proof = Command("/", check=Says("", never=_UNSAVED))
        return (Step("save", Effect.SAVES, (saved(), proof)),)

    def restore(self, job: Job, *, pending: bool, saving: bool) -> tuple[Step, ...]:
        """A commit that waits rejected; then the checkpoint loaded, looked at and committed.

        There is no checkpoint where nothing had been changed yet; then nothing is loaded. After a
        rejection it changes nothing more. What would not be the old configuration is not committed.
        """
        back = Ask((RUNNING,), lambda replies: self._unlike(job, replies[0]))
        reject = Command(f"{TOOLS} confirmed-reject", timeout_s=LONG_S, tolerates=ANY)
        rejected = Step("reject the commit", Effect.RUNS, (reject,), ended(job), REVERT_S)
        load = Command(f"load checkpoint name {job.push_id}", timeout_s=LONG_S, tolerates=ANY)
        look = replace(CANDIDATE, check=lambda reply: self._unlike(job, reply))
        done = Command("commit now", timeout_s=LONG_S, tolerates=("(?i)no .*changes",))
        loaded = (*fresh(job), load, look, done)
        save = Step("save the old configuration", Effect.SAVES, (saved(),))
        boots_other = saving or saves_itself(tree_of(job.before))
        return (
            *((rejected,) if pending else ()),
            Step("load the checkpoint", Effect.RUNS, loaded, back, REVERT_S),
            *((save,) if boots_other else ()),
            dropped(job),
            leftovers(job),
        )

    def _unlike(self, job: Job, reply: str) -> str | None:
        """That a configuration is not the one of before; ``None``: it is."""
        found = self.preview.canonical(files_of(parsed(reply, CONFIG_FILE)))
        same = found == self.preview.canonical(job.before)
        return None if same else "it is not the configuration of before"

    def pending(self, job: Job) -> Ask[bool | None]:
        """Whether a commit of our candidate is on trial; unknown where none at all is listed."""

        def read(replies: tuple[str, ...]) -> bool | None:
            commits = commits_of(replies[0])
            return (
                any(one.on_trial and one.is_of(job.push_id) for one in commits) if commits else None
            )

        return Ask((COMMITS,), read)
