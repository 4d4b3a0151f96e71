"""Breakout modes in SONiC's words: ``4x25G(4)[10G,1G]``."""

from __future__ import annotations

import re

from fabric.model.hardware import BreakoutMode

# children x speed, (lanes used by all children), [other speeds of a child]
_MODE = re.compile(r"(\d+)x(\d+)G(?:\((\d+)\))?(?:\[(\d+G(?:,\d+G)*)\])?")


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
    lanes = int(match[3] or cage_lanes)
    if lanes > cage_lanes or children == 0 or lanes % children:
        msg = f"{text!r}: {children} ports cannot share {lanes} of the cage's {cage_lanes} lanes"
        raise ValueError(msg)
    others = (int(other.removesuffix("G")) for other in (match[4] or "").split(",") if other)
    return BreakoutMode(text, children, (speed, *others), lanes // children, alias)
