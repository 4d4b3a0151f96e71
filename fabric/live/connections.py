"""How a device is reached: handed out by a lab as by a data centre, so that users cannot tell."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SecretSource:
    """Where a secret is kept; never the secret. Equal sources are read once.

    ``kind``: ``env`` (``name``: the variable), ``command`` (what prints it), ``keyring`` (the
    service; ``user`` is whose) or ``ask`` (the terminal; ``name``: what is asked for).
    """

    kind: str
    name: str
    user: str = ""


@dataclass(frozen=True, slots=True)
class Connection:
    """SSH to one device. ``known_hosts``: a file that holds its host key, or will after accepting.

    ``key_file``, ``more_keys``: private keys, tried in this order; empty: none is named.
    ``secret``: its password, which unlocks the key files too. ``agent``: the ssh agent is asked for
    keys; ``only_these_keys``: of the agent's, only those of the files named. ``jumps``: through
    these hosts, the nearest to us first. ``read_known_hosts``: more files with host keys, only
    read. ``host_key_names``: other names that its host key may be known under; ``host_key_alias``:
    the one that it is known under instead of the address. ``cli``: who speaks at a prompt,
    ``fabric`` or ``netmiko``; nobody asks where the system is reached by a shell.
    """

    device: str
    address: str
    port: int
    user: str
    key_file: str
    known_hosts: str
    more_keys: tuple[str, ...] = ()
    secret: SecretSource | None = None
    agent: bool = False
    only_these_keys: bool = False
    jumps: tuple[Connection, ...] = ()
    read_known_hosts: tuple[str, ...] = ()
    host_key_names: tuple[str, ...] = ()
    host_key_alias: str = ""
    cli: str = "fabric"

    @property
    def keys(self) -> tuple[str, ...]:
        """Key files in the order in which they are tried."""
        return tuple(dict.fromkeys(name for name in (self.key_file, *self.more_keys) if name))

    @property
    def where(self) -> str:
        """Address and port, as they are written after ``ssh://``."""
        host = f"[{self.address}]" if ":" in self.address else self.address
        return f"{host}:{self.port}"


Connections = dict[str, Connection]  # by device
