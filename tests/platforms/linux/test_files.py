"""The other files of a host, parsed back and compared with what the design says."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from ipaddress import ip_interface
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from fabric.catalog import platform_spec
from fabric.design.hosts import HostModels
from fabric.text import Renderer
from tests.design.hosts.made import Wanted, made_design, one_leaf
from tests.platforms.linux.rendered import (
    CASES,
    DUAL_STACK,
    EIGHT_NICS,
    NO_VENDOR,
    ONE_NIC,
    TEMPLATES,
    V6_ONLY,
    files_for,
    files_of_model,
    variables,
)

if TYPE_CHECKING:
    from fabric.model.device import HostModel

GOLDEN = Path(__file__).with_name("golden")


def _model(wanted: Wanted, name: str = "gpu-2") -> HostModel:
    return HostModels(made_design(wanted)).of(name)


@pytest.mark.parametrize("case", sorted(CASES))
def test_golden(case: str) -> None:
    files = files_for(CASES[case])
    folder = GOLDEN / case
    assert sorted(files) == sorted(file.name for file in folder.iterdir())
    for name, text in files.items():
        assert text == (folder / name).read_text(), f"{case}/{name}"


def test_rendering_again_gives_the_same_bytes() -> None:
    renderer = Renderer((TEMPLATES,))
    model = _model(EIGHT_NICS)
    assert renderer.host(model) == renderer.host(model) == Renderer((TEMPLATES,)).host(model)


def test_modes_and_places() -> None:
    spec = platform_spec("linux", (TEMPLATES,))
    assert spec.kind == "host"
    modes = {file.name: file.mode for file in spec.files}
    assert modes["fabric-host.sh"] == modes["nccl-tests.sh"] == "0755"
    assert modes["60-fabric.yaml"] == "0600"  # netplan warns about files that others can read
    assert len({file.remote_path for file in spec.files}) == len(spec.files)


def test_one_of_the_two_network_configurations_is_written() -> None:
    assert "interfaces-fabric" not in files_for(ONE_NIC)
    assert "60-fabric.yaml" not in files_for(EIGHT_NICS)


def _netplan(wanted: Wanted) -> dict[str, Any]:
    loaded = yaml.safe_load(files_for(wanted)["60-fabric.yaml"])
    ethernets: dict[str, Any] = loaded["network"]["ethernets"]
    return ethernets


@pytest.mark.parametrize("wanted", [ONE_NIC, one_leaf(8), V6_ONLY, Wanted(v6=True)])
def test_netplan_gives_each_nic_its_own_table(wanted: Wanted) -> None:
    model = _model(wanted)
    ethernets = _netplan(wanted)
    assert list(ethernets) == [nic.netdev for nic in model.nics]
    tables = set()
    for nic in model.nics:
        said = ethernets[nic.netdev]
        assert said["mtu"] == 9000
        assert tuple(said["addresses"]) == nic.addresses
        assert [(route["to"], route["via"]) for route in said["routes"]] == list(
            zip(model.aggregates, nic.gateways, strict=True)
        )
        assert [rule["from"] for rule in said["routing-policy"]] == [
            str(ip_interface(address).ip) for address in nic.addresses
        ]
        own = {entry["table"] for entry in (*said["routes"], *said["routing-policy"])}
        assert own == {nic.table}
        tables |= own
    assert len(tables) == len(model.nics)


@pytest.mark.parametrize("wanted", [ONE_NIC, EIGHT_NICS, DUAL_STACK, V6_ONLY])
def test_no_default_route_and_nothing_in_the_main_table(wanted: Wanted) -> None:
    files = files_for(wanted)
    text = files.get("60-fabric.yaml") or files["interfaces-fabric"]
    assert "default" not in text
    assert "0.0.0.0/0" not in text
    assert "gateway" not in text
    if "interfaces-fabric" in files:
        routes = [line for line in text.splitlines() if "ip -" in line and " route " in line]
        assert routes
        assert all(" table 1" in line for line in routes)


def test_ifupdown_says_the_same_as_the_model() -> None:
    model = _model(EIGHT_NICS)
    text = files_for(EIGHT_NICS)["interfaces-fabric"]
    stanzas = text.split("allow-hotplug ")[1:]
    assert len(stanzas) == 8
    for nic, stanza in zip(model.nics, stanzas, strict=True):
        address, gateway = nic.addresses[0], nic.gateways[0]
        bare = str(ip_interface(address).ip)
        rule = f"from {bare} lookup {nic.table} priority {nic.table}"
        way = f"via {gateway} dev {nic.netdev} table {nic.table}"
        lines = [line.strip() for line in stanza.splitlines()]
        assert lines[:8] == [
            nic.netdev,
            f"iface {nic.netdev} inet static",
            f"address {address}",
            "mtu 9000",
            f"post-up ip -4 route replace 10.0.0.0/25 {way}",
            f"post-up ip -4 rule del {rule} 2>/dev/null || true",
            f"post-up ip -4 rule add {rule}",
            f"pre-down ip -4 rule del {rule} 2>/dev/null || true",
        ]


def test_ifupdown_with_both_families_has_a_stanza_each() -> None:
    lines = files_for(DUAL_STACK)["interfaces-fabric"].splitlines()
    assert "iface rdma0 inet static" in lines
    assert "iface rdma0 inet6 static" in lines
    assert "    accept_ra 0" in lines
    assert "    post-up ip -6 route replace fd00::/64 via fd00::14 dev rdma0 table 1000" in lines


def test_ifup_understands_it(tmp_path: Path) -> None:
    program = shutil.which("ifup", path="/usr/sbin:/sbin:/usr/bin:/bin")
    if program is None:
        pytest.skip("ifupdown is not installed")
    file = tmp_path / "fabric"
    file.write_text(files_for(DUAL_STACK)["interfaces-fabric"])
    done = subprocess.run(
        [program, "--no-act", "--force", "-i", str(file), f"--state-dir={tmp_path}", "rdma0"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("wanted", [one_leaf(8), Wanted(v6=True)])
def test_netplan_understands_it(tmp_path: Path, wanted: Wanted) -> None:
    program = shutil.which("netplan", path="/usr/sbin:/sbin:/usr/bin:/bin")
    if program is None:
        pytest.skip("netplan is not installed")
    file = tmp_path / "etc/netplan/60-fabric.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(files_for(wanted)["60-fabric.yaml"])
    file.chmod(0o600)
    done = subprocess.run(
        [program, "generate", "--root-dir", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    made = (tmp_path / "run/systemd/network/10-netplan-rdma0.network").read_text()
    assert "[RoutingPolicyRule]\nFrom=10.0.0.5\nTable=1000\nPriority=1000" in made.replace(
        "10.0.0.33", "10.0.0.5"
    )


def test_sysctl_of_every_nic() -> None:
    text = files_for(EIGHT_NICS)["90-fabric-sysctl.conf"]
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    found = dict(line.split(" = ") for line in lines)
    assert found.pop("net.ipv4.ip_forward") == "0"
    expected = {"arp_ignore": "1", "arp_announce": "2", "rp_filter": "2", "forwarding": "0"}
    assert found == {
        f"net.ipv4.conf.rdma{n}.{key}": value for n in range(8) for key, value in expected.items()
    }


def test_sysctl_of_an_interface_with_a_dot() -> None:
    text = files_for(Wanted(group=(("netdevs", ("ens1.100",)),)))["90-fabric-sysctl.conf"]
    assert "net.ipv4.conf.ens1/100.rp_filter = 2" in text


def test_sysctl_of_ipv6_alone() -> None:
    text = files_for(V6_ONLY)["90-fabric-sysctl.conf"]
    assert "net.ipv6.conf.all.forwarding = 0" in text
    assert "ipv4" not in text
    for key in ("accept_ra", "autoconf", "disable_ipv6", "forwarding"):
        assert f"\nnet.ipv6.conf.rdma0.{key} = 0\n" in text


def test_unit_runs_again_when_a_nic_comes_back() -> None:
    files = files_for(EIGHT_NICS)
    unit = files["fabric-roce.service"].splitlines()
    assert "ExecStart=/usr/local/sbin/fabric-host.sh --apply" in unit
    assert "Type=oneshot" in unit
    assert not any(line.startswith("RemainAfterExit") for line in unit)
    rules = files["90-fabric-roce.rules"]
    names = "|".join(f"rdma{n}" for n in range(8))
    assert f'NAME=="{names}", GOTO="fabric_roce_nic"' in rules
    assert 'ENV{SYSTEMD_WANTS}+="fabric-roce.service"' in rules


def test_nccl_of_one_nic() -> None:
    assert variables(files_for(ONE_NIC)["nccl.conf"]) == {
        "NCCL_IB_HCA": "=mlx5_0",
        "NCCL_IB_TC": "104",
        "NCCL_IB_FIFO_TC": "104",
        "NCCL_IB_SL": "0",
        "NCCL_IB_ROCE_VERSION_NUM": "2",
        "NCCL_IB_ADDR_FAMILY": "AF_INET",
        "NCCL_IB_ADDR_RANGE": "10.0.0.0/25",
        "NCCL_IB_QPS_PER_CONNECTION": "4",
        "NCCL_CROSS_NIC": "2",
        "NCCL_SOCKET_IFNAME": "=eth0",
    }


def test_environment_of_ucx_and_nvshmem() -> None:
    found = variables(files_for(EIGHT_NICS)["roce.env"])
    assert found["UCX_NET_DEVICES"] == ",".join(f"mlx5_{n}:1" for n in range(8))
    assert found["UCX_IB_TRAFFIC_CLASS"] == found["NVSHMEM_IB_TRAFFIC_CLASS"] == "104"
    assert found["NVSHMEM_IB_ADDR_RANGE"] == found["NCCL_IB_ADDR_RANGE"] == "10.0.0.0/25"
    assert found["NVSHMEM_IB_SL"] == "0"


def test_ipv6_alone_says_so() -> None:
    found = variables(files_for(V6_ONLY)["nccl.conf"])
    assert found["NCCL_IB_ADDR_FAMILY"] == "AF_INET6"
    assert found["NCCL_IB_ADDR_RANGE"] == "fd00::/64"
    others = variables(files_for(V6_ONLY)["roce.env"])
    assert others["NVSHMEM_IB_ADDR_FAMILY"] == "AF_INET6"
    assert others["NVSHMEM_IB_ADDR_RANGE"] == others["UCX_IB_ROCE_SUBNETS"] == "fd00::/64"


@pytest.mark.parametrize(
    ("rdma", "family", "prefix"),
    [(None, "AF_INET", "10.0.0.0/25"), ("ipv6", "AF_INET6", "fd00::/64")],
)
def test_of_two_families_one_is_named_for_rdma(rdma: str | None, family: str, prefix: str) -> None:
    design = made_design(DUAL_STACK)
    policy = replace(design.intent.addressing, rdma_in_dual=rdma)
    design = replace(design, intent=replace(design.intent, addressing=policy))
    files = files_of_model(HostModels(design).of("gpu-2"))
    found = variables(files["roce.env"])
    assert found["NCCL_IB_ADDR_FAMILY"] == found["NVSHMEM_IB_ADDR_FAMILY"] == family
    assert found["NCCL_IB_ADDR_RANGE"] == prefix
    # UCX prefers IPv4 by itself.
    assert found.get("UCX_IB_ROCE_SUBNETS") == (prefix if rdma else None)


@pytest.mark.parametrize("wanted", [ONE_NIC, EIGHT_NICS, V6_ONLY, DUAL_STACK, NO_VENDOR])
def test_no_fixed_gid_index_and_no_diagnosis_left_on(wanted: Wanted) -> None:
    for name in ("nccl.conf", "roce.env"):
        found = variables(files_for(wanted)[name])
        assert not {
            "NCCL_IB_GID_INDEX",
            "NVSHMEM_IB_GID_INDEX",
            "UCX_IB_GID_INDEX",
            "NCCL_SHM_DISABLE",
            "NCCL_P2P_DISABLE",
            "NCCL_NET",
            "NCCL_ALGO",
            "NCCL_DEBUG",
        } & set(found)


@pytest.mark.parametrize("wanted", [ONE_NIC, EIGHT_NICS, V6_ONLY, NO_VENDOR])
def test_comments_of_nccl_conf_hold_no_equals_sign(wanted: Wanted) -> None:
    # NCCL before 2.27 splits any line at the first one, comment or not.
    text = files_for(wanted)["nccl.conf"]
    assert not any("=" in line for line in text.splitlines() if line.startswith("#"))
    assert not any(line != line.strip() or "'" in line for line in variables(text).values())


@pytest.mark.parametrize("dscp", range(64))
def test_traffic_class_is_dscp_times_four(dscp: int) -> None:
    model = _model(ONE_NIC)
    files = files_of_model(replace(model, roce=replace(model.roce, dscp=dscp)))
    expected = str(dscp << 2)
    found = variables(files["nccl.conf"])
    assert found["NCCL_IB_TC"] == found["NCCL_IB_FIFO_TC"] == expected
    assert variables(files["roce.env"])["NVSHMEM_IB_TRAFFIC_CLASS"] == expected
    assert f"\nroce_tos={expected} " in files["fabric-host.sh"]
    assert f"export NCCL_IB_TC='{expected}'" in files["nccl-tests.sh"]


def test_the_users_variables_come_in_place_of_ours() -> None:
    env = (("NCCL_IB_TC", "106"), ("NCCL_IB_TIMEOUT", "22"), ("NCCL_P2P_DISABLE", "1"))
    files = files_for(Wanted(group=(("env", env),)))
    found = variables(files["nccl.conf"])
    assert found["NCCL_IB_TC"] == "106"
    assert found["NCCL_IB_TIMEOUT"] == "22"
    # The user's own decision; a rule says what is wrong with it.
    assert found["NCCL_P2P_DISABLE"] == "1"
    assert files["nccl.conf"].count("NCCL_IB_TC=") == 1
    assert "# from the inventory\nNCCL_IB_TC=106\n" in files["nccl.conf"]


def test_an_rdma_device_left_open_leaves_no_half_list() -> None:
    wanted = replace(one_leaf(2), group=(("rdma_devices", ("mlx5_0", None)),))
    found = variables(files_for(wanted)["roce.env"])
    assert "NCCL_IB_HCA" not in found
    assert "UCX_NET_DEVICES" not in found


def _tests_script(wanted: Wanted, tmp_path: Path, *arguments: str) -> str:
    """Run nccl-tests.sh with launchers that print their command line."""
    for launcher in ("mpirun", "srun"):
        program = tmp_path / launcher
        program.write_text('#!/bin/sh\nprintf "%s\\n" "${0##*/}" "$@"\nenv | grep ^NCCL_\n')
        program.chmod(0o755)
    script = tmp_path / "nccl-tests.sh"
    script.write_text(files_for(wanted)["nccl-tests.sh"])
    done = subprocess.run(
        ["/bin/sh", str(script), *arguments],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_hosts_in_rank_order(tmp_path: Path) -> None:
    assert _tests_script(ONE_NIC, tmp_path, "hosts").split() == [f"gpu-{n}" for n in range(4)]
    odd = Wanted(names=("a09", "a10", "b", "a12"))
    assert _tests_script_of(odd, tmp_path, "a09") == ["a09", "a10", "b", "a12"]


def _tests_script_of(wanted: Wanted, tmp_path: Path, name: str) -> list[str]:
    script = tmp_path / "hosts.sh"
    script.write_text(files_for(wanted, name)["nccl-tests.sh"])
    done = subprocess.run(
        ["/bin/sh", str(script), "hosts"], capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_mpirun_line(tmp_path: Path) -> None:
    words = _tests_script(EIGHT_NICS, tmp_path, "mpirun", "./all_reduce_perf_mpi").split("\n")
    assert words[:3] == ["mpirun", "-np", "32"]
    assert words[words.index("-H") + 1] == "gpu-0:8,gpu-1:8,gpu-2:8,gpu-3:8"
    assert words[words.index("--map-by") + 1] == "ppr:8:node"
    assert words[words.index("--bind-to") + 1] == "none"
    assert words[words.index("btl_tcp_if_include") + 1] == "eth0"
    start = words.index("./all_reduce_perf_mpi")
    options = "-b 8 -e 8G -f 2 -g 1 -n 20 -w 5 -c 1 -a 3"
    assert " ".join(words[start + 1 : start + 1 + len(options.split())]) == options
    passed = {words[n + 1] for n, word in enumerate(words) if word == "-x"}
    assert {"NCCL_IB_TC", "NCCL_IB_HCA", "NCCL_NET", "PATH"} <= passed
    assert "NCCL_ALGO" not in passed
    assert "NCCL_IB_HCA==" + ",".join(f"mlx5_{n}" for n in range(8)) in words
    assert "NCCL_NET=IB" in words


def test_numa_nodes_of_the_ranks() -> None:
    script = files_for(EIGHT_NICS)["nccl-tests.sh"]
    assert "\n0 | 1 | 2 | 3) node=0 ;;\n4 | 5 | 6 | 7) node=1 ;;\n" in script
    unknown = files_for(ONE_NIC)["nccl-tests.sh"]
    assert "mpi_binding='--bind-to numa'" in unknown
    assert "numactl" not in unknown


def test_two_hosts_are_measured_with_rings(tmp_path: Path) -> None:
    printed = _tests_script(ONE_NIC, tmp_path, "srun", "./all_reduce_perf_mpi", "2").split("\n")
    assert printed[:6] == ["srun", "--mpi=pmix", "-N", "2", "-w", "gpu-0,gpu-1"]
    assert "--export=ALL" in printed
    assert "--distribution=block" in printed
    assert "NCCL_ALGO=Ring" in printed


def test_no_launcher_without_gpus() -> None:
    assert "nccl-tests.sh" not in files_for(NO_VENDOR)


@pytest.mark.parametrize("wanted", [ONE_NIC, EIGHT_NICS, NO_VENDOR, DUAL_STACK])
def test_dcbx_is_stated(wanted: Wanted) -> None:
    script = files_for(wanted)["fabric-host.sh"]
    assert "DCBX: nobody negotiates" in script
    assert "lldpad must not run" in script
