"""Files of a switch below a folder of this machine, as SFTP shows them."""

# ruff: noqa: ARG002 - the signatures are paramiko's

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, BinaryIO

import paramiko
from paramiko.sftp import SFTP_FAILURE, SFTP_OK

if TYPE_CHECKING:
    from pathlib import Path


class Disk(paramiko.SFTPServerInterface):
    """Files below a folder of this machine; ``FULL`` makes writes fail as on a full disk."""

    FULL = False
    KEEPS: int | None = None  # bytes of each file that reach the disk

    def __init__(self, server: paramiko.ServerInterface, root: Path) -> None:
        super().__init__(server)
        self._root = root

    def _real(self, path: str) -> Path:
        return self._root / path.lstrip("/")

    def open(self, path: str, flags: int, attr: paramiko.SFTPAttributes) -> Any:
        try:
            opened = os.open(self._real(path), flags, 0o666)
        except OSError as error:
            return paramiko.SFTPServer.convert_errno(error.errno or 0)
        handle = _File(flags, self)
        handle.opened = os.fdopen(opened, "r+b" if flags & (os.O_WRONLY | os.O_RDWR) else "rb")
        return handle

    def stat(self, path: str) -> Any:
        try:
            return paramiko.SFTPAttributes.from_stat(self._real(path).stat())
        except OSError as error:
            return paramiko.SFTPServer.convert_errno(error.errno or 0)

    def remove(self, path: str) -> int:
        try:
            self._real(path).unlink()
        except OSError as error:
            return paramiko.SFTPServer.convert_errno(error.errno or 0)
        return SFTP_OK

    def posix_rename(self, oldpath: str, newpath: str) -> int:
        self._real(oldpath).replace(self._real(newpath))
        return SFTP_OK


class _File(paramiko.SFTPHandle):
    opened: BinaryIO

    def __init__(self, flags: int, disk: Disk) -> None:
        super().__init__(flags)
        self._disk = disk

    def close(self) -> None:
        self.opened.close()

    def stat(self) -> Any:
        return paramiko.SFTPAttributes.from_stat(os.fstat(self.opened.fileno()))

    def chattr(self, attr: paramiko.SFTPAttributes) -> int:
        if attr.st_mode is not None:
            os.fchmod(self.opened.fileno(), attr.st_mode)
        return SFTP_OK

    def read(self, offset: int, length: int) -> bytes:
        self.opened.seek(offset)
        return self.opened.read(length)

    def write(self, offset: int, data: Any) -> int:
        if self._disk.FULL:
            return SFTP_FAILURE
        self.opened.seek(offset)
        self.opened.write(data if self._disk.KEEPS is None else data[: self._disk.KEEPS])
        return SFTP_OK
