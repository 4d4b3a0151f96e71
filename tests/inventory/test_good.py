"""Inventories that must load, and what they come to."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from fabric import topologies
from fabric.inventory import as_findings, check_selectors
from fabric.model.finding import Problem, ProblemError, Severity
from fabric.model.intent import DeviceConnection
from tests.inventory.writing import LEAF_SPINE, reading, refusals

if TYPE_CHECKING:
    from pathlib import Path

RING = (
    "fabric: ring\ntopology:\n  kind: explicit\n"
    "  switches: [{name: r0, endpoints: 2}, {name: r1, endpoints: 2}, {name: r2, endpoints: 2}]\n"
    "  cables: [{a: r0, b: r1}, {a: r1, b: r2}, {a: r2, b: r0}]\n"
)
SMALLEST_EXPLICIT = (
    "{kind: explicit, switches: [{name: l0, tier: 0, asn: 65001, endpoints: 4, group: 0},"
    " {name: s0, tier: 1, asn: 65100}], cables: [{a: l0, b: s0, count: 2}]}"
)
NODE64 = """\
fabric: train64
topology: {kind: fat-tree, k: 8, pods: 4}
platforms:
  default: {platform: sonic, model: nvidia-sn3700}
hosts:
  {names: "gpu-[1-64]", nics: 1, nic: connectx-6, speed: 100}
