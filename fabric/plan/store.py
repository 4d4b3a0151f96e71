"""``plan.json``: written sorted, one item a line; read back, older and newer schemas refused."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import TYPE_CHECKING, Any

from fabric.model.finding import Finding, Location, Severity, Suppression, Verdict
from fabric.model.plan import DevicePlan, Plan, Summary, TierSummary
from fabric.report.findings import finding_json

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

SCHEMA = 1
PLAN_FILE = "plan.json"


class PlanError(Exception):
    """A folder that holds no plan this version can read; ``fix`` says what to do."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.fix = fix


def sha256(data: bytes) -> str:
    """Hex digest."""
    return hashlib.sha256(data).hexdigest()


def _lines(items: Iterable[object]) -> str:
    rows = [" " + json.dumps(item, ensure_ascii=False, sort_keys=True) for item in items]
    return "[\n" + ",\n".join(rows) + "\n]" if rows else "[]"


def _pairs(items: Iterable[tuple[str, str]]) -> str:
    rows = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in items]
    return "{\n" + ",\n".join(rows) + "\n}" if rows else "{}"


def plan_text(plan: Plan) -> str:
    """The text of plan.json: no time, no absolute path, no secret."""
    parts = {
        "schema": str(plan.schema),
        "program": json.dumps(plan.program),
        "fabric": json.dumps(plan.fabric),
        "inventory": json.dumps(plan.inventory),
        "pushable": json.dumps(plan.pushable),
        "inputs": _pairs(plan.inputs),
        "devices": _lines(dataclasses.asdict(device) for device in plan.devices),
        "hosts": _pairs(plan.hosts),
        "findings": _lines(finding_json(finding) for finding in plan.findings),
        "summary": json.dumps(dataclasses.asdict(plan.summary), ensure_ascii=False, indent=1),
        "files": _pairs(plan.files),
    }
    return "{\n" + ",\n".join(f'"{key}": {text}' for key, text in parts.items()) + "\n}\n"


def _finding(data: dict[str, Any]) -> Finding:
    where, suppressed = data.get("location"), data.get("suppressed")
    return Finding(
        rule=data["rule"],
        severity=Severity[data["severity"].upper()],
        subject=data["subject"],
        message=data["message"],
        why=data.get("why", ""),
        fix=data.get("fix", ""),
        evidence=tuple(data.get("evidence", ())),
        location=Location(**where) if where else None,
        device=data.get("device"),
        port=data.get("port"),
        verdict=Verdict(data["verdict"]),
        suppressed_by=Suppression(
            data["rule"], data["subject"], suppressed["reason"], suppressed["expires"]
        )
        if suppressed
        else None,
    )


def _summary(data: dict[str, Any]) -> Summary:
    tiers = tuple(TierSummary(**tier) for tier in data["tiers"])
    return Summary(**{**data, "tiers": tiers, "notes": tuple(data["notes"])})


def read_plan(folder: Path) -> Plan:
    """Read a plan back.

    Raises:
        PlanError: there is none, it is damaged, or another schema wrote it.
    """
    path = folder / PLAN_FILE
    again = "run `fabric plan INVENTORY` again"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        msg = f"{folder} holds no plan"
        raise PlanError(msg, again) from None
    except (OSError, ValueError) as error:
        msg = f"{path} cannot be read: {error}"
        raise PlanError(msg, again) from None
    schema = data.get("schema") if isinstance(data, dict) else None
    if schema != SCHEMA:
        msg = f"{path} has schema {schema}; this version reads {SCHEMA}"
        raise PlanError(msg, again)
    try:
        return Plan(
            schema=schema,
            program=data["program"],
            fabric=data["fabric"],
            pushable=data["pushable"],
            inputs=tuple(data["inputs"].items()),
            devices=tuple(DevicePlan(**device) for device in data["devices"]),
            hosts=tuple(data["hosts"].items()),
            files=tuple(data["files"].items()),
            findings=tuple(_finding(item) for item in data["findings"]),
            summary=_summary(data["summary"]),
            inventory=data["inventory"],
        )
    except (KeyError, TypeError, AttributeError) as error:
        msg = f"{path} is damaged: {error!r}"
        raise PlanError(msg, again) from None


def damaged_files(folder: Path, plan: Plan) -> list[str]:
    """Files of the plan that are missing or were changed by hand since it was written."""
    bad = []
    for name, digest in plan.files:
        path = folder / name
        if not path.is_file() or sha256(path.read_bytes()) != digest:
            bad.append(name)
    return bad


def plans_below(build: Path) -> list[Path]:
    """Folders below ``build`` that hold a plan, sorted."""
    if not build.is_dir():
        return []
    return sorted(
        path.parent for path in build.glob(f"*/{PLAN_FILE}") if not path.parent.name.startswith(".")
    )


def only_plan(build: Path, name_it: str) -> Path:
    """The folder of the only plan below ``build``. ``name_it``: how one of several is named.

    Raises:
        PlanError: there is none, or several.
    """
    found = plans_below(build)
    if len(found) == 1:
        return found[0]
    if not found:
        msg = f"there is no plan below {build}"
        raise PlanError(msg, "run `fabric plan INVENTORY` first, or name an inventory")
    names = ", ".join(path.name for path in found)
    msg = f"there are several plans below {build}: {names}"
    raise PlanError(msg, name_it)
