"""``ethtool -S``: a NIC's counters, of which those of PFC frames are told by priority too."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading

if TYPE_CHECKING:
    from fabric.model.reading import Json

_TITLE = re.compile(r"^(?:NIC|Standard) [Ss]tatistics.*:\s*$", re.MULTILINE)
_LINE = re.compile(r"\s*(?P<name>\S.*?): (?P<value>\d+)\s*")
_PICKED = re.compile(r"(?:port\.|mac\.)?[rt]x_[\w.\[\]]+")  # what any NIC calls its counters
_PFC = (
    # mlx5; the lines of a priority exist only while it has PFC
    re.compile(r"(?P<way>[rt]x)_prio(?P<priority>[0-7])_pause"),
    # bnxt_en
    re.compile(r"(?P<way>[rt]x)_pfc_ena_frames_pri(?P<priority>[0-7])"),
    # mlx4_en
    re.compile(r"(?P<way>[rt]x)_pause_prio_(?P<priority>[0-7])"),
)


def ethtool(text: str) -> Reading:
    """``counters`` and, where the NIC counts PFC frames by priority, ``pfc`` (``rx``, ``tx``)."""
    if not _TITLE.search(text) and not _is_part(text):
        return Reading()
    counters: dict[str, Json] = {}
    pfc: dict[str, dict[str, Json]] = {"rx": {}, "tx": {}}
    unparsed: list[str] = []
    for line in text.split("\n"):
        found = _LINE.fullmatch(line)
        if found is None:
            if line.strip() and not _TITLE.fullmatch(line):
                unparsed.append(line.strip())
            continue
        value = int(found["value"])
        counters.setdefault(found["name"], value)
        for pattern in _PFC:
            if frames := pattern.fullmatch(found["name"]):
                pfc[frames["way"]][frames["priority"]] = value
    facts: dict[str, Json] = {"counters": counters}
    if pfc["rx"] or pfc["tx"]:
        facts["pfc"] = {way: dict(found) for way, found in pfc.items()}
    return Reading(facts, tuple(unparsed))


def _is_part(text: str) -> bool:
    """Whether these are lines picked from the list (``| grep prio3``): its title is gone then."""
    names = [found and found["name"] for line in text.split("\n") if line.strip()
             for found in (_LINE.fullmatch(line),)]  # fmt: skip
    return bool(names) and all(name and _PICKED.fullmatch(name) for name in names)