cables: {host: 3, edge-agg: 10, agg-core: 30}
"""


@pytest.mark.parametrize(
    ("topology", "hosts", "first", "last"),
    [
        ("{kind: leaf-spine, leaves: 4, spines: 2}", 8, "host-0", "host-7"),
        ("{kind: leaf-spine, leaves: 2, spines: 2, links: 3}", 12, "host-0", "host-11"),
        ("{kind: fat-tree, k: 4}", 16, "host-0", "host-15"),
        (
            SMALLEST_EXPLICIT,
            4,
            "l0-h0",
            "l0-h3",
        ),
    ],
)
def test_fabric_and_topology_suffice(
    tmp_path: Path, topology: str, hosts: int, first: str, last: str
) -> None:
    read = reading(tmp_path, f"fabric: t\ntopology: {topology}\n")
    intent = read.intent
    names = [name for group in intent.host_groups for name in group.names]
    assert (len(names), names[0], names[-1]) == (hosts, first, last)
    assert not read.findings
    assert intent.fabric_speed_gbps == 400
    assert intent.hardware.default.model.name == "generic"
    assert intent.hardware.default.platform.name == "sonic"
    assert all(group.nic.name == "generic-400g" for group in intent.host_groups)


def test_the_64_nodes_of_the_article(tmp_path: Path) -> None:
    read = reading(tmp_path, NODE64)
    intent = read.intent
    (group,) = intent.host_groups
    assert (group.names[0], group.names[-1], len(group.names)) == ("gpu-1", "gpu-64", 64)
    assert (group.nic.name, group.speed_gbps, group.nics) == ("connectx-6", 100, 1)
    assert (group.netdevs, group.rdma_devices, group.rails) == (("rdma0",), ("mlx5_0",), (0,))
    assert intent.fabric_speed_gbps == 100
    assert [intent.cables.of(kind) for kind in ("host", "edge-agg", "agg-core", "cable")] == [
        3,
        10,
        30,
        5,
    ]
    assert intent.addressing.hosts_v4 == "10.0.0.0/12"
    assert read.inputs == (("inv.yaml", NODE64.encode()),)
    assert (read.lock_path.name, read.lock_text) == ("inv.lock.json", None)


def test_locate_names_the_line_of_a_key_or_of_its_ancestor(tmp_path: Path) -> None:
    read = reading(tmp_path, NODE64)
    place = read.locate(("hosts", 0, "nic"))
    assert (place.line, place.column, place.path) == (6, 34, "hosts.nic")
    place = read.locate(("roce", "dscp"))  # not written
    assert (place.line, place.column) == (1, 1)
    place = read.locate(("topology", "pods"))
    assert (place.line, place.column) == (2, 34)


def test_json_is_accepted(tmp_path: Path) -> None:
    data = {"fabric": "t", "topology": {"kind": "leaf-spine", "leaves": 2, "spines": 2}}
    read = reading(tmp_path, json.dumps(data, indent="\t"))
    assert read.intent.topology_params == topologies.params_type("leaf-spine")(2, 2)


def test_empty_sections_are_absent_sections(tmp_path: Path) -> None:
    text = f"{LEAF_SPINE}hosts:\nroce:\nplatforms:\n"
    bare, empty = reading(tmp_path, LEAF_SPINE).intent, reading(tmp_path, text).intent
    assert empty.hardware == bare.hardware
    assert empty.roce.class_map == bare.roce.class_map
    assert empty.host_groups[0].names == bare.host_groups[0].names


def test_the_order_and_layout_of_the_text_do_not_matter(tmp_path: Path) -> None:
    block = "topology:\n  spines: 2\n  kind: leaf-spine\n  leaves: 4\nfabric: t\n"
    flow, other = reading(tmp_path, LEAF_SPINE).intent, reading(tmp_path, block).intent
    assert (flow.topology_params, flow.hardware) == (other.topology_params, other.hardware)
    assert flow.roce.class_map == other.roce.class_map


def test_hardware_is_inherited_from_default_to_role_to_device(tmp_path: Path) -> None:
    text = (
        f"{LEAF_SPINE}platforms:\n"
        "  default: {model: nvidia-sn3700, sku: ACS-MSN3700, extra: '! all'}\n"
        "  spine: {model: nvidia-sn4700}\n"
        "  leaf-[1-2]: {extra: '! some'}\n"
        "  spine-1: {extra: '! one'}\n"
        "hosts: {count: 8, speed: 200}\n"
    )
    hardware = reading(tmp_path, text).intent.hardware

    def what(device: str, role: str) -> tuple[str, str | None, str | None]:
        found = hardware.of(device, role)
        return found.model.name, found.sku, found.extra

    assert what("leaf-0", "leaf") == ("nvidia-sn3700", "ACS-MSN3700", "! all")
    assert what("leaf-2", "leaf") == ("nvidia-sn3700", "ACS-MSN3700", "! some")
    assert what("spine-0", "spine") == ("nvidia-sn4700", None, "! all")  # a SKU is its model's
    assert what("spine-1", "spine") == ("nvidia-sn4700", None, "! one")


def test_roles_of_an_explicit_topology_come_from_tier_or_entry(tmp_path: Path) -> None:
    text = (
        "fabric: t\ntopology:\n  kind: explicit\n  switches:\n"
        "  - {name: x, endpoints: 1, role: torus}\n  - {name: y, endpoints: 1}\n"
        "  - {name: z, tier: 1}\n  cables: [{a: x, b: z}, {a: y, b: z}]\n"
        "platforms:\n  torus: {extra: '! t'}\n  spine: {extra: '! s'}\n"
        "  x: {model: generic}\n  z: {model: generic}\n"
    )
    read = reading(tmp_path, text)
    hardware = read.intent.hardware
    assert hardware.of("x", "torus").extra == "! t"
    assert hardware.of("z", "spine").extra == "! s"
    assert hardware.of("y", "leaf").extra is None
    check_selectors(read, [("x", "torus"), ("y", "leaf"), ("z", "spine")])
    seeds = dict(read.intent.hash_seeds)
    assert len({seeds["leaf"], seeds["agg"], seeds["spine"], seeds["torus"]}) == 4


def test_a_server_model_fills_nics_devices_numa_and_gpus(tmp_path: Path) -> None:
    text = f"{LEAF_SPINE}hosts: {{count: 1, server: mi300x-8, nic: connectx-7, speed: 400}}\n"
    (group,) = reading(tmp_path, text).intent.host_groups
    # hardware reference, hosts.yaml mi300x-8: GPU n with mlx5_n, four on each NUMA node
    assert (group.gpus, group.nics) == (8, 8)
    assert group.gpu_of_nic == tuple(range(8))
    assert group.numa_of_nic == (0, 0, 0, 0, 1, 1, 1, 1)
    assert group.rails == tuple(range(8))
    assert group.netdevs == tuple(f"rdma{n}" for n in range(8))


def test_what_the_user_writes_wins_over_the_server_model(tmp_path: Path) -> None:
    text = (
        f"{LEAF_SPINE}hosts: {{count: 2, name: 'n{{n:03}}', server: mi300x-8, nics: 2, gpus: 4, "
        "netdevs: [a, b], rdma_devices: [r0, r1], rails: [1, 0], numa: [1, 0], "
        "gpu_of_nic: [3, 2], env: {NCCL_IB_TIMEOUT: 22}, qps_per_connection: 8, cross_nic: 1}\n"
    )
    (group,) = reading(tmp_path, text).intent.host_groups
    assert group.names == ("n000", "n001")
    assert (group.netdevs, group.rdma_devices) == (("a", "b"), ("r0", "r1"))
    assert (group.rails, group.numa_of_nic, group.gpu_of_nic) == ((1, 0), (1, 0), (3, 2))
    assert (group.gpus, group.qps_per_connection, group.cross_nic) == (4, 8, 1)
    assert group.env == (("NCCL_IB_TIMEOUT", "22"),)


def test_several_groups_with_places(tmp_path: Path) -> None:
    text = (
        f"{LEAF_SPINE}hosts:\n"
        "  - {names: 'gpu-[0-3]', on: 'leaf-[0-1]', per_leaf: 2, speed: 100}\n"
        "  - {per_leaf: 3, name: 'cpu-{n}', on: [leaf-2, leaf-3], speed: 25}\n"
    )
    first, second = reading(tmp_path, text).intent.host_groups
    assert (first.name, first.on, first.per_leaf) == ("hosts", ("leaf-0", "leaf-1"), 2)
    assert (second.name, len(second.names), second.on) == ("hosts-2", 6, ("leaf-2", "leaf-3"))
    assert second.location is not None
    assert second.location.line == 5


def test_per_leaf_alone_fills_every_leaf(tmp_path: Path) -> None:
    (group,) = reading(tmp_path, f"{LEAF_SPINE}hosts: {{per_leaf: 3}}\n").intent.host_groups
    assert len(group.names) == 12
    tree = "fabric: t\ntopology: {kind: fat-tree, k: 4, pods: 3}\nhosts: {per_leaf: 1}\n"
    (group,) = reading(tmp_path, tree).intent.host_groups
    assert len(group.names) == 6


@pytest.mark.parametrize(
    ("text", "speed"),
    [
        (f"{LEAF_SPINE}hosts: {{count: 8, speed: 100}}\n", 100),
        (f"{LEAF_SPINE}hosts: {{count: 8, nic: connectx-7}}\n", 400),
        (f"{LEAF_SPINE}hosts: [{{names: a, speed: 25}}, {{names: b, speed: 200}}]\n", 200),
        (f"{LEAF_SPINE}hosts: {{count: 8, speed: 100}}\nlinks: {{speed: 800}}\n", 800),
        (f"{RING}hosts: {{count: 3, speed: 100}}\n", 400),
    ],
)
def test_links_run_at_the_nics_speed_unless_said(tmp_path: Path, text: str, speed: int) -> None:
    assert reading(tmp_path, text).intent.fabric_speed_gbps == speed


@pytest.mark.parametrize(
    ("speed", "detect_ms"),
    # 1,000 pauses of 65,535 · 512 bit: 335.5 ms at 100G, 83.9 at 400G, 1,342.2 at 25G
    [(100, 400), (400, 200), (25, 1400), (800, 200), (200, 200)],
)
def test_the_watchdog_waits_for_a_thousand_longest_pauses(
    tmp_path: Path, speed: int, detect_ms: int
) -> None:
    text = f"{LEAF_SPINE}hosts: {{count: 8, speed: {speed}}}\n"
    watchdog = reading(tmp_path, text).intent.roce.watchdog
    assert (watchdog.poll_ms, watchdog.detect_ms, watchdog.restore_ms) == (
        100,
        detect_ms,
        2 * detect_ms,
    )
    assert (watchdog.enabled, watchdog.action) == (True, "drop")


@pytest.mark.parametrize(
    ("systems", "action"),
    [
        (("sonic", "sonic"), "drop"),
        (("nokia_srl", "nokia_srl"), "forward"),  # it ignores the pause and drops nothing itself
        (("sonic", "nokia_srl"), "forward"),
        (("frr", "nokia_srl"), "forward"),  # FRR has no watchdog
    ],
)
def test_the_watchdog_does_what_all_systems_can(
    tmp_path: Path, systems: tuple[str, str], action: str
) -> None:
    default, spines = systems
    text = (
        f"{LEAF_SPINE}hosts: {{count: 8, speed: 100}}\n"
        f"platforms: {{default: {{platform: {default}, model: generic}}, "
        f"spine: {{platform: {spines}, model: generic}}}}\n"
    )
    assert reading(tmp_path, text).intent.roce.watchdog.action == action


def test_own_models_and_facts_beside_the_inventory_are_read(tmp_path: Path) -> None:
    nic = (
        "vendor: Acme\ndriver: acme\nsource: {text: own, confidence: read}\n"
        "ports:\n  choices: [{count: 1, speed_gbps: 100}]\n"
        "  source: {text: own, confidence: read}\n"
        "rdma_mtu_bytes:\n  value: 4096\n  source: {text: own, confidence: read}\n"
        "marking: {source: {text: own, confidence: read}}\n"
    )
    facts = '{"mac": "0c:42:a1:00:00:01", "lanes": {"Ethernet4": "4,5", "Ethernet0": [0, 1]}}'
    read = reading(
        tmp_path,
        f"{LEAF_SPINE}hosts: {{count: 8, nic: acme-1}}\n",
        **{"models__nics__acme-1__dot__yaml": nic, "facts__leaf-0__dot__json": facts},
    )
    (group,) = read.intent.host_groups
    assert (group.nic.name, group.speed_gbps, group.rdma_devices) == ("acme-1", 100, (None,))
    recorded = read.intent.hardware.of("leaf-0", "leaf").facts
    assert recorded is not None
    assert recorded.mac == "0c:42:a1:00:00:01"
    assert recorded.lanes == (("Ethernet0", (0, 1)), ("Ethernet4", (4, 5)))
    assert read.intent.hardware.of("leaf-1", "leaf").facts is None
    names = [name for name, _ in read.inputs]
    assert names == ["inv.yaml", "facts/leaf-0.json", "models/nics/acme-1.yaml"]


def test_bad_facts_are_told_in_their_own_file(tmp_path: Path) -> None:
    facts = '{"mac": 5, "hwsky": "x",\n "lanes": {"Ethernet0": ["a"]}}'
    found = refusals(tmp_path, LEAF_SPINE, **{"facts__leaf-0__dot__json": facts})
    places = [(f.rule, f.location.line, f.location.column) for f in found if f.location]
    assert places == [("RCE006", 1, 2), ("RCE005", 1, 12), ("RCE006", 2, 12)]
    assert "hwsku" in found[1].fix


def test_the_lock_is_handed_on_as_bytes(tmp_path: Path) -> None:
    read = reading(tmp_path, LEAF_SPINE, inv__dot__lock__dot__json="{}")
    assert read.lock_text == b"{}"
    assert [name for name, _ in read.inputs] == ["inv.yaml"]


def test_racks_management_connection_and_suppressions(tmp_path: Path) -> None:
    text = (
        f"{LEAF_SPINE}racks: {{'leaf-[0-1]': r01, host-0: 'r02'}}\n"
        "management: {gateway: 192.0.2.254, addresses: {leaf-0: 192.0.2.1/24}}\n"
        "connection: {user: admin, password_env: FABRIC_PASSWORD, jump_host: 'a@b:22,c', devices: "
        "{'leaf-[0-1]': {port: 2222}, spine-0: {jump_host: none, cli: netmiko}}}\n"
        "suppress: {rule: RCE302, subject: 'leaf-*', reason: known, expires: 2027-01-31}\n"
    )
    read = reading(tmp_path, text)
    intent = read.intent
    assert intent.racks == (("leaf-0", "r01"), ("leaf-1", "r01"), ("host-0", "r02"))
    assert intent.management.address_of("leaf-0") == "192.0.2.1/24"
    assert intent.management.gateway == "192.0.2.254"
    assert (intent.connection.user, intent.connection.port) == ("admin", None)
    assert intent.connection.password_env == "FABRIC_PASSWORD"  # noqa: S105 - a variable's name
    assert intent.connection.devices == (
        DeviceConnection("leaf-0", port=2222),
        DeviceConnection("leaf-1", port=2222),
        DeviceConnection("spine-0", jump_host="none", cli="netmiko"),
    )
    assert [intent.connection.cli_of(each) for each in ("leaf-0", "spine-0")] == [
        "fabric",
        "netmiko",
    ]
    (suppression,) = intent.suppressions
    assert (suppression.rule, suppression.expires) == ("RCE302", "2027-01-31")
    assert suppression.location is not None
    assert suppression.location.line == 6
    check_selectors(read, _leaf_spine(), ["host-0"])


def _leaf_spine() -> list[tuple[str, str]]:
    leaves = [(f"leaf-{n}", "leaf") for n in range(4)]
    return [*leaves, *((f"spine-{n}", "spine") for n in range(2))]


def test_selectors_that_hit_nothing_are_told_once_each(tmp_path: Path) -> None:
    text = (
        f"{LEAF_SPINE}platforms:\n  leef: {{model: generic}}\n  leaf-[2-9]: {{model: generic}}\n"
        "management: {addresses: {spine-7: 192.0.2.1/24, leaf: 192.0.2.2/24}}\n"
        "racks: {host-99: r1}\n"
    )
    read = reading(tmp_path, text)
    with pytest.raises(ProblemError) as caught:
        check_selectors(read, _leaf_spine(), ["host-0"])
    told = as_findings(caught.value.problems, read.places)
    lines = [(f.rule, f.location.line if f.location else 0, f.message) for f in told]
    assert lines == [
        ("RCE012", 4, "there is no switch or role leef"),
        ("RCE012", 5, "there is no switch or role leaf-4"),
        ("RCE012", 6, "there is no switch spine-7"),
        ("RCE012", 6, "there is no switch leaf"),  # a role has no address
        ("RCE012", 7, "there is no switch or host host-99"),
    ]
    assert told[0].fix == "did you mean leaf?"


def test_facts_of_another_inventory_in_the_folder_do_no_harm(tmp_path: Path) -> None:
    files = {f"facts__{name}__dot__json": "{}" for name in ("edge-0", "leaf-0")}
    read = reading(tmp_path, LEAF_SPINE, **files)
    (unused,) = check_selectors(read, _leaf_spine(), ["host-0"])
    assert (unused.rule, unused.severity) == ("RCE012", Severity.INFO)
    assert unused.message == "not used: this fabric has no such switch: facts/edge-0.json"


def test_a_switch_name_longer_than_its_system_takes(tmp_path: Path) -> None:
    name = "l" * 64
    text = (
        f"fabric: t\ntopology: {{kind: explicit, switches: [{{name: {name}, endpoints: 2}}]}}\n"
        "hosts: {names: 'h-[0-1]'}\n"
    )
    read = reading(tmp_path, text)
    with pytest.raises(ProblemError, match="64 characters"):
        check_selectors(read, [(name, "leaf")])


def test_a_release_that_the_templates_do_not_know_is_a_warning(tmp_path: Path) -> None:
    text = f"{LEAF_SPINE}platforms: {{default: {{os_version: '201911'}}}}\n"
    (finding,) = reading(tmp_path, text).findings
    assert (finding.rule, finding.severity) == ("RCE009", Severity.WARNING)


def test_problems_of_later_stages_find_their_line(tmp_path: Path) -> None:
    read = reading(tmp_path, RING)
    problem = Problem("RCE014", ("topology", "cables", 1, "a_port"), "no such port")
    (finding,) = as_findings([problem], read.places)
    assert finding.location is not None
    assert (finding.location.line, finding.location.path) == (5, "topology.cables[1]")


def test_a_comment_about_passwords_is_no_password(tmp_path: Path) -> None:
    text = f"{LEAF_SPINE}platforms: {{default: {{extra: '! the password is set elsewhere'}}}}\n"
    assert not reading(tmp_path, text).findings


def test_a_flood_of_findings_is_cut_and_says_so(tmp_path: Path) -> None:
    switches = "\n".join(f"  - {{name: l{n}, endpoints: x}}" for n in range(300))
    text = f"fabric: t\ntopology:\n  kind: explicit\n  switches:\n{switches}\n"
    found = refusals(tmp_path, text)
    assert len(found) == 201
    assert found[-1].message.endswith("(and 99 more findings below)")
