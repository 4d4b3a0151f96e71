"""docs/workload.md names every key of a job."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fabric.inventory.schema.workload import WorkloadFile

PAGE = (Path(__file__).resolve().parent.parent / "docs/workload.md").read_text(encoding="utf-8")


def test_every_key_of_a_job_is_documented() -> None:
    schema: dict[str, Any] = WorkloadFile.model_json_schema()
    keys = {key for part in (schema, *schema["$defs"].values()) for key in part["properties"]}
    assert {key for key in keys - {"order"} if key not in PAGE} == set()
