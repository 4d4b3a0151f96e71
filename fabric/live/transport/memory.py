"""No core file of a process that holds secrets: its own, or those in configurations."""

from __future__ import annotations

import ctypes
import resource
import sys

_PR_SET_DUMPABLE = 4  # prctl(2)


def forbid_core_files() -> None:
    """Call before the first secret is read, or the first session opened.

    The limit keeps the kernel from writing a file; core handlers behind a pipe are not bound by it
    (core(5)), so the process is marked as not dumpable as well where that exists.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
