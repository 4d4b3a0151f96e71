"""The user's own templates: what is in force, and faults that are the user's to mend."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.files.tree import file_names
from fabric.model.finding import Finding, InputError, Location, Severity
from fabric.text import TemplateFault

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def template_faults(roots: tuple[Path, ...]) -> Iterator[None]:
    """A template that cannot be rendered is a problem of the input (RCE024), with its place."""
    try:
        yield
    except TemplateFault as fault:
        if fault.refused:
            raise InputError((_refusal(fault),)) from fault
        path = next((r / fault.template for r in roots if (r / fault.template).is_file()), None)
        where = None if path is None else Location(_shown(path), fault.line or 1, 1)
        own = path is not None and not path.is_relative_to(roots[-1])
        finding = Finding(
            "RCE024",
            Severity.ERROR,
            fault.template,
            f"{fault.template} cannot be rendered for {fault.device}: {fault.message}",
            fix="correct it, or remove it: the shipped one takes its place" if own else "",
            location=where,
        )
        raise InputError((finding,)) from fault


def _refusal(fault: TemplateFault) -> Finding:
    """The system has no words for what the inventory asks for (RCE023)."""
    return Finding(
        "RCE023",
        Severity.ERROR,
        fault.device,
        f"{fault.platform} cannot do what {fault.device} needs: {fault.message}",
        why=f"so says {fault.template}" + (f", line {fault.line}" if fault.line else ""),
        fix="change what the inventory asks for there, or the system of that switch",
        device=fault.device,
    )


def _shown(path: Path) -> str:
    """A path as a person in the current folder would write it."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def own_templates(roots: tuple[Path, ...]) -> tuple[Finding, ...]:
    """What the user's own template folder replaces and adds (RCE025), if there is one."""
    shipped = roots[-1]
    evidence = [
        f"{name} {'takes the place of the shipped one' if (shipped / name).is_file() else 'is new'}"
        for root in roots[:-1]
        for name in file_names(root)
    ]
    if not evidence:
        return ()
    finding = Finding(
        "RCE025",
        Severity.WARNING,
        "templates",
        f"{len(evidence)} own template file(s) in force",
        why="rules and tables speak of the design; of what these files write only the QoS of ports "
        "is read back (RCE392, SONiC and EOS)",
        fix="read the result with `fabric show config DEVICE`",
        evidence=tuple(evidence),
    )
    return (finding,)
