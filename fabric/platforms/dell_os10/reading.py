"""From OS10's text to the QoS chain of each port: DSCP → qos-group → queue, PFC, ECN."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.model.names import natural_sorted
from fabric.model.qos import QosChain, QueueSettings
from fabric.platforms import CODES, DSCPS, ConfigError
from fabric.platforms.dell_os10.lines import config_of, numbers, port_lines, texts_below

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.reading.sections import Line

CONFIG_FILE = "os10.cfg"
HEADER_BYTES = 32  # what mtu counts above the IP MTU
PFC_ON = "priority-flow-control mode on"
_PORT = re.compile(r"ethernet\d+/\d+/\d+(?::\d+)?")
_TRUST, _QUEUES = "trust-map dscp ", "qos-map traffic-class "
_PAUSES, _SHARES = "service-policy input type network-qos ", "service-policy output type queuing "
_ECN = "random-detect ecn"
_DROP = re.compile(r"random-detect color green .* drop-probability (\d+)")
_SILENT: tuple[None, ...] = (None,) * CODES


@dataclass(frozen=True)
class Config:
    """A configuration with what its ports refer to, by name."""

    root: Line
    ports: dict[str, list[str]]
    system: tuple[str, ...]

    def section(self, head: str, name: str | None) -> Line | None:
        """The section of that name; ``None``: it is not there."""
        return next((line for rest, line in self.root.all(head) if rest == name), None)

    def bound(self, port: str, head: str) -> str | None:
        """What the port names last, else what the switch names for all ports."""
        own = [text.removeprefix(head) for text in self.ports[port] if text.startswith(head)]
        whole = [text.removeprefix(head) for text in self.system if text.startswith(head)]
        named = own or whole
        return named[-1] if named else None


def read_config(files: Mapping[str, str]) -> Config:
    """The configuration.

    Raises:
        ConfigError: there is none, or it has no port of OS10.
    """
    if CONFIG_FILE not in files:
        msg = f"there is no {CONFIG_FILE}"
        raise ConfigError(msg)
    root = config_of(files[CONFIG_FILE])
    ports = {name: texts for name, texts in port_lines(root).items() if _PORT.fullmatch(name)}
    if not ports:
        msg = f"{CONFIG_FILE} is no config of OS10: it has no interface ethernet1/1/1"
        raise ConfigError(msg)
    system = [text for _, line in root.all("system qos") for text in texts_below(line)]
    return Config(root, ports, tuple(system))


def chains_of(config: Config, device: str) -> tuple[QosChain, ...]:
    """One chain a port. Priority groups, buffers and which queue a pause stops have no word."""
    return tuple(
        QosChain(
            device=device,
            port=port,
            dscp_to_tc=dscp_map(config, port),
            tc_to_queue=queue_map(config, port),
            tc_to_pg=_SILENT,
            pfc_priority_to_queue=_SILENT,
            pfc_priority_to_pg=_SILENT,
            pfc_priorities=tuple(sorted(pauses(config, port))) if _pfc_is_on(config, port) else (),
            watchdog_priorities=(),
            lossless_pgs=(),
            xoff_bytes=_SILENT,
            queues=queues(config, port),
            mtu_bytes=_mtu(config, port),
        )
        for port in natural_sorted(config.ports)
    )


def dscp_map(config: Config, port: str) -> tuple[int | None, ...]:
    """The qos-group of each DSCP; without trust, or a map that is there, nothing is known."""
    if any(text.startswith("trust-map dot1p") for text in config.ports[port]):
        return (None,) * DSCPS
    section = config.section("trust dscp-map", config.bound(port, _TRUST))
    return _map(section, "qos-group", "dscp", DSCPS)


def queue_map(config: Config, port: str) -> tuple[int | None, ...]:
    """The queue of each qos-group; without a map each has the queue of its number."""
    name = config.bound(port, _QUEUES)
    if name is None:
        return tuple(range(CODES))
    return _map(config.section("qos-map traffic-class", name), "queue", "qos-group", CODES)


def _map(section: Line | None, one: str, many: str, size: int) -> tuple[int | None, ...]:
    found: dict[int, int] = {}
    for rest, line in section.all(one) if section else ():
        target, _, listed = rest.partition(f" {many} ")
        codes = numbers(listed.partition(" type ")[0], size)
        if not target.isdecimal() or int(target) >= CODES or codes is None:
            msg = f"line {line.number} of {CONFIG_FILE}: {line.text!r:.60} is no {one} with {many}"
            raise ConfigError(msg)
        found |= dict.fromkeys(codes, int(target))
    return tuple(found.get(code) for code in range(size))


def pauses(config: Config, port: str) -> set[int]:
    """Priorities of the port's network-qos policy that pause, whether PFC is on or not."""
    policy = config.section("policy-map type network-qos", config.bound(port, _PAUSES))
    found: set[int] = set()
    for _, entry in policy.all("class") if policy else ():
        if any(line.text.split()[0] == "pause" for line in entry.below):
            for rest, line in entry.all("pfc-cos"):
                codes = numbers(rest, CODES)
                if codes is None:
                    msg = f"line {line.number} of {CONFIG_FILE}: {line.text!r:.60}"
                    raise ConfigError(msg)
                found |= set(codes)
    return found


def _pfc_is_on(config: Config, port: str) -> bool:
    said = [text for text in config.ports[port] if "priority-flow-control" in text]
    return bool(said) and said[-1] == PFC_ON


def queues(config: Config, port: str) -> tuple[QueueSettings, ...]:
    """The queues of the port's queuing policy. Thresholds are in kilobytes of unknown size."""
    policy = config.section("policy-map type queuing", config.bound(port, _SHARES))
    entries = dict(policy.all("class")) if policy else {}
    of_queue = {
        line.rest("match queue"): entries[name]
        for name, line in config.root.all("class-map type queuing")
        if name in entries
    }
    return tuple(_queue(config, n, of_queue.get(str(n))) for n in range(CODES))


def _queue(config: Config, number: int, entry: Line | None) -> QueueSettings:
    if entry is None:
        return QueueSettings(number, None)
    share = entry.rest("bandwidth percent")
    profile = config.section("wred", entry.rest("random-detect"))
    marks = profile is not None and profile.has(_ECN)
    drops = [_DROP.fullmatch(line.text) for line in profile.below] if profile else []
    probabilities = [int(match[1]) for match in drops if match]
    strict = entry.has("priority")
    return QueueSettings(
        queue=number,
        scheduler="strict" if strict else "dwrr" if share else None,
        weight=int(share) if share and share.isdecimal() and not strict else None,
        ecn=marks,
        pmax_percent=probabilities[-1] if marks and probabilities else None,
    )


def _mtu(config: Config, port: str) -> int | None:
    found = [t.removeprefix("mtu ") for t in config.ports[port] if t.startswith("mtu ")]
    return int(found[-1]) - HEADER_BYTES if found and found[-1].isdecimal() else None
