"""Write ``docs/rules`` from the rules: ``python tests/checks/write_pages.py``."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Replace the pages."""
    sys.path.insert(0, str(ROOT))
    from fabric.checks import pages  # noqa: PLC0415 — the path is set above

    folder = ROOT / "docs" / "rules"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.md"):
        old.unlink()
    for name, text in pages().items():
        (folder / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
