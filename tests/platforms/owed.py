"""What a switch system still owes, in words: the list that its author works through."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.catalog.commands import FACTS, command_book, readable_names
from fabric.files.locate import templates_root

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.reading import CommandBook

ROOT = Path(__file__).resolve().parents[2]
ROOTS = (templates_root(),)
_MARK = "FILL-" + "IN"  # not whole, or this file would owe one


def owed(system: str, *, root: Path = ROOT) -> list[str]:
    """One sentence for each thing that is missing; empty: nothing."""
    return [
        *_marks(system, root),
        *_reading(system, root),
        *_pages(system, root),
    ]


def _folders(system: str, root: Path) -> tuple[Path, ...]:
    return (
        root / "templates" / system,
        root / "fabric/platforms" / system,
        root / "tests/platforms" / system,
    )


def _marks(system: str, root: Path) -> Iterator[str]:
    page = root / "docs/platforms" / f"{system}.md"
    files = [f for folder in _folders(system, root) for f in folder.rglob("*") if f.is_file()]
    for file in sorted([*files, *([page] if page.is_file() else [])]):
        if file.suffix == ".pyc":
            continue
        for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
            if _MARK in line:
                yield f"{file.relative_to(root)}:{number} is to be filled in: {line.strip():.60}"


def _reading(system: str, root: Path) -> Iterator[str]:
    roots = (root / "templates",)
    if system not in readable_names(roots):
        yield f"templates/{system}/commands.yaml is missing: nothing is read back"
        return
    book = command_book(system, roots)
    named = dict(book.facts)
    yield from (f"commands.yaml: fact {fact} has no source" for fact in FACTS if fact not in named)
    yield from _recordings(book, root / "tests/platforms" / system)


def _recordings(book: CommandBook, tests: Path) -> Iterator[str]:
    for command in book.commands:
        module, _, function = command.reader.partition(".")
        package = importlib.import_module(f"fabric.platforms.{book.platform}.readers.{module}")
        if not hasattr(package, function):
            yield f"commands.yaml: {command.slug}: there is no reader {command.reader}"
        if not list((tests / "recordings").glob(f"{command.slug}*.*")):
            yield f"{tests.name}/recordings: {command.slug} has no recording"
        if not list((tests / "expected").glob(f"{command.slug}*.json")):
            yield f"{tests.name}/expected: {command.slug} has no expected facts"


def _pages(system: str, root: Path) -> Iterator[str]:
    if not any((root / "tests/platforms" / system / "golden").rglob("*.*")):
        yield f"tests/platforms/{system}/golden is empty: no rendered text was read by anybody"
    if not (root / "docs/platforms" / f"{system}.md").is_file():
        yield f"docs/platforms/{system}.md is missing"
