"""What the user wrote against what the switch systems in use can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.finding import Problem, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabric.model.intent import AddressingPolicy, Hardware, HostGroup, RocePolicy
    from fabric.model.platform import PlatformSpec

ETHERNET_HEADER_BYTES = 14
_RULE = "RCE023"


def systems(hardware: Hardware) -> tuple[PlatformSpec, ...]:
    """Every system in use, once in each family, the default's first; none of an unknown name."""
    entries = (hardware.default, *(value for _, value in (*hardware.roles, *hardware.devices)))
    known = [entry for entry in entries if "platform" not in entry.unknown]
    return tuple({(e.platform.name, e.syntax): e.platform for e in known}.values())


def mtu_problems(policy: RocePolicy, specs: Iterable[PlatformSpec]) -> Iterator[Problem]:
    """Host packets that no switch port passes; ports above what the system takes (RCE021)."""
    for spec in specs:
        limits = spec.capabilities
        if policy.switch_mtu_bytes > limits.mtu_max_bytes:
            message = (
                f"the switch MTU is {policy.switch_mtu_bytes}, but {spec.title} takes "
                f"{limits.mtu_max_bytes} at most"
            )
            fix = f"lower roce.mtu.switch to {limits.mtu_max_bytes}"
            yield Problem("RCE021", ("roce", "mtu", "switch"), message, fix)
        header = ETHERNET_HEADER_BYTES if limits.mtu_counts_l2_header else 0
        if policy.host_mtu_bytes + header > policy.switch_mtu_bytes:
            counted = f" + {header} B of Ethernet header" if header else ""
            message = (
                f"hosts send {policy.host_mtu_bytes} B{counted}, but {spec.title} ports take "
                f"{policy.switch_mtu_bytes} B: large packets would be dropped at the first switch"
            )
            fix = f"lower roce.mtu.host to {policy.switch_mtu_bytes - header} or raise switch"
            yield Problem("RCE021", ("roce", "mtu", "host"), message, fix)


def common_action(usual: str, specs: Iterable[PlatformSpec]) -> str:
    """What all systems can do with a stormed queue: ``usual``, else what the first one names first.

    Where they have nothing in common it is ``usual``, and :func:`watchdog_problems` says so.
    """
    known = [spec.watchdog.actions for spec in specs if spec.watchdog is not None]
    common = [action for action in known[0] if all(action in own for own in known)] if known else []
    return usual if usual in common or not common else common[0]


def watchdog_problems(policy: RocePolicy, specs: Iterable[PlatformSpec]) -> Iterator[Problem]:
    """Timers outside what a system accepts (RCE022), an action that it lacks (RCE023)."""
    timers = policy.watchdog
    for spec in specs:
        if spec.watchdog is None or not timers.enabled:
            continue
        if timers.action not in spec.watchdog.actions:
            known = " or ".join(spec.watchdog.actions)
            message = f"no command of {spec.title} is known for the watchdog action {timers.action}"
            yield Problem(_RULE, ("roce", "watchdog", "action"), message, f"use {known}")
        if spec.watchdog.detect_in_polls and timers.detect_ms % timers.poll_ms:
            above = (timers.detect_ms // timers.poll_ms + 1) * timers.poll_ms
            message = (
                f"detect_ms is {timers.detect_ms}, but {spec.title} counts polls, one each "
                f"{timers.poll_ms} ms"
            )
            yield Problem("RCE022", ("roce", "watchdog", "detect_ms"), message, f"use {above}")
        for key in ("poll_ms", "detect_ms", "restore_ms"):
            low, high = getattr(spec.watchdog, key)
            value = getattr(timers, key)
            if not low <= value <= high:
                message = f"{key} is {value}, but {spec.title} takes {low} to {high} ms"
                yield Problem("RCE022", ("roce", "watchdog", key), message, f"use {low} to {high}")


def ecn_problems(policy: RocePolicy, specs: Iterable[PlatformSpec]) -> Iterator[Problem]:
    """Thresholds in a unit that a system does not count in, and none in its own (RCE023)."""
    ecn = policy.ecn
    listed = tuple(specs)
    if ecn.fill_stated and listed and not any(_counts_percent(spec) for spec in listed):
        message = "fill_percent does nothing here: no switch system in use counts percent"
        path = ("roce", "ecn", "fill_percent")
        yield Problem(_RULE, path, message, "leave it out", severity=Severity.WARNING)
    written = [key for key in ("kmin_bytes", "kmax_bytes") if getattr(ecn, key) is not None]
    for spec in listed:
        if _counts_percent(spec) and written and not ecn.fill_stated:
            message = (
                f"{spec.title} takes ECN thresholds in percent of the queue's buffer, whose size "
                f"is not known: {written[0]} cannot be written there"
            )
            fix = f"write fill_percent for {spec.title} as well, such as [55, 90]"
            yield Problem(_RULE, ("roce", "ecn", written[0]), message, fix)


def _counts_percent(spec: PlatformSpec) -> bool:
    return spec.capabilities.ecn_unit == "percent"


def addressing_problems(
    policy: AddressingPolicy, specs: Iterable[PlatformSpec]
) -> Iterator[Problem]:
    """Unnumbered links and BFD on systems that lack them (RCE023)."""
    for spec in specs:
        if policy.link_numbering == "unnumbered" and not spec.capabilities.unnumbered:
            message = f"{spec.title} has no unnumbered BGP here"
            yield Problem(_RULE, ("addressing", "links"), message, "use links: numbered")
        if policy.bfd and not spec.capabilities.bfd:
            message = f"BFD on {spec.title} is not confirmed by any source, so it is not rendered"
            yield Problem(_RULE, ("addressing", "bgp", "bfd"), message, "leave it out")


def load_balancing_problems(
    mode: str, specs: Iterable[PlatformSpec], groups: Iterable[HostGroup]
) -> Iterator[Problem]:
    """A mode that a system lacks; spraying to NICs that want packets in order (RCE023)."""
    for spec in specs:
        known = spec.capabilities.load_balancing
        if mode not in known:
            message = f"load_balancing is {mode}; confirmed on {spec.title}: {', '.join(known)}"
            yield Problem(_RULE, ("load_balancing",), message, f"use {known[0]}")
    if mode == "spray":
        for nic in sorted({group.nic.name for group in groups if not group.nic.out_of_order}):
            message = (
                f"load_balancing is spray, but {nic} is not known to take packets out of order"
            )
            yield Problem(_RULE, ("load_balancing",), message, "use ecmp")


def nic_problems(policy: RocePolicy, groups: Iterable[HostGroup]) -> Iterator[Problem]:
    """An RDMA MTU above the adapter's (RCE021)."""
    limits = {group.nic.name: group.nic.rdma_mtu_bytes for group in groups}
    for name, limit in limits.items():
        if policy.rdma_mtu_bytes > limit:
            message = f"the RDMA MTU is {policy.rdma_mtu_bytes}, but {name} takes {limit}"
            yield Problem("RCE021", ("roce", "mtu", "rdma"), message, f"lower it to {limit}")
