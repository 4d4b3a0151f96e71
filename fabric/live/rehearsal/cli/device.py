"""The state of a fake switch with a CLI: configurations, candidates, a timer, files, a reboot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.rehearsal.box import ShellReply
from fabric.live.rehearsal.cli import peers, texts
from fabric.live.rehearsal.cli.keeping import Kept
from fabric.live.rehearsal.cli.setting_up import form_of, shipped
from fabric.live.rehearsal.cli.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.live.rehearsal.box import Peering, Setup, World
    from fabric.live.rehearsal.cli.data import System
    from fabric.live.rehearsal.cli.forms import Config
    from fabric.live.rehearsal.cli.keeping import Candidate, Timer


class CliBox:
    """The software of one fake switch that is reached by its CLI; see ``rehearsal.box.Box``."""

    def __init__(self, system: System, setup: Setup, world: World) -> None:
        self.system, self.setup, self.world = system, setup, world
        self.form = form_of(system)
        self.fixed = texts.fixed(setup)
        self.disk: dict[str, bytes] = {}
        self.checkpoints: dict[str, Config] = {}
        self.unsourced: list[str] = []
        self.told: tuple[list[str], tuple[Peering, ...]] = ([], ())  # by `peers`, of which lines
        self.terminals: list[Terminal] = []
        self.booted = world.clock()
        text = shipped(system, setup)
        self.disk[system.main["startup"]] = text.encode()
        self.number = int(system.option("first_commit", 0))
        self._compared: tuple[Config, bytes, bool] | None = None
        self._boot()

    def _boot(self) -> None:
        text = self.disk.get(self.system.main["startup"], b"").decode()
        self.running, self.refused = self.form.read(text, None, "override")
        self.candidates: dict[str, Candidate] = {}
        self.timer: Timer | None = None
        now = self.form.copy(self.running)
        self.history = [Kept(self.number, "root", self.world.clock(), now)]
        self.lock: Terminal | None = None
        self.changed: float | None = None
        self.saved: float | None = None

    def login(self, user: str) -> Terminal:
        """A CLI login."""
        self.tick()
        terminal = Terminal(self, user)
        self.terminals.append(terminal)
        return terminal

    def run(self, user: str, command: str) -> ShellReply:
        """A command in an exec channel: the CLI takes it where the system's does."""
        self.tick()
        if not self.system.option("exec_channel", default=False):
            return ShellReply(1, "", texts.told(self, "no_exec", {}))
        terminal = self.login(user)
        reply = terminal.type(command)
        terminal.hang_up()
        return ShellReply(0, reply)

    def tick(self) -> None:
        """Let the timer fire, and clear up after sessions that are gone."""
        for terminal in [one for one in self.terminals if one.closed]:
            self.lost(terminal)
        if self.timer is not None and self.world.clock() >= self.timer.ends:
            self.revert("expired")

    def lost(self, terminal: Terminal) -> None:
        """A session is gone: its candidate, lock and trial go or stay, as the system has it."""
        self.terminals.remove(terminal)
        if self.lock is terminal:
            self.lock = None
        for name, candidate in list(self.candidates.items()):
            if candidate.holder is terminal:
                candidate.holder = None
                if self._dies(candidate):
                    del self.candidates[name]
        timer = self.timer
        if timer and timer.holder is terminal and not timer.persist:
            timer.holder = None
            if self.system.option("trial_dies", default=False):
                self.revert("lost")

    def _dies(self, candidate: Candidate) -> bool:
        return candidate.state == "pending" and candidate.kind in self.system.option("lost", [])

    def revert(self, why: str) -> None:
        """Undo the change that the timer waits for."""
        timer, self.timer = self.timer, None
        if timer is None:
            return
        self.running = timer.before
        self.changed = self.world.clock()
        held = self.candidates.get(timer.name)
        if mode := self.system.option("timer_ends"):  # the mode that its users are in then
            self.forget(timer.name, mode)
        elif held is not None and held.holder is not None:
            held.state, held.config = "pending", self.form.copy(self.running)
            held.base = self.form.copy(self.running)
        else:
            self.candidates.pop(timer.name, None)
        self.keep("rollback")
        if f"notice_{why}" in self.system.texts:
            for terminal in self.terminals:
                terminal.notices.append(texts.told(self, f"notice_{why}", {}))

    def forget(self, name: str, mode: str = "") -> None:
        """A candidate is gone; who is in it is in ``mode`` then."""
        self.candidates.pop(name, None)
        for one in self.terminals:
            if one.candidate is not None and one.candidate.name == name:
                one.candidate = None
                if mode:
                    one.mode, one.place = self.system.modes[mode], ()

    def held_by_candidate(self) -> bool:
        """Whether nothing that runs can be changed since there is a candidate."""
        return bool(self.candidates) and bool(self.system.option("candidate_locks", default=False))

    def replace(self, config: Config, user: str, label: str = "") -> None:
        """Put a configuration in force, and remember it."""
        self.running = self.form.copy(config)
        self.changed = self.world.clock()
        self.keep(user, label)

    def text(self, config: Config) -> str:
        """A configuration as the system writes it to files."""
        lines = self.form.write(config, self.system.option("file_style"))
        return "".join(f"{line}\n" for line in lines)

    def is_saved(self) -> bool:
        """Whether it would boot what it runs."""
        body, held = self.disk.get(self.system.main["startup"], b""), self._compared
        if held is None or held[0] is not self.running or held[1] is not body:
            booted, _ = self.form.read(body.decode(), None, "override")
            self._compared = held = (self.running, body, bool(booted == self.running))
        return held[2]

    def keep(self, user: str, label: str = "") -> None:
        """Remember what is in force now under the next number."""
        self.number += 1
        now = self.form.copy(self.running)
        self.history.append(Kept(self.number, user, self.world.clock(), now, label))
        if path := self.system.option("commit_saves"):
            self.disk[path] = self.text(now).encode()

    def reboot(self) -> None:
        """Come up from what is saved; sessions, candidates and timers are gone."""
        pending = self.timer
        for terminal in self.terminals:
            terminal.closed = True
        self.terminals = []
        if not self.system.option("checkpoints_are_files", default=False):
            self.checkpoints.clear()
        kept = self.candidates if self.system.option("candidates_survive", default=False) else {}
        self.booted = self.world.clock()
        if pending is not None and self.system.option("commit_saves"):
            self.disk[self.system.main["startup"]] = self.text(pending.before).encode()
        self._boot()
        self.candidates.update(kept)

    def peerings(self) -> tuple[Peering, ...]:
        """Its halves of BGP sessions."""
        return peers.peerings(self)

    def state(self) -> Mapping[str, str]:
        """``running``, ``startup``, ``timer`` (seconds left, or empty), each candidate."""
        startup = self.disk.get(self.system.main["startup"], b"").decode()
        booted, _ = self.form.read(startup, None, "override")
        left = "" if self.timer is None else str(int(self.timer.ends - self.world.clock()))
        candidates = {
            f"candidate {name}".strip(): self.text(one.config)
            for name, one in self.candidates.items()
        }
        texts = {"running": self.text(self.running), "startup": self.text(booted), "timer": left}
        return {**texts, "files": "\n".join(sorted(self.disk)), **candidates}
