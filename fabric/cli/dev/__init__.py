"""For those who extend fabric: the skeleton of a new switch system."""

from __future__ import annotations

from fabric.cli._groups import group

app = group(__name__)
