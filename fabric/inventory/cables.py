"""The cable list as a spreadsheet exports it: who is cabled to whom, one row a cable."""

from __future__ import annotations

import csv
import difflib
import io
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fabric.files.reading import decode
from fabric.files.yaml import one_line
from fabric.model.finding import Finding, Location, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Headings by meaning. A meaning with two ends takes its first column for a, its second for b.
_HEADINGS = {
    "device": "device switch node host system source from source_device local_device a a_device "
    "device_a a_end local destination dest to destination_device remote_device b b_device "
    "device_b b_end remote target neighbor neighbour",
    "port": "port interface source_port local_port a_port port_a a_interface destination_port "
    "dest_port remote_port b_port port_b b_interface local_interface remote_interface "
    "source_interface destination_interface",
    "speed": "speed speed_gbps gbps rate",
    "length": "length length_m cable_length cable_length_m metres meters",
    "count": "count quantity qty number",
    "label": "label cable_label cable_id id tag",
    "rack": "rack source_rack destination_rack a_rack b_rack",
    "location": "location u unit position source_location destination_location",
    "type": "type cable cable_type part part_number",
    "": "slot row room colour color note notes comment comments remark site pod",
}
_MEANING = {word: meaning for meaning, words in _HEADINGS.items() for word in words.split()}
_PLAIN = ("device", "port", "device", "port")  # a file without headings
_PLACES = ("rack", "location")
_RULE = "RCE017"


@dataclass(frozen=True, slots=True)
class CableList:
    """What a CSV says. ``entries`` have the keys of an explicit topology's cable."""

    entries: tuple[dict[str, Any], ...] = ()
    rows: tuple[Location, ...] = ()  # of each entry
    problems: tuple[Finding, ...] = ()
    racks: tuple[tuple[str, str], ...] = ()  # device, rack
    locations: tuple[tuple[str, str], ...] = ()  # device, place in the rack


def read_cables(content: bytes, name: str, switches: Iterable[str]) -> CableList:
    """Read a cable list; every bad cell is a finding, no row is dropped without one.

    Columns are found by their headings (device, rack, port, device, rack, port, speed, length,
    count, label and what people call these), separated by comma, semicolon or tab. Without headings
    the file must be exactly ``device,port,device,port``. The two directions of one cable with
    ports may both be listed.

    Raises:
        InputError: not text.
    """
    text = decode(content, name)
    reader = _Reader(name, text, tuple(switches))
    try:
        reader.read()
    except csv.Error as error:
        reader.note(1, 1, f"{name} is not a CSV file: {error}")
    return CableList(
        tuple(reader.entries),
        tuple(reader.rows),
        tuple(reader.problems),
        reader.said("rack"),
        reader.said("location"),
    )


