"""What a SONiC switch runs, as text: CONFIG_DB and, where we write it, FRR's own file.

In split-unified mode the bgp container reads ``/etc/sonic/frr/frr.conf`` when it starts
(sonic-buildimage, dockers/docker-fpm-frr/docker_init.sh); in every other mode it makes that file,
or none, from CONFIG_DB. A change that is not saved yet lies over it: what is read is in force.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.changing.json_tables import (
    Tables,
    canonical,
    differences,
    left_to_device,
    merged,
    read_tables,
    written,
)
from fabric.changing.shell import ANY_STATUS, ROOT, ask
from fabric.model.push import Ask, Command, ReplyError
from fabric.platforms.sonic.pushing.machine_made import (
    completed,
    groups_without_headroom,
    stripped,
    without,
)
from fabric.platforms.sonic.pushing.ownership import OWNERSHIP

if TYPE_CHECKING:
    from fabric.model.push import Files

CONFIG = "config_db.json"
CONF = "frr.conf"
STARTUP = "startup config_db.json"
LOOKUP = "pg_profile_lookup.ini"  # of the SKU: what buffermgrd makes rows of
CONFIG_PATH = "/etc/sonic/config_db.json"
CONF_PATH = "/etc/sonic/frr/frr.conf"
LOCK_PATH = "/etc/sonic/reload.lock"  # its holder writes its name and pid there
_MODE = "docker_routing_config_mode"
_SPLIT = "split-unified"
_BOX = ("hwsku", "platform", "mac")
_BUFFERS, _MODEL = "BUFFER_PG", "buffer_model"
READ_DB = Command(f"{ROOT}sonic-cfggen -d --print-data", 120.0)
READ_STARTUP = Command(f"{ROOT}cat {CONFIG_PATH}", 60.0)
# The container of swss has this folder as /usr/share/sonic/hwsku (docker_image_ctl.j2).
_FACT = f"{ROOT}sonic-cfggen {{}} -v DEVICE_METADATA.localhost.{{}}"
READ_LOOKUP = ask(
    f'cat "/usr/share/sonic/device/$({_FACT.format("-H", "platform")})'
    f'/$({_FACT.format("-d", "hwsku")})/{LOOKUP}"',
    60.0,
)


def running() -> Ask[Files]:
    """CONFIG_DB, the file it boots from, and ``frr.conf`` and the SKU's table where they are."""
    conf = Command(f"{ROOT}cat {CONF_PATH} 2>/dev/null", statuses=ANY_STATUS)
    return Ask((READ_DB, READ_STARTUP, conf, READ_LOOKUP), _read)


def _read(replies: tuple[str, ...]) -> dict[str, str]:
    database, conf = (f"{reply.rstrip()}\n" for reply in (replies[0], replies[2]))
    found = {CONFIG: database, STARTUP: replies[1]}  # byte for byte: it may go back to the disk
    if "localhost" not in read_tables(database, "CONFIG_DB").get("DEVICE_METADATA", {}):
        msg = "CONFIG_DB has no DEVICE_METADATA|localhost: this is no running SONiC"
        raise ReplyError(msg)
    if conf.strip():
        found[CONF] = conf
    if replies[3].strip():
        found[LOOKUP] = replies[3]
    return found


def tables(files: Files) -> Tables:
    """CONFIG_DB of these files.

    Raises:
        ReplyError: there is none.
    """
    return read_tables(files.get(CONFIG, ""), CONFIG)


def reads_conf(files: Files) -> bool:
    """Whether FRR is configured by the file."""
    return _metadata(tables(files)).get(_MODE) == _SPLIT


def _metadata(config: Tables) -> dict[str, object]:
    return config.get("DEVICE_METADATA", {}).get("localhost", {})


def conf_of(files: Files) -> str:
    """FRR's own file where FRR reads it, else nothing."""
    return files.get(CONF, "") if reads_conf(files) else ""


