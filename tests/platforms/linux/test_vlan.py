"""Hosts in a VLAN of their leaf: proven with network namespaces and a bridge for a leaf.

Bridges, gateways and MTUs come from the files of FRR on Linux, the hosts' settings from theirs;
what BGP would bring stands in static routes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.design.devices import DeviceModels
from fabric.design.hosts import HostModels
from fabric.files.locate import templates_root
from fabric.text import Renderer
from tests.platforms.linux.rendered import files_of
from tests.platforms.linux.test_routing import (
    HOSTS,
    LEAVES,
    _ifupdown,
    _netplan,
    _network,
    _pair,
    _why_not,
)

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.design import Design
    from tests.platforms.linux.test_routing import Net

ALL = ("gpu-0", "gpu-2", "gpu-1")  # two on leaf-0, one on leaf-1
BRIDGE = re.compile(r"^iface (\S+) inet manual\n    bridge_ports (.+)\n", re.MULTILINE)


def _design(folder: Path, kind: str) -> Design:
    path = folder / "f.yaml"
    path.write_text(
        "fabric: f\ntopology: {kind: leaf-spine, leaves: 2, spines: 1}\n"
        "platforms: {default: {platform: frr, model: generic}}\n"
        f"hosts: {{names: [{', '.join(ALL)}], per_leaf: 2, nics: 2, speed: 100, gpus: 0, "
        f"port: vlan, network_config: {kind}}}\n"
    )
    return flow.load(path)


def test_files_of_a_host(tmp_path: Path) -> None:
    text = files_of(_design(tmp_path, "netplan"), "gpu-2")["60-fabric.yaml"]
    first = text[text.index('"rdma0"') : text.index('"rdma1"')]
    assert (
        """\
      addresses:
        - "10.0.0.3/24"
      routes:
        - to: "10.0.0.0/24"
          scope: link # hosts of the same leaf, past the gateway
          table: 1000
        - to: "10.0.0.0/12"
          via: "10.0.0.1"
          table: 1000
"""
        in first
    )
    script = files_of(_design(tmp_path, "netplan"), "gpu-2")["fabric-host.sh"]
    assert 'contains "table 1001" "10.0.1.0/24 dev rdma1"' in script
    assert 'contains "table 1001" "10.0.0.0/12 via 10.0.1.1 dev rdma1"' in script


def _leaf(net: Net, design: Design, leaf: str) -> None:
    model = DeviceModels(design).of(leaf)
    rendered = Renderer((templates_root(),)).device(model)
    files = {file.name: file.text for file in rendered.files}
    for bridge, ports in BRIDGE.findall(files["interfaces"]):
        net.ip(leaf, f"link add {bridge} type bridge stp_state 0 forward_delay 0")
        for port in ports.split():
            net.ip(leaf, f"link set {port} master {bridge}")
        net.ip(leaf, f"link set {bridge} mtu 9216 up")
    for port, address in re.findall(r"^interface (\S+)\n(?: description .*\n)? ip address (\S+)$",
                                    files["frr.conf"], re.MULTILINE):  # fmt: skip
        net.ip(leaf, f"addr add {address} dev {port}")
    net.inside(leaf, "sysctl", "-q", "-w", "net.ipv4.ip_forward=1")


def _spine(net: Net, design: Design) -> None:
    for link in design.topology.fabric_links:
        near, far = (design.addressing.at(end.device, end.port) for end in (link.a, link.b))
        assert near is not None
        assert far is not None
        leaf, up = str(near.v4).partition("/")[0], str(far.v4).partition("/")[0]
        net.ip("spine-0", f"addr add {far.v4} dev {link.b.port}")
        net.ip(link.a.device, f"route add 10.0.0.0/12 via {up}")
        for subnet in design.addressing.host_subnets:
            if subnet.leaf == link.a.device:
                net.ip("spine-0", f"route add {subnet.prefix} via {leaf}")
    net.inside("spine-0", "sysctl", "-q", "-w", "net.ipv4.ip_forward=1")


@pytest.mark.parametrize("kind", ["netplan", "ifupdown"])
def test_within_the_leaf_directly_and_beyond_it_over_the_gateway(tmp_path: Path, kind: str) -> None:
    reason = _why_not()
    if reason:
        pytest.skip(reason)
    design = _design(tmp_path, kind)
    nics = {host: HostModels(design).of(host).nics for host in ALL}
    with _network((*ALL, *LEAVES, "spine-0")) as net:
        for link in design.topology.links:
            net.cable(link.a.device, link.a.port, link.b.device, link.b.port)
        for leaf in LEAVES:
            _leaf(net, design, leaf)
        _spine(net, design)
        for host in ALL:
            files = files_of(design, host)
            if kind == "netplan":
                _netplan(net, host, files["60-fabric.yaml"])
            else:
                _ifupdown(net, host, files["interfaces-fabric"])
                _ifupdown_again(net, host, files["interfaces-fabric"])
            sysctl = tmp_path / f"{host}.conf"
            sysctl.write_text(files["90-fabric-sysctl.conf"])
            net.inside(host, "sysctl", "-q", "-p", str(sysctl))
        for a in range(2):
            source = nics[HOSTS[0]][a].addresses[0].partition("/")[0]
            for b in range(2):
                _pair(net, nics[HOSTS[0]][a].addresses[0], nics[HOSTS[1]][b].addresses[0])
            near = nics["gpu-2"][a].addresses[0].partition("/")[0]
            way = net.ip(HOSTS[0], f"route get {near} from {source}")
            assert f"from {source} dev rdma{a} table {1000 + a}" in way
            assert " via " not in way
            net.inside(HOSTS[0], "ping", "-c1", "-W2", "-I", source, near)


def _ifupdown_again(net: Net, host: str, text: str) -> None:
    """A second ifup changes nothing and fails nowhere."""
    before = net.ip(host, "-4 rule show"), net.ip(host, "-4 route show table all")
    for line in text.splitlines():
        if line.strip().startswith("post-up"):
            net.inside(host, "sh", "-c", line.strip().removeprefix("post-up "))
    assert (net.ip(host, "-4 rule show"), net.ip(host, "-4 route show table all")) == before
