"""pydantic's errors in the words of the inventory, with the nearest known key or value."""

from __future__ import annotations

import dataclasses
import difflib
import re
from typing import TYPE_CHECKING, Any, Protocol

from fabric.inventory.known import ELSEWHERE, home_of, known_keys
from fabric.inventory.lengths import wrong_length
from fabric.model.finding import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pydantic_core import ErrorDetails

    from fabric.files.yaml import Path
    from fabric.files.yaml_scalars import Surprise

_UNKNOWN = {"extra_forbidden", "unexpected_keyword_argument"}
_EXPECTED = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "string_type": "text",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "keys and values",
    "model_type": "keys and values",
    "dataclass_type": "keys and values",
}
_LONGEST_SHOWN = 40
_ASDOT = re.compile(r"([0-9]{1,5})\.([0-9]{1,5})\Z")
_SPEED_TEXT = re.compile(r"([0-9]+)\s*g(?:b/?s|bps|be|e)?\Z", re.IGNORECASE)


class Source(Protocol):
    """A file as it was read: its data, and how a value was written."""

    @property
    def data(self) -> object:
        """What stands in it."""

    def raw(self, path: Path, /) -> str | None:
        """A scalar as it was written."""

    def surprise(self, path: Path, /) -> Surprise | None:
        """Why a text is not what it looks like."""


def problems_of(
    errors: Sequence[ErrorDetails], root: Any, loaded: Source, prefix: Path = ()
) -> tuple[Problem, ...]:
    """One problem for each place; ``root`` is the type that was validated, at ``prefix``."""
    found: dict[Path, Problem] = {}
    for error in errors:
        path = _data_path(loaded.data, (*prefix, *error["loc"]), keep=error["type"])
        problem = _problem(error, path, root, prefix, loaded)
        first = found.get(path)
        if first is None:
            found[path] = problem
        elif first.rule == problem.rule == "RCE006" and " or " not in first.message:
            found[path] = _either(first, problem)
    return tuple(found.values())


def nearest(name: str, known: Iterable[str]) -> str:
    """``did you mean …?``, or the list of what is known when nothing comes near."""
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]}?"
    return f"known: {', '.join(names)}" if names else ""


def describe(value: object) -> str:
    """A value as it was read, in words, short and on one line."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {value}"
        case str():
            shown = value if len(value) <= _LONGEST_SHOWN else value[: _LONGEST_SHOWN - 1] + "…"
            return f"the text {shown!r}"
        case dict():
            return "keys and values"
        case _:
            return "a list"


def label(path: Path, data: object) -> str:
    """The last key with the list index behind it, ``numa[2]``; no index into a list of one."""
    text = ""
    for depth, part in enumerate(path):
        if isinstance(part, str):
            text = part
        elif value_at(data, (*path[:depth], 1)) is not None:
            text = f"{text}[{part}]"
    return text or "the inventory"


def value_at(data: object, path: Path) -> object:
    """What stands at a path; ``None`` where there is nothing."""
    for part in path:
        if isinstance(data, dict):
            data = data.get(part)
        elif isinstance(data, list) and isinstance(part, int) and part < len(data):
            data = data[part]
        else:
            return None
    return data


def _data_path(data: object, location: Sequence[str | int], *, keep: str) -> Path:
    """The part of pydantic's location that is in the data: union members are not."""
    path: list[str | int] = []
    for position, part in enumerate(location):
        inside = isinstance(data, (dict, list))
        if not inside:
            break
        last = position == len(location) - 1
        if isinstance(data, dict) and part not in data and not (last and keep == "missing"):
            break
        path.append(part)
        data = value_at(data, (part,))
    return tuple(path)


def _problem(error: ErrorDetails, path: Path, root: Any, prefix: Path, loaded: Source) -> Problem:
    kind = error["type"]
    name = label(path, loaded.data)
    if kind == "missing":
        where = label(path[:-1], loaded.data)
        return Problem("RCE007", path, f"{where} lacks the key {path[-1]}", f"add {path[-1]}: …")
    if kind in _UNKNOWN:
        where = label(path[:-1], loaded.data)
        return _unknown_key(path, where, root, prefix)
    value = value_at(loaded.data, path)
    surprise = loaded.surprise(path)
    if kind in _EXPECTED and surprise is not None:
        return Problem("RCE003", path, f"{name}: {surprise.message}", surprise.fix)
    if kind in _EXPECTED:
        return _wrong_type(path, name, _EXPECTED[kind], value, loaded.raw(path))
    message, fix = _wrong_value(error, path, name, value)
    return Problem("RCE006", path, message, fix)


