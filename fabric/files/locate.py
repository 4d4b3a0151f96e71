"""Where the templates and example inventories lie: in the wheel, or in the checkout."""

from __future__ import annotations

from pathlib import Path


class DataMissingError(RuntimeError):
    """The installation lacks its data folders."""


def _root(folder: str) -> Path:
    package = Path(__file__).resolve().parent.parent
    # An editable install and a checkout have no packaged copy.
    for candidate in (package / "_data" / folder, package.parent / folder):
        if candidate.is_dir():
            return candidate
    msg = f"this installation has no {folder} folder; install roce-fabric again"
    raise DataMissingError(msg)


def templates_root() -> Path:
    """Folder with one sub-folder per system.

    Raises:
        DataMissingError: the installation is incomplete.
    """
    return _root("templates")


def inventories_root() -> Path:
    """Folder with the shipped example inventories.

    Raises:
        DataMissingError: the installation is incomplete.
    """
    return _root("inventories")


def is_packaged(path: Path) -> bool:
    """Whether ``path`` lies inside the installed package, where nothing may be written."""
    return Path(__file__).resolve().parent.parent in path.resolve().parents
