"""What the previews of systems without a replacement do alike: lines are computed and typed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from fabric.changing.remediation import remediation
from fabric.changing.section_preview import SectionPreview, text_of
from fabric.changing.sections import blocks, merged

if TYPE_CHECKING:
    from fabric.changing.remediation import Typing
    from fabric.changing.sections import Grammar
    from fabric.model.push import Files


@dataclass(frozen=True, slots=True)
class TypedPreview(SectionPreview):
    """A part of ``Preview``.

    ``named``: what a header of a thing that every device has (a port, a cage) begins with; only
    those that the plan names are replaced, the others stay as they are. ``silent``: found in lines,
    with the headers above, that say nothing: defaults, headers that are there printed or not.
    """

    typing: ClassVar[Typing]
    named: ClassVar[str]
    silent: ClassVar[str]

    def target(self, running: Files, rendered: Files) -> Files:
        """Owned sections as rendered, all others as they are."""
        stands, said = text_of(running, self.file), text_of(rendered, self.file)
        owned = _beside(self.owned, said, self.named, self.grammar)
        return {self.file: merged(stands, said, owned, self.grammar)}

    def canonical(self, files: Files) -> str:
        """Every line with the headers above it, sorted; without what says nothing."""
        lines = super(TypedPreview, self).canonical(files).splitlines()
        return "".join(f"{line}\n" for line in lines if not re.search(self.silent, line))

    def differences(self, before: Files, after: Files) -> tuple[str, ...]:
        """Line by line with the headers above; what says nothing is no difference."""
        found = super(TypedPreview, self).differences(before, after)
        return tuple(line for line in found if not re.search(self.silent, line[1:]))

    def lines(self, before: Files, after: Files) -> tuple[str, ...]:
        """What is typed to get from one to the other."""
        return remediation(text_of(before, self.file), text_of(after, self.file), self.typing)


def _beside(owned: tuple[str, ...], rendered: str, named: str, grammar: Grammar) -> tuple[str, ...]:
    """Patterns of what is owned, without such things as ``rendered`` does not name."""
    found = (re.match(named, block.header) for block in blocks(rendered, grammar))
    ours = sorted({match[0] for match in found if match})
    said = "|".join(re.escape(one) + r"(?!\S)" for one in ours) or r"(?!)"
    return tuple(rf"^(?:(?!{named})|(?={said}))(?:{pattern})" for pattern in owned)
