"""``lldpcli show neighbors`` in its formats."""

from __future__ import annotations

from fabric.reading.lldpd import neighbours_json, neighbours_keyvalue, neighbours_text

__all__ = ["neighbours_json", "neighbours_keyvalue", "neighbours_text"]
