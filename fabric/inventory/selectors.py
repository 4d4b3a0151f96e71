"""Names that the inventory gives to switches, against the switches that there are."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from fabric.model.finding import Problem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from fabric.inventory.hardware import Selector
    from fabric.model.intent import Hardware

_SHOWN = 8


def selector_problems(
    selectors: Collection[Selector], roles: Mapping[str, str], hosts: Collection[str]
) -> Iterator[Problem]:
    """Selectors that hit nothing (RCE012). ``roles``: role by switch name."""
    switches = {*roles, *roles.values()}
    said: set[tuple[str | int, ...]] = set()
    for selector in selectors:
        known = {"switch": switches, "facts": set(roles), "device": {*roles, *hosts}}[selector.what]
        if selector.text in known or selector.path in said:
            continue
        said.add(selector.path)  # a range that misses is one mistake
        what = "switch or role" if selector.what == "switch" else "switch or host"
        message = f"there is no {what} {selector.text}"
        if selector.what == "facts":
            message = f"facts/{selector.text}.json: there is no switch {selector.text}"
        yield Problem("RCE012", selector.path, message, _hint(selector.text, known))


def name_problems(hardware: Hardware, roles: Mapping[str, str]) -> Iterator[Problem]:
    """Switch names longer than their system takes (RCE012)."""
    for name, role in roles.items():
        spec = hardware.of(name, role).platform
        if len(name) > spec.name_max_length:
            message = (
                f"the name {name} has {len(name)} characters, "
                f"{spec.title} takes {spec.name_max_length}"
            )
            yield Problem("RCE012", ("topology",), message)


def _hint(text: str, known: Collection[str]) -> str:
    close = difflib.get_close_matches(text, known, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]}?"
    shown = sorted(known)
    more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
    return f"known: {', '.join(shown[:_SHOWN])}{more}"
