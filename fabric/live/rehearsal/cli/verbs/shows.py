"""What show commands tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.rehearsal.cli import eos, peers, texts
from fabric.live.rehearsal.cli.verbs.sources import source

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabric.live.rehearsal.cli.keeping import Candidate
    from fabric.live.rehearsal.cli.terminal import Terminal

Done = tuple[str, dict[str, str]]


def text(terminal: Terminal, what: str, style: str = "") -> Done:
    """A configuration, below the heading that the system gives it."""
    config, _ = source(terminal, what)
    box = terminal.box
    if config is None:
        return "absent", {}
    lines = box.form.write(config, style.replace("_", " "))
    heading = "" if style else box.system.main.get("headings", {}).get(what, "")
    head = texts.fill(heading, texts.facts(box))
    return "", {"text": head + "".join(f"{line}\n" for line in lines)}


def diff(terminal: Terminal, old: str, new: str, style: str = "", names: str = "") -> Done:
    """What differs; ``same`` where nothing does, ``absent`` where one is not there."""
    box = terminal.box
    one, _ = source(terminal, old)
    other, _ = source(terminal, new)
    if one is None or other is None:
        return "absent", {}
    first, _, second = names.partition(",")
    lines = box.form.diff(one, other, style, (first, second))
    return ("" if lines else "same"), {"text": "".join(f"{line}\n" for line in lines)}


def typed(terminal: Terminal) -> Done:
    """The lines typed into the candidate so far."""
    lines = terminal.candidate.typed if terminal.candidate is not None else []
    return "", {"text": "".join(f"{line}\n" for line in lines)}


def sessions(terminal: Terminal) -> Done:
    """Candidates, one a row; somebody else's as well while the fault ``lock`` is armed."""
    box, data = terminal.box, terminal.box.system.main["sessions"]
    rows = [
        {
            "name": one.name,
            "state": _state(one, data.get("states", {})),
            "user": one.user,
            "kind": one.kind,
            "mark": "*" if terminal.candidate is one else " ",
        }
        for one in box.candidates.values()
    ]
    if box.world.faults.on("lock"):
        rows.append({**data["foreign"], "mark": " "})
    lines = [texts.fill(data["row"], row).rstrip() for row in rows]
    return ("" if rows else "none"), {"text": "".join(f"{line}\n" for line in lines)}


def _state(candidate: Candidate, words: Mapping[str, str]) -> str:
    """The system's word; ``left``: nobody is in a candidate that is not committed."""
    left = candidate.holder is None and candidate.state == "pending" and "left" in words
    return words.get("left" if left else candidate.state, candidate.state)


def bgp(terminal: Terminal, family: str = "") -> Done:
    """BGP sessions; ``no_bgp`` where none is configured."""
    told = peers.facts(terminal.box)
    if not told["asn"]:
        return "no_bgp", {}
    return "", {"text": peers.summary(terminal.box, family), **told}


def timer(terminal: Terminal) -> Done:
    """The change that waits; ``none`` where none does."""
    found = terminal.box.timer
    if found is None:
        return "none", {}
    return "", {"seconds": str(found.seconds), "persist": found.persist or "-"}


def commits(terminal: Terminal) -> Done:
    """Commits, the latest first; of one that waits for its confirmation it is told."""
    box, main = terminal.box, terminal.box.system.main
    rows = []
    for place, one in enumerate(reversed(box.history)):
        facts = {
            "row": str(place),
            "id": str(one.number),
            "user": one.user,
            "label": one.label or "-",
            "time": str(one.at),
            "minutes": ""
            if box.timer is None
            else str(-(-box.timer.left(box.world.clock()) // 60)),
        }
        waits = main.get("commit_waits", "") if box.timer is not None and not place else ""
        remark = main.get("commit_remark", "") if one.label else ""
        rows.append(texts.fill(main["commit_row"] + waits + remark, facts))
    return "", {"text": "".join(f"{line}\n" for line in rows)}


def checkpoints(terminal: Terminal) -> Done:
    """Names of checkpoints."""
    return "", {"text": "".join(f"{name}\n" for name in terminal.box.checkpoints)}


def lldp(terminal: Terminal) -> Done:
    """Who is cabled to whom."""
    row = terminal.box.system.main["lldp_row"]
    rows = [
        texts.fill(row, {"port": one.port, "peer": one.peer, "peer_port": one.peer_port})
        for one in terminal.box.setup.neighbours
    ]
    return "", {"text": "".join(f"{line}\n" for line in rows), "count": str(len(rows))}


def eos_sessions(terminal: Terminal) -> Done:
    """EOS alone: the JSON form; its keys differ between versions, which no text can say."""
    return "", {"text": eos.sessions(terminal.box)}


def eos_version(terminal: Terminal) -> Done:
    """EOS alone: the JSON form."""
    return "", {"text": eos.version(terminal.box)}


def eos_bgp(terminal: Terminal) -> Done:
    """EOS alone: the JSON form."""
    return "", {"text": eos.bgp(terminal.box)}


VERBS: Mapping[str, Callable[..., Done]] = {
    "text": text,
    "diff": diff,
    "typed": typed,
    "sessions": sessions,
    "bgp": bgp,
    "timer": timer,
    "commits": commits,
    "checkpoints": checkpoints,
    "lldp": lldp,
    "eos_sessions": eos_sessions,
    "eos_version": eos_version,
    "eos_bgp": eos_bgp,
}
