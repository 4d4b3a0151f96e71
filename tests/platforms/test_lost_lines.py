"""A line of `extra` that a merge would drop is refused: nothing vanishes without a word."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import pytest

from fabric.catalog.manifest import platform_spec
from fabric.files.locate import templates_root
from fabric.model.push import RenderedError
from tests.platforms.pushed import spec

if TYPE_CHECKING:
    from fabric.changing.procedure import Preview

CURLY = "system {\n    host-name a;\n}\n"
LOST = [
    ("juniper_junos", "junos.conf", f"{CURLY}delete system login user admin\n"),
    ("juniper_junos", "junos.conf", f"delete system login user admin\n{CURLY}"),
    ("juniper_junos", "junos.conf", f"{CURLY}system services ssh\n"),
    ("juniper_junos", "junos.conf", "set system host-name a\ndelete system services\n"),
    ("arista_eos", "eos.cfg", "hostname a\n!\nend\nntp server 192.0.2.1\n"),
    ("huawei_vrp", "vrp.cfg", "#\nsysname a\n#\nreturn\n#\nntp-service enable\n#\nreturn\n"),
    ("hp_comware", "comware.cfg", "#\n sysname a\n#\nreturn\n#\n lldp global enable\n#\n"),
    ("frr", "frr.conf", "hostname a\nend\nrouter bgp 1\n"),
]
KEPT = [
    ("juniper_junos", "junos.conf", CURLY),
    ("juniper_junos", "junos.conf", "# by hand\nset system host-name a\n"),
    ("arista_eos", "eos.cfg", "hostname a\n!\nend\n"),
    ("huawei_vrp", "vrp.cfg", "#\nsysname a\n#\nreturn\n"),
    ("hp_comware", "comware.cfg", "#\n sysname a\n#\nreturn\n"),
    ("frr", "frr.conf", "hostname a\n!\nend\n"),
]
RUNNING = {"juniper_junos": "set system host-name b\n"}


def preview(system: str) -> Preview:
    pushing = importlib.import_module(f"fabric.platforms.{system}.pushing")
    found: Preview = pushing.preview(platform_spec(system, (templates_root(),)), spec(system))
    return found


@pytest.mark.parametrize(("system", "file", "text"), LOST)
def test_a_line_that_would_be_lost(system: str, file: str, text: str) -> None:
    with pytest.raises(RenderedError):
        preview(system).target({file: RUNNING.get(system, "")}, {file: text})


@pytest.mark.parametrize(("system", "file", "text"), KEPT)
def test_a_text_as_it_should_be(system: str, file: str, text: str) -> None:
    target = preview(system).target({file: RUNNING.get(system, "")}, {file: text})
    assert " a" in target[file]
