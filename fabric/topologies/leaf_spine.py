"""Leaf-spine: every leaf cabled to every spine, ``links`` parallel cables a pair."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters of ``kind: leaf-spine``."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    leaves: int = field(metadata={"description": "leaf switches; hosts stand on these"})
    spines: int = field(metadata={"description": "spine switches"})
    links: int = field(
        default=1, metadata={"description": "parallel cables between each leaf and each spine"}
    )
