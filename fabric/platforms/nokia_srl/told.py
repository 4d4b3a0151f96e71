"""What a push reads in the replies of SR Linux."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from fabric.changing.section_preview import text_of
from fabric.model.push import Identity, ReplyError
from fabric.platforms.nokia_srl.places import flat, parsed
from fabric.platforms.nokia_srl.set_lines import shown
from fabric.platforms.nokia_srl.tree import CONFIG_FILE, document, entries, word

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.model.push import Files
    from fabric.platforms.nokia_srl.tree import Tree


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


def commit_waits(reply: str) -> bool | None:
    """Whether a commit waits to be confirmed, by the state of all; ``None``: none is listed."""
    commits = list(entries(document(reply), "system", "configuration", "commit"))
    waits = [(word(one, "status") or "").rpartition(":")[2] == "unconfirmed" for one in commits]
    return any(waits) if waits else None
