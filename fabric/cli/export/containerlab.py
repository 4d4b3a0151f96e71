"""Write the lab of a fabric for containerlab: a topology and what its containers start with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabric.cli import OK, UsageError
from fabric.cli._show import BUILD, AsJson, write_json, write_lines
from fabric.cli.lab._asking import told
from fabric.cli.plan import InventoryArgument

if TYPE_CHECKING:
    from fabric.live.lab.containerlab import Export

OutOption = Annotated[Path, typer.Option("--out", help="Folder to make the export's folder in.")]
ImagesOption = Annotated[
    str,
    typer.Option(
        "--images",
        metavar="frr|vendor",
        help="frr: FRR on every switch. vendor: a system's own container where one is documented.",
    ),
]
ImageOption = Annotated[
    list[str] | None,
    typer.Option("--image", metavar="SYSTEM=IMAGE", help="Another image, as in host=alpine:3."),
]

_NOT_REAL = (
    "Real: addressing, eBGP, ECMP and its hash, convergence, failures. "
    "Not real: PFC, ECN, buffers, link speed; the images have no LLDP and no SSH."
)


def command(
    inventory: InventoryArgument,
    *,
    out: OutOption = BUILD,
    images: ImagesOption = "frr",
    image: ImageOption = None,
    as_json: AsJson = False,
) -> int:
    """Write the lab of a fabric for containerlab."""
    from fabric import flow  # noqa: PLC0415 — after the arguments are known to be good
    from fabric.live.lab import containerlab, containers  # noqa: PLC0415
    from fabric.plan.own_templates import template_faults  # noqa: PLC0415

    if images not in ("frr", "vendor"):
        msg = f"--images {images}: frr or vendor"
        raise UsageError(msg)
    others = _images(image or [], (*containers.IMAGES, *containers.VENDORS))
    derived = flow.derive(inventory, plans=BUILD)
    with told(), template_faults(derived.roots):
        made = containerlab.export(
            derived.design, derived.roots, vendor=images == "vendor", images=others
        )
    folder = out / f"{made.lab.name}-containerlab"
    changed = _written(folder, made)
    if as_json:
        write_json(_json(made, folder, changed=changed))
    else:
        write_lines(_text(made, folder, changed=changed))
    return OK


def _images(words: list[str], known: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for word in words:
        system, equals, name = word.partition("=")
        if not equals or not name or system not in known:
            msg = f"--image {word}: SYSTEM=IMAGE, and SYSTEM is one of {', '.join(known)}"
            raise UsageError(msg)
        found[system] = name
    return found


def _written(folder: Path, made: Export) -> bool:
    """Whether anything changed; the old folder stays whole until the new one is."""
    from fabric.files.tree import NotOursError, Staged  # noqa: PLC0415

    try:
        stage = Staged(folder, made.topology)
        try:
            for name, text in made.files.items():
                stage.write(name, text.encode())
            return stage.commit()
        except BaseException:
            stage.discard()
            raise
    except NotOursError as error:
        raise UsageError(str(error), "move it away, or name another folder with --out") from None
    except OSError as error:
        msg = f"{error.filename or folder}: {error.strerror}"
        raise UsageError(msg, "mend its permissions, or name another folder with --out") from None


def _json(made: Export, folder: Path, *, changed: bool) -> dict[str, object]:
    lab = made.lab
    return {
        "schema": 1,
        "fabric": lab.name,
        "path": str(folder),
        "topology": str(folder / made.topology),
        "changed": changed,
        "nodes": {node.name: node.group for node in lab.nodes},
        "cables": len(lab.wires),
        "images": {group.name: group.image for group in lab.groups},
        "stands_in": list(made.stands_in),
    }


def _text(made: Export, folder: Path, *, changed: bool) -> list[str]:
    lab = made.lab
    lines = [f"{lab.name}: {len(lab.nodes):,} containers, {len(lab.wires):,} cables"]
    if made.stands_in:
        lines.append(f"FRR on Linux stands in for {', '.join(made.stands_in)}.")
    lines += [f"  {group.name:<10} {group.kind}, {group.image}" for group in lab.groups]
    if any(node.startup_config for node in lab.nodes):
        lines.append("Not checked: which lines of the plan's own text such a container refuses.")
    lines.append(_NOT_REAL)
    lines.append(f"{'Wrote' if changed else 'Unchanged:'} {folder}")
    lines.append(f"Next: sudo containerlab deploy -t {folder / made.topology}")
    return lines
