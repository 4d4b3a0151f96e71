"""A fake switch in the server: its software, its faults, its power, its open sessions."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, TypeVar

from fabric.live.rehearsal.faults import ArmedFaults

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    import paramiko

    from fabric.live.rehearsal.box import Box, Setup
    from fabric.live.rehearsal.clock import FakeClock

T = TypeVar("T")


class CutError(Exception):
    """The connection is to be cut now."""


class SilenceError(Exception):
    """Nothing will ever be answered."""


class Device:
    """One fake switch. ``lock`` is that of its rehearsal: boxes ask each other about sessions."""

    def __init__(self, setup: Setup, clock: FakeClock, lock: threading.RLock) -> None:
        self.setup, self.clock, self.lock = setup, clock, lock
        self.faults = ArmedFaults()
        self.box: Box  # set once, right after: a box is made with the faults of its device
        self.used = False
        self.done: list[str] = []  # what sessions had it do, as they said it, whatever it answered
        self._up_at = 0.0
        self._transports: set[paramiko.Transport] = set()

    @property
    def up(self) -> bool:
        """Whether it has booted."""
        return self.clock() >= self._up_at

    def admit(self, transport: paramiko.Transport) -> None:
        """Note an open connection."""
        self.used = True
        self._transports = {each for each in self._transports if each.is_active()} | {transport}

    def cut(self) -> None:
        """Cut all connections, without a word to the other side."""
        for transport in self._transports:
            with contextlib.suppress(OSError):
                transport.sock.close()
            transport.close()
        self._transports = set()

    def reboot(self) -> None:
        """Lose what is not saved and all sessions; nobody can log in for a while."""
        with self.lock:
            self.box.reboot()
            self._up_at = self.clock() + self.setup.boot_s
        self.cut()

    def tick(self) -> None:
        """Let timers fire that are due."""
        with self.lock:
            if self.up:
                self.box.tick()

    def perform(self, said: str, act: Callable[[], T], alive: Callable[[], bool]) -> T:
        """Do one thing that a session asks for in these words, with the armed faults.

        Raises:
            CutError: the connection is to be cut.
            SilenceError: nothing is to be answered.
        """
        slow, hang, drop = (self.faults.pop(kind) for kind in ("slow", "hang", "drop"))
        for fault, error in ((hang, SilenceError), (drop, CutError)):
            if fault is not None and not fault.after:
                raise error
        self.done.append(said)
        result = self._do(act)
        if slow is not None:
            self.clock.sleep(slow.seconds, alive)
        if hang is not None:
            raise SilenceError
        if drop is not None:
            raise CutError
        return result

    def _do(self, act: Callable[[], T]) -> T:
        with self.lock:
            self.box.tick()
            if not self.faults.on("reboot"):
                return act()
            before = self.box.state()["running"]
            result = act()
            fits = self.faults.fits_anything("reboot") or self.box.state()["running"] != before
        if fits and self.faults.take("reboot"):
            self.reboot()
            raise CutError
        return result
