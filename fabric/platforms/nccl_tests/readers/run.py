"""A whole run of one of the tests, and a run that was aborted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.nccl_tests.readers.devices import is_rank, ranks
from fabric.platforms.nccl_tests.readers.lines import failure, untagged
from fabric.platforms.nccl_tests.readers.table import Table

if TYPE_CHECKING:
    from fabric.model.reading import Json

_BOUNDS = re.compile(r"\s*#?\s*Out of bounds values\s*:\s*(?P<count>\d+)\s*(?P<word>OK|FAILED)?")
_AVERAGE = re.compile(r"\s*#?\s*Avg bus bandwidth\s*:\s*(?P<value>[\d.]+(?:e[+-]?\d+)?)")
_TEST = re.compile(r"\s*#?\s*Collective test (?:starting|concluded): (?P<name>\S+)")
_VERSION = re.compile(r"\s*#?\s*nccl-tests version (?P<version>\S+)")
_NCCL = re.compile(r"NCCL version (?P<version>\S+)")
_NOISE = re.compile(
    r"#|$|\.{2,}|.*\bNCCL (?:INFO|WARN|version)\b|.*Test (?:\w+ )?(?:failure|timeout)|"
    # where a page took the marks away
    r"nThread \d|Using devices|out-of-place\b|\(B\)\s+\(elements\)|"
    r"(?:Out of bounds values|Avg bus bandwidth|Collective test \w+)\s*:"
)


def collective(text: str) -> Reading:
    """``rows`` by size, ``avg_busbw`` (GB/s), ``ok``, ``ranks_listed``, …

    ``ok``: no value was out of bounds. A run that broke off has ``aborted`` (why) and no ``ok``;
    without any row it is no result at all.
    """
    lines = untagged(text)
    table = Table()
    unparsed = [
        line.strip()
        for line in lines
        if not table.takes(line) and not is_rank(line) and not _NOISE.match(line.strip())
    ]
    results, broken = table.results, failure(lines)
    if not results.header and not any(_BOUNDS.match(line) or _TEST.match(line) for line in lines):
        return Reading()
    if broken and not results.rows:
        return Reading()
    facts: dict[str, Json] = {"rows": results.rows, "wrong_sizes": results.wrong_sizes}
    facts |= ranks(lines) | _summary(lines)
    if broken and "ok" not in facts:
        facts |= {"aborted": broken.message, "failed_hosts": list(broken.hosts)}
    return Reading(facts, (*results.unparsed, *unparsed))


def _summary(lines: list[str]) -> dict[str, Json]:
    facts: dict[str, Json] = {}
    for line in lines:
        if bounds := _BOUNDS.match(line):
            count = int(bounds["count"])
            facts["out_of_bounds"] = count
            facts["ok"] = count == 0 and bounds["word"] != "FAILED"
        elif average := _AVERAGE.match(line):
            facts["avg_busbw"] = float(average["value"])
        elif test := _TEST.match(line):
            facts["test"] = test["name"]
        elif version := _VERSION.match(line):
            facts["version"] = version["version"]
        elif nccl := _NCCL.match(line):
            facts["nccl_version"] = nccl["version"]
    return facts


def error(text: str) -> Reading:
    """``error``, ``message``, ``failed_hosts`` and the listed ranks of an aborted run."""
    lines = untagged(text)
    broken = failure(lines)
    if broken is None:
        return Reading()
    facts: dict[str, Json] = {
        "error": True,
        "message": broken.message,
        "failed_hosts": list(broken.hosts),
    }
    return Reading(facts | ranks(lines))
