"""Jump hosts: ``ProxyJump`` of ssh_config and ``jump_host`` of the inventory, chains included."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.live.transport.known_hosts import SSH_PORT

if TYPE_CHECKING:
    from fabric.live.connections import Connection
    from fabric.live.transport.ssh_config import SshConfigFile

_HOP = re.compile(
    r"(?:ssh://)?(?:(?P<user>[^@]+)@)?(?P<host>\[[^\]]+\]|[^:@/]+)(?::(?P<port>\d+))?/?"
)
_NONE = "none"


class JumpError(ValueError):
    """A jump host that cannot be understood, or a chain without an end."""


def hops(text: str, config: SshConfigFile, to: Connection) -> tuple[Connection, ...]:
    """The hosts to go through, the nearest to us first. Empty text, and ``none``: none.

    What is not written of a host is taken from ssh_config, the user from ``to`` at last. The
    password of the device is never offered to a jump host: keys and the agent are.

    Raises:
        JumpError: see there.
        SshConfigError: of ``config``.
    """
    return _hops(text, config, to, ())


def _hops(
    text: str, config: SshConfigFile, to: Connection, above: tuple[str, ...]
) -> tuple[Connection, ...]:
    if not text or text.lower() == _NONE:
        return ()
    found: list[Connection] = []
    for number, part in enumerate(text.split(",")):
        hop = _HOP.fullmatch(part.strip())
        if hop is None:
            msg = "a jump host is not written as [user@]host[:port]"
            raise JumpError(msg)
        host = hop["host"].strip("[]")
        if host in above:
            msg = f"the jump host {host} is reached through itself"
            raise JumpError(msg)
        said = config.of(host)
        if number == 0 and said.proxy_jump:  # as ssh does: the first one may have its own way
            found += _hops(said.proxy_jump, config, to, (*above, host))
        keys = said.identity_files or to.keys
        found.append(
            replace(
                to,
                device=host,
                address=said.host_name,
                port=int(hop["port"] or said.port or SSH_PORT),
                user=hop["user"] or said.user or to.user,
                key_file=keys[0] if keys else "",
                more_keys=keys[1:],
                secret=None,
                only_these_keys=said.identities_only,
                host_key_names=(host,),
                host_key_alias=said.host_key_alias or "",
                read_known_hosts=said.known_hosts or to.read_known_hosts,
            )
        )
    return tuple(found)
