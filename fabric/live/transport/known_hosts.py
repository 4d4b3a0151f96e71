"""Host keys: known_hosts files, fingerprints, and what a key that was shown means.

Format: sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT".
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
import re
import threading
from dataclasses import dataclass, field
from fnmatch import translate
from pathlib import Path

SSH_PORT = 22
_HASHED = "|1|"  # HMAC-SHA1 of the name
_writing = threading.Lock()


@dataclass(frozen=True, slots=True)
class HostKey:
    """A public key as a line of a file, or a server, gives it."""

    kind: str
    blob: bytes = field(repr=False)

    @property
    def fingerprint(self) -> str:
        """As ``ssh-keygen -l`` prints it."""
        digest = base64.b64encode(hashlib.sha256(self.blob).digest()).decode()
        return f"{self.kind} SHA256:{digest.rstrip('=')}"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line: names (or one hashed name), its key and where it stands."""

    marker: str
    names: str
    key: HostKey
    file: str
    line: int

    def speaks_of(self, name: str) -> bool:
        """Whether the line is about this name; ``!pattern`` excludes, ``*`` and ``?`` match."""
        if self.names.startswith(_HASHED):
            return _hash_matches(self.names, name)
        patterns = self.names.split(",")
        if any(p.startswith("!") and _pattern_matches(p[1:], name) for p in patterns):
            return False
        return any(_pattern_matches(pattern, name) for pattern in patterns)


class KnownHosts:
    """The lines of several files; a file that is not there has none."""

    def __init__(self, files: tuple[str, ...]) -> None:
        self._by_name: dict[str, list[Entry]] = {}
        self._others: list[Entry] = []
        for file in files:
            for entry in _read(file):
                self._add(entry)

    def _add(self, entry: Entry) -> None:
        names = entry.names.split(",")
        if any(name.startswith(("|", "!")) or "*" in name or "?" in name for name in names):
            self._others.append(entry)
            return
        for name in names:
            self._by_name.setdefault(name.lower(), []).append(entry)

    def of(self, name: str) -> list[Entry]:
        """All lines about a name (``known_as``)."""
        others = [entry for entry in self._others if entry.speaks_of(name)]
        return [*self._by_name.get(name.lower(), ()), *others]

    def record(self, name: str, key: HostKey, file: str) -> None:
        """Add a line to a file of mode 0600 in a folder of mode 0700.

        Raises:
            OSError: it cannot be written.
        """
        line = f"{name} {key.kind} {base64.b64encode(key.blob).decode()}\n"
        path = Path(file)
        with _writing:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            opened = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(opened, line.encode())
                os.fsync(opened)
            finally:
                os.close(opened)
            self._add(Entry("", name, key, file, 0))


def known_as(address: str, port: int) -> str:
    """A host's name in these files: the port is written where it is not SSH's own."""
    return address if port == SSH_PORT else f"[{address}]:{port}"


def _read(file: str) -> list[Entry]:
    try:
        text = Path(file).read_text("utf-8", "replace")
    except OSError:
        return []
    entries = (_entry(line.split(), file, n) for n, line in enumerate(text.splitlines(), 1))
    return [entry for entry in entries if entry is not None]


def _entry(words: list[str], file: str, number: int) -> Entry | None:
    marker = words.pop(0) if words[:1] and words[0].startswith("@") else ""
    if len(words) < 3 or words[0].startswith("#"):  # noqa: PLR2004 — names, kind, key
        return None
    try:
        blob = base64.b64decode(words[2], validate=True)
    except (binascii.Error, ValueError):
        return None
    return Entry(marker, words[0], HostKey(words[1], blob), file, number)


def _pattern_matches(pattern: str, name: str) -> bool:
    escaped = pattern.lower().replace("[", "[[]")  # brackets are no classes here
    return re.match(translate(escaped), name.lower()) is not None


def _hash_matches(text: str, name: str) -> bool:
    try:
        salt, digest = (base64.b64decode(part) for part in text[len(_HASHED) :].split("|"))
    except (binascii.Error, ValueError):
        return False
    return hmac.compare_digest(hmac.new(salt, name.lower().encode(), "sha1").digest(), digest)
