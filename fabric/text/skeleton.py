"""The files of a new switch system, to be filled in: three folders and a page of documentation."""

from __future__ import annotations

import re
from string import Template
from typing import TYPE_CHECKING

from fabric.files.locate import templates_root

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SOURCE = "_shared/new-platform"
_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_PLACES = {
    "templates": "templates/{name}",
    "fabric": "fabric/platforms/{name}",
    "tests": "tests/platforms/{name}",
    "docs": "docs/platforms",
}


class SystemNameError(ValueError):
    """The name cannot be that of a system."""


def skeleton(name: str) -> Iterator[tuple[str, str]]:
    """Path in a checkout and text of each file of system ``name``.

    Raises:
        SystemNameError: no word of lower-case letters, digits and single underscores.
    """
    if not _NAME.fullmatch(name):
        msg = f"{name!r} is no name of a system: lower-case letters, digits, single underscores"
        raise SystemNameError(msg)
    root = templates_root() / _SOURCE
    for file in sorted(path for path in root.rglob("*.txt") if path.is_file()):
        room, *rest = file.relative_to(root).parts
        path = "/".join(rest).removesuffix(".txt").replace("page.md", f"{name}.md")
        text = Template(file.read_text(encoding="utf-8")).substitute(name=name)
        yield f"{_PLACES[room].format(name=name)}/{path}", text


def existing(name: str, checkout: Path) -> tuple[str, ...]:
    """Files of that system that are there already."""
    return tuple(path for path, _ in skeleton(name) if (checkout / path).exists())
