"""What the previews of all systems whose configuration has sections do alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from fabric.changing.sections import BELOW, differences, merged, paths
from fabric.model.push import ReplyError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabric.changing.sections import Grammar
    from fabric.model.push import Files


STARTUP = (
    "startup"  # what the device boots from, as it prints it: kept to be compared after a restore
)


def text_of(files: Mapping[str, str], file: str) -> str:
    """The text of one file.

    Raises:
        ReplyError: it is not there.
    """
    try:
        return files[file]
    except KeyError:
        msg = f"there is no {file}"
        raise ReplyError(msg) from None


def startup_as(before: Files, grammar: Grammar) -> Callable[[tuple[str, ...]], str | None]:
    """Whether the one reply, what a device boots from, is what it was; no line is told: secrets.

    Raises:
        ReplyError: when it is called, if it was never read.
    """

    def missing(replies: tuple[str, ...]) -> str | None:
        was, now = (sorted(paths(text, grammar)) for text in (text_of(before, STARTUP), *replies))
        return None if was == now else "what it boots from is not as before the push"

    return missing


@dataclass(frozen=True, slots=True)
class SectionPreview:
    """A part of ``Preview``. ``owned``: headers that the plan replaces, as regular expressions."""

    owned: tuple[str, ...]
    file: ClassVar[str]
    grammar: ClassVar[Grammar]
    assumed: ClassVar[tuple[tuple[str, str], ...]] = ()

    def canonical(self, files: Files) -> str:
        """Every line with the headers above it, sorted."""
        found = sorted(BELOW.join(path) for path in paths(text_of(files, self.file), self.grammar))
        return "".join(f"{line}\n" for line in found)

    def target(self, running: Files, rendered: Files) -> Files:
        """Owned sections as rendered, all others as they are."""
        stands, said = text_of(running, self.file), text_of(rendered, self.file)
        return {**running, self.file: merged(stands, said, self.owned, self.grammar)}

    def differences(self, before: Files, after: Files) -> tuple[str, ...]:
        """Line by line with the headers above."""
        old, new = text_of(before, self.file), text_of(after, self.file)
        return differences(old, new, self.grammar)
