"""Reading a Cumulus switch, and laying a candidate down as a pending revision."""

from __future__ import annotations

import json
import re
from shlex import quote
from typing import TYPE_CHECKING, Any

from fabric.changing.login import ASSUMED, FACTS, facts_of, read_open
from fabric.changing.shell import folder_of, old_looks
from fabric.model.names import natural_key
from fabric.model.push import Ask, Command, Difference, Effect, Identity, ReplyError, Step
from fabric.platforms.cumulus_nvue.pushing.lines import changes, merged, places, replacing
from fabric.platforms.cumulus_nvue.tree import CONFIG_FILE, PORTS_FILE

if TYPE_CHECKING:
    from fabric.model.push import Files, Job

# NVUE takes seconds to answer, and minutes to load a whole switch.
NV_S, LOAD_S = 90.0, 300.0
REVISIONS = Command("nv config revision -o json", NV_S)
DETACH = Command("nv config detach >/dev/null 2>&1 || true", NV_S)
_HEADER = Command("nv config show | sed -n '1,/set:/p'", NV_S)
_VALUE = re.compile(r"^\s*(model|version):\s*(.+?)\s*$", re.MULTILINE)
_APPLIED = frozenset({"applied", "applied_and_saved"})
_CONFIRM = "confirm"
_UNSET, _SET = "unset.nv", "set.nv"


class NvuePreview:
    """See ``changing/procedure.py``."""

    assumed = (("revision", "REVISION"), *ASSUMED)

    def identify(self) -> Ask[Identity]:
        """Model and release as NVUE heads its configuration, and the revision to go back to."""
        return Ask((_HEADER, REVISIONS, *FACTS), _identity)

    def holder(self) -> Ask[str | None]:
        """Somebody's trial, somebody's pending lines, an open change of ours."""
        pending = Command("nv config diff", NV_S)
        return Ask((Command('ls "$HOME"'), REVISIONS, pending), _holder)

    def running(self) -> Ask[Files]:
        """All that is applied, as lines of ``nv set``."""
        return Ask((Command("nv config show -o commands", LOAD_S),), _running)

    def canonical(self, files: Files) -> str:
        """Each setting by itself, sorted."""
        found = sorted(" ".join(path) for path in places(_text(files)))
        return "".join(f"{line}\n" for line in found)

    def target(self, running: Files, rendered: Files) -> Files:
        """The applied lines with the plan's parts replaced, in one text: one revision has both.

        NVUE takes the split of a port and the settings of its children in one revision.
        """
        if CONFIG_FILE not in rendered:
            msg = f"the plan has no {CONFIG_FILE}"
            raise ReplyError(msg)
        return {CONFIG_FILE: merged(_text(running), _text(rendered))}

    def differences(self, before: Files, after: Files) -> tuple[str, ...]:
        """Setting by setting."""
        return changes(_text(before), _text(after))

    def stage(self, job: Job) -> tuple[Step, ...]:
        """Two patches into one pending revision: NVUE does not unset and set in a single one."""
        folder = folder_of(job)
        gone, come = replacing(_text(job.before), _text(job.target))
        texts = {name: text for name, text in ((_UNSET, gone), (_SET, come)) if text}
        patches = tuple(
            Command(f"nv config patch {quote(folder.file(name))}", LOAD_S) for name in texts
        )
        return (
            Step(
                "make a folder for the change", Effect.STAGES, (old_looks(job, ""), folder.make())
            ),
            Step("lay the new lines down", Effect.STAGES, folder.put(texts)),
            Step("make a pending revision of them", Effect.STAGES, (DETACH, *patches)),
        )

    def difference(self, job: Job) -> Ask[Difference]:
        """NVUE's own; it names a part that goes by its top alone, so ours is what counts.

        A pending revision that changes nothing, where something has to change, is an error.
        """
        lines = changes(_text(job.before), _text(job.target))

        def read(replies: tuple[str, ...]) -> Difference:
            if bool(replies[0].strip()) != bool(lines):
                msg = f"NVUE sees {'no' if lines else 'a'} change where the plan has {len(lines)}"
                raise ReplyError(msg)
            return Difference(lines)

        return Ask((Command("nv config diff", LOAD_S),), read)

    def discard(self, job: Job) -> tuple[Step, ...]:
        """The pending revision is detached, the folder goes."""
        actions = (DETACH, folder_of(job).remove(""))
        return (Step("drop the pending revision and the folder", Effect.STAGES, actions),)


def _text(files: Files) -> str:
    return "".join(files.get(name, "") for name in (PORTS_FILE, CONFIG_FILE))


def _identity(replies: tuple[str, ...]) -> Identity:
    found = dict(_VALUE.findall(replies[0]))
    version = found.get("version", "").rpartition(" ")[2]
    if not version:
        msg = f"`nv config show` names no release: {replies[0][:80]!r}"
        raise ReplyError(msg)
    hostname, facts = facts_of(replies[2:])
    revision = ("revision", applied_revision(replies[1]))
    return Identity(hostname, found.get("model"), version, (*facts, revision))


def revisions(reply: str) -> dict[str, str]:
    """State by revision.

    Raises:
        ReplyError: the reply is no such list.
    """
    try:
        data: Any = json.loads(reply)
        return {str(name): str(one.get("state", "")) for name, one in data.items()}
    except (ValueError, AttributeError) as error:
        msg = f"`nv config revision -o json` gave no revisions: {reply[:80]!r}"
        raise ReplyError(msg) from error


def applied_revision(reply: str) -> str:
    """The newest numbered revision that was applied: the one that is in force."""
    numbered = [n for n, state in revisions(reply).items() if n.isdecimal() and state in _APPLIED]
    if not numbered:
        msg = "no numbered revision is applied: there is nothing to go back to"
        raise ReplyError(msg)
    return max(numbered, key=natural_key)


def in_trial(reply: str) -> bool:
    """Whether a revision waits to be confirmed."""
    return _CONFIRM in revisions(reply).values()


def _holder(replies: tuple[str, ...]) -> str | None:
    opened, listed, pending = replies
    if in_trial(listed):
        return "a revision is applied for a time and waits to be confirmed (nv config revision)"
    if pending.strip():
        return "there are pending settings (nv config diff); `nv config detach` puts them aside"
    return read_open((opened,))


def _running(replies: tuple[str, ...]) -> dict[str, str]:
    text = f"{replies[0].rstrip()}\n"
    if not places(text):
        msg = "`nv config show -o commands` gave no settings"
        raise ReplyError(msg)
    return {CONFIG_FILE: text}
