"""A fake Linux router with FRR 8.4.4, ifupdown2 and lldpd, as Debian 12 ships them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.live.rehearsal.frr.config import FrrConfig, read
from fabric.live.rehearsal.frr.grammar import grammar
from fabric.live.rehearsal.frr.programs import FrrPrograms
from fabric.live.rehearsal.frr.sessions import halves
from fabric.live.rehearsal.replies import Replies, load_words
from fabric.live.rehearsal.shell.interpreter import Call, Result
from fabric.live.rehearsal.shell.linux import Linux
from fabric.live.rehearsal.shell.network import (
    Kernel,
    addresses,
    ip,
    lldp_json,
    stanzas,
    without_stanzas,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.live.rehearsal.box import Peering, Setup, World

_PATHS = {
    "frr.conf": "/etc/frr/frr.conf",
    "daemons": "/etc/frr/daemons",
    "99-fabric.conf": "/etc/sysctl.d/99-fabric.conf",
    "interfaces": "/etc/network/interfaces.d/fabric",
    "lldpd.conf": "/etc/lldpd.d/fabric.conf",
}
_FOLDERS = (
    "/etc/frr",
    "/etc/sysctl.d",
    "/etc/network/interfaces.d",
    "/etc/lldpd.d",
    "/var/log/frr",
    "/usr/lib/frr",
)


def box(setup: Setup, world: World) -> FrrBox:
    """A router that has booted."""
    return FrrBox(setup, world)


class FrrBox(Linux):
    """Files on disk, and what of them is in force: daemons, kernel, interfaces, lldpd."""

    def __init__(self, setup: Setup, world: World) -> None:
        super().__init__(setup, world, _FOLDERS)
        self.replies = Replies("frr", self.unsourced)
        self.grammar = grammar()
        self.frr_version, self.frr_file = setup.os_version, _PATHS["frr.conf"]
        self.frr, self.up = FrrConfig(), True
        self._kernel = Kernel(self.files, self.replies)
        self._ship()
        programs = FrrPrograms(self, self.write)
        self.programs |= {
            "/usr/bin/vtysh": programs.vtysh,
            "/usr/lib/frr/frr-reload.py": programs.reload,
            "/usr/sbin/sysctl": self._kernel.sysctl,
            "/usr/sbin/ifreload": self._ifreload,
            "/usr/sbin/ifup": self._ifup,
            "/usr/sbin/ifdown": self._ifup,
            "/usr/sbin/ifquery": lambda _: Result(0, self._interfaces),
            "/usr/sbin/lldpcli": self._lldpcli,
            "/usr/bin/ip": lambda call: ip(call, self._ports()),
            "/usr/bin/uname": lambda _: Result(0, "6.1.0\n"),
        }
        self.units = {
            "frr": {
                "restart": self._restart,
                "start": self._restart,
                "stop": self._stop,
                "reload": lambda _: programs.reload(
                    Call(self, "root", ("frr-reload.py", "--reload", self.frr_file))
                ),
                "probe": lambda _: Result(0, "active" if self.up else "inactive"),
            },
            "lldpd": {"restart": self._restart_lldpd, "probe": lambda _: Result(0, "active")},
            "networking": {
                "restart": self._ifreload,
                "reload": self._ifreload,
                "probe": lambda _: Result(0, "active"),
            },
            "ssh": {"probe": lambda _: Result(0, "active")},
            "systemd-sysctl": {
                "restart": lambda _: self._kernel.sysctl(
                    Call(self, "root", ("sysctl", "--system"))
                ),
                "probe": lambda _: Result(0, "active"),
            },
        }
        self.boot()

    def _ship(self) -> None:
        """The files of the packages, of the operator, and what the setup says instead."""
        shipped = load_words("frr", "shipped")
        for path, entry in shipped.items():
            if isinstance(entry, dict):
                text = str(entry["text"]).replace("{hostname}", self.setup.device)
                text = text.replace("{address}", self.setup.address)
                text = text.replace("{family}", "inet6" if ":" in self.setup.address else "inet")
                text = text.replace("{gateway}", self.setup.way_out)
                self.disk[path] = text.replace("{version}", self.setup.os_version).encode()
        for name, text in self.setup.files.items():
            self.disk[_PATHS[name]] = text.encode()
        for path in _PATHS.values():
            if path.startswith("/etc/frr"):
                self.files.modes[path] = 0o640

    def boot(self) -> None:
        """Load everything from disk."""
        self._kernel.boot()
        self._interfaces = self._interface_files()
        self._lldp = self._lldp_files()
        self._start_frr()

    def _start_frr(self) -> None:
        text = self.disk.get("/etc/frr/daemons", b"").decode()
        self._bgpd = re.search(r"^bgpd=yes", text, re.MULTILINE) is not None
        lines = self.disk.get(self.frr_file, b"").decode()
        self.frr, self.up = FrrConfig(), True
        if self.grammar.first_error(lines) is None:
            self.frr.load(lines)
        else:
            good = FrrConfig()
            for context, line, _ in read(lines):
                if self.grammar.takes(context, line):
                    good.apply(context, line)
            self.frr = good
        self.settle()

    def settle(self) -> None:
        """Lines for a daemon that does not run are not taken."""
        if not self._bgpd:
            self.frr.tree = {
                each: lines
                for each, lines in self.frr.tree.items()
                if not each or not each[0].startswith("router bgp")
            }

    def _interface_files(self) -> str:
        folder = sorted(each for each in self.disk if each.startswith("/etc/network/interfaces.d/"))
        paths = ["/etc/network/interfaces", *folder]
        return "".join(self._stanzas(path) for path in paths)

    def _stanzas(self, path: str) -> str:
        """What ifupdown makes of a file."""
        lines = self.disk.get(path, b"").decode().splitlines()
        return "".join(f"{line}\n" for line in lines if line.strip() and not line.startswith("#"))

    def _lldp_files(self) -> str:
        paths = sorted(each for each in self.disk if re.match(r"/etc/lldpd\.d/.*\.conf$", each))
        return "".join(self.disk[path].decode() for path in paths)

    def _ifreload(self, call: Call) -> Result:
        if call.user != "root":
            return Result(1, "", self.replies("ifreload-denied"))
        text = self._interface_files()
        bad = [
            line
            for line in text.splitlines()
            if line and not re.match(r"\s|#|auto |iface |source |allow-|mapping |vlan ", line)
        ]
        if self.world.faults.take("reject"):
            bad = bad or ["rejected"]
        if bad:
            return Result(1, "", self.replies("ifreload-bad", line=bad[0]))
        self._interfaces = text
        return Result(seconds=3.0)

    def _ifup(self, call: Call) -> Result:
        """``ifup`` and ``ifdown``: of some interfaces, out of any file (``-i``)."""
        if call.user != "root" or "-a" in call.args:
            return self._ifreload(call)
        words = list(call.args[1:])
        text = self._interface_files()
        if "-i" in words:
            at = words.index("-i")
            path = call.path(words[at + 1])
            if path not in self.disk:
                return Result(1, "", f"{call.args[0]}: could not open file {path}\n")
            text = self._stanzas(path)
            del words[at : at + 2]
        if self.world.faults.take("reject"):
            return Result(1, "", self.replies("ifreload-bad", line="rejected"))
        names = [word for word in words if not word.startswith("-")]
        comes = "" if call.args[0].endswith("ifdown") else stanzas(text, names)
        self._interfaces = without_stanzas(self._interfaces, names) + comes
        return Result(seconds=2.0)

    def _restart(self, _: Call) -> Result:
        self._start_frr()
        return Result(seconds=5.0)

    def _stop(self, _: Call) -> Result:
        self.up, self.frr = False, FrrConfig()
        return Result(seconds=2.0)

    def _restart_lldpd(self, _: Call) -> Result:
        self._lldp = self._lldp_files()
        return Result(seconds=1.0)

    def _lldpcli(self, call: Call) -> Result:
        words = list(call.args[1:])
        form = words[words.index("-f") + 1] if "-f" in words else ""
        if "show" in words and form in {"json", "json0"}:
            return Result(0, lldp_json(self.setup, lists=form == "json0"))
        if "-c" in words:
            path = call.path(words[words.index("-c") + 1])
            if path not in self.disk:
                return Result(1, "", self.replies("lldpcli-no-file", file=path))
            self._lldp = self._lldp_files()
            return Result()
        if words[:1] in (["update"], ["configure"]):
            return Result()
        return Result(1, "", self.replies("lldpcli-unknown", word=" ".join(words)))

    def _ports(self) -> Mapping[str, tuple[str, ...]]:
        return {
            "lo": (),
            "eth0": (self.setup.address,),
            **dict.fromkeys(self.setup.ports, ()),
            **addresses(self._interfaces),
        }

    def peerings(self) -> tuple[Peering, ...]:
        """What bgpd has, with the addresses of zebra and of the interface files."""
        if not (self.up and self._bgpd):
            return ()
        return halves(self.setup.device, self.frr, self._ports())

    def state(self) -> Mapping[str, str]:
        """``running`` and ``startup`` of FRR; of the rest too, under names of their own."""
        kernel = "".join(
            f"{key} = {self._kernel.values[key]}\n" for key in sorted(self._kernel.values)
        )
        routing = self.frr.show(self.frr_version, self.hostname) if self.up else ""
        below = self.files.below
        files = {f"file {name}": below(path).decode() for name, path in _PATHS.items()}
        return {
            **super().state(),
            "running": routing
            + "# kernel\n"
            + kernel
            + "# interfaces\n"
            + self._interfaces
            + "# lldpd\n"
            + self._lldp
            + f"# bgpd {'yes' if self._bgpd else 'no'}\n",
            "startup": "".join(files.values()),
            "frr": routing,
            "sysctl": kernel,
            "interfaces": self._interfaces,
            **files,
        }
