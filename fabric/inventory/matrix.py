"""A traffic matrix from a file: who sends how much to whom, or every problem at once."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fabric.files.reading import read_input
from fabric.files.yaml_build import one_line
from fabric.inventory.matrix_names import NicNames, UnknownNicError
from fabric.inventory.matrix_rows import FROM, PHASE, TO, Rows, csv_rows, finding, json_rows
from fabric.model.finding import InputError, Location
from fabric.model.traffic import TrafficMatrix, TrafficPhase

if TYPE_CHECKING:
    from fabric.model.topology import Topology

MOST_BYTES = 200_000_000
MOST_JSON_BYTES = 20_000_000  # each place of a fault in it costs a walk through the text
MOST_PAIRS = 2_000_000  # as many as a workload's alltoall may have
MOST_PHASES = 64  # each is a linear program
LEAST, MOST = 1e-9, 1e18  # an amount in any unit; sums and ratios of these are numbers
_MOST_FINDINGS = 20
_LONGEST = 60  # characters of a cell that a message shows
_FORM = "docs/bandwidth.md says what stands in it: from,to,gbps and a row for each pair"


def read_matrix(path: str | Path, topology: Topology) -> TrafficMatrix:
    """The matrix of a file: JSON where its name ends so, else CSV.

    Raises:
        InputError: every problem, each with its place; of a great many the first ones.
    """
    name, is_json = str(path), Path(path).suffix.lower() == ".json"
    most = MOST_JSON_BYTES if is_json else MOST_BYTES
    smaller = "write it as CSV" if is_json else "leave out pairs that send nothing, or some phases"
    content = read_input(Path(path), name, fix=_FORM, most=most, smaller=smaller)
    reader = _Reader((json_rows if is_json else csv_rows)(content, name), NicNames.of(topology))
    return reader.read()


@dataclass
class _Phase:
    """A matrix while it is read. ``seen``: row of each pair."""

    source: array[int] = field(default_factory=lambda: array("q"))
    target: array[int] = field(default_factory=lambda: array("q"))
    amount: array[float] = field(default_factory=lambda: array("d"))
    seen: dict[int, int] = field(default_factory=dict)


class _FullError(Exception):
    """Enough problems have been told."""


class _Reader:
    def __init__(self, rows: Rows, names: NicNames) -> None:
        self._rows, self._names = rows, names
        self._phases: dict[str, _Phase] = {}
        self._told: list[tuple[str, str, Location]] = []
        self._count = 0
        self._unknown: set[str] = set()  # told once each, wherever they stand

    def read(self) -> TrafficMatrix:
        """All rows, or all problems.

        Raises:
            InputError: there are some.
        """
        try:
            for number, cells in self._rows.each:
                self._row(number, cells)
            self._whole()
        except _FullError:
            place = Location(self._rows.name, 1, 1)
            more = (
                f"the first {_MOST_FINDINGS} problems of {self._rows.name}; the rest was not read"
            )
            self._told.append((more, "", place))
        except InputError as error:
            raise InputError((*self._findings(), *error.findings)) from None
        if self._told:
            raise InputError(self._findings())
        phases = tuple(
            TrafficPhase(name, one.source, one.target, one.amount)
            for name, one in self._phases.items()
        )
        return TrafficMatrix(self._rows.name, self._rows.unit, self._names.nics, phases)

    def _findings(self) -> tuple[Any, ...]:
        return tuple(finding(one_line(m), one_line(fix), place) for m, fix, place in self._told)

    def _say(self, number: int, column: str, message: str, fix: str) -> None:
        rows = self._rows
        self._told.append((f"{rows.word(number)}: {message}", fix, rows.place(number, column)))
        if len(self._told) >= _MOST_FINDINGS:
            raise _FullError

    def _row(self, number: int, cells: dict[str, Any] | str) -> None:
        if isinstance(cells, str):
            self._say(number, FROM, cells, "write the row as the others")
            return
        before = len(self._told)
        amount = self._amount(number, cells[self._rows.unit])
        phase = self._phase(number, cells)
        pairs = self._pairs(number, cells)
        if len(self._told) > before or phase is None:
            return
        for source, target in pairs:
            first = phase.seen.setdefault(source * len(self._names.nics) + target, number)
            if first != number:
                ends = f"{self._names.nics[source]} to {self._names.nics[target]}"
                fix = "one row a pair: add the amounts up, or leave one out"
                said = f"{ends} stands in {self._rows.word(first)} already"
                self._say(number, FROM, said, fix)
                return
            phase.source.append(source)
            phase.target.append(target)
            phase.amount.append(amount / len(pairs))

    def _amount(self, number: int, cell: object) -> float:
        """The number of a cell; 0 with a problem."""
        unit, value = self._rows.unit, math.nan
        try:
            if isinstance(cell, int | float | str) and not isinstance(cell, bool):
                value = math.nan if isinstance(cell, str) and "_" in cell else float(cell)
        except (ValueError, OverflowError):
            pass
        if value == 0 or LEAST <= value <= MOST:
            return value
        shown = repr(cell)[:_LONGEST]
        message = f"{unit} is {shown}, expected 0, or a number from {LEAST:g} to {MOST:g}"
        self._say(number, unit, message, "leave out pairs that send nothing")
        return 0.0

    def _phase(self, number: int, cells: dict[str, Any]) -> _Phase | None:
        name = cells[PHASE] if self._rows.phased else ""
        if self._rows.phased and (not isinstance(name, str) or not name):
            self._say(number, PHASE, f"phase is {name!r}, expected a name", "name it")
            return None
        if name not in self._phases:
            if len(self._phases) == MOST_PHASES:
                message = f"more than {MOST_PHASES} phases"
                self._say(number, PHASE, message, "a phase is a matrix of its own: name few")
                raise _FullError
            self._phases[name] = _Phase()
        return self._phases[name]

    def _pairs(self, number: int, cells: dict[str, Any]) -> list[tuple[int, int]]:
        """Who sends to whom; none with a problem."""
        good = True
        for column in (FROM, TO):
            good &= self._known(number, column, cells[column])
        if not good:
            return []
        try:
            pairs = self._names.pairs(cells[FROM], cells[TO])
        except UnknownNicError as error:
            self._say(number, FROM, str(error), error.fix)
            return []
        if any(source == target for source, target in pairs):
            message = f"{cells[FROM]} sends to itself"
            self._say(number, TO, message, "name another receiver, or leave the row out")
        self._count += len(pairs)
        if self._count > MOST_PAIRS:
            message = f"more than {MOST_PAIRS:,} pairs of NICs"
            self._say(number, FROM, message, "leave out pairs that send nothing, or some phases")
            raise _FullError
        return pairs

    def _known(self, number: int, column: str, name: object) -> bool:
        if not isinstance(name, str) or not name:
            message = f"{column} is {name!r}, expected a host or a NIC"
            self._say(number, column, message, "write gpu-1 or gpu-1/rdma0")
            return False
        if name in self._unknown:
            return False
        try:
            self._names.numbers(name)
        except UnknownNicError as error:
            self._unknown.add(name)
            self._say(number, column, str(error), error.fix)
            return False
        return True

    def _whole(self) -> None:
        """What can be said at the end."""
        if self._told:
            return
        place = Location(self._rows.name, 1, 1)
        if not self._phases:
            message = f"{self._rows.name} has no row: nobody sends anything"
            self._told.append((message, _FORM, place))
        for name, phase in self._phases.items():
            if not any(phase.amount):
                which = f"phase {name}" if name else self._rows.name
                self._told.append((f"{which} sends nothing: all amounts are 0", _FORM, place))
