"""What tests of all systems' procedures ask: what is typed, and what survives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.catalog.push import push_spec
from fabric.files.locate import templates_root
from fabric.model.push import Command, Identity, Job, Lines, PutFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fabric.changing.procedure import Preview
    from fabric.model.push import Action, Step
    from fabric.model.push_spec import PushSpec

PUSH_ID = "fabric-7f3a"


def spec(platform: str) -> PushSpec:
    return push_spec(platform, [templates_root()])


def a_job(
    preview: Preview, running: Mapping[str, str], rendered: Mapping[str, str], identity: Identity
) -> Job:
    target = preview.target(running, rendered)
    return Job(PUSH_ID, identity.hostname, "admin", running, target, 605, identity)


def typed(steps: Iterable[Step]) -> list[str]:
    """What a list of steps says, a line each; of a file its path."""
    return [said for step in steps for action in step.actions for said in _said(action)]


def _said(action: Action) -> tuple[str, ...]:
    match action:
        case Command(text=text):
            return (text,)
        case Lines(lines=lines):
            return lines
        case PutFile(path=path):
            return (f"put {path}",)
