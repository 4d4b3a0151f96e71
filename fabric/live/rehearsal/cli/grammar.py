"""Which configuration lines a fake knows, section by section, and what they do."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fabric.live.rehearsal.cli.pattern import Pattern, read_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of line.

    ``default``: the line that is in force without any, and is not shown. ``both``: the
    negated form is a line of its own, too. ``stays``: sections with such a line (a regular
    expression) can be emptied, not removed. ``cascades``: what is removed here is
    removed in the sections below, too. ``inline``: a section with one line is written on one line.
    ``typed``: lines of this kind keep the order in which they were typed. ``listed``: the last
    word is one of several.
    ``adds``: ``section | line`` that the system adds by itself, ``{1}`` a word of this one.
    ``needs``: the line at the top without which this one is not known, and with which it goes.
    ``ousts``: keys of lines (a regular expression) that go when one of this kind is typed.
    ``full``: such a section is shown only while something stands in it.
    """

    pattern: Pattern
    rank: int
    opens: str | None = None
    default: str | None = None
    stays: str = ""
    both: bool = False
    cascades: bool = False
    inline: bool = False
    typed: bool = False
    listed: bool = False
    needs: str = ""
    adds: str = ""
    ousts: str = ""
    full: bool = False

    @property
    def keeps_negation(self) -> bool:
        """Whether the negated form is a line of its own: the positive one is the default."""
        if self.default is None or self.both:
            return self.both
        fit = self.pattern.fit(tuple(self.default.split()))
        return fit is not None and fit.key_words == len(self.default.split())


@dataclass(frozen=True)
class Section:
    """The kinds of lines in one kind of section. ``prompt``: what it adds to the prompt."""

    name: str
    prompt: str
    rules: tuple[Rule, ...]

    @cached_property
    def _by_lead(self) -> Mapping[str | None, tuple[Rule, ...]]:
        """Kinds that a first word may begin, in the order of the data; ``None``: other words."""
        leads = {rule.pattern.lead for rule in self.rules} | {None}
        return {
            lead: tuple(rule for rule in self.rules if rule.pattern.lead in {None, lead})
            for lead in leads
        }

    def find(self, words: tuple[str, ...], *, part: bool = False) -> Rule | None:
        """The first kind that these words are; with ``part``, that they begin, if none is."""
        rules = self.starting(words[0])
        whole = next((rule for rule in rules if rule.pattern.fit(words)), None)
        if whole is None and part:
            return next((rule for rule in rules if rule.pattern.fit(words, part=True)), None)
        return whole

    def starting(self, word: str) -> tuple[Rule, ...]:
        """Kinds whose first word this may be, in the order of the data."""
        return self._by_lead.get(word, self._by_lead[None])


@dataclass(frozen=True)
class Grammar:
    """All sections of a system; ``negation``: the word that takes a line back."""

    negation: str
    sections: Mapping[str, Section]

    def __getitem__(self, name: str) -> Section:
        return self.sections[name]

    def problems(self) -> Iterator[str]:
        """What is wrong with the data: sections that are opened and do not exist."""
        for section in self.sections.values():
            for rule in section.rules:
                if rule.opens is not None and rule.opens not in self.sections:
                    yield f"{section.name}: {rule.opens!r} is no section"


def read_grammar(negation: str, data: Mapping[str, object]) -> Grammar:
    """From YAML: ``{section: {prompt: text, lines: [pattern or {is: pattern, ...}]}}``."""
    return Grammar(negation, {name: _section(name, value) for name, value in data.items()})


def _section(name: str, value: object) -> Section:
    if not isinstance(value, dict):
        message = f"section {name}: a mapping with lines is needed"
        raise TypeError(message)
    rules = tuple(_rule(rank, item) for rank, item in enumerate(_flat(value["lines"])))
    return Section(name, str(value.get("prompt", "")), rules)


def _flat(items: object) -> Iterator[object]:
    """Lists in the list are taken apart: YAML aliases share parts between sections."""
    if not isinstance(items, list):
        message = f"a list of lines is needed, not {items!r}"
        raise TypeError(message)
    for item in items:
        if isinstance(item, list):
            yield from _flat(item)
        else:
            yield item


def _rule(rank: int, item: object) -> Rule:
    options: dict[str, Any] = dict(item) if isinstance(item, dict) else {"is": item}
    text, opens = str(options.pop("is")), None
    if found := re.fullmatch(r"(.+?) -> (\S+)", text):
        text, opens = found[1], found[2]
    return Rule(read_pattern(text), rank, opens, **options)
