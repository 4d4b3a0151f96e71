"""What a terminal shows: bytes to lines, without colours, cursor moves and overwritten text."""

from __future__ import annotations

import codecs
import re

# ECMA-48: control sequences (5.4), operating system commands, character sets, single functions.
_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()*+][0-9A-Za-z]|[ -/]*[0-~])"
)
_NEXT_LINE = "\x1bE"
_LINE_END = re.compile(r"\r*\n")
_OVERWRITTEN = re.compile(r"[^\n\r]*\r")  # the cursor goes back to the first column
_ERASED = re.compile(r"[^\n\x08]\x08")  # a character, and a step back over it
_NOISE = re.compile(r"[\x00\x07\x08]")


class Screen:
    """Text since the last ``clear``: whole lines, and the one that the cursor stands in."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._lines: list[str] = []
        self._open = ""  # as it came: an escape sequence may be cut off
        self.tail = ""  # the line of the cursor
        self.rows = 0  # lines that were ended, ever

    def feed(self, data: bytes) -> None:
        """Show more."""
        arrived = self._open + self._decoder.decode(data)
        if _NEXT_LINE in arrived:
            arrived = arrived.replace(_NEXT_LINE, "\n")
        done, newline, self._open = arrived.rpartition("\n")
        if newline:
            self._lines.append(plain(done + newline))
            self.rows += done.count("\n") + 1
        self.tail = plain(self._open)

    @property
    def text(self) -> str:
        """All of it; line ends are newlines."""
        whole = "".join(self._lines)
        self._lines = [whole] if whole else []
        return whole + self.tail

    def take(self) -> str:
        """All of it, which is then forgotten."""
        text = self.text
        self._lines, self._open, self.tail = [], "", ""
        return text

    def drop_tail(self) -> None:
        """Forget the line of the cursor: a pager's, which goes away when a key is pressed."""
        self._open = self.tail = ""


def plain(text: str) -> str:
    """What is left of text when it has been shown."""
    if "\x1b" in text:
        text = _ESCAPES.sub("", text)
    if "\r" in text:
        text = _LINE_END.sub("\n", text)
        if "\r" in text:
            text = _OVERWRITTEN.sub("", text)
    while "\x08" in text and _ERASED.search(text):
        text = _ERASED.sub("", text)
    return _NOISE.sub("", text)
