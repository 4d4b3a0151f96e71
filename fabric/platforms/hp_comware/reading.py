"""From Comware's text to the QoS chain of each port: DSCP → local precedence → queue, PFC."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.model.names import natural_sorted
from fabric.model.qos import QosChain, QueueSettings
from fabric.platforms import CODES, DSCPS, ConfigError
from fabric.reading.sections import indented

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fabric.reading.sections import Line

CONFIG_FILE = "comware.cfg"
LINK_MODE, TRUST = "port link-mode route", "qos trust dscp"
PFC_ON, NO_DROP = "priority-flow-control enable", "priority-flow-control no-drop dot1p "
WFQ = re.compile(r"qos wfq (?:byte-count|weight)")
_PORT = re.compile(r"(?:[A-Z][A-Za-z-]*GigE|(?:Ten-)?GigabitEthernet)\d+(?:/\d+)+(?::\d+)?")
_IMPORT = re.compile(r"import (\d[\d ]*) export (\d)")
_SHARE = re.compile(r"qos wfq (\w+) (?:group [12] )?(?:byte-count|weight) (\d+)")
_STRICT = re.compile(r"qos wfq (\w+) group sp")
_SPAN = re.compile(r"([0-7])(?:(?:-| to )([0-7]))?")
_QUEUES = ("be", "af1", "af2", "af3", "af4", "ef", "cs6", "cs7")  # what a box may call them
_SILENT: tuple[None, ...] = (None,) * CODES


@dataclass(frozen=True)
class Config:
    """Lines of each port in order, and those of the system view."""

    root: Line
    ports: dict[str, list[str]]

    def pfc(self, port: str) -> tuple[bool, tuple[int, ...]]:
        """Whether PFC is forced on, and for which priorities: at the port, else for all ports."""
        whole = [line.text for line in self.root.below]
        enabled = listed = None
        for text in (*whole, *self.ports[port]):
            if text.startswith("priority-flow-control ") and text.split()[1] in ("enable", "auto"):
                enabled = text == PFC_ON
            elif text == "undo priority-flow-control":
                enabled = False
            elif text.startswith(NO_DROP):
                listed = priorities(text.removeprefix(NO_DROP))
        return bool(enabled), listed or ()

    def table(self, name: str, size: int) -> tuple[int | None, ...] | None:
        """A map as far as it is written: defaults differ by model. ``None``: it is not there."""
        sections = [line for rest, line in self.root.all("qos map-table") if rest == name]
        found: dict[int, int] = {}
        for line in (line for section in sections for line in section.below):
            match = _IMPORT.fullmatch(line.text)
            values = [int(value) for value in match[1].split()] if match else [size]
            if match is None or max(values) >= size or int(match[2]) >= CODES:
                msg = f"line {line.number} of {CONFIG_FILE}: {line.text!r:.60} is no import here"
                raise ConfigError(msg)
            found |= dict.fromkeys(values, int(match[2]))
        return tuple(found.get(value) for value in range(size)) if sections else None


def priorities(text: str) -> tuple[int, ...]:
    """``3,4``, ``3-4`` or ``3 to 4``.

    Raises:
        ConfigError: something else.
    """
    found: set[int] = set()
    for part in text.replace(" to ", "-").replace(" ", ",").split(","):
        span = _SPAN.fullmatch(part)
        if span is None:
            msg = f"{CONFIG_FILE}: {part!r} is no priority"
            raise ConfigError(msg)
        found |= set(range(int(span[1]), int(span[2] or span[1]) + 1))
    return tuple(sorted(found))


def read_config(files: Mapping[str, str]) -> Config:
    """The configuration.

    Raises:
        ConfigError: there is none, or it has no Ethernet port of Comware.
    """
    if CONFIG_FILE not in files:
        msg = f"there is no {CONFIG_FILE}"
        raise ConfigError(msg)
    # The box indents lines of the system view by one, as it does those of a section.
    text = "\n".join(_outdented(files[CONFIG_FILE].split("\n")))
    root = indented(text, comments=("#",))
    ports: dict[str, list[str]] = {}
    for name, section in root.all("interface"):
        if _PORT.fullmatch(name):
            ports.setdefault(name, []).extend(line.text for line in section.below)
    if not ports:
        msg = f"{CONFIG_FILE} is no config of Comware: it has no interface HundredGigE1/0/1"
        raise ConfigError(msg)
    return Config(root, ports)


def _outdented(lines: list[str]) -> list[str]:
    """Indented lines that follow a lone ``#`` belong to the system view."""
    found: list[str] = []
    above = True  # whether no section is open
    for line in lines:
        above = line.startswith("#") or (above and line[:1] in ("", " "))
        found.append(line.lstrip() if above and not line.startswith("#") else line)
    return found


def chains_of(config: Config, device: str) -> tuple[QosChain, ...]:
    """One chain a port. Groups, buffers, ECN and deadlock detection are not read: no units."""
    return tuple(_chain(config, device, port) for port in natural_sorted(config.ports))


def _chain(config: Config, device: str, port: str) -> QosChain:
    texts = config.ports[port]
    enabled, listed = config.pfc(port)
    return QosChain(
        device=device,
        port=port,
        dscp_to_tc=dscp_map(config) if trusts_dscp(texts) else (None,) * DSCPS,
        tc_to_queue=tuple(range(CODES)),  # a local precedence has the queue of its number
        tc_to_pg=_SILENT,
        pfc_priority_to_queue=_SILENT,
        pfc_priority_to_pg=_SILENT,
        pfc_priorities=listed if enabled else (),
        watchdog_priorities=(),
        lossless_pgs=(),
        xoff_bytes=_SILENT,
        queues=queues(texts),
        mtu_bytes=_mtu(texts),
    )


def trusts_dscp(texts: Sequence[str]) -> bool:
    """Whether the last word about trust is DSCP."""
    said = [text for text in texts if text.startswith(("qos trust ", "undo qos trust"))]
    return bool(said) and said[-1].removesuffix(" override") == TRUST


def dscp_map(config: Config) -> tuple[int | None, ...]:
    """Local precedence of each DSCP: by its own table, else over the 802.1p priority."""
    direct = config.table("dscp-lp", DSCPS)
    if direct is not None:
        return direct
    first, second = config.table("dscp-dot1p", DSCPS), config.table("dot1p-lp", CODES)
    if first is None or second is None:
        return (None,) * DSCPS
    return tuple(None if priority is None else second[priority] for priority in first)


def queues(texts: Sequence[str]) -> tuple[QueueSettings, ...]:
    """Schedulers by queue; without ``qos wfq`` on the port none is in force."""
    found: dict[int, QueueSettings] = {}
    for text in texts if any(WFQ.fullmatch(text) for text in texts) else ():
        share, strict = _SHARE.fullmatch(text), _STRICT.fullmatch(text)
        number = _queue_number((share or strict or ["", ""])[1])
        if share and number is not None:
            found[number] = QueueSettings(number, "dwrr", int(share[2]))
        elif strict and number is not None:
            found[number] = QueueSettings(number, "strict")
    return tuple(found.get(n, QueueSettings(n, None)) for n in range(CODES))


def _queue_number(word: str) -> int | None:
    if word in _QUEUES:
        return _QUEUES.index(word)
    return int(word) if word.isdecimal() and int(word) < CODES else None


def _mtu(texts: Sequence[str]) -> int | None:
    found = [text.removeprefix("mtu ") for text in texts if text.startswith("mtu ")]
    return int(found[-1]) if found and found[-1].isdecimal() else None
