"""Lists of too few or too many entries, in the words of the inventory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def wrong_length(name: str, context: Mapping[str, Any]) -> tuple[str, str]:
    """Message and fix; ``context``: pydantic's, with ``actual_length`` and the limit.

    What may be left out has a default, which the schema and the docs tell.
    """
    count = context["actual_length"]
    if not count:
        return f"{name} is empty", "write one or more, or leave the key out for its default"
    entries = f"{name} has {count} entr{'ies' if count > 1 else 'y'}"
    if "max_length" in context:
        return f"{entries}, more than {context['max_length']}", ""
    return f"{entries}, fewer than {context['min_length']}", ""
