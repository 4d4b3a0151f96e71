"""One change of an SR Linux switch, as its procedure sees it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fabric.model.push import Identity
from fabric.platforms.nokia_srl.pushing import Commit, Preview
from tests.platforms.nokia_srl.cases import FILE, text
from tests.platforms.pushed import a_job, spec

if TYPE_CHECKING:
    from fabric.model.push import Step

HERE = Path(__file__).parent
RUNNING = {FILE: (HERE / "running/leaf-0.json").read_text()}
SPEC = spec("nokia_srl")
PREVIEW = Preview(SPEC.owned)
COMMIT = Commit(PREVIEW)


def without_extra(rendered: str) -> dict[str, str]:
    found: dict[str, Any] = json.loads(rendered)
    found.pop("srl_nokia-ntp:ntp", None)
    found["srl_nokia-system:system"].pop("srl_nokia-ntp:ntp", None)
    return {FILE: json.dumps(found, indent=2)}


RENDERED = without_extra(text("numbered"))
JOB = a_job(PREVIEW, RUNNING, RENDERED, Identity("leaf-0", "7220 IXR-H4", "v25.3.2"))


def step_of(steps: tuple[Step, ...], name: str) -> Step:
    return next(step for step in steps if step.name == name)
