"""Bandwidth and latency tests, by the words of the table's header.

Client and server may share one text: the first row of a message size counts.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading

if TYPE_CHECKING:
    from fabric.model.reading import Json

_TITLE = re.compile(r"^\s*(?P<test>\S.*?(?:BW|Latency)(?: \w+)?) Test\s*$", re.MULTILINE)
_SETTINGS = {
    "device": re.compile(r"\bDevice\s*: (?P<value>\S+)"),
    "link_type": re.compile(r"^\s*Link type\s*: (?P<value>\S+)", re.MULTILINE),
    "mtu": re.compile(r"^\s*Mtu\s*: (?P<value>\d{1,9})\[B\]", re.MULTILINE),
    "gid_index": re.compile(r"^\s*G(?:ID|id) index\s*: (?P<value>\d{1,9})", re.MULTILINE),
    "qps": re.compile(r"^\s*Number of qps\s*: (?P<value>\d{1,9})", re.MULTILINE),
    "connection": re.compile(r"^\s*Connection type\s*: (?P<value>\S+)", re.MULTILINE),
}
_COLUMN = re.compile(
    r"#bytes|#iterations|#sl|(?:BW (?:peak|average|Port\d)|MsgRate(?: Port\d)?)\[[^\]]+\]|"
    r"t_\w+\[[^\]]+\]|99(?:\.9+)?%+ percentile\[[^\]]+\]|tps average|CPU_Util\[%+\]"
)
_KEYS = {
    "#iterations": "iterations",
    "#sl": "sl",
    "BW peak": "bw_peak",
    "BW average": "bw_avg",
    "MsgRate": "msg_rate",
    "99% percentile": "p99",
    "99.9% percentile": "p999",
    "tps average": "tps_avg",
    "CPU_Util": "cpu_percent",
}
_FAILURE = re.compile(
    r"^\s*(?:Couldn't |Unable to |Failed |Completion with error|IB device \S+ not found|"
    r"Found Incompatibility|Problems with|Port number \d+ state is|Did not get Message).*$",
    re.MULTILINE,
)


def test(text: str) -> Reading:
    """``rows`` by size in bytes, ``unit`` of bandwidths or times, and what the run was set to.

    A run that broke off has ``aborted``; without any row it is no result at all.
    """
    title, broken = _TITLE.search(text), _FAILURE.search(text)
    rows, unit, seen = _rows(text)
    if not seen and not title:
        return Reading()
    if broken and not rows:
        return Reading()
    facts: dict[str, Json] = {"rows": rows}
    if title:
        facts["test"] = title["test"]
    if unit:
        facts["unit"] = unit
    for key, pattern in _SETTINGS.items():
        if found := pattern.search(text):
            value = found["value"]
            facts[key] = int(value) if value.isdecimal() else value
    if broken:
        facts["aborted"] = broken[0].strip()
    return Reading(facts)


def _rows(text: str) -> tuple[dict[str, Json], str, bool]:
    """Rows, their unit, and whether there is a header at all."""
    rows: dict[str, Json] = {}
    columns: list[str] = []
    unit = ""
    for line in text.split("\n"):
        if "#bytes" in line:
            columns = _COLUMN.findall(line)
            units = [column.partition("[")[2].rstrip("]") for column in columns if "[" in column]
            unit = unit or (units[0] if units else "")
        elif columns:
            values = [_number(word) for word in line.split()]
            if len(values) == len(columns) and isinstance(values[0], int):
                rows.setdefault(str(values[0]), _row(columns[1:], values[1:]))
    return {size: row for size, row in rows.items() if row}, unit, bool(columns)


def _row(columns: list[str], values: list[int | float | None]) -> Json:
    found: dict[str, Json] = {}
    for column, value in zip(columns, values, strict=True):
        name = column.partition("[")[0].replace("%%", "%")
        key = _KEYS.get(name, name.lower().replace("msgrate", "msg_rate").replace(" ", "_"))
        if value is not None:
            found[key] = value
    return found if len(found) == len(columns) else {}


def _number(word: str) -> int | float | None:
    if word.isascii() and word.isdecimal() and len(word) < 20:  # noqa: PLR2004 - 64 bits
        return int(word)
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
