"""How many sessions this process can have open at once."""

from __future__ import annotations

import resource

_EACH = 2  # the socket, and the ssh agent's while it logs in
_REST = 128  # files, pipes and what else a process has open


def sessions_possible(wanted: int) -> int:
    """Raise the limit of open files as far as may be and needed; how many of ``wanted`` fit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    needed = wanted * _EACH + _REST
    if soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(1, min(wanted, (soft - _REST) // _EACH))
