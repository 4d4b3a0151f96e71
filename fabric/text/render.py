"""Values into the words of a system: Jinja templates, one environment per system."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from fabric.catalog import platform_spec
from fabric.model.names import natural_sorted
from fabric.model.plan import Rendered
from fabric.platforms import platform_text
from fabric.text.environment import SHARED, environment
from fabric.text.faults import RAISED_BY_TEMPLATES, Refusal, TemplateFault, fault_of
from fabric.text.header import files_digest, finished_file
from fabric.text.host import common_words, own_words
from fabric.text.merge import BlockError, Json, block_object, json_text, merge_into
from fabric.text.views import OwnError, SharedViews
from fabric.text.words import text_problem

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from jinja2 import Environment, Template

    from fabric.model.device import DeviceModel, HostModel
    from fabric.model.plan import RenderedFile
    from fabric.model.platform import FileSpec, PlatformSpec
    from fabric.platforms import PlatformText
    from fabric.text.views import Shared

T = TypeVar("T")
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
        self._views = SharedViews()
        self._own: set[tuple[str, str]] = set()  # templates that ask for what is a device's own

    def device(self, model: DeviceModel) -> Rendered:
        """All files of one switch, and what had to be left out as findings.

        Raises:
            TemplateFault: a template is wrong, or its system cannot do what the model asks for.
        """
        rendered = self.render(
            model.platform,
            {"device": model},
            model.fabric,
            model.name,
            self._views.of_device(model),
        )
        words = self._platform_text(model.platform.name)
        return replace(rendered, findings=words.left_out(model)) if words else rendered

    def host(self, model: HostModel) -> Rendered:
        """All files of one host.

        Raises:
            TemplateFault: a template is wrong.
        """
        if self._host_spec is None:
            self._host_spec = platform_spec(_HOST_PLATFORM, self._roots)
        shared = self._views.of_host(model)
        common = common_words(model) if shared is None else shared.context
        context = {**common, "host": model, **own_words(model)}
        return self.render(self._host_spec, context, model.fabric, model.name, shared)

    def render(
        self,
        spec: PlatformSpec,
        context: Mapping[str, object],
        fabric: str,
        device: str,
        shared: Shared | None = None,
    ) -> Rendered:
        """The files that the manifest names; one whose template yields nothing is left out.

        ``shared``: what this device has in common with others, tried before ``context``.

        Raises:
            TemplateFault: a template is wrong or yields what no config holds.
        """
        files: list[RenderedFile] = []
        for file in spec.files:
            body = self._body(_Job(spec, file, context, device, shared))
            if body and not body.isspace():
                files.append(finished_file(body, file, spec, fabric=fabric, device=device))
        made = tuple(files)
        return Rendered(device, spec.name, spec.template_version, made, files_digest(made))

    def _body(self, job: _Job) -> str:
        if job.file.form == "json":
            return self._json(job)
        body, _ = self._made(job, job.file.template, lambda text: _checked(text, job))
        return body

    def _json(self, job: _Job) -> str:
        whole: Json = {}
        spelled = job.shared.spelled if job.shared else {}
        for name in self._block_names(job.spec.name, job.file.template):
            try:
                block, common = self._made(job, name, block_object)
                merge_into(whole, block)
            except BlockError as error:
                raise job.fault(name, str(error)) from error
            if common:
                for table in block.values():
                    spelled.setdefault(id(table), None)
        return json_text(whole, _JSON_INDENT.get(job.spec.name, 2), spelled) if whole else ""

    def _made(self, job: _Job, name: str, use: Callable[[str], T]) -> tuple[T, bool]:
        """What ``use`` makes of a template's text, and whether other devices have it too."""
        shared, key = job.shared, (job.spec.name, name)
        if shared is None or key in self._own:
            return use(self._text(job, name, job.context)), False
        if name not in shared.made:
            try:
                shared.made[name] = use(self._text(job, name, shared.context))
            except OwnError:
                self._own.add(key)
                return use(self._text(job, name, job.context)), False
        made: T = shared.made[name]
        return made, True

    def _text(self, job: _Job, name: str, context: Mapping[str, object]) -> str:
        platform = job.spec.name
        own = context is job.context
        try:
            template: Template = self._environment(platform).get_template(name)
            return template.render(context, part=lambda part: self._part(job, part, own=own))
        except (*RAISED_BY_TEMPLATES, Refusal) as error:
            shown = _shown(platform, name)
            raise fault_of(error, platform, shown, self._roots, job.device) from error

    def _part(self, job: _Job, name: str, *, own: bool) -> str:
        """For templates: another one's text. ``own``: it may hold what is the device's own."""
        text, common = self._made(job, name, str)
        if not (own or common):
            raise OwnError(name)
        return text

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


@dataclass(frozen=True, slots=True)
class _Job:
    """One file of one device."""

    spec: PlatformSpec
    file: FileSpec
    context: Mapping[str, object]
    device: str
    shared: Shared | None

    def fault(self, template: str, message: str) -> TemplateFault:
        """What a template yields cannot be right."""
        platform = self.spec.name
        return TemplateFault(platform, _shown(platform, template), None, message, self.device)


def _checked(text: str, job: _Job) -> str:
    problem = text_problem(text, job.file.comment)
    if problem:
        line, message = problem
        raise job.fault(job.file.template, f"line {line} of {job.file.name}: {message}")
    return text


def _shown(platform: str, name: str) -> str:
    """A template's name as the user finds it below the templates folder."""
    return name if name.startswith(SHARED) else f"{platform}/config/{name}"
