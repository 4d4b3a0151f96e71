"""Which family of a system's commands a switch takes: by its model, or as the user says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.finding import Problem

if TYPE_CHECKING:
    from fabric.files.yaml import Path
    from fabric.model.hardware import SwitchModel
    from fabric.model.platform import PlatformSpec

_RULE = "RCE009"


def runs_on(spec: PlatformSpec, model: SwitchModel) -> bool:
    """Whether the system runs on such a box at all."""
    return not spec.vendors or model.generic or model.vendor in spec.vendors


def syntax_family(
    spec: PlatformSpec, model: SwitchModel, written: str, path: Path
) -> str | Problem | None:
    """The family, ``None`` for a system without families, or what is wrong (RCE009).

    ``written``: what the inventory says at ``path``; empty: nothing.
    """
    families = {family.name: family.boxes for family in spec.syntax_families}
    known = dict(model.syntax).get(spec.name)
    listed = " or ".join(f"{name} ({boxes})" for name, boxes in families.items())
    found = written or known
    if not found and families:
        message = f"{model.name}: which of the commands of {spec.title} it takes is not known"
        return Problem(_RULE, path, message, f"name the switch model, or write syntax: {listed}")
    if found and found not in families:
        message = f"{spec.title} has no syntax family {found}"
        return Problem(_RULE, path, message, f"use {listed}" if families else "remove it")
    if known and found != known:
        message = f"{model.name} is of syntax family {known} of {spec.title}, not {written}"
        return Problem(_RULE, path, message, "remove it")
    return found or None
