"""Which keys the schema has where, read off its types."""

from __future__ import annotations

import dataclasses
import types
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel

if TYPE_CHECKING:
    from fabric.files.yaml import Path

# Keys of other tools, or of an older day, and what to write here.
ELSEWHERE = {
    "queue": "a class's queue is its priority; queue 0 is the default class's, never lossless",
    "cnp": "write roce.cnp_dscp and roce.cnp_priority",
    "nodes": "hosts are counted under hosts: {count: 64}",
    "kmin": "write ecn: {kmin_bytes: …}, in bytes",
    "kmax": "write ecn: {kmax_bytes: …}, in bytes",
}


def known_keys(root: Any, path: Path) -> tuple[str, ...]:
    """Keys that the schema has at a path below ``root``."""
    kind: Any = root
    for part in path:
        kind = _below(kind, part)
    return tuple(_fields(kind))


def home_of(root: Any, key: str, above: str = "") -> str:
    """Where in the schema a key belongs, for one written at the wrong level."""
    for name, kind in _fields(root).items():
        here = f"{above}.{name}" if above else name
        inner = _below(kind, 0) if get_origin(_plain(kind)) in {list, tuple} else _plain(kind)
        if key in _fields(inner):
            return here
        found = home_of(inner, key, here) if _fields(inner) else ""
        if found:
            return found
    return ""


def _plain(kind: Any) -> Any:
    """The type without ``| None`` and ``Annotated``."""
    while True:
        if get_origin(kind) is Annotated:
            kind = get_args(kind)[0]
        elif get_origin(kind) in {Union, types.UnionType}:
            kind = next(arg for arg in get_args(kind) if arg is not type(None))
        else:
            return kind


def _fields(kind: Any) -> dict[str, Any]:
    kind = _plain(kind)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return {field.alias or name: field.annotation for name, field in kind.model_fields.items()}
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        hints = get_type_hints(kind)
        return {field.name: hints[field.name] for field in dataclasses.fields(kind)}
    return {}


def _below(kind: Any, part: str | int) -> Any:
    kind = _plain(kind)
    if get_origin(kind) in {list, tuple}:
        return get_args(kind)[0]
    if get_origin(kind) is dict:
        return get_args(kind)[1]
    return _fields(kind).get(str(part))
