"""fabric-host.sh run on pretended hosts."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fabric.design.hosts import HostModels
from fabric.model.qos import ClassMap, TrafficClass
from tests.design.hosts.made import made_design
from tests.platforms.linux.machine import Machine
from tests.platforms.linux.rendered import (
    CASES,
    DUAL_STACK,
    EIGHT_NICS,
    NO_VENDOR,
    ONE_NIC,
    THOR2,
    V6_ONLY,
    files_for,
    files_of_model,
)
from tests.samples import sample_rising_roce

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = "fabric-host.sh"
ETS = (
    "prio-tc 0:0 1:0 2:0 3:3 4:0 5:0 6:6 7:7"
    " tc-tsa 0:ets 1:strict 2:strict 3:ets 4:strict 5:strict 6:strict 7:strict"
    " tc-bw 0:50 1:0 2:0 3:50 4:0 5:0 6:0 7:0"
)
ADDRESSED = {
    "-o addr show dev rdma0": "2: rdma0    inet 10.0.0.5/31 scope global rdma0\\ valid_lft forever",
    "-4 rule show": "0:\tfrom all lookup local\n1000:\tfrom 10.0.0.5 lookup 1000 proto static\n",
    "-4 route show table 1000": "10.0.0.0/25 via 10.0.0.4 dev rdma0 proto static \n",
}


def _machine(home: Path) -> Machine:
    machine = Machine(home, {"rdma0": "mlx5_0"})
    for arguments, text in ADDRESSED.items():
        machine.say(arguments, text)
    return machine


def test_mlx5_is_set_once_and_then_left_alone(tmp_path: Path) -> None:
    machine = _machine(tmp_path)
    script = files_for(ONE_NIC)[SCRIPT]
    first = machine.run(script, "--apply")
    assert first.returncode == 0, first.stdout + first.stderr
    assert machine.calls == [
        "ip link set dev rdma0 mtu 9000",
        "ethtool -A rdma0 rx off tx off autoneg off",
        "mlnx_qos -i rdma0 -d os",
        "mlnx_qos -i rdma0 --trust dscp",
        *(f"mlnx_qos -i rdma0 --dscp2prio set,{d},0" for d in (24, 25, 27, 28, 29, 30, 31)),
        "mlnx_qos -i rdma0 --pfc 0,0,0,1,0,0,0,0",
        "mlnx_qos -i rdma0 --cable_len 5",
        "cma_roce_mode -d mlx5_0 -p 1 -m 2",
        "cma_roce_tos -d mlx5_0 -t 104",
    ]
    priorities = machine.priorities("rdma0")
    assert [dscp for dscp, priority in priorities.items() if priority == 3] == [26]
    assert priorities[48] == 6
    assert machine.read("sys/class/infiniband/mlx5_0/tc/1/traffic_class") == "104"
    ecn = "sys/class/net/rdma0/ecn"
    assert machine.read(f"{ecn}/roce_np/enable/3") == "1"
    assert machine.read(f"{ecn}/roce_rp/enable/3") == "1"
    assert machine.read(f"{ecn}/roce_np/cnp_dscp") == "48"
    assert machine.read(f"{ecn}/roce_np/params/cnp_802p_prio") == "6"
    conf = "proc/sys/net/ipv4/conf/rdma0"
    found = [machine.read(f"{conf}/{key}") for key in ("arp_ignore", "arp_announce", "rp_filter")]
    assert found == ["1", "2", "2"]
    assert machine.read(f"{conf}/forwarding") == "0"

    calls = machine.calls
    second = machine.run(script, "--apply")
    assert second.returncode == 0
    assert machine.calls == calls
    checked = machine.run(script, "--check")
    assert (checked.returncode, checked.stdout) == (0, "everything agrees with the switches\n")


def test_a_check_changes_nothing_and_names_every_difference(tmp_path: Path) -> None:
    machine = _machine(tmp_path)
    checked = machine.run(files_for(ONE_NIC)[SCRIPT], "--check")
    assert checked.returncode == 1
    assert machine.read("sys/class/infiniband/mlx5_0/tc/1/traffic_class") == "Global tclass=0"
    assert machine.calls == []
    for line in (
        'rdma0 MTU: is "1500", should be "9000"',
        'rdma0 global pause: is "RX:onTX:on", should be "RX:offTX:off"',
        'rdma0 DCBX mode: is "Firmware controlled", should be "OS controlled"',
        'rdma0 trust: is "pcp", should be "dscp"',
        'rdma0 PFC by priority: is "0,0,0,0,0,0,0,0", should be "0,0,0,1,0,0,0,0"',
        'rdma0 roce_rp enable/3: is "0", should be "1"',
        'mlx5_0 traffic class: is "0", should be "104"',
    ):
        assert line in checked.stdout.splitlines()


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (("trust", "pcp"), 'rdma0 trust: is "pcp", should be "dscp"'),
        (("dcbx", "fw"), 'rdma0 DCBX mode: is "Firmware controlled"'),
        (("pause", "on"), "rdma0 global pause"),
        (("pfc", "0,0,0,1,0,1,0,0"), 'rdma0 PFC by priority: is "0,0,0,1,0,1,0,0"'),
        (("cable", "7"), 'rdma0 cable length: is "7", should be "5"'),
    ],
)
def test_a_check_finds_what_was_changed_later(
    tmp_path: Path, break_it: tuple[str, str], said: str
) -> None:
    machine = _machine(tmp_path)
    script = files_for(ONE_NIC)[SCRIPT]
    assert machine.run(script, "--apply").returncode == 0
    machine.set_nic("rdma0", *break_it)
    checked = machine.run(script, "--check")
    assert checked.returncode == 1
    assert said in checked.stdout
    assert machine.run(script, "--apply").returncode == 0
    assert machine.run(script, "--check").returncode == 0


@pytest.mark.parametrize("gone", sorted(ADDRESSED))
def test_a_check_finds_missing_addresses_rules_and_routes(tmp_path: Path, gone: str) -> None:
    machine = _machine(tmp_path)
    script = files_for(ONE_NIC)[SCRIPT]
    machine.run(script, "--apply")
    machine.say(gone, "")
    checked = machine.run(script, "--check")
    assert checked.returncode == 1
    assert checked.stdout.count("not set") == 1
    # Applying is the network configuration's work, so it is no failure of --apply.
    assert machine.run(script, "--apply").returncode == 0


def test_longer_numbers_do_not_pass_for_the_address(tmp_path: Path) -> None:
    machine = _machine(tmp_path)
    script = files_for(ONE_NIC)[SCRIPT]
    machine.run(script, "--apply")
    machine.say("-4 rule show", "1000:\tfrom 10.0.0.5 lookup 10001")
    assert "rule of 10.0.0.5" in machine.run(script, "--check").stdout


def test_lldpad_is_refused(tmp_path: Path) -> None:
    machine = _machine(tmp_path)
    machine.start_lldpad()
    script = files_for(ONE_NIC)[SCRIPT]
    applied = machine.run(script, "--apply")
    assert applied.returncode == 2
    assert "lldpad" in applied.stderr
    assert machine.calls == []
    assert 'lldpad: is "running", should be "stopped"' in machine.run(script, "--check").stdout


@pytest.mark.parametrize("who", ["firmware", "lldpad"])
def test_a_willing_adapter_is_read_and_never_set(tmp_path: Path, who: str) -> None:
    machine = _machine(tmp_path)
    if who == "lldpad":
        machine.start_lldpad()
    script = files_for(replace(ONE_NIC, group=(("dcbx", who),)))[SCRIPT]
    applied = machine.run(script, "--apply")
    assert applied.returncode == 1
    assert [call for call in machine.calls if call.startswith("mlnx_qos")] == []
    assert 'rdma0 PFC by priority: is "0,0,0,0,0,0,0,0"' in applied.stdout
    mode = 'rdma0 DCBX mode: is "Firmware controlled", should be "OS controlled"'
    assert (mode in applied.stdout) is (who == "lldpad")
    # What DCBX has no word for is set all the same.
    assert machine.read("sys/class/net/rdma0/ecn/roce_rp/enable/3") == "1"
    assert machine.read("sys/class/infiniband/mlx5_0/tc/1/traffic_class") == "104"
    assert "-d os" not in script
    assert "nobody negotiates" not in script


def test_willing_lldpad_must_run(tmp_path: Path) -> None:
    script = files_for(replace(ONE_NIC, group=(("dcbx", "lldpad"),)))[SCRIPT]
    checked = _machine(tmp_path).run(script, "--check")
    assert 'lldpad: is "stopped", should be "running"' in checked.stdout


@pytest.mark.parametrize("who", ["firmware", "lldpad"])
def test_a_willing_adapter_without_vendor_tools(tmp_path: Path, who: str) -> None:
    machine = _machine(tmp_path)
    if who == "lldpad":
        machine.start_lldpad()
    wanted = replace(NO_VENDOR, group=(*NO_VENDOR.group, ("dcbx", who)))
    script = files_for(wanted)[SCRIPT]
    assert machine.run(script, "--apply").returncode == 1
    assert [call for call in machine.calls if call.startswith("dcb")] == []
    assert "willing off" not in script


def test_a_swapped_rdma_device_is_found(tmp_path: Path) -> None:
    machine = Machine(tmp_path, {"rdma0": "mlx5_7"})
    checked = machine.run(files_for(ONE_NIC)[SCRIPT], "--check")
    assert 'rdma0 RDMA device: is "mlx5_7", should be "mlx5_0"' in checked.stdout


def test_an_absent_nic_is_named_and_the_others_are_set(tmp_path: Path) -> None:
    machine = Machine(tmp_path, {f"rdma{n}": f"mlx5_{n}" for n in range(1, 8)})
    applied = machine.run(files_for(EIGHT_NICS)[SCRIPT], "--apply")
    assert applied.returncode == 1
    assert 'rdma0: is "absent", should be "present"' in applied.stdout
    assert machine.nic("rdma7", "trust") == "dscp"


def test_numa_nodes_are_compared(tmp_path: Path) -> None:
    machine = Machine(tmp_path, {f"rdma{n}": f"mlx5_{n}" for n in range(8)})
    checked = machine.run(files_for(EIGHT_NICS)[SCRIPT], "--check")
    wrong = [line for line in checked.stdout.splitlines() if "NUMA" in line]
    assert wrong == [f'rdma{n} NUMA node: is "0", should be "1"' for n in range(4, 8)]


def test_what_a_driver_lacks_is_not_passed_over(tmp_path: Path) -> None:
    machine = _machine(tmp_path)
    for path in ("sys/class/infiniband/mlx5_0/tc", "sys/class/net/rdma0/ecn"):
        shutil.rmtree(machine.root / path)
    script = files_for(ONE_NIC)[SCRIPT]
    applied = machine.run(script, "--apply")
    assert applied.returncode == 0
    lines = machine.run(script, "--check").stdout.splitlines()
    assert sum(": not checked: this driver has no /sys/class" in line for line in lines) == 5


def test_a_failing_tool_stops_the_script(tmp_path: Path) -> None:
    machine = _machine(tmp_path)
    program = tmp_path / "bin" / "cma_roce_tos"
    program.write_text('#!/bin/sh\n[ "$3" = -t ] && { echo "no such device"; exit 1; }; echo 0\n')
    applied = machine.run(files_for(ONE_NIC)[SCRIPT], "--apply")
    assert applied.returncode == 1
    assert "cma_roce_tos -d mlx5_0 -t 104: no such device" in applied.stderr


def test_a_missing_tool_is_named(tmp_path: Path) -> None:
    machine = _machine(tmp_path)
    (tmp_path / "bin" / "mlnx_qos").unlink()
    applied = machine.run(files_for(ONE_NIC)[SCRIPT], "--apply")
    assert (applied.returncode, applied.stderr) == (
        2,
        "fabric-host.sh: mlnx_qos is not installed\n",
    )


@pytest.mark.parametrize("arguments", [(), ("--help",), ("--check=1",)])
def test_anything_else_is_a_usage_error(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    machine = _machine(tmp_path)
    done = machine.run(files_for(ONE_NIC)[SCRIPT], *arguments)
    assert done.returncode == 2
    assert "usage:" in done.stderr


def test_without_vendor_tools_dcb_does_it(tmp_path: Path) -> None:
    machine = _machine(tmp_path)
    script = files_for(NO_VENDOR)[SCRIPT]
    applied = machine.run(script, "--apply")
    assert applied.returncode == 0, applied.stdout + applied.stderr
    assert machine.calls == [
        "ip link set dev rdma0 mtu 9000",
        "ethtool -A rdma0 rx off tx off autoneg off",
        "dcb dcbx set dev rdma0 host ieee",
        *(f"dcb app replace dev rdma0 dscp-prio {pair}" for pair in ("26:3", "48:6", "56:7")),
        "dcb apptrust set dev rdma0 order dscp pcp",
        "dcb pfc set dev rdma0 prio-pfc all:off 3:on",
        f"dcb ets set dev rdma0 {ETS}",
        "dcb ets set dev rdma0 willing off",
    ]
    port = "sys/kernel/config/rdma_cm/mlx5_0/ports/1"
    assert machine.read(f"{port}/default_roce_tos") == "104"
    assert machine.read(f"{port}/default_roce_mode") == "RoCE v2"
    calls = machine.calls
    assert machine.run(script, "--apply").returncode == 0
    assert machine.calls == calls
    checked = machine.run(script, "--check")
    assert checked.returncode == 0
    assert "CNP (should be DSCP 48, priority 6): not checked:" in checked.stdout


def test_older_iproute2_without_apptrust(tmp_path: Path) -> None:
    machine = _machine(tmp_path)
    shutil.rmtree(tmp_path / "nics/rdma0/dcb/apptrust")
    script = files_for(NO_VENDOR)[SCRIPT]
    assert machine.run(script, "--apply").returncode == 0
    assert 'rdma0 trust: not checked: dcb apptrust show dev rdma0: Object "apptrust"' in (
        machine.run(script, "--check").stdout
    )


def test_a_second_priority_for_a_dscp_is_removed(tmp_path: Path) -> None:
    machine = _machine(tmp_path)
    script = files_for(NO_VENDOR)[SCRIPT]
    machine.run(script, "--apply")
    machine.set_nic("rdma0", "dcb/app/dscp-prio", "26:3 26:5 48:6 56:7")
    checked = machine.run(script, "--check")
    assert 'rdma0 priority of DSCP 26: is "3 5", should be "3"' in checked.stdout


@pytest.mark.parametrize("table", ["app", "pfc"])
def test_an_adapter_without_dcb_is_refused(tmp_path: Path, table: str) -> None:
    machine = _machine(tmp_path)
    shutil.rmtree(tmp_path / "nics/rdma0/dcb" / table)
    applied = machine.run(files_for(NO_VENDOR)[SCRIPT], "--apply")
    assert applied.returncode == 2
    assert "Operation not supported" in applied.stderr


def test_broadcom_names_the_adapters_own_default() -> None:
    script = files_for(replace(NO_VENDOR, group=(("nic", THOR2),)))[SCRIPT]
    assert "(by default bcm57608 has DSCP 48, priority 7)" in script
    assert "should be DSCP 48, priority 6" in script
    assert "mlnx_qos -i" not in script


def _classes(dscp: int, priority: int) -> ClassMap:
    rest = tuple(d for d in range(64) if d not in {dscp, 48})
    return ClassMap(
        (
            TrafficClass("default", rest, 0, 0, 0, 0, lossless=False, scheduler="dwrr", weight=1),
            TrafficClass(
                "roce",
                (dscp,),
                priority,
                priority,
                priority,
                priority,
                lossless=True,
                scheduler="dwrr",
                weight=1,
            ),
            TrafficClass("cnp", (48,), 6, 6, 6, 0, lossless=False, scheduler="strict"),
        )
    )


@pytest.mark.parametrize(("dscp", "priority"), [(46, 3), (46, 5), (26, 3), (10, 4)])
def test_the_map_changes_only_where_it_is_not_dscp_over_8(
    tmp_path: Path, dscp: int, priority: int
) -> None:
    model = HostModels(made_design(ONE_NIC)).of("gpu-2")
    roce = replace(model.roce, dscp=dscp, priority=priority)
    model = replace(model, roce=roce, class_map=_classes(dscp, priority))
    machine = _machine(tmp_path)
    machine.put(f"sys/class/net/rdma0/ecn/roce_np/enable/{priority}", "0")
    machine.put(f"sys/class/net/rdma0/ecn/roce_rp/enable/{priority}", "0")
    applied = machine.run(files_of_model(model)[SCRIPT], "--apply")
    assert applied.returncode == 0, applied.stdout + applied.stderr
    mapped = [call for call in machine.calls if f"set,{dscp}," in call]
    assert bool(mapped) == (dscp // 8 != priority)
    assert not any("--trust" in call and "--dscp2prio" in call for call in machine.calls)
    found = machine.priorities("rdma0")
    assert [d for d, p in found.items() if p == priority] == [dscp]


def test_both_ends_of_the_loop_are_on_for_every_class_that_the_switches_mark(
    tmp_path: Path,
) -> None:
    """A second lossless class with the reaction point off slows down for pauses alone (FC-35)."""
    model = HostModels(made_design(ONE_NIC)).of("gpu-2")
    default, roce, cnp = _classes(26, 3).classes
    rest = tuple(d for d in default.dscps if d != 40)
    storage = replace(
        roce, name="storage", dscps=(40,), priority=5, traffic_class=5, queue=5, priority_group=5
    )
    model = replace(model, class_map=ClassMap((replace(default, dscps=rest), roce, storage, cnp)))
    script = files_of_model(model)[SCRIPT]
    machine = _machine(tmp_path)
    ends = [
        f"sys/class/net/rdma0/ecn/{end}/enable/{p}"
        for end in ("roce_np", "roce_rp")
        for p in (3, 5)
    ]
    for end in ends:
        machine.put(end, "0")
    assert 'rdma0 roce_rp enable/5: is "0", should be "1"' in machine.run(script, "--check").stdout
    assert machine.run(script, "--apply").returncode == 0
    assert [machine.read(end) for end in ends] == ["1"] * 4


@pytest.mark.parametrize("case", [*CASES, "dual", "v6"])
def test_scripts_are_clean(tmp_path: Path, case: str) -> None:
    wanted = {**CASES, "dual": DUAL_STACK, "v6": V6_ONLY}[case]
    scripts = {name: text for name, text in files_for(wanted).items() if name.endswith(".sh")}
    assert scripts
    for name, text in scripts.items():
        file = tmp_path / name
        file.write_text(text)
        assert text.startswith("#!/bin/sh\n# fabric sample")
        subprocess.run(["/bin/sh", "-n", str(file)], check=True)
        checker = shutil.which("shellcheck")
        if checker is None:
            pytest.skip("shellcheck is not installed")
        done = subprocess.run(
            [checker, "-s", "sh", str(file)], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout) == (0, "")


def test_a_host_receives_and_pauses_the_class_that_roce_rises_to(tmp_path: Path) -> None:
    """Dragonfly: 34 on priority 4 arrives, is paused and answered; 26 is what is sent."""
    roce = sample_rising_roce()
    model = replace(
        HostModels(made_design(ONE_NIC)).of("gpu-2"), roce=roce, class_map=roce.class_map
    )
    files = files_of_model(model)
    machine = _machine(tmp_path)
    ends = [
        f"sys/class/net/rdma0/ecn/{end}/enable/{p}"
        for end in ("roce_np", "roce_rp")
        for p in (3, 4)
    ]
    for end in ends:
        machine.put(end, "0")
    applied = machine.run(files[SCRIPT], "--apply")
    assert applied.returncode == 0, applied.stdout + applied.stderr
    assert "mlnx_qos -i rdma0 --pfc 0,0,0,1,1,0,0,0" in machine.calls
    assert [machine.read(end) for end in ends] == ["1"] * 4
    priorities = machine.priorities("rdma0")
    by_priority = {p: [d for d, found in priorities.items() if found == p] for p in (3, 4, 6)}
    assert by_priority[3] == [26]
    assert by_priority[4] == [34]
    assert 48 in by_priority[6]
    # Nothing is sent in it: 26 · 4 everywhere.
    assert "cma_roce_tos -d mlx5_0 -t 104" in machine.calls
    assert machine.read("sys/class/infiniband/mlx5_0/tc/1/traffic_class") == "104"
    assert "NCCL_IB_TC=104" in files["nccl.conf"].splitlines()
    machine.set_nic("rdma0", "pfc", "0,0,0,1,0,0,0,0")
    checked = machine.run(files[SCRIPT], "--check")
    assert checked.returncode == 1
    assert 'is "0,0,0,1,0,0,0,0", should be "0,0,0,1,1,0,0,0"' in checked.stdout
