"""The schema of ``commands.yaml``; ``commands.py`` explains the keys."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from fabric.catalog.commands import FACTS
from fabric.catalog.schema import OptionalPattern, Pattern, Strict, Text


def _fact(name: str) -> str:
    if name not in FACTS:
        msg = f"is no fact; facts are {', '.join(FACTS)}"
        raise ValueError(msg)
    return name


_Fact = Annotated[str, AfterValidator(_fact)]
_Reader = Annotated[str, Field(pattern=r"^[a-z_0-9]+\.[a-z_0-9]+$")]


class CommandData(Strict):
    """One command."""

    send: Text
    reads: list[Text]
    reader: _Reader
    ntc: str = ""
    sign: OptionalPattern = ""


class Absent(Strict):
    """A fact that the system does not give."""

    not_available: Text


class CommandsData(Strict):
    """The whole file."""

    title: Text
    aliases: list[Text] = Field(default_factory=list)
    errors: list[Pattern]
    shell: str = Field(default="", pattern=r"^$|\{send\}")
    commands: dict[str, CommandData]
    facts: dict[_Fact, list[Text] | Absent] = Field(default_factory=dict)
    source: Text

    @model_validator(mode="after")
    def _facts_come_from_commands(self) -> Self:
        for fact, source in self.facts.items():
            for slug in source if isinstance(source, list) else ():
                if slug not in self.commands:
                    msg = f"facts.{fact}: there is no command {slug}"
                    raise ValueError(msg)
        return self
