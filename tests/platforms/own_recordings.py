"""Our own recordings of each system, and what every reader owes whatever it is given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from fabric.catalog.commands import command_book
from fabric.files.locate import templates_root
from fabric.model.reading import Reading
from fabric.reading.clean import cleaned, decoded
from fabric.text.output import _reading, read_output
from tests.conformance.compare import differences

if TYPE_CHECKING:
    from fabric.model.reading import CommandBook

ROOTS = (templates_root(),)
_HERE = Path(__file__).parent


def book(platform: str) -> CommandBook:
    return command_book(platform, ROOTS)


def recordings(platform: str) -> list[Path]:
    """``recordings/<slug>.txt|json``, a second one of a slug as ``<slug>@<what>.txt``."""
    return sorted((_HERE / platform / "recordings").iterdir())


def slug_of(file: Path) -> str:
    return file.stem.partition("@")[0]


def faults(platform: str, file: Path) -> list[str]:
    """What differs from ``expected/``; there ``unparsed`` stands for lines not understood."""
    expected = json.loads((file.parent.parent / "expected" / f"{file.stem}.json").read_text())
    output = read_output(platform, slug_of(file), file.read_bytes(), ROOTS)
    found: dict[str, object] = dict(output.facts)
    if output.error:
        found |= {"error": True, "message": output.message}
    unparsed = expected.pop("unparsed", [])
    told = list(differences(expected, found))
    if list(output.unparsed) != unparsed and not output.error:
        told.append(f"unparsed: {output.unparsed}")
    if expected and not set(found) <= set(expected) | set(_reads(platform, slug_of(file))):
        told.append(f"keys that the command does not read: {sorted(found)}")
    return told


def _reads(platform: str, slug: str) -> tuple[str, ...]:
    spec = book(platform).command(slug)
    return (*spec.reads, "error", "message") if spec else ("error", "message")


def as_in_a_session(text: str, send: str) -> bytes:
    """The output with prompt, echo, pager, carriage returns and bytes that are no UTF-8."""
    lines = text.rstrip("\n").split("\n")
    middle = len(lines) // 2
    paged = [*lines[:middle], "--More--", *lines[middle:]]
    whole = "\r\n".join(["admin@box-1:~$ " + send, *paged, "admin@box-1:~$ "])
    return b"Acc\xe8s r\xe9serv\xe9\r\n" + whole.encode()


def reading(platform: str, slug: str, text: str) -> Reading:
    """What the command's reader makes of ``text``; no other system is asked."""
    spec = book(platform).command(slug)
    assert spec is not None
    found = _reading(book(platform).platform, spec, cleaned(text, spec.send))
    assert isinstance(found, Reading)
    json.dumps(found.facts)
    assert all(isinstance(line, str) for line in found.unparsed)
    return found


@st.composite
def mutated(draw: st.DrawFn, platform: str) -> tuple[str, str]:
    """A slug, and one of the recordings with lines cut, dropped, doubled, characters replaced."""
    file = draw(st.sampled_from(recordings(platform)))
    slugs = [command.slug for command in book(platform).commands]
    slug = slug_of(file) if slug_of(file) in slugs else draw(st.sampled_from(slugs))
    lines = decoded(file.read_bytes()).split("\n")
    for _ in range(draw(st.integers(1, 6))):
        place = draw(st.integers(0, max(len(lines) - 1, 0)))
        kind = draw(st.sampled_from(["cut", "drop", "double", "replace", "end", "swap"]))
        if not lines:
            break
        line = lines[place]
        at = draw(st.integers(0, len(line)))
        if kind == "cut":
            lines[place] = line[:at]
        elif kind == "drop":
            del lines[place]
        elif kind == "double":
            lines.insert(place, line)
        elif kind == "replace":
            lines[place] = line[:at] + draw(st.text(max_size=4)) + line[at + 1 :]
        elif kind == "end":
            del lines[place:]
        else:
            other = draw(st.integers(0, len(lines) - 1))
            lines[place], lines[other] = lines[other], line
    return slug, "\n".join(lines)
