"""What a lab is made of, without making one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.files.locate import templates_root
from fabric.live.lab import boot, management, names, requirements, seeds, state
from fabric.live.lab.errors import LabError
from fabric.live.lab.planned import layout_of
from fabric.live.lab.words import Words
from tests.live.lab import inventories

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.live.lab.layout import Layout
    from fabric.model.design import Design


def design_of(text: str, folder: Path) -> Design:
    path = folder / "inventory.yaml"
    path.write_text(text)
    return flow.load(path)


def test_a_layout_is_the_plan_with_management_addresses(small: Layout) -> None:
    assert [node.name for node in small.nodes] == [
        "leaf-0",
        "leaf-1",
        "spine-0",
        "spine-1",
        "h1",
        "h2",
    ]
    assert small.management_root == "198.18.0.1/20"
    assert [node.management for node in small.nodes][:2] == ["198.18.0.2", "198.18.0.3"]
    leaf = small.node("leaf-0")
    assert leaf is not None
    assert leaf.namespace == "fabric-lab:small:leaf-0"
    assert leaf.asn == 4200001000
    assert [(p.netdev, p.peer, p.peer_netdev, p.mtu_bytes) for p in leaf.ports] == [
        ("swp1", "h1", "eth1", 9216),
        ("swp33", "spine-0", "swp1", 9216),
        ("swp34", "spine-1", "swp1", 9216),
    ]
    assert [(p.device, p.asn, p.families) for p in leaf.peers] == [
        ("spine-0", 4200000000, ("ipv4",)),
        ("spine-1", 4200000000, ("ipv4",)),
    ]
    assert len(small.cables) == 6
    assert small.stands_in == ()


def test_a_layout_outlives_its_process(small: Layout) -> None:
    kept = state.State(small, state.UP, (("mtu", ("leaf-0:spine-0", "1500")),))
    state.write(kept)
    assert state.read("small") == kept
    assert state.names() == ("small",)
    state.forget("small")
    assert state.read("small") is None
    assert not state.root().exists()


def test_names_of_labs_never_start_with_one_another() -> None:
    assert not names.namespace("a-b", "c").startswith(names.prefix("a"))
    assert len(names.root_netdev("x" * 63)) <= names.IFNAMSIZ
    assert names.netdev("Ethernet12/1") == "Ethernet12_1"


def test_another_system_is_rendered_as_frr(tmp_path: Path) -> None:
    design = design_of(inventories.DOUBLE, tmp_path)
    layout = layout_of(design, "double", "x", "198.18.0.0/20")
    assert layout.stands_in == ("Arista EOS",)
    model, rendered = Words(design, (templates_root(),)).switch("leaf-0")
    text = next(f.text for f in rendered.files if f.name == "frr.conf")
    ports = re.findall(r"^interface (Ethernet\S+)$", text, re.MULTILINE)
    leaf = layout.node("leaf-0")
    assert leaf is not None
    assert sorted(ports) == sorted(port.netdev for port in leaf.ports)
    assert all("/" not in port for port in ports)
    assert [peer.key for peer in leaf.peers] == [s.peer_address for s in model.sessions]
    assert text.count(" remote-as ") == len(leaf.peers) == 4


def test_unnumbered_sessions_go_by_netdev_and_carry_every_family(tmp_path: Path) -> None:
    layout = layout_of(design_of(inventories.FAT_TREE, tmp_path), "ft4", "x", "198.18.0.0/20")
    assert (len(layout.switches), len(layout.hosts), len(layout.cables)) == (20, 16, 48)
    edge = layout.node("edge-0-0")
    assert edge is not None
    assert [peer.key for peer in edge.peers] == [peer.netdev for peer in edge.peers]
    assert {peer.families for peer in edge.peers} == {("ipv4",)}


def test_settings_of_the_kernel_by_path() -> None:
    text = (
        "# note\nnet.ipv4.ip_forward = 1\n-net.ipv4.seed = 2\nnet.ipv4.conf.eth1.100.rp_filter=2\n"
    )
    assert boot.kernel_settings(text) == [
        ("net/ipv4/ip_forward", "1"),
        ("net/ipv4/seed", "2"),
        ("net/ipv4/conf/eth1.100/rp_filter", "2"),
    ]


def test_a_host_gets_the_routes_of_its_own_files(tmp_path: Path) -> None:
    design = design_of(inventories.LEAF_SPINE, tmp_path)
    _, _, nics = Words(design, (templates_root(),)).host("h1")
    lines = boot.host_links(nics)
    assert lines[6] == []
    assert lines[4] == [
        "link set dev lo up",
        "link set dev eth1 up",
        "address add 10.0.0.1/31 dev eth1",
        "rule add from 10.0.0.1 lookup 1000 priority 1000",
        "route add 10.0.0.0/12 via 10.0.0.0 dev eth1 table 1000",
    ]


def test_nobody_logs_in_with_a_password() -> None:
    assert "PasswordAuthentication no" in seeds._SSHD
    assert seeds._accounts()["etc/shadow"].splitlines()[-1] == "admin:*:19000::::::"


def refused(design: Design) -> list[tuple[str, str]]:
    with pytest.raises(LabError) as caught:
        requirements.require_design(design)
    return caught.value.problems


def test_names_that_the_kernel_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    design = design_of(inventories.RING.replace("r0", "router0"), tmp_path)
    monkeypatch.setattr(names, "IFNAMSIZ", 4)
    assert refused(design)[0] == (
        "router0-h0 rdma0: the kernel takes 4 characters for the name of a port",
        "a shorter name",
    )


def test_packages_that_lack_come_with_the_line_that_brings_them() -> None:
    wanted = (("/no/such/program", "frr"), ("sh", "dash"), ("/nor/this", "lldpd"))
    assert requirements.missing_packages(wanted) == [
        ("not installed: frr, lldpd", "apt-get install --no-install-recommends frr lldpd")
    ]


def test_only_root_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(LabError, match="a lab needs root"):
        requirements.require_machine("x")


def test_management_keeps_clear_of_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: Layout
) -> None:
    text = inventories.LEAF_SPINE + "addressing: {pools: {hosts: 198.18.16.0/20}}\n"
    design = design_of(text, tmp_path)
    state.write(state.State(small, state.UP))  # has 198.18.0.0/20
    said = {"address": "[]", "route": '[{"dst": "default"}, {"dst": "198.18.33.0/24"}]'}
    monkeypatch.setattr(management, "run", lambda words: said[words[3]])
    assert management.free_network(design) == "198.18.48.0/20"
    said["route"] = '[{"dst": "198.18.0.0/15"}]'
    with pytest.raises(LabError, match="addresses clash"):
        management.free_network(design)
