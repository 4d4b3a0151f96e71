"""The open room: names, schema, a toy kind from another folder."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from pydantic import TypeAdapter, ValidationError

from fabric import topologies
from fabric.discover import UnknownEntryError
from fabric.model.finding import ProblemError
from tests.topologies.fabrics import blueprint, group

if TYPE_CHECKING:
    from pathlib import Path

KINDS = ("dragonfly", "dragonfly-plus", "explicit", "fat-tree", "leaf-spine", "rail")

TOY = """
from dataclasses import dataclass
from fabric.model.finding import Problem
from fabric.model.topology import Blueprint, Position, Shape, SwitchNode
from fabric.topologies import DefaultHosts

TITLE = "one switch"

@dataclass(frozen=True)
class Params:
    ports: int = 4

def check(params):
    bad = Problem("RCE011", ("topology", "ports"), "no ports", "ports: 1")
    return () if params.ports else (bad,)

def default_hosts(params):
    return (DefaultHosts("host-{n}", params.ports),)

def build(params, request):
    one = SwitchNode("one", "leaf", Position(0, None, 0))
    return Blueprint("lone-star", (one,), (), (), Shape("one", 0, None, "none"))
"""


def test_kinds() -> None:
    assert topologies.kinds() == KINDS


def test_each_kind_has_a_title() -> None:
    assert tuple(topologies.title(kind).split(":")[0] for kind in KINDS) == KINDS


@pytest.mark.parametrize("kind", ["torus", "fat_tree", "_parts", ""])
def test_unknown_kind(kind: str) -> None:
    with pytest.raises(UnknownEntryError) as error:
        topologies.params_type(kind)
    assert error.value.known == KINDS


def test_a_kind_is_added_by_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lone_star.py").write_text(TOY)
    monkeypatch.setattr(topologies, "__path__", [*topologies.__path__, str(tmp_path)])
    assert "lone-star" in topologies.kinds()
    params = topologies.params_type("lone-star")
    assert topologies.default_hosts("lone-star", params()) == (
        topologies.DefaultHosts("host-{n}", 4),
    )
    assert blueprint("lone-star", params(), ()).switches[0].name == "one"
    assert topologies.check("lone-star", params(0))[0].message == "no ports"
    monkeypatch.delitem(sys.modules, "fabric.topologies.lone_star")


@pytest.mark.parametrize("kind", topologies.kinds())
def test_the_schema_describes_every_key_and_refuses_others(kind: str) -> None:
    adapter = TypeAdapter(topologies.params_type(kind))
    schema = adapter.json_schema()
    for part in (schema, *schema.get("$defs", {}).values()):
        assert part["additionalProperties"] is False
        assert all(entry.get("description") for entry in part["properties"].values())
    with pytest.raises(ValidationError, match="Unexpected keyword"):
        adapter.validate_python({"leafs": 4})


def test_the_smallest_explicit_form_loads() -> None:
    written = {
        "switches": [
            {"name": "l0", "tier": 0, "asn": 65001, "endpoints": 4, "group": 0},
            {"name": "s0", "tier": 1},
        ],
        "cables": [{"a": "l0", "b": "s0", "count": 2}],
    }
    params = TypeAdapter(topologies.params_type("explicit")).validate_python(written)
    plan = blueprint("explicit", params)
    assert [(c.a, c.b, c.count) for c in plan.cables] == [("l0", "s0", 2)]
    assert [h.name for h in plan.hosts] == ["l0-h0", "l0-h1", "l0-h2", "l0-h3"]


def test_building_checks_first() -> None:
    params = topologies.params_type("leaf-spine")(0, 0)
    with pytest.raises(ProblemError) as error:
        blueprint("leaf-spine", params, (group(1),))
    assert [p.path for p in error.value.problems] == [
        ("topology", "leaves"),
        ("topology", "spines"),
    ]


def test_nothing_heavy_is_imported() -> None:
    code = (
        "import sys; from fabric import topologies as t; import fabric.design.wiring\n"
        "[t.params_type(k) for k in t.kinds()]\n"
        "print({'pydantic', 'yaml', 'numpy', 'networkx', 'difflib'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"
