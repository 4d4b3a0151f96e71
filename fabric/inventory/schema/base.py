"""What every section of the schema is made of: strict models and a few types."""

from __future__ import annotations

import ipaddress
import re
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
)

SPEEDS_GBPS = (1, 10, 25, 40, 50, 100, 200, 400, 800)
NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
MAX_NAME = 63
MAX_INTERFACE = 15
INTERFACE = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,14}$"  # the kernel's 15, less what a shell would read


class Section(BaseModel):
    """One mapping of the inventory: nothing is converted, unknown keys are refused."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, allow_inf_nan=False, populate_by_name=False
    )


def _speed(value: int) -> int:
    if value not in SPEEDS_GBPS:
        known = ", ".join(str(speed) for speed in SPEEDS_GBPS)
        msg = f"is no Ethernet speed known here: {known} Gb/s"
        raise ValueError(msg)
    return value


def _name(value: str) -> str:
    if not re.match(NAME, value) or len(value) > MAX_NAME:
        msg = (
            "must begin with a letter or digit, go on with letters, digits, '-', '_' and '.', "
            f"and have at most {MAX_NAME} of them"
        )
        raise ValueError(msg)
    return value


def _interface_name(value: str) -> str:
    if not re.fullmatch(INTERFACE.strip("^$"), value):
        msg = "is no interface: letters, digits, '-', '_' and '.', at most 15 of them"
        raise ValueError(msg)
    return value


def _interface_names(value: str) -> str:
    for name in value.split(","):
        _interface_name(name)
    return value


def _network(value: str) -> str:
    try:
        return str(ipaddress.ip_network(value))
    except ValueError:
        msg = f"is no network prefix{_network_hint(value)}"
        raise ValueError(msg) from None


def _network_hint(value: str) -> str:
    try:
        return f": bits are set behind it; write {ipaddress.ip_network(value, strict=False)}"
    except ValueError:
        return " such as 10.0.0.0/12"


def _interface(value: str) -> str:
    if "/" not in value:
        msg = "needs a prefix length, such as 192.0.2.1/24"
        raise ValueError(msg)
    try:
        return str(ipaddress.ip_interface(value))
    except ValueError:
        msg = "is no address with prefix length, such as 192.0.2.1/24"
        raise ValueError(msg) from None


def _address(value: str) -> str:
    try:
        return str(ipaddress.ip_address(value))
    except ValueError:
        msg = "is no IP address"
        raise ValueError(msg) from None


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, (str, int)) and not isinstance(value, bool) else value


def _as_text(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _one_or_more(item: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [item, {"type": "array", "items": item}]}


Speed = Annotated[int, AfterValidator(_speed), Field(json_schema_extra={"enum": list(SPEEDS_GBPS)})]
Name = Annotated[str, AfterValidator(_name), Field(json_schema_extra={"pattern": NAME})]
Interface = Annotated[
    str, AfterValidator(_interface_name), Field(json_schema_extra={"pattern": INTERFACE})
]
Interfaces = Annotated[str, AfterValidator(_interface_names)]  # with commas between
Names = Annotated[
    list[str], BeforeValidator(_listed), WithJsonSchema(_one_or_more({"type": "string"}))
]
Network = Annotated[str, AfterValidator(_network)]
InterfaceAddress = Annotated[str, AfterValidator(_interface)]
Address = Annotated[str, AfterValidator(_address)]
EnvValue = Annotated[
    str, BeforeValidator(_as_text), WithJsonSchema({"type": ["string", "integer"]})
]
Dscp = Annotated[int, Field(ge=0, le=63)]
Dscps = Annotated[
    list[Dscp],
    BeforeValidator(_listed),
    WithJsonSchema(_one_or_more({"type": "integer", "minimum": 0, "maximum": 63})),
]
Priority = Annotated[int, Field(ge=0, le=7)]
Percent = Annotated[int, Field(ge=1, le=100)]
Metres = Annotated[float, Field(gt=0, le=100_000)]
PositiveInt = Annotated[int, Field(ge=1)]
Index = Annotated[int, Field(ge=0)]
