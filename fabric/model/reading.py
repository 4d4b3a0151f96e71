"""What a reader makes of one command's output, and what is known of a system's commands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
Facts: TypeAlias = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Reading:
    """Facts by their key (``neighbors``, ``interfaces``, …), and lines that were not understood.

    No facts at all: this is not the output of that command on that system. An output that names
    nothing (a table with its header alone) has its key with an empty value.
    """

    facts: Facts = field(default_factory=dict)
    unparsed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """One command of a system. ``slug``: its name in files.

    ``send``: what is typed; ``{port}`` stands for a port. ``reads``: keys of the facts it yields.
    ``reader``: ``module.function`` below the system's ``readers``. ``ntc``: the ntc-templates
    template whose rows the reader is given in place of text. ``sign``: what stands in every output
    of this command on this system and on no other; empty: the reader itself can tell.
    """

    slug: str
    send: str
    reads: tuple[str, ...]
    reader: str
    ntc: str = ""
    sign: str = ""


@dataclass(frozen=True, slots=True)
class FactSource:
    """Where one fact comes from: slugs in the order to try, or why it is not available."""

    slugs: tuple[str, ...] = ()
    not_available: str = ""


@dataclass(frozen=True, slots=True)
class CommandBook:
    """``templates/<platform>/commands.yaml`` as a value.

    ``errors``: patterns of answers to rejected commands; a group ``message`` is what is told,
    else the whole line. ``shell``: how a shell hands a ``show`` command to the CLI that knows it.
    """

    platform: str
    title: str
    aliases: tuple[str, ...]
    errors: tuple[str, ...]
    commands: tuple[CommandSpec, ...]
    facts: tuple[tuple[str, FactSource], ...]
    shell: str = ""

    def typed(self, command: CommandSpec) -> str:
        """A command as the login of the system takes it."""
        wrapped = self.shell and command.send.startswith("show ")
        return self.shell.replace("{send}", command.send) if wrapped else command.send

    def command(self, slug: str) -> CommandSpec | None:
        """The command of that slug."""
        return next((c for c in self.commands if c.slug == slug), None)


@dataclass(frozen=True, slots=True)
class Output:
    """One command's output, read.

    ``error``: the system rejected the command, ``message`` says how. ``mismatch``: the system
    whose output this is, if not the one that was said.
    """

    facts: Facts = field(default_factory=dict)
    unparsed: tuple[str, ...] = ()
    error: bool = False
    message: str = ""
    mismatch: str | None = None
