"""A bond to two leaves: the host has to speak ARP to both, and to see both in one aggregator."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
import yaml

from fabric import flow
from tests.platforms.linux.machine import Machine
from tests.platforms.linux.rendered import files_of

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = "fabric-host.sh"
BONDING = {
    "slaves": "rdma0p0 rdma0p1",
    "mode": "802.3ad 4",
    "lacp_rate": "fast 1",
    "xmit_hash_policy": "layer3+4 1",
    "ad_num_ports": "2",
}
ADDRESSED = {
    "-o addr show dev rdma0": "2: rdma0    inet 10.0.0.1/31 scope global rdma0\\ valid_lft forever",
    "-4 rule show": "0:\tfrom all lookup local\n1000:\tfrom 10.0.0.1 lookup 1000 proto static\n",
    "-4 route show table 1000": "10.0.0.0/12 via 10.0.0.0 dev rdma0 proto static \n",
    # iproute2, ip/iplink_bond.c: print_on_off after coupled_control
    "-d link show dev rdma0": "    bond mode 802.3ad miimon 100 coupled_control on "
    "broadcast_neighbor off tlb_dynamic_lb 1 addrgenmode eui64",
}


def files(folder: Path, *, kind: str = "netplan", attach: str = "dual-tor") -> dict[str, str]:
    path = folder / "f.yaml"
    path.write_text(
        "fabric: f\ntopology: {kind: leaf-spine, leaves: 2, spines: 1}\n"
        "platforms: {default: {platform: frr, model: generic}}\n"
        f"hosts: {{names: [gpu-0], nic: connectx-6, speed: 100, attach: {attach}, "
        f"network_config: {kind}}}\n"
    )
    return files_of(flow.load(path), "gpu-0")


def machine(home: Path) -> Machine:
    made = Machine(home, {"rdma0p0": "mlx5_bond_0", "rdma0p1": "mlx5_bond_0"})
    made.put("sys/class/net/rdma0/mtu", "9000")
    for file, text in BONDING.items():
        made.put(f"sys/class/net/rdma0/bonding/{file}", text)
    for file in ("arp_ignore", "arp_announce", "rp_filter", "forwarding"):
        made.put(f"proc/sys/net/ipv4/conf/rdma0/{file}", "0")
    for arguments, text in ADDRESSED.items():
        made.say(arguments, text)
    return made


def test_arp_is_sent_to_both_leaves_and_a_second_run_changes_nothing(tmp_path: Path) -> None:
    host, script = machine(tmp_path / "m"), files(tmp_path)[SCRIPT]
    checked = host.run(script, "--check")
    assert 'rdma0 broadcast_neighbor: is "off", should be "on"' in checked.stdout
    done = host.run(script, "--apply")
    assert (done.returncode, done.stderr) == (0, "")
    assert "ip link set dev rdma0 type bond broadcast_neighbor on" in host.calls
    before = host.calls
    assert host.run(script, "--apply").stdout == "everything agrees with the switches\n"
    assert host.calls == before
    assert host.run(script, "--check").returncode == 0


def test_a_system_that_is_too_old_is_told(tmp_path: Path) -> None:
    host, script = machine(tmp_path / "m"), files(tmp_path)[SCRIPT]
    host.say("-d link show dev rdma0", "    bond mode 802.3ad miimon 100")
    (host.home / "old-iproute2").touch()
    checked = host.run(script, "--check")
    assert 'rdma0 broadcast_neighbor: is "not set", should be "on"' in checked.stdout
    done = host.run(script, "--apply")
    assert done.returncode == 1
    assert 'unknown command "broadcast_neighbor"' in done.stderr


def test_a_leaf_that_is_another_lacp_system_is_told(tmp_path: Path) -> None:
    host, script = machine(tmp_path / "m"), files(tmp_path)[SCRIPT]
    host.run(script, "--apply")
    host.put("sys/class/net/rdma0/bonding/ad_num_ports", "1")
    checked = host.run(script, "--check")
    assert checked.returncode == 1
    assert 'rdma0 ad_num_ports: is "1", should be "2"' in checked.stdout


@pytest.mark.parametrize("attach", ["single", "bond"])
def test_others_have_nothing_of_it(tmp_path: Path, attach: str) -> None:
    assert all("two_leaves" not in text for text in files(tmp_path, attach=attach).values())


def test_the_network_files_name_both_leaves(tmp_path: Path) -> None:
    text = files(tmp_path)["60-fabric.yaml"]
    assert '    "rdma0": # leaf-0 bond10 and leaf-1 bond10\n' in text
    bond = yaml.safe_load(text)["network"]["bonds"]["rdma0"]
    assert (bond["interfaces"], bond["addresses"]) == (["rdma0p0", "rdma0p1"], ["10.0.0.1/31"])
    assert bond["routes"] == [{"to": "10.0.0.0/12", "via": "10.0.0.0", "table": 1000}]
    text = files(tmp_path, kind="ifupdown")["interfaces-fabric"]
    assert "# leaf-0 bond10 and leaf-1 bond10\nauto rdma0\n" in text


def test_the_script_is_clean(tmp_path: Path) -> None:
    file = tmp_path / "script.sh"
    file.write_text(files(tmp_path)[SCRIPT])
    subprocess.run(["/bin/sh", "-n", str(file)], check=True)
    checker = shutil.which("shellcheck")
    if checker is None:
        pytest.skip("shellcheck is not installed")
    done = subprocess.run([checker, str(file)], capture_output=True, text=True, check=False)
    assert done.stdout == ""
