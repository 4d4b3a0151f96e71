"""SR Linux: objects as the lines of ``info flat`` and ``info``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Path: TypeAlias = tuple[str, ...]
    Keys: TypeAlias = Callable[[Path, str], list[str] | None]  # of a list, by where it stands


def flat_lines(keys_of: Keys, at: dict[str, Any]) -> Iterator[str]:
    """Each leaf with its path."""
    for path, value in flat_leaves(keys_of, at):
        yield " ".join((*path, value)) if value else " ".join(path)


def flat_leaves(
    keys_of: Keys, at: dict[str, Any], above: Path = (), parent: Path = ()
) -> Iterator[tuple[Path, str]]:
    """Path and value of each leaf; ``above`` with keys, ``parent`` with names alone."""
    for name, value in at.items():
        keys = keys_of(parent, name)
        if isinstance(value, dict):
            if not value:
                yield (*above, name), ""
            yield from flat_leaves(keys_of, value, (*above, name), (*parent, name))
        elif isinstance(value, list) and keys is not None:
            for item in value:
                path = (*above, _head(name, keys, item))
                inner = _inner(item, keys)
                if not inner:
                    yield path, ""
                yield from flat_leaves(keys_of, inner, path, (*parent, name))
        else:
            yield (*above, name), _value(value)


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
            below = info_lines(keys_of, _inner(item, told), (*parent, name), depth + 1)
            yield from (f"{pad}{_head(name, told, item)} {{", *below, pad + "}")


def diff_lines(
    keys_of: Keys, old: dict[str, Any], new: dict[str, Any], parent: Path = (), depth: int = 1
) -> Iterator[str]:
    """``diff``: a sign and the line of ``info``, with the braces around what differs.

    As in srl-labs/learn-srlinux, blog/posts/2023/cli-ranges.
    """
    for name in dict.fromkeys((*old, *new)):
        keys, path = keys_of(parent, name), (*parent, name)
        before, after = (_parts(name, keys, side.get(name)) for side in (old, new))
        for head in dict.fromkeys((*before, *after)):
            was, will = before.get(head), after.get(head)
            if isinstance(was, dict) and isinstance(will, dict):
                if inner := list(diff_lines(keys_of, was, will, path, depth + 1)):
                    pad = "    " * depth
                    yield from (f"  {pad}{head} {{", *inner, f"  {pad}}}")
            elif was != will:
                yield from (f"- {line}" for line in _whole(keys_of, head, was, path, depth))
                yield from (f"+ {line}" for line in _whole(keys_of, head, will, path, depth))


def _parts(name: str, keys: list[str] | None, value: Any) -> dict[str, Any]:
    """What stands at a name: entries of a list, a container, or the text of a leaf."""
    if value is None:
        return {}
    if isinstance(value, list) and keys is not None:
        return {_head(name, keys, one): _inner(one, keys) for one in value}
    return {name: value if isinstance(value, dict) else _leaf(name, value)}


def _whole(keys_of: Keys, head: str, value: Any, path: Path, depth: int) -> Iterator[str]:
    pad = "    " * depth
    if isinstance(value, dict):
        yield from (f"{pad}{head} {{", *info_lines(keys_of, value, path, depth + 1), pad + "}")
    elif value is not None:
        yield pad + value


def _inner(item: dict[str, Any], keys: list[str]) -> dict[str, Any]:
    return {key: leaf for key, leaf in item.items() if key not in keys}


def _head(name: str, keys: list[str], item: dict[str, Any]) -> str:
    """A name and its keys: the first by its value, each other one by name and value."""
    values = [_word(item.get(key, "")) for key in keys]
    others = (word for pair in zip(keys[1:], values[1:], strict=True) for word in pair)
    return " ".join((name, *values[:1], *others))


def _leaf(name: str, value: Any) -> str:
    return f"{name} {_value(value)}"


def _value(value: Any) -> str:
    return f"[ {' '.join(map(_word, value))} ]" if isinstance(value, list) else _word(value)


def word_of(value: Any) -> str:
    """A value as it is typed, but for quotes."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _word(value: Any) -> str:
    text = word_of(value)
    return f'"{text}"' if " " in text or not text else text
