"""Three-tier k-ary fat-tree, full or partly populated."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters of ``kind: fat-tree``; what is left out is the full tree."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    k: int = field(metadata={"description": "radix: ports of a switch; even"})
    pods: int | None = field(default=None, metadata={"description": "pods, 1 to k; default k"})
    edges: int | None = field(
        default=None, metadata={"description": "edge switches a pod, 1 to k/2; default k/2"}
    )
    cores: int | None = field(
        default=None,
        metadata={
            "description": "core switches in all, a multiple of k/2 up to (k/2)²; default (k/2)²"
        },
    )
    hosts_per_edge: int | None = field(
        default=None,
        metadata={"description": "hosts an edge switch takes; default: k/2 NIC ports"},
    )
