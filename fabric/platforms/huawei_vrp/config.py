"""VRP's configuration as a tree of lines, what ``undo`` takes back left out; its Ethernet ports."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.model.names import natural_sorted
from fabric.platforms import ConfigError
from fabric.reading.sections import Line, indented

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

CONFIG_FILE = "vrp.cfg"

_PORT = re.compile(r"(\d+)GE\d+/\d+/\d+(?::\d+)?")
_SPLIT = re.compile(r"dimension interface (.+?) split-type \d+\*(\d+)GE")
_SPAN = re.compile(r"(\d+)(?: to (\d+))?")
# Sections that a later one of the same name goes on with, by the words that they begin with.
_SECTIONS = ("interface ", "dcb pfc", "diffserv domain ", "drop-profile ", "load-balance ecmp")


@dataclass(frozen=True)
class PortLines:
    """An Ethernet port and the lines in force below it."""

    name: str
    lines: tuple[str, ...]
    speed_gbps: int

    def has(self, text: str) -> bool:
        """Whether this very line holds."""
        return text in self.lines

    @property
    def is_routed(self) -> bool:
        """Whether it was taken out of layer 2, in which every port begins."""
        return "undo portswitch" in self.lines

    @property
    def trusts_dscp(self) -> bool:
        """A routed port does by itself; one in layer 2 must be told."""
        return self.is_routed or self.has("trust dscp")

    def last(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The last line of that form."""
        return next((m for text in reversed(self.lines) if (m := pattern.fullmatch(text))), None)

    def all(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Every line of that form."""
        return (m for text in self.lines if (m := pattern.fullmatch(text)))


def config_of(files: Mapping[str, str]) -> Line:
    """The whole configuration as one section.

    Raises:
        ConfigError: the file is missing, is indented like no config, or has no interface.
    """
    if CONFIG_FILE not in files:
        msg = f"there is no {CONFIG_FILE}"
        raise ConfigError(msg)
    text = files[CONFIG_FILE]
    first = next((n for n in text.splitlines() if n.strip() and n.strip()[0] not in "#!"), "")
    if first.startswith(" "):
        msg = f"{CONFIG_FILE} is no config of VRP: it begins with {first.strip()!r:.60}, indented"
        raise ConfigError(msg)
    tree = whole(indented(text))
    if not any(tree.all("interface")):
        msg = f"{CONFIG_FILE} is no config of VRP: it has no interface"
        raise ConfigError(msg)
    return tree


def whole(tree: Line) -> Line:
    """The tree with sections of one name put together and without what ``undo`` takes back."""
    found: dict[str, Line] = {}
    for number, line in enumerate(tree.below):
        key = line.text if line.text.startswith(_SECTIONS) else f"{number} {line.text}"
        before = found.get(key)
        below = line.below if before is None else (*before.below, *line.below)
        found[key] = Line(line.text, line.number, below)
    lines = (Line(line.text, line.number, _in_force(line.below)) for line in found.values())
    return Line("", 0, _in_force(tuple(lines)))


def _in_force(lines: Iterable[Line]) -> tuple[Line, ...]:
    left: list[Line] = []
    for line in lines:
        word, _, rest = line.text.partition(" ")
        if word == "undo":
            left = [x for x in left if x.text != rest and not x.text.startswith(f"{rest} ")]
        else:
            left = [x for x in left if x.text != f"undo {line.text}"]
        left.append(line)
    return tuple(left)


def ports(config: Line) -> list[PortLines]:
    """The Ethernet ports in natural order."""
    split = _split_speeds(config)
    found = {}
    for name, line in config.all("interface"):
        match = _PORT.fullmatch(name.replace(" ", ""))
        if match:
            texts = tuple(x.text for x in line.below)
            speed = split.get(match[0].partition(":")[0], int(match[1]))
            if "speed 40000" in texts:
                speed = 40
            found[match[0]] = PortLines(match[0], texts, speed)
    return [found[name] for name in natural_sorted(found)]


def _split_speeds(config: Line) -> dict[str, int]:
    """Speed of the parts, by the port that is split; a run of ports counts up in its number."""
    speeds: dict[str, int] = {}
    for rest, _ in config.all("port split"):
        match = _SPLIT.fullmatch(rest)
        for first, last in re.findall(r"(\S+)(?: to (\S+))?", match[1]) if match else ():
            base, _, low = first.rpartition("/")
            high = (last or first).rpartition("/")[2]
            if match and low.isdecimal() and high.isdecimal():
                speeds |= {f"{base}/{n}": int(match[2]) for n in range(int(low), int(high) + 1)}
    return speeds


def numbers(text: str, below: int, line: str) -> list[int]:
    """``0 to 2 6`` as numbers.

    Raises:
        ConfigError: something else, or a number from ``below`` on.
    """
    found: list[int] = []
    at = 0
    for match in _SPAN.finditer(text):
        low, high = int(match[1]), int(match[2] or match[1])
        if text[at : match.start()].strip() or high >= below or low > high:
            break
        at = match.end()
        found.extend(range(low, high + 1))
    if text[at:].strip():
        msg = f"{CONFIG_FILE}: {text[at:].strip()!r} in {line!r:.60} is no number below {below}"
        raise ConfigError(msg)
    return found
