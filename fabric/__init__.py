"""Lossless RoCEv2 networks from one inventory: model, configure, prove, watch.

``fabric.load(path)`` returns a :class:`fabric.model.design.Design`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from os import PathLike

    from fabric.model.design import Design

__all__ = ["load"]


def load(path: str | PathLike[str]) -> Design:
    """Read an inventory and derive its design; nothing is written.

    Raises:
        fabric.model.finding.InputError: the inventory cannot be honoured; all problems at once.
    """
    from fabric import flow  # noqa: PLC0415 — importing fabric must stay cheap

    return flow.load(path)
