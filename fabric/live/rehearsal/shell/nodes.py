"""The tree of a shell line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a word. ``kind``: ``text``, ``variable`` or ``command`` (a substitution)."""

    kind: str
    text: str
    quoted: bool


Word: TypeAlias = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Redirect:
    """``operator`` with its descriptor in front: ``1>``, ``1>>``, ``0<``, ``2>&``, ``&>``."""

    operator: str
    target: Word


@dataclass(frozen=True, slots=True)
class Simple:
    """A command with its words, and variables set in front of it."""

    words: tuple[Word, ...]
    sets: tuple[tuple[str, Word], ...]
    redirects: tuple[Redirect, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """``{ ...; }`` or ``( ... )``; with ``test``: ``if ...; then ...; else ...; fi``."""

    body: Listing
    redirects: tuple[Redirect, ...] = ()
    test: Listing | None = None
    otherwise: Listing | None = None


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands, each fed with what the one before printed."""

    commands: tuple[Simple | Group, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Chain:
    """Pipelines joined by ``&&`` and ``||``; ``background``: ended by ``&``."""

    pipelines: tuple[tuple[str, Pipeline], ...]
    background: bool


Listing: TypeAlias = tuple[Chain, ...]
