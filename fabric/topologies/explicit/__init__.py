"""Any graph: switches and cables as written."""

from __future__ import annotations

from fabric.topologies.explicit.params import CableEntry, Params, SwitchEntry

__all__ = ["CableEntry", "Params", "SwitchEntry"]
