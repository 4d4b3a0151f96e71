"""NX-OS's configuration as a tree of lines, and the names of its interfaces."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.platforms import ConfigError
from fabric.reading.sections import Line, indented

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CONFIG_FILE = "nxos.cfg"

_KINDS = {
    "eth": "Ethernet",
    "ethernet": "Ethernet",
    "po": "port-channel",
    "port-channel": "port-channel",
    "vlan": "Vlan",
    "lo": "loopback",
    "loopback": "loopback",
    "mgmt": "mgmt",
    "nve": "nve",
    "tunnel": "Tunnel",
}
_NAME = re.compile(r"([A-Za-z][A-Za-z-]*?)\s*(\d[\d/.:]*)")
_RANGE = re.compile(r"(.*?)(\d+)\s*-\s*(?:[A-Za-z-]*\s*(?:\d+/)*)(\d+)")
_BANNER = re.compile(r"banner (?:motd|exec) (\S)")
_MOST_PORTS = 4096


def interface_name(text: str) -> str | None:
    """``Eth1/1``, ``ethernet 1/1`` → ``Ethernet1/1``; ``None``: not the name of an interface."""
    found = _NAME.fullmatch(text.strip())
    kind = _KINDS.get(found[1].lower()) if found else None
    return f"{kind}{found[2]}" if found and kind else None


def interface_names(text: str) -> list[str]:
    """The same of ``Ethernet1/1-4, Ethernet1/9``: each name of a range; none: no such names."""
    names: list[str] = []
    prefix = ""
    for part in text.split(","):
        whole = part.strip()
        if whole[:1].isdigit():
            whole = f"{prefix}{whole}"
        span = _RANGE.fullmatch(whole)
        first, low, high = (span[1], int(span[2]), int(span[3])) if span else (whole, 0, 0)
        if span and not low <= high < low + _MOST_PORTS:
            return []
        each = [f"{first}{n}" for n in range(low, high + 1)] if span else [whole]
        found = [interface_name(name) for name in each]
        names += [name for name in found if name]
        prefix = re.sub(r"\d+(?:/\d+)*$", "", names[-1]) if names else ""
    return names


def tree_of(text: str) -> Line:
    """A configuration without banners and without what a later ``no …`` takes back."""
    root = indented(_without_banners(text), ("!",))
    return Line(root.text, root.number, tuple(in_force(root.below)))


def config_of(files: Mapping[str, str]) -> Line:
    """The whole config.

    Raises:
        ConfigError: the file is missing, is indented like no config, or has no interface.
    """
    if CONFIG_FILE not in files:
        msg = f"there is no {CONFIG_FILE}"
        raise ConfigError(msg)
    text = files[CONFIG_FILE]
    lines = (x for x in enumerate(text.splitlines(), 1) if x[1].strip())
    number, first = next(((n, x) for n, x in lines if not x.strip().startswith("!")), (0, ""))
    if first.startswith(" "):
        msg = f"line {number} of {CONFIG_FILE} is indented below nothing: {first.strip()!r:.60}"
        raise ConfigError(msg)
    root = tree_of(text)
    if not any(interface_names(rest) for rest, _ in root.all("interface")):
        msg = f"{CONFIG_FILE} is no config of NX-OS: it has no interface"
        raise ConfigError(msg)
    return root


def interfaces_of(root: Line) -> dict[str, tuple[Line, ...]]:
    """The lines of each interface, ranges written out; a section that comes again goes on."""
    found: dict[str, list[Line]] = {}
    for rest, line in root.all("interface"):
        for name in interface_names(rest):
            found.setdefault(name, []).extend(line.below)
    return {name: tuple(in_force(lines)) for name, lines in found.items()}


def in_force(lines: Iterable[Line]) -> list[Line]:
    """The lines of a section without those that a later ``no …`` takes back."""
    left: list[Line] = []
    for line in lines:
        word, _, rest = line.text.partition(" ")
        if word == "no" and not line.below:
            left = [x for x in left if x.text != rest and not x.text.startswith(f"{rest} ")]
        left.append(line)
    return left


def last(lines: Iterable[Line], pattern: re.Pattern[str]) -> re.Match[str] | None:
    """The last line that has the form."""
    found = None
    for line in lines:
        found = pattern.fullmatch(line.text) or found
    return found


def _without_banners(text: str) -> str:
    """A banner goes on until its delimiter comes again; it may hold anything."""
    kept: list[str] = []
    until = ""
    for line in text.split("\n"):
        if until:
            until = "" if until in line else until
            continue
        banner = _BANNER.match(line)
        if banner and banner[1] not in line[banner.end() :]:
            until = banner[1]
        elif not banner:
            kept.append(line.rstrip("\r"))
    return "\n".join(kept)
