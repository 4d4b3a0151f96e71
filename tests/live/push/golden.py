"""What a screen must look like: files read by eye, digests left out."""

from __future__ import annotations

import os
import re
from pathlib import Path

FOLDER = Path(__file__).parent / "screens"
_DIGEST = re.compile(r"((?:\b(?:plan |change |fabric-|sha256 ))|--approve )[0-9a-f]{6,64}\b")


def same(name: str, text: str) -> None:
    """The screen is the one in the file."""
    file = FOLDER / f"{name}.txt"
    shown = _DIGEST.sub(r"\1…", text)
    if os.environ.get("WRITE_SCREENS"):
        file.write_text(shown, encoding="utf-8")
    assert shown == file.read_text(encoding="utf-8")
