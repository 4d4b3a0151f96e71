"""Secrets: read once, by reference, and shown by nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterable

_HIDDEN = "(hidden)"
# Words after which switches print a password, a key or its hash; not those of a sentence about it.
_TOLD = re.compile(
    r"((?:password|passphrase|secret|encrypted-password|community|cipher|md5|key-string|auth-key)"
    r"(?:[ \t:=]+\d{1,2}(?=[ \t]))?[ \t:=]+)"
    r"(?!(?:has|is|was|for|of|and|or|to|must|will|cannot|not|expired|change|required)\b)\S+",
    re.IGNORECASE,
)


class Secret:
    """A text that shows itself to nobody who does not ask by name."""

    __slots__ = ("__text",)

    def __init__(self, text: str) -> None:
        self.__text = text

    def reveal(self) -> str:
        """The secret itself; never keep it in a variable: tracebacks can show those."""
        return self.__text

    def __repr__(self) -> str:
        return f"Secret{_HIDDEN}"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return repr(self)

    def __reduce__(self) -> NoReturn:
        msg = "a secret is not written down"
        raise TypeError(msg)


def hidden(text: str, secrets: Iterable[Secret]) -> str:
    """``text`` without these secrets and without what stands behind words such as ``password``."""
    for secret in secrets:
        if secret.reveal():
            text = text.replace(secret.reveal(), _HIDDEN)
    return _TOLD.sub(rf"\1{_HIDDEN}", text)
