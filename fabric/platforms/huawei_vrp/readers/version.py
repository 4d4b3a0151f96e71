"""``display version``."""

from __future__ import annotations

import re

from fabric.model.reading import Reading

_SOFTWARE = re.compile(r"Version (\S+) \((.+?)\s+(V\d\w*)\)")
_MAKER = re.compile(r"^(?:Huawei|HUAWEI) (?:Versatile Routing Platform|YunShan)", re.MULTILINE)
_UPTIME = re.compile(
    r"^(?:Huawei|HUAWEI|Quidway) (\S.*?)(?: Router| Routing Switch)? uptime is ", re.MULTILINE
)


def version(text: str) -> Reading:
    """``version``, ``release``, ``model``; of boards, fans and power supplies nothing."""
    software, maker = _SOFTWARE.search(text), _MAKER.search(text)
    uptime = _UPTIME.search(text)
    if software is None or maker is None or uptime is None:
        return Reading()
    return Reading({"version": software[1], "release": software[3], "model": uptime[1]})
