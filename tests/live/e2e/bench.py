"""A plan of two switches of one system, fakes of them behind real SSH, and the whole push."""

from __future__ import annotations

import contextlib
import io
import json
import re
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from fabric import flow
from fabric.cli._push_show import Asked
from fabric.cli._pushing import with_devices
from fabric.live.push.carry import Line
from fabric.live.push.folder import pushes_of
from fabric.live.push.looking import Reach, Request
from fabric.live.push.means import Means, Stop, Waits
from fabric.live.push.planned import planned_fabric
from fabric.live.rehearsal.control import Rehearsal
from fabric.live.rehearsal.hurry import HurryingClock
from fabric.live.rehearsal.planned import setup_of
from fabric.live.transport.dial import Dialer
from fabric.model.push import Job

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from fabric.live.push.planned import PlannedFabric
    from fabric.live.push.terms import System
    from fabric.live.rehearsal.control import ServerProcess
    from fabric.live.rehearsal.faults import Fault
    from fabric.model.push import Files, Step
    from fabric.model.push_change import Event

LEAF = "leaf-0"
TIMER_S = Request().timer_s
ADDRESS = "127.0.8.1"  # no other: 127.0.0.1 stands in files that a switch is shipped with
USER_KEY, SSH_CONFIG = "~/.ssh/switches", "~/.ssh/switches.config"
INVENTORY = """\
fabric: {fabric}
topology: {{kind: leaf-spine, leaves: 1, spines: 1}}
platforms: {{default: {{platform: {system}, model: {model}{more}}}}}
connection: {{user: admin, key_file: "~/.ssh/switches", ssh_config: "~/.ssh/switches.config"}}
hosts: {{count: 1, nic: {nic}, speed: {speed}, qps_per_connection: 8}}
management:
  gateway: 127.0.8.126
  addresses: {{leaf-0: 127.0.8.1/25, spine-0: 127.0.8.2/25}}
"""
MODELS = {
    "cisco_nxos": ("cisco-n9k-9332d-gx2b", 400),
    "nokia_srl": ("nokia-7220-ixr-d4", 100),
    "sonic": ("nvidia-sn3700", 100),
}  # others: generic, which has two ports

# What systems keep of their own: FRR an older file, SONiC the name of who has its lock. Half a
# candidate, which the next push writes over; the checkpoint for whose removal Enterprise SONiC has
# no word that a source shows (docs/platforms/dell_sonic.md).
_NOBODYS = re.compile(
    r"^/etc/frr/frr\.conf\.sav$|^/etc/sonic/reload\.lock$|"
    r"/fabric-[0-9a-f]{10}\.\w+\.fabric-new$|^/etc/sonic/fabric-[0-9a-f]{10}-before$"
)


def plan(
    system: str,
    families: tuple[str, ...],
    folder: Path,
    hardware: tuple[str, int] | None = None,
) -> PlannedFabric:
    """A planned fabric of a leaf and a spine. ``hardware``: another model, its speed."""
    model, speed = hardware or MODELS.get(system, ("generic", 100))
    inventory = folder / f"{system}.yaml"
    more = f", syntax: {families[0]}" if families and model == "generic" else ""
    name, nic = system.replace("_", "-"), "connectx-7"
    text = INVENTORY.format(
        fabric=name, system=system, model=model, more=more, nic=nic, speed=speed
    )
    inventory.write_text(text, encoding="utf-8")
    done = flow.plan(inventory, out=folder / "build", today=date(2026, 1, 1))
    return planned_fabric(done.folder, done.plan, done.derived.design, done.derived.roots)


@dataclass
class Told:
    """What a push printed, and its exit code."""

    code: int
    lines: list[Any]

    @property
    def outcomes(self) -> dict[str, str]:
        ended = [one for one in self.lines if one.get("event") == "device"]
        return {one["device"]: one["status"] for one in ended}

    @property
    def messages(self) -> str:
        return "\n".join(str(one.get("message", one)) for one in self.lines)


