"""Where things stand: the inventory's own lines, and the rows of the cable list behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.files.yaml import one_line, path_text
from fabric.model.finding import Finding, Location

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.files.yaml import Loaded, Path
    from fabric.model.finding import Problem


@dataclass(frozen=True)
class Places:
    """``rows[n]`` is the place of cable ``first_row + n`` of ``topology.cables`` in the CSV."""

    loaded: Loaded
    first_row: int = 0
    rows: tuple[Location, ...] = ()

    def locate(self, path: Path) -> Location:
        """File, line and column of a path, or of its nearest ancestor."""
        match path:
            case ("topology", "cables", int(number), *rest) if self._is_row(number):
                row = self.rows[number - self.first_row]
                return Location(row.file, row.line, row.column, path_text(tuple(rest)))
        return self.loaded.locate(path)

    def _is_row(self, number: int) -> bool:
        return self.first_row <= number < self.first_row + len(self.rows)


def as_findings(problems: Iterable[Problem], places: Places) -> tuple[Finding, ...]:
    """Problems by path → findings by file, line and column."""
    return tuple(
        Finding(
            problem.rule,
            problem.severity,
            problem.subject or path_text(problem.path),
            one_line(problem.message),
            fix=one_line(problem.fix),
            evidence=problem.evidence,
            location=places.locate(problem.path),
        )
        for problem in problems
    )
