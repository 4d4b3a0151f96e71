"""The Change as canonical JSON: written, digested, read back.

Keys sorted, no spaces, no time and no secret in it, so the same switches, plan and options give the
same digest; it is what a person or a pipeline approves.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, replace
from typing import Any

from fabric.model.push_change import Change, DeviceTarget, Refused, RiskClass, StepText, Wave

SCHEMA = 1


class ChangeError(ValueError):
    """A text is no Change that this version can read; says why."""


def sealed(change: Change) -> Change:
    """The Change with the digest of all its other fields.

    Of a refusal what it is about counts, not its words: they name ports, sessions and times.
    """
    return replace(change, sha256=hashlib.sha256(_canonical(change).encode()).hexdigest())


def change_text(change: Change) -> str:
    """The text of change.json."""
    return _json({**asdict(change), "sha256": change.sha256}) + "\n"


def _canonical(change: Change) -> str:
    values = asdict(change)
    del values["sha256"]
    values["refused"] = [[one.device, one.rule] for one in change.refused]
    return _json(values)


def _json(values: dict[str, Any]) -> str:
    return json.dumps(
        values, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_plain
    )


def _plain(value: object) -> str:
    if isinstance(value, RiskClass):
        return value.value
    msg = f"no JSON for {value!r}"
    raise TypeError(msg)


def read_change(text: str) -> Change:
    """A Change from its text.

    Raises:
        ChangeError: it is none, of another schema, or was edited.
    """
    try:
        data = json.loads(text)
        schema = data["schema"]
        if schema != SCHEMA:
            msg = f"the Change has schema {schema}; this version reads {SCHEMA}"
            raise ChangeError(msg)
        change = Change(
            **{
                **data,
                "waves": tuple(
                    Wave(**{**wave, "devices": tuple(wave["devices"])}) for wave in data["waves"]
                ),
                "devices": tuple(_device(device) for device in data["devices"]),
                "refused": tuple(Refused(**refused) for refused in data["refused"]),
            }
        )
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, ChangeError):
            raise
        msg = f"this is no Change: {error!r}"
        raise ChangeError(msg) from None
    if sealed(change).sha256 != change.sha256:
        msg = "the Change was edited: its digest is not that of its text"
        raise ChangeError(msg)
    return change


def _device(data: dict[str, Any]) -> DeviceTarget:
    steps = tuple(StepText(s["name"], tuple(s["commands"])) for s in data["steps"])
    return DeviceTarget(
        **{
            **data,
            "risk": RiskClass(data["risk"]),
            "risks": tuple(data["risks"]),
            "diff": tuple(data["diff"]),
            "steps": steps,
        }
    )
