"""The Change as canonical JSON: written, digested, read back.

Keys sorted, no spaces, no time and no secret in it, so the same switches, plan and options give the
same digest; it is what a person or a pipeline approves.
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from fabric.model.push_change import Change, DeviceTarget, Refused, RiskClass, StepText, Wave

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SCHEMA = 1


class ChangeError(ValueError):
    """A text is no Change that this version can read; says why."""


def sealed(change: Change) -> Change:
    """The Change with the digest of all its other fields.

    Of a refusal what it is about counts, not its words: they name ports, sessions and times.
    """
    digest = hashlib.sha256()
    subjects = [[one.device, one.rule] for one in change.refused]
    for piece in _pieces(change, refused=subjects):
        digest.update(piece.encode())
    return replace(change, sha256=digest.hexdigest())


def change_pieces(change: Change) -> Iterator[str]:
    """The text of change.json, one piece after another."""
    yield from _pieces(change, sha256=change.sha256)
    yield "\n"


def _pieces(change: Change, **other: Any) -> Iterator[str]:
    """Canonical JSON, device by device: the whole text is many times the Change in memory.

    ``other``: values that stand in place of the Change's own. Its digest is only there if given.
    """
    values = {**asdict(replace(change, devices=())), **other}
    if "sha256" not in other:
        del values["sha256"]
    for number, key in enumerate(sorted(values)):
        yield f'{"," if number else "{"}"{key}":'
        if key == "devices":
            yield from _listed(change.devices)
        else:
            yield _json(values[key])
    yield "}"


def _listed(devices: Iterable[DeviceTarget]) -> Iterator[str]:
    yield "["
    for number, device in enumerate(devices):
        yield f"{',' if number else ''}{_json(asdict(device))}"
    yield "]"


def _json(values: object) -> str:
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
    steps = tuple(StepText(s["name"], _shared(s["commands"])) for s in data["steps"])
    return DeviceTarget(
        **{
            **data,
            "risk": RiskClass(data["risk"]),
            "risks": tuple(data["risks"]),
            "diff": _shared(data["diff"]),
            "steps": steps,
        }
    )


def _shared(lines: Iterable[str]) -> tuple[str, ...]:
    """Equal lines of all devices as one object, as they are where a Change is made."""
    return tuple(map(sys.intern, lines))
