"""Cases of rules: ``RCEnnn/{good,bad}-<what>.yaml`` is an inventory.

``<case>.edits`` beside it (YAML, path → value) damages the design that follows from it, paths that
start with ``devices[…]`` the device models. ``<case>.txt`` is what the rule says about it; a good
case has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

import fabric
from fabric.checks.facts import Facts
from fabric.checks.registry import all_rules
from fabric.checks.run import judge
from fabric.design.devices import DeviceModels
from fabric.model.finding import Verdict
from tests.rules.edits import edited

if TYPE_CHECKING:
    from fabric.model.design import Design
    from fabric.model.device import DeviceModel
    from fabric.model.finding import Finding

ROOT = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """One inventory with its damage and the expected words."""

    inventory: Path

    @property
    def rule(self) -> str:
        return self.inventory.parent.name

    @property
    def bad(self) -> bool:
        return self.inventory.name.startswith("bad-")

    @property
    def edits(self) -> dict[str, object]:
        path = self.inventory.with_suffix(".edits")
        return yaml.safe_load(path.read_text("utf-8")) if path.exists() else {}

    @property
    def expected(self) -> str:
        return self.inventory.with_suffix(".txt").read_text("utf-8") if self.bad else ""

    def __str__(self) -> str:
        return f"{self.rule}/{self.inventory.stem}"


def all_cases() -> list[Case]:
    return [Case(path) for path in sorted(ROOT.glob("RCE*/*.yaml"))]


def findings(case: Case) -> tuple[Finding, ...]:
    """What its rule says of the case."""
    design = fabric.load(case.inventory)
    of_devices = {p: v for p, v in case.edits.items() if p.startswith("devices[")}
    for path, value in case.edits.items():
        if path not in of_devices:
            design = edited(design, path, value)
    facts = Facts(design, device_of=Damaged(design, of_devices).of)
    return judge(all_rules()[case.rule][1], facts)


@dataclass
class Damaged:
    """Device models with edits."""

    design: Design
    edits: dict[str, object]

    def of(self, name: str) -> DeviceModel:
        model = DeviceModels(self.design).of(name)
        for path, value in self.edits.items():
            devices, _, rest = path.partition("].")
            try:
                (model,) = edited((model,), f"{devices.removeprefix('devices')}].{rest}", value)
            except LookupError:
                if "[*" in devices or f"[{name}" == devices.removeprefix("devices"):
                    raise
        return model


def text(found: tuple[Finding, ...]) -> str:
    """Findings as the expected files hold them."""
    lines = []
    for finding in found:
        unchecked = finding.verdict is Verdict.NOT_CHECKED
        verdict = "not checked" if unchecked else finding.severity.word
        place = " ".join(part for part in (finding.device, finding.port) if part)
        lines += [f"{verdict}  {finding.subject}" + (f"  [{place}]" if place else "")]
        lines += [f"  {finding.message}"]
        lines += [f"  · {item}" for item in finding.evidence]
        if finding.fix and finding.fix != all_rules()[finding.rule][1].fix:
            lines.append(f"  → {finding.fix}")
    return "".join(f"{line}\n" for line in lines)
