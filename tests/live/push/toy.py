"""Toy switches: a configuration each, and sessions that answer from it. No network."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabric.changing.sections import Grammar, differences
from fabric.live.transport.errors import DeviceError, Kind
from fabric.model.push import Command, Lines, PutFile

if TYPE_CHECKING:
    from fabric.model.push import Action

GRAMMAR = Grammar(comments=("#",))


@dataclass
class Switch:
    """What a toy switch holds. ``faults``: command's first words → what goes wrong there."""

    name: str
    address: str
    model: str = "-"
    version: str = "1.2.3"
    hostname: str = "toy"
    lock: str = ""
    running: str = ""
    faults: dict[str, DeviceError] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    loaded: str = ""
    before: str = ""  # what the timer would bring back
    timer: str = ""
    startup: str = ""
    log: list[str] = field(default_factory=list)
    open_sessions: int = 0

    def __post_init__(self) -> None:
        self.running = self.running or (
            f"management {self.address}\nuser admin password 7 s3cr3t\nntp 198.51.100.1\n"
        )


class Talk:
    """A session with a toy switch."""

    def __init__(self, switch: Switch) -> None:
        self.device, self._switch = switch.name, switch
        self._open = True
        switch.open_sessions += 1

    def perform(self, action: Action) -> str:
        switch = self._switch
        if isinstance(action, PutFile):
            switch.log.append(f"put {action.path}")
            self._fail("put")
            switch.files[action.path.rpartition("/")[2]] = action.text
            return ""
        assert not isinstance(action, Lines)
        assert isinstance(action, Command)
        switch.log.append(action.text)
        word = action.text.split()[0]
        self._fail(action.text)
        self._fail(word)
        return self._answer(action.text, word)

    def _fail(self, what: str) -> None:
        if what in self._switch.faults:
            raise self._switch.faults[what]

    def _answer(self, text: str, word: str) -> str:
        if word in {"commit", "confirm", "save", "abort", "rollback"}:
            self._change(word, text)
            return ""
        return self._shown(text, word, text.rsplit(maxsplit=1)[-1])

    def _change(self, word: str, text: str) -> None:
        switch = self._switch
        if word == "commit":
            switch.timer = text.split()[1]
            switch.before, switch.running = switch.running, switch.files[switch.timer]
        elif word == "save":
            switch.startup = switch.running
        else:
            switch.timer = ""
            if word in {"abort", "rollback"} and switch.before:
                switch.running = switch.before

    def _shown(self, text: str, word: str, name: str) -> str:  # noqa: PLR0911 - one a command
        switch = self._switch
        if text == "show timer":
            return switch.timer
        if text == "show version":
            return f"{switch.hostname} {switch.model} {switch.version}"
        if text == "show lock":
            return switch.lock
        if text == "show running":
            return switch.running
        if word == "load":
            switch.loaded = switch.files[name]
            return ""
        if word == "compare":
            return "\n".join(differences(switch.running, switch.loaded, GRAMMAR))
        if word == "remove":
            switch.files.pop(name, None)
            switch.loaded = ""
            return ""
        msg = f"the toy has no {text}"
        raise AssertionError(msg)

    def close(self) -> None:
        self._switch.open_sessions -= self._open
        self._open = False


@dataclass
class Toys:
    """All switches of a fabric by name; as a ``Dial`` it opens a session with one."""

    switches: dict[str, Switch]
    silent: set[str] = field(default_factory=set)

    def __call__(self, device: str) -> Talk:
        if device in self.silent:
            text = f"{device}: no answer from {self.switches[device].address}:22"
            raise DeviceError(Kind.SILENT, device, text)
        return Talk(self.switches[device])


def lost(device: str, command: str) -> DeviceError:
    return DeviceError(Kind.LOST, device, f"{device}: the session ended in `{command}`")
