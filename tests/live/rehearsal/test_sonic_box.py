# ruff: noqa: S108 - paths on the fake
from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from fabric.live.rehearsal.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.live.rehearsal.box import Setup
    from fabric.live.rehearsal.control import Rehearsal
    from tests.live.rehearsal.client import Client

    Start = Callable[..., Rehearsal]
    Connect = Callable[[Rehearsal, str], Client]

_POOL = {"ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "1000"}}


@pytest.fixture
def box(start: Start, connect: Connect, sonic: Setup) -> tuple[Rehearsal, Client]:
    rehearsal = start(sonic)
    return rehearsal, connect(rehearsal, "leaf1")


def _tables(client: Client) -> Any:
    return json.loads(client.out("sonic-cfggen -d --print-data"))


def _reload(rehearsal: Rehearsal, client: Client, tables: Any, connect: Connect) -> Client:
    client.put("/tmp/new.json", json.dumps(tables))
    assert client.run("sudo config reload -y /tmp/new.json")[0] == -1  # the session dies with it
    rehearsal.advance(61)
    return connect(rehearsal, "leaf1")


def test_reload_replaces_what_runs_and_leaves_the_startup_file(
    box: tuple[Rehearsal, Client], connect: Connect
) -> None:
    rehearsal, client = box
    startup = client.out("cat /etc/sonic/config_db.json")
    tables = _tables(client)
    del tables["BGP_NEIGHBOR"]
    tables["BUFFER_POOL"] = _POOL
    client = _reload(rehearsal, client, tables, connect)
    now = _tables(client)
    assert "BGP_NEIGHBOR" not in now
    assert now["BUFFER_POOL"] == _POOL
    assert client.out("cat /etc/sonic/config_db.json") == startup
    rehearsal.reboot("leaf1")
    rehearsal.advance(100)
    assert "BGP_NEIGHBOR" in _tables(connect(rehearsal, "leaf1"))


def test_save_then_reboot_keeps(box: tuple[Rehearsal, Client], connect: Connect) -> None:
    rehearsal, client = box
    tables = _tables(client)
    tables["BUFFER_POOL"] = _POOL
    client = _reload(rehearsal, client, tables, connect)
    client.out("sudo config save -y")
    rehearsal.reboot("leaf1")
    rehearsal.advance(100)
    assert _tables(connect(rehearsal, "leaf1"))["BUFFER_POOL"] == _POOL


def test_while_containers_start_a_reload_is_refused_without_force(
    box: tuple[Rehearsal, Client], connect: Connect
) -> None:
    rehearsal, client = box
    client.run("sudo config reload -y /etc/sonic/config_db.json")
    client = connect(rehearsal, "leaf1")
    assert client.run("systemctl is-system-running")[1] == "starting\n"
    assert client.run("sudo config reload -y") == (
        1,
        "SwSS container is not ready. Retry later or use -f to avoid system checks\n",
        "",
    )
    assert client.run("sudo config reload -y -f")[0] == -1


@pytest.mark.parametrize(
    ("table", "rows", "words"),
    [
        ("PORT", {"Ethernet0": {"lanes": "1"}}, 'Mandatory node "speed" instance does not exist.'),
        ("PORT", {"Ethernet0": {"lanes": "1", "speed": "400G"}}, "400G"),
        (
            "NO_SUCH",
            {"a": {"b": "c"}},
            "Config tables are missing yang models: dict_keys(['NO_SUCH'])",
        ),
        ("PORT_QOS_MAP", {"Ethernet0": {"dscp_to_tc_map": "X"}}, 'Invalid leafref value "X"'),
        ("BUFFER_POOL", {"p": {"type": "ingress"}}, 'Mandatory node "mode"'),
    ],
)
def test_the_yang_check_aborts_and_changes_nothing(
    box: tuple[Rehearsal, Client], table: str, rows: Any, words: str
) -> None:
    rehearsal, client = box
    before = rehearsal.state("leaf1")["running"]
    client.put("/tmp/new.json", json.dumps({**_tables(client), table: rows}))
    status, out, err = client.run("sudo config reload -y /tmp/new.json")
    assert (status, err) == (1, "Aborted!\n")
    assert words in out
    assert rehearsal.state("leaf1")["running"] == before


def test_load_merges_and_a_missing_file_is_no_failure(box: tuple[Rehearsal, Client]) -> None:
    _, client = box
    client.put("/tmp/more.json", json.dumps({"BUFFER_POOL": _POOL}))
    client.out("sudo config load -y /tmp/more.json")
    assert _tables(client)["BUFFER_POOL"] == _POOL
    assert "PORT" in _tables(client)
    assert client.out("sudo config load -y /none") == "The config_db file /none doesn't exist\n"


def test_checkpoints(box: tuple[Rehearsal, Client]) -> None:
    _, client = box
    assert client.out("sudo config checkpoint a") == "Checkpoint created successfully.\n"
    assert json.loads(client.out("sudo config list-checkpoints")) == ["a"]
    client.put("/tmp/more.json", json.dumps({"CABLE_LENGTH": {"X": {"Ethernet0": "5m"}}}))
    client.out("sudo config load -y /tmp/more.json")
    assert "Config rolled back successfully." in client.out("sudo config rollback a")
    assert "CABLE_LENGTH" not in _tables(client)
    status, _, err = client.run("sudo config rollback b")
    assert status == 2
    assert err.endswith("Error: Checkpoint 'b' does not exist\n")
    client.out("sudo config delete-checkpoint a")


def test_pools_change_by_reload_alone(box: tuple[Rehearsal, Client]) -> None:
    rehearsal, client = box
    client.out("sudo config checkpoint a")
    client.put("/tmp/more.json", json.dumps({"BUFFER_POOL": _POOL}))
    client.out("sudo config load -y /tmp/more.json")
    before = rehearsal.state("leaf1")["running"]
    client.put(
        "/tmp/p.json",
        json.dumps(
            [{"op": "replace", "path": "/BUFFER_POOL/ingress_lossless_pool/size", "value": "2"}]
        ),
    )
    for command in ("rollback a", "apply-patch /tmp/p.json", "replace /etc/sonic/config_db.json"):
        status, _, err = client.run(f"sudo config {command}")
        assert status == 2
        assert "Modification of BUFFER_POOL table is illegal- validating function" in err
    assert rehearsal.state("leaf1")["running"] == before


def test_patches_of_other_tables_go_through(box: tuple[Rehearsal, Client]) -> None:
    _, client = box
    client.put(
        "/tmp/p.json",
        json.dumps(
            [
                {"op": "replace", "path": "/PORT/Ethernet0/mtu", "value": "9000"},
                {"op": "remove", "path": "/INTERFACE/Ethernet0|10.0.0.0~131"},
            ]
        ),
    )
    client.out("sudo config apply-patch -d /tmp/p.json")
    assert _tables(client)["PORT"]["Ethernet0"]["mtu"] == "9100"
    assert client.out("sudo config apply-patch /tmp/p.json") == "Patch applied successfully.\n"
    assert _tables(client)["PORT"]["Ethernet0"]["mtu"] == "9000"
    assert "Ethernet0|10.0.0.0/31" not in _tables(client)["INTERFACE"]


def test_rows_that_the_system_makes(box: tuple[Rehearsal, Client], connect: Connect) -> None:
    rehearsal, client = box
    tables = _tables(client)
    del tables["DEVICE_METADATA"]["localhost"]["mac"], tables["VERSIONS"]
    tables["BUFFER_POOL"] = _POOL
    tables["CABLE_LENGTH"] = {"ROCE": {"Ethernet0": "5m", "Ethernet8": "0m"}}
    tables["PORT_QOS_MAP"] = {port: {"pfc_enable": "3,4"} for port in ("Ethernet0", "Ethernet8")}
    now = _tables(_reload(rehearsal, client, tables, connect))
    assert now["BUFFER_PG"] == {"Ethernet0|3-4": {"profile": "pg_lossless_800000_5m_profile"}}
    assert now["BUFFER_PROFILE"]["pg_lossless_800000_5m_profile"]["xoff"] == "257024"
    assert now["DEVICE_METADATA"]["localhost"]["mac"].startswith("02:00:00:")
    assert now["VERSIONS"]["DATABASE"]["VERSION"] == "version_202505_01"


def test_frr_conf_counts_in_split_mode_once_bgp_restarts(
    box: tuple[Rehearsal, Client], connect: Connect
) -> None:
    rehearsal, client = box
    tables = _tables(client)
    tables["DEVICE_METADATA"]["localhost"]["docker_routing_config_mode"] = "split-unified"
    client.put(
        "/tmp/frr.conf", "router bgp 65001\n neighbor Ethernet0 interface remote-as external\n"
    )
    client.out("sudo install -m 640 /tmp/frr.conf /etc/sonic/frr/frr.conf")
    assert "65001" not in client.out("vtysh -c 'show running-config'")
    client = _reload(rehearsal, client, tables, connect)
    assert "router bgp 65001" in client.out("vtysh -c 'show running-config'")
    # the container has a disk of its own: only /etc/frr is shared
    assert client.run("sudo docker exec bgp vtysh -C -f /tmp/frr.conf")[0] == 1
    assert client.run("sudo docker exec bgp vtysh -C -f /etc/frr/frr.conf")[0] == 0
    client.put("/tmp/frr.conf", "router bgp 65002\n")
    client.out("sudo cp /tmp/frr.conf /etc/sonic/frr/frr.conf && sudo systemctl restart bgp")
    assert "router bgp 65002" in rehearsal.state("leaf1")["frr"]


def test_lock_and_rejection_in_sonics_words(box: tuple[Rehearsal, Client]) -> None:
    rehearsal, client = box
    rehearsal.arm("leaf1", Fault("lock", 1))
    assert client.run("sudo config reload -y") == (
        1,
        "Failed to acquire lock on /etc/sonic/reload.lock\n",
        "",
    )
    rehearsal.arm("leaf1", Fault("reject"))
    status, out, err = client.run("sudo config reload -y")
    assert (status, err) == (1, "Aborted!\n")
    assert "fails YANG validation! Error:" in out


def test_a_scheduled_reload_brings_the_startup_file_back(
    box: tuple[Rehearsal, Client], connect: Connect
) -> None:
    rehearsal, client = box
    tables = _tables(client)
    tables["BUFFER_POOL"] = _POOL
    client.put("/tmp/new.json", json.dumps(tables))
    client.out("sudo systemd-run --on-active=300 --unit=back config reload -y -f")
    client.run("sudo config reload -y /tmp/new.json")
    assert "BUFFER_POOL" in rehearsal.state("leaf1")["config_db"]
    rehearsal.advance(361)
    assert "BUFFER_POOL" not in rehearsal.state("leaf1")["config_db"]
    assert client.ssh.get_transport() is None or not connect(rehearsal, "leaf1").run("true")[0]


def test_what_it_says_it_is(box: tuple[Rehearsal, Client]) -> None:
    _, client = box
    assert "SONiC Software Version: SONiC.202505.1\n" in client.out("show version")
    assert "HwSKU: ACS-SN5600\n" in client.out("show platform summary")
    assert client.run("config save -y")[2] == "Root privileges are required for this operation\n"
    assert "192.0.2.123" in _tables(client)["NTP_SERVER"]
    assert _tables(client)["MGMT_INTERFACE"] == {"eth0|192.0.2.10/24": {"gwaddr": "192.0.2.1"}}


def test_a_full_disk_cuts_the_startup_file(box: tuple[Rehearsal, Client]) -> None:
    rehearsal, client = box
    rehearsal.arm("leaf1", Fault("disk-full", 1))
    assert client.run("sudo config save -y")[0] == 1
    assert rehearsal.state("leaf1")["startup"] == ""


def test_a_port_that_is_down_gives_its_headroom_back(
    box: tuple[Rehearsal, Client], connect: Connect
) -> None:
    """buffermgr.cpp, doSpeedUpdateTask, where ASIC_VENDOR is mellanox; other profiles go."""
    rehearsal, client = box
    name = "pg_lossless_800000_5m_profile"
    tables = _tables(client)
    tables["BUFFER_POOL"] = _POOL
    tables["CABLE_LENGTH"] = {"ROCE": {"Ethernet0": "5m", "Ethernet8": "5m"}}
    tables["PORT"]["Ethernet8"]["admin_status"] = "down"
    tables["PORT_QOS_MAP"] = {port: {"pfc_enable": "3"} for port in ("Ethernet0", "Ethernet8")}
    mine = {"pool": "ingress_lossless_pool", "size": "1", "xoff": "2", "dynamic_th": "0"}
    tables["BUFFER_PROFILE"] = {name: mine, "mine": mine}
    tables["BUFFER_PG"] = {"Ethernet0|3": {"profile": "mine"}, "Ethernet8|3": {"profile": name}}
    now = _tables(_reload(rehearsal, client, tables, connect))
    assert now["BUFFER_PG"] == {"Ethernet0|3": {"profile": name}}
    assert now["BUFFER_PROFILE"][name] == mine  # one that is there is taken as it is
    tables["BUFFER_PG"]["Ethernet8|3"] = {"profile": "mine"}
    now = _tables(_reload(rehearsal, connect(rehearsal, "leaf1"), tables, connect))
    assert now["BUFFER_PG"]["Ethernet8|3"] == {"profile": "mine"}
