"""Up and down: everything that a lab adds to a machine, and that all of it goes again."""

from __future__ import annotations

import contextlib
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.live.lab import management, names, nodes, requirements, room, seeds, state
from fabric.live.lab.planned import layout_of
from fabric.live.lab.words import Words
from fabric.live.programs import ProgramError, ip_batch, run

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.live.lab.layout import Layout, Node
    from fabric.model.design import Design

    Progress = Callable[[str, int, int], None]

_LEFT_S = 10  # for the kernel to end processes


def silent(_what: str, _done: int, _of: int) -> None:
    """No progress."""


@dataclass
class Built:
    """A lab that was just built. ``seconds``: of each part."""

    layout: Layout
    seconds: dict[str, float] = field(default_factory=dict)


def up(
    design: Design,
    roots: tuple[Path, ...],
    *,
    name: str,
    inventory: str,
    progress: Progress = silent,
) -> Built:
    """Build a lab: namespaces, cables, files, daemons. It does not wait for BGP.

    ``roots``: folders of templates, the user's first. Whatever stops it takes down what there is.

    Raises:
        LabError: the machine or the design does not allow it; nothing was begun.
        ProgramError: a part could not be made; everything was taken down again.
    """
    requirements.require_machine(name)
    requirements.require_design(design)
    with state.locked():
        requirements.require_machine(name)  # another may have been quicker
        network = management.free_network(design)
        layout = layout_of(design, name, inventory, network)
        room.require(layout)
        state.write(state.State(layout, state.BUILDING))
    try:
        built = Built(layout)
        _timed(built, "files", lambda: _write_seeds(layout, Words(design, roots), progress))
        _timed(built, "cables", lambda: _wire(layout))
        _timed(built, "daemons", lambda: _start(layout, progress))
        state.write(state.State(layout, state.UP))
    except BaseException:
        down(name)
        raise
    return built


def _timed(built: Built, what: str, make: Callable[[], None]) -> None:
    start = time.monotonic()
    make()
    built.seconds[what] = time.monotonic() - start


def _workers() -> int:
    return 2 * (os.cpu_count() or 1)


def _write_seeds(layout: Layout, words: Words, progress: Progress) -> None:
    seeds.login_key(layout)
    for done, node in enumerate(layout.nodes, 1):
        seeds.write_seed(layout, node, words)
        progress("files", done, len(layout.nodes))
    seeds.write_known_hosts(layout)


def _wire(layout: Layout) -> None:
    """Both ends of each cable are made where they belong: none ever stands in our namespace."""
    lab = layout.name
    hub = names.management_namespace(lab)
    lines = [f"netns add {hub}", *(f"netns add {node.namespace}" for node in layout.nodes)]
    root = names.root_netdev(lab)
    lines += [
        f"link add name {root} type veth peer name up netns {hub}",
        f"address add {layout.management_root} dev {root}",
        f"link set dev {root} up",
    ]
    for number, node in enumerate(layout.nodes):
        lines.append(
            f"link add name {names.MANAGEMENT_NETDEV} netns {node.namespace} type veth "
            f"peer name node{number} netns {hub}"
        )
    for node, port in layout.cables:
        peer, far = layout.far(port)
        lines.append(
            f"link add name {port.netdev} mtu {port.mtu_bytes} netns {node.namespace} type veth "
            f"peer name {far.netdev} mtu {far.mtu_bytes} netns {peer.namespace}"
        )
    ip_batch(lines)
    bridged = ["up", *(f"node{number}" for number in range(len(layout.nodes)))]
    lines = [f"link add name {names.BRIDGE} type bridge", f"link set dev {names.BRIDGE} up"]
    lines += [f"link set dev {netdev} master {names.BRIDGE} up" for netdev in bridged]
    ip_batch(lines, namespace=hub)


def _start(layout: Layout, progress: Progress) -> None:
    """Nodes in parallel; the first that fails stops the rest from being begun."""
    with ThreadPoolExecutor(_workers()) as pool:
        begun = [pool.submit(nodes.start, layout.name, node) for node in layout.nodes]
        try:
            for done, one in enumerate(begun, 1):
                one.result()
                progress("nodes", done, len(begun))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def down(name: str) -> int:
    """Remove all that there is of a lab, in whatever state it is; returns how many namespaces.

    Nothing is asked of the state: namespaces go by name, processes by the namespace that they are
    in or by the script that they are about to run in one, mounts with the processes.

    Raises:
        ProgramError: something would not go.
    """
    spaces = nodes.namespaces(name)
    _end_processes(name, spaces)
    failures = []
    for space in spaces:
        try:
            run(["ip", "netns", "delete", space])
        except ProgramError as error:
            failures.append(error)
    netdev = names.root_netdev(name)
    if Path(f"/sys/class/net/{netdev}").exists():
        with contextlib.suppress(ProgramError):  # it goes with its other end, now or in a moment
            run(["ip", "link", "delete", "dev", netdev])
    if failures:
        raise failures[0]
    state.forget(name)
    return len(spaces)


def _end_processes(name: str, spaces: tuple[str, ...]) -> None:
    """Those on their way in first: one that gets in later would stay."""
    deadline = time.monotonic() + _LEFT_S
    while (left := nodes.starting(name) + nodes.processes(spaces)) and time.monotonic() < deadline:
        nodes.kill(left)
        time.sleep(0.05)


def running(layout: Layout) -> list[tuple[Node, int | None]]:
    """Each node with its process 1."""
    return [(node, nodes.first_process(layout.name, node)) for node in layout.nodes]
