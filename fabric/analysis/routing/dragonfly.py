"""``dragonfly-minimal``: from group to group over one global cable."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis import bits
from fabric.analysis.forwarding import Twins, expanded
from fabric.analysis.routing.levels import Search

if TYPE_CHECKING:
    from fabric.analysis.bits import Rows
    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.network import Bools, Ints, Network
    from fabric.analysis.routing.levels import Ends


class GroupError(ValueError):
    """Paths by group on a fabric without groups; ``lacking``: switches in none."""

    def __init__(self, lacking: tuple[str, ...], groups: int) -> None:
        self.lacking, self.groups = lacking, groups
        super().__init__(
            f"{len(lacking)} switches are in no group" if lacking else f"{groups} group"
        )


def minimal(network: Network) -> Forwarding:
    """One local cable, one global, one local at most, by the fewest hops of these.

    A cable is local inside a group and global between two.

    Raises:
        GroupError: a switch without a group, or one group alone.
    """
    _check_groups(network)
    twins = Twins.of(network, network.group)
    return expanded(network, twins, searched(network, twins.firsts).matrix())


def local_arcs(network: Network) -> Bools:
    """A: inside a group."""
    return np.asarray(network.group[network.tail] == network.group[network.head])


def searched(network: Network, starts: Ints, ends: Ends | None = None) -> Search:
    """Ways to some leaves."""
    search = Search(network, starts, ends)
    local, home = local_arcs(network), _same_group(network, starts)
    start = search.reached.copy()
    abroad = ~home
    (near,) = search.spread((start, local), only=home)
    (beside,) = search.spread((start, ~local), only=abroad)
    over, _ = search.spread((near, ~local), (beside, local), only=abroad)
    search.spread((over, local), only=abroad)
    return search


def _check_groups(network: Network) -> None:
    lacking = np.flatnonzero((network.group < 0) & network.alive)
    if len(lacking) or len(network.group_names) < 2:  # noqa: PLR2004 — one group has no other
        names = tuple(network.names[n] for n in lacking)
        raise GroupError(names, len(network.group_names))


def _same_group(network: Network, starts: Ints) -> Rows:
    """V, words: destinations in the switch's own group."""
    return bits.packed(network.group[:, None] == network.group[starts][None, :])
