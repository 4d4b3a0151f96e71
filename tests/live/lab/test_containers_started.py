"""What containers start with is what a lab starts with, and it forwards as the model says."""

from __future__ import annotations

import json
import os
import re
import shutil
from typing import TYPE_CHECKING

import pytest

from fabric.files.locate import templates_root
from fabric.live.lab import boot, build, management, nodes, seeds, state
from fabric.live.lab.planned import layout_of
from fabric.live.lab.words import Words
from fabric.live.programs import run
from tests.live.lab import inventories
from tests.live.lab.agreement import answered, as_planned, settled
from tests.live.lab.test_containerlab import design_of, exported

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.live.lab.containerlab import Export
    from fabric.live.lab.layout import Layout, Node

pytestmark = pytest.mark.usefixtures("allowed")


@pytest.mark.parametrize("name", ["FAT_TREE", "DOUBLE"])
def test_containers_are_told_what_a_lab_is_told(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FABRIC_LAB_STATE", str(tmp_path / "labs"))
    design = design_of(getattr(inventories, name), tmp_path)
    layout, words = layout_of(design, "x", "x", "198.18.0.0/20"), Words(design, (templates_root(),))
    files = exported(design).files
    seeds.login_key(layout)
    for node in (layout.switches[0], layout.switches[-1], layout.hosts[0]):
        seeds.write_seed(layout, node, words)
        script = state.node_file("x", node.name, "start.sh").read_text().splitlines()
        told = [x for x in files[f"{node.name}/start.sh"].splitlines() if x.startswith("set_to ")]
        assert told == [line for line in script if line.startswith("set_to ")]
        links = re.findall(r"^(?:link|address|rule|route) .*", "\n".join(script), re.MULTILINE)
        here = [line for line in files[f"{node.name}/start.sh"].splitlines() if line in links]
        assert here == [line for line in links if "mgmt0" not in line]
        for path in (state.seed("x", node.name) / "etc/frr").glob("*"):
            assert files[f"{node.name}/{path.name}"] == path.read_text()


@pytest.mark.parametrize("name", ["DOUBLE", "VLAN"])
def test_started_as_containerlab_starts_them_they_forward_as_the_model_says(
    name: str, tmp_path: Path
) -> None:
    """FRR first, with the files of the export; cables with one MTU; then the script."""
    design = design_of(getattr(inventories, name), tmp_path)
    made = exported(design)
    lab = f"clab-{os.getpid()}"
    layout = layout_of(design, lab, "x", management.free_network(design))
    try:
        state.write(state.State(layout, state.BUILDING))
        build._wire(layout)
        seeds.login_key(layout)
        words = Words(design, (templates_root(),))
        for node in layout.nodes:
            as_containerlab_starts(made, layout, node, words)
        for node in layout.nodes:
            nodes.shell(lab, node, made.files[f"{node.name}/start.sh"])
        assert settled(layout, as_planned(design)) == []
        assert answered(layout)
        for node in layout.nodes:
            links = json.loads(run(["ip", "-n", node.namespace, "-j", "link", "show"]))
            mtu = {link["ifname"]: link["mtu"] for link in links}
            assert {p.netdev: p.mtu_bytes for p in node.ports}.items() <= mtu.items()
    finally:
        build.down(lab)


def as_containerlab_starts(made: Export, layout: Layout, node: Node, words: Words) -> None:
    """A node with the files of the export alone: no addresses, no kernel settings, FRR runs."""
    seeds.write_seed(layout, node, words)
    root = state.seed(layout.name, node.name)
    shutil.rmtree(root / "etc/frr", ignore_errors=True)
    shutil.rmtree(root / "etc/sysctl.d", ignore_errors=True)
    container = next(one for one in made.lab.nodes if one.name == node.name)
    for file, inside in container.binds:
        path = root / inside.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made.files[file])
    for port in node.ports:
        device = ["ip", "-n", node.namespace, "link", "set", "dev", port.netdev]
        run([*device, "mtu", "9500", "up"])
    ipv6 = [(key.replace(".", "/"), value) for key, value in made.lab.groups[0].sysctls]
    script = boot.script(node, root, "", ipv6, boot.daemons(node))
    state.node_file(layout.name, node.name, "start.sh").write_text(script)
    nodes.start(layout.name, node)
