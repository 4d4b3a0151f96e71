"""Show parts of a design: devices, ports, cables, addresses, lossless numbers, configs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from fabric.cli import OK, UsageError
from fabric.cli._models import models
from fabric.cli._show import (
    BUILD,
    AsJson,
    InventoryOption,
    OutOption,
    derived,
    style,
    write_json,
    write_lines,
)
from fabric.cli._systems import systems
from fabric.model.names import natural_key
from fabric.report import listing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.model.design import Design

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
app.command()(models)
app.command()(systems)

DeviceArgument = Annotated[str, typer.Argument(help="A switch of the design.")]
PortArgument = Annotated[
    str, typer.Argument(help="A port: its name, alias, or number from 1 in panel order.")
]
SCHEMA = 1


def _print(kind: str, rows: Sequence[dict[str, object]], *, as_json: bool) -> int:
    """The same facts as a table or as JSON."""
    if as_json:
        write_json({"schema": SCHEMA, kind: list(rows)})
    else:
        write_lines(listing.table_lines(rows) if rows else [f"no {kind}"])
    return OK


def _device(design: Design, name: str) -> str:
    """A switch's name.

    Raises:
        UsageError: there is no such switch.
    """
    names = [s.name for s in design.topology.switches]
    if name in names:
        return name
    import difflib  # noqa: PLC0415

    near = difflib.get_close_matches(name, names, 3)
    hint = f"did you mean {', '.join(near)}? " if near else ""
    msg = f"{design.intent.name} has no switch {name}"
    raise UsageError(msg, f"{hint}`fabric show devices` lists them")


def _port(design: Design, device: str, wanted: str) -> str:
    """A port's name from its name, alias or panel position.

    Raises:
        UsageError: there is no such port.
    """
    ports = design.topology.switch(device).ports
    for port in ports:
        if wanted in (port.name, port.alias):
            return port.name
    if wanted.isdigit() and 1 <= int(wanted) <= len(ports):
        return ports[int(wanted) - 1].name
    msg = f"{device} has no port {wanted} ({len(ports)} ports: {ports[0].name} … {ports[-1].name})"
    raise UsageError(msg, f"`fabric show ports {device}` lists them")


@app.command()
def devices(
    *, inventory: InventoryOption = None, out: OutOption = BUILD, as_json: AsJson = False
) -> int:
    """Switches: role, system, model, ASN, loopback, ports used."""
    rows = listing.devices(derived(inventory, out).design)
    return _print("devices", rows, as_json=as_json)


@app.command()
def ports(
    device: DeviceArgument,
    *,
    inventory: InventoryOption = None,
    out: OutOption = BUILD,
    as_json: AsJson = False,
) -> int:
    """Ports of a switch: speed, breakout, peer, address, lossless profile."""
    design = derived(inventory, out).design
    name = _device(design, device)
    return _print("ports", listing.ports(design, name), as_json=as_json)


@app.command()
def cables(
    *, inventory: InventoryOption = None, out: OutOption = BUILD, as_json: AsJson = False
) -> int:
    """Every cable: ends, kind, speed, length."""
    return _print("cables", listing.cables(derived(inventory, out).design), as_json=as_json)


@app.command()
def addresses(
    *, inventory: InventoryOption = None, out: OutOption = BUILD, as_json: AsJson = False
) -> int:
    """Loopbacks, link and host addresses; pools and how full they are."""
    design = derived(inventory, out).design
    rows, pools = listing.addresses(design), listing.pools(design)
    rails = listing.rail_aggregates(design)
    if as_json:
        write_json({"schema": SCHEMA, "addresses": rows, "pools": pools, "rail_aggregates": rails})
        return OK
    _print("addresses", rows, as_json=False)
    if rails:
        _print("rail aggregates", rails, as_json=False)
    return _print("pools", pools, as_json=False)


@app.command()
def hosts(
    *, inventory: InventoryOption = None, out: OutOption = BUILD, as_json: AsJson = False
) -> int:
    """Hosts: NICs, leaf and port, addresses."""
    return _print("hosts", listing.hosts(derived(inventory, out).design), as_json=as_json)


@app.command()
def lossless(
    device: DeviceArgument,
    port: PortArgument,
    *,
    inventory: InventoryOption = None,
    out: OutOption = BUILD,
    as_json: AsJson = False,
) -> int:
    """One port's lossless numbers, each with the terms it came from."""
    from fabric.design.devices import DeviceModels  # noqa: PLC0415
    from fabric.report import lossless as report  # noqa: PLC0415

    design = derived(inventory, out).design
    switch = _device(design, device)
    name = _port(design, switch, port)
    model = DeviceModels(design).of(switch)
    interface = next(i for i in model.interfaces if i.name == name)
    fit = next((f for f in design.lossless.fits if f.device == switch), None)
    profile, chain = interface.profile, replace(interface.chain, device=switch)
    if as_json:
        write_json(
            {
                "schema": SCHEMA,
                "profile": None if profile is None else report.profile_json(profile),
                "chain": report.chain_json(chain),
                "fit": None if fit is None else report.fit_json(fit),
            }
        )
        return OK
    shape = style()
    peer = f" to {interface.peer_device} {interface.peer_port}" if interface.peer_device else ""
    lines = [f"{switch} {name}{peer}"]
    if profile is None:
        lines.append(f"  no lossless profile: {model.platform.title} has no PFC on this port")
    else:
        lines += report.profile_lines(profile, shape)
    named = tuple((c.name, c.dscps[0]) for c in model.class_map.classes if c.dscps)
    lines += ["", *report.chain_lines(chain, named), ""]
    lines.append(f"  {report.watchdog_text(model.watchdog)}")
    if fit is not None:
        lines += report.fit_lines(fit, shape)
    write_lines(lines)
    return OK


