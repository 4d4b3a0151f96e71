"""``targets:``, what the design is meant to reach; without a target nothing is judged by it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fabric.inventory.schema.base import Section

_Percent = Annotated[float, Field(gt=0, le=100)]


class TargetsSection(Section):
    """What the bandwidth is meant to be; RCE601 to RCE605 judge what is written here."""

    oversubscription: Annotated[float, Field(gt=0, le=100)] | None = Field(
        default=None, description="most down capacity / up capacity of a tier, 1.0 is non-blocking"
    )
    effective_percent: _Percent | None = Field(
        default=None,
        description="least mean rate of a NIC under hashing, random bisections both ways",
    )
    qps: Annotated[int, Field(ge=1, le=256)] | None = Field(
        default=None,
        description="QPs a pair of NICs that effective_percent is meant with; default: the least "
        "qps_per_connection of the hosts",
    )
    worst_leaf_percent: _Percent | None = Field(
        default=None,
        description="least uplink capacity of a leaf, of what its NICs send, after any single "
        "failure",
    )
