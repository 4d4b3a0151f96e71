"""From EOS's text to the QoS chain of each port: DSCP → traffic class → queue, PFC, ECN."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.model.names import natural_sorted
from fabric.model.qos import QosChain, QueueSettings
from fabric.platforms import CODES, DSCPS, ConfigError
from fabric.platforms.arista_eos.lines import CONFIG_FILE, Line, in_force, numbers
from fabric.platforms.arista_eos.watchdog import port_watchdog, switch_watchdog

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

QUEUE_WORDS = ("uc-tx-queue", "tx-queue")
PFC_ON = ("priority-flow-control on", "priority-flow-control mode on")  # the second until 4.13
PFC_ALL_OFF = "priority-flow-control all off"
TRUST = "qos trust dscp"
WATCHDOG = "priority-flow-control pause watchdog"
# Traffic class 7 always leads to queue 7: both are the switch's own (Arista TOI on tx-queue 7).
OWN_CLASS = 7
LOAD_BALANCING, DYNAMIC, HASH = "load balancing", "dynamic", "hash"
_DYNAMIC = "ip hardware fib load-balance distribution dynamic"

_PORT = re.compile(r"Ethernet\d+(?:/\d+)*(?:\.\d+)?")
_LOSSLESS = re.compile(r"priority-flow-control priority (\S.*) (no-drop|drop)")
_DSCP = re.compile(r"dscp (\S.*) to traffic-class (\S+)(?: drop-precedence \d+)?")
_QUEUE = re.compile(r"traffic-class (\S.*) to tx-queue (\S+)")
_SHARE = re.compile(r"bandwidth percent (\d+)")
_CAP = re.compile(r"shape rate (\d+) kbps")
_ECN = re.compile(
    r"random-detect ecn minimum-threshold (\d+) (\w+) maximum-threshold (\d+) (\w+)"
    r"(?: max-mark-probability (\d+))?(?: weight \d+)?"
)
_BITS, _KILO = 8, 1000
_SILENT: tuple[None, ...] = (None,) * CODES


@dataclass(frozen=True)
class Binding:
    """An Ethernet port with all that holds for it: lines of its profile, then its own."""

    name: str
    profile: str | None
    lines: tuple[Line, ...]

    def has(self, *texts: str) -> bool:
        """Whether one of these lines holds for the port."""
        return any(line.text in texts for line in self.lines)

    def priorities(self) -> tuple[int, ...]:
        """No-drop priorities, whether PFC is on or not."""
        found: set[int] = set()
        for line in self.lines:
            if match := _LOSSLESS.fullmatch(line.text):
                listed = numbers(match[1], CODES, line)
                found = found.union(listed) if match[2] == "no-drop" else found.difference(listed)
        return tuple(sorted(found))

    @property
    def trusts_dscp(self) -> bool:
        """Whether the last word about trust is DSCP."""
        said = [line.text for line in self.lines if line.text.startswith("qos trust ")]
        return bool(said) and said[-1] == TRUST

    def queues(self) -> dict[int, tuple[str, tuple[Line, ...]]]:
        """Word and lines of each queue that is set."""
        found: dict[int, tuple[str, tuple[Line, ...]]] = {}
        for line in self.lines:
            word, _, number = line.text.partition(" ")
            if word in QUEUE_WORDS and line.below:
                for queue in numbers(number, CODES, line):
                    found[queue] = (word, (*found.get(queue, ("", ()))[1], *line.below))
        return found


def bindings(config: Line) -> Iterator[Binding]:
    """The Ethernet ports in natural order. A section that comes again goes on where it ended."""
    profiles = _whole(config, "qos profile")
    sections = _whole(config, "interface")
    ports = {name: line for name, line in sections.items() if _is_port(name, line)}
    for name in natural_sorted(ports):
        own = ports[name].below
        named = [line.text for line in in_force(own) if line.text.startswith("service-profile ")]
        profile = named[-1].removeprefix("service-profile ") if named else None
        inherited = profiles[profile].below if profile in profiles else ()
        yield Binding(name, profile, tuple(in_force((*inherited, *own))))


def _is_port(name: str, line: Line) -> bool:
    """Whether a section is an Ethernet port's.

    Raises:
        ConfigError: it is one of several ports, or abbreviated; the switch prints neither.
    """
    if not name.lower().startswith("et"):
        return False
    if _PORT.fullmatch(name) is None:
        where = f"line {line.number} of {CONFIG_FILE}"
        msg = f"{where}: interface {name} is not one port in full: Ethernet1/1"
        raise ConfigError(msg)
    return True


def _whole(config: Line, word: str) -> dict[str, Line]:
    """Sections by what follows ``word``, those of one name put together."""
    found: dict[str, Line] = {}
    for name, section in config.sections(word):
        before = found.get(name)
        lines = section.below if before is None else [*before.below, *section.below]
        found[name] = Line(section.text, section.number, lines)
    return found


def dscp_map(config: Line) -> tuple[int | None, ...]:
    """Traffic class of each DSCP as far as it is written; the default map is not confirmed."""
    return _map(config, _DSCP, DSCPS, {})


def queue_map(config: Line) -> tuple[int | None, ...]:
    """Queue of each traffic class, as far as it is written or cannot be otherwise."""
    return _map(config, _QUEUE, CODES, {OWN_CLASS: OWN_CLASS})


def chains_of(config: Line, device: str) -> tuple[QosChain, ...]:
    """One chain a port. A port that is not said to trust DSCP has no DSCP map.

    Priority groups, their headroom and which queue a received pause stops have no word in EOS.
    """
    dscps, queues = dscp_map(config), queue_map(config)
    watchdog = switch_watchdog(config)
    all_off = config.has(PFC_ALL_OFF)
    return tuple(
        QosChain(
            device=device,
            port=port.name,
            dscp_to_tc=dscps if port.trusts_dscp else (None,) * DSCPS,
            tc_to_queue=queues,
            tc_to_pg=_SILENT,
            pfc_priority_to_queue=_SILENT,
            pfc_priority_to_pg=_SILENT,
            pfc_priorities=(enabled := _enabled(port) if not all_off else ()),
            watchdog_priorities=enabled if port.has(WATCHDOG) else (),
            lossless_pgs=(),
            xoff_bytes=_SILENT,
            queues=_queues(port),
            mtu_bytes=_mtu(port),
            watchdog=port_watchdog(port.lines, watchdog)
            if enabled and port.has(WATCHDOG)
            else None,
        )
        for port in bindings(config)
    )


def settings_of(config: Line) -> dict[str, str]:
    """How the chip chooses among equal paths."""
    dynamic = any(
        line.text == _DYNAMIC or line.text.startswith(f"{_DYNAMIC} ") for line in config.below
    )
    return {LOAD_BALANCING: DYNAMIC if dynamic else HASH}


def _map(
    config: Line, pattern: re.Pattern[str], size: int, known: dict[int, int]
) -> tuple[int | None, ...]:
    found = dict(known)
    for rest, line in config.sections("qos map"):
        if match := pattern.fullmatch(rest):
            (target,) = numbers(match[2], CODES, line)
            found.update(dict.fromkeys(numbers(match[1], size, line), target))
    return tuple(found.get(value) for value in range(size))


def _enabled(port: Binding) -> tuple[int, ...]:
    listed = port.priorities()
    return listed if port.has(*PFC_ON) else ()


def _mtu(port: Binding) -> int | None:
    found = [line.text.removeprefix("mtu ") for line in port.lines if line.text.startswith("mtu ")]
    return int(found[-1]) if found and found[-1].isdecimal() else None


def _queues(port: Binding) -> tuple[QueueSettings, ...]:
    written = port.queues()
    lines = (in_force(written[queue][1]) if queue in written else () for queue in range(CODES))
    return tuple(_queue(queue, [line.text for line in own]) for queue, own in enumerate(lines))


def _queue(number: int, texts: Sequence[str]) -> QueueSettings:
    """A queue of which nothing is said is strict (`show running-config all`), and may not be said.

    Thresholds in bytes alone: EOS does not say how many bytes a kbyte or a segment has.
    """
    share, cap, ecn = (_last(pattern, texts) for pattern in (_SHARE, _CAP, _ECN))
    strict = "priority strict" in texts or not (share or "no priority" in texts)
    in_bytes = ecn is not None and ecn[2] == ecn[4] == "bytes"
    return QueueSettings(
        queue=number,
        scheduler="strict" if strict else "dwrr",
        weight=int(share[1]) if share and not strict else None,
        max_rate_bytes_per_s=int(cap[1]) * _KILO // _BITS if cap else None,
        ecn=ecn is not None,
        kmin_bytes=int(ecn[1]) if ecn and in_bytes else None,
        kmax_bytes=int(ecn[3]) if ecn and in_bytes else None,
        pmax_percent=int(ecn[5]) if ecn and ecn[5] else None,
    )


def _last(pattern: re.Pattern[str], texts: Sequence[str]) -> re.Match[str] | None:
    return next((m for t in reversed(texts) if (m := pattern.fullmatch(t))), None)
