"""An audited switch as text and as JSON: findings, and where each DSCP goes on each port."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.report.findings import findings_json, findings_text
from fabric.report.listing import cell
from fabric.report.text import columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.audit import Audit, Followed
    from fabric.report.text import Style

_HEADING = ("DSCP", "TC", "queue", "PG", "PFC", "profile", "ports", "")
_FEW = 3


def audit_json(audit: Audit) -> dict[str, object]:
    """That of every judging command, with ``chains``: {port: {dscp: where it goes}}."""
    chains: dict[str, dict[str, dict[str, object]]] = {}
    for one in audit.followed:
        chains.setdefault(one.port, {})[str(one.dscp)] = {
            "tc": one.tc,
            "queue": one.queue,
            "pg": one.pg,
            "pfc": one.pfc,
            "profile": one.profile,
            "broken_at": one.broken_at,
        }
    return {
        **findings_json(audit.findings),
        "device": audit.device,
        "platform": audit.platform,
        "dscps": list(audit.dscps),
        "chains": chains,
    }


def audit_lines(audit: Audit, title: str, style: Style) -> list[str]:
    """Heading, one line for each way that ports treat a DSCP, findings."""
    ports = len({one.port for one in audit.followed})
    said = "as asked" if audit.given else "all that end in a lossless priority group"
    dscps = ", ".join(map(str, audit.dscps)) or "none"
    lines = [f"{audit.device} · {title} · {ports:,} ports · DSCPs {dscps} ({said})", ""]
    if audit.followed:
        lines += columns([_HEADING, *_rows(audit)])
        lines.append("")
    return [*lines, *findings_text(audit.findings, style)]


def _rows(audit: Audit) -> Iterator[tuple[str, ...]]:
    alike: dict[tuple[str, ...], list[Followed]] = {}
    for one in sorted(audit.followed, key=lambda one: one.dscp):
        way = (one.dscp, one.tc, one.queue, one.pg, one.pfc, one.profile)
        verdict = f"breaks at {one.broken_at}" if one.broken_at else "lossless"
        alike.setdefault((*map(cell, way), verdict), []).append(one)
    for (*cells, verdict), ports in alike.items():
        names = ", ".join(one.port for one in ports[:_FEW])
        more = f" and {len(ports) - _FEW:,} more" if len(ports) > _FEW else ""
        yield (*cells, names + more, verdict)
