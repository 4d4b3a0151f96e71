"""Route policies in the words of systems that run FRR: route maps, peer groups, tables."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from fabric import flow
from fabric.design.devices import DeviceModels
from fabric.files.locate import templates_root
from fabric.platforms import sonic as sonic_text
from fabric.text import Renderer

if TYPE_CHECKING:
    from pathlib import Path

VTYSH = shutil.which("vtysh")
TOPOLOGIES = {
    "dragonfly": "{kind: dragonfly, p: 1, a: 2, h: 1, g: 3, local_links: 2}",
    "dragonfly-plus": "{kind: dragonfly-plus, p: 1, leaves: 2, spines: 2, h: 1, g: 3}",
}
DEVICES = (
    ("dragonfly", "router-0-1"),
    ("dragonfly-plus", "leaf-0-0"),
    ("dragonfly-plus", "spine-0-1"),
)
NUMBERED, UNNUMBERED = "numbered", "unnumbered"

ROUTER_MAPS = """\
bgp as-path access-list TRANSIT seq 5 permit .+
!
bgp community-list standard FABRIC-OVER-LOCAL seq 5 permit 64999:1
bgp community-list standard FABRIC-OVER-GLOBAL seq 5 permit 64999:2
!
route-map FABRIC-IN-LOCAL permit 10
 set community 64999:1 additive
exit
!
route-map FABRIC-OUT-LOCAL deny 5
 match community FABRIC-OVER-LOCAL
exit
!
route-map FABRIC-OUT-LOCAL permit 10
 match ip address prefix-list ANNOUNCE-V4
exit
!
route-map FABRIC-OUT-LOCAL permit 30
 match as-path TRANSIT
exit
!
route-map FABRIC-IN-GLOBAL permit 10
 set community 64999:2
exit
!
route-map FABRIC-OUT-GLOBAL deny 5
 match community FABRIC-OVER-GLOBAL
exit
!
route-map FABRIC-OUT-GLOBAL permit 10
 match ip address prefix-list ANNOUNCE-V4
exit
!
route-map FABRIC-OUT-GLOBAL permit 30
 match as-path TRANSIT
exit
!
bgp session-dscp 56
"""
LEAF_MAPS = """\
bgp as-path access-list TRANSIT seq 5 permit .+
!
bgp community-list standard FABRIC-FROM-SPINE seq 5 permit 64999:3
!
route-map FABRIC-IN-LEAF-SPINE permit 10
 set community 64999:3 additive
exit
!
route-map FABRIC-OUT-LEAF-SPINE deny 5
 match community FABRIC-FROM-SPINE
exit
!
route-map FABRIC-OUT-LEAF-SPINE permit 10
 match ip address prefix-list ANNOUNCE-V4
exit
!
route-map FABRIC-OUT-LEAF-SPINE permit 30
 match as-path TRANSIT
exit
!
bgp session-dscp 56
"""
SPINE_MAPS = """\
bgp as-path access-list TRANSIT seq 5 permit .+
!
bgp community-list standard FABRIC-OVER-GLOBAL seq 5 permit 64999:2
!
route-map FABRIC-IN-LEAF-SPINE permit 10
exit
!
route-map FABRIC-OUT-LEAF-SPINE permit 10
 match ip address prefix-list ANNOUNCE-V4
exit
!
route-map FABRIC-OUT-LEAF-SPINE permit 30
 match as-path TRANSIT
exit
!
route-map FABRIC-IN-GLOBAL permit 10
 set community 64999:2 additive
exit
!
route-map FABRIC-OUT-GLOBAL deny 5
 match community FABRIC-OVER-GLOBAL
exit
!
route-map FABRIC-OUT-GLOBAL permit 10
 match ip address prefix-list ANNOUNCE-V4
exit
!
route-map FABRIC-OUT-GLOBAL permit 30
 match as-path TRANSIT
