"""YAML as plain values, without positions: for data files that a schema checks afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Hashable

# libyaml's loader reads a switch model in a few milliseconds, the pure one needs ten times that.
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_Words: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


class PlainYamlError(ValueError):
    """The text is no YAML; ``line`` and ``column`` count from 1, 0 where not known."""

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class _UniqueKeyLoader(_Base):  # type: ignore[misc]  # the base is chosen at run time
    """The safe loader, but a key that occurs twice is an error."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        _refuse_repeats(node)
        mapping: dict[Hashable, Any] = super().construct_mapping(node, deep=deep)
        return mapping


def _refuse_repeats(node: yaml.MappingNode) -> None:
    seen: set[tuple[str, str]] = set()
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode):
            continue
        if (key.tag, key.value) in seen:
            mark = key.start_mark
            message = f"key {key.value!r} occurs twice"
            raise PlainYamlError(message, mark.line + 1, mark.column + 1)
        seen.add((key.tag, key.value))


def load_plain(text: bytes) -> object:
    """The one document in ``text`` as dicts, lists and scalars (YAML 1.1, safe types alone).

    Raises:
        PlainYamlError: not UTF-8, not YAML, several documents, or a key that occurs twice.
    """
    try:
        return yaml.load(text, Loader=_UniqueKeyLoader)  # noqa: S506 - derives from the safe loader
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        raise PlainYamlError(error.problem or "not YAML", line, column) from error
    except RecursionError as error:
        message = "nested too deeply"
        raise PlainYamlError(message) from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        message = f"not YAML: {error}"
        raise PlainYamlError(message) from error


def load_words(text: str) -> object:
    """The one document in ``text``; every scalar stays the text it is: ``on``, ``64999:1``.

    Raises:
        PlainYamlError: not YAML, or several documents.
    """
    try:
        return yaml.load(text, Loader=_Words)  # noqa: S506 - makes text alone
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        message = f"not YAML: {error}"
        raise PlainYamlError(message) from error
