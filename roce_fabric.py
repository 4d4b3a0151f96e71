"""Start of the ``fabric`` command, outside the package on purpose.

Another, well-known distribution owns the same import name. Installed after ours it overwrites
``fabric/__init__.py`` and ``fabric/__main__.py``; removing it deletes them. So the command must
start without anything from our package, notice both cases and say how to mend them.
"""

from __future__ import annotations

import gc
import importlib.util
import sys
from pathlib import Path

MARK = '"""Lossless RoCEv2 networks from one inventory'
MEND = "pip uninstall fabric && pip install --force-reinstall roce-fabric"


def clash(search: object = None) -> str | None:
    """What is wrong with the installed package ``fabric``; ``None`` when it is ours and whole.

    ``search``: an importlib module spec, for tests; default: the one that import would use.
    """
    spec = search if search is not None else importlib.util.find_spec("fabric")
    origin = getattr(spec, "origin", None)
    if origin is None or not Path(origin).is_file():
        return (
            "fabric/__init__.py of roce-fabric is missing: another distribution called fabric "
            "was installed into the same place and has been removed, and took the file with it"
        )
    if not Path(origin).read_text(encoding="utf-8", errors="replace").startswith(MARK):
        return (
            f"{origin} belongs to another distribution called fabric, which was installed over "
            "roce-fabric and owns the same import name"
        )
    return None


def main() -> int:
    """Entry point of the ``fabric`` command; returns the exit code."""
    problem = clash()
    if problem is not None:
        sys.stderr.write(
            f"error: {problem}\n"
            f"  help: {MEND}\n"
            "  help: keep the two in separate environments (pipx install roce-fabric)\n"
        )
        return 2
    # A design lives until the command ends: looking through it for garbage again and again costs
    # a tenth of the time.
    gc.set_threshold(100000)
    from fabric.cli import run  # noqa: PLC0415 — only after the check above

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
