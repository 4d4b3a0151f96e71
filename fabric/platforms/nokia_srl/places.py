"""An SR Linux configuration as places and values, as the CLI writes them: ``interface mgmt0 mtu``.

JSON of the CLI, of ``config.json`` and of JSON-RPC differ in module prefixes, and in whether a long
number is a text; as places they are the same. Which leaves are a list's keys JSON does not say.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, TypeAlias

from fabric.model.push import ReplyError
from fabric.platforms.nokia_srl.tree import bare
from fabric.reading.json_output import mapping

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.reading import Json
    from fabric.platforms.nokia_srl.tree import Tree

Place: TypeAlias = "tuple[str, ...]"
Value: TypeAlias = "str | tuple[str, ...] | None"  # leaf, leaf-list, a container that is there

# Keys of lists by parent and name, else by name (nokia/srlinux-yang-models v25.3).
_KEYS: dict[str, tuple[str, ...]] = {
    "interface": ("name",),
    "dynamic-neighbors interface": ("interface-name",),
    "interfaces interface": ("interface-id",),
    "subinterface": ("index",),
    "bfd subinterface": ("id",),
    "address": ("ip-prefix",),
    "network-instance": ("name",),
    "afi-safi": ("afi-safi-name",),
    "group": ("group-name",),
    "next-hop-groups group": ("name",),
    "neighbor": ("peer-address",),
    "route": ("prefix",),
    "buffer-allocation-profile": ("name",),
    "queue-management-profile": ("name",),
    "wred-slope": ("traffic-type", "drop-probability", "enable-ecn"),
    "dscp-policy": ("name",),
    "dscp": ("value",),
    "forwarding-class": ("name",),
    "linecard": ("slot",),
    "forwarding-complex": ("name",),
    "pfc-mapping-profile": ("name",),
    "queue": ("queue-name",),
    "pfc-queue": ("pfc-queue-name",),
    "qos queues queue": ("name",),
    "scheduler-policy": ("name",),
    "scheduler": ("sequence",),
    "input": ("id",),
    "community-set": ("name",),
    "policy": ("name",),
    "prefix-set": ("name",),
    "prefix": ("ip-prefix", "mask-length-range"),
    "statement": ("name",),
}
_PREFIX = re.compile(r"^srl_nokia-[a-z0-9-]+:")
_EMPTY = frozenset({"blackhole"})  # containers that say something by being there
_NOTES = "_annotate"  # notes of users; no configuration
UNKNOWN = "["  # what the place of an entry ends with whose keys are not known


def parsed(text: str, what: str) -> Tree:
    """A configuration without module prefixes, of names and of values.

    Raises:
        ReplyError: it holds no JSON object.
    """
    start = re.search(r"^\{", text, re.MULTILINE)
    try:
        found, _ = json.JSONDecoder().raw_decode(text, start.start() if start else len(text))
    except ValueError:
        msg = f"{what} holds no JSON object, or it was cut off"
        raise ReplyError(msg) from None
    return mapping(_plain(bare(found)))


def flat(tree: Tree, above: Place = ()) -> Iterator[tuple[Place, Value]]:
    """Every leaf with its place; an entry of a list, or a container that says something, alone."""
    for name, value in tree.items():
        place = (*above, name)
        if name.startswith(_NOTES):
            continue
        if isinstance(value, dict):
            below = list(flat(value, place))
            yield from below or ([(place, None)] if name in _EMPTY else [])
        elif entries := entries_of(value, place):
            for where, entry in entries.items():
                yield from list(flat(_beside_keys(entry, place), where)) or [(where, None)]
        elif isinstance(value, list):
            yield from [(place, tuple(_text(item) for item in value))] if value else []
        else:
            yield place, _text(value)


def entries_of(value: Json, place: Place) -> dict[Place, Tree]:
    """The entries of a list by their places; none where it is a leaf or a list of values.

    A key is the first by its value, others by name and value. Where the keys of a list are not
    known, an entry's place ends with its first leaf in brackets, which no CLI takes.
    """
    rows = [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
    return {(*place, *_key_words(row, place)): row for row in rows}


def _key_words(entry: Tree, place: Place) -> Place:
    keys = _keys(place)
    if not keys or any(key not in entry for key in keys):
        name, value = next(iter(entry.items()), ("", None))
        return (f"{UNKNOWN}{name}={_text(value)}]",)
    first, *others = keys
    return (_text(entry[first]), *(word for key in others for word in (key, _text(entry[key]))))


def _beside_keys(entry: Tree, place: Place) -> Tree:
    return {name: value for name, value in entry.items() if name not in _keys(place)}


def _keys(place: Place) -> Place:
    """The keys of the list at a place; none where they are not known."""
    names = (" ".join(place[-count:]) for count in (3, 2, 1))
    return next((_KEYS[name] for name in names if name in _KEYS), ())


def _plain(value: Json) -> Json:
    """Without module prefixes of values: ``srl_nokia-common:ipv4-unicast`` → ``ipv4-unicast``."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return _PREFIX.sub("", value) if isinstance(value, str) else value


def _text(value: Json) -> str:
    """A value as one word; of a long number JSON has a text or a number."""
    return value if isinstance(value, str) else json.dumps(value)
