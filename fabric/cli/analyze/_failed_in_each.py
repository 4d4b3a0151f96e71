"""``--fail`` over several designs: a word is meant for all of them, or for the one it names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.cli import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fabric.analysis.failures import Failures
    from fabric.model.design import Design

    Designs = Sequence[tuple[Design, str]]
    Problems = list[tuple[str, str]]


def failed_in_each(designs: Designs, words: Iterable[str]) -> list[Failures]:
    """What is down in each (design, inventory). ``FABRIC=WORD`` or ``INVENTORY=WORD``: in one.

    Raises:
        UsageError: words that name nothing in a design they are meant for, all of them at once.
    """
    from fabric.analysis.failures import Failures  # noqa: PLC0415 - after the arguments

    problems: Problems = []
    found = [Failures(frozenset(), frozenset()) for _ in designs]
    for word in words:
        whose, equals, what = word.rpartition("=")
        among = _named(designs, whose) if equals else list(range(len(designs)))
        if equals and len(among) != 1:
            known = ", ".join(f"{design.intent.name} ({path})" for design, path in designs)
            count = f"{len(among)} designs are" if among else "no design is"
            message = f"--fail {word}: {count} called {whose}"
            problems.append((message, f"they are {known}; either name serves"))
            continue
        named = _in_those(designs, among, what, problems)
        for number, one in zip(among, named, strict=True):
            before = found[number]
            found[number] = Failures(before.cables | one.cables, before.switches | one.switches)
    if problems:
        *others, (message, fix) = problems
        told = "".join(f"{text}\n  help: {help_}\nerror: " for text, help_ in others)
        raise UsageError(told + message, fix)
    return found


def _named(designs: Designs, whose: str) -> list[int]:
    return [n for n, (design, path) in enumerate(designs) if whose in (design.intent.name, path)]


def _in_those(designs: Designs, among: list[int], word: str, problems: Problems) -> list[Failures]:
    """What the word names in each; a problem for each design where it names nothing."""
    from fabric.analysis.failures import FailureError, Failures, failures  # noqa: PLC0415

    found, wrong, having = [], [], []
    for number in among:
        design, path = designs[number]
        try:
            found.append(failures(design.topology, [word]))
            having.append(design.intent.name)
        except FailureError as error:
            found.append(Failures(frozenset(), frozenset()))
            wrong += [(f"{path}: {text}", fix) for text, fix in error.problems]
    if wrong and having:
        fix = f"{having[0]} has it: --fail {having[0]}={word} takes it down there alone"
        wrong = [(text, fix) for text, _ in wrong]
    problems += wrong
    return found