@dataclass
class Bench:
    """``still``: time stands, but for what is waited for; else a fake second lasts ``second_s``."""

    planned: PlannedFabric
    folder: Path
    server: ServerProcess
    alone: bool = True  # one device of the two
    known: bool = True  # the system was pushed to before from here
    second_s: float = 0.0
    cli: str = "fabric"  # or "netmiko": who speaks at a prompt
    on_event: Callable[[Event], None] = lambda _event: None
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.alone:
            wanted = tuple(d for d in self.planned.wanted if d.name == LEAF)
            self.planned = replace(self.planned, wanted=wanted)
        self.devices = [device.name for device in self.planned.wanted]
        setups = []
        for device in self.planned.wanted:
            model = self.planned.model(device.name)
            assert model is not None
            setups.append(setup_of(model, self.planned.expected(device).os_versions[-1]))
        self.rehearsal = Rehearsal(
            setups, self.folder, (self.server,), second_s=self.second_s, host=ADDRESS
        )
        self.connections = {
            name: replace(made, cli=self.cli) for name, made in self.rehearsal.connections.items()
        }
        self.factor = self.second_s or 1.0
        self.clock = HurryingClock(self.rehearsal, self.factor)
        self.contacts = self.folder / "contacts.jsonl"
        if self.known:
            self.contacts.write_text("".join(self._contact(name) for name in self.devices))

    def _contact(self, name: str) -> str:
        device = next(d for d in self.planned.wanted if d.name == name)
        version = self.planned.expected(device).os_versions[-1]
        return json.dumps({"platform": device.platform, "os_version": version}) + "\n"

    @property
    def pushes(self) -> Path:
        return pushes_of(self.planned.plan.fabric, self.folder / ".fabric")

    def asked(self, **more: Any) -> Asked:
        return Asked(
            **{
                "yes": True,
                "as_json": True,
                "allow_experimental": True,
                "accept_no_timer": True,
                "request": Request(window=True, workers=2),
                "state": self.folder / ".fabric",
                "time_factor": self.factor,
                **more,
            }
        )

    @contextmanager
    def open(self, planned: PlannedFabric) -> Iterator[Reach]:
        """A way to the fakes, as the command line wants it."""
        with Dialer(self.connections, self.specs(planned)) as dial:
            yield self.reach(dial)

    def leads_nowhere(self, planned: PlannedFabric) -> bool:
        del planned
        return False

    def specs(self, planned: PlannedFabric) -> dict[str, Any]:
        return {d.name: planned.systems[d.platform].spec for d in planned.wanted}

    def reach(self, dial: Dialer) -> Reach:
        users = {name: one.user for name, one in self.connections.items()}
        means = Means(clock=self.clock, waits=Waits(poll_s=10.0))
        return Reach(dial, users, (), self._listen, means, self.contacts)

    def _listen(self, event: Event) -> None:
        self.events.append(event)
        self.on_event(event)

    def push(self, planned: PlannedFabric | None = None, **more: Any) -> Told:
        return self.told(lambda: with_devices(self.asked(**more), planned or self.planned, self))

    def told(self, work: Callable[[], int]) -> Told:
        self.events.clear()
        with contextlib.redirect_stdout(io.StringIO()) as out:
            code = work()
        text = out.getvalue()
        try:
            return Told(code, [json.loads(line) for line in text.splitlines()])
        except ValueError:
            return Told(code, [json.loads(text)])

    def state(self, device: str = LEAF) -> Mapping[str, str]:
        """What is in force on the fake, what it boots from, what it waits for, its files."""
        told = self.rehearsal.state(device)
        kept = {k: v for k, v in told.items() if k != "journal" and not k.startswith("candidate")}
        names = kept.pop("files").splitlines()
        return {**kept, "files": "\n".join(name for name in names if not _NOBODYS.search(name))}

    def later(self) -> None:
        """Any timer that was left running fires now."""
        self.rehearsal.advance(2 * TIMER_S)

    def arm_at(self, *orders: tuple[str, Fault]) -> list[str]:
        """Arm faults, each when a step begins for the first time; the list says which were."""
        armed: list[str] = []

        def listen(event: Event) -> None:
            if (event.event, event.status) != ("step", "begins"):
                return
            for step, fault in orders:
                if event.step == step and step not in armed:
                    armed.append(step)
                    self.rehearsal.arm(event.device, fault)

        self.on_event = listen
        return armed

    @contextmanager
    def line(self, device: str = LEAF) -> Iterator[Line]:
        """A session with a device, as a push has it."""
        with Dialer(self.connections, self.specs(self.planned)) as dial:
            line = Line(device, dial, Stop())
            yield line
            line.close()

    @property
    def system(self) -> System:
        return self.planned.systems[self.planned.wanted[0].platform]

    def running(self, device: str = LEAF) -> Files:
        """What is in force, as a push reads it."""
        with self.line(device) as line:
            return line.ask(self.system.preview.running())

    def steps(self, device: str = LEAF) -> dict[str, tuple[Step, ...]]:
        """The steps of each phase, of the procedure's own lists, for this very device."""
        preview, commit = self.system.preview, self.system.commit
        with self.line(device) as line:
            identity, before = line.ask(preview.identify()), line.ask(preview.running())
        target = preview.target(before, self.planned.rendered(device))
        job = Job(self.planned.push_id, device, "admin", before, target, TIMER_S, identity)
        return {
            "apply": commit.apply(job),
            "confirm": commit.confirm(job),
            "save": commit.save(job),
            "restore": commit.restore(job, pending=True, saving=True),
        }

    def close(self) -> None:
        self.rehearsal.stop()
