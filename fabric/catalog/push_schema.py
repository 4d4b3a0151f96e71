"""The schema of ``push.yaml``; ``push.py`` explains the keys."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from fabric.catalog.schema import OptionalPattern, Pattern, Strict, Text


class RiskData(Strict):
    """What changing certain lines does."""

    pattern: Pattern
    risk: Literal["safe", "traffic", "window"]
    why: Text


class PushData(Strict):
    """The whole file."""

    session: Literal["cli", "shell"]
    prompt: OptionalPattern = ""
    pager: OptionalPattern = ""
    setup: list[Text] = Field(default_factory=list)
    errors: list[Pattern]
    owned: list[Pattern]
    protected: list[Pattern]
    risks: list[RiskData]
    source: Text

    @model_validator(mode="after")
    def _prompted(self) -> Self:
        if (self.session == "cli") != bool(self.prompt):
            msg = "a cli needs a prompt, and a shell has none"
            raise ValueError(msg)
        return self
