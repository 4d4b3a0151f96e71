"""Whether a device is the one of the plan: hardware, version, and whose name it bears."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from fabric.model.push import Identity

_LONG_NUMBER = re.compile(r"\d{3,}")


@dataclass(frozen=True, slots=True)
class Expected:
    """What the plan says of a device. ``spellings``: other names of its model, as in SKUs.

    ``names``: all devices of the plan; ``models``: all names of the catalogue.
    """

    name: str
    model: str
    spellings: tuple[str, ...]
    generic: bool
    system: str  # title of the system
    os_versions: tuple[str, ...]
    names: Collection[str]
    models: Collection[str]


def mismatches(found: Identity, expected: Expected) -> tuple[str, ...]:
    """What tells that this is another device than planned, one clause each; none: it is that one.

    A hostname alone proves nothing (a new switch bears its factory's), but that of another device
    of the plan does. A model that the device does not tell, or a generic one, cannot be compared.
    """
    wrong = []
    if found.hostname != expected.name and found.hostname in expected.names:
        wrong.append(f"it calls itself {found.hostname}, which is another device of the plan")
    if found.model and not expected.generic and not _is_model(found.model, expected):
        wrong.append(f"it is a {found.model}, planned is {expected.model}")
    if not any(version_fits(found.os_version, known) for known in expected.os_versions):
        known = " or ".join(expected.os_versions)
        wrong.append(
            f"it runs {expected.system} {found.os_version}, the plan's text is for {known}"
        )
    return tuple(wrong)


def version_fits(found: str, known: str) -> bool:
    """Whether a version is one of a known train: ``4.36.1F`` of ``4.36``, not ``4.3``."""
    return all(
        re.search(rf"(?<!\d)(?<!\d\.){re.escape(part)}(?!\d)", found, re.IGNORECASE)
        for part in known.split("-")
    )


def _is_model(found: str, expected: Expected) -> bool:
    if any(_same_words(found, spelling) for spelling in expected.spellings):
        return True
    fitting = [name for name in {*expected.models, expected.model} if _model_fits(found, name)]
    longest = max((len(_core(name)) for name in fitting), default=0)
    return expected.model in fitting and len(_core(expected.model)) == longest


def _same_words(found: str, spelling: str) -> bool:
    return _plain(found) == _plain(spelling)


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _model_fits(found: str, name: str) -> bool:
    """Whether what a device says holds the number of a catalogue model, separators aside."""
    pattern = r"[-_ ]?".join(map(re.escape, _plain(_core(name))))
    return re.search(rf"(?<!\d){pattern}(?![a-z0-9])", found.lower()) is not None


def _core(name: str) -> str:
    """The catalogue's name from its first long number on, else all after the vendor."""
    parts = name.split("-")[1:] or [name]
    first = next((i for i, part in enumerate(parts) if _LONG_NUMBER.search(part)), 0)
    return "-".join(parts[first:])