@dataclass
class _Reader:
    name: str
    text: str
    switches: tuple[str, ...]
    entries: list[dict[str, Any]] = field(default_factory=list)
    rows: list[Location] = field(default_factory=list)
    problems: list[Finding] = field(default_factory=list)
    columns: tuple[str, ...] = ()  # key of the entry by column, "" for what is not read
    headings: tuple[str, ...] = ()
    ports: dict[tuple[str, str], int] = field(default_factory=dict)  # row that took the port
    # By (rack or location, device): what a row said, and which.
    places: dict[tuple[str, str], tuple[str, int]] = field(default_factory=dict)
    ends: dict[frozenset[tuple[str, str]], tuple[str, int]] = field(default_factory=dict)

    def read(self) -> None:
        for line, cells in self._lines():
            if not self.columns:
                if self._headings(line, cells):
                    continue
                if not self.columns:
                    return
            self._row(line, cells)
        if not self.entries and not self.problems:
            self.note(1, 1, f"{self.name} lists no cable")

    def note(self, line: int, column: int, message: str, fix: str = "") -> None:
        location = Location(self.name, line, column)
        self.problems.append(
            Finding(_RULE, Severity.ERROR, self.name, one_line(message), fix=fix, location=location)
        )

    def _lines(self) -> Iterator[tuple[int, list[str]]]:
        first = self.text.lstrip().partition("\n")[0]
        delimiter = max(",;\t", key=first.count)
        reader = csv.reader(io.StringIO(self.text, newline=""), delimiter=delimiter, strict=True)
        for cells in reader:
            stripped = [cell.strip() for cell in cells]
            if any(stripped) and not stripped[0].startswith("#"):
                yield reader.line_num, stripped

    def _headings(self, line: int, cells: list[str]) -> bool:
        """Take the first row as headings if it is one; else assume the plain four columns."""
        meanings = [_MEANING.get(_word(cell)) for cell in cells]
        if "device" not in meanings:
            if len(cells) != len(_PLAIN):
                message = (
                    f"the first row of {self.name} has no headings that say which column is which"
                )
                self.note(line, 1, message, "head it device,port,device,port,speed,length,label")
            else:
                self.columns = ("a", "a_port", "b", "b_port")
                self.headings = _PLAIN
            return False
        keys = [self._key(meaning, meanings[:place]) for place, meaning in enumerate(meanings)]
        for cell, meaning in zip(cells, meanings, strict=True):
            if meaning is None and cell:
                self._unread(line, cell)
        if keys.count("b") != 1 or ("a_port" in keys and "b_port" not in keys):
            message = f"{self.name} needs two device columns, and no or two port columns"
            self.note(line, 1, message, "head it device,port,device,port,speed,length,label")
            return False
        self.columns, self.headings = tuple(keys), tuple(cells)
        return True

    def _unread(self, line: int, heading: str) -> None:
        message = f"the column {heading} of {self.name} is not read: its heading is not known"
        location = Location(self.name, line, 1)
        self.problems.append(
            Finding(_RULE, Severity.INFO, self.name, one_line(message), location=location)
        )

    @staticmethod
    def _key(meaning: str | None, before: list[str | None]) -> str:
        nth = before.count(meaning)
        if meaning == "device":
            return ("a", "b")[nth] if nth < 2 else ""  # noqa: PLR2004 - a cable has two ends
        if meaning == "port":
            return ("a_port", "b_port")[nth] if nth < 2 else ""  # noqa: PLR2004 - likewise
        if meaning in _PLACES:
            return f"{'ab'[nth]}_{meaning}" if nth < 2 else ""  # noqa: PLR2004 - likewise
        return meaning if meaning and nth == 0 else ""

    def _row(self, line: int, cells: list[str]) -> None:
        before = len(self._errors())
        entry: dict[str, Any] = {}
        for column, key in enumerate(self.columns):
            cell = cells[column] if column < len(cells) else ""
            if key:
                self._cell(entry, key, cell, line, column)
        for end in "ab":
            for what in _PLACES:
                self._place(what, entry.get(end), entry.pop(f"{end}_{what}", ""), line)
        taken = self._taken(entry, line)  # said of a row with other faults too
        if len(self._errors()) == before and not taken:
            self.entries.append(entry)
            self.rows.append(Location(self.name, line, 1))

    def _errors(self) -> list[Finding]:
        return [problem for problem in self.problems if problem.severity is Severity.ERROR]

    def _cell(self, entry: dict[str, Any], key: str, cell: str, line: int, column: int) -> None:
        match key:
            case "a" | "b":
                self._device(entry, key, cell, line, column)
            case "a_port" | "b_port":
                device = entry.get(key[0])
                if cell:
                    entry[key] = cell
                elif device in self.switches:
                    message = f"row {line}: the port of {device} is missing"
                    self.note(line, column + 1, message, "write it, or leave out both port columns")
            case "label" | "type" | "a_rack" | "b_rack" | "a_location" | "b_location":
                entry.update({key: cell} if cell else {})
            case _:
                if cell:
                    self._number(entry, key, cell, line, column)

    def _place(self, what: str, device: str | None, place: str, line: int) -> None:
        if device not in self.switches or not place:
            return
        first, row = self.places.setdefault((what, device), (place, line))
        if first != place:
            message = f"row {line}: {device} stands in {what} {place}, in row {row} in {first}"
            self.note(line, 1, message, f"a switch stands in one {what}")

    def said(self, what: str) -> tuple[tuple[str, str], ...]:
        """Device and place, of every device that a row places."""
        return tuple((name, place) for (k, name), (place, _) in self.places.items() if k == what)

    def _device(self, entry: dict[str, Any], key: str, cell: str, line: int, column: int) -> None:
        entry[key] = cell
        if not cell:
            message = f"row {line}: the device at one end is missing"
            self.note(line, column + 1, message, "name both ends")
        elif cell not in self.switches:
            close = difflib.get_close_matches(cell, self.switches, n=1, cutoff=0.6)
            fix = (
                f"did you mean {close[0]}?"
                if close
                else "add it to topology.switches; cables to hosts follow from hosts"
            )
            self.note(line, column + 1, f"row {line}: there is no switch {cell}", fix)

    def _number(self, entry: dict[str, Any], key: str, cell: str, line: int, column: int) -> None:
        unit = {"speed": r"g(?:b/?s|bps|be|e)?", "length": r"m(?:et(?:er|re)s?)?", "count": ""}[key]
        number = r"([0-9]{1,18}(?:\.[0-9]{1,18})?)"  # Python does not read thousands of digits
        match = re.fullmatch(rf"{number}\s*(?:{unit})?", cell, re.IGNORECASE)
        if match is None or (key != "length" and "." in match.group(1)):
            heading = self.headings[column]
            message = f"row {line}: {heading} is {cell[:40]!r}, not a number"
            self.note(line, column + 1, message, "write a number, or leave the cell empty")
            return
        text = match.group(1)
        entry[key] = float(text) if key == "length" else int(text)

    def _taken(self, entry: dict[str, Any], line: int) -> bool:
        """Whether the row says again what an earlier one said, or takes a port twice."""
        ends = [
            (entry[end], entry[f"{end}_port"])
            for end in "ab"
            if f"{end}_port" in entry and entry.get(end) in self.switches
        ]
        pair = frozenset(ends)
        if len(pair) == 2 and pair in self.ends and self.ends[pair][0] != entry["a"]:  # noqa: PLR2004 - two ends
            return True  # the other direction of the same cable
        clash = False
        for device, port in ends:
            first = self.ports.setdefault((device, port), line)
            if first != line:
                clash = True
                message = f"row {line}: {device} port {port} is already used in row {first}"
                self.note(line, 1, message, "one port, one cable")
        if not clash and len(pair) == 2:  # noqa: PLR2004 - two ends
            self.ends[pair] = (entry["a"], line)
        return clash


def _word(heading: str) -> str:
    """``Cable Length (m)`` → ``cable_length_m``."""
    return re.sub(r"[^a-z0-9]+", "_", heading.lower()).strip("_")
