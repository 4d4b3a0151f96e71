"""``python -m fabric``: the same as the command ``fabric``."""

from __future__ import annotations

import sys

from fabric.cli import run

if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
