"""Lines of ``nv set``: which are the plan's, what they say one by one, how they are replaced."""

from __future__ import annotations

import shlex
from itertools import product
from typing import TYPE_CHECKING

from fabric.model.names import natural_key
from fabric.model.push import ReplyError
from fabric.platforms.cumulus_nvue.ranges import codes, names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# The words of the manifest. The last word of each is how a name begins.
OWNS = (
    "bridge domain br_default",
    "interface bond",
    "interface lo",
    "interface swp",
    "interface vlan",
    "qos",
    "router bgp",
    "router policy as-path-list FABRIC",
    "router policy community-list FABRIC",
    "router policy prefix-list ANNOUNCE",
    "router policy route-map FABRIC",
    "system forwarding hash-seed",
    "system global arp base-reachable-time",
    "system hostname",
    "vrf default router bgp",
    "vrf default router static",
)
# Written for a switch that is set up by the file alone; the way to it is never pushed.
KEPT = ("interface eth", "vrf mgmt")
_OWNED = tuple(tuple(words.split()) for words in OWNS)
_KEPT = tuple(tuple(words.split()) for words in KEPT)
_SET = ("nv", "set")
_LISTED_NAMES = frozenset({"interface", "member"})
_LISTED_NUMBERS = frozenset({"dscp", "switch-priority", "traffic-class", "vlan"})
_HIGHEST = 4096  # a VLAN; other numbers are lower
Path = tuple[str, ...]


def nv_lines(text: str) -> list[tuple[str, Path]]:
    """Each line as it is written, and its words behind ``nv set``; a text may go on over lines.

    Raises:
        ReplyError: a line is no line of ``nv set``.
    """
    found, opened = [], ""
    for raw in text.splitlines():
        if not opened and (not raw.strip() or raw.lstrip().startswith("#")):
            continue
        line = f"{opened}\n{raw}" if opened else raw.rstrip()
        try:
            words = tuple(shlex.split(line))
        except ValueError:
            opened = line
            continue
        opened = ""
        if words[:2] != _SET or len(words) < 3:  # noqa: PLR2004 - nv set and something
            msg = f"no line of nv set: {line[:80]!r}"
            raise ReplyError(msg)
        found.append((line, words[2:]))
    if opened:
        msg = f"a quoted text does not end: {opened[:80]!r}"
        raise ReplyError(msg)
    return found


def _is_below(path: Path, words: Path) -> bool:
    head, last = words[:-1], words[-1]
    return (
        len(path) >= len(words) and path[: len(head)] == head and path[len(head)].startswith(last)
    )


def is_owned(path: Path) -> bool:
    """Whether the plan replaces it; ``path`` names one interface."""
    return any(_is_below(path, words) for words in _OWNED)


def is_kept(path: Path) -> bool:
    """Whether it belongs to the way to the switch."""
    return any(_is_below(path, words) for words in _KEPT)


def root_of(path: Path) -> Path:
    """What is unset to replace it: the owned part that it stands in, down to its name.

    Of what is not the plan's: the one setting, whose value is the last word.
    """
    words = next((words for words in _OWNED if _is_below(path, words)), path[:-1])
    return path[: len(words)]


def by_interface(path: Path) -> list[Path]:
    """The path, once for each interface that it names."""
    if path[0] != "interface" or len(path) == 1:
        return [path]
    return [("interface", name, *path[2:]) for name in names(path[1])]


def merged(running: str, plan: str) -> str:
    """Lines that are not the plan's as they are, what it adds beside them, then the plan's."""
    kept = [line for raw, path in nv_lines(running) for line in _unowned(raw, path)]
    ours, extra = [], []
    for raw, path in nv_lines(plan):
        if all(is_owned(one) for one in by_interface(path)):
            ours.append(raw)
        elif not is_kept(path):
            extra.append(raw)
    known = {one for raw in kept for _, path in nv_lines(raw) for one in single(path)}
    added = [raw for raw in extra if not {*single(nv_lines(raw)[0][1])} <= known]
    return "".join(f"{line}\n" for line in (*kept, *added, *ours))


def _unowned(raw: str, path: Path) -> list[str]:
    """The line, or what is left of it without the interfaces that are the plan's."""
    every = by_interface(path)
    left = [one for one in every if not is_owned(one)]
    if len(left) == len(every):
        return [raw]
    return [f"nv set {shlex.join(one)}" for one in left]


def single(path: Path) -> Iterator[Path]:
    """The path, once for each name and number that NVUE writes in one word."""
    choices = [
        _choices(path[n - 1] if n else "", word, last=n == len(path) - 1)
        for n, word in enumerate(path)
    ]
    return (tuple(words) for words in product(*choices))


def _choices(before: str, word: str, *, last: bool) -> tuple[str, ...]:
    if before in _LISTED_NAMES:
        return names(word)
    if before in _LISTED_NUMBERS and (not last or "," in word or "-" in word):
        try:
            return tuple(str(number) for number in codes(word, _HIGHEST))
        except ValueError:
            return (word,)
    return (word,)


def places(text: str) -> frozenset[Path]:
    """Everything that the lines say, one by one."""
    return frozenset(one for _, path in nv_lines(text) for one in single(path))


def changes(before: str, after: str) -> tuple[str, ...]:
    """``- interface swp1 link mtu 9000`` and ``+ …``, in natural order."""
    old, new = places(before), places(after)
    return tuple(
        f"{'-' if path in old else '+'} {line}"
        for line, path in sorted(
            ((shlex.join(path), path) for path in old ^ new),
            key=lambda one: (natural_key(one[0]), one[1] not in old),
        )
    )


def replacing(before: str, after: str) -> tuple[str, str]:
    """Lines of ``nv unset`` for each part that loses something, and the lines that set it anew.

    Of owned parts each one that changes is replaced as a whole.
    """
    old, new = places(before), places(after)
    touched = {root_of(path) for path in old ^ new if path in old or is_owned(path)}
    there = {root_of(path) for path in old}
    gone = "".join(f"nv unset {shlex.join(root)}\n" for root in _sorted(touched & there))
    return gone, "".join(f"{line}\n" for line in _set_again(after, touched, new - old))


def _set_again(text: str, touched: set[Path], added: frozenset[Path]) -> Iterator[str]:
    """Lines as they are where all of one is meant, else one for each interface or setting."""
    for raw, path in nv_lines(text):
        ones = list(single(path))
        meant = [one for one in ones if root_of(one) in touched or one in added]
        if len(meant) == len(ones):
            yield raw
        else:
            yield from (f"nv set {shlex.join(one)}" for one in meant)


def _sorted(paths: Iterable[Path]) -> list[Path]:
    return sorted(paths, key=lambda path: natural_key(" ".join(path)))
