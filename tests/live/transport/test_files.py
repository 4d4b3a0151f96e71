"""Files on a device, over real SFTP."""

# ruff: noqa: ARG002 - the signatures are paramiko's

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Any

import paramiko
import pytest
from paramiko.sftp import SFTP_FAILURE, SFTP_OK, SFTP_OP_UNSUPPORTED, SFTP_PERMISSION_DENIED

from fabric.live.transport.errors import Kind
from fabric.model.push import PutFile
from tests.live.transport.reaching import spec
from tests.live.transport.sftp_server import Disk
from tests.live.transport.ssh_server import Switch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fabric.live.transport.errors import DeviceError
    from fabric.live.transport.session import Session
    from fabric.model.push import Action

    Open = Callable[..., Session]
    Failure = Callable[[Session, Action], DeviceError]

SHELL = spec(session="shell", errors=())
TEXT = "".join(f"interface Ethernet{n}\n" for n in range(5000))
PUT = PutFile("/etc/frr.conf", TEXT, mode="0640")


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    root = tmp_path / "disk"
    (root / "etc").mkdir(parents=True)
    (root / "etc/frr.conf").write_text("old\n")
    return root


@pytest.mark.parametrize("spoken", [SHELL, spec()], ids=["shell", "cli"])
def test_file_is_replaced_and_has_its_mode(opened: Open, disk: Path, spoken: Any) -> None:
    session = opened(Switch(sftp_root=disk, sftp=Disk), spoken=spoken)
    assert session.perform(PUT) == ""
    assert (disk / "etc/frr.conf").read_text() == TEXT
    assert (disk / "etc/frr.conf").stat().st_mode & 0o777 == 0o640
    assert [path.name for path in (disk / "etc").iterdir()] == ["frr.conf"]


def test_leftover_of_a_push_that_was_cut_off_goes_away(opened: Open, disk: Path) -> None:
    elsewhere = disk / "elsewhere"
    elsewhere.write_text("not ours\n")
    (disk / "etc/frr.conf.fabric-new").symlink_to(elsewhere)
    opened(Switch(sftp_root=disk, sftp=Disk), spoken=SHELL).perform(PUT)
    assert (disk / "etc/frr.conf").read_text() == TEXT
    assert elsewhere.read_text() == "not ours\n"


class Sticky(Disk):
    def remove(self, path: str) -> int:
        return SFTP_PERMISSION_DENIED


def test_link_that_cannot_be_removed_is_not_written_through(
    opened: Open, failure: Failure, disk: Path
) -> None:
    elsewhere = disk / "elsewhere"
    elsewhere.write_text("not ours\n")
    (disk / "etc/frr.conf.fabric-new").symlink_to(elsewhere)
    error = failure(opened(Switch(sftp_root=disk, sftp=Sticky), spoken=SHELL), PUT)
    assert error.kind is Kind.FILE
    assert elsewhere.read_text() == "not ours\n"
    assert (disk / "etc/frr.conf").read_text() == "old\n"


class Loses(Disk):
    def posix_rename(self, oldpath: str, newpath: str) -> int:
        self._real(newpath).write_bytes(self._real(oldpath).read_bytes()[:100])
        self._real(oldpath).unlink()
        return SFTP_OK


def test_file_that_lost_bytes_in_the_rename_is_told(
    opened: Open, failure: Failure, disk: Path
) -> None:
    error = failure(opened(Switch(sftp_root=disk, sftp=Loses), spoken=SHELL), PUT)
    assert error.kind is Kind.FILE
    assert "it has 100 bytes after the rename" in str(error)
    assert "what stood there before is gone" in str(error)


class Full(Disk):
    FULL = True


