"""Which ranks communicate: tensor-parallel ranks side by side, then data, pipeline stages last.

Rank = tp + TP · (fsdp + FSDP · (dp + DP · pp)): the order of Megatron-LM (tp-cp-ep-dp-pp), so that
what talks most sits closest. Expert-parallel ranks are neighbours among the data-parallel ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.plant import Pairs
    from fabric.model.workload import Degrees

TENSOR, SHARD, REPLICA, EXPERT, STAGE, WORLD = "tp", "fsdp", "dp", "ep", "pp", "world"
EXPERT_SHARD, EXPERT_REPLICA = "fsdp of experts", "dp of experts"


def groups(degrees: Degrees, word: str) -> Pairs:
    """(groups, ranks of each); of ``STAGE``: (stages, ranks of a stage)."""
    d = degrees
    grid = np.arange(d.ranks).reshape(d.pp, d.dp, d.fsdp, d.tp)
    match word:
        case "world":
            return grid.reshape(1, -1)
        case "tp":
            return grid.reshape(-1, d.tp)
        case "fsdp":
            return grid.transpose(0, 1, 3, 2).reshape(-1, d.fsdp)
        case "dp":
            return grid.transpose(0, 2, 3, 1).reshape(-1, d.dp)
        case "pp":
            return grid.reshape(d.pp, -1)
    return _of_experts(d, word)


def _of_experts(d: Degrees, word: str) -> Pairs:
    grid = np.arange(d.ranks)
    if word == EXPERT:
        return grid.reshape(d.pp, -1, d.tp).transpose(0, 2, 1).reshape(-1, d.ep)
    if d.fsdp == 1:
        replicas = d.dp // d.ep
        parted = grid.reshape(d.pp, replicas, d.ep, d.tp)
        return parted.transpose(0, 2, 3, 1).reshape(-1, replicas)
    shards = d.fsdp // d.ep
    wide = grid.reshape(d.pp, d.dp, shards, d.ep, d.tp)
    if word == EXPERT_SHARD:
        return wide.transpose(0, 1, 3, 4, 2).reshape(-1, shards)
    return wide.transpose(0, 2, 3, 4, 1).reshape(-1, d.dp)
