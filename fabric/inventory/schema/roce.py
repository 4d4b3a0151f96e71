"""``roce:`` — marking, classes, PFC, ECN, watchdog and MTU; a preset fills what is left out."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fabric.inventory.schema.base import Dscp, Dscps, Percent, PositiveInt, Priority, Section

_Milliseconds = Annotated[int, Field(ge=1, le=60_000)]
_Mtu = Annotated[int, Field(ge=576, le=65_535)]


class ClassSection(Section):
    """A further class. ``roce`` and ``default`` may be named to give their ``weight`` alone."""

    name: str = Field(description="name of the class", pattern=r"^[a-z][a-z0-9_-]*$")
    dscp: Dscps | None = Field(default=None, description="DSCP, or a list of them")
    priority: Priority | None = Field(
        default=None, description="priority; traffic class and queue are the same number"
    )
    lossless: bool | None = Field(default=None, description="paused by PFC; default: false")
    scheduler: Literal["dwrr", "strict"] | None = Field(default=None, description="default: dwrr")
    weight: Percent | None = Field(
        default=None, description="share among the DWRR classes; default: an equal part of the rest"
    )
    max_rate_percent: Percent | None = Field(
        default=None, description="cap of a strict class in percent of line rate"
    )


class RaisedSection(Section):
    """The class that RoCE rises to; topologies without such a rise have none."""

    dscp: Dscp | None = Field(default=None, description="its marking; default: RoCE's + 8")
    priority: Priority | None = Field(
        default=None, description="its priority; default: the next one that no class has"
    )


class PfcSection(Section):
    """Which priorities are paused. It must name the lossless classes; absent: it does."""

    priorities: list[Priority] | None = Field(default=None, description="lossless priorities")


class EcnSection(Section):
    """Marking thresholds; absent: computed from speed and RTT, below the pause threshold."""

    kmin_bytes: PositiveInt | None = Field(default=None, description="marking begins")
    kmax_bytes: PositiveInt | None = Field(default=None, description="marking reaches pmax")
    pmax_percent: Annotated[int, Field(ge=1, le=100)] = Field(
        default=5, description="probability of marking at kmax"
    )
    fill_percent: Annotated[list[Percent], Field(min_length=2, max_length=2)] | None = Field(
        default=None,
        description="systems that count percent (Junos): marking begins and reaches its most at "
        "these shares of the queue's buffer; default: [55, 90]",
    )
    fill_pmax_percent: Annotated[int, Field(ge=1, le=100)] = Field(
        default=100, description="on these systems: probability of marking at the upper share"
    )


class WatchdogSection(Section):
    """PFC watchdog; absent values follow from the slowest link."""

    enabled: bool = Field(default=True, description="armed on every lossless queue")
    poll_ms: _Milliseconds = Field(default=100, description="how often it looks")
    detect_ms: _Milliseconds | None = Field(
        default=None, description="paused this long is a storm; default: ≥ 1,000 longest pauses"
    )
    restore_ms: _Milliseconds | None = Field(
        default=None, description="calm this long ends it; default: twice detect_ms"
    )
    action: Literal["drop", "forward", "alert"] = Field(
        default="drop",
        description="what happens to a stormed queue; default: another where a system cannot drop",
    )


class MtuSection(Section):
    """MTU in bytes: of the switch ports, of the hosts' NICs, of RDMA."""

    switch: _Mtu = Field(
        default=9216, description="of every switch port; default: less where a system takes less"
    )
    host: _Mtu = Field(default=9000, description="of every NIC")
    rdma: Literal[256, 512, 1024, 2048, 4096] = Field(default=4096, description="RDMA path MTU")


class RoceSection(Section):
    """The lossless policy."""

    preset: str = Field(default="nvidia", description="ecosystem whose values fill the rest")
    dscp: Dscp | None = Field(default=None, description="marking of RoCE data")
    priority: Priority | None = Field(
        default=None, description="its priority, traffic class, queue and priority group"
    )
    cnp_dscp: Dscp | None = Field(default=None, description="marking of CNP")
    cnp_priority: Priority | None = Field(
        default=None, description="priority and queue of CNP: strict, never lossless"
    )
    cnp_rate_percent: Percent = Field(
        default=10, description="cap of the CNP queue in percent of line rate"
    )
    classes: list[ClassSection] = Field(default_factory=list, description="further classes")
    raised: list[RaisedSection] | None = Field(
        default=None, description="classes that RoCE rises to; default: what the topology needs"
    )
    pfc: PfcSection = Field(default=PfcSection())
    ecn: EcnSection = Field(default=EcnSection())
    rtt_us: Annotated[float, Field(gt=0, le=100_000)] = Field(
        default=20.0, description="round trip time that ECN thresholds are computed for"
    )
    watchdog: WatchdogSection = Field(default=WatchdogSection())
    mtu: MtuSection = Field(default=MtuSection())
    trust: Literal["dscp"] = Field(
        default="dscp", description="routed ports carry no 802.1p tag, so only DSCP can be trusted"
    )
    dynamic_th: Annotated[int, Field(ge=-8, le=7)] | None = Field(
        default=None, description="n: alpha = 2^n of lossless buffers; default: the SKU's row"
    )
    xoff_bytes: PositiveInt | None = Field(
        default=None, description="your own headroom for every port; default: row or formula"
    )
