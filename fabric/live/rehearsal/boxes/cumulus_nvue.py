"""A fake switch with Cumulus Linux 5.x: NVUE owns it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from fabric.files.plain import load_words as load_yaml
from fabric.live.rehearsal.frr.sessions import halves, summary_json
from fabric.live.rehearsal.nvue import tree
from fabric.live.rehearsal.nvue.checks import frr_of
from fabric.live.rehearsal.nvue.commands import NvCommand
from fabric.live.rehearsal.nvue.revisions import Revisions
from fabric.live.rehearsal.replies import Replies, load_words
from fabric.live.rehearsal.shell.interpreter import Call, Result
from fabric.live.rehearsal.shell.linux import Linux
from fabric.live.rehearsal.shell.network import lldp_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.live.rehearsal.box import Peering, Setup, World
    from fabric.live.rehearsal.nvue.tree import Setting, Settings

STARTUP = "/etc/nvue.d/startup.yaml"
_AUTO_SAVE = (5, 9)  # from this release on, apply saves


def box(setup: Setup, world: World) -> NvueBox:
    """A switch that has booted."""
    return NvueBox(setup, world)


class NvueBox(Linux):
    """Revisions of settings, and the startup file."""

    def __init__(self, setup: Setup, world: World) -> None:
        super().__init__(setup, world, ("/etc/nvue.d", "/etc/cumulus"))
        self.replies = Replies("cumulus_nvue", self.unsourced)
        words: Any = load_words("cumulus_nvue", "schema")
        lists = frozenset(tuple(line.split()) for line in words["lists"])
        self.leaves = tree.Leaves(frozenset(words["leaves"]), lists)
        self._branches = frozenset(words["branches"])
        self._values: dict[str, str] = words["values"]
        self._facts: dict[str, str] = {key: str(value) for key, value in words["facts"].items()}
        self.revisions = Revisions()
        self.disk[STARTUP] = self._yaml(self._shipped(words["shipped"])).encode()
        self.disk["/etc/os-release"] = (
            f'NAME="Cumulus Linux"\nVERSION_ID={setup.os_version}\nID=cumulus-linux\n'
        ).encode()
        self.programs |= {
            "/usr/bin/nv": NvCommand(self),
            "/usr/bin/vtysh": self._vtysh,
            "/usr/sbin/lldpcli": self._lldp,
            "/usr/sbin/lldpctl": self._lldp,
        }
        self.units = {
            name: {"probe": lambda _: Result(0, "active")}
            for name in ("nvued", "switchd", "frr", "ssh")
        }
        self.boot()

    def _shipped(self, lines: list[str]) -> Settings:
        settings: Settings = frozenset()
        wanted = [
            line.replace("{address}", self.setup.address)
            .replace("{gateway}", self.setup.way_out)
            .replace("{hostname}", self.setup.device)
            .replace("{user}", self.setup.user)
            for line in lines
        ]
        for text in (*wanted, *"\n".join(self.setup.files.values()).splitlines()):
            words = tree.words_of(text)
            if words[:2] == ["nv", "set"]:
                settings = tree.with_set(settings, tuple(words[2:]), self.leaves)
            elif words[:2] == ["nv", "unset"]:
                settings = tree.with_unset(settings, tuple(words[2:]))
        for port in self.setup.ports:
            settings = tree.with_set(settings, ("interface", port, "type", "swp"), self.leaves)
        return settings

    def _yaml(self, settings: Settings) -> str:
        return "- set:\n" + tree.yaml_text(tree.nested(settings, self.leaves), 4)

    @property
    def auto_save(self) -> bool:
        """On by default from 5.9 on."""
        numbers = tuple(int(each) for each in re.findall(r"\d+", self.setup.os_version)[:2])
        return numbers >= _AUTO_SAVE

    def saved(self) -> Settings:
        """The settings of the startup file."""
        found = load_yaml(self.disk.get(STARTUP, b"[]").decode() or "[]")
        entries = found if isinstance(found, list) else []
        return frozenset().union(*(tree.flat(each["set"]) for each in entries if "set" in each))

    def save(self) -> bool:
        """Write the startup file; false on a full disk."""
        return self.write(STARTUP, self._yaml(self.revisions.in_force()).encode())

    def boot(self) -> None:
        """The startup file is in force; what waited for a confirmation is forgotten."""
        for each in self.revisions.all.values():
            if each.state in {"pending", "invalid", "confirm", "applied"}:
                each.state = "inactive"
        self.revisions.due = None
        self.revisions.applied = self.revisions.new(self.saved(), "applied", "root").number
        self.revisions.history.append(self.revisions.applied)
        self._renamed()

    def _renamed(self) -> None:
        names = [
            path[2] for path in self.revisions.in_force() if path[:2] == ("system", "hostname")
        ]
        self.hostname = names[0] if names else "cumulus"

    def tick(self) -> None:
        """Take back what nobody confirmed; then what Linux does."""
        self.revisions.tick(self.world.clock())
        super().tick()
        self._renamed()

    def refused(self, path: Setting) -> str:
        """Why NVUE does not take a path; empty: it does."""
        if not path:
            return self.replies("incomplete")
        if path[0] not in self._branches:
            return self.replies("invalid-word", word=path[0])
        names = self.leaves.words
        if path[-1] in names and len(path) > 1 and path[-2] not in names | {"neighbor"}:
            return ""
        if len(path) > 1 and path[-2] in self._values:
            allowed = self._values[path[-2]]
            if not re.fullmatch(allowed, path[-1]):
                return self.replies("invalid-value", value=path[-1], leaf=path[-2])
        return ""

    def warns(self, settings: Settings) -> bool:
        """Whether apply asks before it goes on: the management port changes."""
        mine = {path for path in settings if path[:2] == ("interface", "eth0")}
        return mine != {
            path for path in self.revisions.in_force() if path[:2] == ("interface", "eth0")
        }

    def nv_show(self, words: list[str]) -> Result:
        """``nv show PATH [-o json]``: what is in force below a path, and a few facts."""
        path = tuple(
            each for each in words if not each.startswith("-") and each not in {"json", "text"}
        )
        extra = self._operational(path)
        below = frozenset(
            each[len(path) :]
            for each in self.revisions.in_force()
            if each[: len(path)] == path and len(each) > len(path)
        )
        if not below and extra is None:
            return Result(1, "", self.replies("not-found", path=" ".join(path)))
        whole = {**tree.nested(below, self.leaves), **(extra or {})}
        if "json" in words:
            return Result(0, json.dumps(whole, indent=2) + "\n")
        return Result(0, tree.yaml_text(whole, 0))

    def _operational(self, path: Setting) -> dict[str, object] | None:
        if path == ("system",):
            return {
                "hostname": self.hostname,
                "build": f"Cumulus Linux {self.setup.os_version}",
                "product-name": "Cumulus Linux",
                "product-release": self.setup.os_version,
                "uptime": int(self.world.clock() - self.booted),
            }
        if path in {("platform",), ("platform", "hardware")}:
            return {**self._facts, "model": self.setup.model, "product-name": self.setup.model}
        if path == ("vrf", "default", "router", "bgp", "neighbor"):
            mine = self.peerings()
            return {
                each.remote or each.port: {"state": self.world.peers.state(each).state.lower()}
                for each in mine
            }
        return None

    def peerings(self) -> tuple[Peering, ...]:
        """Halves of sessions with the addresses in force."""
        own: dict[str, tuple[str, ...]] = {}
        for path in self.revisions.in_force():
            if path[0] == "interface" and path[2:4] == ("ip", "address") and "/" in path[-1]:
                own[path[1]] = (*own.get(path[1], ()), path[-1])
        down = frozenset(
            path[1]
            for path in self.revisions.in_force()
            if path[0] == "interface" and path[2:5] == ("link", "state", "down")
        )
        return halves(self.setup.device, frr_of(self.revisions.in_force()), own, down)

    def _vtysh(self, call: Call) -> Result:
        text = call.args[2] if call.args[1:2] == ("-c",) else ""
        if text in {
            "show bgp summary json",
            "show ip bgp summary json",
            "show bgp vrf default summary json",
        }:
            return Result(
                0, summary_json(frr_of(self.revisions.in_force()), self.peerings(), self.world)
            )
        return Result(1, self.replies("vtysh-unknown", line=text))

    def _lldp(self, call: Call) -> Result:
        return Result(0, lldp_json(self.setup, lists="json0" in call.args))

    def state(self) -> Mapping[str, str]:
        """Settings in force and saved, as ``nv set`` lines; what waits for a confirmation."""
        base = super().state()
        due = self.revisions.due
        waits = f"confirm in {due - self.world.clock():.0f}s\n" if due is not None else ""
        return {
            **base,
            "running": tree.commands(self.revisions.in_force()),
            "startup": tree.commands(self.saved()),
            "pending": waits + base["pending"],
        }
