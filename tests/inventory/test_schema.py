"""The JSON Schema and the starter."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from fabric import topologies
from fabric.files.locate import inventories_root
from fabric.inventory import check_selectors, read
from fabric.inventory.json_schema import schema_json, workload_schema_json
from fabric.inventory.starter import starter
from fabric.model.finding import ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def _references(schema: object) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"]
        for value in schema.values():
            yield from _references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _references(value)


def test_the_schema_is_draft_2020_12_and_closed() -> None:
    schema = schema_json()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["required"] == ["fabric", "topology"]
    assert schema["additionalProperties"] is False
    assert json.loads(json.dumps(schema)) == schema
    for name, definition in schema["$defs"].items():
        assert definition["additionalProperties"] is False, name
    defined = {f"#/$defs/{name}" for name in schema["$defs"]}
    assert set(_references(schema)) <= defined


def test_the_schema_of_a_job_is_closed_and_takes_a_word_for_a_section() -> None:
    schema = workload_schema_json()
    assert (schema["required"], schema["additionalProperties"]) == (["workload"], False)
    assert json.loads(json.dumps(schema)) == schema
    assert all(part["additionalProperties"] is False for part in schema["$defs"].values())
    assert set(_references(schema)) <= {f"#/$defs/{name}" for name in schema["$defs"]}
    dtype, placement = (schema["properties"][key]["anyOf"] for key in ("dtype", "placement"))
    assert dtype == [
        {"enum": ["fp32", "bf16", "fp16", "fp8"]},
        {"$ref": "#/$defs/PrecisionSection"},
    ]
    assert placement[0] == {"enum": ["rail-aligned", "shuffled-hosts", "shuffled"]}


def test_the_keys_of_the_example_jobs_are_in_its_schema() -> None:
    schema = workload_schema_json()
    for path in sorted((inventories_root() / "workloads").glob("*.yaml")):
        for key, value in yaml.safe_load(path.read_text(encoding="utf-8")).items():
            found = schema["properties"][key]
            parts = [found, *found.get("anyOf", ()), *found.get("allOf", ())]
            names = [part["$ref"].rpartition("/")[2] for part in parts if "$ref" in part]
            if isinstance(value, dict):
                assert set(value) <= set(schema["$defs"][names[0]]["properties"]), (path, key)


def test_topology_kinds_are_alternatives_by_their_kind() -> None:
    alternatives = schema_json()["properties"]["topology"]["oneOf"]
    assert {a["properties"]["kind"]["const"] for a in alternatives} == set(topologies.kinds())
    by_kind: dict[str, Any] = {a["properties"]["kind"]["const"]: a for a in alternatives}
    assert by_kind["leaf-spine"]["required"] == ["kind", "leaves", "spines"]
    assert set(by_kind["fat-tree"]["properties"]) >= {"kind", "k", "pods"}
    assert "cables_csv" in by_kind["explicit"]["properties"]
    assert all(a["additionalProperties"] is False for a in alternatives)


def test_fixed_keys_are_there() -> None:
    properties = schema_json()["properties"]
    assert list(properties) == [
        "fabric",
        "topology",
        "platforms",
        "hosts",
        "links",
        "cables",
        "roce",
        "addressing",
        "management",
        "connection",
        "load_balancing",
        "targets",
        "sonic",
        "racks",
        "suppress",
    ]
    definitions = schema_json()["$defs"]
    assert {"preset", "dscp", "priority", "cnp_dscp", "cnp_priority"} <= set(
        definitions["RoceSection"]["properties"]
    )
    assert {"leaf-spine", "edge-agg", "agg-core"} <= set(definitions["CablesSection"]["properties"])
    assert definitions["RoceSection"]["properties"]["dscp"]["anyOf"][0]["maximum"] == 63
    assert "anyOf" in properties["hosts"]


@pytest.mark.parametrize(
    "kind", ["leaf-spine", "fat-tree", "dragonfly", "dragonfly-plus", "explicit"]
)
@pytest.mark.parametrize(
    "answers",
    [
        {"hosts": 64},
        {"hosts": 64, "model": "nvidia-sn3700", "nic": "connectx-6", "speed": 100},
        {"hosts": 300, "model": "nvidia-sn5600", "nic": "connectx-7"},
        {"hosts": 1, "speed": 100},
        {"hosts": 17, "model": "dell-z9664f"},
    ],
)
def test_the_starter_loads_and_holds_its_hosts(
    tmp_path: Path, kind: str, answers: dict[str, Any]
) -> None:
    hosts = answers["hosts"]
    text = starter(fabric="lab", kind=kind, **answers)
    path = tmp_path / "lab.yaml"
    path.write_text(text, encoding="utf-8")
    reading = read(path)
    assert not reading.findings
    intent = reading.intent
    assert (intent.name, intent.topology_kind) == ("lab", kind)
    assert [len(group.names) for group in intent.host_groups] == [hosts]
    assert intent.host_groups[0].speed_gbps == answers.get("speed", 400)
    assert intent.hardware.default.model.name == answers.get("model", "generic")
    request = topologies.BuildRequest(intent.host_groups, intent.fabric_speed_gbps, intent.cables)
    blueprint = topologies.build(kind, intent.topology_params, request)
    assert len(blueprint.hosts) == hosts
    assert all(ratio <= 1 for _, ratio in blueprint.shape.oversubscription)
    check_selectors(reading, [(s.name, s.role) for s in blueprint.switches])


@pytest.mark.parametrize("name", ["2024", "NO", "1e3", "a: b", "train64"])
def test_the_starter_quotes_what_yaml_would_change(name: str) -> None:
    line = next(
        line for line in starter(fabric=name, hosts=4).splitlines() if line.startswith("fabric:")
    )
    assert line == ("fabric: train64" if name == "train64" else f'fabric: "{name}"')


@pytest.mark.parametrize(
    "arguments",
    [
        {"model": "nvidia-sn3701"},
        {"nic": "connectx6"},
        {"kind": "torus"},
        {"kind": "leaf-spine", "hosts": 3000},
        {"kind": "fat-tree", "hosts": 70_000},
        {"kind": "dragonfly", "hosts": 1_000_000},
        {"kind": "dragonfly-plus", "hosts": 2_000_000},
        {"model": "nvidia-sn3700", "speed": 800},
    ],
)
def test_the_starter_refuses_what_cannot_be(arguments: dict[str, Any]) -> None:
    with pytest.raises(ProblemError):
        starter(**{"fabric": "t", "hosts": 8, **arguments})
