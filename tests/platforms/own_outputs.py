"""Own recordings of a system: ``<system>/recordings/<slug>.*`` with ``expected/<slug>.json``.

What is expected: ``facts``, and ``unparsed`` where lines are not understood.
"""

from __future__ import annotations

import importlib
import json
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from fabric.catalog.commands import FACTS, command_book
from fabric.files.locate import templates_root
from fabric.model.reading import Output, Reading
from fabric.text.output import read_output

if TYPE_CHECKING:
    from fabric.model.reading import CommandBook, CommandSpec

ROOTS = (templates_root(),)


class Outputs:
    def __init__(self, system: str) -> None:
        self.system = system
        self.folder = Path(__file__).parent / system

    @cached_property
    def book(self) -> CommandBook:
        return command_book(self.system, ROOTS)

    @cached_property
    def recordings(self) -> dict[str, str]:
        files = sorted((self.folder / "recordings").iterdir())
        return {file.stem: file.read_text() for file in files}

    @property
    def slugs(self) -> list[str]:
        return list(self.recordings)

    def command(self, slug: str) -> CommandSpec:
        spec = self.book.command(slug)
        assert spec, slug
        return spec

    def expected(self, slug: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / "expected" / f"{slug}.json").read_text())
        return found

    def read(self, slug: str, text: str | bytes) -> Output:
        raw = text.encode() if isinstance(text, str) else text
        return read_output(self.system, slug, raw, ROOTS)

    def facts(self, slug: str, text: str) -> dict[str, Any]:
        return dict(self.read(slug, text).facts)

    def recorded(self, slug: str) -> tuple[object, list[str]]:
        output = self.read(slug, self.recordings[slug])
        assert not output.error
        return output.facts, list(output.unparsed)

    def in_session(self, slug: str, prompt: str) -> Output:
        """The recording with prompts, echo, pager, carriage returns and bytes that are no UTF-8."""
        head, *rest = self.recordings[slug].rstrip("\n").split("\n")
        sent = self.command(slug).send
        lines = [f"{prompt}{sent}", head, *rest[:2], " ---- More ----", *rest[2:], prompt]
        return self.read(
            slug, "\r\n".join(lines).encode() + b"\r\n" + prompt.encode() + b"\xff\xfe"
        )

    def raw_reading(self, slug: str, text: str) -> object:
        module, _, function = self.command(slug).reader.partition(".")
        readers = importlib.import_module(f"fabric.platforms.{self.system}.readers.{module}")
        return getattr(readers, function)(text)

    def unsourced_facts(self) -> list[str]:
        """Facts of which the file does not say where they come from, or that they do not."""
        sources = dict(self.book.facts)
        return [
            name
            for name in FACTS
            if name not in sources
            or bool(sources[name].slugs) == bool(sources[name].not_available)
            or not all(self.book.command(slug) for slug in sources[name].slugs)
        ]

    def mutated(self) -> st.SearchStrategy[str]:
        """Recordings with lines dropped, doubled, cut, broken and changed."""
        return st.sampled_from(list(self.recordings.values())).flatmap(_mutated)


@st.composite
def _mutations(draw: st.DrawFn, text: str) -> str:
    lines = text.split("\n")
    for _ in range(draw(st.integers(0, 6))):
        place = draw(st.integers(0, max(0, len(lines) - 1)))
        line = lines[place] if lines else ""
        cut = draw(st.integers(0, len(line)))
        ways: tuple[list[str], ...] = ([], [line, line], [line[:cut]], [line[:cut], line[cut:]], [f"{line[:cut]}-{cut} "])
        lines[place : place + 1] = draw(st.sampled_from(ways))
    return "\n".join(lines)


def _mutated(text: str) -> st.SearchStrategy[str]:
    return _mutations(text)


def is_reading(value: object) -> bool:
    return isinstance(value, Reading)
