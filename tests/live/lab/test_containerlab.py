"""The lab for containerlab: the topology that its schema takes, and the files of our own labs.

The form was read in containerlab's documentation and clab.schema.json, version of August 2026; what
the schema does not see (a node that is not there, a port used twice) is looked at as well.
"""

from __future__ import annotations

import re
from dataclasses import replace
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from fabric import flow
from fabric.files.locate import templates_root
from fabric.live.lab import containerlab
from fabric.live.lab.errors import LabError
from fabric.live.lab.words import Words
from tests.cli.conftest import INVENTORIES
from tests.live.lab import inventories

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.live.lab.containerlab import Export
    from fabric.model.design import Design
    from fabric.model.plan import Rendered

GOLDEN = Path(__file__).with_name("golden")
NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9._-]*")
# Schema: those of definitions/node-config that we write, and two of its kinds.
NODE_KEYS = {"group", "mgmt-ipv4", "startup-config", "enforce-startup-config", "binds", "exec"}
KINDS = {"linux", "arista_ceos"}
DOCUMENTED = {"linux": r"[^\s/:]{1,15}", "arista_ceos": r"eth[1-9][0-9]*(_[0-9]+)*"}
TINY = (
    inventories.LEAF_SPINE.replace("leaves: 4", "leaves: 2")
    .replace("spines: 2", "spines: 1")
    .replace("h[1-4]", "h[1-2]")
    .replace("ls4x2", "tiny")
)
CASES = [
    *((name, vendor) for name in ("LEAF_SPINE", "FAT_TREE", "RING") for vendor in (False, True)),
    *(("DOUBLE", vendor) for vendor in (False, True)),
]


def design_of(text: str, folder: Path) -> Design:
    path = folder / "inventory.yaml"
    path.write_text(text)
    return flow.load(path)


def exported(design: Design, **options: Any) -> Export:
    return containerlab.export(design, (templates_root(),), **options)


def wrong(topology: dict[str, Any], files: set[str]) -> Iterator[str]:
    """What containerlab would refuse."""
    if set(topology) != {"name", "mgmt", "topology"} or not NAME.fullmatch(topology["name"]):
        yield "top"
    subnet = ip_network(topology["mgmt"]["ipv4-subnet"])
    groups, nodes = topology["topology"]["groups"], topology["topology"]["nodes"]
    yield from (f"kind {one['kind']}" for one in groups.values() if one["kind"] not in KINDS)
    addresses = [ip_address(node["mgmt-ipv4"]) for node in nodes.values()]
    if len(set(addresses)) < len(addresses) or not all(a in subnet for a in addresses):
        yield "management addresses"
    if subnet[1] in addresses:
        yield "the gateway's address"
    for name, node in nodes.items():
        if not NAME.fullmatch(name) or not set(node) <= NODE_KEYS or node["group"] not in groups:
            yield f"node {name}"
        own = [bind.split(":")[0] for bind in node.get("binds", ())]
        own += [node["startup-config"]] if "startup-config" in node else []
        yield from (f"no file {path}" for path in own if path not in files)
        yield from (f"{x} is no text" for x in (*own, *node.get("exec", ())) if type(x) is not str)
    seen: set[str] = set()
    for link in topology["topology"]["links"]:
        if set(link) != {"endpoints", "mtu"} or type(link["mtu"]) is not int:
            yield f"link {link}"
        for end in link["endpoints"]:
            name, _, port = end.partition(":")
            form = DOCUMENTED[groups[nodes[name]["group"]]["kind"]] if name in nodes else "x"
            if not re.fullmatch(form, port) or port == "eth0" or end in seen:
                yield f"end {end}"
            seen.add(end)


@pytest.mark.parametrize(("name", "vendor"), CASES)
def test_containerlab_would_take_it(name: str, *, vendor: bool, tmp_path: Path) -> None:
    design = design_of(getattr(inventories, name), tmp_path)
    made = exported(design, vendor=vendor)
    topology = yaml.safe_load(made.files[made.topology])
    assert list(wrong(topology, set(made.files))) == []
    parts = topology["topology"]
    assert set(parts["nodes"]) == {s.name for s in design.topology.switches} | {
        h.name for h in design.topology.hosts
    }
    assert len(parts["links"]) == len(design.topology.links)


