"""Data → typed sections; sections with errors are set aside so that the others are still read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from fabric import topologies
from fabric.inventory.schema import Inventory
from fabric.inventory.translate import describe, nearest, problems_of, value_at
from fabric.model.finding import Problem

if TYPE_CHECKING:
    from fabric.files.yaml import Loaded, Path

_COUNTS = frozenset({"names", "name", "count", "nics", "per_leaf", "on", "gpus"})


@dataclass(frozen=True)
class Checked:
    """``inventory`` has defaults in the sections ``bad``, which nothing should be said about.

    ``refused``: paths of single values that were left out elsewhere.
    """

    inventory: Inventory
    bad: frozenset[str]
    problems: tuple[Problem, ...]
    refused: frozenset[Path] = frozenset()


def check_sections(data: dict[str, Any], loaded: Loaded) -> Checked:
    """Everything but the parameters of the topology kind.

    Unknown keys and wrong values are told and left out, so that the rest is checked too; where
    what is left would be misread, the whole section is set aside. A class without a usable name
    keeps its place under another.
    """
    data = {key: value for key, value in data.items() if value is not None}
    try:
        return Checked(_inventory(data), frozenset(), ())
    except ValidationError as error:
        errors = error.errors(include_url=False)
    problems = problems_of(errors, Inventory, loaded)
    pruned, bad = _pruned(data, problems)
    refused = frozenset(_value(problem.path) for problem in problems if problem.rule != "RCE005")
    try:
        return Checked(_inventory(pruned), bad, problems, refused)
    except ValidationError as error:  # what is left lacks something mandatory
        bad |= {str(item["loc"][0]) for item in error.errors(include_url=False)}
    return Checked(_inventory(_without(pruned, bad)), bad, problems, refused)


def _pruned(
    data: dict[str, Any], problems: tuple[Problem, ...]
) -> tuple[dict[str, Any], frozenset[str]]:
    """A copy without what the problems are about, and the sections set aside."""
    copy = json.loads(json.dumps(data))
    bad: set[str] = set()
    for problem in problems:
        path = _value(problem.path)
        section, key = str(path[0]), path[-1]
        holder = value_at(copy, path[:-1])
        harmless = problem.rule == "RCE005" or key not in _COUNTS
        if len(path) == 1 and problem.rule != "RCE005":
            bad.add(section)
        elif path[:2] == ("roce", "classes") and key == "name" and isinstance(holder, dict):
            holder["name"] = f"unnamed-{path[2]}"
        elif section == "suppress" and key == "reason" and isinstance(holder, dict):
            holder["reason"] = "not said"  # its rule is looked at all the same
        elif harmless and isinstance(holder, dict):
            holder.pop(key, None)
        else:
            bad.add(section)
    return _without(copy, frozenset(bad)), frozenset(bad)


def _value(path: Path) -> Path:
    """The key whose value is wrong: in ``roce:`` a list of numbers is one value."""
    in_list = path[0] == "roce" and isinstance(path[-1], int) and path[-2] != "classes"
    return path[:-1] if in_list else path


def _without(data: dict[str, Any], bad: frozenset[str]) -> dict[str, Any]:
    """Mandatory sections get a stand-in: their problems are told, the rest is still checked."""
    stand_in: dict[str, Any] = {"fabric": "unnamed", "topology": {}}
    return {**stand_in, **{key: value for key, value in data.items() if key not in bad}}


def _inventory(data: dict[str, Any]) -> Inventory:
    return Inventory.model_validate_json(json.dumps(data))


def kind_of(topology: dict[str, Any], problems: list[Problem]) -> str | None:
    """The topology kind, if it is one that is built."""
    kind = topology.get("kind")
    known = topologies.kinds()
    if isinstance(kind, str) and kind in known:
        return kind
    path = ("topology", "kind")
    if kind is None:
        message = "topology lacks the key kind"
        problems.append(Problem("RCE007", path[:1], message, f"known: {', '.join(known)}"))
    elif not isinstance(kind, str):
        message = f"kind must be text, found {describe(kind)}"
        problems.append(Problem("RCE006", path, message, f"known: {', '.join(known)}"))
    else:
        message = f"there is no topology kind {kind}"
        problems.append(Problem("RCE009", path, message, nearest(kind, known)))
    return None


def check_params(
    kind: str, topology: dict[str, Any], loaded: Loaded, problems: list[Problem]
) -> object | None:
    """The frozen parameters of the kind; ``None`` when they do not fit its type."""
    params_type = topologies.params_type(kind)
    written = {key: value for key, value in topology.items() if key != "kind"}
    try:
        params: object = TypeAdapter(params_type).validate_json(json.dumps(written), strict=True)
    except ValidationError as error:
        errors = error.errors(include_url=False)
        problems.extend(problems_of(errors, params_type, loaded, ("topology",)))
        return None
    return params
