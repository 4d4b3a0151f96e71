"""What every switch system owes: each topology and role renders, and is read back as intended."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric import catalog, flow
from fabric.design.devices import DeviceModels
from fabric.files.locate import templates_root
from fabric.model.finding import InputError
from fabric.platforms import platform_text
from fabric.text import ReadBack, Renderer, chains, read_back
from tests.platforms.owed import owed

if TYPE_CHECKING:
    from pathlib import Path


ROOTS = (templates_root(),)
SYSTEMS = [
    name
    for name in catalog.platform_names(ROOTS)
    if catalog.platform_spec(name, ROOTS).kind == "switch"
]
TOPOLOGIES = {
    "leaf-spine": (
        "topology: {kind: leaf-spine, leaves: 3, spines: 2, links: 2}\nhosts: {speed: 100}"
    ),
    "fat-tree": "topology: {kind: fat-tree, k: 4}\nhosts: {speed: 100}",
    "unnumbered": (
        "topology: {kind: leaf-spine, leaves: 2, spines: 2}\nhosts: {speed: 100}\n"
        "addressing: {links: unnumbered, bgp: {bfd: true}}"
    ),
    "ring": (
        "topology: {kind: explicit, switches: [{name: a, endpoints: 1}, {name: b, endpoints: 1}, "
        "{name: c, endpoints: 1}], cables: [{a: a, b: b}, {a: b, b: c}, {a: c, b: a}]}\n"
        "hosts: {speed: 100}\nlinks: {speed: 100}"
    ),
    "hosts in VLANs": (
        "topology: {kind: leaf-spine, leaves: 2, spines: 1}\n"
        "hosts: {count: 4, nics: 2, speed: 100, port: vlan}"
    ),
    "bonds": (
        "topology: {kind: leaf-spine, leaves: 2, spines: 1}\n"
        "hosts: {count: 4, nic: connectx-6, speed: 100, attach: bond}"
    ),
    "bonds in VLANs": (
        "topology: {kind: explicit, switches: [{name: a, endpoints: 8}, {name: b, endpoints: 8}], "
        "cables: [{a: a, b: b}]}\nlinks: {speed: 100}\n"
        "hosts: {count: 4, nics: 2, nic: connectx-6, speed: 100, attach: bond, port: vlan}"
    ),
    "rails in VLANs": (
        "topology: {kind: rail, rails: 2, groups: 1, spines: 2}\n"
        "hosts: {count: 3, nics: 2, speed: 100, port: vlan}"
    ),
    "bonds of both families": (
        "topology: {kind: rail, rails: 2, groups: 1, spines: 2}\naddressing: {family: dual}\n"
        "hosts: {count: 3, nics: 2, nic: connectx-6, speed: 100, attach: bond}"
    ),
    "dragonfly": "topology: {kind: dragonfly, p: 1, a: 2, h: 1, g: 3}\nhosts: {speed: 100}",
    "dragonfly-plus": (
        "topology: {kind: dragonfly-plus, p: 1, leaves: 2, spines: 2, h: 1, g: 3}\n"
        "hosts: {speed: 100}\naddressing: {links: unnumbered}"
    ),
    "two lossless classes": (
        "topology: {kind: leaf-spine, leaves: 2, spines: 1}\nhosts: {speed: 100}\n"
        "roce: {preset: sonic_azure}"
    ),
}


# A system whose commands differ by family of boxes is tried in each of them.
BOXES = [
    (system, family)
    for system in SYSTEMS
    for family in [f.name for f in catalog.platform_spec(system, ROOTS).syntax_families] or [""]
]


def _lacking(system: str, topology: str) -> bool:
    """Whether the manifest lacks what this topology needs, so that it must be refused."""
    spec = catalog.platform_spec(system, ROOTS)
    able = spec.capabilities
    needs = {
        "unnumbered": able.unnumbered and able.bfd,
        "dragonfly-plus": able.unnumbered,
        # A class may differ per port; without any lossless class there is none to raise.
        "dragonfly": able.per_port_maps or not able.lossless,
        "two lossless classes": able.max_lossless_priorities > 1 or not able.lossless,
    }
    return not (
        needs.get(topology, True)
        and ("VLAN" not in topology or spec.vlan is not None)
        and ("bonds" not in topology or spec.lag is not None)
    )


@pytest.mark.parametrize("model", ["nvidia-sn3700", "generic"])
@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize(("system", "family"), BOXES)
def test_every_role_renders_and_is_read_back(
    tmp_path: Path, system: str, family: str, topology: str, model: str
) -> None:
    if system != "sonic" and model != "generic":
        model = "generic"  # a box of one vendor runs its own system or SONiC
    syntax = f", syntax: {family}" if family else ""
    path = tmp_path / "f.yaml"
    path.write_text(
        f"fabric: f\n{TOPOLOGIES[topology]}\n"
        f"platforms: {{default: {{platform: {system}, model: {model}{syntax}}}}}\n"
    )
    if _lacking(system, topology):
        with pytest.raises(InputError) as caught:
            flow.load(path)
        assert {finding.rule for finding in caught.value.findings} == {"RCE023"}
        return
    design = flow.load(path)
    renderer, models = Renderer(ROOTS), DeviceModels(design)
    words = platform_text(system)
    assert words is not None, f"fabric/platforms/{system}.py is missing"
    for switch in design.topology.switches:
        device = models.of(switch.name)
        rendered = renderer.device(device)
        files = {file.name: file.text for file in rendered.files}
        assert files
        assert renderer.device(device) == rendered, "rendering twice gives the same bytes"
        read = {chain.port: chain for chain in chains(system, files, switch.name)}
        left_out = {key for finding in rendered.findings for key in finding.keys}
        assert read_back(device, rendered) == ReadBack(), "every field that the text carries"
        for port in device.interfaces:
            if not device.platform.capabilities.lossless:
                assert port.name not in read or not read[port.name].pfc_priorities
            elif system == "sonic" and model == "generic":
                continue  # lanes and pools are left to the box: there is no complete chain
            else:
                assert read[port.name].dscp_to_tc == port.chain.dscp_to_tc
                assert read[port.name].tc_to_dscp == port.chain.tc_to_dscp
                assert read[port.name].pfc_priorities == port.chain.pfc_priorities
                marks = read[port.name].queues[3].ecn == port.chain.queues[3].ecn
                assert marks or "queues" in left_out, "left out, and no finding says so"


@pytest.mark.parametrize(("system", "family"), [box for box in BOXES if box[1]])
def test_an_unknown_family_is_an_error(tmp_path: Path, system: str, family: str) -> None:
    path = tmp_path / "f.yaml"
    for syntax in ("", ", syntax: none"):
        path.write_text(
            f"fabric: f\n{TOPOLOGIES['fat-tree']}\n"
            f"platforms: {{default: {{platform: {system}, model: generic{syntax}}}}}\n"
        )
        with pytest.raises(InputError) as caught:
            flow.load(path)
        (finding,) = caught.value.findings
        assert finding.rule == "RCE009"
        assert f"{family} (" in finding.fix


@pytest.mark.parametrize("system", SYSTEMS)
def test_manifest_names_what_push_will_need(system: str) -> None:
    spec = catalog.platform_spec(system, ROOTS)
    assert spec.title
    assert spec.netmiko_type
    assert spec.source
    assert spec.os_versions
    assert spec.owns
    assert all(file.remote_path.startswith("/") or file.remote_path for file in spec.files)
    if spec.capabilities.watchdog:
        assert spec.watchdog is not None


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_is_owed(system: str) -> None:
    missing = owed(system)
    assert missing == [], "\n".join(("still missing:", *missing))
