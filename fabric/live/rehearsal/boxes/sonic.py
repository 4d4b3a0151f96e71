"""A fake switch with community SONiC: CONFIG_DB in force, its startup file, FRR in a container."""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING, Any

from fabric.live.rehearsal.frr.config import FrrConfig
from fabric.live.rehearsal.frr.grammar import grammar
from fabric.live.rehearsal.frr.programs import FrrPrograms
from fabric.live.rehearsal.frr.sessions import halves, summary_json
from fabric.live.rehearsal.replies import Replies, load_words
from fabric.live.rehearsal.shell.interpreter import Call, Result, execute
from fabric.live.rehearsal.shell.linux import Linux
from fabric.live.rehearsal.shell.network import lldp_json
from fabric.live.rehearsal.sonic import database
from fabric.live.rehearsal.sonic.commands import STARTUP, ConfigCommand
from fabric.live.rehearsal.sonic.container import Routing, frr_lines, inside
from fabric.live.rehearsal.sonic.models import Models
from fabric.live.rehearsal.sonic.shipped import factory
from fabric.live.rehearsal.sonic.show import ShowCommand

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.live.rehearsal.box import Peering, Setup, ShellReply, World
    from fabric.live.rehearsal.shell.interpreter import Run
    from fabric.live.rehearsal.sonic.database import Tables

_FRR_FILE = "/etc/sonic/frr/frr.conf"  # in the container it is /etc/frr/frr.conf
_LOCK = "/etc/sonic/reload.lock"
_PATHS = {"config_db.json": STARTUP, "frr.conf": _FRR_FILE}
_FOLDERS = ("/etc/sonic", "/etc/sonic/frr", "/etc/sonic/checkpoints", "/var/log/frr")


def box(setup: Setup, world: World) -> SonicBox:
    """A switch that has booted."""
    return SonicBox(setup, world)


