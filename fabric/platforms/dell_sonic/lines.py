"""``sonic-cli``'s text as a tree of lines, and the objects that its ports name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.platforms import ConfigError
from fabric.reading.sections import Line, indented

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CONFIG_FILE = "sonic-cli.cfg"

_SPAN = re.compile(r"([0-9]+)(?:-([0-9]+))?")
_PORT = re.compile(r"Eth(?:ernet)?[0-9]+(?:/[0-9]+){0,2}(?:\.[0-9]+)?")
_SEVERAL = re.compile(r"interface range ")


def config_of(files: Mapping[str, str]) -> Line:
    """The whole config as one section.

    Raises:
        ConfigError: the file is missing, or it is no config of ``sonic-cli``.
    """
    if CONFIG_FILE not in files:
        msg = f"there is no {CONFIG_FILE}"
        raise ConfigError(msg)
    root = indented(files[CONFIG_FILE], ("!",))
    for line in root.below:
        if _SEVERAL.match(line.text):
            raise _error(line, "names several ports; the switch prints one section each")
    if not ports(root):
        msg = f"{CONFIG_FILE} is no config of Enterprise SONiC: it has no interface Eth…"
        raise ConfigError(msg)
    return root


def ports(config: Line) -> dict[str, tuple[Line, ...]]:
    """Lines in force of each Ethernet port. A section that comes again goes on where it ended."""
    found = {name: rows for name, rows in named(config, "interface").items() if is_port(name)}
    return {name: in_force(rows) for name, rows in found.items()}


def is_port(name: str) -> bool:
    """Whether an interface is an Ethernet port, in any of the naming modes."""
    return _PORT.fullmatch(name) is not None


def named(config: Line, word: str) -> dict[str, tuple[Line, ...]]:
    """Sections by name, ``Eth 1/1`` and ``Eth1/1`` being one; those of one name put together."""
    found: dict[str, tuple[Line, ...]] = {}
    for rest, section in config.all(word):
        name = re.sub(r"(?<=[a-z]) (?=\d)", "", rest)
        found[name] = (*found.get(name, ()), *section.below)
    return found


def in_force(lines: Iterable[Line]) -> tuple[Line, ...]:
    """The lines of a section without those that a later ``no …`` takes back, and without these."""
    left: list[Line] = []
    for line in lines:
        word, _, rest = line.text.partition(" ")
        if word == "no":
            left = [x for x in left if x.text != rest and not x.text.startswith(f"{rest} ")]
        else:
            left.append(line)
    return tuple(left)


def last(lines: Iterable[Line], pattern: re.Pattern[str]) -> re.Match[str] | None:
    """The last line that has this form."""
    found = [match for line in lines if (match := pattern.fullmatch(line.text))]
    return found[-1] if found else None


def numbers(text: str, below: int, line: Line) -> list[int]:
    """``0-3,5`` as numbers.

    Raises:
        ConfigError: something else, or a number from ``below`` on.
    """
    found: list[int] = []
    for part in text.split(","):
        span = _SPAN.fullmatch(part.strip())
        low, high = (int(span[1]), int(span[2] or span[1])) if span else (0, below)
        if high >= below or low > high:
            raise _error(line, f"{part!r} is no number or range below {below}")
        found.extend(range(low, high + 1))
    return found


def _error(line: Line, what: str) -> ConfigError:
    return ConfigError(f"line {line.number} of {CONFIG_FILE}: {line.text!r:.60} {what}")
