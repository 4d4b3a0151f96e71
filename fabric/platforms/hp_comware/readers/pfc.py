"""``display priority-flow-control interface``: columns differ between releases.

Read in H3C's command references of the S6550X-HI (R1116), S9825 and S9855 (R913x), and in an older
form without the two rates. The form of the S6805 to S9850 (R671x), with words for "configured" and
"negotiated" in its header, is known by its legend alone: nothing is read from it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.numbers import whole
from fabric.reading.tables import is_rule

if TYPE_CHECKING:
    from fabric.model.reading import Json

_FIRST = ("interface", "adminmode", "opermode", "dot1plist")
_COUNTED = ("prio", "recv", "send")
_MODES = {"enabled", "disabled", "auto"}
_LIST = re.compile(r"[0-7](?:[-,][0-7])*")


@dataclass(slots=True)
class _Port:
    admin: str
    oper: str
    lossless: list[Json] | None = None
    rx: dict[str, Json] = field(default_factory=dict)
    tx: dict[str, Json] = field(default_factory=dict)

    def count(self, cells: list[str], columns: int) -> bool:
        """What follows the modes: perhaps the list, perhaps a priority with its counters."""
        counts = cells[-columns:] if len(cells) >= columns else []
        listed = cells[: len(cells) - len(counts)]
        numbers = [whole(cell) for cell in counts]
        if None in numbers or len(listed) > 1 or not all(map(_LIST.fullmatch, listed)):
            return False
        if listed:
            self.lossless = _priorities(listed[0])
        if numbers:
            self.rx[str(numbers[0])], self.tx[str(numbers[0])] = numbers[1], numbers[2]
        return True

    def facts(self) -> dict[str, Json]:
        found: dict[str, Json] = {"admin": self.admin, "oper": self.oper}
        if self.lossless is not None:
            found["lossless"] = self.lossless
        return found | ({"rx": self.rx, "tx": self.tx} if self.rx else {})


def interface(text: str) -> Reading:
    """``pfc``: modes, the priorities of the list, frames received and sent by priority."""
    lines = [line for line in text.split("\n") if line.strip()]
    place = next((n for n, line in enumerate(lines) if _first_words(line)), None)
    if place is None:
        return Reading()
    columns, rest = _columns(lines, place)
    if tuple(columns[: len(_COUNTED)]) != _COUNTED:
        return Reading(unparsed=tuple(line.strip() for line in lines))
    ports: dict[str, _Port] = {}
    left = [line.strip() for line in lines[:place]]
    port: _Port | None = None
    for cells in _unbroken(rest, len(columns)):
        counts = cells
        if len(cells) > 2 and {cells[1].lower(), cells[2].lower()} <= _MODES:  # noqa: PLR2004
            port = ports[cells[0]] = _Port(cells[1], cells[2])
            counts = cells[3:]
        if port is None or not port.count(counts, len(columns)):
            left.append(" ".join(cells))
    return Reading({"pfc": {name: port.facts() for name, port in ports.items()}}, tuple(left))


def _first_words(line: str) -> bool:
    return tuple(line.lower().split()[: len(_FIRST)]) == _FIRST


def _columns(lines: list[str], place: int) -> tuple[list[str], list[str]]:
    """Header words from the priority on, and the lines below: a header breaks at 80 columns."""
    words = lines[place].lower().split()
    rest = lines[place + 1 :]
    while rest and not is_rule(rest[0]) and all(word.isalpha() for word in rest[0].split()):
        words += rest.pop(0).lower().split()
    return words[len(_FIRST) :], rest


def _unbroken(lines: list[str], columns: int) -> list[list[str]]:
    """Rows as cells; one that broke at the terminal's width is joined."""
    rows: list[list[str]] = []
    wanted: tuple[int, ...] = ()  # how many numbers the row above may still lack
    for line in lines:
        if is_rule(line):
            continue
        cells = line.split()
        numbers = sum(cell.isdecimal() for cell in cells)
        if numbers == len(cells) and numbers in wanted:
            rows[-1] += cells
            wanted = ()
            continue
        rows.append(cells)
        short = 1 < numbers < columns
        wanted = (columns - numbers, columns + 1 - numbers) if short else ()
    return rows


def _priorities(text: str) -> list[Json]:
    found: set[int] = set()
    for part in text.split(","):
        low, _, high = part.partition("-")
        found |= set(range(int(low), int(high[-1:] or low) + 1))
    priorities: list[Json] = []
    priorities.extend(sorted(found))
    return priorities
