"""What SONiC's own bgpcfgd makes of BGP where a box is left to it, not to the plan's ``frr.conf``.

Source of every rule: sonic-net/sonic-buildimage 086b03bd (2026-08-23), below ``bgpd/`` for
``dockers/docker-fpm-frr/frr/bgpd/`` and ``bgpcfgd/`` for ``src/sonic-bgpcfgd/bgpcfgd/``. These are
the peers of ``BGP_NEIGHBOR`` (peer groups PEER_V4 and PEER_V6). The iBGP peers inside a chassis
(templates ``internal`` and ``voq_chassis``: ``allowas-in 1`` always) are no cables of a fabric.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.routing.bgp import BgpRules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.analysis.network import Network
    from fabric.model.design import Design

TOR, LEAF, SPINE = "ToRRouter", "LeafRouter", "SpineRouter"
MAX_PATHS = 514  # files/build_templates/constants.yml.j2: bgp.maximum_paths


class Bbr(StrEnum):
    """``BGP_BBR|all|status`` of CONFIG_DB; ``ABSENT``: there is no such row.

    BBR (bounce back routing) is there to let routes down and up again through leaves.
    """

    ABSENT = "absent"
    ENABLED = "enabled"
    DISABLED = "disabled"


@dataclass(frozen=True, eq=False)
class StockBgp:
    """``rules``: for :func:`fabric.analysis.routing.bgp.bgp`.

    ``silent``: leaves with hosts that stock bgpcfgd announces to nobody. It announces Loopback0
    and the prefixes of VLAN_INTERFACE alone (bgpd/bgpd.main.conf.j2, blocks ``bgp_init`` and
    ``vlan_advertisement``), so hosts on routed ports cannot be reached whatever the rules say.
    """

    rules: BgpRules
    silent: tuple[str, ...]


def device_type(tier: int) -> str:
    """``DEVICE_METADATA|localhost|type`` as the plan writes it (templates/sonic: metadata.j2)."""
    if tier == 0:
        return TOR
    return LEAF if tier % 2 else SPINE


def own_asn_allowed(kind: str, bbr: Bbr = Bbr.ABSENT, *, switched: bool = False) -> int:
    """N of ``allowas-in N`` towards every eBGP peer; 0: the command is not there.

    ``kind``: ``type`` of DEVICE_METADATA. When the peer groups are made
    (bgpd/templates/general/peer-group.conf.j2, both families alike):

    * ``ToRRouter``: 1, whatever BBR says;
    * ``LeafRouter``: 1 where BBR is enabled;
    * every other type, ``SpineRouter`` and ``BackEndToRRouter`` included: none.

    Without a row in CONFIG_DB the status is that of constants.yml, ``bbr.default_state``:
    disabled in the image (bgpcfgd/managers_bbr.py ``__init``; files/build_templates/
    constants.yml.j2).

    ``switched``: the row was written while bgpcfgd ran (bgpcfgd/managers_bbr.py ``set_handler``).
    It then sets or removes the command on PEER_V4 and PEER_V6 without a look at the type: enabled
    gives 1 to a spine too, disabled takes it from a ToR. A row that is there when bgpcfgd starts
    goes the same way, but nothing happens while FRR has no peer groups yet; which comes first is
    not fixed (bgpcfgd/runner.py goes through a set), so an audit reads the running config.
    """
    if switched and bbr is not Bbr.ABSENT:
        return int(bbr is Bbr.ENABLED)
    return int(kind == TOR or (kind == LEAF and bbr is Bbr.ENABLED))


def stock(
    design: Design,
    network: Network,
    bbr: Bbr = Bbr.ABSENT,
    *,
    switched: bool = False,
    types: Mapping[str, str] | None = None,
) -> StockBgp:
    """BGP of a design with its ASNs, left to stock bgpcfgd on every switch.

    ``types``: device types that differ from those of the plan, by switch. Equal paths over
    different ASNs are used (constants.yml ``multipath_relax``), at most 514. No policy refuses a
    route: FROM_BGP_PEER and TO_BGP_PEER end in a permit without a match, and the allow list only
    adds a community while its default action is permit (bgpd/templates/general/policies.conf.j2;
    BGP_ALLOWED_PREFIXES is empty).
    """
    kinds = {s.name: device_type(s.position.tier) for s in design.topology.switches}
    kinds.update(types or {})
    allowed = [own_asn_allowed(kinds[name], bbr, switched=switched) for name in network.names]
    plain = BgpRules.of(design.underlay, network).plain()
    rules = replace(
        plain,
        own_asn_allowed=np.array(allowed, dtype=np.int64),
        max_paths=np.full_like(plain.max_paths, MAX_PATHS),
    )
    routed = {s.leaf for s in design.addressing.host_subnets if s.vlan is None}
    return StockBgp(rules, tuple(name for name in network.names if name in routed))
