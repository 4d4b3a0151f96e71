"""Whether facts hold what was expected, by the rules of the recordings (see the README there)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_NUMBER = re.compile(r"[+-]?\d[\d,]*(\.\d+)?([eE][+-]?\d+)?")
_PORT = re.compile(r"([A-Za-z][A-Za-z-]*?)-?(\d[\d/.:]*)")
_LONG = {
    "et": "ethernet", "eth": "ethernet", "ethernet": "ethernet",
    "po": "port-channel", "port-channel": "port-channel", "portchannel": "port-channel",
    "ma": "management", "mgmt": "mgmt", "lo": "loopback", "loopback": "loopback", "vl": "vlan",
    "vlan": "vlan", "vlanif": "vlanif",
    "ge": "gigabitethernet", "gi": "gigabitethernet", "gigabitethernet": "gigabitethernet",
    "xge": "ten-gigabitethernet", "ten-gigabitethernet": "ten-gigabitethernet",
    "te": "tengigabitethernet",
    "hge": "hundredgige", "hundredgige": "hundredgige",
    "fge": "fortygige", "fortygige": "fortygige",
    "bagg": "bridge-aggregation", "bridge-aggregation": "bridge-aggregation",
}  # fmt: skip


def differences(expected: object, found: object, where: str = "") -> Iterator[str]:
    """One sentence for each expected fact that is not there."""
    if isinstance(expected, dict):
        yield from _objects(expected, found, where)
    elif isinstance(expected, list):
        yield from _lists(expected, found, where)
    elif not _same(expected, found):
        yield f"{where}: expected {expected!r}, found {found!r}"


def _objects(expected: dict[str, object], found: object, where: str) -> Iterator[str]:
    if not expected and not found:
        return
    if not isinstance(found, dict):
        yield f"{where}: expected an object, found {found!r}"
        return
    if not expected:
        yield f"{where}: expected nothing, found {found!r:.80}"
        return
    by_key = {_key(str(key)): value for key, value in found.items()}
    for key, value in expected.items():
        place = f"{where}.{key}" if where else str(key)
        if _key(str(key)) in by_key:
            yield from differences(value, by_key[_key(str(key))], place)
        elif value is not None and value not in ([], {}):
            yield f"{place}: expected {value!r:.60}, absent"


def _lists(expected: list[object], found: object, where: str) -> Iterator[str]:
    if not isinstance(found, list):
        if expected or found:
            yield f"{where}: expected a list, found {found!r}"
        return
    left = list(found)
    for item in expected:
        match = next((n for n, x in enumerate(left) if not any(differences(item, x))), None)
        if match is None:
            yield f"{where}: {item!r} is missing"
        else:
            del left[match]
    if left:
        yield f"{where}: too many, {left[0]!r:.80}"


def _same(expected: object, found: object) -> bool:
    if expected is None:
        return found is None or found in ("", [], {})
    if isinstance(expected, bool) or isinstance(found, bool):
        return expected is found
    one, other = _number(expected), _number(found)
    if one is not None and other is not None:
        return one == other
    return _key(str(expected)) == _key(str(found))


def _number(value: object) -> float | None:
    if isinstance(value, int | float):
        return float(value)
    text = str(value).strip()
    return float(text.replace(",", "")) if _NUMBER.fullmatch(text) else None


def _key(text: str) -> str:
    folded = text.strip().lower()
    port = _PORT.fullmatch(folded)
    if port and port[1] in _LONG:
        return f"{_LONG[port[1]]}{port[2]}"
    name, dot, domain = folded.partition(".")
    if dot and not folded[0].isdigit() and "/" not in folded and ":" not in folded:
        return folded if domain.isdecimal() else name  # a sub-interface, a host with its domain
    return folded
