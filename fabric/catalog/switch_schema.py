"""The schema of ``switches/*.yaml``: cages, breakouts, SKUs, headroom rows and buffer pools."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from fabric.catalog.schema import Bytes, Figure, Positive, SourceData, Strict, Text

Natural = Annotated[int, Field(ge=0)]
_FIELDS = {"c", "c1", "n", "n0", "s", "l"}


def _known_fields(pattern: str) -> str:
    wrong = sorted(set(re.findall(r"\{([^}]*)\}", pattern)) - _FIELDS)
    if wrong:
        msg = f"an alias has no field {wrong[0]!r}; it may have {', '.join(sorted(_FIELDS))}"
        raise ValueError(msg)
    return pattern


Alias = Annotated[str, AfterValidator(_known_fields)]


def _positive_step(numbers: list[int]) -> list[int]:
    if numbers[2:] == [0]:
        msg = "the step must be at least 1"
        raise ValueError(msg)
    return numbers


Span = Annotated[  # first, last and, where it is not 1, the step
    list[Natural], Field(min_length=2, max_length=3), AfterValidator(_positive_step)
]


class NamingData(Strict):
    """How one system names the ports of an unsplit and of a split cage."""

    unsplit: Text
    split: Text
    source: SourceData


class CageNameData(Strict):
    """What one system calls the unsplit ports of a run: ``{c}`` cage, ``{i}`` its place, from 1."""

    name: Annotated[str, Field(pattern=r"\{[ci]\}")]
    source: SourceData


class SyntaxData(Strict):
    """Which family of a system's commands a box takes; the system's manifest lists them."""

    family: Text
    source: SourceData


class RunData(Strict):
    """A number for each cage of a run: ``first`` and ``step``, or all of them in ``each``."""

    first: Natural | None = None
    step: Natural | None = None
    each: list[Natural] | None = None

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        by_step = self.first is not None and self.step is not None
        if by_step == (self.each is not None):
            msg = "give first and step, or each"
            raise ValueError(msg)
        return self


class CagesData(Strict):
    """A run of equal cages. ``first_lane`` counts absolutely; without modes the SKU's split holds.

    ``modes`` maps SONiC's mode text to the alias pattern of the ports.
    """

    numbers: Span
    form_factor: Text | None = None
    management: bool = False
    speed_gbps: Positive
    lanes: Positive
    first_lane: RunData | None = None
    first_port_number: RunData | None = None
    modes: dict[Text, Alias] = Field(default_factory=dict)
    names: dict[Text, CageNameData] = Field(default_factory=dict)
    source: SourceData


class HeadroomData(Strict):
    """Published rows: cable in metres → speed in Gb/s → [size, xon, xoff] in bytes."""

    threshold: Annotated[int, Field(ge=-8, le=8)]
    xon_offset: Bytes | None = None
    rows: dict[Natural, dict[Positive, Annotated[list[Bytes], Field(min_length=3, max_length=3)]]]
    source: SourceData


class PoolData(Strict):
    """A shared pool; ``xoff`` is its shared headroom."""

    direction: Literal["ingress", "egress", "both"]
    mode: Literal["dynamic", "static"]
    size: Bytes
    xoff: Bytes | None = None


class ProfileData(Strict):
    """A share of a pool."""

    pool: Text
    size: Bytes
    dynamic_th: Annotated[int, Field(ge=-8, le=8)] | None = None
    static_th: Bytes | None = None
    xon: Bytes | None = None
    xoff: Bytes | None = None
    xon_offset: Bytes | None = None

    @model_validator(mode="after")
    def _one_threshold(self) -> Self:
        if (self.dynamic_th is None) == (self.static_th is None):
            msg = "give dynamic_th or static_th, one of the two"
            raise ValueError(msg)
        return self


class BuffersData(Strict):
    """Pools with the name of a set of profiles."""

    pools: dict[Text, PoolData]
    profiles: Text
    source: SourceData


class SkuPortsData(Strict):
    """How the SKU splits some cages; the rest where it numbers ports otherwise than they do."""

    cages: Span
    children: Positive
    speed_gbps: Positive
    lanes_each: Positive
    alias: Alias
    first_child: Positive = 1
    first_port_number: RunData | None = None
    port_number_step: Positive | None = None
    first_lane: RunData | None = None
    lane_order: list[Natural] = Field(default_factory=list)


class SkuData(Strict):
    """A hardware SKU, by reference to the tables of the file; ``buffers``: place → table."""

    headroom: Text | None = None
    buffers: dict[Literal["t0", "t1", "t2", "lt2", "ft2"], Text] = Field(default_factory=dict)
    ports: Annotated[list[SkuPortsData], Field(min_length=1)]
    source: SourceData


class PipelinesData(Strict):
    """How many ports the cages of one pipeline of the chip may have; ``cages`` by pipeline."""

    max_ports: Positive
    cages: list[Annotated[list[Natural], Field(min_length=1)]] = Field(default_factory=list)
    source: SourceData


class SwitchData(Strict):
    """The whole file. ``generic`` switches have as many ports as are used, so no cages."""

    vendor: Text
    asic: Text
    generic: bool = False
    sonic_platform: Text | None = None
    default_sku: Text | None = None
    max_logical_ports: Figure | None = None
    buffer_limit_bytes: Figure | None = None
    pipelines: PipelinesData | None = None
    naming: dict[Text, NamingData] = Field(default_factory=dict)
    syntax: dict[Text, SyntaxData] = Field(default_factory=dict)
    cages: list[CagesData] = Field(default_factory=list)
    skus: dict[Text, SkuData] = Field(default_factory=dict)
    headroom: dict[Text, HeadroomData] = Field(default_factory=dict)
    buffers: dict[Text, BuffersData] = Field(default_factory=dict)
    profiles: dict[Text, dict[Text, ProfileData]] = Field(default_factory=dict)
    source: SourceData

    @model_validator(mode="after")
    def _has_cages(self) -> Self:
        if self.generic == bool(self.cages):
            msg = "a generic switch has no cages" if self.generic else "cages are missing"
            raise ValueError(msg)
        return self
