"""An inventory never holds a secret: it names the variable, the command or the file that does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.finding import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.files.yaml import Path

_SECRET_KEY = re.compile(
    r"(?:^|[_-])(?:password|passwd|passphrase|pwd|secret|token|private_?key|api_?key|psk|"
    r"credentials?|key_?material)s?$",
    re.IGNORECASE,
)
_KEY_BLOCK = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")
_IN_TEXT = re.compile(  # no comment line
    r"(?!\s*[!#]).*\b(?:password|secret|passphrase|md5-key|encrypted-password)\s+\S", re.IGNORECASE
)
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LOGIN_WITH_PASSWORD = re.compile(r"[^@,/]+:[^@,]*@|^[^@,:]+:(?![0-9]{1,5}(?:,|$))")
_PRINTS_ITSELF = re.compile(r"\s*(?:/\S*/)?(?:echo|printf)\b")
_FIX = (
    "name where it is kept instead: connection.password_env, password_command, keyring_service "
    "or key_file"
)


def find_secrets(data: object, path: Path = ()) -> Iterator[Problem]:
    """Every value that looks like a secret (RCE018); the message never repeats it."""
    if isinstance(data, dict):
        for key, value in data.items():
            if _SECRET_KEY.search(str(key)) and isinstance(value, (str, int, float)):
                message = f"{key} holds a secret; the inventory and its plan are not secret"
                yield Problem("RCE018", (*path, key), message, _FIX)
            elif isinstance(value, str) and _in_reference(str(key), value):
                message = f"{key} holds the secret itself instead of a reference to it"
                yield Problem("RCE018", (*path, key), message, _FIX)
            else:
                yield from find_secrets(value, (*path, key))
    elif isinstance(data, list):
        for index, item in enumerate(data):
            yield from find_secrets(item, (*path, index))
    elif isinstance(data, str):
        yield from _in_text(data, path)


def _in_reference(key: str, value: str) -> bool:
    """Whether a key of ``connection`` that refers to a secret, or names a login, holds one."""
    if key == "password_env":
        return _VARIABLE.fullmatch(value) is None
    if key == "password_command":
        return _PRINTS_ITSELF.match(value) is not None
    return key in ("user", "jump_host") and _LOGIN_WITH_PASSWORD.search(value) is not None


def _in_text(text: str, path: Path) -> Iterator[Problem]:
    if _KEY_BLOCK.search(text):
        yield Problem("RCE018", path, "a private key stands in the inventory", _FIX)
    elif path[-1:] == ("extra",) and any(map(_IN_TEXT.match, text.splitlines())):
        message = "extra holds a line with a password or secret; the plan is not secret"
        yield Problem("RCE018", path, message, "set it on the switch by other means")
