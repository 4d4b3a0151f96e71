"""One Jinja environment per system, made once: strict, sandboxed, user folders first."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from json.encoder import encode_basestring_ascii as quoted
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from jinja2 import (
    ChoiceLoader,
    FileSystemBytecodeCache,
    FileSystemLoader,
    PrefixLoader,
    StrictUndefined,
)
from jinja2.runtime import LoopContext
from jinja2.sandbox import SandboxedEnvironment
from jinja2.utils import Namespace

from fabric.files.cache import cache_folder
from fabric.model.names import natural_sorted
from fabric.text.faults import refuse
from fabric.text.sessions import by_policy, peer_groups
from fabric.text.words import printable

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_LOOP = frozenset({"index", "index0", "first", "last", "length"})
SHARED = "_shared"  # words that several systems have in common: {% include "_shared/frr/bgp.j2" %}


class _Environment(SandboxedEnvironment):
    """The sandbox; the fields of our own frozen values are safe and need no second question."""

    def __init__(self, folders: tuple[Path, ...], shared: tuple[Path, ...]) -> None:
        super().__init__(
            loader=ChoiceLoader(
                [FileSystemLoader(folders), PrefixLoader({SHARED: FileSystemLoader(shared)})]
            ),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            autoescape=False,
            auto_reload=False,
            cache_size=-1,
            optimized=False,  # folding constants takes longer than it saves here
            finalize=printable,
            bytecode_cache=_compiled(),
        )
        self._fields: dict[type, frozenset[str]] = {}

    def getattr(self, obj: Any, attribute: str) -> Any:
        """``obj.attribute``; nine of ten are fields of a model, asked for each port again."""
        names = self._fields.get(type(obj))
        if names is None:
            names = self._learn(type(obj))
        if attribute in names or (type(obj) is Namespace and not attribute.startswith("_")):
            return getattr(obj, attribute)
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """``obj[argument]``, and what ``map(attribute=…)`` and its like ask for."""
        names = self._fields.get(type(obj))
        if names is None:
            names = self._learn(type(obj))
        known = type(argument) is str and argument in names  # a slice cannot be looked up
        return getattr(obj, argument) if known else super().getitem(obj, argument)

    def make_globals(self, d: Any) -> Any:
        """A template's globals; Jinja's own chain of maps takes longer to read than a template."""
        return {**self.globals, **(d or {})}

    def _learn(self, kind: type) -> frozenset[str]:
        return self._fields.setdefault(kind, _public_fields(kind))


def _compiled() -> FileSystemBytecodeCache | None:
    """Compiled templates of earlier runs, by checksum of their text; compiling takes a while."""
    folder = cache_folder("templates")
    return None if folder is None else FileSystemBytecodeCache(str(folder))


def _public_fields(kind: type) -> frozenset[str]:
    if issubclass(kind, LoopContext):
        return _LOOP
    if not is_dataclass(kind):
        return frozenset()
    return frozenset(field.name for field in fields(kind) if not field.name.startswith("_"))


def environment(folders: tuple[Path, ...], shared: tuple[Path, ...]) -> SandboxedEnvironment:
    """An environment over ``folders``, the first that has a template wins.

    Templates have these besides Jinja's own: the functions ``refuse(message)`` and ``part(name)``,
    which yields the text of another template and, unlike ``include``, gives it nothing of what the
    caller has set, so that devices alike share it; and the filters

    * ``tojson``: plain JSON, not JSON for HTML;
    * ``natural``: in natural order;
    * ``alike("a.b", "c")``: pairs (values, items) of the items that agree in these attributes,
      in the order of their first item, so that shared objects are written once;
    * ``indexed``: ``(5, None, 7)`` → ``{"0": "5", "2": "7"}``;
    * ``spans``: ``(0, 1, 2, 4)`` → ``["0-2", "4"]``;
    * ``bare``: an address without its length; ``v4``, ``v6``: those of one family;
    * ``masked``: ``10.0.0.0/31`` → ``10.0.0.0 255.255.255.254``; ``spaced``: ``fd00:: 64``;
    * ``by_policy``, ``peer_groups``: the BGP sessions of a device, grouped.
    """
    made = _Environment(folders, shared)
    made.filters |= {
        "tojson": _tojson,
        "natural": natural_sorted,
        "alike": _alike,
        "indexed": _indexed,
        "spans": _spans,
        "bare": _bare,
        "masked": _masked,
        "spaced": _spaced,
        "v4": _v4,
        "v6": _v6,
        "by_policy": by_policy,
        "peer_groups": peer_groups,
    }
    made.globals["refuse"] = refuse
    return made


def _tojson(value: object) -> str:
    return quoted(value) if type(value) is str else json.dumps(value)


def _alike(items: Iterable[object], *attributes: str) -> list[tuple[object, list[object]]]:
    get = attrgetter(*attributes)
    single = len(attributes) == 1
    groups: dict[object, list[object]] = {}
    for item in items:
        value = get(item)
        groups.setdefault((value,) if single else value, []).append(item)
    return list(groups.items())


def _indexed(values: Iterable[object]) -> dict[str, str]:
    return {str(n): str(value) for n, value in enumerate(values) if value is not None}


def _spans(numbers: Iterable[int]) -> list[str]:
    spans: list[list[int]] = []
    for number in sorted(numbers):
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return [str(low) if low == high else f"{low}-{high}" for low, high in spans]


def _bare(address: str) -> str:
    return address.partition("/")[0]


def _masked(prefix: str) -> str:
    """An IPv4 prefix with its mask in dotted notation."""
    address, _, length = prefix.partition("/")
    mask = (0xFFFFFFFF << (32 - int(length))) & 0xFFFFFFFF
    return f"{address} {'.'.join(str(mask >> shift & 0xFF) for shift in (24, 16, 8, 0))}"


def _spaced(prefix: str) -> str:
    return prefix.replace("/", " ")


def _v4(addresses: tuple[str, ...]) -> list[str]:
    return [address for address in addresses if ":" not in address]


def _v6(addresses: tuple[str, ...]) -> list[str]:
    return [address for address in addresses if ":" in address]
