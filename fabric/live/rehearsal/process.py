"""The server's own process: small JSON messages, one a line, on standard input and output.

It ends when standard input does, so that it never outlives who started it.
"""

from __future__ import annotations

import json
import logging
import os
import resource
import sys
from typing import TYPE_CHECKING, Any

from fabric.live.rehearsal.box import Neighbour, Setup
from fabric.live.rehearsal.clock import FakeClock
from fabric.live.rehearsal.faults import Fault
from fabric.live.rehearsal.server import Server, Site

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabric.live.rehearsal.device import Device

Message = dict[str, Any]


class Desk:
    """Carries out messages: ``op`` names a method, ``site`` a rehearsal."""

    def __init__(self) -> None:
        self._server = Server()
        self._ops: Mapping[str, Callable[[Message], object]] = {
            "start": self._start,
            "stop": lambda message: self._server.remove(message["site"]),
            "arm": lambda message: self._device(message).faults.arm(Fault(**message["fault"])),
            "disarm": lambda message: self._device(message).faults.disarm(message["kind"]),
            "done": lambda message: self._device(message).done,
            "armed": lambda message: self._device(message).faults.armed(),
            "state": self._state,
            "reboot": self._reboot,
            "cut": lambda message: self._device(message).cut(),
            "advance": self._advance,
            "now": lambda message: self._site(message).clock(),
            "scale": lambda message: self._site(message).clock.scale(message["second_s"]),
            "unsourced": self._unsourced,
        }

    def carry_out(self, message: Message) -> object:
        """The result of one message."""
        return self._ops[message["op"]](message)

    def _start(self, message: Message) -> object:
        setups = [_setup(each) for each in message["setups"]]
        clock = FakeClock(message["second_s"])
        site = Site(setups, clock, message["salt"], message["public_key"], message["host"])
        return self._server.add(message["site"], site)

    def _site(self, message: Message) -> Site:
        return self._server.sites[message["site"]]

    def _device(self, message: Message) -> Device:
        return self._site(message).devices[message["device"]]

    def _state(self, message: Message) -> object:
        device = self._device(message)
        device.tick()
        with device.lock:
            return {**device.box.state(), "up": "yes" if device.up else "no"}

    def _reboot(self, message: Message) -> None:
        self._device(message).reboot()
        self._server.look_around(self._site(message))

    def _advance(self, message: Message) -> None:
        site = self._site(message)
        site.advance(message["seconds"])
        self._server.look_around(site)

    def _unsourced(self, message: Message) -> object:
        devices = self._site(message).devices
        return {name: device.box.unsourced for name, device in devices.items()}


def _setup(message: Message) -> Setup:
    cables = tuple(Neighbour(**each) for each in message.pop("neighbours"))
    ports, programs = tuple(message.pop("ports")), tuple(message.pop("programs"))
    return Setup(**message, neighbours=cables, ports=ports, programs=programs)


def main() -> None:
    """Serve until standard input ends."""
    logging.getLogger("paramiko").setLevel(logging.CRITICAL)  # clients that go away are daily bread
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # a port and a connection a device
    desk = Desk()
    for line in sys.stdin:
        try:
            answer: Message = {"result": desk.carry_out(json.loads(line))}
        except Exception as error:  # noqa: BLE001
            answer = {"error": f"{type(error).__name__}: {error}"}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    os._exit(0)  # connections may hold threads that wait


if __name__ == "__main__":
    main()
