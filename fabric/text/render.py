"""Values into the words of a system: Jinja templates, one environment per system."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.catalog import platform_spec
from fabric.model.names import natural_sorted
from fabric.model.plan import Rendered
from fabric.platforms import platform_text
from fabric.text.environment import SHARED, environment
from fabric.text.faults import RAISED_BY_TEMPLATES, Refusal, TemplateFault, fault_of
from fabric.text.header import files_digest, finished_file
from fabric.text.merge import BlockError, Json, block_object, json_text, merge_into
from fabric.text.words import text_problem

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from jinja2 import Environment, Template

    from fabric.model.device import DeviceModel, HostModel
    from fabric.model.plan import RenderedFile
    from fabric.model.platform import FileSpec, PlatformSpec
    from fabric.platforms import PlatformText

_JSON_INDENT = {"sonic": 4}  # as the system's own tools write it
_HOST_PLATFORM = "linux"


class Renderer:
    """Renders devices and hosts. ``roots``: folders of templates, the user's first, ours last.

    A template of the user's shadows the one of the same name; one more block is one more block.
    """

    def __init__(self, roots: tuple[Path, ...]) -> None:
        self._roots = roots
        self._environments: dict[str, Environment] = {}
        self._blocks: dict[tuple[str, str], tuple[str, ...]] = {}
        self._platforms: dict[str, PlatformText | None] = {}
        self._host_spec: PlatformSpec | None = None

    def device(self, model: DeviceModel) -> Rendered:
        """All files of one switch, and what had to be left out as findings.

        Raises:
            TemplateFault: a template is wrong, or its system cannot do what the model asks for.
        """
        rendered = self.render(model.platform, {"device": model}, model.fabric, model.name)
        words = self._platform_text(model.platform.name)
        return replace(rendered, findings=words.left_out(model)) if words else rendered

    def host(self, model: HostModel) -> Rendered:
        """All files of one host.

        Raises:
            TemplateFault: a template is wrong.
        """
        from fabric.text.host import host_context  # noqa: PLC0415 — a file of its own, not a cycle

        if self._host_spec is None:
            self._host_spec = platform_spec(_HOST_PLATFORM, self._roots)
        context = {"host": model, **host_context(model)}
        return self.render(self._host_spec, context, model.fabric, model.name)

    def render(
        self, spec: PlatformSpec, context: Mapping[str, object], fabric: str, device: str
    ) -> Rendered:
        """The files that the manifest names; one whose template yields nothing is left out.

        Raises:
            TemplateFault: a template is wrong or yields what no config holds.
        """
        files: list[RenderedFile] = []
        for file in spec.files:
            body = self._body(spec, file, context, device)
            if body and not body.isspace():
                files.append(finished_file(body, file, spec, fabric=fabric, device=device))
        made = tuple(files)
        return Rendered(device, spec.name, spec.template_version, made, files_digest(made))

    def _body(
        self, spec: PlatformSpec, file: FileSpec, context: Mapping[str, object], device: str
    ) -> str:
        if file.form == "json":
            return self._json(spec, file, context, device)
        body = self._text(spec.name, file.template, context, device)
        problem = text_problem(body, file.comment)
        if problem:
            line, message = problem
            msg = f"line {line} of {file.name}: {message}"
            raise TemplateFault(spec.name, _shown(spec.name, file.template), None, msg, device)
        return body

    def _json(
        self, spec: PlatformSpec, file: FileSpec, context: Mapping[str, object], device: str
    ) -> str:
        whole: Json = {}
        for name in self._block_names(spec.name, file.template):
            text = self._text(spec.name, name, context, device)
            try:
                merge_into(whole, block_object(text))
            except BlockError as error:
                shown = _shown(spec.name, name)
                raise TemplateFault(spec.name, shown, None, str(error), device) from error
        return json_text(whole, _JSON_INDENT.get(spec.name, 2)) if whole else ""

    def _text(self, platform: str, name: str, context: Mapping[str, object], device: str) -> str:
        try:
            template: Template = self._environment(platform).get_template(name)
            return template.render(context)
        except (*RAISED_BY_TEMPLATES, Refusal) as error:
            shown = _shown(platform, name)
            raise fault_of(error, platform, shown, self._roots, device) from error

    def _platform_text(self, platform: str) -> PlatformText | None:
        if platform not in self._platforms:
            self._platforms[platform] = platform_text(platform)
        return self._platforms[platform]

    def _environment(self, platform: str) -> Environment:
        made = self._environments.get(platform)
        if made is None:
            shared = tuple(root / SHARED for root in self._roots)
            made = environment(self._folders(platform), shared)
            self._environments[platform] = made
        return made

    def _folders(self, platform: str) -> tuple[Path, ...]:
        return tuple(root / platform / "config" for root in self._roots)

    def _block_names(self, platform: str, folder: str) -> tuple[str, ...]:
        """Templates of a JSON file: everything in its folder, in natural order."""
        key = (platform, folder)
        if key not in self._blocks:
            files = {
                f"{folder}/{file.name}"
                for root in self._folders(platform)
                for file in (root / folder).glob("*.j2")
            }
            if not files:
                msg = "there is no block in this folder"
                raise TemplateFault(platform, _shown(platform, folder), None, msg)
            self._blocks[key] = tuple(natural_sorted(files))
        return self._blocks[key]


def _shown(platform: str, name: str) -> str:
    """A template's name as the user finds it below the templates folder."""
    return name if name.startswith(SHARED) else f"{platform}/config/{name}"
