"""``show ip bgp summary``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Facts, Reading

if TYPE_CHECKING:
    from fabric.model.reading import Json

_SELF = re.compile(r"BGP router identifier (\S+), local AS number (\S+)")
_TABLE = re.compile(
    r"Neighbor\s+V\s+AS\s+MsgRcvd\s+MsgSent\s+TblVer\s+InQ\s+OutQ\s+Up/Down\s+State/"
)
# A row, and what may stand of it on a line before the rest.
_PEER = re.compile(
    r"([\da-fA-F.:]+(?:%\S+)?|[A-Za-z][\w-]*\d[\w/.]*)\s+(\d)\s+(\d+(?:\.\d+)?)"
    r"\s+\d+\s+\d+\s+\d+\s+\d+\s+\d+\s+(\S+)\s+(\S.*)"
)
_BEGINNING = re.compile(
    r"(?:[\da-fA-F]*[.:][\da-fA-F.:]+(?:%\S+)?|[A-Za-z][\w-]*\d[\w/.]*)(?:\s+\d(?:\s+\d+(?:\.\d+)?)?)?"
)
_ABOUT = re.compile(r"BGP |Dampening |\d+(?:/\d+)? |Neighbor\s+V|\s*$|.* received paths for ")
_STATE = re.compile(r"[A-Za-z]+")


def summary(text: str) -> Reading:
    """``router_id``, ``local_as``, ``peers``; of a peer in several families the first counts.

    A row goes on in the next line after a long address, and once more after a long AS number.
    """
    own = _SELF.search(text)
    if own is None:
        return Reading()
    peers: dict[str, Json] = {}
    unparsed = []
    begun = ""
    listed = False
    for line in text.split("\n"):
        if _TABLE.match(line):
            listed = True
            continue
        joined = f"{begun} {line.strip()}".strip()
        row = _PEER.fullmatch(joined) if listed else None
        whole = [text for text in (joined, line.strip()) if _BEGINNING.fullmatch(text)]
        if row:
            peers.setdefault(row[1], _peer(row))
            begun = ""
        elif listed and whole:
            begun = whole[0]
        elif not _ABOUT.match(line):
            unparsed.append(line.strip())
    facts: Facts = {"router_id": own[1], "local_as": own[2], "peers": peers}
    return Reading(facts, tuple(unparsed))


def _peer(row: re.Match[str]) -> Facts:
    """A number in the last column counts prefixes, so the session is established."""
    facts: Facts = {"remote_as": row[3]}
    state = row[5].split()[0]
    if state.isdecimal():
        return facts | {"state": "Established", "prefixes_received": int(state)}
    word = _STATE.match(state)
    return facts | ({"state": word[0]} if word else {})
