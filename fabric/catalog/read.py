"""Text of a data file → checked data, or an error that names file and fields."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError

from fabric.catalog.errors import CatalogFileError, FieldProblem
from fabric.files.plain import PlainYamlError, load_plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic_core import ErrorDetails

Data = TypeVar("Data", bound=BaseModel)

_SHORT = 40  # characters of a wrong value that are worth repeating


def checked(schema: type[Data], file: str, text: bytes) -> Data:
    """The data in ``text``; ``file`` names it in errors.

    Raises:
        CatalogFileError: not YAML, or not what ``schema`` asks for; holds every problem.
    """
    try:
        return schema.model_validate(load_plain(text))
    except PlainYamlError as error:
        place = f"line {error.line}, column {error.column}" if error.line else ""
        raise CatalogFileError(file, (FieldProblem(place, str(error)),)) from error
    except ValidationError as error:
        problems = [_problem(schema, details) for details in error.errors(include_url=False)]
        raise CatalogFileError(file, problems) from error


def _problem(schema: type[BaseModel], details: ErrorDetails) -> FieldProblem:
    path, value = details["loc"], details["input"]
    if details["type"] == "extra_forbidden":
        return FieldProblem(_field(path), f"unknown key{_suggestion(schema, str(path[-1]))}")
    if details["type"] == "missing":
        return FieldProblem(_field(path), "this key is missing")
    message = details["msg"].removeprefix("Value error, ").removeprefix("Input ")
    if isinstance(value, (str, int, float)) and len(str(value)) <= _SHORT:
        message = f"{message}, but is {value!r}"
    return FieldProblem(_field(path), message)


def _field(path: tuple[int | str, ...]) -> str:
    """``("cages", 0, "lanes", "[key]")`` → ``cages[0].lanes``."""
    text = ""
    for step in path:
        if step != "[key]":
            text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return text.removeprefix(".")


def _suggestion(schema: type[BaseModel], key: str) -> str:
    close = difflib.get_close_matches(key, sorted(set(_keys(schema.model_json_schema()))), n=1)
    return f": did you mean {close[0]}?" if close else ""


def _keys(schema: object) -> Iterable[str]:
    """Every key that a JSON Schema names, at any depth."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for part in schema.values():
            yield from _keys(part)
