"""One Jinja environment per system, made once: strict, sandboxed, user folders first."""

from __future__ import annotations

import json
from json.encoder import encode_basestring_ascii as quoted
from typing import TYPE_CHECKING

from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader, StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

from fabric.model.names import natural_sorted
from fabric.text.faults import refuse
from fabric.text.words import printable

if TYPE_CHECKING:
    from pathlib import Path

SHARED = "_shared"  # words that several systems have in common: {% include "_shared/frr/bgp.j2" %}


class _Environment(SandboxedEnvironment):
    """The sandbox asks the same question for each port again: remember the answers by type."""

    def __init__(self, folders: tuple[Path, ...], shared: tuple[Path, ...]) -> None:
        super().__init__(
            loader=ChoiceLoader(
                [FileSystemLoader(folders), PrefixLoader({SHARED: FileSystemLoader(shared)})]
            ),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            autoescape=False,  # configs, not web pages
            auto_reload=False,
            cache_size=-1,
            finalize=printable,
        )
        self._safe: dict[tuple[type, str], bool] = {}

    def is_safe_attribute(self, obj: object, attr: str, value: object) -> bool:
        """The sandbox's own verdict, which depends on the object's type and the name alone."""
        key = (type(obj), attr)
        safe = self._safe.get(key)
        if safe is None:
            safe = self._safe[key] = super().is_safe_attribute(obj, attr, value)
        return safe


def environment(folders: tuple[Path, ...], shared: tuple[Path, ...]) -> SandboxedEnvironment:
    """An environment over ``folders``, the first that has a template wins.

    Templates have these besides Jinja's own: the filters ``tojson`` (plain JSON, not HTML),
    ``natural`` (in natural order), ``bare`` (an address without its length), ``v4`` and ``v6``
    (the addresses or prefixes of one family), and the function ``refuse(message)``.
    """
    made = _Environment(folders, shared)
    made.filters |= {
        "tojson": _tojson,
        "natural": natural_sorted,
        "bare": _bare,
        "v4": _v4,
        "v6": _v6,
    }
    made.globals["refuse"] = refuse
    return made


def _tojson(value: object) -> str:
    return quoted(value) if type(value) is str else json.dumps(value)


def _bare(address: str) -> str:
    return address.partition("/")[0]


def _v4(addresses: tuple[str, ...]) -> list[str]:
    return [address for address in addresses if ":" not in address]


def _v6(addresses: tuple[str, ...]) -> list[str]:
    return [address for address in addresses if ":" in address]
