"""SFTP on the disk of a fake switch."""

from __future__ import annotations

import posixpath
import stat
from typing import TYPE_CHECKING

import paramiko
from paramiko import SFTPAttributes
from paramiko.sftp import (
    SFTP_CONNECTION_LOST,
    SFTP_EOF,
    SFTP_FAILURE,
    SFTP_NO_SUCH_FILE,
    SFTP_OK,
    SFTP_PERMISSION_DENIED,
)

from fabric.live.rehearsal.device import CutError, SilenceError
from fabric.live.rehearsal.disk import Disk

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Buffer

    from fabric.live.rehearsal.ssh import Connection

_WRITING = 0o3  # O_WRONLY or O_RDWR, as in os
_TRUNCATE = 0o1000


class DiskServer(paramiko.SFTPServerInterface):
    """The file operations that a careful client needs."""

    def __init__(self, server: Connection) -> None:
        super().__init__(server)
        self._connection, self._device = server, server.device
        self._home = "/root" if server.user == "root" else f"/home/{server.user}"

    @property
    def _disk(self) -> dict[str, bytes]:
        return self._device.box.disk

    def canonicalize(self, path: str) -> str:
        """Relative paths start at the user's home."""
        return posixpath.normpath(posixpath.join(self._home, path))

    def list_folder(self, path: str) -> list[SFTPAttributes] | int:
        """What lies in a folder."""
        top = path.rstrip("/") + "/"
        names = sorted(
            {each[len(top) :].split("/")[0] for each in self._disk if each.startswith(top)}
        )
        if isinstance(self._disk, Disk):
            names = self._disk.listing(path)
        found = [self.stat(top + name) for name in names]
        for name, attributes in zip(names, found, strict=True):
            if isinstance(attributes, SFTPAttributes):
                attributes.filename = name
        return [each for each in found if isinstance(each, SFTPAttributes)]

    def stat(self, path: str) -> SFTPAttributes | int:
        """Size and mode."""
        attributes = SFTPAttributes()
        attributes.st_uid = attributes.st_gid = 0
        attributes.st_atime = attributes.st_mtime = 0
        disk = self._disk
        if path in disk:
            attributes.st_size = len(disk[path])
            mode = disk.mode(path) if isinstance(disk, Disk) else 0o644
            attributes.st_mode = stat.S_IFREG | mode
            return attributes
        top = path.rstrip("/") + "/"
        folder = (
            disk.is_folder(path)
            if isinstance(disk, Disk)
            else any(each.startswith(top) for each in disk)
        )
        if not folder:
            return SFTP_NO_SUCH_FILE
        attributes.st_size, attributes.st_mode = 4096, stat.S_IFDIR | 0o755
        return attributes

    lstat = stat

    def open(self, path: str, flags: int, attr: SFTPAttributes) -> paramiko.SFTPHandle | int:
        """Open a file; it is cut to nothing before a full disk shows, as on a real one."""
        if not flags & _WRITING:
            return _File(self, path, flags) if path in self._disk else SFTP_NO_SUCH_FILE
        return self._change("write", path, lambda: self._open(path, flags, attr))

    def _open(self, path: str, flags: int, attr: SFTPAttributes) -> paramiko.SFTPHandle | int:
        if flags & _TRUNCATE or path not in self._disk:
            self._disk[path] = b""
        self.chattr(path, attr)
        return _File(self, path, flags)

    def write(self, path: str, offset: int, data: bytes) -> int:
        """Write into a file, unless the disk is full."""
        if self._device.faults.on("disk-full"):
            self._device.faults.take("disk-full")
            return SFTP_FAILURE
        with self._device.lock:
            old = self._disk.get(path, b"")
            self._disk[path] = old[:offset].ljust(offset, b"\0") + data + old[offset + len(data) :]
        return SFTP_OK

    def read(self, path: str, offset: int, length: int) -> bytes | int:
        """Read from a file."""
        return self._disk.get(path, b"")[offset : offset + length] or SFTP_EOF

    def remove(self, path: str) -> int:
        """Delete a file."""
        return self._change("remove", path, lambda: self._rename(path, None))

    def rename(self, oldpath: str, newpath: str) -> int:
        """Rename; OpenSSH's server refuses where the target exists."""
        if newpath in self._disk:
            return SFTP_FAILURE
        return self._change("rename to", newpath, lambda: self._rename(oldpath, newpath))

    def posix_rename(self, oldpath: str, newpath: str) -> int:
        """Rename; what lay at the target is replaced at once."""
        return self._change("rename to", newpath, lambda: self._rename(oldpath, newpath))

    def _rename(self, old: str, new: str | None) -> int:
        disk = self._disk
        if old not in disk:
            return SFTP_NO_SUCH_FILE
        if new is None:
            del disk[old]
        elif isinstance(disk, Disk):
            disk.move(old, new)
        else:
            disk[new] = disk.pop(old)
        return SFTP_OK

    def mkdir(self, path: str, attr: SFTPAttributes) -> int:  # noqa: ARG002
        """Make a folder, on disks that know them."""
        disk = self._disk
        if isinstance(disk, Disk):
            if disk.is_folder(path) or path in disk:
                return SFTP_FAILURE
            return self._change("mkdir", path, lambda: self._make_folder(disk, path))
        return SFTP_OK

    def _make_folder(self, disk: Disk, path: str) -> int:
        disk.folders.add(path)
        return SFTP_OK

    def chattr(self, path: str, attr: SFTPAttributes) -> int:
        """Keep the mode; sizes and times are of no use here."""
        if isinstance(self._disk, Disk) and attr.st_mode is not None:
            self._disk.modes[path] = stat.S_IMODE(attr.st_mode)
        return SFTP_OK

    def _change(self, verb: str, path: str, act: Callable[[], paramiko.SFTPHandle | int]) -> int:
        """Do something that changes the disk, with rights and faults."""
        disk = self._disk
        if isinstance(disk, Disk) and not disk.may_write(self._connection.user, path):
            return SFTP_PERMISSION_DENIED
        try:
            said = f"{verb} {path}"
            return self._device.perform(said, act, self._connection.alive)  # type: ignore[return-value]
        except CutError:
            self._connection.cut()
        except SilenceError:
            while self._connection.alive():
                self._device.clock.sleep(1.0, self._connection.alive)
        return SFTP_CONNECTION_LOST


class _File(paramiko.SFTPHandle):
    """An open file."""

    def __init__(self, server: DiskServer, path: str, flags: int) -> None:
        super().__init__(flags)
        self._server, self._path = server, path

    def read(self, offset: int, length: int) -> bytes | int:
        return self._server.read(self._path, offset, length)

    def write(self, offset: int, data: Buffer) -> int:
        return self._server.write(self._path, offset, bytes(data))

    def stat(self) -> SFTPAttributes | int:
        return self._server.stat(self._path)

    def chattr(self, attr: SFTPAttributes) -> int:
        return self._server.chattr(self._path, attr)
