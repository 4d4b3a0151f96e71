"""From the inventory and ssh_config to connections: how each device of a plan is reached."""

from __future__ import annotations

import getpass
import os
from dataclasses import dataclass, replace
from ipaddress import ip_interface
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.live.connections import Connection, SecretSource
from fabric.live.transport.jumps import JumpError, hops
from fabric.live.transport.known_hosts import SSH_PORT
from fabric.live.transport.ssh_config import SshConfigError, read_ssh_config
from fabric.model.push_change import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.live.connections import Connections
    from fabric.live.transport.ssh_config import HostOptions, SshConfigFile
    from fabric.model.intent import ConnectionPolicy, ManagementPolicy

KNOWN_HOSTS = "known_hosts"  # in the private folder of the fabric
_OWN_KNOWN_HOSTS = ("~/.ssh/known_hosts", "/etc/ssh/ssh_known_hosts")
_OWN_KEYS = ("id_ed25519", "id_ecdsa", "id_rsa")  # ssh_config(5), IdentityFile


@dataclass(frozen=True, slots=True)
class Access:
    """How devices are reached, and why some are not; with one refused, none is to be touched."""

    connections: Connections
    refused: tuple[Refused, ...]


def connections(
    policy: ConnectionPolicy,
    management: ManagementPolicy,
    devices: Iterable[str],
    private: Path,
) -> Access:
    """Connections by device, in this order. ``private``: ``.fabric/<fabric>`` of this fabric."""
    wanted = tuple(devices)
    if not _has_a_name():
        message = f"this machine has no name for user {os.getuid()}, which SSH needs"
        return Access({}, (Refused(None, "RCE903", message, "export USER=NAME"),))
    try:
        config = read_ssh_config(policy.ssh_config)
    except SshConfigError as error:
        fix = "mend it, or write connection.ssh_config: none"
        return Access({}, (Refused(None, "RCE904", str(error), fix),))
    found: Connections = {}
    refused: list[Refused] = []
    for device in wanted:
        address = management.address_of(device)
        if address is None:
            message = f"{device}: no management address"
            fix = "write it under management.addresses; --device pushes to others alone"
            refused.append(Refused(device, "RCE901", message, fix))
            continue
        try:
            found[device] = _connection(device, address, policy, config, private)
        except (SshConfigError, JumpError) as error:
            fix = "ProxyJump and connection.jump_host are honoured"
            refused.append(Refused(device, "RCE904", f"{device}: {error}", fix))
    refused += _duplicates(found)
    return Access(found, tuple(refused))


def _connection(
    device: str, address: str, policy: ConnectionPolicy, config: SshConfigFile, private: Path
) -> Connection:
    """The inventory's word, else that of ssh_config, else the default of SSH."""
    own = policy.of(device)
    host = str(ip_interface(address).ip)
    said = config.of(device if config.names(device) else host)
    user = own.user or policy.user or said.user or getpass.getuser()
    key_file = own.key_file or policy.key_file or ""
    jumps = own.jump_host or policy.jump_host or said.proxy_jump or ""
    made = Connection(
        device=device,
        address=host,
        port=own.port or policy.port or said.port or SSH_PORT,
        user=user,
        key_file=str(Path(key_file).expanduser()) if key_file else "",
        known_hosts=str(private / KNOWN_HOSTS),
        more_keys=_more_keys(said, named=bool(key_file)),
        secret=_secret(policy, user),
        agent=policy.agent and bool(os.environ.get("SSH_AUTH_SOCK")),
        only_these_keys=said.identities_only,
        read_known_hosts=said.known_hosts
        or tuple(str(Path(f).expanduser()) for f in _OWN_KNOWN_HOSTS),
        host_key_names=(device,),
        host_key_alias=said.host_key_alias or "",
        cli=policy.cli_of(device),
    )
    return replace(made, jumps=hops(jumps, config, made))


def _has_a_name() -> bool:
    """Whether the user that runs this has one; in a container perhaps not."""
    try:
        return bool(getpass.getuser())
    except (KeyError, OSError):
        return False


def _more_keys(said: HostOptions, *, named: bool) -> tuple[str, ...]:
    """Keys of ssh_config; where nothing is named at all, those that ssh tries by itself."""
    if said.identity_files or named:
        return said.identity_files
    own = (Path("~/.ssh").expanduser() / name for name in _OWN_KEYS)
    return tuple(str(path) for path in own if path.is_file())


def _secret(policy: ConnectionPolicy, user: str) -> SecretSource | None:
    if policy.password_env:
        return SecretSource("env", policy.password_env)
    if policy.password_command:
        return SecretSource("command", policy.password_command)
    if policy.keyring_service:
        return SecretSource("keyring", policy.keyring_service, user)
    return SecretSource("ask", f"password of {user}") if policy.ask else None


def _duplicates(found: Connections) -> list[Refused]:
    first: dict[tuple[str, int, tuple[Connection, ...]], str] = {}
    refused = []
    for device, made in found.items():
        other = first.setdefault((made.address, made.port, made.jumps), device)
        if other != device:
            message = f"{device} and {other} have one management address, {made.where}"
            refused.append(Refused(device, "RCE902", message, "give each its own"))
    return refused
