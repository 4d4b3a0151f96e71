"""Where a push keeps what it needs: ``.fabric/<fabric>/pushes/<id>/``, readable by its owner alone.

::

    .fabric/.gitignore                          ignores itself and everything beside it
    .fabric/<fabric>/pushes/<id>/change.json    what was approved
                                 journal.jsonl  what was done; none: nothing was begun
                                 rollback       of a rollback: the push that it goes back behind
                                 checkpoints/<device>/before/<file>   the running configuration
                                 checkpoints/<device>/target/<file>   what shall be in force instead
                                 checkpoints/<device>/candidate/<file>   as the device words it
                                 checkpoints/<device>/identity.json   what it said that it is

Configurations hold secrets, so folders are 0700 and files 0600. Nothing keeps all texts in memory.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.model.names import natural_sorted
from fabric.model.push import Identity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.model.push import Files

STATE = Path(".fabric")  # in the folder that fabric is called from, like build/
BEFORE, TARGET, CANDIDATE = "before", "target", "candidate"
_SUMS = ".sha256sums"  # beside the files of a device; as `sha256sum` writes and checks it


class NotWrittenError(Exception):
    """The disk of this machine does not take what a push has to keep."""

    def __init__(self, path: Path, error: OSError) -> None:
        super().__init__(f"{error.filename or path} cannot be written: {error.strerror}")


def pushes_of(fabric: str, state: Path = STATE) -> Path:
    """Where the pushes of a fabric lie, one folder each."""
    return state / fabric / "pushes"


def private_folder(path: Path) -> Path:
    """Make ``path`` and what is missing above it, for nobody else to look into.

    Raises:
        NotWrittenError: it cannot be made.
    """
    try:
        missing = [p for p in (path, *path.parents) if not p.exists()]
        for folder in reversed(missing):
            folder.mkdir(mode=0o700, exist_ok=True)
            if folder.name == STATE.name:
                (folder / ".gitignore").write_text("*\n", encoding="utf-8")
    except OSError as error:
        raise NotWrittenError(path, error) from None
    return path


def write_private(path: Path, pieces: Iterable[str]) -> None:
    """A file with mode 0600 and this text, whole or not at all, on the disk when this returns.

    Raises:
        NotWrittenError: it is not.
    """
    private_folder(path.parent)
    try:
        _write(path, pieces)
    except OSError as error:
        raise NotWrittenError(path, error) from None


def _write(path: Path, pieces: Iterable[str]) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # mode 0600
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@dataclass(frozen=True, slots=True)
class PushFolder:
    """The folder of one push; its name is the id of the push and sorts by time."""

    path: Path

    @property
    def change(self) -> Path:
        """The approved Change, canonical JSON."""
        return self.path / "change.json"

    @property
    def journal(self) -> Path:
        """What was done, a line each."""
        return self.path / "journal.jsonl"

    @property
    def rollback_of(self) -> str:
        """The push that this one goes back behind; empty: it is no rollback."""
        try:
            return _read(self._rollback).strip()
        except OSError:
            return ""

    def keep_rollback_of(self, push: str) -> None:
        """Write down that this is a rollback.

        Raises:
            NotWrittenError: it is not there.
        """
        write_private(self._rollback, (f"{push}\n",))

    @property
    def _rollback(self) -> Path:
        return self.path / "rollback"

    def files(self, device: str, which: str) -> Files | None:
        """The ``BEFORE``, ``TARGET`` or ``CANDIDATE`` of a device; ``None``: none was kept."""
        folder = self.place(device, which)
        if not folder.is_dir():
            return None
        names = natural_sorted(p.name for p in folder.iterdir() if not p.name.startswith("."))
        return {name: _read(folder / name) for name in names}

    def keep(self, device: str, which: str, files: Files) -> None:
        """Write the texts of a device to the disk.

        Raises:
            ValueError: the name of a file is no plain name.
            NotWrittenError: they are not there.
        """
        folder = private_folder(self.place(device, which))
        for name, text in files.items():
            if name != Path(name).name or name.startswith("."):
                msg = f"{name!r} is no name of a configuration file"
                raise ValueError(msg)
            write_private(folder / name, (text,))
        sums = (f"{_sum(text.encode())}  {name}\n" for name, text in files.items())
        write_private(folder / _SUMS, sums)

    def damaged(self, device: str, which: str) -> tuple[str, ...]:
        """Files of a device that are not as they were kept, are missing or were put there since."""
        folder = self.place(device, which)
        try:
            lines = _read(folder / _SUMS).splitlines()
            kept = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
            names = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
            same = {n for n in names & kept.keys() if _sum((folder / n).read_bytes()) == kept[n]}
        except (OSError, ValueError) as error:
            return (f"{_SUMS} ({error})",)
        return tuple(natural_sorted((names | kept.keys()) - same))

    def identity(self, device: str) -> Identity | None:
        """What a device said that it is; ``None``: it was not kept."""
        try:
            data = json.loads(_read(self._identity(device)))
            return Identity(**{**data, "facts": tuple((k, v) for k, v in data["facts"])})
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def keep_identity(self, device: str, identity: Identity) -> None:
        """Write down what a device said that it is; steps made later are then the same steps."""
        text = json.dumps(asdict(identity), ensure_ascii=False)
        write_private(self._identity(device), (text,))

    def _identity(self, device: str) -> Path:
        return self.path / "checkpoints" / device / "identity.json"

    def place(self, device: str, which: str) -> Path:
        """Where the ``BEFORE``, ``TARGET`` or ``CANDIDATE`` of a device lies, if it was kept."""
        return self.path / "checkpoints" / device / which


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read(path: Path) -> str:
    with path.open(encoding="utf-8", newline="") as file:  # byte for byte: no line ends changed
        return file.read()
