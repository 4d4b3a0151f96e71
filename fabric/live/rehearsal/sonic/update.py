"""``config apply-patch``, ``replace`` and ``rollback``: what the generic updater lets through.

sonic-utilities generic_config_updater: gu_common.py, gcu_field_operation_validators.conf.json.
"""

from __future__ import annotations

import copy as copying
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fabric.live.rehearsal.sonic.database import Tables

# Of a BUFFER_PROFILE single fields may change only so; whole profiles may come and go.
_PROFILE_FIELDS = {
    "dynamic_th": {"replace"},
    "xoff": {"replace"},
    "packet_discard_action": {"add", "replace", "remove"},
}
_WATCHDOG_FIELDS = {
    "restoration_time",
    "detection_time",
    "action",
    "poll_interval",
    "pfc_stat_history",
}
_NEVER_REMOVED = ("/PFC_WD/GLOBAL/POLL_INTERVAL", "/PFC_WD/GLOBAL", "/LOOPBACK_INTERFACE/Loopback0")
_VALIDATORS = "generic_config_updater.field_operation_validators."

Operation = dict[str, Any]


class UpdateError(Exception):
    """The updater refuses, with these words."""


def difference(old: Tables, new: Tables) -> list[Operation]:
    """A patch from one to the other, at the coarsest level that is right, as jsonpatch makes it."""
    return _difference("", old, new)


def _difference(path: str, old: Any, new: Any) -> list[Operation]:
    found: list[Operation] = []
    found += [{"op": "remove", "path": f"{path}/{_escape(key)}"} for key in old if key not in new]
    for key, value in new.items():
        where = f"{path}/{_escape(key)}"
        if key not in old:
            found.append({"op": "add", "path": where, "value": value})
        elif isinstance(value, dict):
            found += _difference(where, old[key], value)
        elif value != old[key]:
            found.append({"op": "replace", "path": where, "value": value})
    return found


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _parts(path: str) -> list[str]:
    return [each.replace("~1", "/").replace("~0", "~") for each in path.split("/")[1:]]


def patched(tables: Tables, patch: list[Operation]) -> Tables:
    """Tables after a patch (RFC 6902: add, remove, replace, test).

    Raises:
        UpdateError: it does not fit.
    """
    result: Any = copying.deepcopy(tables)
    for operation in patch:
        parts = _parts(operation["path"])
        where = result
        for part in parts[:-1]:
            if part not in where:
                message = f"member '{part}' not found in {sorted(where)[:3]}"
                raise UpdateError(message)
            where = where[part]
        name = parts[-1]
        if operation["op"] in {"remove", "replace", "test"} and name not in where:
            message = f"can't remove a non-existent object '{name}'"
            raise UpdateError(message)
        if operation["op"] == "test" and where[name] != operation["value"]:
            message = f"{where[name]} is not equal to tested value {operation['value']}"
            raise UpdateError(message)
        if operation["op"] == "remove":
            del where[name]
        elif operation["op"] in {"add", "replace"}:
            where[name] = copying.deepcopy(operation["value"])
    return result  # type: ignore[no-any-return]


def refusal(old: Tables, new: Tables, *, known_asic: bool) -> str:
    """Why the step from one to the other is not allowed; empty: it is.

    ``known_asic``: whether the updater's list has this hwsku.
    """
    operations = difference(old, new)
    for operation in operations:
        if operation["op"] == "remove" and operation["path"] in _NEVER_REMOVED:
            return (
                "Given patch operation is invalid. Operation: remove is illegal on field: "
                f"{operation['path']}"
            )
    for operation in operations:
        table, *rest = _parts(operation["path"])
        validator = _forbids(table, rest, operation, known_asic=known_asic)
        if validator:
            return (
                f"Modification of {table} table is illegal- validating function "
                f"{_VALIDATORS}{validator} returned False"
            )
    empty = [table for table, rows in new.items() if not rows]
    if empty:
        return (
            "localhost: given patch is not valid because it will result in empty tables "
            f"which is not allowed in ConfigDb. Table: {', '.join(empty)}"
        )
    return ""


def _forbids(table: str, rest: list[str], operation: Operation, *, known_asic: bool) -> str:
    """The validator that says no; empty: none."""
    if table == "BUFFER_POOL":
        return "rdma_config_update_validator"
    if table == "BUFFER_PROFILE":
        whole = len(rest) < 2  # noqa: PLR2004
        fine = whole or operation["op"] in _PROFILE_FIELDS.get(rest[1], set())
        return "" if fine and known_asic else "buffer_profile_config_update_validator"
    if table == "PFC_WD":
        value = operation.get("value")
        fields = value if isinstance(value, dict) else rest[1:]
        fine = all(str(each).lower() in _WATCHDOG_FIELDS for each in fields)
        return "" if fine and known_asic else "rdma_config_update_validator"
    return ""