def test_full_disk_is_named_and_the_old_file_stays(
    opened: Open, failure: Failure, disk: Path
) -> None:
    df = "Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/sda1 9 9 0 100% /\n"
    switch = Switch(sftp_root=disk, sftp=Full, says={"df -Pk /etc": (0, df, "")})
    error = failure(opened(switch, spoken=SHELL), PUT)
    assert (error.kind, error.kind.outcome_known) == (Kind.FILE, True)
    assert str(error) == (
        "leaf-01: the file /etc/frr.conf was not written: the disk may be full (0 KiB are free on "
        "/); what stood there before is untouched"
    )
    assert (disk / "etc/frr.conf").read_text() == "old\n"
    assert [path.name for path in (disk / "etc").iterdir()] == ["frr.conf"]


def test_full_disk_without_a_shell(opened: Open, failure: Failure, disk: Path) -> None:
    error = failure(opened(Switch(sftp_root=disk, sftp=Full)), PUT)
    assert "the disk may be full (SFTP says 'Failure')" in str(error)


class Short(Disk):
    KEEPS = 100


def test_file_that_is_cut_is_found_before_it_replaces_the_old_one(
    opened: Open, failure: Failure, disk: Path
) -> None:
    error = failure(opened(Switch(sftp_root=disk, sftp=Short), spoken=SHELL), PUT)
    assert error.kind is Kind.FILE
    assert "the disk may be full" in str(error)
    assert (disk / "etc/frr.conf").read_text() == "old\n"


class Garbled(Disk):
    def posix_rename(self, oldpath: str, newpath: str) -> int:
        return paramiko.SFTPServer.convert_errno(errno.EACCES)


def test_rename_that_fails_leaves_nothing_behind(
    opened: Open, failure: Failure, disk: Path
) -> None:
    error = failure(opened(Switch(sftp_root=disk, sftp=Garbled), spoken=SHELL), PUT)
    assert "the login may not write in /etc" in str(error)
    assert [path.name for path in (disk / "etc").iterdir()] == ["frr.conf"]


class Plain(Disk):
    """A server without OpenSSH's extension."""

    def posix_rename(self, oldpath: str, newpath: str) -> int:
        return SFTP_OP_UNSUPPORTED

    def rename(self, oldpath: str, newpath: str) -> int:
        return super().posix_rename(oldpath, newpath)


def test_server_without_posix_rename(opened: Open, disk: Path) -> None:
    opened(Switch(sftp_root=disk, sftp=Plain), spoken=SHELL).perform(PUT)
    assert (disk / "etc/frr.conf").read_text() == TEXT


def test_old_file_that_is_gone_is_told_so(opened: Open, failure: Failure, disk: Path) -> None:
    class Stuck(Plain):
        def rename(self, oldpath: str, newpath: str) -> int:
            return SFTP_FAILURE

    error = failure(opened(Switch(sftp_root=disk, sftp=Stuck), spoken=SHELL), PUT)
    assert error.kind is Kind.FILE
    assert "what stood there before is gone" in str(error)
    assert not (disk / "etc/frr.conf").exists()


def test_folder_that_is_not_there(opened: Open, failure: Failure, disk: Path) -> None:
    session = opened(Switch(sftp_root=disk, sftp=Disk), spoken=SHELL)
    assert "there is no folder /var/none" in str(failure(session, PutFile("/var/none/x", "a")))


def test_device_without_sftp(opened: Open, failure: Failure) -> None:
    error = failure(opened(Switch()), PUT)
    assert error.kind is Kind.FILE
    assert "the device offers no SFTP; switch its SFTP server on" in str(error)


def test_connection_lost_while_writing(opened: Open, failure: Failure, disk: Path) -> None:
    class Cut(Disk):
        def posix_rename(self, oldpath: str, newpath: str) -> int:
            self.cut()
            return SFTP_OK

        def __init__(self, server: Any, root: Path) -> None:
            super().__init__(server, root)
            self.cut: Callable[[], None] = server.transport.close

    error = failure(opened(Switch(sftp_root=disk, sftp=Cut), spoken=SHELL), PUT)
    assert (error.kind, error.kind.outcome_known) == (Kind.LOST, False)
