"""The words of SONiC, read line by line against its reference; any change shows here."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.text import Renderer
from tests.platforms.models import ROOT
from tests.platforms.sonic.cases import CASES, DEVICES

GOLDEN = Path(__file__).with_name("golden")


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", sorted(CASES))
def test_golden(name: str, device: str) -> None:
    files = CASES[name].files(device)
    folder = GOLDEN / name / device
    assert sorted(files) == sorted(file.name for file in folder.iterdir())
    for file, text in files.items():
        assert text == (folder / file).read_text(), f"{name}/{device}/{file}"


@pytest.mark.parametrize("name", sorted(CASES))
def test_rendering_again_gives_the_same_bytes(name: str) -> None:
    model = CASES[name].model("leaf-0")
    renderer = Renderer((ROOT,))
    assert renderer.device(model) == renderer.device(model) == Renderer((ROOT,)).device(model)