def target(now: Files, rendered: Files) -> dict[str, str]:
    """The running tables with ours in them and what the switch makes of both; our ``frr.conf``.

    Raises:
        ReplyError: one of the two is no CONFIG_DB, the plan is for another box, or the switch would
            not do what the plan says of its buffers.
    """
    device, plan, lookup = tables(now), tables(rendered), now.get(LOOKUP, "")
    _same_box(_metadata(device), _metadata(plan))
    left = left_to_device(plan, OWNERSHIP)
    joined = merged(stripped(device, lookup), plan, OWNERSHIP)
    if _BUFFERS in left and _MODEL in _metadata(device):
        # The owned field goes with the tables: of another model they mean something else.
        _metadata(joined)[_MODEL] = _metadata(device)[_MODEL]
    whole = completed(joined, lookup, plan)
    if _BUFFERS in left and _metadata(device):  # an empty one stands for a switch nobody asked
        _has_headroom(whole)
    found = {CONFIG: written(whole), **{name: now[name] for name in (LOOKUP,) if name in now}}
    text = rendered.get(CONF, now.get(CONF, ""))
    if text.strip():
        found[CONF] = text
    return found


def _has_headroom(config: Tables) -> None:
    """PFC without headroom drops lossless packets, and nothing says so."""
    bare = groups_without_headroom(config)
    if bare:
        more = f" (and {len(bare) - 1:,} more)" if len(bare) > 1 else ""
        msg = (
            f"the plan leaves buffers to the switch, which would have no headroom for {bare[0]}"
            f"{more}: BUFFER_PG has no row for it, and buffermgrd makes none without pools and a "
            f"line of {LOOKUP}; load the SKU's buffers (sudo config qos reload, sudo config save "
            "-y), or record them in facts/DEVICE.json"
        )
        raise ReplyError(msg)


def _same_box(device: dict[str, object], plan: dict[str, object]) -> None:
    """Buffers and lanes are of one SKU: those of another are not loaded."""
    for fact in _BOX:
        wanted, found = plan.get(fact), device.get(fact)
        if wanted and found and str(wanted).lower() != str(found).lower():
            msg = f"the plan is for {fact} {wanted}, the switch has {found}"
            raise ReplyError(msg)


def conf_lines(text: str) -> tuple[str, ...]:
    """Lines that mean something to FRR."""
    lines = (line.rstrip() for line in text.splitlines())
    return tuple(line for line in lines if line.strip() and line.lstrip()[0] not in "!#")


def compared(before: Files, after: Files) -> tuple[str, ...]:
    """The structural difference; rows that buffermgrd makes and removes itself are none of it."""
    lookup = before.get(LOOKUP) or after.get(LOOKUP, "")
    old, new = (without(tables(files), lookup) for files in (before, after))
    lines = list(differences(old, new, OWNERSHIP))
    return (*lines, *_conf_changes(conf_of(before), conf_of(after)))


def _conf_changes(before: str, after: str) -> list[str]:
    """Lines of ``frr.conf``, each below its head; a line that only moved is shown twice."""
    old, new = _placed(before), _placed(after)
    if conf_lines(before) == conf_lines(after):
        return []
    gone = [f"- {CONF}: {line}" for line in old if line not in new]
    come = [f"+ {CONF}: {line}" for line in new if line not in old]
    return gone + come or [f"- {CONF}: order of lines", f"+ {CONF}: order of lines"]


def _placed(text: str) -> tuple[str, ...]:
    found, head = [], ""
    for line in conf_lines(text):
        if line[0] == " ":
            found.append(f"{head} > {line.strip()}")
        elif line not in ("exit", "end"):
            head = line
            found.append(line)
    return tuple(found)


def canonical_text(files: Files) -> str:
    """Places and values of CONFIG_DB, and the lines of ``frr.conf`` where FRR reads it."""
    lines = "".join(f"{CONF}: {line}\n" for line in conf_lines(conf_of(files)))
    config = without(tables(files), files.get(LOOKUP, ""))
    return canonical(config, OWNERSHIP) + lines
