"""A switch system's manifest as a value (``templates/<platform>/platform.yaml``)."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What the system can do, as far as a source confirms it."""

    lossless: bool  # False: no PFC at all (FRR on veth)
    ecn: bool
    watchdog: bool
    unnumbered: bool
    rate_cap: bool  # strict queues can be capped
    per_port_maps: bool  # DSCP→TC, TC→queue, PFC→queue, TC→DSCP may differ per port
    load_balancing: tuple[str, ...]  # of ecmp, dlb, spray, adaptive
    max_ecmp_paths: int
    mtu_max_bytes: int
    mtu_counts_l2_header: bool  # False: the limit is the IP MTU
    max_lossless_priorities: int
    ecn_unit: str = "bytes"  # of marking thresholds; percent: of the queue's buffer
    bfd: bool = False
    marks_bgp: bool = False  # its config says with which DSCP BGP's own packets leave
    states_buffers: bool = False  # its config names priority groups and their buffers
    # Seed of the ECMP hash in its config: "role" as planned, "tier" of the tier's number, "none"
    hash_seed: str = "none"


@dataclass(frozen=True, slots=True)
class FileSpec:
    """One file of a device: its name in the plan, its path on the device, its top template."""

    name: str
    remote_path: str
    template: str
    form: str  # text or json
    comment: str | None  # comment lead-in; None: the form has no comments, so no header
    mode: str = "0644"


@dataclass(frozen=True, slots=True)
class WatchdogRange:
    """Limits in milliseconds (lowest, highest), and what it can do with a stormed queue.

    ``detect_in_polls``: detection is counted in polls, so it is a multiple of the poll.
    """

    poll_ms: tuple[int, int]
    detect_ms: tuple[int, int]
    restore_ms: tuple[int, int]
    actions: tuple[str, ...] = ("drop", "forward", "alert")
    detect_in_polls: bool = False


@dataclass(frozen=True, slots=True)
class VlanWords:
    """VLANs with an address of the switch in them (SVI).

    ``svi``: what their interface is called, ``{n}`` the VLAN. ``arp_timeout_s``, ``mac_aging_s``:
    how long an entry lives as the templates set it; ``None``: no source confirms a command for it.
    """

    svi: str
    arp_timeout_s: int | None = None
    mac_aging_s: int | None = None

    def name(self, vlan: int) -> str:
        """The interface of a VLAN."""
        return self.svi.replace("{n}", str(vlan))


@dataclass(frozen=True, slots=True)
class LagWords:
    """Link aggregation. ``pattern``: what a port-channel is called, ``{n}`` its number.

    ``dual_tor``: ASIC families on which a bond can end on two switches of this system, ``*`` for
    all. ``no_dual_tor``: why it cannot on any other.
    """

    pattern: str
    no_dual_tor: str
    dual_tor: tuple[str, ...] = ()

    def takes_dual_tor(self, asic_family: str) -> bool:
        """Whether a bond can end on two switches with this chip."""
        return "*" in self.dual_tor or asic_family in self.dual_tor

    def name(self, number: int) -> str:
        """The port-channel of that number."""
        return self.pattern.replace("{n}", str(number))


@dataclass(frozen=True, slots=True)
class SyntaxFamily:
    """Boxes whose commands differ from those of other boxes with the same system.

    ``boxes``: which ones, in words. ``watchdog`` ``None``: limits as the system's.
    """

    name: str
    boxes: str
    watchdog: WatchdogRange | None = None


@dataclass(frozen=True, slots=True)
class PlatformSpec:
    """A manifest. ``experimental``: rendered with a warning header, refused by push."""

    name: str
    title: str
    kind: str  # switch, host or tool
    template_version: str
    os_versions: tuple[str, ...]
    confidence: str
    experimental: bool
    netmiko_type: str
    files: tuple[FileSpec, ...]
    capabilities: Capabilities
    watchdog: WatchdogRange | None
    name_max_length: int
    owns: tuple[str, ...]
    ignores: tuple[str, ...]
    source: str = ""
    # Where a model has none for this system: "unsplit|split" patterns, then "|" and the pattern of
    # single-lane cages if they are named otherwise.
    port_naming: str = ""
    vlan: VlanWords | None = None  # None: no host ports in VLANs here
    lag: LagWords | None = None  # None: no bonds of hosts here
    vendors: tuple[str, ...] = ()  # whose switches it runs on; empty: not bound to any
    syntax_by_version: bool = False  # releases differ in their words: no other than os_versions
    naming_is_generic: bool = False  # port_naming holds for the generic model alone
    syntax_families: tuple[SyntaxFamily, ...] = ()  # empty: all its boxes speak alike

    def of_family(self, name: str | None) -> PlatformSpec:
        """The manifest with the limits of one of its families."""
        family = next((one for one in self.syntax_families if one.name == name), None)
        if family is None:
            return self
        title = f"{self.title} of family {family.name}"
        return replace(self, title=title, watchdog=family.watchdog or self.watchdog)
