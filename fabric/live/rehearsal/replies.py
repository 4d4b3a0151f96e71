"""The words of a fake switch, each with its source: ``templates/<system>/rehearse/``."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from fabric.files.locate import templates_root
from fabric.files.plain import load_plain

if TYPE_CHECKING:
    from collections.abc import Mapping


@cache  # a thousand boxes of a system share its words; nobody changes them
def load_words(system: str, name: str = "replies") -> Mapping[str, object]:
    """A data file of a system's fake switch.

    Raises:
        ValueError: it is not a mapping.
    """
    path = templates_root() / system / "rehearse" / f"{name}.yaml"
    words = load_plain(path.read_bytes())
    if not isinstance(words, dict):
        message = f"{path}: a mapping is expected"
        raise ValueError(message)  # noqa: TRY004
    return words


class Replies:
    """Texts by name, as ``{text: ..., source: ...}``; those without source are noted when said."""

    def __init__(self, system: str, unsourced: list[str]) -> None:
        self._texts = load_words(system)
        self._unsourced = unsourced

    def __call__(self, name: str, /, **fields: object) -> str:
        """The text of that name with its fields filled in, and a newline at its end."""
        entry = self._texts[name]
        if not isinstance(entry, dict):
            message = f"{name}: text and source are expected"
            raise TypeError(message)
        text = str(entry["text"])
        if not entry.get("source") and name not in self._unsourced:
            self._unsourced.append(name)
        return (text.format_map(fields) if fields else text).rstrip("\n") + "\n"
