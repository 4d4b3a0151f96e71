"""A folder for what can be made again at any time, in the user's own cache."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def cache_folder(name: str) -> Path | None:
    """``$XDG_CACHE_HOME/roce-fabric-<name>``, made if need be; ``None`` where there can be none.

    Code is loaded from it, so it must belong to this user and nobody else may write to it.
    """
    base = os.environ.get("XDG_CACHE_HOME")
    home = os.environ.get("HOME")
    if not base and not home:
        return None
    folder = (Path(base) if base else Path(home or "") / ".cache") / f"roce-fabric-{name}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.stat()
    except OSError:
        return None
    others = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    usable = found.st_uid == os.getuid() and not others and os.access(folder, os.W_OK)
    return folder if usable else None
