"""Names that the inventory gives to switches, against the switches that there are."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from fabric.model.finding import Problem, Severity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from fabric.inventory.hardware import Selector
    from fabric.model.intent import Hardware

_SHOWN = 8
_WORDS = {"switch": "switch or role", "one switch": "switch", "device": "switch or host"}


def selector_problems(
    selectors: Collection[Selector], roles: Mapping[str, str], hosts: Collection[str]
) -> Iterator[Problem]:
    """Selectors that hit nothing (RCE012). ``roles``: role by switch name."""
    switches = {*roles, *roles.values()}
    said: set[tuple[str | int, ...]] = set()
    for selector in selectors:
        by_kind = {"switch": switches, "one switch": set(roles), "device": {*roles, *hosts}}
        known = by_kind[selector.what]
        if selector.text in known or selector.path in said:
            continue
        said.add(selector.path)  # a range that misses is one mistake
        what = _WORDS[selector.what]
        message = f"there is no {what} {selector.text}"
        yield Problem("RCE012", selector.path, message, _hint(selector.text, known))


def facts_problems(devices: Iterable[str], switches: Collection[str]) -> Iterator[Problem]:
    """Facts of switches that this fabric has not (RCE012, info): other inventories share them."""
    strangers = [name for name in devices if name not in switches]
    if strangers:
        shown = ", ".join(f"facts/{name}.json" for name in strangers[:_SHOWN])
        more = f" and {len(strangers) - _SHOWN} more" if len(strangers) > _SHOWN else ""
        message = f"not used: this fabric has no such switch: {shown}{more}"
        fix = (
            "nothing if another inventory of the folder has; otherwise name the file as the switch"
        )
        yield Problem("RCE012", ("facts",), message, fix, severity=Severity.INFO)


def name_problems(hardware: Hardware, roles: Mapping[str, str]) -> Iterator[Problem]:
    """Switch names longer than their system takes (RCE012)."""
    for name, role in roles.items():
        own = hardware.of(name, role)
        spec = own.platform
        if len(name) > spec.name_max_length and "platform" not in own.unknown:
            message = (
                f"the name {name} has {len(name)} characters, "
                f"{spec.title} takes {spec.name_max_length}"
            )
            yield Problem("RCE012", ("topology",), message, "shorten it under topology.switches")


def _hint(text: str, known: Collection[str]) -> str:
    close = difflib.get_close_matches(text, known, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]}?"
    shown = sorted(known)
    more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
    return f"known: {', '.join(shown[:_SHOWN])}{more}"
