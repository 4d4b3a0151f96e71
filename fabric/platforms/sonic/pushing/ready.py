"""When a SONiC switch has done what it was told, and its services are up again."""

from __future__ import annotations

from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING

from fabric.changing.shell import ROOT, ask
from fabric.model.push import Ask, NotTakenError
from fabric.platforms.sonic.pushing.files import LOCK_PATH

if TYPE_CHECKING:
    from fabric.changing.shell import Folder

_SERVICES = ("database", "swss", "syncd", "bgp")


def status_and_ready(folder: Folder, name: str) -> Ask[str | None]:
    """``None`` when the script has ended well, the services run, CONFIG_DB and FRR answer.

    ``read`` raises ``NotTakenError`` when the script ended otherwise: waiting does not help then.
    """
    log = f"{folder.file(name)}.log"
    commands = (
        ask(f"{ROOT}cat {quote(folder.file(name))}.status"),
        # What a script was told is no failure of reading it.
        replace(ask(f"{ROOT}tail -n 5 {quote(log)}"), tolerates=(".",)),
        ask("systemctl is-active " + " ".join(_SERVICES)),
        ask("sonic-db-cli CONFIG_DB get CONFIG_DB_INITIALIZED"),
        ask(f"{ROOT}vtysh -c 'show version'"),
        ask(f"{ROOT}cat {LOCK_PATH}"),
    )
    return Ask(commands, _missing)


def _missing(replies: tuple[str, ...]) -> str | None:
    status, log, services, database, frr, lock = (reply.strip() for reply in replies)
    if not status:
        return "config reload has not ended yet"
    if status != "0":
        held = f" (held by {lock})" if lock and LOCK_PATH in log else ""
        said = f"{log or 'it said nothing'}{held}"
        msg = f"what was to be loaded was refused (exit status {status}): {said}"
        raise NotTakenError(msg)
    states = dict(zip(_SERVICES, services.split(), strict=False))
    down = [name for name in _SERVICES if states.get(name) != "active"]
    if down:
        return f"not running yet: {', '.join(down)}"
    if database != "1":
        return "CONFIG_DB is not filled yet"
    return None if frr.startswith("FRRouting") else "FRR does not answer yet"
