"""``display interface``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.numbers import speed_mbps, up_or_down, whole

if TYPE_CHECKING:
    from fabric.model.reading import Json

_STATE = re.compile(r"\s*Current state\s*:\s*(.*)", re.IGNORECASE)
_NAME = re.compile(r"\s*([A-Za-z]\S*)\s*")
# Comware 5 has name and state in one line. Huawei's has a blank before the colon.
_NAMED_STATE = re.compile(r"\s*([A-Za-z]\S*\d) current state:\s*(.*)")
_PROTOCOL = re.compile(r"\s*Line protocol (?:current )?state\s*:\s*(.*)", re.IGNORECASE)
_MTU = re.compile(r"\s*(?:The )?Maximum Transm\w+ Unit(?::| is)\s*(\d+)", re.IGNORECASE)
_FRAME = re.compile(r"\s*(?:The )?Maximum Frame Length(?::| is)\s*(\d+)", re.IGNORECASE)
_SPEED = re.compile(r"\s*(\d+(?:\.\d+)?\s*[KMGT])(?:bps|b/s)?(?:-speed mode)?\s*,", re.IGNORECASE)
_BANDWIDTH = re.compile(r"\s*Bandwidth:\s*(\d+)\s*kbps", re.IGNORECASE)
_DIRECTION = re.compile(r"\s*(input|output)\s*(?:\((\w+)\))?\s*:(.*)", re.IGNORECASE)
_COUNT = re.compile(r"(\d+)\s+([A-Za-z][A-Za-z ]*)")
_COUNTER_LINE = re.compile(r"\s+(?:\d+|-) [A-Za-z]")
_KBPS = 1000
_COUNTERS = {
    ("input", "input errors"): "in_errors",
    ("input", "errors"): "in_errors",
    ("input", "crc"): "crc_errors",
    ("input", "overruns"): "in_overruns",
    ("input", "drops"): "in_drops",
    ("input", "pauses"): "in_pause",
    ("output", "output errors"): "out_errors",
    ("output", "errors"): "out_errors",
    ("output", "drops"): "out_drops",
    ("output", "pauses"): "out_pause",
}
# Lines that say nothing asked for.
_KNOWN = re.compile(
    r"(?i)\s*(?:description|bandwidth|internet|ip(?:v[46])? |ipv[46]|loopback|media|promiscuous"
    r"|unknown-speed|link |flow-control|output queue|output flow|last |current system|peak "
    r"|allow jumbo|forbid jumbo|broadcast|multicast|unicast|unknown-|known-|pvid|port |mdi|vlan "
    r"|tagged|untagged|trunk|physical|phy-|tunnel|encapsulation|ethernet port|no connector"
    r"|\d[\d, -]*$|\d+ (?:packets|(?:in|out)put error)|dcd:|transfer|gre |checksumming|source"
    r"|destination|$)"
)


@dataclass(slots=True)
class _Port:
    facts: dict[str, Json] = field(default_factory=dict)
    bandwidth_mbps: int = 0
    direction: str = ""

    def state(self, words: str) -> None:
        """``UP``, ``Administratively DOWN``, ``DOWN ( Administratively )``, ``STP DOWN`` …"""
        self.facts["oper"] = "up" if re.search(r"\bUP\b", words, re.IGNORECASE) else "down"
        self.facts["admin"] = "down" if "administratively" in words.lower() else "up"

    def read(self, line: str) -> bool:
        """Whether the line was understood."""
        turned = _DIRECTION.match(line)
        if turned:
            self.direction = turned[1].lower()
            self._count(turned[3])
        elif found := _PROTOCOL.match(line):
            self._keep("protocol", up_or_down(found[1]))
        elif found := _MTU.match(line):
            self._keep("mtu", whole(found[1]))
        elif found := _FRAME.match(line):
            self._keep("max_frame", whole(found[1]))
        elif found := _SPEED.match(line):
            self._keep("speed_mbps", speed_mbps(found[1].replace(" ", "")))
        elif found := _BANDWIDTH.match(line):
            self.bandwidth_mbps = int(found[1]) // _KBPS
        elif self.direction and _COUNTER_LINE.match(line):
            self._count(line)
        else:
            return bool(_KNOWN.match(line))
        return True

    def _keep(self, key: str, value: Json) -> None:
        if value is not None:
            self.facts.setdefault(key, value)

    def _count(self, line: str) -> None:
        """Counters; of one that is given twice (total and normal) the first number stands."""
        for number, words in _COUNT.findall(line):
            key = _COUNTERS.get((self.direction, words.strip().lower()))
            if key:
                self._keep(key, int(number))

    def whole(self) -> dict[str, Json]:
        """The facts. A port that is down shows no speed; its bandwidth is that of the port."""
        if self.bandwidth_mbps:
            self._keep("speed_mbps", self.bandwidth_mbps)
        return self.facts


def full(text: str) -> Reading:
    """``interfaces``: states, speed, MTU, frame limit, errors."""
    ports: dict[str, _Port] = {}
    left: list[str] = []
    port: _Port | None = None
    lines = text.split("\n")
    for number, line in enumerate(lines):
        following = _STATE.match(lines[number + 1]) if number + 1 < len(lines) else None
        alone = _NAME.fullmatch(line) if following else None
        named = _NAMED_STATE.fullmatch(line)
        if alone and following:
            port = ports.setdefault(alone[1], _Port())
            port.state(following[1])
        elif named:
            port = ports.setdefault(named[1], _Port())
            port.state(named[2])
        elif port is None or not (_STATE.match(line) or port.read(line)):
            left.append(line.strip())
    if not ports:
        return Reading()
    found: dict[str, Json] = {name: port.whole() for name, port in ports.items()}
    return Reading({"interfaces": found}, tuple(line for line in left if line))
