"""The JSON Schemas of an inventory, of observed facts and of a job, for editors."""

from __future__ import annotations

from typing import Any, get_args

from pydantic import TypeAdapter

from fabric import topologies
from fabric.inventory.schema import Inventory
from fabric.inventory.schema.observed import ObservedFile
from fabric.inventory.schema.workload import Dtype, Order, WorkloadFile

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_LISTS = ("hosts", "suppress")  # a single entry may be written without the list


def schema_json() -> dict[str, Any]:
    """One schema (draft 2020-12) with the topology kinds as alternatives."""
    schema = Inventory.model_json_schema(by_alias=True, ref_template="#/$defs/{model}")
    definitions: dict[str, Any] = schema.setdefault("$defs", {})
    properties: dict[str, Any] = schema["properties"]
    properties["topology"] = {
        "description": properties["topology"].get("description", ""),
        "oneOf": [_kind(kind, definitions) for kind in topologies.kinds()],
    }
    for key in _LISTS:
        properties[key] = _one_or_list(properties[key])
    return {"$schema": _DIALECT, **schema}


def observed_schema_json() -> dict[str, Any]:
    """The schema (draft 2020-12) of a file of observed facts."""
    return {
        "$schema": _DIALECT,
        **ObservedFile.model_json_schema(by_alias=True, ref_template="#/$defs/{model}"),
    }


def workload_schema_json() -> dict[str, Any]:
    """The schema (draft 2020-12) of a job for `fabric analyze workload`."""
    schema = WorkloadFile.model_json_schema(by_alias=True, ref_template="#/$defs/{model}")
    for key, words in (("dtype", Dtype), ("placement", Order)):
        schema["properties"][key] = _word_or(schema["properties"][key], get_args(words))
    return {"$schema": _DIALECT, **schema}


def _kind(kind: str, definitions: dict[str, Any]) -> dict[str, Any]:
    """Parameters of one kind with ``kind`` itself; its parts join the definitions."""
    adapter: TypeAdapter[Any] = TypeAdapter(topologies.params_type(kind))
    schema = adapter.json_schema(ref_template=f"#/$defs/{kind}-{{model}}")
    for name, definition in schema.pop("$defs", {}).items():
        definitions[f"{kind}-{name}"] = definition
    return {
        **schema,
        "title": kind,
        "description": topologies.title(kind),
        "properties": {"kind": {"const": kind}, **schema["properties"]},
        "required": ["kind", *schema.get("required", [])],
        "additionalProperties": False,
    }


def _word_or(schema: dict[str, Any], words: tuple[str, ...]) -> dict[str, Any]:
    return {
        "description": schema.get("description", ""),
        "anyOf": [{"enum": list(words)}, {"$ref": schema["$ref"]}],
    }


def _one_or_list(schema: dict[str, Any]) -> dict[str, Any]:
    array = schema if "items" in schema else next(s for s in schema["anyOf"] if "items" in s)
    return {
        "description": schema.get("description", ""),
        "anyOf": [array["items"], {"type": "array", "items": array["items"]}],
    }
