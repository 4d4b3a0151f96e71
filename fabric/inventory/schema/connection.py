"""``connection:``, how the switches are logged in to."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from fabric.inventory.schema.base import Section

_HOP = r"(?:[A-Za-z0-9._-]+@)?(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?"
JUMPS = rf"^(?:none|{_HOP}(?:,{_HOP})*)$"
VARIABLE = r"^[A-Za-z_][A-Za-z0-9_]*$"
USER = r"^[A-Za-z0-9._-]+$"


def _jumps(value: str) -> str:
    if not re.fullmatch(JUMPS.strip("^$"), value):
        msg = "is no list of jump hosts: [user@]host[:port], commas between, the first one first"
        raise ValueError(msg)
    return value


def _variable(value: str) -> str:
    if not re.fullmatch(VARIABLE.strip("^$"), value):
        msg = "is no name of an environment variable (letters, digits, '_'); never the password"
        raise ValueError(msg)
    return value


def _user(value: str) -> str:
    if not re.fullmatch(USER.strip("^$"), value):
        msg = "is no login name: letters, digits, '.', '_' and '-'"
        raise ValueError(msg)
    return value


Jumps = Annotated[str, AfterValidator(_jumps), Field(json_schema_extra={"pattern": JUMPS})]
Variable = Annotated[str, AfterValidator(_variable), Field(json_schema_extra={"pattern": VARIABLE})]
User = Annotated[str, AfterValidator(_user), Field(json_schema_extra={"pattern": USER})]
Port = Annotated[int, Field(ge=1, le=65_535)]
Cli = Literal["fabric", "netmiko"]
FileName = Annotated[str, Field(min_length=1)]


class DeviceConnectionSection(Section):
    """What is different for some devices."""

    user: User | None = None
    port: Port | None = None
    key_file: FileName | None = None
    jump_host: Jumps | None = Field(default=None, description="none: no jump host")
    cli: Cli | None = None


class ConnectionSection(Section):
    """How to log in, by reference: what is named here holds the secret, the inventory never."""

    user: User | None = Field(
        default=None, description="default: that of ssh_config, else who runs fabric"
    )
    port: Port | None = Field(default=None, description="default: that of ssh_config, else 22")
    key_file: FileName | None = Field(default=None, description="path of the private key")
    agent: bool = Field(default=True, description="keys of the ssh agent are tried as well")
    password_env: Variable | None = Field(default=None, description="variable with the password")
    password_command: Annotated[str, Field(min_length=1)] | None = Field(
        default=None, description="command that prints it on its first line; run without a shell"
    )
    keyring_service: str | None = Field(
        default=None, description="service in the keyring (needs the package keyring)"
    )
    ask: bool = Field(default=False, description="the password is asked for once, at the terminal")
    jump_host: Jumps | None = Field(
        default=None, description="hosts to go through, [user@]host[:port], commas between"
    )
    ssh_config: str | None = Field(
        default=None, description="file to read instead of ~/.ssh/config; none: no such file"
    )
    cli: Cli = Field(
        default="fabric", description="who speaks at a prompt: fabric itself, or netmiko's driver"
    )
    devices: dict[str, DeviceConnectionSection] = Field(
        default_factory=dict, description="device or range: what is different there"
    )
