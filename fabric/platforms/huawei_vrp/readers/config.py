"""``display current-configuration`` as facts; the chains of its ports are ``..reading``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.huawei_vrp.config import whole
from fabric.platforms.huawei_vrp.reading import ECN_QUEUE, PFC_ON, WRED
from fabric.reading.sections import indented

if TYPE_CHECKING:
    from fabric.model.reading import Facts, Json
    from fabric.reading.sections import Line

_NAMED = re.compile(r"(?:low-limit|high-limit|discard-percentage) (\d+)")
_ECN = re.compile(r"(ecn|color (?:green|yellow|red)) (buffer-size (?:cell )?)?low-limit .*")
_REWRITE = re.compile(r"adjust original-dscp (\d+) to priority (\d) dscp (\d+)")
_MEMBER = re.compile(r"group-member interface (.+)")
_COMWARE = re.compile(r"\A\s*(?:#\s*\n)*\s*version \d+\.")  # its first line; alike otherwise
_REMARK = re.compile(r" {2,}//.*$", re.MULTILINE)  # of a manual's example
_SEPARATOR = r"^#\s*$"
_OF_OTHERS = r"^(?:!\s*$|hostname |feature |no |set |interface [a-z]+ ?\d)"
_SYSTEM = ("sysname", "interface", "dcb pfc", "drop-profile", "diffserv domain", "bgp", "vlan")


def current(text: str) -> Reading:
    """``hostname``, ``lossless``, ``interfaces``, ``drop_profiles`` and deadlock prevention."""
    if _COMWARE.search(text):
        return Reading()
    tree = whole(indented(_REMARK.sub("", text)))
    if tree.rest("sysname") is None and not _is_config(text, tree):
        return Reading()
    facts: Facts = {"interfaces": _interfaces(tree)}
    hostname = tree.rest("sysname")
    if hostname:
        facts["hostname"] = hostname
    lossless = _lossless(tree)
    if lossless is not None:
        facts["lossless"] = [*lossless]
    profiles = {name: _drops(line) for name, line in tree.all("drop-profile") if name}
    if any(profiles.values()):
        facts["drop_profiles"] = {n: {**p} for n, p in profiles.items()}
    return Reading({**facts, **_prevention(tree)})


def _is_config(text: str, tree: Line) -> bool:
    """A part of a configuration: known sections, separated by number signs alone."""
    ours, others = (re.search(p, text, re.MULTILINE) for p in (_SEPARATOR, _OF_OTHERS))
    return bool(ours and not others) and any(any(tree.all(word)) for word in _SYSTEM)


def _interfaces(tree: Line) -> dict[str, Json]:
    return {name: _port([x.text for x in line.below]) for name, line in tree.all("interface")}


def _port(texts: list[str]) -> dict[str, Json]:
    port: dict[str, Json] = {}
    for text in texts:
        on = PFC_ON.fullmatch(text)
        if on:
            port["pfc_mode"] = on[2] or "manual"
            if on[1]:
                port["pfc_profile"] = on[1]
        elif text.startswith("trust ") and not text.startswith("trust upstream"):
            port["trust"] = text.split()[1]
        elif text.startswith("dcb ets enable "):
            port["ets_profile"] = text.split()[-1]
        elif re.fullmatch(r"mtu \d+", text):
            port["mtu"] = int(text.split()[-1])
    marking: list[Json] = [int(m[1]) for text in texts if (m := ECN_QUEUE.fullmatch(text))]
    if marking:
        port["ecn_queues"] = marking
    wred: dict[str, Json] = {m[1]: m[2] for text in texts if (m := WRED.fullmatch(text))}
    return port | ({"wred": wred} if wred else {})


def _lossless(tree: Line) -> list[int] | None:
    """As the profiles list them; ``None``: none does. What they have unlisted is left out."""
    given = {
        int(word)
        for line in tree.below
        if re.fullmatch(r"dcb pfc(?: [\w-]+)?", line.text)
        for own in line.below
        if re.fullmatch(r"priority [\d ]+", own.text)
        for word in own.text.split()[1:]
    }
    return sorted(given) or None


def _drops(line: Line) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for own in line.below:
        match = _ECN.fullmatch(own.text)
        values = [int(value) for value in _NAMED.findall(own.text)]
        if match and len(values) == 3:  # noqa: PLR2004 - low, high, probability
            unit = {None: "percent", "buffer-size ": "bytes"}.get(match[2], "cells")
            low, high, most = values
            limits: dict[str, Json] = {f"low_{unit}": low, f"high_{unit}": high}
            found[match[1].split()[-1]] = {**limits, "probability": most}
    return found


def _prevention(tree: Line) -> Facts:
    facts: Facts = {}
    for _, line in tree.all("dcb pfc uplink group"):
        texts = [own.text for own in line.below]
        members: list[Json] = [m[1] for text in texts if (m := _MEMBER.fullmatch(text))]
        rewrites = [m for text in texts if (m := _REWRITE.fullmatch(text))]
        if members:
            facts["uplink_group"] = members
        if rewrites:
            facts["dscp_rewrite"] = {
                m[1]: {"priority": int(m[2]), "dscp": int(m[3])} for m in rewrites
            }
    return facts
