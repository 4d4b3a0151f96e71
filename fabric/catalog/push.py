r"""How a system is pushed to: ``templates/<platform>/push.yaml``, read into a value.

::

    session: cli                      # cli (a prompt to type at) or shell (exit statuses, SFTP)
    prompt: '{name}[^\n]*[>#] ?'      # of a cli: the whole last line of a reply; {name} stands for
                                      # the first characters of the hostname as the device shows it
    pager: '--More--'                 # optional: what waits for a key, should paging be on
    setup: [terminal length 0]        # optional: typed after login
    errors:                           # replies that mean a refused line, always looked for; what
    - '^% (?P<message>.+)$'           # the group `message` holds is told, else the whole line
    owned:                            # lines of the running text that the plan replaces, written
    - '^interface Ethernet'           # `header > line` below a header; all below an owned line
    protected:                        # lines that no candidate may lose or change
    - '^interface Management'
    risks:                            # changed lines by what they do, the first that matches; a
    - {pattern: '…', risk: traffic, why: "…"}   # line that none matches is unclassified
    source: "where all this was read"

Patterns are regular expressions; those of changed lines see a line without its sign and with it
(``+ line``). Risks: ``safe`` (no packet notices), ``traffic`` (packets can be
lost for a moment), ``window`` (drained first, or a restart).
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from fabric.catalog.errors import unknown_name
from fabric.catalog.folders import folder_names
from fabric.catalog.manifest import platform_spec
from fabric.model.push_spec import PushSpec, Risk

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_FILE = "push.yaml"
_KIND = "platform"


def pushable_names(roots: Iterable[Path]) -> tuple[str, ...]:
    """Systems that can be pushed to, in natural order."""
    return folder_names(_FILE, roots)


def push_spec(name: str, roots: Iterable[Path]) -> PushSpec:
    """How system ``name`` is pushed to.

    Raises:
        UnknownNameError: no root has such a file.
        CatalogFileError: the file breaks the schema above.
    """
    searched = tuple(roots)
    for root in searched:
        file = root / name / _FILE
        if file.is_file():
            driver = platform_spec(name, searched).netmiko_type
            return replace(_spec(name, file.read_bytes()), netmiko_type=driver)
    raise unknown_name(_KIND, name, pushable_names(searched))


@lru_cache(maxsize=64)
def _spec(name: str, text: bytes) -> PushSpec:
    from fabric.catalog.push_schema import PushData  # noqa: PLC0415 - pydantic is slow
    from fabric.catalog.read import checked  # noqa: PLC0415 - pydantic is slow

    data = checked(PushData, f"{name}/{_FILE}", text)
    return PushSpec(
        name=name,
        session=data.session,
        prompt=data.prompt,
        setup=tuple(data.setup),
        errors=tuple(data.errors),
        owned=tuple(data.owned),
        protected=tuple(data.protected),
        risks=tuple(Risk(r.pattern, r.risk, r.why) for r in data.risks),
        pager=data.pager,
        source=data.source,
    )
