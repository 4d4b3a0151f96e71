"""An SR Linux configuration as plain values: module prefixes gone, lists by their key."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.platforms import ConfigError
from fabric.reading.json_output import json_of, listing, mapping, number_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabric.model.reading import Json

Tree = dict[str, "Json"]
CONFIG_FILE = "srlinux.json"
_START = re.compile(r"^\s*[\[{]", re.MULTILINE)


def config_of(files: Mapping[str, str]) -> Tree:
    """The whole config.

    It may be a document (``/etc/opt/srlinux/config.json``, ``info | as json``) or the list of one
    that JSON-RPC answers; names have module prefixes in some of these and not in others.

    Raises:
        ConfigError: the file is missing, no JSON, or has no interface of SR Linux.
    """
    if CONFIG_FILE not in files:
        msg = f"there is no {CONFIG_FILE}"
        raise ConfigError(msg)
    config = document(files[CONFIG_FILE])
    if not any(name.startswith("ethernet-") for name in by_key(config, "interface", key="name")):
        msg = f"{CONFIG_FILE} is no config of SR Linux: it has no interface ethernet-…"
        raise ConfigError(msg)
    return config


def document(text: str) -> Tree:
    """What a text holds as JSON, in one tree; that of a terminal has a prompt around it.

    The prompt, ``--{ running }--[  ]--``, holds an array of its own, so JSON begins its line. Of
    JSON-RPC it is the ``result``, with or without what is around it.
    """
    start = _START.search(text)
    found = json_of(text[start.start() :]) if start else None
    if "jsonrpc" in mapping(found):
        found = mapping(found).get("result")
    tree: Tree = {}
    for part in found if isinstance(found, list) else [found]:
        plain = bare(part)
        tree.update(plain if isinstance(plain, dict) else {})
    return tree


def bare(value: Json) -> Json:
    """Without module prefixes of names: ``srl_nokia-qos:qos`` → ``qos``."""
    if isinstance(value, dict):
        return {name.rpartition(":")[2]: bare(item) for name, item in value.items()}
    if isinstance(value, list):
        return [bare(item) for item in value]
    return value


def below(tree: Json, *path: str) -> Tree:
    """The container at that path; an empty one where there is none."""
    for name in path:
        tree = mapping(tree).get(name)
    return mapping(tree)


def entries(tree: Json, *path: str) -> Iterator[Tree]:
    """The entries of the list at that path."""
    *way, name = path
    for entry in listing(below(tree, *way).get(name)):
        yield mapping(entry)


def by_key(tree: Json, *path: str, key: str) -> dict[str, Tree]:
    """The entries of a list by their key."""
    found = ((text_of(entry.get(key)), entry) for entry in entries(tree, *path))
    return {name: entry for name, entry in found if name is not None}


def word(tree: Tree, name: str) -> str | None:
    """A leaf as text."""
    return text_of(tree.get(name))


def number(tree: Tree, name: str) -> int | None:
    """A leaf as a number; 64-bit numbers are texts in JSON."""
    return number_of(tree.get(name))


def words(tree: Tree, name: str) -> list[str]:
    """A leaf-list as texts."""
    return [text for item in listing(tree.get(name)) if (text := text_of(item)) is not None]
