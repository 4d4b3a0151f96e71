"""Going from mode to mode, and settings of a login."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabric.live.rehearsal.cli.terminal import Terminal

Done = tuple[str, dict[str, str]]
_OK: Done = ("", {})


def enter(terminal: Terminal, mode: str) -> Done:
    """Go to a mode."""
    terminal.mode = terminal.box.system.modes[mode]
    terminal.place = ()
    return _OK


def leave(terminal: Terminal) -> Done:
    """One section up, or out of the mode; out of the outermost one: log out."""
    if terminal.place:
        terminal.place = terminal.place[:-1]
    elif terminal.mode.up:
        enter(terminal, terminal.mode.up)
    else:
        terminal.closed = True
    return _OK


def section(terminal: Terminal) -> Done:
    """One section up; at the outermost one, what comes next is done."""
    if not terminal.place:
        return _OK
    terminal.place = terminal.place[:-1]
    return "inside", {}


def logout(terminal: Terminal) -> Done:
    """The user leaves."""
    terminal.closed = True
    return _OK


def keep(terminal: Terminal, name: str, value: str = "") -> Done:
    """A setting of this login, such as the page length."""
    terminal.vars[name] = value
    return _OK


def reload(terminal: Terminal) -> Done:
    """Reboot; the server does it where there is one, as it takes the sessions along."""
    terminal.box.world.power_cycle()
    if not terminal.closed:
        terminal.box.reboot()
    return _OK


VERBS: Mapping[str, Callable[..., Done]] = {
    "enter": enter,
    "leave": leave,
    "section": section,
    "logout": logout,
    "keep": keep,
    "reload": reload,
}
