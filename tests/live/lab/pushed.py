"""A lab that is pushed to: plans, pushes, and what the switches have afterwards."""

from __future__ import annotations

import json
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fabric import flow
from fabric.live.lab import nodes, observe, ready
from tests.live.lab import inventories
from tests.live.lab.agreement import as_planned, settled
from tests.live.lab.push_process import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.live.lab.layout import Layout, Node

ROOT = Path(__file__).parents[3]
BGP_S = 60
SYSCTL = "frr/config/sysctl.j2"
FILES = (
    "/etc/frr/frr.conf",
    "/etc/frr/daemons",
    "/etc/sysctl.d/99-fabric.conf",
    "/etc/network/interfaces.d/fabric",
    "/etc/lldpd.d/fabric.conf",
)
_KNOWN = {"platform": "frr", "os_version": "8.4.4", "device": "x", "fabric": "x", "timer": True}
TIMERS = "addressing: {bgp: {max_paths: 32, keepalive_s: 2, hold_s: 6}}\n"


@dataclass(frozen=True)
class Run:
    """A command that ended. ``events``: the lines of its JSON."""

    status: int
    out: str
    events: tuple[dict[str, Any], ...]

    @property
    def tally(self) -> dict[str, int]:
        """How many devices ended how."""
        found: dict[str, int] = self.events[-1]["by_status"]
        return found

    def told(self, event: str, device: str | None = None) -> str:
        """Messages of events of a kind, a line each."""
        of = (e for e in self.events if e["event"] == event and device in {None, e["device"]})
        return "\n".join(e["message"] for e in of)


@dataclass(frozen=True)
class Bench:
    """``folder``: where ``fabric`` is called from; ``layout``: the lab that is up."""

    folder: Path
    layout: Layout

    @property
    def inventory(self) -> Path:
        return self.folder / "pushed.yaml"

    @property
    def state(self) -> Path:
        return self.folder / "state"

    @property
    def dialled(self) -> Path:
        return self.folder / "dialled"

    def plan(self, more: str = "") -> None:
        """What shall be, beside what the lab was built from."""
        self.inventory.write_text(inventories.PUSHED + more)
        done = self.run("plan", str(self.inventory))
        assert done.status == 0, done.out

    def own_sysctl(self, line: str) -> None:
        """One more line in the kernel's settings, by a template of one's own."""
        shipped, own = (root / "templates" / SYSCTL for root in (ROOT, self.folder))
        own.parent.mkdir(parents=True)
        own.write_text(f"{shipped.read_text()}{line}\n")

    def met(self) -> None:
        """This installation has pushed to this FRR in a lab before."""
        self.state.mkdir(exist_ok=True)
        version = nodes.shell(self.layout.name, self.node("leaf-0"), "vtysh -c 'show version'")
        known = {**_KNOWN, "os_version": version.split()[1], "at": 0}
        (self.state / "lab-contacts.jsonl").write_text(json.dumps(known) + "\n")

    def run(self, *words: str, **settings: Any) -> Run:
        done = subprocess.run(
            self.words(words, **settings),
            cwd=self.folder,
            env=self.env,
            capture_output=True,
            text=True,
            timeout=400,
            check=False,
        )
        out = done.stdout
        whole = "--dry-run" in words or words[0] == "status"  # one value, on many lines
        lines = [out] if whole else out.splitlines()
        events = map(json.loads, lines if "--json" in words else ())
        return Run(done.returncode, out + done.stderr, tuple(events))

    def push(self, *words: str, **settings: Any) -> Run:
        """``fabric push`` to the lab with all approved."""
        return self.run("push", *self.to, "--yes", "--window", "--json", *words, **settings)

    @property
    def to(self) -> tuple[str, str]:
        return "--lab", self.layout.name

    def words(self, words: tuple[str, ...], **settings: Any) -> list[str]:
        return [*Settings(str(self.dialled), **settings).words(), *words]

    @property
    def env(self) -> dict[str, str]:
        return {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "FABRIC_STATE": str(self.state),
            "SSH_AUTH_SOCK": "",
        }

    def node(self, name: str) -> Node:
        found = self.layout.node(name)
        assert found is not None
        return found

    def on(self, name: str, text: str) -> str:
        return nodes.shell(self.layout.name, self.node(name), text)

    def configured(self) -> dict[str, str]:
        """By switch: its files, byte for byte, and what FRR runs."""
        text = f"cat {' '.join(FILES)}; vtysh -c 'show running-config'"
        found = observe.each(self.layout.switches, lambda node: self.on(node.name, text))
        return {node.name: said for node, said in found}

    def left(self) -> str:
        """What pushes have left on the switches: folders, timers, files laid over others."""
        text = "ls -d /root/fabric-push-* /home/*/fabric-push-* 2>/dev/null; pgrep -f timer[.]sh; "
        text += "grep fabric-push /proc/mounts; true"
        return "".join(
            said for _, said in observe.each(self.layout.switches, lambda n: self.on(n.name, text))
        )

    def as_planned(self) -> bool:
        """Sessions and cables as the plan has them, and the kernel's routes the model's."""
        design = flow.derive(self.inventory).design
        missing = ready.wait(self.layout, BGP_S)
        return missing == [] and settled(self.layout, as_planned(design)) == []


def within(seen: Callable[[], bool], timeout_s: float) -> bool:
    """Whether something comes true in time."""
    deadline = time.monotonic() + timeout_s
    while not (good := seen()) and time.monotonic() < deadline:
        time.sleep(0.2)
    return good
