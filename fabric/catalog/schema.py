"""The schema of hardware files: what every kind shares, and the short kinds in full.

Values are checked, never converted: ``200`` is a number, ``"200"`` a string. A figure that is not
known is left out; a figure without a source cannot be written down.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

Text = Annotated[str, Field(min_length=1)]
Positive = Annotated[int, Field(ge=1)]
Bytes = Annotated[int, Field(ge=0)]
Dscp = Annotated[int, Field(ge=0, le=63)]
Priority = Annotated[int, Field(ge=0, le=7)]
ConfidenceWord = Literal["measured", "read", "vendor-doc", "third-party", "derived"]


def _compiles(text: str) -> str:
    """The text itself, if it is a regular expression."""
    try:
        re.compile(text)
    except re.error as error:
        msg = f"is no regular expression: {error}"
        raise ValueError(msg) from None
    return text


Pattern = Annotated[str, Field(min_length=1), AfterValidator(_compiles)]
OptionalPattern = Annotated[str, AfterValidator(_compiles)]


class Strict(BaseModel):
    """No unknown key, no conversion between types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


class SourceData(Strict):
    """Where a figure comes from: repository and path, or document; and how sure it is."""

    text: Text
    confidence: ConfidenceWord


class Figure(Strict):
    """One number with a source of its own."""

    value: Bytes
    source: SourceData


class Flag(Strict):
    """One yes or no with a source of its own."""

    value: bool
    source: SourceData


class ExpansionData(Strict):
    """Worst-case cell expansion: every ``frame_bytes`` of the wire fill a cell."""

    cell_bytes: Positive
    frame_bytes: Positive


class XoffData(Strict):
    """Parameters of a headroom formula; ``fabric.model.hardware.XoffModel`` explains them."""

    form: Literal["nvidia", "linear", "generic"]
    expansion: ExpansionData | None = None
    peer_response_bytes: Bytes | None = None
    mac_phy_delay_bytes: Annotated[float, Field(ge=0)] = 0.0
    tile_bytes_per_gbps: Annotated[float, Field(ge=0)] = 0.0
    fixed_bytes: Annotated[float, Field(ge=0)] = 0.0
    response_us: Annotated[float, Field(ge=0)] = 0.0
    ns_per_m: Annotated[float, Field(ge=0)] = 0.0
    source: SourceData


class XonData(Figure):
    """XON threshold; on ports of eight lanes twice as much where the flag says so."""

    doubles_on_8_lanes: bool = False


class AsicData(Strict):
    """A switching chip. ``family`` is SONiC's word: mellanox, broadcom, …"""

    vendor: Text
    family: Text
    cell_bytes: Figure | None = None
    buffer_bytes: Figure | None = None
    max_lossless_priorities: Figure
    max_port_headroom_bytes: Figure | None = None
    xoff_model: XoffData
    xon_bytes: XonData | None = None
    pfc_to_pg_map: Flag
    source: SourceData


class NicPortsData(Strict):
    """One way to buy the adapter."""

    count: Positive
    speed_gbps: Positive


class MarkingData(Strict):
    """What the adapter's vendor recommends or presets."""

    roce_dscp: Dscp | None = None
    roce_priority: Priority | None = None
    cnp_dscp: Dscp | None = None
    cnp_priority: Priority | None = None
    source: SourceData


class TrustData(Strict):
    """What the port trusts out of the box."""

    value: Literal["pcp", "dscp"]
    source: SourceData


class NicPortListData(Strict):
    """The ways to buy the adapter, with their source."""

    choices: Annotated[list[NicPortsData], Field(min_length=1)]
    source: SourceData


class NicData(Strict):
    """A network adapter."""

    vendor: Text
    driver: Text
    generic: bool = False
    ports: NicPortListData
    rdma_mtu_bytes: Figure
    marking: MarkingData
    trust_default: TrustData | None = None
    out_of_order: Flag | None = None
    source: SourceData


class ServerNicData(Strict):
    """One RDMA port of a server: its device name, the GPU it serves, its NUMA node."""

    rdma: Text | None = None
    gpu: Annotated[int, Field(ge=0)]
    numa: Annotated[int, Field(ge=0)]


class ServerData(Strict):
    """A server: one row for each RDMA port, in the order of the operating system."""

    gpus: Positive
    nics: Annotated[list[ServerNicData], Field(min_length=1)]
    source: SourceData

    @model_validator(mode="after")
    def _rows_agree(self) -> Self:
        named = [row.rdma for row in self.nics if row.rdma is not None]
        if len(named) not in {0, len(self.nics)}:
            msg = "either all rows of nics name an rdma device or none does"
            raise ValueError(msg)
        if len(set(named)) != len(named):
            msg = "two rows of nics name the same rdma device"
            raise ValueError(msg)
        if any(row.gpu >= self.gpus for row in self.nics):
            msg = f"a row of nics names a GPU beyond the last, {self.gpus - 1}"
            raise ValueError(msg)
        return self


class CableData(Strict):
    """A cable or transceiver."""

    kind: Literal["dac", "acc", "aoc", "transceiver"]
    speed_gbps: Positive
    lanes: Positive
    plug: Text
    far_plug: Text | None = None
    legs: Positive = 1
    min_m: Annotated[float, Field(gt=0)] | None = None
    max_m: Annotated[float, Field(gt=0)] | None = None
    lengths_m: list[Annotated[float, Field(gt=0)]] = Field(default_factory=list)
    fec: Text | None = None
    source: SourceData
