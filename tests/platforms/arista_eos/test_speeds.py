"""The word for a port's speed, and that its absence is told."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric import flow
from fabric.design.devices import DeviceModels
from fabric.files.locate import templates_root
from fabric.platforms.arista_eos.speeds import SPEED_WORDS
from fabric.text import Renderer

if TYPE_CHECKING:
    from pathlib import Path


def test_template_and_finding_know_the_same_words() -> None:
    block = templates_root() / "arista_eos/config/blocks/interfaces.j2"
    listed = re.search(r"set speeds = \[(.*?)\]", block.read_text(encoding="utf-8"), re.DOTALL)
    assert listed is not None
    assert tuple(re.findall(r'"([^"]+)"', listed.group(1))) == SPEED_WORDS


def test_a_port_without_a_word_is_told(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(
        "fabric: t\ntopology: {kind: leaf-spine, leaves: 2, spines: 2}\n"
        "platforms: {default: {platform: arista_eos, model: arista-7060dx5-64s}}\n"
        "hosts: {count: 4, nics: 1, speed: 100, nic: connectx-6}\n",
        encoding="utf-8",
    )
    device = DeviceModels(flow.load(path)).of("leaf-0")
    rendered = Renderer((templates_root(),)).device(device)
    told = [f.message for f in rendered.findings if "no word is known" in f.message]
    port = next(p for p in device.interfaces if p.speed_gbps == 100)
    section = rendered.files[0].text.partition(f"interface {port.name}\n")[2].partition("!")[0]
    has_word = re.search(r"^   speed ", section, re.MULTILINE) is not None
    assert bool(told) == (not has_word)
    assert told
    assert "100G" in told[0]
