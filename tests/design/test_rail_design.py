"""Rail fabrics from inventory to hosts: ports, rails and addresses, also when they grow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric.design.hosts import host_model
from fabric.design.lock import lock_text
from fabric.flow import load
from fabric.model.topology import End

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.design import Design

Facts = dict[tuple[str, ...], object]

SHAPES = {
    "shared spines": "spines: 2, links: 2",
    "a plane a rail": "spines: 2, planes: rails",
    "two planes": "spines: 2, planes: 2",
    "three tiers": "spines: 2, tiers: 3, cores: 2",
}
GROWTH = {
    "a group": ({"groups": 2}, {"groups": 3, "hosts": 11}),
    "a host": ({"hosts": 5}, {"hosts": 8}),
    "spines": ({"spines": 2}, {"spines": 3}),
    "everything": ({}, {"groups": 4, "hosts": 16, "spines": 4}),
}
SMALLEST = {"groups": 2, "hosts": 8, "spines": 2}


def planned(folder: Path, shape: str, nics: int = 4, **sizes: int) -> Design:
    """A design of four rails on SN5600; the lock in the folder is read and written."""
    size = SMALLEST | sizes
    text = shape.replace("spines: 2", f"spines: {size['spines']}")
    text = f"groups: {size['groups']}, rails: 4, hosts_per_group: 4, {text}"
    path = folder / "inv.yaml"
    path.write_text(
        "fabric: t\n"
        f"topology: {{kind: rail, {text}}}\n"
        "platforms: {default: {platform: sonic, model: nvidia-sn5600}}\n"
        f'hosts: {{names: "gpu-[1-{size["hosts"]}]", nics: {nics}, nic: connectx-7, speed: 400}}\n',
        encoding="utf-8",
    )
    design = load(path)
    text = lock_text(design.addressing.lock)
    (folder / "inv.lock.json").write_text(text, encoding="utf-8")
    return design


def facts_of(design: Design) -> Facts:
    """Ports and addresses of every cable, loopbacks, ASNs."""
    found: Facts = {("loopback", name): v4 for name, v4, _ in design.addressing.loopbacks}
    found |= {("asn", name): asn for name, asn in design.addressing.asns}
    for link in design.topology.links:
        for end in (link.a, link.b):
            address = design.addressing.at(end.device, end.port)
            assert address is not None
            found["port", link.id, end.device] = (end.port, address.v4)
    return found


@pytest.mark.parametrize("growth", GROWTH)
@pytest.mark.parametrize("shape", SHAPES)
def test_growth_moves_nothing(tmp_path: Path, shape: str, growth: str) -> None:
    before, after = GROWTH[growth]
    old = facts_of(planned(tmp_path, SHAPES[shape], **before))
    new = facts_of(planned(tmp_path, SHAPES[shape], **after))
    assert old.items() <= new.items()
    assert len(new) > len(old)


@pytest.mark.parametrize("growth", GROWTH)
@pytest.mark.parametrize("shape", SHAPES)
def test_ports_follow_without_a_lock(tmp_path: Path, shape: str, growth: str) -> None:
    before, after = GROWTH[growth]
    found = []
    for sizes in (before, after):
        topology = planned(tmp_path, SHAPES[shape], **sizes).topology
        (tmp_path / "inv.lock.json").unlink()
        found.append({link.id: {link.a, link.b} for link in topology.links})
    old, new = found
    assert {name: new[name] for name in old} == old


def test_the_rail_of_a_nic_is_that_of_its_leaf(tmp_path: Path) -> None:
    topology = planned(tmp_path, SHAPES["shared spines"]).topology
    for host in topology.hosts:
        unit = host.index // 4
        for nic in host.ports:
            link = topology.link_at(host.name, nic.netdev)
            assert link is not None
            assert nic.rail == nic.index
            assert link.b.device == f"leaf-{unit}-{nic.index}"
    ends = [end for link in topology.links for end in (link.a, link.b)]
    assert len(set(ends)) == len(ends)


def test_neighbours_share_a_rail_where_hosts_have_two_nics_on_each(tmp_path: Path) -> None:
    design = planned(tmp_path, SHAPES["shared spines"], nics=8)
    topology = design.topology
    (host, *_) = topology.hosts
    assert [nic.rail for nic in host.ports] == [0, 0, 1, 1, 2, 2, 3, 3]
    links = topology.links_of("gpu-1")
    assert [link.b.device for link in links] == [f"leaf-0-{n // 2}" for n in range(8)]
    assert links[0].a == End("gpu-1", "rdma0")
    assert links[1].id == "gpu-1:leaf-0-0:2"
    assert [nic.rail for nic in host_model(design, "gpu-1").nics] == [0, 0, 1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_prefix_of_hosts_belongs_to_one_rail(tmp_path: Path, shape: str) -> None:
    design = planned(tmp_path, SHAPES[shape])
    found = {s.leaf: s.rail for s in design.addressing.host_subnets}
    assert found == {f"leaf-{unit}-{rail}": rail for unit in (0, 1) for rail in range(4)}


@pytest.mark.parametrize(
    ("shape", "word"),
    [
        ("shared spines", "leaf of its own"),
        ("a plane a rail", "not connected"),
        ("two planes", "not connected"),
        ("three tiers", "leaf of its own"),
    ],
)
def test_rings_stay_on_their_rail(tmp_path: Path, shape: str, word: str) -> None:
    model = host_model(planned(tmp_path, SHAPES[shape]), "gpu-8")
    assert model.cross_nic == 0
    assert word in model.cross_nic_reason
    assert [(nic.rail, nic.leaf) for nic in model.nics] == [(r, f"leaf-1-{r}") for r in range(4)]


@pytest.mark.parametrize("shape", SHAPES)
def test_asns_of_rfc_7938_refuse_valleys_in_all_planes(tmp_path: Path, shape: str) -> None:
    design = planned(tmp_path, SHAPES[shape])
    assert design.addressing.asn_scheme == "rfc7938"
    assert design.addressing.valleys_refused
    asns = dict(design.addressing.asns)
    leaves = [asns[s.name] for s in design.topology.switches if s.role == "leaf"]
    assert len(set(leaves)) == len(leaves)
    tier = max(s.position.tier for s in design.topology.switches)
    top = {asns[s.name] for s in design.topology.switches if s.position.tier == tier}
    assert len(top) == 1
