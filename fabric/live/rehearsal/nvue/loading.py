"""A file of settings: YAML as ``nv config show`` prints it, or lines of ``nv set``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.files.plain import PlainYamlError, load_words
from fabric.live.rehearsal.nvue import tree

if TYPE_CHECKING:
    from fabric.live.rehearsal.boxes.cumulus_nvue import NvueBox
    from fabric.live.rehearsal.nvue.tree import Settings
    from fabric.live.rehearsal.shell.interpreter import Call


def load(box: NvueBox, call: Call, words: list[str]) -> tuple[list[tuple[str, Settings]], str]:
    """What a file wants, and what is wrong with it."""
    name = next((each for each in words if not each.startswith("-")), "")
    if call.path(name) not in box.disk:
        return [], box.replies("no-file", file=name)
    text = box.disk[call.path(name)].decode()
    if box.world.faults.take("reject"):
        return [], box.replies("bad-line", number=1, line=text.splitlines()[0])
    if re.match(r"(#.*\n|\s*\n)*\s*nv ", text):
        return _commands(box, text)
    try:
        found = load_words(text)
    except PlainYamlError as error:
        return [], box.replies("bad-yaml", why=str(error))
    entries = found if isinstance(found, list) else []
    steps = [
        (verb, tree.flat(body))
        for entry in entries
        if isinstance(entry, dict)
        for verb, body in entry.items()
        if verb != "header" and isinstance(body, dict)
    ]
    wrong = [
        problem
        for _, settings in steps
        for path in sorted(settings)
        if (problem := box.refused(path))
    ]
    return steps, wrong[0] if wrong else ""


def _commands(box: NvueBox, text: str) -> tuple[list[tuple[str, Settings]], str]:
    steps: list[tuple[str, Settings]] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = tree.words_of(line)
        if not words:
            continue
        if words[0] != "nv" or words[1:2] not in (["set"], ["unset"]):
            return [], box.replies("bad-line", number=number, line=line)
        if box.refused(tuple(words[2:])):
            return [], box.replies("bad-line", number=number, line=line)
        steps.append((words[1], frozenset({tuple(words[2:])})))
    return steps, ""


def options(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """Options with a value, and the other words."""
    found: dict[str, str] = {}
    rest: list[str] = []
    items = iter(words)
    for word in items:
        if word in {"-o", "--output", "-r", "--rev"}:
            found[{"--output": "-o"}.get(word, word)] = next(items, "")
        elif not word.startswith("-"):
            rest.append(word)
    return found, rest
