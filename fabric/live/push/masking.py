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
    ( (?: password | passwd | passkey | passphrase | secret | psk | token | bearer | key-string
        | (?: authentication | authorization | auth | priv | private | privacy | shared | digest
            | encryption | api | ssh ) -? key ) ["':=\s]+
    | (?<! [\w-] ) (?: cipher | simple | key (?! \s+ chain \b ) ) ["':=\s]+
    | \b snmp\S* \s (?: .{0,200}? \b )? (?: community ["':=/\s]+ | auth \s | priv \s )
    | \b snmp\S* \s (?: .{0,80} \s )? host \s+ \S+ \s+
    | \b snmp_community \s* [|>] \s*
    ) \S .*
    """
)


def masked(lines: Iterable[str]) -> tuple[str, ...]:
    """The lines up to passwords, keys and communities of SNMP; what follows is hidden.

    Equal ones are one object: the devices of a fabric share most of their lines.
    """
    return tuple(sys.intern(_SECRET.sub(rf"\1{_HIDDEN}", line)) for line in lines)
