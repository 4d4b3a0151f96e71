"""A toy system in a temporary folder: two kinds of files, templates given by the test."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.model.platform import FileSpec, PlatformSpec
from fabric.text import Renderer
from tests.samples import sample_spec

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from fabric.model.plan import Rendered

TEXT = FileSpec("toy.conf", "/etc/toy.conf", "toy.conf.j2", "text", "#")
JSON = FileSpec("toy.json", "/etc/toy.json", "blocks", "json", None)


def toy_spec(*files: FileSpec, experimental: bool = False) -> PlatformSpec:
    return replace(sample_spec("toy"), files=files, template_version="7", experimental=experimental)


def write(root: Path, templates: dict[str, str]) -> Path:
    """Templates by their name below ``toy/config/`` (or ``../`` it)."""
    for name, text in templates.items():
        file = root / "toy" / "config" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root


def render(
    root: Path,
    templates: dict[str, str],
    *files: FileSpec,
    over: Path | None = None,
    context: Mapping[str, object] | None = None,
) -> Rendered:
    roots = (over, write(root, templates)) if over else (write(root, templates),)
    return Renderer(roots).render(toy_spec(*files), context or {}, "lab", "leaf-0")


def text_of(root: Path, template: str, **context: object) -> str:
    """The body of a text file made of one template."""
    rendered = render(root, {"toy.conf.j2": template}, TEXT, context=context)
    return rendered.files[0].text.partition("\n")[2]
