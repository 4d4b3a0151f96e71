"""Keys of a rehearsal: the user's own, and a host key for each fake switch."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519

if TYPE_CHECKING:
    from pathlib import Path


def host_key_text(salt: str, device: str) -> str:
    """A host key in OpenSSH's format: the same for the same salt and device."""
    seed = hashlib.sha256(f"{salt}\0{device}".encode()).digest()
    return (
        ed25519.Ed25519PrivateKey.from_private_bytes(seed)
        .private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.OpenSSH,
            serialization.NoEncryption(),
        )
        .decode()
    )


def public_line(private: str) -> str:
    """The public half, as it stands in ``known_hosts``: type and base64."""
    key = serialization.load_ssh_private_key(private.encode(), password=None)
    return (
        key.public_key()
        .public_bytes(serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH)
        .decode()
    )


def write_user_key(folder: Path, salt: str) -> tuple[Path, str]:
    """Write the user's key into a folder; its path, and the public half."""
    private = host_key_text(salt, "user")
    path = folder / "id_ed25519"
    path.touch(mode=0o600)
    path.write_text(private)
    return path, public_line(private)


def fingerprint(public: str) -> str:
    """A public key's fingerprint, as ``ssh-keygen -l`` prints it."""
    digest = hashlib.sha256(base64.b64decode(public.split()[1])).digest()
    return "SHA256:" + base64.b64encode(digest).decode().rstrip("=")
