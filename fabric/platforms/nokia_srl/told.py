"""What a push reads in the replies of SR Linux."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.changing.section_preview import text_of
from fabric.model.push import Identity, ReplyError
from fabric.platforms.nokia_srl.places import flat, parsed
from fabric.platforms.nokia_srl.set_lines import shown
from fabric.platforms.nokia_srl.tree import CONFIG_FILE, below, document, entries, word

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.model.push import Files
    from fabric.platforms.nokia_srl.tree import Tree

# Words of `commit-status` in srl_nokia-configuration.yang v25.3.
_OVER = frozenset({"complete", "failed"})
_ON_TRIAL = frozenset({"unconfirmed", "reverting"})


def tree_of(files: Mapping[str, str]) -> Tree:
    """The configuration of a device's files.

    Raises:
        ReplyError: it is not there, or no JSON.
    """
    return parsed(text_of(files, CONFIG_FILE), CONFIG_FILE)


def files_of(tree: Tree) -> Files:
    """A configuration as a device's files."""
    return {CONFIG_FILE: json.dumps(tree, indent=2) + "\n"}


def leaves(tree: Tree) -> list[str]:
    """Every leaf on one line, with its place."""
    return [shown(*leaf) for leaf in flat(tree)]


def identity_of(reply: str, unsaved: str) -> Identity:
    """Of ``show version``; fact ``unsaved`` where the prompt after it is such as the pattern says.

    Raises:
        ReplyError: it lacks something.
    """
    found = {
        key: re.search(rf"^{key}\s*:\s*(\S.*?)\s*$", reply, re.MULTILINE)
        for key in ("Hostname", "Chassis Type", "Software Version")
    }
    missing = [key for key, match in found.items() if match is None]
    if missing:
        msg = f"show version has no {' and no '.join(missing)}"
        raise ReplyError(msg)
    name, model, version = (match[1] for match in found.values() if match)
    facts = (("unsaved", "yes"),) if re.search(unsaved, reply) else ()
    return Identity(name, model, version, facts)


@dataclass(frozen=True, slots=True)
class CommitState:
    """A commit, as the switch lists it. ``name``: of its candidate; empty: it does not say."""

    status: str
    name: str
    user: str

    @property
    def in_progress(self) -> bool:
        """Whether other commits are refused meanwhile."""
        return self.status not in _OVER

    @property
    def on_trial(self) -> bool:
        """Whether its timer runs, or has just run out."""
        return self.status in _ON_TRIAL

    def is_of(self, candidate: str) -> bool:
        """Whether it may be one of that candidate."""
        return not self.name or candidate in self.name


def commits_of(reply: str) -> tuple[CommitState, ...]:
    """The commits that the switch lists; that of the boot is one (containerlab waits for it)."""
    return tuple(
        CommitState(
            (word(one, "status") or "").rpartition(":")[2],
            word(one, "name") or "",
            word(one, "username") or "somebody",
        )
        for one in entries(document(reply), "system", "configuration", "commit")
    )


def holder_of(commits: str, sessions: str) -> str | None:
    """Who has a commit in progress, or a candidate for himself alone."""
    for commit in commits_of(commits):
        if commit.in_progress:
            what = "waits to be confirmed" if commit.status == "unconfirmed" else "is in progress"
            return f"a commit of {commit.user} {what}"
    for one in entries(document(sessions), "system", "configuration", "session"):
        if one.get("exclusive") is True:
            return f"{word(one, 'username') or 'somebody'} has an exclusive candidate"
    return None


def saves_itself(tree: Tree) -> bool:
    """Whether every commit is saved without being told so."""
    return below(tree, "system", "configuration").get("auto-save") is True
