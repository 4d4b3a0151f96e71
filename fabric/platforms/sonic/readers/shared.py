"""What SONiC's FRR and lldpd print: the same as everywhere."""

from __future__ import annotations

from fabric.reading.frr import routes_text, summary_text
from fabric.reading.lldpd import neighbours_text

__all__ = ["neighbours_text", "routes_text", "summary_text"]
