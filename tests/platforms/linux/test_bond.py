"""A bond to one leaf: what its host is told, and what the script does about it."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
import yaml

from fabric import flow
from tests.platforms.linux.machine import Machine
from tests.platforms.linux.rendered import files_of, variables

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = "fabric-host.sh"
BONDING = {
    "slaves": "rdma0p1 rdma0p0",  # the kernel lists them in any order
    "mode": "802.3ad 4",
    "lacp_rate": "fast 1",
    "xmit_hash_policy": "layer3+4 1",
}
ADDRESSED = {
    "-o addr show dev rdma0": "2: rdma0    inet 10.0.0.1/31 scope global rdma0\\ valid_lft forever",
    "-4 rule show": "0:\tfrom all lookup local\n1000:\tfrom 10.0.0.1 lookup 1000 proto static\n",
    "-4 route show table 1000": "10.0.0.0/12 via 10.0.0.0 dev rdma0 proto static \n",
}


def files(folder: Path, *, kind: str = "netplan", port: str = "routed") -> dict[str, str]:
    path = folder / "f.yaml"
    path.write_text(
        "fabric: f\ntopology: {kind: leaf-spine, leaves: 1, spines: 1}\n"
        "hosts: {names: [gpu-0], nic: connectx-6, speed: 200, attach: bond, numa: [0], "
        f"port: {port}, network_config: {kind}}}\n"
    )
    return files_of(flow.load(path), "gpu-0")


def machine(home: Path) -> Machine:
    made = Machine(home, {"rdma0p0": "mlx5_bond_0", "rdma0p1": "mlx5_bond_0"})
    made.put("sys/class/net/rdma0/mtu", "1500")
    for file, text in BONDING.items():
        made.put(f"sys/class/net/rdma0/bonding/{file}", text)
    for file in ("arp_ignore", "arp_announce", "rp_filter", "forwarding"):
        made.put(f"proc/sys/net/ipv4/conf/rdma0/{file}", "0")
    for arguments, text in ADDRESSED.items():
        made.say(arguments, text)
    return made


def test_both_ports_get_the_full_qos_and_a_second_run_changes_nothing(tmp_path: Path) -> None:
    host, script = machine(tmp_path / "m"), files(tmp_path)[SCRIPT]
    done = host.run(script, "--apply")
    assert (done.returncode, done.stderr) == (0, "")
    for port in ("rdma0p0", "rdma0p1"):
        assert host.nic(port, "trust") == "dscp"
        assert host.nic(port, "pfc") == "0,0,0,1,0,0,0,0"
        assert host.priorities(port)[26] == 3
        assert host.nic(port, "pause") == "off"
        assert host.read(f"sys/class/net/{port}/ecn/roce_rp/enable/3") == "1"
    assert host.read("proc/sys/net/ipv4/conf/rdma0/arp_announce") == "2"
    assert any("ip link set dev rdma0 mtu 9000" in call for call in host.calls)
    before = host.calls
    host.put("sys/class/net/rdma0/mtu", "9000")
    assert host.run(script, "--apply").stdout == "everything agrees with the switches\n"
    assert host.calls == before
    assert host.run(script, "--check").returncode == 0


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("slaves", "rdma0p0", 'rdma0 members: is "rdma0p0", should be "rdma0p0 rdma0p1"'),
        ("mode", "active-backup 1", 'rdma0 mode: is "active-backup", should be "802.3ad"'),
        ("lacp_rate", "slow 0", 'rdma0 lacp_rate: is "slow", should be "fast"'),
        ("xmit_hash_policy", "layer2 0", 'rdma0 xmit_hash_policy: is "layer2", should be'),
    ],
)
def test_a_bond_that_is_another_is_told(tmp_path: Path, file: str, text: str, said: str) -> None:
    host, script = machine(tmp_path / "m"), files(tmp_path)[SCRIPT]
    host.run(script, "--apply")
    host.put(f"sys/class/net/rdma0/bonding/{file}", text)
    checked = host.run(script, "--check")
    assert checked.returncode == 1
    assert said in checked.stdout


def test_a_bond_that_is_absent_is_told(tmp_path: Path) -> None:
    host, script = machine(tmp_path / "m"), files(tmp_path)[SCRIPT]
    shutil.rmtree(host.root / "sys/class/net/rdma0")
    checked = host.run(script, "--check")
    assert 'rdma0: is "absent, or no bond", should be "a bond of rdma0p0 rdma0p1"' in checked.stdout


def test_netplan(tmp_path: Path) -> None:
    network = yaml.safe_load(files(tmp_path)["60-fabric.yaml"])["network"]
    assert {name: said["mtu"] for name, said in network["ethernets"].items()} == {
        "rdma0p0": 9000,
        "rdma0p1": 9000,
    }
    bond = network["bonds"]["rdma0"]
    assert bond["interfaces"] == ["rdma0p0", "rdma0p1"]
    assert bond["parameters"] == {
        "mode": "802.3ad",
        "lacp-rate": "fast",
        "mii-monitor-interval": 100,
        "transmit-hash-policy": "layer3+4",
        "min-links": 1,
    }
    assert bond["addresses"] == ["10.0.0.1/31"]
    assert bond["routes"] == [{"to": "10.0.0.0/12", "via": "10.0.0.0", "table": 1000}]


@pytest.mark.skipif(shutil.which("netplan") is None, reason="netplan is not installed")
def test_netplan_itself_takes_it(tmp_path: Path) -> None:
    folder = tmp_path / "etc/netplan"
    folder.mkdir(parents=True)
    file = folder / "60-fabric.yaml"
    file.write_text(files(tmp_path, port="vlan")["60-fabric.yaml"])
    file.chmod(0o600)
    command = ["netplan", "generate", "--root-dir", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    made = {f.name: f.read_text() for f in (tmp_path / "run/systemd/network").iterdir()}
    device = made["10-netplan-rdma0.netdev"]
    assert "Mode=802.3ad\nLACPTransmitRate=fast\n" in device
    assert "TransmitHashPolicy=layer3+4" in device
    assert all("Bond=rdma0" in made[f"10-netplan-rdma0p{n}.network"] for n in range(2))


def test_ifupdown(tmp_path: Path) -> None:
    text = files(tmp_path, kind="ifupdown", port="vlan")["interfaces-fabric"]
    stanza = text[text.index("auto rdma0\n") :]
    assert stanza.splitlines()[1:10] == [
        "iface rdma0 inet static",
        "    address 10.0.0.2/24",
        "    mtu 9000",
        "    bond-slaves rdma0p0 rdma0p1",
        "    bond-mode 802.3ad",
        "    bond-miimon 100",
        "    bond-lacp-rate 1",
        "    bond-xmit-hash-policy layer3+4",
        "    bond-min-links 1",
    ]


def test_other_files(tmp_path: Path) -> None:
    made = files(tmp_path)
    assert 'NAME=="rdma0|rdma0p0|rdma0p1", GOTO="fabric_roce_nic"' in made["90-fabric-roce.rules"]
    assert variables(made["nccl.conf"])["NCCL_IB_HCA"] == "=mlx5_bond_0"
    assert "net.ipv4.conf.rdma0.arp_ignore = 1" in made["90-fabric-sysctl.conf"]


def test_the_script_is_clean(tmp_path: Path) -> None:
    file = tmp_path / "script.sh"
    file.write_text(files(tmp_path)[SCRIPT])
    subprocess.run(["/bin/sh", "-n", str(file)], check=True)
    checker = shutil.which("shellcheck")
    if checker is None:
        pytest.skip("shellcheck is not installed")
    done = subprocess.run([checker, str(file)], capture_output=True, text=True, check=False)
    assert done.stdout == ""
