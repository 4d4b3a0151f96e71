"""Which systems have a certain file in their folder of ``templates/``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.names import natural_sorted

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def folder_names(file: str, roots: Iterable[Path]) -> tuple[str, ...]:
    """Names of the folders below ``roots`` that hold ``file``, in natural order."""
    return tuple(
        natural_sorted(
            {
                folder.name
                for root in roots
                if root.is_dir()
                for folder in root.iterdir()
                if (folder / file).is_file()
            }
        )
    )
