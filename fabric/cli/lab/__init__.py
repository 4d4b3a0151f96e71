"""A real fabric on this machine: namespaces with FRR, sshd and lldpd, cabled as planned."""

from __future__ import annotations

from fabric.cli._groups import group

app = group(__name__)
