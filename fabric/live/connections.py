"""How a device is reached: handed out by a lab as by a data centre, so that users cannot tell."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Connection:
    """SSH to one device. ``known_hosts``: a file that holds its host key."""

    device: str
    address: str
    port: int
    user: str
    key_file: str
    known_hosts: str


Connections = dict[str, Connection]  # by device
