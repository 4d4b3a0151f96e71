"""Switches as a plan holds them: rendered files and the line of plan.json."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.design.devices import DeviceModels
from fabric.model.plan import DevicePlan
from fabric.plan.digest import ModelDigests
from fabric.plan.reading_back import switches_to_read
from fabric.text import ReadBack, Renderer, read_back

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from fabric.model.design import Design
    from fabric.model.plan import Rendered
    from fabric.model.topology import Switch


@dataclass(frozen=True, slots=True)
class SwitchText:
    """One switch, done."""

    rendered: Rendered
    line: DevicePlan
    said: ReadBack  # where the text differs from the model


def switch_texts(
    design: Design, roots: tuple[Path, ...], switches: Iterable[Switch]
) -> Iterator[SwitchText]:
    """These switches, one at a time.

    Raises:
        fabric.text.TemplateFault: a template is wrong.
    """
    renderer, models, digests = Renderer(roots), DeviceModels(design), ModelDigests()
    to_read = switches_to_read(design, roots)
    for switch in switches:
        model = models.of(switch.name)
        rendered = renderer.device(model)
        yield SwitchText(
            rendered,
            DevicePlan(
                name=switch.name,
                role=switch.role,
                platform=model.platform.name,
                model=model.model_name,
                management_address=model.management_address,
                model_sha256=digests.of(model),
                digest=rendered.digest,
                experimental=model.platform.experimental,
            ),
            read_back(model, rendered, own_words=to_read[switch.name])
            if switch.name in to_read
            else ReadBack(),
        )
