"""The page ``qos.md``: every number that hosts and switches must agree on, in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.names import natural_sorted
from fabric.model.qos import tos_byte
from fabric.report.qos_hosts import host_lines
from fabric.report.qos_numbers import number_lines
from fabric.report.qos_rise import rise_lines
from fabric.report.qos_text import dscp_ranges, table

if TYPE_CHECKING:
    from fabric.model.design import Design
    from fabric.model.platform import PlatformSpec
    from fabric.model.qos import TrafficClass

_ECT_0 = 2
_BYTE = (
    "The byte is ToS in IPv4 and traffic class in IPv6: DSCP times 4, ECN in the low two bits. "
    "`NCCL_IB_TC`, `UCX_IB_TRAFFIC_CLASS`, `NVSHMEM_IB_TRAFFIC_CLASS`, `cma_roce_tos`, sysfs "
    "`traffic_class` and perftest `--tclass` all take the whole byte;"
)
_ECT = (
    "Switches mark only packets that are ECN-capable, so where an adapter does not set ECT by "
    "itself, `NCCL_IB_TC` (`env` of the host group) and the others must be"
)
_NO_STOCK = "nothing uses the switch's stock map."
_NOBODY_NEGOTIATES = (
    "Nobody negotiates. Switches are configured statically and accept nothing from a host. Hosts "
    "set themselves: mlx5 with `mlnx_qos -d os`, others with `dcb dcbx set dev IF host ieee` and "
    "`willing off`. `lldpad` must not run, and LLDP and DCBX of the adapter's firmware are off. "
    "An end left willing gives up its own settings for whatever it hears."
)


def qos_page(design: Design) -> str:
    """Return the page as Markdown; the same design gives the same bytes."""
    roce = design.intent.roce
    sections = (
        [f"# QoS of fabric {design.intent.name}", ""],
        [f"Preset `{roce.preset}`, everything that it stands for is below. Source:", ""],
        [roce.preset_source, ""],
        _spellings(design),
        _classes(design),
        rise_lines(design),
        _pause(design),
        number_lines(design),
        host_lines(design),
        _dcbx(),
        _assumptions(design),
    )
    return "\n".join(line for section in sections for line in section).rstrip() + "\n"


def _spellings(design: Design) -> list[str]:
    roce = design.intent.roce
    tos, ect = tos_byte(roce.dscp), tos_byte(roce.dscp, _ECT_0)
    cnp = tos_byte(roce.cnp_dscp)
    header = ("traffic", "DSCP", "byte", "byte with ECT(0)", "priority", "NCCL_IB_TC")
    rows = (
        ("RoCE", roce.dscp, f"{tos} (0x{tos:02x})", f"{ect} (0x{ect:02x})", roce.priority, tos),
        ("CNP", roce.cnp_dscp, f"{cnp} (0x{cnp:02x})", "", roce.cnp_priority, "the NIC's own"),
    )
    return [
        "## One marking, four spellings",
        "",
        *table(header, rows),
        "",
        f"{_BYTE} {roce.dscp} written there would be DSCP {roce.dscp >> 2}.",
        "",
        f"The hosts are given {tos}: the ECN bits are left to the adapter. {_ECT} {ect}.",
        "",
    ]


def _classes(design: Design) -> list[str]:
    class_map = design.lossless.class_map
    weights = {c.queue: c.weight or 0 for c in class_map.classes if c.scheduler == "dwrr"}
    header = ("class", "DSCP", "priority", "TC", "queue", "PG", "loss", "scheduler", "share or cap")
    rows = [
        (
            c.name,
            dscp_ranges(c.dscps),
            c.priority,
            c.traffic_class,
            c.queue,
            c.priority_group,
            "lossless" if c.lossless else "lossy",
            c.scheduler,
            _share(c, sum(weights.values())),
        )
        for c in class_map.classes
    ]
    uncapped = _lacking(design, "rate_cap")
    note = [f"Strict queues are uncapped on {uncapped}, which cannot cap them.", ""]
    return [
        "## Classes: all 64 DSCPs",
        "",
        *table(header, rows),
        "",
        f"The map is bound on every port of every switch{_but(design)}; {_NO_STOCK}",
        "",
        *(note if uncapped else []),
    ]


def _but(design: Design) -> str:
    rise = design.intent.roce.rise
    return "" if rise is None else f" (what differs on {' and '.join(rise.kinds)} ports: below)"


def _share(traffic_class: TrafficClass, total: int) -> str:
    if traffic_class.scheduler == "dwrr":
        weight = traffic_class.weight or 0
        return f"weight {weight}, at least {100 * weight / total:.3g} %" if total else ""
    cap = traffic_class.max_rate_percent
    return "uncapped" if cap is None else f"at most {cap} % of line rate"


def _pause(design: Design) -> list[str]:
    lossless = design.lossless
    priorities = ", ".join(map(str, lossless.class_map.lossless_priorities)) or "none"
    watchdog = lossless.watchdog
    text = (
        f"polls every {watchdog.poll_ms} ms, acts after {watchdog.detect_ms} ms of pause, restores "
        f"after {watchdog.restore_ms} ms, action `{watchdog.action}`"
        if watchdog.enabled
        else "off"
    )
    roce = design.intent.roce
    without = [
        f"Not on {systems}: {what}."
        for capability, what in (("lossless", "it has no PFC"), ("watchdog", "it has no watchdog"))
        if (systems := _lacking(design, capability))
    ]
    where = "at both ends of every cable" if lossless.profiles else "on the hosts alone"
    mtu = f"switches {roce.switch_mtu_bytes}, hosts {roce.host_mtu_bytes}"
    return [
        "## Pause and watchdog",
        "",
        f"- PFC priorities: {priorities}, {where}; global pause is off.",
        f"- PFC watchdog: {text}.",
        f"- MTU: {mtu}, RDMA path {roce.rdma_mtu_bytes}.",
        *(f"- {line}" for line in without),
        "",
    ]


def _lacking(design: Design, capability: str) -> str:
    """Titles of the systems in use that lack a capability; empty: none."""
    specs: dict[str, PlatformSpec] = {}
    for switch in design.topology.switches:
        spec = design.intent.hardware.of(switch.name, switch.role).platform
        specs[spec.name] = spec
    lacking = [s.title for s in specs.values() if not getattr(s.capabilities, capability)]
    return ", ".join(natural_sorted(lacking))


def _dcbx() -> list[str]:
    return ["## DCBX", "", _NOBODY_NEGOTIATES, ""]


def _assumptions(design: Design) -> list[str]:
    roce = design.intent.roce
    notes = (f"Round-trip time for marking: {roce.rtt_us:g} µs.", *design.lossless.notes)
    return ["## Assumptions and notes", "", *(f"- {note}" for note in notes), ""]
