"""The YANG check of a configuration: ``templates/sonic/rehearse/models.yaml``.

A small part of the real models: known tables, mandatory fields, values, references.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fabric.live.rehearsal.replies import load_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.live.rehearsal.sonic.database import Tables


class Models:
    """Tables with their rules, by name."""

    def __init__(self) -> None:
        words: Any = load_words("sonic", "models")
        self._rules: dict[str, dict[str, Any]] = words["tables"]
        self._known = set(words["known"]) | set(self._rules)

    def unknown(self, tables: Tables) -> list[str]:
        """Tables without a model."""
        return [table for table, rows in tables.items() if rows and table not in self._known]

    def problem(self, tables: Tables) -> str:
        """The first thing that is wrong, in libyang's words; empty: nothing."""
        for table, rule in self._rules.items():
            for key, row in tables.get(table, {}).items():
                found = next(self._row(tables, table, rule, key, row), "")
                if found:
                    return found
        return ""

    def _row(  # noqa: C901
        self, tables: Tables, table: str, rule: dict[str, Any], key: str, row: dict[str, str]
    ) -> Iterator[str]:
        for field in rule.get("mandatory", ()):
            if field not in row:
                yield (
                    f'Mandatory node "{field}" instance does not exist. '
                    f"({table}_LIST[name='{key}'])"
                )
        first = key.split("|", maxsplit=1)[0]
        owner = rule.get("key_of")
        if owner and first not in {"global", "GLOBAL"} and "|" not in owner:
            names = [name for each in owner.split(",") for name in tables.get(each, {})]
            if first not in names:
                yield (
                    f'Invalid leafref value "{first}" - no target instance '
                    f'"/{table}/../{owner}/name" with the same value.'
                )
        pattern = rule.get("key")
        if pattern and not re.fullmatch(pattern, key):
            yield f'Unsatisfied pattern - "{key}" does not conform to "{pattern}". ({table})'
        fields = rule.get("fields", {})
        for field, value in row.items():
            allowed = fields.get(field, fields.get("*"))
            if allowed is None and rule.get("closed"):
                yield f'Node "{field}" not found as a child of "{table}_LIST" node.'
            elif allowed is not None and not re.fullmatch(str(allowed), value):
                yield (
                    f'Unsatisfied pattern - "{value}" does not conform to "{allowed}". '
                    f"({table} {key} {field})"
                )
            target = rule.get("references", {}).get(field)
            if target and value not in tables.get(target, {}) and value != "NULL":
                yield (
                    f'Invalid leafref value "{value}" - no target instance '
                    f'"/{target}/name" with the same value.'
                )
        for low, high, words in rule.get("ordered", ()):
            if low in row and high in row and int(row[low]) > int(row[high]):
                yield words
