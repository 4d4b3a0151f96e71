"""What can go wrong with a catalogue: a name that it lacks, a file that breaks the schema."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_NEAREST = 3
_ALIKE = 0.6  # of difflib's ratio


class UnknownNameError(LookupError):
    """No entry of that kind has this name. ``nearest`` holds the likely ones, best first."""

    def __init__(self, kind: str, name: str, nearest: Iterable[str], known: Iterable[str]) -> None:
        self.kind = kind
        self.name = name
        self.nearest = tuple(nearest)
        self.known = tuple(known)
        super().__init__(f"unknown {kind} {name!r}{self._hint()}")

    def _hint(self) -> str:
        if self.nearest:
            return f": did you mean {' or '.join(self.nearest)}?"
        if self.known:
            return f": known are {', '.join(self.known)}"
        return ": none is known"


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """What is wrong with one field; ``field`` like ``cages[0].lanes``, empty for the file."""

    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else self.message


class CatalogFileError(ValueError):
    """A hardware file or manifest breaks its schema; carries every problem that was found.

    ``file`` is the path below its folder (``switches/acme-s1.yaml``), free of absolute paths.
    """

    def __init__(self, file: str, problems: Iterable[FieldProblem]) -> None:
        self.file = file
        self.problems = tuple(problems)
        super().__init__("\n".join(f"{file}: {problem}" for problem in self.problems))


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UnknownNameError:
    """The error for ``name``, with the likeliest of ``known``, by full name or without vendor."""
    names = tuple(known)
    folded = name.lower()
    forms = {other.partition("-")[2] or other: other for other in names}
    forms |= {other: other for other in names}
    close = difflib.get_close_matches(folded, forms, n=2 * _NEAREST, cutoff=_ALIKE)
    meant = [other for other in names if folded and other.partition("-")[2] == folded]
    holding = [other for other in names if folded and folded in other]
    likely = (*meant, *(forms[form] for form in close), *holding)
    nearest = tuple(dict.fromkeys(likely))[:_NEAREST]
    return UnknownNameError(kind, name, nearest, names)
