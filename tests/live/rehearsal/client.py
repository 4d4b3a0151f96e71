"""An SSH client of the tests' own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import paramiko

if TYPE_CHECKING:
    from fabric.live.connections import Connection

_PATIENCE_S = 20.0


class Client:
    """One login with the rehearsal's key and known host keys."""

    def __init__(self, connection: Connection) -> None:
        self.ssh = paramiko.SSHClient()
        self.ssh.load_host_keys(connection.known_hosts)
        self.ssh.set_missing_host_key_policy(paramiko.RejectPolicy())
        self.ssh.connect(
            connection.address,
            port=connection.port,
            username=connection.user,
            key_filename=connection.key_file,
            allow_agent=False,
            look_for_keys=False,
            timeout=_PATIENCE_S,
            banner_timeout=_PATIENCE_S,
        )

    def run(self, command: str, timeout_s: float = _PATIENCE_S) -> tuple[int, str, str]:
        """Exit status, standard output, standard error."""
        _, out, err = self.ssh.exec_command(command, timeout=timeout_s)
        texts = out.read().decode(), err.read().decode()
        return out.channel.recv_exit_status(), *texts

    def out(self, command: str) -> str:
        """Standard output of a command that must succeed."""
        status, out, err = self.run(command)
        assert status == 0, (command, status, out, err)
        return out

    def put(self, path: str, text: str) -> None:
        """Write a file by SFTP."""
        with self.ssh.open_sftp() as sftp, sftp.open(path, "w") as file:
            file.write(text)

    def close(self) -> None:
        self.ssh.close()