def test_the_check_above_sees_what_the_schema_does_not(tmp_path: Path) -> None:
    made = exported(design_of(TINY, tmp_path))
    good = yaml.safe_load(made.files[made.topology])
    good["topology"]["links"][0]["endpoints"][0] = "h9:eth1"
    good["topology"]["links"][1]["endpoints"][0] = good["topology"]["links"][2]["endpoints"][0]
    assert list(wrong(good, set(made.files) - {"h1/start.sh"})) == [
        "no file h1/start.sh",
        "end h9:eth1",
        "end leaf-0:swp33",
    ]


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("tiny.clab.yml", "tiny.clab.yml"),
        ("leaf-0/start.sh", "leaf.sh"),
        ("h1/start.sh", "host.sh"),
    ],
)
def test_golden(file: str, name: str, tmp_path: Path) -> None:
    made = exported(design_of(TINY, tmp_path))
    assert made.files[file] == (GOLDEN / name).read_text()


def test_eos_takes_the_text_of_the_plan_under_its_own_names(tmp_path: Path) -> None:
    design = design_of(inventories.DOUBLE, tmp_path)
    made = exported(design, vendor=True, images={"arista_eos": "ceos:mine"})
    topology = yaml.safe_load(made.files[made.topology])["topology"]
    assert topology["groups"]["arista_eos"] == {"kind": "arista_ceos", "image": "ceos:mine"}
    assert made.stands_in == ()
    assert topology["nodes"]["leaf-0"]["startup-config"] == "leaf-0/eos.cfg"
    words = Words(design, (templates_root(),))
    assert made.files["leaf-0/eos.cfg"] == words.planned("leaf-0").files[0].text
    ends = {end for link in topology["links"] for end in link["endpoints"]}
    assert {"leaf-0:eth1_1", "spine-1:eth4_1"} <= ends


def test_sonic_is_stood_in_for_and_it_is_said(tmp_path: Path) -> None:
    made = exported(design_of(inventories.FAT_TREE, tmp_path), vendor=True)
    assert made.stands_in == ("SONiC (community)",)
    assert {node.group for node in made.lab.nodes} == {"frr", "host"}


@pytest.mark.parametrize("text", ["a $HOME b", "x ${y}", "p $$ q", "{{ .ShortName }}"])
def test_a_text_that_containerlab_would_change_is_refused(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    design = design_of(inventories.DOUBLE, tmp_path)
    whole = Words.planned

    def changed(words: Words, name: str) -> Rendered:
        made = whole(words, name)
        file = replace(made.files[0], text=made.files[0].text + text)
        return replace(made, files=(file,))

    monkeypatch.setattr(Words, "planned", changed)
    with pytest.raises(LabError, match="which containerlab would exchange"):
        exported(design, vendor=True)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "netdevs: [eth1]",
            "netdevs: [eth0], oob_interface: mgmt",
            "h1: eth0 is taken by the lab itself",
        ),
        ("netdevs: [eth1]", "nic: connectx-6, attach: bond", "have bonds"),
    ],
)
def test_what_containers_cannot_have(old: str, new: str, message: str, tmp_path: Path) -> None:
    text = TINY.replace(old, new)
    with pytest.raises(LabError, match=message):
        exported(design_of(text, tmp_path))


def test_management_meets_no_address_of_the_fabric(tmp_path: Path) -> None:
    text = TINY + "addressing: {pools: {hosts: 198.18.0.0/16}}\n"
    subnet = ip_network(exported(design_of(text, tmp_path)).lab.subnet)
    assert subnet.subnet_of(ip_network("198.19.0.0/16"))  # type: ignore[arg-type]
    with pytest.raises(LabError, match="addresses clash"):
        exported(design_of(text.replace("/16", "/15"), tmp_path))


def test_every_example_without_bonds_can_be_exported() -> None:
    for path in INVENTORIES.glob("*.yaml"):
        if path.stem == "1024gpu-mixed":  # minutes of rendering teach no more
            continue
        made = exported(flow.load(path))
        assert list(wrong(yaml.safe_load(made.files[made.topology]), set(made.files))) == []
