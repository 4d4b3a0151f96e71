"""Reading what a user wrote: bounded, text only, every obstacle named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.finding import Finding, InputError, Location, Severity

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 20_000_000
_SMALLER = "list what differs and let the topology kind build the rest"


def read_input(
    path: Path, name: str, *, fix: str = "", most: int = MAX_BYTES, smaller: str = _SMALLER
) -> bytes:
    """Bytes of a file that the user named, at most ``most`` of them.

    ``name`` is what messages call it; ``fix`` is offered when there is no such file, ``smaller``
    when it is too large.

    Raises:
        InputError: RCE001: missing, no plain file, unreadable, empty or too large.
    """
    try:
        if path.is_dir():
            raise refusal(name, f"{name} is a folder, not a file", "name the file in it")
        if path.exists() and not path.is_file():
            raise refusal(name, f"{name} is not a plain file", "copy it into one")
        with path.open("rb") as file:
            content = file.read(most + 1)
    except FileNotFoundError:
        raise refusal(name, f"there is no file {name}", fix) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or error
        raise refusal(name, f"{name} cannot be read: {reason}", "make it readable") from error
    if len(content) > most:
        message = f"{name} is larger than {most // 1_000_000} MB"
        raise refusal(name, message, smaller)
    if not content.strip():
        raise refusal(name, f"{name} is empty", fix or "fill it, or do not name it")
    return content


def decode(content: bytes, name: str) -> str:
    """UTF-8 text without its byte order mark.

    Raises:
        InputError: RCE001: another encoding, or binary.
    """
    if content[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        raise refusal(name, f"{name} is UTF-16, not UTF-8", "save it as UTF-8")
    if b"\0" in content:
        raise refusal(name, f"{name} is binary, not text", "save it as UTF-8 text")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - content.rfind(b"\n", 0, error.start)
        message = f"{name} is not UTF-8 text: byte 0x{content[error.start]:02x}"
        raise refusal(name, message, "save it as UTF-8", line, column) from None


def refusal(name: str, message: str, fix: str = "", line: int = 1, column: int = 1) -> InputError:
    """An input error of one finding, RCE001, at that place of the file."""
    return InputError(
        (
            Finding(
                "RCE001",
                Severity.ERROR,
                name,
                message,
                fix=fix,
                location=Location(name, line, column),
            ),
        )
    )