class SonicBox(Linux):
    """The database in force and FRR's configuration in force, beside their files."""

    def __init__(self, setup: Setup, world: World) -> None:
        super().__init__(setup, world, _FOLDERS)
        self.replies = Replies("sonic", self.unsourced)
        frr_words = Replies("frr", self.unsourced)
        self.grammar, self.models = grammar(), Models()
        self.frr_version, self.frr_file, self.frr = "10.0.1", _FRR_FILE, FrrConfig()
        self.up = True
        words: Any = load_words("sonic", "shipped")
        self._words = words
        self.known_asic = any(each.lower() in setup.model.lower() for each in words["updater"])
        self.tables: Tables = {}
        shipped = factory(setup, words)
        for name, text in {"config_db.json": database.show(shipped), **setup.files}.items():
            self.disk[_PATHS[name]] = text.encode()
        for path, entry in words["files"].items():
            self.disk.setdefault(path, str(entry["text"]).encode())
        facts = self.facts()
        folder = f"/usr/share/sonic/device/{facts['platform']}/{facts['hwsku']}"
        self._lookup = f"{folder}/pg_profile_lookup.ini"
        self.disk.setdefault(self._lookup, str(words["lookup"]["text"]).encode())
        self._routing = Routing(self, frr_words)
        programs = FrrPrograms(self._routing, self.write)
        shown = ShowCommand(self)
        self._container = {
            "vtysh": programs.vtysh,
            "/usr/bin/vtysh": programs.vtysh,
            "/usr/lib/frr/frr-reload.py": programs.reload,
            "frr-reload.py": programs.reload,
        }
        self.programs |= {
            "/usr/local/bin/config": ConfigCommand(self),
            "/usr/local/bin/show": shown.show,
            "/usr/local/bin/sonic-cfggen": shown.cfggen,
            "/usr/local/bin/sonic-db-cli": shown.db_cli,
            "/usr/bin/vtysh": lambda call: programs.vtysh(inside(call)),
            "/usr/bin/docker": self._docker,
            "/usr/bin/lldpctl": lambda call: Result(
                0, lldp_json(setup, lists="json0" in call.args)
            ),
        }
        self.units = {
            name: {"probe": self._probe, "restart": self._restart_container}
            for name in ("swss", "syncd", "database", "sonic.target")
        }
        self.units["bgp"] = {
            "probe": self._probe,
            "restart": self._restart_bgp,
            "start": self._restart_bgp,
        }
        self.boot()

    def run(self, user: str, command: str) -> ShellReply:
        """A command in an exec channel; who holds the lock of a reload stands in its file."""
        if self.world.faults.on("lock"):
            self.disk[_LOCK] = self.replies("lock-owner").encode()
        elif self.disk.get(_LOCK):
            self.disk[_LOCK] = b""
        return super().run(user, command)

    def _probe(self, _: Call) -> Result:
        return Result(0, "active" if self.world.clock() >= self.busy_until else "activating")

    def boot(self) -> None:
        """Load the startup file; a broken one leaves an empty database."""
        try:
            self.load(database.read(self.disk.get(STARTUP, b"{}").decode()))
        except database.TablesError:
            self.load({})
        self._start_bgp()
        self.busy_until = 0.0

    def load(self, tables: Tables) -> None:
        """Replace the database: what the box is comes from itself, as does the version row."""
        tables = database.copy(tables)
        meta = tables.setdefault("DEVICE_METADATA", {}).setdefault("localhost", {})
        for name in ("hwsku", "platform", "mac"):
            meta.setdefault(name, self.facts()[name])
        tables.setdefault("VERSIONS", {}).setdefault(
            "DATABASE", {"VERSION": str(self._words["database_version"])}
        )
        self.change(tables)

    def change(self, tables: Tables) -> None:
        """Put tables in force; daemons follow."""
        lookup = self.disk.get(self._lookup, b"").decode()
        database.follow(tables, lookup, reclaims=self.facts()["asic_type"] == "mellanox")
        self.tables = {table: rows for table, rows in tables.items() if rows}
        self.hostname = self._meta().get("hostname", "sonic")
        if not self._split():
            self._start_bgp()

    def _meta(self) -> dict[str, str]:
        return self.tables.get("DEVICE_METADATA", {}).get("localhost", {})

    def _split(self) -> bool:
        return self._meta().get("docker_routing_config_mode", "") in {"split", "split-unified"}

    def restart_services(self, seconds: float) -> None:
        """All containers restart; until they are up, the switch forwards nothing."""
        self.busy_until = self.world.clock() + seconds
        self._start_bgp()

    def _start_bgp(self) -> None:
        """As docker_init.sh of docker-fpm-frr: the file in split mode, else out of the database."""
        if not self._split():
            self.frr = FrrConfig(frr_lines(self.tables))
            return
        if self._meta()["docker_routing_config_mode"] == "split":
            self.disk.pop(_FRR_FILE, None)  # plain split deletes it at each start
        self.frr = FrrConfig()
        programs = FrrPrograms(self._routing, self.write)
        programs.vtysh(inside(Call(self, "root", ("vtysh", "-f", "/etc/frr/frr.conf"))))

    def _restart_bgp(self, _: Call) -> Result:
        self._start_bgp()
        return Result(seconds=10.0)

    def _restart_container(self, _: Call) -> Result:
        self.restart_services(45.0)
        return Result(seconds=10.0)

    def _docker(self, call: Call) -> Result | Run:  # noqa: PLR0911
        """``docker exec [-i] bgp ...``, ``docker cp FILE bgp:PATH``, ``docker ps``."""
        if call.user != "root":
            return Result(1, "", self.replies("docker-denied"))
        args = [each for each in call.args[1:] if each not in {"-i", "-t", "-it"}]
        match args:
            case ["exec", "bgp" | "lldp" as name, program, *_]:
                inner = Call(self, "root", tuple(args[2:]), call.stdin, "/")
                if name == "bgp" and program in self._container:
                    return self._container[program](inside(inner))
                return execute(inside(inner))
            case ["cp", source, target] if target.startswith("bgp:"):
                path = inside(call).path(target.removeprefix("bgp:"))
                if call.path(source) not in self.disk:
                    return Result(1, "", self.replies("docker-no-file", file=source))
                self.disk[path] = self.disk[call.path(source)]
                return Result()
            case ["ps", *_]:
                return Result(0, "NAMES\nbgp\nswss\nsyncd\ndatabase\nlldp\n")
        return Result(1, "", self.replies("docker-unknown", word=" ".join(args)))

    def facts(self) -> dict[str, str]:
        """What the box is: made of its model, never of its configuration."""
        words: dict[str, str] = {key: str(value) for key, value in self._words["facts"].items()}
        words |= {
            "hwsku": self.setup.model,
            "version": self.setup.os_version,
            "platform": str(self._words["platforms"].get(self.setup.model, words["platform"])),
            "mac": f"02:00:00:{zlib.crc32(self.setup.device.encode()) % 0x1000000:06x}",
        }
        if self.setup.platform:
            words["platform"] = self.setup.platform
        if re.search(r"mlnx|nvidia", words["platform"]):
            words["asic_type"] = "mellanox"
        mac = words["mac"].split(":", 3)
        words["mac"] = ":".join((*mac[:3], mac[3][:2], mac[3][2:4], mac[3][4:]))
        return words

    def routing_text(self) -> str:
        """FRR's running configuration as vtysh shows it."""
        return (
            "Building configuration...\n\nCurrent configuration:\n!\n"
            + self.frr.show(self.frr_version, self.hostname)
            + "end\n"
        )

    def bgp_summary(self) -> str:
        """``show bgp summary json``."""
        return summary_json(self.frr, self.peerings(), self.world)

    def peerings(self) -> tuple[Peering, ...]:
        """FRR's halves, with the addresses of CONFIG_DB; none while containers start."""
        if self.world.clock() < self.busy_until:
            return ()
        own: dict[str, tuple[str, ...]] = {}
        for table in ("INTERFACE", "PORTCHANNEL_INTERFACE", "VLAN_INTERFACE", "LOOPBACK_INTERFACE"):
            for key in self.tables.get(table, {}):
                port, _, address = key.partition("|")
                own[port] = (*own.get(port, ()), address) if address else own.get(port, ())
        down = frozenset(
            port
            for port, row in self.tables.get("PORT", {}).items()
            if row.get("admin_status") != "up"
        )
        return halves(self.setup.device, self.frr, own, down)

    def state(self) -> Mapping[str, str]:
        """The database and FRR in force; the startup file and FRR's file."""
        return {
            **super().state(),
            "running": database.show(self.tables) + self.frr.show(self.frr_version, self.hostname),
            "startup": self.files.below(STARTUP).decode(),
            "config_db": database.show(self.tables),
            "frr": self.frr.show(self.frr_version, self.hostname),
            "file frr.conf": self.files.below(_FRR_FILE).decode(),
        }
