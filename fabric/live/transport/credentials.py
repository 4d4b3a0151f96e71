"""What we can log in with, and what of it is missing."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from fabric.live.transport.keys import KeyFiles
from fabric.live.transport.secret_sources import NoSecretError, Secrets
from fabric.model.push_change import Refused

if TYPE_CHECKING:
    from fabric.live.connections import Connection, Connections


@dataclass(frozen=True)
class Credentials:
    """Where secrets and keys come from, for all devices."""

    secrets: Secrets = field(default_factory=Secrets)
    key_files: KeyFiles = field(default_factory=KeyFiles)

    def missing(self, connections: Connections) -> tuple[Refused, ...]:
        """What stands in the way of a login, before anything is touched; reads all secrets.

        One refusal for all devices that miss the same.
        """
        devices: dict[str, list[str]] = {}
        for connection in connections.values():
            for to in (*connection.jumps, connection):
                problem = self._problem(to)
                if problem:
                    devices.setdefault(problem, []).append(connection.device)
        return tuple(_missing(problem, names) for problem, names in devices.items())

    def _problem(self, to: Connection) -> str:
        """Why nothing can be tried at a host; empty: something can."""
        from paramiko import PKey  # noqa: PLC0415 - slow

        secret = None
        if to.secret is not None:
            try:
                secret = self.secrets.get(to.secret)
            except NoSecretError as error:
                return str(error)
        keys = [self.key_files.get(name, secret) for name in to.keys]
        if secret is not None or any(isinstance(key, PKey) for key in keys):
            return ""
        if to.agent and self.agent_holds_keys:
            return ""
        notes = [key for key in keys if isinstance(key, str)]
        return "; ".join(notes) or nothing_named(to)

    @cached_property
    def agent_holds_keys(self) -> bool:
        """Whether the ssh agent has any; asked once."""
        from paramiko import Agent  # noqa: PLC0415 - slow

        agent = Agent()
        try:
            return bool(agent.get_keys())
        finally:
            agent.close()


def _missing(problem: str, devices: list[str]) -> Refused:
    names = tuple(dict.fromkeys(devices))
    who = names[0] if len(names) == 1 else f"{len(names):,} devices ({names[0]} …)"
    fix = "provide it; `connection` in the inventory says where keys and passwords are kept"
    device = names[0] if len(names) == 1 else None
    return Refused(device, "RCE903", f"no credential for {who}: {problem}", fix)


def nothing_named(to: Connection) -> str:
    """What is said where there is neither key nor password."""
    agent = "the ssh agent holds no key" if to.agent else "no ssh agent was asked"
    return f"no key file and no password is named, and {agent}"
