"""Header and digest of a rendered file.

The header states fabric, device, version of the templates and the digest of the body, and nothing
that changes from run to run: a change elsewhere in the fabric leaves the file identical.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from fabric.model.plan import RenderedFile

if TYPE_CHECKING:
    from fabric.model.platform import FileSpec, PlatformSpec

_SCRIPT = "#!"


def finished_file(
    body: str, file: FileSpec, spec: PlatformSpec, *, fabric: str, device: str
) -> RenderedFile:
    """The file with its header; the digest covers the body without it.

    A file whose form has no comments has no header. In a script the header follows the ``#!`` line.
    """
    digest = hashlib.sha256(body.encode()).hexdigest()
    text = body
    if file.comment is not None:
        header = _header(file.comment, spec, fabric, device, digest)
        first, newline, rest = body.partition("\n")
        text = f"{first}{newline}{header}{rest}" if first.startswith(_SCRIPT) else header + body
    return RenderedFile(file.name, file.remote_path, text, digest, file.mode)


def files_digest(files: tuple[RenderedFile, ...]) -> str:
    """One digest over names and bodies of all files of a device."""
    text = "".join(f"{file.name}\0{file.body_sha256}\n" for file in files)
    return hashlib.sha256(text.encode()).hexdigest()


def _header(comment: str, spec: PlatformSpec, fabric: str, device: str, digest: str) -> str:
    templates = f"{spec.name}/{spec.template_version}"
    line = (
        f"{comment} fabric {fabric} · device {device} · templates {templates} · sha256 {digest}\n"
    )
    if spec.experimental:
        line += f"{comment} experimental: {spec.title} was never tried on a switch\n"
    return line
