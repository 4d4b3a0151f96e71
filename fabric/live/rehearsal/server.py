"""Many fake switches in one process, each on a port of its own on a loopback address."""

from __future__ import annotations

import contextlib
import io
import selectors
import socket
import threading
import time
from typing import TYPE_CHECKING

import paramiko

from fabric.live.rehearsal.box import World
from fabric.live.rehearsal.boxes import make
from fabric.live.rehearsal.device import Device
from fabric.live.rehearsal.keys import host_key_text
from fabric.live.rehearsal.neighbours import Cabling
from fabric.live.rehearsal.ssh import serve

if TYPE_CHECKING:
    from fabric.live.rehearsal.box import Peering, Setup
    from fabric.live.rehearsal.clock import FakeClock

_GLANCE_S = 0.1  # real seconds between looks at timers that are due


class Outlet:
    """The port of one device: it listens while the device is up, and is kept while it is down."""

    def __init__(self, device: Device, salt: str, host: str) -> None:
        self.device, self._salt, self._host = device, salt, host
        self._keys: dict[str, paramiko.PKey] = {}
        self._socket = _bound(host, 0)
        self.port: int = self._socket.getsockname()[1]
        self._socket.listen(128)
        self.listening = True
        self._mute: list[socket.socket] = []

    def fileno(self) -> int:
        """Of the listening socket, for ``selectors``."""
        return self._socket.fileno()

    def answer(self, public_key: str) -> None:
        """Take a waiting connection."""
        try:
            sock, _ = self._socket.accept()
        except OSError:
            return
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if not self.device.up:
            sock.close()
            return
        if self.device.faults.take("hang"):
            self._mute.append(sock)
            return
        serve(sock, self.device, self._host_key(), public_key)

    def _host_key(self) -> paramiko.PKey:
        salt = self._salt + ("!" if self.device.faults.take("host-key") else "")
        if salt not in self._keys:
            text = host_key_text(salt, self.device.setup.device)
            self._keys[salt] = paramiko.Ed25519Key(file_obj=io.StringIO(text))
        return self._keys[salt]

    def switch(self) -> None:
        """Listen or not, as the device is up or down. The port stays ours in between."""
        other = _bound(self._host, self.port)
        self.listening = not self.listening
        if self.listening:
            other.listen(128)
        self._socket.close()
        self._socket = other

    def close(self) -> None:
        """Give up the port and everything on it."""
        self._socket.close()
        for sock in self._mute:
            sock.close()
        self.device.cut()


class Site:
    """The devices of one rehearsal: one lock, one clock, cabled together, all at ``host``."""

    def __init__(
        self, setups: list[Setup], clock: FakeClock, salt: str, public_key: str, host: str
    ) -> None:
        self.clock, self.public_key = clock, public_key
        self.lock = threading.RLock()
        self.devices = {each.device: Device(each, clock, self.lock) for each in setups}
        peers = Cabling(setups, clock, self._peerings)
        for device in self.devices.values():
            device.box = make(
                device.setup, World(clock, device.faults, peers, device.cut, device.reboot)
            )
        self.outlets = {name: Outlet(device, salt, host) for name, device in self.devices.items()}

    def _peerings(self, name: str) -> tuple[Peering, ...] | None:
        device = self.devices.get(name)
        if device is None or not device.up:
            return None
        device.box.tick()
        return device.box.peerings()

    def advance(self, seconds: float) -> None:
        """Let fake time jump; timers that became due have fired when this returns."""
        self.clock.advance(seconds)
        for device in self.devices.values():
            device.tick()

    def close(self) -> None:
        """Take all devices away."""
        for outlet in self.outlets.values():
            outlet.close()


class Server:
    """One thread that takes connections for all sites, and lets timers fire now and then."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._lock = threading.Lock()
        self.sites: dict[str, Site] = {}
        threading.Thread(target=self._loop, daemon=True).start()

    def add(self, name: str, site: Site) -> dict[str, int]:
        """Put a site on the air; the port of each device."""
        with self._lock:
            self.sites[name] = site
            for outlet in site.outlets.values():
                self._selector.register(outlet, selectors.EVENT_READ, (outlet, site))
        return {device: outlet.port for device, outlet in site.outlets.items()}

    def remove(self, name: str) -> None:
        """Take a site off the air."""
        with self._lock:
            site = self.sites.pop(name)
            for outlet in site.outlets.values():
                if outlet.listening:
                    self._selector.unregister(outlet)
            site.close()

    def settle(self, site: Site) -> None:
        """Close the ports of devices that went down, open those of devices that came up."""
        for outlet in site.outlets.values():
            if outlet.listening == outlet.device.up:
                continue
            if outlet.listening:
                self._selector.unregister(outlet)
            outlet.switch()
            if outlet.listening:
                self._selector.register(outlet, selectors.EVENT_READ, (outlet, site))

    def _loop(self) -> None:
        looked = 0.0
        while True:
            ready = self._selector.select(_GLANCE_S)
            with self._lock:
                for key, _ in ready:
                    outlet, site = key.data
                    with contextlib.suppress(OSError):
                        outlet.answer(site.public_key)
                if time.monotonic() - looked > _GLANCE_S:
                    looked = time.monotonic()
                    for site in self.sites.values():
                        self._look_around(site)

    def look_around(self, site: Site) -> None:
        """Ports follow power; timers that are due fire."""
        with self._lock:
            self._look_around(site)

    def _look_around(self, site: Site) -> None:
        self.settle(site)
        for device in site.devices.values():
            if device.used:
                device.tick()


def _bound(host: str, port: int) -> socket.socket:
    """A socket on a port; a second one may share it (set only once the port is ours alone)."""
    sock = socket.socket()
    sock.setblocking(False)  # noqa: FBT003
    if port:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    sock.bind((host, port))
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    return sock
