"""The schema of ``platform.yaml``; ``manifest.py`` explains the keys."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from fabric.catalog.schema import ConfidenceWord, Strict, Text


def _ascending(values: list[int]) -> list[int]:
    if values[0] > values[1]:
        msg = f"the lowest value ({values[0]}) is above the highest ({values[1]})"
        raise ValueError(msg)
    return values


_Milliseconds = Annotated[int, Field(ge=1)]
_Range = Annotated[
    list[_Milliseconds], Field(min_length=2, max_length=2), AfterValidator(_ascending)
]


class FileData(Strict):
    """One file of a device."""

    name: Text
    remote_path: Annotated[str, Field(pattern="^/")]
    template: Text
    form: Literal["text", "json"]
    comment: Text | None = None
    mode: Annotated[str, Field(pattern="^0[0-7]{3}$")] = "0644"


class CapabilitiesData(Strict):
    """What the system can do."""

    lossless: bool
    ecn: bool
    ecn_unit: Literal["bytes", "percent"] = "bytes"
    watchdog: bool
    unnumbered: bool
    rate_cap: bool
    per_port_maps: bool
    load_balancing: list[Literal["ecmp", "dlb", "spray", "adaptive"]]
    max_ecmp_paths: Annotated[int, Field(ge=1)]
    mtu_max_bytes: Annotated[int, Field(ge=1280)]
    mtu_counts_l2_header: bool
    max_lossless_priorities: Annotated[int, Field(ge=0, le=8)]
    bfd: bool = False
    marks_bgp: bool = False
    states_buffers: bool = False
    hash_seed: Literal["role", "tier", "none"] = "none"


class WatchdogData(Strict):
    """Limits of the PFC watchdog, [lowest, highest] milliseconds, and its actions."""

    poll_ms: _Range
    detect_ms: _Range
    restore_ms: _Range
    actions: list[Literal["drop", "forward", "alert"]] = Field(default=["drop", "forward", "alert"])
    detect_in_polls: bool = False


class FamilyData(Strict):
    """Boxes whose commands differ from those of the others."""

    boxes: Text
    watchdog: WatchdogData | None = None


class PortNamingData(Strict):
    """How the system names the ports of unsplit and of split cages."""

    unsplit: Text
    split: Text
    single_lane: Text | None = None
    generic_only: bool = False


class VlanData(Strict):
    """VLANs with an address of the switch."""

    svi: Annotated[str, Field(pattern=r"\{n\}")]
    arp_timeout_s: Annotated[int, Field(ge=1)] | None = None
    mac_aging_s: Annotated[int, Field(ge=1)] | None = None


class LagData(Strict):
    """Port-channels."""

    pattern: Annotated[str, Field(pattern=r"\{n\}")]
    dual_tor: list[Text] = Field(default_factory=list)
    no_dual_tor: Text = ""


class ManifestData(Strict):
    """The whole manifest."""

    title: Text
    kind: Literal["switch", "host", "tool"]
    template_version: Text
    os_versions: list[Text]
    syntax_by_version: bool = False
    confidence: ConfidenceWord
    experimental: bool
    netmiko_type: Text
    vendors: list[Text] = Field(default_factory=list)
    files: list[FileData]
    capabilities: CapabilitiesData
    watchdog: WatchdogData | None = None
    name_max_length: Annotated[int, Field(ge=1)]
    owns: list[Text] = Field(default_factory=list)
    ignores: list[Text] = Field(default_factory=list)
    port_naming: PortNamingData | None = None
    syntax_families: dict[Text, FamilyData] = Field(default_factory=dict)
    vlan: VlanData | None = None
    lag: LagData | None = None
    source: Text

    @model_validator(mode="after")
    def _watchdog_has_limits(self) -> Self:
        if self.capabilities.watchdog and self.watchdog is None:
            msg = "capabilities.watchdog is true, so watchdog must give the limits"
            raise ValueError(msg)
        return self
