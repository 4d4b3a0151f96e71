"""How a switch system is spoken to and what of it is ours: ``push.yaml`` of its manifest."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Risk:
    """Changed lines that match ``pattern`` are of class ``risk``, because ``why``."""

    pattern: str
    risk: str  # safe, traffic or window
    why: str


@dataclass(frozen=True, slots=True)
class PushSpec:
    """Patterns are regular expressions, searched in single lines unless something else is said.

    ``session``: ``cli`` (a prompt to type at) or ``shell`` (commands with an exit status, SFTP).
    ``prompt``: the whole last line of a reply, ``{name}`` the first characters of the hostname as
    the device shows them. ``setup``: typed after login, refusals tolerated. ``errors``: replies
    that mean a refused line, in a session always on; a group ``message`` is what is told.
    ``owned``: lines of the running text (with the headers above them, ``header > line``) that the
    plan replaces. ``protected``: lines that no candidate may lose or change.
    ``netmiko_type``: netmiko's driver, from the manifest.
    """

    name: str
    session: str
    prompt: str
    setup: tuple[str, ...]
    errors: tuple[str, ...]
    owned: tuple[str, ...]
    protected: tuple[str, ...]
    risks: tuple[Risk, ...]
    pager: str = ""  # what a device shows that waits for a key, should paging be on all the same
    source: str = ""
    netmiko_type: str = ""
