"""Build the planned fabric out of namespaces and wait until BGP and LLDP are as planned."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabric.cli import FINDINGS, OK
from fabric.cli._show import AsJson, style, write_json, write_lines
from fabric.cli.lab._asking import NOT_REAL, NameOption, Progress, checked, ended_cleanly, told
from fabric.cli.plan import InventoryArgument

if TYPE_CHECKING:
    from fabric.live.lab.build import Built

WaitOption = Annotated[
    float, typer.Option("--wait", min=0, help="Seconds to wait for BGP and LLDP.")
]
_SHOWN = 20
_WAIT_S = 60.0


def command(
    inventory: InventoryArgument,
    *,
    name: NameOption = None,
    wait: WaitOption = _WAIT_S,
    as_json: AsJson = False,
) -> int:
    """Build the planned fabric out of namespaces and wait until BGP and LLDP are as planned."""
    from fabric import flow  # noqa: PLC0415 — after the arguments
    from fabric.live.lab import build, ready, requirements  # noqa: PLC0415
    from fabric.plan.own_templates import template_faults  # noqa: PLC0415

    with told():
        requirements.require_root()
    derived = flow.derive(inventory, plans=Path("build"))
    lab = checked(name or derived.design.intent.name)
    progress, start = Progress(), time.monotonic()
    try:
        with told(), ended_cleanly(), template_faults(derived.roots):
            built = build.up(
                derived.design,
                derived.roots,
                name=lab,
                inventory=str(inventory.resolve()),
                progress=progress,
            )
        lacking = ready.wait(built.layout, wait, progress)
    finally:
        progress.clear()
    seconds = time.monotonic() - start
    if as_json:
        write_json(_json(built, lacking, seconds))
    else:
        write_lines(_text(built, lacking, seconds, str(inventory)))
    return FINDINGS if lacking else OK


def _json(built: Built, lacking: list[str], seconds: float) -> dict[str, object]:
    parts = {part: round(value, 2) for part, value in built.seconds.items()}
    layout = built.layout
    return {
        "schema": 1,
        "lab": layout.name,
        "switches": len(layout.switches),
        "hosts": len(layout.hosts),
        "cables": len(layout.cables),
        "stands_in": list(layout.stands_in),
        "seconds": {**parts, "total": round(seconds, 2)},
        "missing": lacking,
    }


def _text(built: Built, lacking: list[str], seconds: float, inventory: str) -> list[str]:
    layout, shape = built.layout, style()
    sessions = sum(len(peer.families) for node in layout.switches for peer in node.peers) // 2
    counts = (
        f"{len(layout.switches)} switches, {len(layout.hosts)} hosts, {len(layout.cables)} cables"
    )
    lines = [f"{layout.name}: {counts}, up in {seconds:.1f} s"]
    if layout.stands_in:
        lines.append(f"FRR on Linux stands in for {', '.join(layout.stands_in)}.")
    lines.append(NOT_REAL)
    if lacking:
        lines += [
            shape.paint(f"{len(lacking)} missing:", "red"),
            *(f"  {x}" for x in lacking[:_SHOWN]),
        ]
        if len(lacking) > _SHOWN:
            lines.append(f"  … and {len(lacking) - _SHOWN} more")
        lines.append(f"The lab stays up to be looked at; `fabric lab down {inventory}` removes it.")
        return lines
    lines.append(f"All {sessions} BGP sessions and {len(layout.cables)} cables (LLDP) as planned.")
    lines.append(
        f"Next: fabric lab ping {inventory} · fabric lab exec {inventory} {layout.nodes[0].name} "
        f"-- vtysh -c 'show ip route' · fabric lab down {inventory}"
    )
    return lines
