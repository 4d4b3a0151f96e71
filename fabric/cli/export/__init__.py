"""Write the fabric in another program's form: containerlab."""

from __future__ import annotations

from fabric.cli._groups import group

app = group(__name__)