def _wrong_type(path: Path, name: str, expected: str, value: object, raw: str | None) -> Problem:
    asdot = _ASDOT.match(raw or "")
    if isinstance(value, float) and asdot and path[-1] in {"asn", "base"}:
        high, low = (int(part) for part in asdot.groups())
        message = f"{name}: YAML reads {raw} as the number {value}, not as an AS number"
        return Problem("RCE003", path, message, f"write {high * 65536 + low}")
    message = f"{name} must be {expected}, found {describe(value)}"
    return Problem("RCE006", path, message, _type_fix(path, expected, value))


def _type_fix(path: Path, expected: str, value: object) -> str:
    if expected == "text" and isinstance(value, (int, float)):
        return "put it in quotes"
    if expected in {"a number", "a whole number"} and isinstance(value, str):
        speed = _SPEED_TEXT.match(value)
        if speed and path[-1] == "speed":
            return f"write {speed.group(1)}: speeds are in Gb/s"
        if re.match(r"[0-9.]+\Z", value):
            return f"write {value} without quotes"
    if expected == "a list" and isinstance(value, (str, int, float)):
        return f"write [{value}]"
    return ""


def _wrong_value(error: ErrorDetails, path: Path, name: str, value: object) -> tuple[str, str]:
    kind, context = error["type"], error.get("ctx", {})
    text = describe(value).removeprefix("the number ").removeprefix("the text ")
    shown = f"{name} is {text}"
    fix = ""
    match kind:
        case "less_than_equal":
            message = f"{shown}, above the highest value allowed, {_number(context['le'])}"
        case "greater_than_equal":
            message = f"{shown}, below the lowest value allowed, {_number(context['ge'])}"
        case "greater_than":
            message = f"{shown}, but must be above {_number(context['gt'])}"
        case "literal_error":
            options = [text.strip("'") for text in re.split(r", | or ", context["expected"])]
            one_of = "one of " if len(options) > 1 else ""
            message = f"{shown}, not {one_of}{', '.join(options)}"
            fix = _literal_fix(path, value, options)
        case "too_short" | "too_long":
            message, fix = wrong_length(name, context)
        case "value_error":
            written = f"'{value}'" if isinstance(value, str) else value
            message = f"{name} {written} {context['error']}"
        case "string_pattern_mismatch":
            message = f"{shown}, which does not match {context['pattern']}"
        case _:
            message = f"{shown}: {error['msg']}"
    return message, fix


def _number(value: float) -> str:
    return f"{value:,.12g}"


def _literal_fix(path: Path, value: object, options: list[str]) -> str:
    if path[-1:] == ("trust",):
        return "routed ports carry no 802.1p tag: only DSCP can be trusted"
    if path[-2:] == ("sonic", "routing_mode") and value in {"separated", "split-unified"}:
        return (
            "bgpcfgd renders BGP on the box, does not announce the hosts' /31s and adds "
            "allowas-in by device type; use split"
        )
    close = difflib.get_close_matches(str(value), options, n=1, cutoff=0.6)
    return f"did you mean {close[0]}?" if close else ""


def _either(first: Problem, second: Problem) -> Problem:
    match = re.search(r" must be (.*?), found ", second.message)
    if match is None:
        return first
    message = first.message.replace(", found ", f" or {match.group(1)}, found ", 1)
    return dataclasses.replace(first, message=message)


def _unknown_key(path: Path, where: str, root: Any, prefix: Path) -> Problem:
    key = str(path[-1])
    known = known_keys(root, path[len(prefix) : -1])
    message = f"{where} has no key {key}"
    if key in ELSEWHERE:
        return Problem("RCE005", path, message, ELSEWHERE[key])
    if not difflib.get_close_matches(key, known, n=1, cutoff=0.6):
        home = home_of(root, key)
        if home:
            return Problem("RCE005", path, message, f"{key} belongs under {home}")
    return Problem("RCE005", path, message, nearest(key, known))
