"""What the previews of systems without a replacement do alike: lines are computed and typed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from fabric.changing.remediation import remediation
from fabric.changing.section_preview import SectionPreview, text_of
from fabric.changing.sections import BELOW, blocks, merged

if TYPE_CHECKING:
    from fabric.changing.remediation import Typing
    from fabric.changing.sections import Grammar
    from fabric.model.push import Files


@dataclass(frozen=True, slots=True)
class TypedPreview(SectionPreview):
    """A part of ``Preview``.

    ``named``: what a header of a thing that every device has (a port, a cage) begins with; only
    those that the plan names are replaced, the others stay as they are.
    """

    typing: ClassVar[Typing]
    named: ClassVar[str]

    def target(self, running: Files, rendered: Files) -> Files:
        """Owned sections as rendered, all others as they are."""
        stands, said = text_of(running, self.file), text_of(rendered, self.file)
        owned = _beside(self.owned, said, self.named, self.grammar)
        return {self.file: merged(stands, said, owned, self.grammar)}

    def canonical(self, files: Files) -> str:
        """Every line with the headers above it, sorted; without headers that say nothing."""
        lines = super(TypedPreview, self).canonical(files).splitlines()
        return "".join(f"{line}\n" for line in lines if not self._hollow(line))

    def differences(self, before: Files, after: Files) -> tuple[str, ...]:
        """Line by line with the headers above; headers that say nothing are no difference."""
        found = super(TypedPreview, self).differences(before, after)
        return tuple(line for line in found if not self._hollow(line[1:]))

    def lines(self, before: Files, after: Files) -> tuple[str, ...]:
        """What is typed to get from one to the other."""
        return remediation(text_of(before, self.file), text_of(after, self.file), self.typing)

    def _hollow(self, line: str) -> bool:
        """Whether it is the bare header of a section that is there whether or not it is printed."""
        return BELOW not in line and re.search(self.typing.stays, line) is not None


def _beside(owned: tuple[str, ...], rendered: str, named: str, grammar: Grammar) -> tuple[str, ...]:
    """Patterns of what is owned, without such things as ``rendered`` does not name."""
    found = (re.match(named, block.header) for block in blocks(rendered, grammar))
    ours = sorted({match[0] for match in found if match})
    said = "|".join(re.escape(one) + r"(?!\S)" for one in ours) or r"(?!)"
    return tuple(rf"^(?:(?!{named})|(?={said}))(?:{pattern})" for pattern in owned)
