"""Forwarding classes, classifiers and rewrite rules of Junos."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.platforms import CODES, DSCPS
from fabric.platforms.juniper_junos.config import COS
from fabric.platforms.juniper_junos.tree import Tree, all_words, at, value, whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_BITS = re.compile(r"[01]{6}")
# Names that Junos knows without a definition (code-point aliases of DSCP).
_ALIASES = {
    "be": 0, "ef": 46, "nc1": 48, "nc2": 56,
    **{f"cs{n}": 8 * n for n in range(8)},
    **{f"af{n}{m}": 8 * n + 2 * m for n in range(1, 5) for m in range(1, 4)},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ForwardingClass:
    """A class with its queue. ``priority`` ``None``: no PFC priority is written."""

    name: str
    queue: int
    no_loss: bool = False
    priority: int | None = None

    @property
    def paused_as(self) -> int | None:
        """The priority that is paused for it; ``None``: it may lose packets."""
        return self.priority if self.no_loss else None


def classes_of(config: Tree, queues: int = CODES) -> dict[str, ForwardingClass]:
    """The classes that are written, by name; ``class NAME queue-num N`` and ``queue N NAME``.

    ``queues``: how many count; those above the eight of unicast packets are for multicast.
    """
    found: dict[str, ForwardingClass] = {}
    written = at(config, COS, "forwarding-classes")
    for queue, names in at(written, "queue").items():
        for name in list(names)[:1]:
            code = whole(queue)
            if code is not None and code < queues:
                found[name] = ForwardingClass(name, code)
    for name, body in at(written, "class").items():
        words = list(all_words(body))
        queue_number = _after(words, "queue-num")
        if queue_number is not None and queue_number < queues:
            priority = _after(words, "pfc-priority")
            known = priority if priority is not None and priority < CODES else None
            found[name] = ForwardingClass(name, queue_number, "no-loss" in words, known)
    return found


def groups_of(classes: Iterable[ForwardingClass]) -> dict[int, int]:
    """Priority group of each queue that has a class."""
    listed = tuple(classes)
    lossless = {one.queue: one.paused_as for one in listed if one.paused_as is not None}
    lossy = next(group for group in range(CODES + 1) if group not in lossless.values())
    return {one.queue: lossless.get(one.queue, lossy) for one in listed}


def _after(words: Sequence[str], word: str) -> int | None:
    if word not in words[:-1]:
        return None
    return whole(words[words.index(word) + 1])


def dscp_of(config: Tree, text: str) -> int | None:
    """A code point as six bits or by name, Junos's own or one that the config defines."""
    defined = value(config, COS, "code-point-aliases", "dscp", text)
    bits = defined or text
    if _BITS.fullmatch(bits):
        return int(bits, 2)
    return _ALIASES.get(bits.lower())


def classifier(config: Tree, name: str, family: str = "dscp") -> tuple[str | None, ...]:
    """Class of each of the 64 DSCPs, as far as the classifier says."""
    found: dict[int, str] = {}
    body = at(config, COS, "classifiers", family, name, "forwarding-class")
    for class_name, below in body.items():
        for points in at(below, "loss-priority").values():
            for text in at(points, "code-points"):
                dscp = dscp_of(config, text)
                if dscp is not None:
                    found[dscp] = class_name
    return tuple(found.get(dscp) for dscp in range(DSCPS))


def bound(cos: Tree, what: str) -> Iterator[tuple[str, str]]:
    """Classifiers (or rewrite rules) of a port: family and name, those of its unit first."""
    units = at(cos, "unit")
    unit = units.get("0") or units.get("*") or next(iter(units.values()), {})
    for place in (unit, cos):
        for family in ("dscp", "dscp-ipv6"):
            name = value(place, what, family)
            if name is not None:
                yield family, name


def rewritten(
    config: Tree, cos: Tree, classes: dict[str, ForwardingClass]
) -> tuple[int | None, ...]:
    """What packets of each queue's class leave with, where a rewrite rule is bound."""
    found: dict[int, int] = {}
    for family, name in bound(cos, "rewrite-rules"):
        body = at(config, COS, "rewrite-rules", family, name, "forwarding-class")
        for class_name, below in body.items():
            text = value(below, "loss-priority", "low", "code-point")
            dscp = dscp_of(config, text) if text else None
            if class_name in classes and dscp is not None:
                found.setdefault(classes[class_name].queue, dscp)
        break
    return tuple(found.get(queue) for queue in range(CODES))
