"""Every host pair reaches each other through the right NIC: proven with network namespaces.

Two hosts with a NIC on each of two leaves, one spine; the hosts take their addresses, routes,
rules and sysctls from the rendered files, the switches are plain Linux routers.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from contextlib import contextmanager
from itertools import product
from typing import TYPE_CHECKING

import pytest
import yaml

from fabric.design.hosts import HostModels
from tests.design.hosts.made import Wanted, made_design
from tests.platforms.linux.rendered import files_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fabric.model.design import Design

HOSTS = ("gpu-0", "gpu-1")
LEAVES = ("leaf-0", "leaf-1")
RAILS = (LEAVES, LEAVES)


def _run(*words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, check=check, timeout=30)


def _why_not() -> str | None:
    if os.geteuid() != 0:
        return "network namespaces need root"
    if not all(shutil.which(tool) for tool in ("ip", "sysctl")):
        return "ip and sysctl are not installed"
    probe = f"fabric-probe-{os.getpid()}"
    if _run("ip", "netns", "add", probe, check=False).returncode:
        return "this machine allows no network namespaces"
    _run("ip", "netns", "del", probe)
    return None


class Net:
    """Namespaces by device name; the real names carry the process id."""

    def __init__(self, devices: tuple[str, ...]) -> None:
        self._spaces = {name: f"fabric-{os.getpid()}-{name}" for name in devices}

    def make(self) -> None:
        for device, space in self._spaces.items():
            _run("ip", "netns", "add", space)
            self.ip(device, "link set lo up")

    def remove(self) -> None:
        for space in self._spaces.values():
            _run("ip", "netns", "del", space, check=False)

    def ip(self, device: str, words: str, *, check: bool = True) -> str:
        return _run("ip", "-n", self._spaces[device], *words.split(), check=check).stdout

    def inside(self, device: str, *words: str, check: bool = True) -> str:
        space = self._spaces[device]
        return _run("ip", "netns", "exec", space, *words, check=check).stdout

    def cable(self, a: str, a_port: str, b: str, b_port: str) -> None:
        words = f"link add {a_port} type veth peer name {b_port} netns {self._spaces[b]}"
        self.ip(a, words)
        for device, port in ((a, a_port), (b, b_port)):
            self.ip(device, f"link set {port} mtu 9216 up")


@contextmanager
def _network(devices: tuple[str, ...]) -> Iterator[Net]:
    net = Net(devices)
    try:
        net.make()
        yield net
    finally:
        net.remove()


def _cable(net: Net, design: Design) -> None:
    for link in design.topology.links:
        net.cable(link.a.device, link.a.port, link.b.device, link.b.port)
    for n, leaf in enumerate(LEAVES):
        up = next(x for x in design.topology.links_of(leaf) if x.b.device == "spine-0")
        net.ip(leaf, f"addr add 192.0.2.{2 * n}/31 dev {up.a.port}")
        net.ip("spine-0", f"addr add 192.0.2.{2 * n + 1}/31 dev {up.b.port}")
        net.ip(leaf, f"route add 10.0.0.0/25 via 192.0.2.{2 * n + 1}")
        for link in design.topology.links_of(leaf):
            at = design.addressing.at(leaf, link.end(leaf).port)
            if at is not None:
                net.ip(leaf, f"addr add {at.v4} dev {at.port}")
                net.ip("spine-0", f"route add {at.v4} via 192.0.2.{2 * n}")
    for switch in (*LEAVES, "spine-0"):
        net.inside(switch, "sysctl", "-q", "-w", "net.ipv4.ip_forward=1")


def _ifupdown(net: Net, host: str, text: str) -> None:
    interface = ""
    for line in text.splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "iface":
            interface = rest.split()[0]
        elif word == "address":
            net.ip(host, f"addr add {rest} dev {interface}")
        elif word == "mtu":
            net.ip(host, f"link set {interface} mtu {rest} up")
        elif word == "post-up":
            net.inside(host, "sh", "-c", rest)


def _netplan(net: Net, host: str, text: str) -> None:
    for interface, said in yaml.safe_load(text)["network"]["ethernets"].items():
        net.ip(host, f"link set {interface} mtu {said['mtu']} up")
        for address in said["addresses"]:
            net.ip(host, f"addr add {address} dev {interface}")
        for route in said["routes"]:
            where = f"dev {interface} table {route['table']}"
            way = f"via {route['via']}" if "via" in route else f"scope {route['scope']}"
            net.ip(host, f"route add {route['to']} {where} {way}")
        for rule in said["routing-policy"]:
            net.ip(
                host,
                f"rule add from {rule['from']} lookup {rule['table']} priority {rule['priority']}",
            )


@pytest.mark.parametrize("kind", ["netplan", "ifupdown"])
def test_every_pair_of_nics_through_the_right_nic(tmp_path: Path, kind: str) -> None:
    reason = _why_not()
    if reason:
        pytest.skip(reason)
    wanted = Wanted(RAILS, spines=1, names=HOSTS, group=(("network_config", kind),))
    design = made_design(wanted)
    models = {host: HostModels(design).of(host) for host in HOSTS}
    with _network((*HOSTS, *LEAVES, "spine-0")) as net:
        _cable(net, design)
        for host in HOSTS:
            files = files_of(design, host)
            if kind == "netplan":
                _netplan(net, host, files["60-fabric.yaml"])
            else:
                _ifupdown(net, host, files["interfaces-fabric"])
            sysctl = tmp_path / f"{host}.conf"
            sysctl.write_text(files["90-fabric-sysctl.conf"])
            net.inside(host, "sysctl", "-q", "-p", str(sysctl))
        # The configuration is idempotent where it runs commands: a second ifup adds no rule.
        if kind == "ifupdown":
            for line in files_of(design, HOSTS[0])["interfaces-fabric"].splitlines():
                if line.strip().startswith("post-up"):
                    net.inside(HOSTS[0], "sh", "-c", line.strip().removeprefix("post-up "))
        for host, nic in product(HOSTS, range(2)):
            rules = net.ip(host, "-4 rule show")
            mine = models[host].nics[nic]
            address = mine.addresses[0].partition("/")[0]
            assert rules.count(f"from {address} lookup {mine.table}") == 1
        for a, b in product(range(2), repeat=2):
            _pair(net, models[HOSTS[0]].nics[a].addresses[0], models[HOSTS[1]].nics[b].addresses[0])
            for host, n, other, m in ((HOSTS[0], a, HOSTS[1], b), (HOSTS[1], b, HOSTS[0], a)):
                source = models[host].nics[n].addresses[0].partition("/")[0]
                target = models[other].nics[m].addresses[0].partition("/")[0]
                way = net.ip(host, f"route get {target} from {source}")
                assert f" via {models[host].nics[n].gateways[0]} dev rdma{n} " in way
        # Without its rule an address finds no way: it is the rule that does it.
        first = models[HOSTS[0]].nics[0]
        address = first.addresses[0].partition("/")[0]
        net.ip(HOSTS[0], f"rule del from {address} lookup {first.table}")
        far = models[HOSTS[1]].nics[0].addresses[0].partition("/")[0]
        assert "dev" not in net.ip(HOSTS[0], f"route get {far} from {address}", check=False)


_ECHO = """
import socket, sys
server = socket.create_server((sys.argv[1], 4791))
print("ready", flush=True)
client, _ = server.accept()
client.sendall(client.recv(64))
"""
_CALL = """
import socket, sys
with socket.create_connection((sys.argv[2], 4791), 5, (sys.argv[1], 0)) as s:
    s.sendall(b"fabric")
    print(s.recv(64).decode())
"""


def _pair(net: Net, source: str, target: str) -> None:
    """One TCP connection between two addresses, so both ways work."""
    near, far = source.partition("/")[0], target.partition("/")[0]
    space = net._spaces[HOSTS[1]]
    words = ("ip", "netns", "exec", space, sys.executable, "-S", "-c", _ECHO, far)
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            assert server.stdout.readline() == "ready\n"
            answer = net.inside(HOSTS[0], sys.executable, "-S", "-c", _CALL, near, far)
        finally:
            server.kill()
    assert answer == "fabric\n", shlex.join((near, far))
