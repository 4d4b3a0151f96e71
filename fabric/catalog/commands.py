"""Which commands of a system can be read: ``templates/<platform>/commands.yaml``, into a value.

::

    title: Arista EOS
    aliases: [eos]                    # optional: other names that `fabric parse` takes
    errors:                           # answers to rejected commands, as regular expressions;
    - '^% (?P<message>.+)$'           # what the group `message` holds is told, else the whole line
    shell: vtysh -c '{send}'          # optional: how a login shell is given `show …`
    commands:
      show_interfaces_status:         # its slug
        send: show interfaces status  # as typed; {port} stands for a port
        reads: [interfaces]           # keys of the facts
        reader: interfaces.status     # function `status` of its module readers/interfaces.py
        ntc: arista_eos_show_…        # optional: the reader gets the rows of this ntc-template
        sign: '^Port +Name +Status'   # optional: a pattern that this output alone has
    facts:                            # for a switch: every name in FACTS
      interfaces: [show_interfaces_status]
      ecn_marked: {not_available: "no command is confirmed by a source"}
    source: "where these commands were read"

A folder with this file and no ``platform.yaml`` is a tool that is only read.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from fabric.catalog.errors import unknown_name
from fabric.catalog.folders import folder_names
from fabric.model.reading import CommandBook, CommandSpec, FactSource

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_FILE = "commands.yaml"
_KIND = "platform"
# What can be asked of a switch. Every switch system says for each where it comes from.
FACTS = (
    "version",
    "interfaces",
    "interface_errors",
    "neighbours",
    "bgp",
    "routes",
    "dscp_map",
    "queue_map",
    "pfc",
    "pfc_counters",
    "ecn",
    "ecn_marked",
    "buffers",
    "drops",
    "watchdog",
    "watchdog_events",
    "running_config",
)


def readable_names(roots: Iterable[Path]) -> tuple[str, ...]:
    """Systems and tools whose output can be read, in natural order."""
    return folder_names(_FILE, roots)


def command_book(name: str, roots: Iterable[Path]) -> CommandBook:
    """The commands of system ``name`` (or of the one that has this alias).

    Raises:
        UnknownNameError: no root has such a file.
        CatalogFileError: the file breaks the schema above.
    """
    searched = tuple(roots)
    known = readable_names(searched)
    folded = name.lower()
    if folded in known:
        return _of(folded, searched)
    for other in known:
        book = _of(other, searched)
        if folded in book.aliases:
            return book
    raise unknown_name(_KIND, name, known)


def _of(name: str, roots: tuple[Path, ...]) -> CommandBook:
    file = next(f for root in roots if (f := root / name / _FILE).is_file())
    return _book(name, file.read_bytes())


@lru_cache(maxsize=64)
def _book(name: str, text: bytes) -> CommandBook:
    from fabric.catalog.commands_schema import CommandsData  # noqa: PLC0415 - pydantic is slow
    from fabric.catalog.read import checked  # noqa: PLC0415 - pydantic is slow

    data = checked(CommandsData, f"{name}/{_FILE}", text)
    return CommandBook(
        platform=name,
        title=data.title,
        aliases=tuple(data.aliases),
        errors=tuple(data.errors),
        commands=tuple(
            CommandSpec(slug, c.send, tuple(c.reads), c.reader, c.ntc, c.sign)
            for slug, c in data.commands.items()
        ),
        facts=tuple(
            (
                fact,
                FactSource(tuple(source))
                if isinstance(source, list)
                else FactSource(not_available=source.not_available),
            )
            for fact, source in data.facts.items()
        ),
        shell=data.shell,
    )
