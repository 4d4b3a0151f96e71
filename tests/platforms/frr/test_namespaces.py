"""A leaf-spine of namespaces: real FRR with the rendered files, hosts with theirs, full packets.

Needs root, FRR and iproute2; each namespace, pathspace and process of it is removed afterwards.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from contextlib import contextmanager
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.design.devices import DeviceModels
from fabric.design.hosts import HostModels
from fabric.text import Renderer
from tests.platforms.models import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.design import Design

DAEMONS = Path("/usr/lib/frr")
RUN, ETC = Path("/var/run/frr"), Path("/etc/frr")
INVENTORY = """\
fabric: v6lab
topology: {{kind: leaf-spine, leaves: 2, spines: 2}}
platforms: {{default: {{platform: frr, model: generic}}}}
hosts: {{names: "h[1-2]", nics: 1, netdevs: [eth1], network_config: ifupdown}}
addressing: {{family: {family}, links: {links}}}
"""
HEADERS = {4: 20 + 8, 6: 40 + 8}  # IP and ICMP echo
CONVERGED_S = 30.0


def _run(*words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, check=check, timeout=60)


def _why_not() -> str | None:
    if os.geteuid() != 0:
        return "network namespaces need root"
    if not all((DAEMONS / name).exists() for name in ("zebra", "bgpd", "staticd")):
        return "FRR is not installed"
    if not all(shutil.which(tool) for tool in ("ip", "sysctl", "ping", "vtysh")):
        return "ip, sysctl, ping or vtysh is not installed"
    probe = f"v6-probe-{os.getpid()}"
    if _run("ip", "netns", "add", probe, check=False).returncode:
        return "this machine allows no network namespaces"
    _run("ip", "netns", "del", probe)
    return None


class Lab:
    """Namespaces by device name; real names carry the process id."""

    def __init__(self, design: Design) -> None:
        self.design = design
        topology = design.topology
        self.switches = [switch.name for switch in topology.switches]
        self.hosts = [host.name for host in topology.hosts]
        self._renderer = Renderer((ROOT,))

    def space(self, device: str) -> str:
        return f"v6-{os.getpid()}-{device}"

    def inside(self, device: str, *words: str, check: bool = True) -> str:
        space = self.space(device)
        return _run("ip", "netns", "exec", space, *words, check=check).stdout

    def up(self) -> None:
        for device in (*self.switches, *self.hosts):
            _run("ip", "netns", "add", self.space(device))
            self.inside(device, "ip", "link", "set", "lo", "up")
        for link in self.design.topology.links:
            a, b = link.a, link.b
            _run("ip", "-n", self.space(a.device), "link", "add", a.port, "type", "veth", "peer",
                 "name", b.port, "netns", self.space(b.device))  # fmt: skip
        for switch in self.switches:
            self._switch(switch)
        for host in self.hosts:
            self._host(host)

    def _switch(self, name: str) -> None:
        device = self._renderer.device(DeviceModels(self.design).of(name))
        files = {file.name: file.text for file in device.files}
        for text in files["interfaces"].split("\n\n"):
            words = text.split()
            if "iface" in words:
                port, mtu = words[words.index("iface") + 1], words[words.index("mtu") + 1]
                self.inside(name, "ip", "link", "set", port, "mtu", mtu, "up")
        space = self.space(name)
        for folder in (RUN / space, ETC / space):
            folder.mkdir()
            shutil.chown(folder, "frr", "frr")
        (ETC / space / "99-fabric.conf").write_text(files["99-fabric.conf"])
        self.inside(name, "sysctl", "-q", "-e", "-p", str(ETC / space / "99-fabric.conf"))
        (ETC / space / "frr.conf").write_text(files["frr.conf"])
        for daemon in ("zebra", "staticd", "bgpd"):
            self.inside(name, str(DAEMONS / daemon), "-d", "-N", space, "-A", "127.0.0.1")
        self.inside(name, "vtysh", "-N", space, "-b")

    def _host(self, name: str) -> None:
        rendered = self._renderer.host(HostModels(self.design).of(name))
        files = {file.name: file.text for file in rendered.files}
        settings = files["90-fabric-sysctl.conf"].splitlines()
        for line in settings:
            if line.startswith("net."):
                self.inside(name, "sysctl", "-q", "-w", line.replace(" ", ""))
        interface = ""
        for line in files["interfaces-fabric"].splitlines():
            word, _, rest = line.strip().partition(" ")
            if word == "iface":
                interface = rest.split()[0]
                self.inside(name, "ip", "link", "set", interface, "up")
            elif word == "address":
                self.inside(name, "ip", "addr", "add", rest, "dev", interface)
            elif word == "mtu":
                self.inside(name, "ip", "link", "set", interface, "mtu", rest)
            elif word == "post-up":
                self.inside(name, "sh", "-c", rest)

    def differences(self, host: str) -> str:
        """How many addresses, rules and routes the rendered check finds missing, and which."""
        rendered = self._renderer.host(HostModels(self.design).of(host))
        script = next(file.text for file in rendered.files if file.name == "fabric-host.sh")
        functions, found, _rest = script.partition('[ "$(id -u)"')
        assert found
        return self.inside(host, "sh", "-c", f'{functions}\nnetwork\necho "$different"')

    def down(self) -> None:
        for device in (*self.switches, *self.hosts):
            space = self.space(device)
            for pid in (RUN / space).glob("*.pid"):
                _run("kill", pid.read_text().strip(), check=False)
            _run("ip", "netns", "del", space, check=False)
            for folder in (RUN / space, ETC / space):
                shutil.rmtree(folder, ignore_errors=True)

    def addresses(self, host: str, version: int) -> str | None:
        at = self.design.addressing.at(host, "eth1")
        assert at is not None
        text = at.v6 if version == 6 else at.v4
        return text and text.partition("/")[0]

    def reaches(self, a: str, b: str, version: int, size: int) -> str:
        own, other = self.addresses(a, version), self.addresses(b, version)
        words = ("-M", "do", "-c", "1", "-W", "1", "-s", str(size))
        return self.inside(
            a, "ping", f"-{version}", *words, "-I", str(own), str(other), check=False
        )

    def routes(self, leaf: str, version: int) -> str:
        return self.inside(leaf, "ip", f"-{version}", "route", "show", "proto", "bgp")


@contextmanager
def _lab(design: Design) -> Iterator[Lab]:
    lab = Lab(design)
    try:
        lab.up()
        yield lab
    finally:
        lab.down()


def _until_converged(lab: Lab, versions: list[int]) -> None:
    end = time.monotonic() + CONVERGED_S
    first, last = lab.hosts[0], lab.hosts[-1]
    while time.monotonic() < end:
        if all(" 0% packet loss" in lab.reaches(first, last, v, 56) for v in versions):
            return
        time.sleep(0.5)
    said = [
        lab.inside(switch, "vtysh", "-N", lab.space(switch), "-c", "show bgp summary")
        for switch in lab.switches
    ]
    pytest.fail("no route after half a minute\n" + "\n".join(said))


@pytest.mark.parametrize("links", ["unnumbered", "numbered"])
@pytest.mark.parametrize("family", ["ipv6", "dual"])
def test_full_packets_between_all_hosts(family: str, links: str, tmp_path: Path) -> None:
    reason = _why_not()
    if reason:
        pytest.skip(reason)
    file = tmp_path / "v6lab.yaml"
    file.write_text(INVENTORY.format(family=family, links=links))
    design = flow.load(file)
    versions = [6] if family == "ipv6" else [4, 6]
    with _lab(design) as lab:
        _until_converged(lab, versions)
        for (a, b), version in ((p, v) for p in permutations(lab.hosts, 2) for v in versions):
            size = design.intent.roce.host_mtu_bytes - HEADERS[version]
            assert " 0% packet loss" in lab.reaches(a, b, version, size), (a, b, version)
            # One byte more does not pass: the sizes above are the largest.
            assert " 0% packet loss" not in lab.reaches(a, b, version, size + 1)
        for host in lab.hosts:
            assert lab.differences(host) == "0\n"
        lab.inside("h1", "ip", "-6", "rule", "flush", "table", "1000")
        assert lab.differences("h1").endswith("\n1\n")
        for version in versions:
            remote = next(
                s.prefix
                for s in design.addressing.host_subnets
                if s.leaf == "leaf-1" and (":" in s.prefix) == (version == 6)
            )
            (route,) = (r for r in _joined(lab.routes("leaf-0", version)) if r.startswith(remote))
            assert route.count("dev ") == 2, route  # both spines
        # An address of the leaf's /64 without a NIC ends on the leaf instead of going round.
        prefix = next(s.prefix for s in design.addressing.host_subnets if ":" in s.prefix)
        nobody = prefix.partition("/")[0] + "dead"
        said = lab.inside("leaf-0", "ip", "-6", "route", "get", nobody, check=False)
        shown = lab.inside("leaf-0", "ip", "-6", "route", "show", prefix)
        assert "blackhole" in shown, (shown, said)


def _joined(text: str) -> list[str]:
    """Routes with their next hops on one line."""
    return text.replace("\n\t", " ").splitlines()
