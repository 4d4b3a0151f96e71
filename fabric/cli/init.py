"""Start an inventory: a commented starter, or a copy of a shipped example."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from fabric.cli import OK, UsageError
from fabric.cli._show import AsJson, write_json, write_lines
from fabric.files.locate import inventories_root
from fabric.model.finding import InputError, ProblemError
from fabric.model.names import natural_sorted

FileArgument = Annotated[Path | None, typer.Argument(help="File to write; default: <fabric>.yaml.")]
ExampleOption = Annotated[
    str | None, typer.Option("--example", help="Copy this shipped example, e.g. 64node.")
]
ListOption = Annotated[bool, typer.Option("--list", help="List the shipped examples.")]
NameOption = Annotated[str, typer.Option("--name", help="Name of the fabric.")]
HostsOption = Annotated[int, typer.Option("--hosts", min=1, help="Number of hosts.")]
KindOption = Annotated[
    str, typer.Option("--topology", help="leaf-spine, fat-tree, dragonfly or dragonfly-plus.")
]
SwitchOption = Annotated[str, typer.Option("--switch", help="Switch model, e.g. sn3700.")]
PlatformOption = Annotated[str, typer.Option("--platform", help="Switch system, e.g. sonic.")]
NicOption = Annotated[str | None, typer.Option("--nic", help="NIC model, e.g. connectx-7.")]
SpeedOption = Annotated[int, typer.Option("--speed", help="NIC speed in Gb/s.")]


def command(
    file: FileArgument = None,
    *,
    example: ExampleOption = None,
    list_examples: ListOption = False,
    name: NameOption = "train1",
    hosts: HostsOption = 32,
    topology: KindOption = "leaf-spine",
    switch: SwitchOption = "generic",
    platform: PlatformOption = "sonic",
    nic: NicOption = None,
    speed: SpeedOption = 400,
    as_json: AsJson = False,
) -> int:
    """Start an inventory: a commented starter, or a copy of a shipped example."""
    if list_examples:
        return _list(as_json=as_json)
    if example is not None:
        written = _copy(example, file)
    else:
        text = _starter(
            fabric=name,
            hosts=hosts,
            kind=topology,
            model=switch,
            platform=platform,
            nic=nic,
            speed=speed,
        )
        _check(text, name)
        written = [_write(file or Path(f"{name}.yaml"), text.encode())]
    if as_json:
        write_json({"schema": 1, "written": [str(path) for path in written]})
    else:
        write_lines([f"Wrote {path}" for path in written] + [f"Next: fabric plan {written[0]}"])
    return OK


def _starter(**wanted: Any) -> str:
    """The text of a starter.

    Raises:
        UsageError: no such model, NIC or kind, or more hosts than such a fabric takes.
    """
    from fabric.inventory.starter import starter  # noqa: PLC0415 — needs pydantic

    try:
        return starter(**wanted)
    except ProblemError as error:
        message = "; ".join(problem.message for problem in error.problems)
        raise UsageError(message, error.problems[0].fix) from None


def _check(text: str, name: str) -> None:
    """Nothing is written that would not plan.

    Raises:
        InputError: the options contradict each other or name what there is not.
    """
    from fabric import flow  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "starter.yaml"
        path.write_text(text, encoding="utf-8")
        try:
            flow.load(path)
        except InputError as error:
            said = "; ".join(finding.message for finding in error.findings)
            msg = f"no inventory for {name!r} with these options: {said}"
            raise UsageError(msg, error.findings[0].fix) from None


def _examples() -> dict[str, list[Path]]:
    """Examples by name: a file of its own, or a folder with ``inventory.yaml``."""
    root = inventories_root()
    found = {path.stem: [path] for path in root.glob("*.yaml")}
    for path in root.glob("*/inventory.yaml"):
        found[path.parent.name] = [path, *sorted(p for p in path.parent.glob("*.csv"))]
    return found


def _list(*, as_json: bool) -> int:
    names = natural_sorted(_examples())
    if as_json:
        write_json({"schema": 1, "examples": names})
    else:
        write_lines([*names, f"Next: fabric init --example {names[0]}"])
    return OK


def _copy(example: str, file: Path | None) -> list[Path]:
    known = _examples()
    if example not in known:
        msg = f"there is no example {example}"
        raise UsageError(msg, f"examples: {', '.join(natural_sorted(known))}")
    files = known[example]
    if len(files) == 1:
        return [_write(file or Path(files[0].name), files[0].read_bytes())]
    folder = file or Path(example)
    folder.mkdir(parents=True, exist_ok=True)
    return [_write(folder / path.name, path.read_bytes()) for path in files]


def _write(path: Path, data: bytes) -> Path:
    """A new file; an existing one is never overwritten.

    Raises:
        UsageError: it exists, or cannot be written.
    """
    try:
        with path.open("xb") as target:
            target.write(data)
    except FileExistsError:
        msg = f"{path} exists and is not overwritten"
        raise UsageError(msg, "name another file: fabric init FILE …") from None
    except OSError as error:
        msg = f"{path} cannot be written: {error.strerror}"
        raise UsageError(msg) from None
    return path
