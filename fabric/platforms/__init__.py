"""OPEN: one module or package per switch system, found by its name.

A system consists of its templates (``templates/<name>/``: manifest and words) and, where words do
not suffice, of the entry ``<name>`` here. An entry defines the functions of :class:`PlatformText`.
Entries never import each other; what they share stands in this file.
"""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Protocol, TypeAlias, cast

from fabric.discover import entry, entry_names
from fabric.model.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fabric.changing.procedure import Commit, Preview
    from fabric.model.device import DeviceModel
    from fabric.model.platform import PlatformSpec
    from fabric.model.push_spec import PushSpec
    from fabric.model.qos import QosChain

CODES = 8  # traffic classes, priorities, queues and priority groups
DSCPS = 64


# By what is left out: rule, why, fix.
Reasons: TypeAlias = "Mapping[str, tuple[str, str, str]]"
LeftOut: TypeAlias = "Iterable[tuple[str, Severity, str]]"  # key of the reason, how bad, what


class ConfigError(ValueError):
    """A text is no config of the system it is said to be of."""


class PlatformText(Protocol):
    """How a system's own text is understood. ``files``: names as in the manifest, with text."""

    def chains(self, files: Mapping[str, str], device: str) -> tuple[QosChain, ...]:
        """What each port does with a packet, in the order of its ports.

        Raises:
            ConfigError: the text is no config of this system.
        """

    def intended(self, model: DeviceModel) -> Iterable[QosChain]:
        """What :meth:`chains` must find in the rendered config of this switch, port by port."""

    def settings(self, files: Mapping[str, str]) -> dict[str, str]:
        """What the text says for the whole switch, beside the chains: name → value in words.

        Raises:
            ConfigError: the text is no config of this system.
        """

    def intended_settings(self, model: DeviceModel) -> dict[str, str]:
        """What :meth:`settings` must find in the rendered config of this switch."""

    def problems(self, files: Mapping[str, str]) -> tuple[str, ...]:
        """What the system would refuse or silently get wrong, one sentence each.

        Raises:
            ConfigError: the text is no config of this system.
        """

    def left_out(self, model: DeviceModel) -> tuple[Finding, ...]:
        """What the rendered config of this switch lacks because nobody knows it."""


def platform_text(name: str) -> PlatformText | None:
    """The entry of that name; ``None`` for a system that consists of templates alone."""
    if name not in entry_names(__name__):
        return None
    return cast("PlatformText", entry(__name__, name))


def procedures(platform: PlatformSpec, push: PushSpec) -> tuple[Preview, Commit] | None:
    """How a system is changed: its ``pushing`` module; ``None`` where there is none."""
    if platform.name not in entry_names(__name__):
        return None
    package = f"{__name__}.{platform.name}"
    if importlib.util.find_spec(f"{package}.pushing") is None:
        return None
    module = importlib.import_module(f"{package}.pushing")
    return (
        cast("Preview", module.preview(platform, push)),
        cast("Commit", module.commit(platform, push)),
    )


def left_out_findings(model: DeviceModel, reasons: Reasons, found: LeftOut) -> tuple[Finding, ...]:
    """A finding for each thing that the rendered config of a switch does not hold."""
    return tuple(
        Finding(
            rule=reasons[key][0],
            severity=severity,
            subject=model.name,
            message=f"{model.name}: {what}",
            why=reasons[key][1],
            fix=reasons[key][2],
            device=model.name,
            keys=(key,),
        )
        for key, severity, what in found
    )
