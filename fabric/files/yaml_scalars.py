"""What a plain YAML scalar means: the YAML 1.2 core schema, and where YAML 1.1 disagrees."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isfinite

Scalar = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Surprise:
    """A scalar that the versions of YAML read differently; we keep it as text."""

    message: str
    fix: str


_WORDS: dict[str, Scalar] = {
    "": None,
    "~": None,
    **dict.fromkeys(("null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
# Never what the writer meant under both versions; refused wherever they stand.
_SWITCHES = {
    spelling: word in {"yes", "on"}
    for word in ("yes", "no", "on", "off")
    for spelling in (word, word.capitalize(), word.upper())
}
_LETTERS = {"y": True, "Y": True, "n": False, "N": False}
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z")
_HEX = re.compile(r"0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9_]+\Z")
_SEXAGESIMAL = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?\Z")
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?\Z")
_OTHER_BASE = re.compile(r"[-+]?0(?:b[01_]+|o[0-7]+|x[0-9a-fA-F_]+)\Z")
_UNDERSCORES = re.compile(r"[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?\Z")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)\Z|\.(?:nan|NaN|NAN)\Z")
_LONGEST_NUMBER = 64  # longer digits are no quantity of any network


def resolve(text: str) -> Scalar | Surprise:
    """Value of a plain scalar; a :class:`Surprise` where YAML 1.1 and 1.2 disagree."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return _surprising_letter(text) or text
    if len(text) > _LONGEST_NUMBER:
        return text
    if _INT.match(text):
        return int(text)
    return _surprising_number(text) or _other_number(text)


def _other_number(text: str) -> Scalar | Surprise:
    if _HEX.match(text):
        return int(text, 16)
    if not _FLOAT.match(text):
        return text
    number = float(text)
    return number if isfinite(number) else Surprise(f"{text} is too large", "write a number")


def refused_everywhere(text: str) -> Surprise | None:
    """Scalars refused even where text is wanted: the words of YAML 1.1's booleans, and None."""
    if text in _SWITCHES:
        value = "true" if _SWITCHES[text] else "false"
        return Surprise(
            f"{text} is {value} to YAML 1.1 and text to YAML 1.2",
            f'write {value}, or "{text}" in quotes for the text',
        )
    if text == "None":
        return Surprise(
            "None is text in YAML, not an empty value",
            'leave the key out or write null, or "None" in quotes for the text',
        )
    return None


def _surprising_letter(text: str) -> Surprise | None:
    if text in _LETTERS:
        value = "true" if _LETTERS[text] else "false"
        return Surprise(
            f"{text} is {value} to YAML 1.1 and text to YAML 1.2",
            f'write {value}, or "{text}" in quotes for the text',
        )
    return None


def _surprising_number(text: str) -> Surprise | None:
    quote = f'put it in quotes: "{text}"'
    message = ""
    fix = quote
    if _SEXAGESIMAL.match(text):
        message = f"{text} is the number {_sexagesimal(text)} to YAML 1.1 (base 60)"
    elif _LEADING_ZERO.match(text):
        message, fix = _leading_zero(text)
    elif _DATE.match(text):
        message = f"{text} is a date to YAML 1.1 and text to YAML 1.2"
    elif _OTHER_BASE.match(text) and not _HEX.match(text):
        message, fix = f"{text} is a number in one version of YAML only", "write it in decimal"
    elif "_" in text and _UNDERSCORES.match(text):
        message, fix = f"{text} is a number to YAML 1.1 only", f"write {text.replace('_', '')}"
    elif _NOT_FINITE.match(text):
        message, fix = f"{text} is no finite number", "write a number"
    return Surprise(message, fix) if message else None


def _leading_zero(text: str) -> tuple[str, str]:
    digits = text.lstrip("+-").replace("_", "")
    decimal = digits.lstrip("0") or "0"
    octal = set(digits) <= set("01234567")
    old = f"{int(digits, 8)} (octal)" if octal else "text"
    return (
        f"{text} is {old} to YAML 1.1 and {decimal} to YAML 1.2",
        f'write {decimal}, or "{text}" in quotes for the text',
    )


def _sexagesimal(text: str) -> int | float:
    sign = -1 if text.startswith("-") else 1
    value: int | float = 0
    for group in text.lstrip("+-").replace("_", "").split(":"):
        value = value * 60 + (float(group) if "." in group else int(group))
    return sign * value
