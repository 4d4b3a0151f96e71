"""RFC 7938 numbering for a network of tiers, as the design would hand it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.routing.bgp import BgpRules

if TYPE_CHECKING:
    from fabric.analysis.network import Bools, Ints, Network

_MAX_PATHS = 64


def rfc7938(network: Network) -> BgpRules | None:
    """One ASN for the top tier, one for each group between, one for each leaf; own ASN refused.

    ``None``: some cable in service does not join adjacent tiers.
    """
    step = network.tier[network.head] - network.tier[network.tail]
    if not network.is_tiered or (np.abs(step[network.count > 0]) != 1).any():
        return None
    size = (len(network.names), len(network.kinds))
    nothing = np.zeros(size, dtype=np.int64)
    return BgpRules(
        asn=_labels(network),
        own_asn_allowed=np.zeros(size[0], dtype=np.int64),
        relax=np.ones(size[0], dtype=np.bool_),
        max_paths=np.full(size[0], _MAX_PATHS, dtype=np.int64),
        tag=nothing,
        keeps=~nothing,
        denied=nothing,
    )


def _labels(network: Network) -> Ints:
    """V: switches that share a number have the same; a middle switch in no group has its own."""
    tier, group = network.tier, network.group
    own = np.arange(len(network.names), dtype=np.int64)
    top = int(tier.max())
    shares = (tier > 0) & (tier < top) & (group >= 0)
    label = np.where(shares, len(own) + tier * (len(network.group_names) + 1) + group, own)
    return np.asarray(np.where(tier == top, -1, label))


def refuses_valleys(network: Network, asn: Ints) -> bool:
    """Whether all switches above each switch share one ASN: none passes a valley, whatever fails.

    Cables out of service count: they may come back.
    """
    for switch in range(len(network.names)):
        above = network.head[(network.tail == switch) & network.up]
        if len(np.unique(asn[above])) > 1:
            return False
    return bool((network.tier[network.tail] != network.tier[network.head]).all())


def same_plan(one: Ints, two: Ints) -> bool:
    """Whether the same switches share a number under both."""
    pairs = np.unique(np.column_stack((one, two)), axis=0)
    return len(pairs) == len(np.unique(one)) == len(np.unique(two))


def has_policies(rules: BgpRules) -> bool:
    """Whether some route is refused for more than its path."""
    refused: Bools = rules.denied != 0
    return bool(refused.any())
