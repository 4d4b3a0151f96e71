"""What is in an open room: names without importing, one module when it is used."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType


class UnknownEntryError(LookupError):
    """No entry of that name in the room."""

    def __init__(self, room: str, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"{room} has no {name!r}; it has {', '.join(known) or 'nothing'}")
        self.room, self.name, self.known = room, name, known


def entry_names(room: str) -> tuple[str, ...]:
    """Names of the entries of a room (a package such as ``fabric.topologies``), sorted.

    An entry is a module or package whose name does not start with ``_``. The room's package is
    imported, its entries are not.

    Raises:
        ValueError: two entries of one name (two folders on the package's path).
    """
    package = importlib.import_module(room)
    names = [
        info.name
        for folder in package.__path__  # all at once, iter_modules would hide doubles
        for info in pkgutil.iter_modules([folder])
        if not info.name.startswith("_")
    ]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        msg = f"{room}: {', '.join(twice)} exists twice"
        raise ValueError(msg)
    return tuple(sorted(names))


def entry(room: str, name: str) -> ModuleType:
    """Import one entry of a room.

    Raises:
        UnknownEntryError: the room has no entry of that name.
    """
    known = entry_names(room)
    if name not in known:
        raise UnknownEntryError(room, name, known)
    return importlib.import_module(f"{room}.{name}")
