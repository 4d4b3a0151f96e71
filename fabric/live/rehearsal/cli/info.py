"""SR Linux: objects as the lines of ``info flat`` and ``info``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Path: TypeAlias = tuple[str, ...]
    Keys: TypeAlias = Callable[[Path, str], list[str] | None]  # of a list, by where it stands


def flat_lines(
    keys_of: Keys, at: dict[str, Any], above: Path = (), parent: Path = ()
) -> Iterator[str]:
    """Each leaf with its path; ``above`` with keys, ``parent`` with names alone."""
    for name, value in at.items():
        keys = keys_of(parent, name)
        if isinstance(value, dict):
            if not value:
                yield " ".join((*above, name))
            yield from flat_lines(keys_of, value, (*above, name), (*parent, name))
        elif isinstance(value, list) and keys is not None:
            for item in value:
                path = (*above, _head(name, keys, item))
                inner = {key: leaf for key, leaf in item.items() if key not in keys}
                if not inner:
                    yield " ".join(path)
                yield from flat_lines(keys_of, inner, path, (*parent, name))
        else:
            yield " ".join((*above, _leaf(name, value)))


def info_lines(
    keys_of: Keys, at: dict[str, Any], parent: Path = (), depth: int = 1
) -> Iterator[str]:
    """Nested in braces."""
    pad = "    " * depth
    for name, value in at.items():
        keys = keys_of(parent, name)
        listed = isinstance(value, list) and keys is not None
        for item in value if listed else [value]:
            if not isinstance(item, dict):
                yield pad + _leaf(name, item)
                continue
            told = keys or [] if listed else []
            inner = {key: leaf for key, leaf in item.items() if key not in told}
            below = info_lines(keys_of, inner, (*parent, name), depth + 1)
            yield from (f"{pad}{_head(name, told, item)} {{", *below, pad + "}")


def _head(name: str, keys: list[str], item: dict[str, Any]) -> str:
    return " ".join((name, *(_word(item.get(key, "")) for key in keys)))


def _leaf(name: str, value: Any) -> str:
    if isinstance(value, list):
        return f"{name} [ {' '.join(map(_word, value))} ]"
    return f"{name} {_word(value)}"


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value)
    return f'"{text}"' if " " in text or not text else text
