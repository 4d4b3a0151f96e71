"""Where in an answer a container is: the CLI prints the whole way to it, JSON-RPC what is asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.platforms.nokia_srl.tree import below, document, word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from fabric.model.reading import Facts, Json
    from fabric.platforms.nokia_srl.tree import Tree

_NAME = re.compile(r"(?:ethernet-|lag|irb|system|mgmt|lo)\d[\d/]*(?:\.\d+)?")
DEFAULT = "default"


def container(text: str, *path: str, leaf: str) -> Tree:
    """The container at that path, or the answer itself if it has this leaf; else an empty one."""
    tree = document(text)
    return below(tree, *path) or (tree if leaf in tree else {})


def is_interface(name: str | None) -> bool:
    """Whether it is a name of SR Linux: ``ethernet-1/1``, ``mgmt0``, ``lag1``."""
    return name is not None and _NAME.fullmatch(name) is not None


def port(subinterface: str | None) -> str | None:
    """Interface of a subinterface: 0 is the one that ours have."""
    return subinterface.removesuffix(".0") if subinterface else None


def known(tree: Tree, leaves: Mapping[str, tuple[str, Callable[[Tree, str], Json]]]) -> Facts:
    """``{leaf: (fact, reader)}`` → facts of those that are there."""
    found = ((fact, read(tree, leaf)) for leaf, (fact, read) in leaves.items())
    return {fact: value for fact, value in found if value is not None}


def up_or_down(tree: Tree, name: str) -> Json:
    """``enable``, ``up`` and what is not."""
    said = word(tree, name)
    return None if said is None else "up" if said in ("up", "enable") else "down"


def default_instance(instances: Iterable[Tree]) -> Tree:
    """The network-instance ``default``."""
    return next((one for one in instances if word(one, "name") == DEFAULT), {})
