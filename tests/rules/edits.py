"""Damage to a design that no inventory can order: ``path: value`` over frozen values.

A path is ``lossless.profiles[*].xoff_bytes.value`` or ``devices[leaf-*].name``:
attributes by dots; in brackets an index of a tuple, ``*``, or a glob over the items' names.
"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from fnmatch import fnmatchcase
from typing import Any, TypeVar

_STEP = re.compile(r"\[([^\]]*)\]|([^.\[\]]+)")
_NAMES = ("name", "device", "id")
_T = TypeVar("_T")


def edited(value: _T, path: str, new: object) -> _T:
    """``value`` with what ``path`` names replaced.

    Raises:
        LookupError: the path names nothing.
    """
    steps = [(match[1], match[2]) for match in _STEP.finditer(path)]
    changed: _T = _apply(value, steps, new)
    return changed


def _apply(value: Any, steps: list[tuple[str | None, str | None]], new: object) -> Any:
    if not steps:
        return _frozen(new)
    (selector, attribute), *rest = steps
    if selector is None:
        assert attribute is not None
        if not is_dataclass(value) or attribute not in {f.name for f in fields(value)}:
            msg = f"{type(value).__name__} has no field {attribute}"
            raise LookupError(msg)
        part = _apply(getattr(value, attribute), rest, new)
        return replace(value, **{attribute: part})  # type: ignore[type-var]
    chosen = [_chosen(selector, place, item) for place, item in enumerate(value)]
    if not any(chosen):
        msg = f"[{selector}] chooses nothing of {len(value)} items"
        raise LookupError(msg)
    return tuple(
        _apply(item, rest, new) if wanted else item
        for wanted, item in zip(chosen, value, strict=True)
    )


def _chosen(selector: str, place: int, item: object) -> bool:
    if selector == "*" or selector == str(place):
        return True
    return any(fnmatchcase(str(getattr(item, name, "")), selector) for name in _NAMES)


def _frozen(value: object) -> object:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
