"""Private keys: files, read once, and those that the ssh agent holds."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.live.transport.memory import forbid_core_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from paramiko import PKey
    from paramiko.agent import Agent

    from fabric.live.transport.secrets import Secret


class KeyFiles:
    """Private keys by file and secret: unlocking one is made to be slow."""

    def __init__(self) -> None:
        self._read: dict[str, PKey | str] = {}
        self._lock = threading.Lock()

    def get(self, file: str, secret: Secret | None) -> PKey | str:
        """The key, or why there is none."""
        path = str(Path(file).expanduser())
        with self._lock:
            if path not in self._read:
                forbid_core_files()
                self._read[path] = _load(path, secret)
            return self._read[path]


def _load(path: str, secret: Secret | None) -> PKey | str:
    from paramiko import ECDSAKey, Ed25519Key, RSAKey, SSHException  # noqa: PLC0415 - slow
    from paramiko import PasswordRequiredException as Locked  # noqa: PLC0415 - slow

    locked = False
    for kind in (Ed25519Key, ECDSAKey, RSAKey):
        try:
            key: PKey = kind.from_private_key_file(
                path, None if secret is None else secret.reveal()
            )
            if Path(f"{path}-cert.pub").exists():
                key.load_certificate(f"{path}-cert.pub")
        except FileNotFoundError:
            return f"the key file {path} does not exist"
        except OSError as error:
            return f"the key file {path} cannot be read: {error.strerror}"
        except Locked:
            locked = True
        except (SSHException, ValueError, TypeError, IndexError):
            continue  # a key of another kind
        else:
            return key
    if locked:
        return f"the key file {path} is locked, and no passphrase for it is named"
    opens = "" if secret is None else ", or none that opens with the secret that is named"
    return f"{path} holds no private key that is understood{opens}"


def agent_keys(agent: Agent, only: tuple[PKey, ...] | None) -> Iterator[PKey]:
    """Keys of the agent; with ``only``, those among them."""
    wanted = None if only is None else {key.asbytes() for key in only}
    for key in agent.get_keys():
        if wanted is None or key.asbytes() in wanted:
            yield key
