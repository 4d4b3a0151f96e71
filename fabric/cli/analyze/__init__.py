"""Prove and compute: freedom from deadlock, and what failures cost."""

from __future__ import annotations

from fabric.cli._groups import group

app = group(__name__)
