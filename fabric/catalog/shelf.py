"""Which files there are: the shipped ones and a user's own, by kind and name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.catalog.errors import CatalogFileError, FieldProblem, unknown_name
from fabric.model.names import natural_sorted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SHIPPED = Path(__file__).resolve().parent
_FOLDERS = {
    "asic": "asics",
    "switch": "switches",
    "nic": "nics",
    "server": "servers",
    "cable": "cables",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of one item. ``shadows``: a shipped file has the same name."""

    kind: str
    name: str
    path: Path
    own: bool
    shadows: bool

    @property
    def file(self) -> str:
        """The path below the catalogue or the user's folder: ``switches/acme-s1.yaml``."""
        return f"{_FOLDERS[self.kind]}/{self.path.name}"

    def read(self) -> bytes:
        """The file's bytes.

        Raises:
            CatalogFileError: it cannot be read.
        """
        try:
            return self.path.read_bytes()
        except OSError as error:
            problem = FieldProblem("", f"it cannot be read: {error.strerror}")
            raise CatalogFileError(self.file, (problem,)) from error

    @property
    def note(self) -> str:
        """What a user's own file adds to the source of its figures."""
        if not self.own:
            return ""
        instead = ", in place of the shipped one" if self.shadows else ""
        return f" [own file {self.file}{instead}]"


def names(kind: str, extra_dirs: Iterable[Path] = ()) -> tuple[str, ...]:
    """Names of all items of a kind, shipped and own, in natural order."""
    found: set[str] = set()
    for folder in (*extra_dirs, _SHIPPED):
        found.update(_files(folder, kind))
    return tuple(natural_sorted(found))


def find(kind: str, name: str, extra_dirs: Iterable[Path] = ()) -> Entry:
    """The file of an item, own files first. Upper and lower case are the same.

    A switch may be named without its vendor (``sn3700``) where that is unambiguous.

    Raises:
        UnknownNameError: no file bears this name.
    """
    searched = tuple(extra_dirs)
    full = _full_name(kind, name.strip().lower(), searched)
    shipped = _files(_SHIPPED, kind).get(full)
    for folder in searched:
        own = _files(folder, kind).get(full)
        if own is not None:
            return Entry(kind, full, own, own=True, shadows=shipped is not None)
    if shipped is None:
        raise unknown_name(kind, name, names(kind, searched))
    return Entry(kind, full, shipped, own=False, shadows=False)


def _full_name(kind: str, name: str, extra_dirs: tuple[Path, ...]) -> str:
    if kind != "switch":
        return name
    known = names(kind, extra_dirs)
    full = [other for other in known if name and other.partition("-")[2] == name]
    return full[0] if name not in known and len(full) == 1 else name


def _files(folder: Path, kind: str) -> dict[str, Path]:
    return {path.stem.lower(): path for path in _yaml_files(folder / _FOLDERS[kind])}


def _yaml_files(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from sorted(folder.glob("*.yaml"))
