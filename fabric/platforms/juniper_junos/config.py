"""The files of a switch as one tree, and which ports it has."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from fabric.model.names import natural_sorted
from fabric.platforms import ConfigError
from fabric.platforms.juniper_junos.tree import BrokenTextError, Tree, at, merged, tree_of, value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CONFIG_FILE = "junos.conf"
COS = "class-of-service"
PORT = re.compile(r"(?:et|xe|ge)-\d+/\d+/\d+(?::\d+)?")
_RANGE = re.compile(r"((?:et|xe|ge)-\d{1,3}/\d{1,3}/)(\d{1,4})")
_KNOWN = (
    "interfaces",
    COS,
    "protocols",
    "routing-options",
    "policy-options",
    "system",
    "chassis",
    "vlans",
)
_MOST_MEMBERS = 4096


def config_of(files: Mapping[str, str]) -> Tree:
    """The whole configuration.

    Raises:
        ConfigError: the file is missing, is no configuration of Junos, or its classes of service
            come from groups, which it does not show expanded.
    """
    if CONFIG_FILE not in files:
        msg = f"there is no {CONFIG_FILE}"
        raise ConfigError(msg)
    try:
        root = tree_of(files[CONFIG_FILE])
    except BrokenTextError as error:
        msg = f"{CONFIG_FILE}: {error}"
        raise ConfigError(msg) from error
    if "interfaces" not in root or not any(word in root for word in _KNOWN[1:]):
        msg = f"{CONFIG_FILE} is no config of Junos: it has no interfaces, or nothing else"
        raise ConfigError(msg)
    for name in at(root, "apply-groups"):
        if COS in at(root, "groups", name):
            msg = f"group {name} sets {COS}: give `show configuration | display inheritance`"
            raise ConfigError(msg)
    return root


def ports_of(config: Tree) -> Iterator[tuple[str, Tree]]:
    """The ports in natural order, each with its own statements and those of its ranges.

    A cage that is split is no port.
    """
    bound = at(config, COS, "interfaces")
    found: dict[str, Tree] = {name: {} for name in bound if PORT.fullmatch(name)}
    for body in at(config, "interfaces", "interface-range").values():
        inherited = {word: below for word, below in body.items() if not word.startswith("member")}
        for name in _members(body):
            found[name] = merged(found.get(name, {}), inherited)
    for name, own in at(config, "interfaces").items():
        if PORT.fullmatch(name):
            found[name] = merged(found.get(name, {}), own)
    for name in natural_sorted(found):
        if "number-of-sub-ports" not in found[name]:
            yield name, found[name]


def _members(body: Tree) -> Iterator[str]:
    yield from (name for name in at(body, "member") if PORT.fullmatch(name))
    for first, rest in at(body, "member-range").items():
        start, end = _RANGE.fullmatch(first), _RANGE.fullmatch(value(rest, "to") or "")
        if start and end and start[1] == end[1] and int(end[2]) - int(start[2]) < _MOST_MEMBERS:
            yield from (f"{start[1]}{n}" for n in range(int(start[2]), int(end[2]) + 1))


def cos_of(config: Tree, port: str) -> Tree:
    """What the port is bound to: its own entry, else the wildcard that names most of it."""
    entries = at(config, COS, "interfaces")
    if port in entries:
        return entries[port]
    fitting = [name for name in entries if "*" in name and fnmatchcase(port, name)]
    return entries[max(fitting, key=len)] if fitting else {}
