"""Proving who we are: key files, the agent's keys, the password."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.transport.credentials import nothing_named
from fabric.live.transport.errors import DeviceError, Kind
from fabric.live.transport.keys import agent_keys
from fabric.live.transport.secret_sources import NoSecretError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from paramiko import PKey, Transport

    from fabric.live.connections import Connection
    from fabric.live.transport.credentials import Credentials
    from fabric.live.transport.secrets import Secret
    from fabric.live.transport.times import Deadline


def log_in(
    transport: Transport, to: Connection, credentials: Credentials, deadline: Deadline
) -> None:
    """Try what the connection names, keys before the password.

    Raises:
        DeviceError: ``LOGIN``, with what was tried; ``NO_CREDENTIAL``: nothing could be tried.
        SSHException, EOFError: the connection broke off.
    """
    from paramiko import AuthenticationException, BadAuthenticationType  # noqa: PLC0415 - slow

    secret = _secret(to, credentials)
    tried: list[str] = []
    accepted: tuple[str, ...] = ()
    notes: list[str] = []
    for what, key in _offers(to, credentials, secret, notes):
        transport.auth_timeout = max(0.001, deadline.left_s)
        refusal = None
        try:
            if key is not None:
                still = transport.auth_publickey(to.user, key)
            elif secret is not None:
                still = transport.auth_password(to.user, secret.reveal())
        except BadAuthenticationType as error:
            refusal, accepted = "", tuple(error.allowed_types)
        except AuthenticationException as error:
            refusal = str(error)
        if refusal is None and not still:
            return
        tried.append(what)
        if refusal is not None and "timeout" in refusal.lower():
            raise _unanswered(to, what)
        if not transport.is_active():
            break
    raise _refused(to, tried, accepted, notes, broke_off=not transport.is_active())


def _secret(to: Connection, credentials: Credentials) -> Secret | None:
    problem = ""
    try:
        return None if to.secret is None else credentials.secrets.get(to.secret)
    except NoSecretError as error:
        problem = str(error)
    raise DeviceError(Kind.NO_CREDENTIAL, to.device, f"{to.device}: {problem}")


def _offers(
    to: Connection, credentials: Credentials, secret: Secret | None, notes: list[str]
) -> Iterator[tuple[str, PKey | None]]:
    """What to try, and its key; ``notes``: what was named and cannot be used."""
    from paramiko import Agent, PKey  # noqa: PLC0415 - slow

    files = [(name, credentials.key_files.get(name, secret)) for name in to.keys]
    keys = tuple(key for _, key in files if isinstance(key, PKey))
    notes += [key for _, key in files if isinstance(key, str)]
    yield from ((f"the key file {name}", key) for name, key in files if isinstance(key, PKey))
    if to.agent:
        agent = Agent()
        try:
            only = keys if to.only_these_keys else None
            for key in agent_keys(agent, only):
                if not any(key.asbytes() == other.asbytes() for other in keys):
                    yield f"a key of the ssh agent ({key.get_name()})", key
        finally:
            agent.close()
    if secret is not None:
        yield "the password", None


def _unanswered(to: Connection, what: str) -> DeviceError:
    why = "the server behind its login (RADIUS, TACACS+, LDAP) may be down"
    message = f"{to.device}: {to.where} does not answer the login of {to.user} with {what}; {why}"
    return DeviceError(Kind.SILENT, to.device, message)


def _refused(
    to: Connection,
    tried: list[str],
    accepted: tuple[str, ...],
    notes: list[str],
    *,
    broke_off: bool,
) -> DeviceError:
    beside = "".join(f"; {note}" for note in notes)
    if not tried:
        message = f"{to.device}: nothing to log in with: {nothing_named(to)}{beside}"
        return DeviceError(Kind.NO_CREDENTIAL, to.device, message)
    takes = f"; the server takes {', '.join(accepted)}" if accepted else ""
    many = "; it ended the connection, as after too many keys: name one by connection.key_file"
    message = (
        f"{to.device}: {to.where} refused the login of {to.user} with {_listed(tried)}{takes}"
        f"{many if broke_off else ''}{beside}; wrong user, key or password, or locked"
    )
    return DeviceError(Kind.LOGIN, to.device, message)


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
