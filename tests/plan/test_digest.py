from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from fabric.design.devices import DeviceModels
from fabric.flow import load
from fabric.plan.digest import ModelDigests

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.device import DeviceModel

INVENTORY = """\
fabric: small
topology: {kind: leaf-spine, leaves: 2, spines: 2}
platforms: {default: {model: sn3700}}
hosts: {speed: 100}
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> DeviceModel:
    path: Path = tmp_path_factory.mktemp("digest") / "small.yaml"
    path.write_text(INVENTORY)
    return DeviceModels(load(path)).of("leaf-0")


def other(value: Any) -> Any:
    """A value of the same kind that is not equal."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, str):
        return value + "x"
    return ("other",)


def test_equal_models_have_equal_digests(model: DeviceModel) -> None:
    assert ModelDigests().of(model) == ModelDigests().of(replace(model))
    shared = ModelDigests()
    assert shared.of(model) == shared.of(model)


def changed(value: Any, path: tuple[str, ...] = ()) -> list[tuple[str, Any]]:
    """(path, copy with that field changed) for every field of a dataclass."""
    return [
        (".".join((*path, f.name)), replace(value, **{f.name: other(getattr(value, f.name))}))
        for f in fields(value)
        if f.init and not is_dataclass(getattr(value, f.name)) and f.name != "interfaces"
    ]


def test_every_field_of_every_level_counts(model: DeviceModel) -> None:
    digests = ModelDigests()
    before = digests.of(model)
    port = model.interfaces[-1]
    assert port.profile is not None
    versions = [copy for _, copy in changed(model) if copy.profiles == model.profiles]
    for _, altered in changed(port):
        versions.append(replace(model, interfaces=(*model.interfaces[:-1], altered)))
    for _, chain in changed(port.chain):
        altered = replace(port, chain=chain)
        versions.append(replace(model, interfaces=(*model.interfaces[:-1], altered)))
    for _, profile in changed(port.profile):
        altered = replace(port, profile=profile)
        versions.append(replace(model, interfaces=(*model.interfaces[:-1], altered)))
    versions.append(replace(model, profiles=model.profiles[:-1]))
    seen = [digests.of(version) for version in versions]
    assert before not in seen
    assert len(seen) > 60
