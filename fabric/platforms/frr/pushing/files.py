"""The files of an FRR switch: where they are, whose they are, how each is put in force.

``frr.conf`` is what FRR runs; the text on the disk is ``startup frr.conf``. The others are read
from the disk: one that a change has laid over is what everybody on the device sees.
"""

from __future__ import annotations

from dataclasses import dataclass
from shlex import quote
from typing import TYPE_CHECKING

from fabric.changing.shell import ask, either
from fabric.model.push import Ask, Command, ReplyError
from fabric.platforms.frr.pushing.sections import changes, places, sections

if TYPE_CHECKING:
    from fabric.changing.shell import Folder
    from fabric.model.push import Files, Job

CONF = "frr.conf"
STARTUP = "startup frr.conf"
DAEMONS = "daemons"
KERNEL = "kernel settings"  # no file: what the kernel has of those that a plan may set
CONF_PATH = "/etc/frr/frr.conf"
NEW, OLD = "new", "old"  # folders in the folder of a change


@dataclass(frozen=True, slots=True)
class File:
    """``rights``: words for ``install`` as root."""

    name: str
    path: str
    rights: str


OTHERS = (
    File("99-fabric.conf", "/etc/sysctl.d/99-fabric.conf", "-o root -g root -m 0644"),
    File("interfaces", "/etc/network/interfaces.d/fabric", "-o root -g root -m 0644"),
    File(DAEMONS, "/etc/frr/daemons", "-o frr -g frr -m 0640"),
    File("lldpd.conf", "/etc/lldpd.d/fabric.conf", "-o root -g root -m 0644"),
)
# All that the template of 99-fabric.conf names.
SETTINGS = (
    "net.ipv4.ip_forward",
    "net.ipv6.conf.all.forwarding",
    "net.ipv4.fib_multipath_hash_policy",
    "net.ipv6.fib_multipath_hash_policy",
    "net.ipv4.fib_multipath_use_neigh",
    "net.ipv4.conf.all.ignore_routes_with_linkdown",
    "net.ipv6.conf.all.ignore_routes_with_linkdown",
    "net.ipv6.conf.all.keep_addr_on_down",
    "net.ipv4.fib_multipath_hash_seed",
    "net.ipv6.conf.all.disable_ipv6",
    "net.ipv6.conf.default.disable_ipv6",
)
_HEADER = "Current configuration:"
_SHOW = either("vtysh -c 'show running-config'")
_UP = either("vtysh -c 'show daemons'")
_SETTINGS = ask(f"/usr/sbin/sysctl -e {' '.join(SETTINGS)}")  # a kernel has not all of them


def running() -> Ask[Files]:
    """All files; one that is not there, or is empty, is left out.

    A daemon that does not run would be missing in what FRR shows, as if it had no configuration:
    so the reply is refused while one that shall run does not.
    """
    texts = tuple(_cat(path) for path in (CONF_PATH, *(file.path for file in OTHERS)))
    return Ask((_UP, _SHOW, *texts, _SETTINGS), _read)


def _cat(path: str) -> Command:
    return Command(f"cat {path} 2>/dev/null || sudo -n cat {path} 2>/dev/null || true")


def _read(replies: tuple[str, ...]) -> dict[str, str]:
    up, conf, *texts, kernel = replies
    found = {CONF: _whole(_shown(conf)), STARTUP: _whole(texts[0])}
    if not any(section.head.startswith("frr ") for section in sections(conf)):
        msg = f"`show running-config` gave no configuration of FRR: {conf[-80:]!r}"
        raise ReplyError(msg)
    for file, text in zip(OTHERS, texts[1:], strict=True):
        if text.strip():
            found[file.name] = _whole(text)
    found[KERNEL] = _whole(kernel)
    missing = [name for name in _wanted(found.get(DAEMONS, "")) if name not in up.split()]
    if missing:
        msg = f"{', '.join(missing)} shall run by /etc/frr/daemons and does not"
        raise ReplyError(msg)
    return found


def _shown(reply: str) -> str:
    """What FRR says before and after its configuration is no line that it would take."""
    lines = reply.splitlines()
    start = lines.index(_HEADER) + 1 if _HEADER in lines else 0
    return "\n".join(line for line in lines[start:] if line != "end")


def _wanted(text: str) -> list[str]:
    """Daemons that the file switches on."""
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    names = (line.removesuffix("=yes") for line in lines if line.endswith("=yes"))
    return [name for name in names if name.endswith("d") or name == "zebra"]


def _whole(text: str) -> str:
    return f"{text.rstrip()}\n" if text.strip() else ""


def placed(text: str) -> frozenset[str]:
    """Lines that mean something, those that are indented with the line above them at the margin."""
    found, head = set(), ""
    for line in text.splitlines():
        bare = line.strip()
        if not bare or bare[0] in "#!":
            continue
        if line[0] in " \t":
            found.add(f"{head} > {bare}")
        else:
            head = bare
            found.add(bare)
    return frozenset(found)


def reload_conf(folder: Folder, side: str, how: str) -> str:
    """Shell text: compare (``--test``) what FRR runs with a side's file, or bring it there.

    ``--reload`` ends with ``write memory``, unless the file is ``frr.conf`` of the folder that it
    is told FRR is configured from: so each side has a folder, and nothing is saved.
    """
    where = quote(folder.file(side))
    file = quote(folder.file(f"{side}/{CONF}"))
    return f"/usr/lib/frr/frr-reload.py --confdir {where} {how} {file}"


def differences(before: Files, after: Files) -> tuple[str, ...]:
    """Line by line, each with what it stands below."""
    lines = changes(places(before.get(CONF, "")), places(after.get(CONF, "")))
    for file in OTHERS:
        old, new = placed(before.get(file.name, "")), placed(after.get(file.name, ""))
        lines += changes(old, new, f"{file.name}: ")
    return tuple(lines)


def changed(job: Job) -> tuple[File, ...]:
    """The files besides ``frr.conf`` that the change touches, in the order of putting in force."""
    return tuple(
        file
        for file in OTHERS
        if placed(job.before.get(file.name, "")) != placed(job.target.get(file.name, ""))
    )
