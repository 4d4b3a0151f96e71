"""Breakout modes in SONiC's words: ``4x25G(4)[10G,1G]``."""

from __future__ import annotations

import re

from fabric.model.hardware import BreakoutMode

# children x speed, (lanes used by all children), [other speeds of a child]; these two in any order
_OTHERS = r"\[(\d+G(?:, ?\d+G)*)\]"
_MODE = re.compile(rf"(\d+)x(\d+)G(?:\((\d+)\))?(?:{_OTHERS}(?:\((\d+)\))?)?")


def breakout_mode(text: str, alias: str, cage_lanes: int) -> BreakoutMode:
    """The mode that ``text`` names, in a cage of ``cage_lanes`` lanes.

    Raises:
        ValueError: not a mode, or one that such a cage cannot hold.
    """
    match = _MODE.fullmatch(text)
    if match is None:
        msg = f"{text!r} is no breakout mode such as 2x400G[200G,100G] or 4x25G(4)"
        raise ValueError(msg)
    children, speed = int(match[1]), int(match[2])
    if match[3] and match[5]:
        msg = f"{text!r} states the lanes twice"
        raise ValueError(msg)
    lanes = int(match[3] or match[5] or cage_lanes)
    if lanes > cage_lanes or children == 0 or lanes % children:
        msg = f"{text!r}: {children} ports cannot share {lanes} of the cage's {cage_lanes} lanes"
        raise ValueError(msg)
    others = (int(other) for other in re.findall(r"\d+", match[4] or ""))
    return BreakoutMode(text, children, (speed, *others), lanes // children, alias)


def alias_of_cage(pattern: str, cage: int, children: int, lanes_each: int) -> str:
    """The pattern with what only the catalogue knows filled in; empty: no pattern can say it."""
    pattern = pattern.replace("{c1}", str(cage + 1))
    if "{l}" not in pattern:
        return pattern
    if children > 1 and lanes_each > 1:
        return ""
    return pattern.replace("{l}", "{n}" if children > 1 else "1")
