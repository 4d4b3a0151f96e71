"""``facts/<device>.json`` beside the inventory: what only the box knows, as it was recorded."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from fabric.files.yaml import load, one_line
from fabric.inventory.recorded_buffers import Recorded, recorded_buffers
from fabric.model.finding import Finding, Severity
from fabric.model.intent import DeviceFacts
from fabric.model.names import natural_key

if TYPE_CHECKING:
    from fabric.files.yaml import Loaded

_TEXTS = ("mac", "hwsku", "platform", "database_version", "source")
_LONGEST_LANE = 6  # digits; no chip has a million lanes
_KEYS = (*_TEXTS, "lanes", "buffers")


def read_facts(content: bytes, name: str) -> tuple[DeviceFacts, tuple[Finding, ...]]:
    """Facts of one device.

    ``lanes`` maps port names to lane numbers (list or ``"1,2"``); ``buffers`` holds the box's
    BUFFER_POOL and BUFFER_PROFILE.
    """
    loaded = load(content, name)
    problems = list(loaded.problems)
    data = loaded.data if isinstance(loaded.data, dict) else {}
    texts: dict[str, str] = {}
    lanes: tuple[tuple[str, tuple[int, ...]], ...] = ()
    buffers: Recorded | None = None

    def note(path: tuple[str, ...], message: str) -> None:
        problems.append(_finding("RCE006", loaded, path, message))

    for key, value in data.items():
        if key in _TEXTS and isinstance(value, str):
            texts[key] = value
        elif key == "lanes" and isinstance(value, dict):
            lanes = _lanes(value, loaded, problems)
        elif key == "buffers" and isinstance(value, dict):
            buffers = recorded_buffers(value, note)
        else:
            problems.append(_bad_key(key, loaded))
    texts.setdefault("source", "/".join(name.split("/")[-2:]))  # a plan names no machine's path
    facts = DeviceFacts(
        **texts,
        lanes=lanes,
        buffers=buffers.table if buffers else None,
        headroom=buffers.rows if buffers else (),
    )
    return facts, tuple(problems)


def _lanes(
    data: dict[str, Any], loaded: Loaded, problems: list[Finding]
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    lanes: list[tuple[str, tuple[int, ...]]] = []
    for port in sorted(data, key=natural_key):
        value = data[port]
        parts = value.split(",") if isinstance(value, str) else value
        numbers = _numbers(parts)
        if numbers:
            lanes.append((port, numbers))
        else:
            message = f'the lanes of {port} must be whole numbers, such as [1, 2] or "1,2"'
            problems.append(_finding("RCE006", loaded, ("lanes", port), message))
    return tuple(lanes)


def _numbers(parts: object) -> tuple[int, ...]:
    if isinstance(parts, int) and not isinstance(parts, bool):
        parts = [parts]
    if not isinstance(parts, list):
        return ()
    texts = [str(part).strip() for part in parts]
    whole = all(text.isdecimal() and len(text) <= _LONGEST_LANE for text in texts)
    return tuple(map(int, texts)) if whole else ()


def _bad_key(key: str, loaded: Loaded) -> Finding:
    if key in _KEYS:
        wanted = "text" if key in _TEXTS else "keys and values"
        return _finding("RCE006", loaded, (key,), f"{key} must be {wanted}")
    close = difflib.get_close_matches(key, _KEYS, n=1, cutoff=0.6)
    fix = f"did you mean {close[0]}?" if close else f"known: {', '.join(_KEYS)}"
    return _finding("RCE005", loaded, (key,), f"device facts have no key {key}", fix)


def _finding(
    rule: str, loaded: Loaded, path: tuple[str, ...], message: str, fix: str = ""
) -> Finding:
    return Finding(
        rule, Severity.ERROR, loaded.name, one_line(message), fix=fix, location=loaded.locate(path)
    )
