"""From NVUE's config to the QoS chain of each port.

DSCP → switch priority (our class) → traffic class (our queue); PFC by switch priority; ECN, shares
and caps by traffic class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.qos import QosChain, Watchdog
from fabric.platforms import CODES, DSCPS, ConfigError
from fabric.platforms.cumulus_nvue import defaults
from fabric.platforms.cumulus_nvue.ports import GLOBAL, bindings
from fabric.platforms.cumulus_nvue.queues import queues_of

if TYPE_CHECKING:
    from fabric.platforms.cumulus_nvue.ports import Binding
    from fabric.platforms.cumulus_nvue.tree import Node

HASH_SEED, POOLS = "hash seed", "memory pools"
_TRUSTING = ("l3", "both")
_SILENT: tuple[None, ...] = (None,) * CODES


def chains_of(config: Node, device: str) -> tuple[QosChain, ...]:
    """One chain a port. Priority groups and their headroom are the switch's own: ``None``."""
    to_class = class_map(config)
    timers = watchdog_of(config)
    return tuple(_chain(port, device, to_class, timers) for port in bindings(config))


def settings_of(config: Node) -> dict[str, str]:
    """What holds for the whole switch: the seed of the ECMP hash and the pools' shares."""
    pools = config.at("qos", "traffic-pool")
    shares = ", ".join(
        f"{name} {pools.value(name, 'memory-percent')} %" for name in sorted(pools.below)
    )
    seed = config.value("system", "forwarding", "hash-seed")
    return {HASH_SEED: seed or "random", POOLS: shares or "default-lossy 100 %"}


def class_map(config: Node) -> tuple[int, ...]:
    """Traffic class of each switch priority."""
    base = defaults.defaults_of(config)
    found = dict(enumerate(base.to_class if base else range(CODES)))
    for priority, node in config.at("qos", "egress-queue-mapping", GLOBAL, "switch-priority").codes(
        CODES
    ):
        target = node.number("traffic-class")
        if target is not None:
            found[priority] = _below(target, CODES)
    return tuple(found[priority] for priority in range(CODES))


def watchdog_of(config: Node) -> Watchdog:
    """Timers of the switch. It restores after one poll without a pause, and it drops."""
    node = config.at("qos", "pfc-watchdog")
    poll = node.number("polling-interval") or defaults.POLL_MS
    polls = node.number("robustness") or defaults.ROBUSTNESS
    return Watchdog(
        enabled=True, poll_ms=poll, detect_ms=poll * polls, restore_ms=poll, action="drop"
    )


def _chain(port: Binding, device: str, to_class: tuple[int, ...], timers: Watchdog) -> QosChain:
    enabled = port.priorities()
    watched = enabled if port.watched else ()
    return QosChain(
        device=device,
        port=port.name,
        dscp_to_tc=dscp_map(port),
        tc_to_queue=to_class,
        tc_to_pg=_SILENT,
        pfc_priority_to_queue=_SILENT,
        pfc_priority_to_pg=_SILENT,
        pfc_priorities=enabled,
        watchdog_priorities=watched,
        lossless_pgs=(),
        xoff_bytes=_SILENT,
        queues=queues_of(port),
        mtu_bytes=port.node.number("link", "mtu") or defaults.MTU_BYTES,
        watchdog=timers if watched else None,
        tc_to_dscp=_remarks(port),
    )


def dscp_map(port: Binding) -> tuple[int | None, ...]:
    """Switch priority of each DSCP; nothing where the port does not trust it."""
    mapping = port.profile("mapping")
    trust = mapping.value("trust")
    trusted = trust in _TRUSTING if trust else port.base.trusts_dscp and not port.own("mapping")
    if not trusted:
        return (None,) * DSCPS
    found = {dscp: defaults.default_class(dscp) for dscp in range(DSCPS)}
    for dscp, node in mapping.at("dscp").codes(DSCPS):
        target = node.number("switch-priority")
        if target is not None:
            found[dscp] = _below(target, CODES)
    return tuple(found[dscp] for dscp in range(DSCPS))


def _remarks(port: Binding) -> tuple[int | None, ...]:
    """DSCP of each switch priority as it leaves, if some port has rewriting on."""
    profiles = port.qos.at("remark")
    if not any(profiles.value(name, "rewrite") in _TRUSTING for name in profiles.below):
        return _SILENT
    found: dict[int, int | None] = {}
    for priority, node in port.profile("remark").at("switch-priority").codes(CODES):
        dscp = node.number("dscp")
        found[priority] = None if dscp is None else _below(dscp, DSCPS)
    return tuple(found.get(priority) for priority in range(CODES))


def _below(value: int, limit: int) -> int:
    if value >= limit:
        msg = f"{value} is not below {limit}"
        raise ConfigError(msg)
    return value
