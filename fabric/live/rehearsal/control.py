"""Starting fake switches, and what can be done to them while they run."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import threading
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fabric.live.connections import Connection, Connections
from fabric.live.rehearsal.keys import host_key_text, public_line, write_user_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import TracebackType
    from typing import Self

    from fabric.live.rehearsal.box import Setup
    from fabric.live.rehearsal.faults import Fault


class RehearsalError(Exception):
    """The server of fake switches did not do what it was told, or is gone."""


class ServerProcess:
    """A process full of fake switches; one serves many rehearsals, also after one another."""

    def __init__(self) -> None:
        home = str(Path(__file__).parents[3])
        path = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "fabric.live.rehearsal.process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,  # a Ctrl-C of the user's is not meant for switches
        )
        self._lock = threading.Lock()

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._process.pid

    def ask(self, op: str, **message: Any) -> Any:
        """Send one message and wait for its result.

        Raises:
            RehearsalError: it failed, or the process is gone.
        """
        to, back = self._process.stdin, self._process.stdout
        if to is None or back is None:  # pragma: no cover - both are pipes
            text = "no pipes"
            raise RehearsalError(text)
        try:
            with self._lock:
                to.write(json.dumps({"op": op, **message}) + "\n")
                to.flush()
                line = back.readline()
        except (OSError, ValueError) as error:
            text = "the process of the fake switches is gone"
            raise RehearsalError(text) from error
        answer = json.loads(line) if line else {"error": "the process of the fake switches ended"}
        if "error" in answer:
            raise RehearsalError(answer["error"])
        return answer["result"]

    def close(self) -> None:
        """End the process and everything in it."""
        with self._lock:
            if self._process.stdin and not self._process.stdin.closed:
                self._process.stdin.close()
            self._process.wait(10)
            if self._process.stdout:
                self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class Rehearsal:
    """Fake switches that run. ``folder``: where the user's key and ``known_hosts`` lie.

    ``host``: the loopback address at which all of them listen.
    """

    def __init__(
        self,
        setups: Iterable[Setup],
        folder: Path,
        servers: tuple[ServerProcess, ...],
        *,
        second_s: float = 1.0,
        host: str = "127.0.0.1",
    ) -> None:
        self._servers, self._site, self._salt = servers, secrets.token_hex(4), secrets.token_hex(16)
        self._setups, self._host = tuple(setups), host
        key_file, self._public_key = write_user_key(folder, secrets.token_hex(16))
        self._at = {
            setup.device: servers[number % len(servers)]
            for number, setup in enumerate(self._setups)
        }
        ports: dict[str, int] = {}
        for server in servers:
            ports |= self._start(server, second_s)
        known = folder / "known_hosts"
        known.write_text("".join(map(self._known_line, ports, ports.values())))
        self.connections: Connections = {
            each.device: Connection(
                each.device, host, ports[each.device], each.user, str(key_file), str(known)
            )
            for each in self._setups
        }

    def _start(self, server: ServerProcess, second_s: float) -> dict[str, int]:
        setups = [asdict(each) for each in self._setups if self._at[each.device] is server]
        result: dict[str, int] = server.ask(
            "start",
            site=self._site,
            setups=setups,
            second_s=second_s,
            salt=self._salt,
            public_key=self._public_key,
            host=self._host,
        )
        return result

    def _known_line(self, device: str, port: int) -> str:
        return f"[{self._host}]:{port} {public_line(host_key_text(self._salt, device))}\n"

    def _ask(self, device: str, op: str, **message: Any) -> Any:
        return self._at[device].ask(op, site=self._site, device=device, **message)

    def arm(self, device: str, fault: Fault) -> None:
        """Arm a fault for what comes next on a device."""
        self._ask(device, "arm", fault=asdict(fault))

    def disarm(self, device: str, kind: str = "") -> None:
        """Disarm one kind of fault, or all."""
        self._ask(device, "disarm", kind=kind)

    def armed(self, device: str) -> tuple[str, ...]:
        """The kinds of faults that are still armed."""
        return tuple(self._ask(device, "armed"))

    def done(self, device: str) -> tuple[str, ...]:
        """What sessions had a device do so far: commands, typed lines, changes of files by SFTP."""
        return tuple(self._ask(device, "done"))

    def state(self, device: str) -> Mapping[str, str]:
        """What ``Box.state`` says, and ``up``: ``yes`` or ``no``."""
        state: Mapping[str, str] = self._ask(device, "state")
        return state

    def reboot(self, device: str) -> None:
        """Pull the plug and put it back: up again after ``Setup.boot_s`` fake seconds."""
        self._ask(device, "reboot")

    def cut(self, device: str) -> None:
        """Cut all sessions of a device."""
        self._ask(device, "cut")

    def advance(self, seconds: float) -> None:
        """Let fake time jump ahead, on all devices; what is due has happened when this returns."""
        for server in self._servers:
            server.ask("advance", site=self._site, seconds=seconds)

    def now(self) -> float:
        """Fake seconds since they were started."""
        now: float = self._servers[0].ask("now", site=self._site)
        return now

    def scale(self, second_s: float) -> None:
        """From now on let a fake second last so many real ones."""
        for server in self._servers:
            server.ask("scale", site=self._site, second_s=second_s)

    def unsourced(self) -> Mapping[str, tuple[str, ...]]:
        """Replies given so far that neither a transcript nor a document backs, by device."""
        found: dict[str, tuple[str, ...]] = {}
        for server in self._servers:
            lists = server.ask("unsourced", site=self._site)
            found |= {device: tuple(replies) for device, replies in lists.items() if replies}
        return found

    def stop(self) -> None:
        """Take these devices away; their processes go on."""
        for server in self._servers:
            server.ask("stop", site=self._site)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
