"""The prompt of a device: a pattern around the first characters of its hostname.

A prefix, since many systems cut the name in configuration mode; several names, since a pushed
configuration may rename the device under our hands.
"""

from __future__ import annotations

import re
from functools import lru_cache

NAME = "{name}"
_PREFIX = 12  # characters; the shortest known cut leaves 20 (Cisco IOS, configuration mode)
_ANY = r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)"
# How the systems set their name: hostname X; set system host-name X; sysname X; nv set system
# hostname X; set / system name host-name X.
_RENAMES = re.compile(r"^(?!\s*(?:no|undo|delete)\b).*\b(?:host-?name|sysname)\s+[\"']?([\w.-]+)")


class Prompt:
    """What the last line of a reply looks like; ``names``: the hostnames it may begin with."""

    def __init__(self, pattern: str, names: tuple[str, ...] = ()) -> None:
        self._pattern = pattern
        self._names = names
        self._any = _compiled(pattern, (), _ANY)
        self._known = _compiled(pattern, names, "")

    def name_in(self, line: str) -> str | None:
        """The hostname in a line that can be a prompt of this kind, whatever the name."""
        found = self._any.fullmatch(line)
        if found is None:
            return None
        return found.groupdict().get("name") or ""

    def matches(self, line: str) -> bool:
        """Whether a line is the prompt of this device."""
        return self._known.fullmatch(line) is not None

    def learn(self, name: str) -> None:
        """Accept this hostname too."""
        if name and name not in self._names:
            self._names = (*self._names, name)
            self._known = _compiled(self._pattern, self._names, "")

    def learn_from(self, line: str) -> None:
        """Accept the hostname that a line of configuration sets."""
        if "name" in line and (found := _RENAMES.match(line)):
            self.learn(found[1])

    @property
    def names(self) -> tuple[str, ...]:
        """All hostnames that are accepted."""
        return self._names

    def __str__(self) -> str:
        """For messages: a prompt of leaf-01."""
        return f"a prompt of {' or '.join(self._names) or 'any name'}"


@lru_cache(maxsize=1024)
def _compiled(pattern: str, names: tuple[str, ...], name: str) -> re.Pattern[str]:
    if names:
        short = dict.fromkeys(name[:_PREFIX] for name in names)
        name = f"(?:{'|'.join(re.escape(each) for each in short)})"
    first, found, rest = pattern.partition(NAME)
    if found:
        pattern = first + name + rest.replace(NAME, "")
    return re.compile(pattern)
