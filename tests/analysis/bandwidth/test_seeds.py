"""Seeds as the configs hold them, and what rule and analysis say of the worst leaf alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import fabric
from fabric.analysis.bandwidth import seeds
from fabric.analysis.bandwidth.answer import State
from fabric.analysis.bandwidth.failing import swept
from fabric.catalog import platform_names, platform_spec
from fabric.checks.facts import Facts
from fabric.checks.registry import all_rules
from fabric.checks.run import judge
from fabric.files.locate import templates_root

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.design import Design

TREE = "{kind: fat-tree, k: 4}"


def _design(folder: Path, platforms: str, topology: str = TREE, rest: str = "") -> Design:
    path = folder / "t.yaml"
    path.write_text(
        f"fabric: t\ntopology: {topology}\nplatforms: {{{platforms}}}\n{rest}", encoding="utf-8"
    )
    return fabric.load(path)


@pytest.mark.parametrize(
    ("system", "expected", "untold"),
    [
        # SONiC: ToRRouter 0, LeafRouter 10, SpineRouter 25 (templates/sonic, metadata.j2)
        ("sonic", [0, 10, 25], ()),
        ("cisco_nxos, model: cisco-n9k-9332d-gx2b", [10, 25, 55], ()),
        ("frr", [10, 25, 55], ()),
        ("arista_eos", [10, 25, 55], ("Arista EOS",)),
    ],
)
def test_seeds_are_those_that_the_config_holds(
    tmp_path: Path, system: str, expected: list[int], untold: tuple[str, ...]
) -> None:
    design = _design(tmp_path, f"default: {{platform: {system}}}")
    found = seeds.rendered(design, ["edge-0-0", "agg-1-0", "core-3"])
    assert found.words.tolist() == expected
    assert found.untold == untold
    assert bool(list(seeds.notes(design))) is bool(untold)


def test_every_system_says_whose_seed_its_config_holds() -> None:
    """As the templates have it; what ``left_out`` tells of is ``none``."""
    roots = (templates_root(),)
    specs = [platform_spec(name, roots) for name in platform_names(roots)]
    held = {s.name: s.capabilities.hash_seed for s in specs if s.kind == "switch"}
    assert held == {
        "arista_eos": "none",
        "cisco_nxos": "role",
        "cumulus_nvue": "role",
        "dell_os10": "none",
        "dell_sonic": "role",
        "frr": "role",
        "hp_comware": "none",
        "huawei_vrp": "role",
        "juniper_junos": "none",
        "nokia_srl": "role",
        "sonic": "tier",
    }


def test_one_system_of_two_is_named(tmp_path: Path) -> None:
    design = _design(tmp_path, "default: {platform: sonic}, core: {platform: arista_eos}")
    (note,) = seeds.notes(design)
    assert "left out on Arista EOS (" in note


@pytest.mark.parametrize(
    ("topology", "hosts"),
    [
        ("{kind: leaf-spine, leaves: 3, spines: 2, links: 2}", "{per_leaf: 3, name: 'g{n}'}"),
        (TREE, "{count: 16}"),
        ("{kind: dragonfly, p: 2, a: 3, h: 1, g: 4}", "{count: 24}"),
    ],
    ids=["leaf-spine", "fat-tree", "dragonfly"],
)
def test_the_rule_of_the_worst_leaf_agrees_with_the_sweep(
    tmp_path: Path, topology: str, hosts: str
) -> None:
    rest = f"hosts: {hosts}\ntargets: {{worst_leaf_percent: {{}}}}\n"
    base = _design(tmp_path, "default: {platform: frr}", topology, f"hosts: {hosts}\n")
    worst = 100 * min(row.worst_ratio for row in swept(State(base)).rows)
    assert worst <= 100
    for target, count in ((worst, 0), (min(worst + 0.5, 100), 1 if worst < 100 else 0)):
        text = rest.replace("{}", f"{target!r}")
        design = _design(tmp_path, "default: {platform: frr}", topology, text)
        found = judge(all_rules()["RCE603"][1], Facts(design))
        assert len(found) == count, (worst, target)
