"""From a file with a running configuration to an audit, or one sentence why there is none."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from fabric.catalog import UnknownNameError, platform_names, platform_spec
from fabric.catalog.commands import command_book, readable_names
from fabric.checks.audit import audit
from fabric.platforms import ConfigError, platform_text
from fabric.reading.clean import cleaned, decoded
from fabric.text.output import read_output

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from fabric.model.audit import Audit
    from fabric.model.platform import PlatformSpec

_RUNNING = "running_config"


class AuditError(ValueError):
    """There is nothing to audit; ``fix``: the next step."""

    def __init__(self, message: str, fix: str = "") -> None:
        super().__init__(message)
        self.fix = fix


def audit_of(
    platform: str, raw: bytes, name: str, roots: Iterable[Path], *, dscps: tuple[int, ...] = ()
) -> tuple[Audit, str]:
    """The audit of a file and the system's title. ``name``: of the file, for the device's name.

    Raises:
        AuditError: no such system, one without lossless function, a file that cannot be read, or
            another system's.
    """
    searched = tuple(roots)
    spec = _spec(platform, searched)
    words = platform_text(spec.name)
    if words is None or not spec.capabilities.lossless:
        msg = f"{spec.title} has no lossless function to audit"
        raise AuditError(msg)
    facts = _facts(spec.name, raw, searched)
    text = cleaned(decoded(raw))
    form = spec.files[0].form
    files = {file.name: text + "\n" for file in spec.files if file.form == form}
    device = facts.get("hostname")
    named = device if isinstance(device, str) else PurePath(name).stem
    try:
        chains = words.chains(files, named)
        problems = words.problems(files)
    except ConfigError as error:
        msg = f"{name}: {error}"
        raise AuditError(msg, f"give the whole running configuration of {spec.title}") from None
    if not chains:
        msg = f"{name} has no port of {spec.title} in it"
        raise AuditError(msg, "give the whole running configuration")
    return audit(named, chains, problems, spec, dscps=dscps), spec.title


def _spec(platform: str, roots: tuple[Path, ...]) -> PlatformSpec:
    try:
        spec = platform_spec(_own_name(platform, roots), roots)
    except UnknownNameError as error:
        switches = [n for n in platform_names(roots) if platform_spec(n, roots).kind == "switch"]
        raise AuditError(str(error), f"known are {', '.join(switches)}") from None
    if spec.kind != "switch":
        msg = f"{spec.title} is no switch system"
        raise AuditError(msg)
    return spec


def _own_name(platform: str, roots: tuple[Path, ...]) -> str:
    """The system's own name where an alias is given."""
    try:
        return command_book(platform, roots).platform
    except UnknownNameError:
        return platform


def _facts(platform: str, raw: bytes, roots: tuple[Path, ...]) -> dict[str, object]:
    """What the reader of running configurations finds.

    Raises:
        AuditError: it is another system's.
    """
    if platform not in readable_names(roots):
        return {}
    sources = dict(command_book(platform, roots).facts).get(_RUNNING)
    outputs = [read_output(platform, slug, raw, roots) for slug in sources.slugs] if sources else []
    for output in outputs:
        if output.facts and not output.error:
            return dict(output.facts)
    for output in outputs:
        if output.mismatch:
            msg = f"this is a configuration of {output.mismatch}, not of {platform}"
            raise AuditError(msg, f"fabric audit --platform {output.mismatch}")
        if output.error:
            msg = f"this is no configuration but an answer to a command: {output.message}"
            raise AuditError(msg)
    return {}
