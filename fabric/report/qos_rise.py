"""Where RoCE rises to another class on its way: the section of the QoS page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.report.qos_text import table

if TYPE_CHECKING:
    from fabric.model.design import Design
    from fabric.model.qos import Rise, TrafficClass

_BOTH_ENDS = "at both ends of the cable. What arrives is classed as on any other port."
_NOWHERE = (
    "Not here: no switch of this fabric has lossless classes. Hosts know all classes all the same, "
    "so that nothing changes on them with other switches."
)
_UNPROVEN = (
    "Maps that differ by port are in SONiC's tables; that a chip honours them is proven on no "
    "hardware yet. Before any job runs, check one idle switch of each model: `fabric explain "
    "RCE331` says how."
)


def rise_lines(design: Design) -> list[str]:
    """Return what differs on ports that make RoCE rise; nothing where it stays in one class."""
    rise = design.intent.roce.rise
    if rise is None:
        return []
    kinds = " and ".join(rise.kinds)
    if not design.lossless.profiles:
        return [f"## RoCE rises on {kinds} cables", "", _NOWHERE, ""]
    header = ("arrives as", "DSCP", "TC", "queue", "DSCP on the wire", "leaves as", "PFC")
    rows = [_row(design, rise, c) for c in design.lossless.class_map.classes]
    merged = [c.name for c in design.lossless.class_map.classes if len(c.dscps) > 1]
    one = (
        f"Classes with several DSCPs ({', '.join(merged)}) leave such a port with the first of "
        "them: a packet stays in its class, but its DSCP is not the sender's any more."
    )
    return [
        f"## RoCE rises on {kinds} cables",
        "",
        f"{rise.reason[:1].upper()}{rise.reason[1:]}." if rise.reason else "",
        f"So every switch sends RoCE on a {kinds} cable in the next class, {_BOTH_ENDS}",
        "",
        *table(header, rows),
        "",
        *([one, ""] if merged else []),
        _beyond(design, rise, kinds),
        "",
        _UNPROVEN,
        "",
    ]


def _row(design: Design, rise: Rise, traffic: TrafficClass) -> tuple[object, ...]:
    class_map = design.lossless.class_map
    following = rise.next_class(class_map, traffic)
    obeyed = f"obeys priority {following.priority}" if following.lossless else "never paused"
    return (
        traffic.name,
        traffic.dscps[0] if len(traffic.dscps) == 1 else f"{len(traffic.dscps)} of them",
        traffic.traffic_class,
        following.queue,
        following.dscps[0],
        following.name,
        obeyed,
    )


def _beyond(design: Design, rise: Rise, kinds: str) -> str:
    last, default = rise.steps[-1], design.lossless.class_map.of_dscp(0)
    return (
        f"No path of the design takes another {kinds} cable in class {last}. Should routing err, "
        f"such a packet goes on in class {default.name}: it may be dropped, but waits for nobody."
    )
