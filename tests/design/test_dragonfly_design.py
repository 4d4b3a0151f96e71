"""Dragonflies as planned: growth under the lock, lengths by kind of cable."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric.design.lock import lock_text
from fabric.flow import load

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.design import Design

Facts = dict[tuple[str, ...], object]

SHAPES = {
    "dragonfly": "kind: dragonfly, p: 2, a: 4, h: 2, links_per_group_pair: 2, local_links: 2",
    "dragonfly-plus": (
        "kind: dragonfly-plus, p: 4, leaves: 2, spines: 4, h: 2, links_per_group_pair: 2"
    ),
}


def planned(folder: Path, shape: str, groups: int, hosts: int) -> Design:
    """A design on SN4700; the lock in the folder is read and written."""
    path = folder / "inv.yaml"
    path.write_text(
        f"fabric: t\ntopology: {{{shape}, g: {groups}}}\n"
        "platforms: {default: {platform: sonic, model: nvidia-sn4700}}\n"
        f'hosts: {{names: "gpu-[1-{hosts}]", nic: connectx-7, speed: 400}}\n'
        "cables: {local: 2, leaf-spine: 3, global: 40}\n",
        encoding="utf-8",
    )
    design = load(path)
    (folder / "inv.lock.json").write_text(lock_text(design.addressing.lock), encoding="utf-8")
    return design


def switch_facts(design: Design) -> Facts:
    """Loopbacks, ASNs, host prefixes."""
    found: Facts = {("loopback", name): v4 for name, v4, _ in design.addressing.loopbacks}
    found |= {("asn", name): asn for name, asn in design.addressing.asns}
    subnets = design.addressing.host_subnets
    return found | {("hosts", s.leaf, s.prefix): s.rail for s in subnets}


def cable_facts(design: Design) -> Facts:
    """Port and address of both ends of every cable, those to hosts included."""
    found: Facts = {}
    for link in design.topology.links:
        for end in (link.a, link.b):
            address = design.addressing.at(end.device, end.port)
            assert address is not None
            found[link.id, end.device] = (end.port, address.v4)
    return found


@pytest.mark.parametrize("shape", SHAPES)
def test_another_group_moves_nothing(tmp_path: Path, shape: str) -> None:
    small = planned(tmp_path, SHAPES[shape], 3, 16)
    large = planned(tmp_path, SHAPES[shape], 5, 40)
    for facts in (switch_facts, cable_facts):
        old, new = facts(small), facts(large)
        assert old.items() <= new.items()
        assert len(new) > len(old)


@pytest.mark.parametrize("arrangement", ["palm-tree", "circulant"])
@pytest.mark.parametrize("shape", SHAPES)
def test_where_a_group_re_cables_the_rest_stays(
    tmp_path: Path, shape: str, arrangement: str
) -> None:
    text = f"{SHAPES[shape]}, arrangement: {arrangement}"
    small = planned(tmp_path, text, 3, 16)
    large = planned(tmp_path, text, 5, 40)
    assert switch_facts(small).items() <= switch_facts(large).items()
    old, new = cable_facts(small), cable_facts(large)
    both = old.keys() & new.keys()
    assert {key: old[key] for key in both} == {key: new[key] for key in both}
    kinds = {x.id: x.kind for x in small.topology.links}
    assert {kinds[key[0]] for key in old.keys() - new.keys()} == {"global"}


@pytest.mark.parametrize(("shape", "inside"), [("dragonfly", 2.0), ("dragonfly-plus", 3.0)])
def test_lengths_follow_the_kind_of_cable(tmp_path: Path, shape: str, inside: float) -> None:
    links = planned(tmp_path, SHAPES[shape], 3, 6).topology.fabric_links
    kind = {"dragonfly": "local", "dragonfly-plus": "leaf-spine"}[shape]
    assert {x.kind: x.length_m for x in links} == {kind: inside, "global": 40.0}
