"""Secrets in lines that are shown or kept in a Change: their words stay, the secret goes.

What a target really holds is covered by its digest.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_HIDDEN = "<hidden>"
_SECRET = re.compile(
    r"""(?ix)
    ( (?: password | passwd | secret | passphrase | authentication-key | psk ) ["':=\s]+
    | \b snmp\S* \s .{0,20}? community ["':=\s]+
    ) \S .*
    """
)


def masked(lines: Iterable[str]) -> tuple[str, ...]:
    """The lines up to passwords, keys and communities of SNMP; what follows is hidden.

    Equal ones are one object: the devices of a fabric share most of their lines.
    """
    return tuple(sys.intern(_SECRET.sub(rf"\1{_HIDDEN}", line)) for line in lines)
