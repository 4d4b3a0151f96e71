"""The words of switches and hosts: values into text, and text back into values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms import platform_text
from fabric.text.faults import TemplateFault
from fabric.text.read_back import ReadBack, read_back
from fabric.text.render import Renderer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.model.qos import QosChain

__all__ = ["ReadBack", "Renderer", "TemplateFault", "chains", "read_back"]


def chains(platform: str, files: Mapping[str, str], device: str) -> tuple[QosChain, ...]:
    """What the ports of a switch do with a packet, as its own config says.

    ``files``: names as in the manifest, with their text. A system that has no reader of its own
    says nothing: no chains.

    Raises:
        fabric.platforms.ConfigError: the text is no config of this system.
    """
    words = platform_text(platform)
    return words.chains(files, device) if words else ()
