"""Who we are on a device with a shell, what it has to schedule with, and what others left open."""

from __future__ import annotations

import re

from fabric.changing.scheduled import PROBE, Way, read_way
from fabric.changing.shell import ask, first_line, is_look
from fabric.model.push import Ask, Command

# The first commands of an identity, for `facts_of`; their replies come in this order.
FACTS = (
    Command("hostname"),
    Command('echo "$HOME"'),
    Command("id -u"),
    ask("sudo -n id -u"),
    *PROBE,
)
# What a box with a shell has as it ships, for a dry run that asks none.
ASSUMED = (("home", "~"), ("root", "sudo"), ("timer", Way.SYSTEMD.value))
_FOLDER = re.compile(r"^fabric-push-([a-z][a-z0-9-]*)$", re.MULTILINE)


def facts_of(replies: tuple[str, ...]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Hostname, and the facts ``home``, ``root`` (``self``, ``sudo``, ``none``) and ``timer``.

    A timer of systemd needs root; without it a process of our own is what is left.

    Raises:
        ReplyError: a reply is missing.
    """
    hostname = first_line(replies[0], "hostname")
    home = first_line(replies[1], "the home of the user")
    root = "none"
    if replies[2].strip() == "0":
        root = "self"
    elif replies[3].strip() == "0":
        root = "sudo"
    way = read_way(replies[4 : 4 + len(PROBE)])
    if way is Way.SYSTEMD and root == "none":
        way = Way.SLEEP
    return hostname, (("home", home), ("root", root), ("timer", way.value))


def open_changes() -> Ask[str | None]:
    """Whether a change lies open in our home: that of another push, or one that broke off."""
    return Ask((Command('ls "$HOME"'),), read_open)


def read_open(replies: tuple[str, ...]) -> str | None:
    """In words; ``None``: no change is open. What a look laid down is not in force, nor will be."""
    names = [name for name in replies[0].split() if not is_look(name)]
    found = _FOLDER.findall("\n".join(names))
    if not found:
        return None
    return f"the change {found[0]} is open on the device (folder ~/fabric-push-{found[0]})"