exit
!
bgp session-dscp 56
"""
MAPS = dict(zip(DEVICES, (ROUTER_MAPS, LEAF_MAPS, SPINE_MAPS), strict=True))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("policies")


@cache
def rendered(
    folder: Path, system: str, where: tuple[str, str], links: str, mode: str = "split"
) -> dict[str, str]:
    kind, device = where
    path = folder / f"{system}-{kind}-{links}-{mode}.yaml"
    sonic = f"sonic: {{routing_mode: {mode}}}\n" if system == "sonic" else ""
    path.write_text(
        f"fabric: f\ntopology: {TOPOLOGIES[kind]}\nhosts: {{speed: 100}}\n{sonic}"
        f"platforms: {{default: {{platform: {system}, model: generic}}}}\n"
        f"addressing: {{links: {links}}}\n"
    )
    made = Renderer((templates_root(),)).device(DeviceModels(flow.load(path)).of(device))
    return {file.name: file.text for file in made.files}


@pytest.mark.parametrize("system", ["frr", "sonic"])
@pytest.mark.parametrize(("kind", "device"), DEVICES)
def test_route_maps(folder: Path, system: str, kind: str, device: str) -> None:
    text = rendered(folder, system, (kind, device), NUMBERED)["frr.conf"]
    start = text.index("bgp as-path")
    assert text[start : text.index("!\nrouter bgp")] == MAPS[kind, device]


def bgp_lines(text: str) -> list[str]:
    lines = text[text.index("\nrouter bgp") :].splitlines()
    return [line for line in lines if "neighbor" in line and "description" not in line]


def test_every_session_has_the_maps_of_its_cable(folder: Path) -> None:
    text = rendered(folder, "frr", DEVICES[0], NUMBERED)["frr.conf"]
    assert bgp_lines(text) == [
        " neighbor FABRIC-LOCAL-V4 peer-group",
        " neighbor FABRIC-LOCAL-V4 timers 3 9",
        " neighbor FABRIC-GLOBAL-V4 peer-group",
        " neighbor FABRIC-GLOBAL-V4 timers 3 9",
        " neighbor 10.254.0.0 remote-as 4200001000",
        " neighbor 10.254.0.0 peer-group FABRIC-LOCAL-V4",
        " neighbor 10.254.0.4 remote-as 4200001000",
        " neighbor 10.254.0.4 peer-group FABRIC-LOCAL-V4",
        " neighbor 10.254.0.9 remote-as 4200001004",
        " neighbor 10.254.0.9 peer-group FABRIC-GLOBAL-V4",
        "  neighbor FABRIC-LOCAL-V4 activate",
        "  neighbor FABRIC-LOCAL-V4 route-map FABRIC-IN-LOCAL in",
        "  neighbor FABRIC-LOCAL-V4 route-map FABRIC-OUT-LOCAL out",
        "  neighbor FABRIC-GLOBAL-V4 activate",
        "  neighbor FABRIC-GLOBAL-V4 route-map FABRIC-IN-GLOBAL in",
        "  neighbor FABRIC-GLOBAL-V4 route-map FABRIC-OUT-GLOBAL out",
    ]


def test_parallel_cables_are_numbered_and_the_others_not(folder: Path) -> None:
    text = rendered(folder, "frr", DEVICES[0], UNNUMBERED)["frr.conf"]
    lines = bgp_lines(text)
    assert " neighbor FABRIC-GLOBAL capability extended-nexthop" in lines
    assert " neighbor swp4 interface peer-group FABRIC-GLOBAL" in lines
    assert lines.count("  neighbor FABRIC-LOCAL-V4 activate") == 1
    assert "  neighbor FABRIC-GLOBAL route-map FABRIC-OUT-GLOBAL out" in lines
    assert not any(line.endswith((" FABRIC", " FABRIC-V4")) for line in lines)


def unified(folder: Path, kind: str, device: str) -> dict[str, Any]:
    files = rendered(folder, "sonic", (kind, device), NUMBERED, "unified")
    assert sonic_text.problems(files) == ()
    tables: dict[str, Any] = json.loads(files["config_db.json"])
    return tables


def test_unified_mode_of_sonic(folder: Path) -> None:
    tables = unified(folder, "dragonfly", "router-0-1")
    assert tables["COMMUNITY_SET"] == {
        name: {"set_type": "STANDARD", "match_action": "ANY", "community_member": [value]}
        for name, value in (("FABRIC-OVER-LOCAL", "64999:1"), ("FABRIC-OVER-GLOBAL", "64999:2"))
    }
    own = {"route_operation": "permit", "match_prefix_set": "ANNOUNCE-V4"}
    others = {"route_operation": "permit", "match_as_path": "TRANSIT"}
    assert tables["ROUTE_MAP"] == {
        "FABRIC-IN-LOCAL|10": {
            "route_operation": "permit",
            "set_community_inline": ["64999:1", "additive"],
        },
        "FABRIC-IN-GLOBAL|10": {"route_operation": "permit", "set_community_inline": ["64999:2"]},
        "FABRIC-OUT-LOCAL|5": {"route_operation": "deny", "match_community": "FABRIC-OVER-LOCAL"},
        "FABRIC-OUT-LOCAL|10": own,
        "FABRIC-OUT-LOCAL|30": others,
        "FABRIC-OUT-GLOBAL|5": {"route_operation": "deny", "match_community": "FABRIC-OVER-GLOBAL"},
        "FABRIC-OUT-GLOBAL|10": own,
        "FABRIC-OUT-GLOBAL|30": others,
    }
    assert set(tables["ROUTE_MAP_SET"]) == {key.partition("|")[0] for key in tables["ROUTE_MAP"]}
    assert {
        key.split("|")[1]: row["route_map_out"] for key, row in tables["BGP_NEIGHBOR_AF"].items()
    } == {
        "10.254.0.0": ["FABRIC-OUT-LOCAL"],
        "10.254.0.4": ["FABRIC-OUT-LOCAL"],
        "10.254.0.9": ["FABRIC-OUT-GLOBAL"],
    }


@pytest.mark.parametrize(("kind", "device"), DEVICES[1:])
def test_unified_mode_says_what_frr_conf_says(folder: Path, kind: str, device: str) -> None:
    tables = unified(folder, kind, device)
    lines = MAPS[kind, device].splitlines()
    maps = [line.split()[1::2] for line in lines if line.startswith("route-map")]
    assert set(tables["ROUTE_MAP"]) == {f"{name}|{number}" for name, number in maps}
    marks = [row.get("set_community_inline") for row in tables["ROUTE_MAP"].values()]
    (said,) = [line.split()[2:] for line in lines if line.startswith(" set community")]
    assert [mark for mark in marks if mark] == [said]


def test_a_community_set_that_is_missing_is_told(folder: Path) -> None:
    tables = unified(folder, "dragonfly", "router-0-1")
    del tables["COMMUNITY_SET"]["FABRIC-OVER-GLOBAL"]
    found = sonic_text.problems({"config_db.json": json.dumps(tables)})
    assert found == (
        "ROUTE_MAP|FABRIC-OUT-GLOBAL|5: match_community FABRIC-OVER-GLOBAL does not exist",
    )


@pytest.mark.skipif(VTYSH is None, reason="vtysh is not installed")
@pytest.mark.parametrize("links", [NUMBERED, UNNUMBERED])
@pytest.mark.parametrize(("kind", "device"), DEVICES)
def test_the_parser_of_frr_takes_every_line(
    folder: Path, kind: str, device: str, links: str, tmp_path: Path
) -> None:
    file = tmp_path / "frr.conf"
    file.write_text(rendered(folder, "frr", (kind, device), links)["frr.conf"])
    done = subprocess.run(
        [str(VTYSH), "-C", "-f", str(file)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