@app.command()
def qos(
    *, inventory: InventoryOption = None, out: OutOption = BUILD, as_json: AsJson = False
) -> int:
    """The QoS page: marking in its four spellings, classes, thresholds."""
    from fabric.report.qos import qos_page  # noqa: PLC0415

    design = derived(inventory, out).design
    if as_json:
        write_json({"schema": SCHEMA, **listing.qos(design)})
    else:
        write_lines([qos_page(design).rstrip()])
    return OK


@app.command()
def config(
    device: Annotated[str, typer.Argument(help="A switch or a host.")],
    file: Annotated[str | None, typer.Argument(help="One file of it; default: all.")] = None,
    *,
    inventory: InventoryOption = None,
    out: OutOption = BUILD,
    as_json: AsJson = False,
) -> int:
    """The rendered files of a switch or a host."""
    from fabric.design.devices import DeviceModels  # noqa: PLC0415
    from fabric.design.hosts import HostModels  # noqa: PLC0415
    from fabric.plan.own_templates import template_faults  # noqa: PLC0415
    from fabric.text import Renderer  # noqa: PLC0415

    source = derived(inventory, out)
    design, renderer = source.design, Renderer(source.roots)
    with template_faults(source.roots):
        if device in {h.name for h in design.topology.hosts}:
            rendered = renderer.host(HostModels(design).of(device))
        else:
            rendered = renderer.device(DeviceModels(design).of(_device(design, device)))
    chosen = [f for f in rendered.files if file in (None, f.name)]
    if not chosen:
        names = ", ".join(sorted((f.name for f in rendered.files), key=natural_key))
        msg = f"{device} has no file {file}"
        raise UsageError(msg, f"its files: {names}")
    if as_json:
        write_json(
            {
                "schema": SCHEMA,
                "device": device,
                "digest": rendered.digest,
                "files": [
                    {"name": f.name, "remote_path": f.remote_path, "text": f.text} for f in chosen
                ],
            }
        )
        return OK
    lines = []
    for item in chosen:
        if file is None:  # one that is asked for by name is printed as it is, to be redirected
            lines.append(f"==> {item.name} → {item.remote_path} <==")
        lines.append(item.text.rstrip("\n"))
    write_lines(lines)
    return OK
