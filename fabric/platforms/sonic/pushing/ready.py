"""When a SONiC switch has done what it was told, and its services are up again."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

from fabric.changing.shell import ROOT, ask
from fabric.model.push import Ask, ReplyError

if TYPE_CHECKING:
    from fabric.changing.shell import Folder

_SERVICES = ("database", "swss", "syncd", "bgp")


def status_and_ready(folder: Folder, name: str) -> Ask[str | None]:
    """``None`` when the script has ended well, the services run, CONFIG_DB and FRR answer.

    ``read`` raises ``ReplyError`` when the script ended otherwise: waiting does not help then.
    """
    log = f"{folder.file(name)}.log"
    commands = (
        ask(f"{ROOT}cat {quote(folder.file(name))}.status"),
        ask(f"{ROOT}tail -n 5 {quote(log)}"),
        ask("systemctl is-active " + " ".join(_SERVICES)),
        ask("sonic-db-cli CONFIG_DB get CONFIG_DB_INITIALIZED"),
        ask(f"{ROOT}vtysh -c 'show version'"),
    )
    return Ask(commands, _missing)


def _missing(replies: tuple[str, ...]) -> str | None:
    status, log, services, database, frr = (reply.strip() for reply in replies)
    if not status:
        return "config reload has not ended yet"
    if status != "0":
        msg = f"the switch did not load it (exit status {status}): {log or 'it said nothing'}"
        raise ReplyError(msg)
    states = dict(zip(_SERVICES, services.split(), strict=False))
    down = [name for name in _SERVICES if states.get(name) != "active"]
    if down:
        return f"not running yet: {', '.join(down)}"
    if database != "1":
        return "CONFIG_DB is not filled yet"
    return None if frr.startswith("FRRouting") else "FRR does not answer yet"
