"""What is rendered says what the model says; what the system cannot say is refused or named."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from fabric import flow
from fabric.design.devices import DeviceModels
from fabric.model.finding import InputError, Severity
from fabric.platforms import nokia_srl
from fabric.text import TemplateFault, chains
from tests.platforms.nokia_srl.cases import (
    CASES,
    EVERY,
    FILE,
    SYSTEM,
    model,
    render,
    text,
    text_of,
    values,
)

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.device import DeviceModel
    from fabric.model.qos import QosChain


def read(config: str, device: str = "leaf-0") -> dict[str, QosChain]:
    return {chain.port: chain for chain in chains(SYSTEM, {FILE: config}, device)}


def policies(case: str, device: str) -> Any:
    return values(case, device)["srl_nokia-routing-policy:routing-policy"]


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_every_port_does_what_the_model_says(case: str, device: str) -> None:
    """FC-69: host port, breakout child, uplink, unused port and member of a LAG alike."""
    found = read(text(case, device), device)
    ports = model(case, device).interfaces
    assert found.keys() == {port.name for port in ports}
    for port in ports:
        chain, meant = found[port.name], port.chain
        assert chain.dscp_to_tc == meant.dscp_to_tc
        assert chain.tc_to_queue == meant.tc_to_queue
        assert chain.tc_to_dscp == meant.tc_to_dscp
        assert chain.pfc_priorities == meant.pfc_priorities == chain.watchdog_priorities
        assert chain.mtu_bytes == port.mtu_bytes
        assert chain.watchdog is not None
        assert meant.watchdog is not None
        assert replace(chain.watchdog, poll_ms=meant.watchdog.poll_ms) == meant.watchdog
        for queue, own in zip(chain.queues, meant.queues, strict=True):
            assert (queue.scheduler, queue.weight) == (own.scheduler, own.weight)
            assert queue.max_rate_bytes_per_s == own.max_rate_bytes_per_s
            if case != "unknown":
                assert (queue.kmin_bytes, queue.kmax_bytes) == (own.kmin_bytes, own.kmax_bytes)
                assert (queue.ecn, queue.pmax_percent) == (own.ecn, own.pmax_percent)


@pytest.mark.parametrize("case", [case for case in CASES if case != "unknown"])
def test_nothing_is_wrong_with_it(case: str) -> None:
    assert nokia_srl.problems({FILE: text(case)}) == ()


def test_a_pfc_queue_waits_longer_than_ecn_and_keeps_its_headroom() -> None:
    for port in model("numbered").interfaces:
        profile, chain = port.profile, read(text("numbered"))[port.name]
        assert profile is not None
        assert chain.xoff_bytes[3] == profile.xoff_bytes.value
        name = f"fabric-{profile.ecn.pause_together_bytes}-{profile.xoff_bytes.value}"
        (found,) = [
            row
            for row in values("numbered")["srl_nokia-qos:qos"]["buffer-management"][
                "buffer-allocation-profile"
            ]
            if row["name"] == name
        ]
        burst = found["queues"]["pfc-queue"][0]["maximum-burst-size"]
        assert burst == profile.ecn.pause_together_bytes
        kmax = chain.queues[3].kmax_bytes
        assert kmax is not None
        assert kmax < burst


def test_the_reserve_holds_the_headroom_of_all_ports() -> None:
    """Of leaf-0: two of 200G and two of 400G in use, 1 MB of a 110 MB pool: 1 %, rounded up."""
    card = values("numbered")["srl_nokia-qos:qos"]["linecard"][0]
    assert card["forwarding-complex"][0]["input"] == {"pfc-buffer-reservation": 1}
    card = values("two-lossless")["srl_nokia-qos:qos"]["linecard"][0]
    assert card["forwarding-complex"][0]["input"] == {"pfc-buffer-reservation": 3}


def test_a_lag_has_the_qos_of_its_members() -> None:
    qos = values("bond-dual")["srl_nokia-qos:qos"]["interfaces"]["interface"]
    names = [entry["interface-id"] for entry in qos]
    assert names[:4] == ["lag10", "lag10.0", "lag20", "lag20.0"]
    assert not [name for name in names if name.startswith(("ethernet-1/1", "ethernet-1/2"))]


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_only_prefixes_of_the_speaker_are_announced(case: str, device: str) -> None:
    speaker = model(case, device).speaker
    sets = policies(case, device).get("prefix-set", [])
    listed = [row["ip-prefix"] for found in sets for row in found["prefix"]]
    assert sorted(listed) == sorted(speaker.announces)
    assert {row["mask-length-range"] for found in sets for row in found["prefix"]} == {"exact"}
    (network,) = values(case, device)["srl_nokia-network-instance:network-instance"]
    routes = network.get("srl_nokia-static-routes:static-routes", {}).get("route", [])
    assert sorted(row["prefix"] for row in routes) == sorted(speaker.discards)


def test_what_is_left_out_is_named_and_nothing_else() -> None:
    found = [(f.rule, f.keys[0]) for f in render(model("numbered")).findings]
    assert found == [
        ("RCE391", "pfc"),
        ("RCE409", "pools"),
        ("RCE391", "watchdog"),
        ("RCE391", "fec"),
        ("RCE391", "bgp-dscp"),
        ("RCE391", "management"),
    ]
    assert "port-channel" in [f.keys[0] for f in render(model("bond-dual")).findings]


def test_a_model_without_a_table_marks_nothing_and_says_so() -> None:
    found = {f.keys[0]: f.severity for f in render(model("unknown")).findings}
    for key in ("pfc", "pause", "queues", "headroom"):
        assert found[key] is Severity.WARNING
    chain = read(text("unknown"))["ethernet-1/1"]
    assert not any(queue.ecn for queue in chain.queues)
    assert "buffer" not in text("unknown")


@pytest.mark.parametrize(
    "name", ["nokia-7220-ixr-h4", "nokia-7220-ixr-h4-32d", "nokia-7220-ixr-h5-64d"]
)
def test_models_that_the_guide_names_for_pfc_need_no_warning(name: str) -> None:
    device = replace(model("numbered"), model_name=name)
    assert "pfc" not in [f.keys[0] for f in nokia_srl.left_out(device)]


def _refused(device: DeviceModel) -> str:
    with pytest.raises(TemplateFault) as caught:
        text_of(device)
    return caught.value.message


def test_a_seed_beyond_16_bits_is_refused() -> None:
    assert "65535, not 65536" in _refused(replace(model("numbered"), hash_seed=1 << 16))


def test_a_lag_beyond_1000_is_refused() -> None:
    device = model("bond-dual")
    far = replace(device.lags[0], number=1001, name="lag1001")
    assert "lag1001" in _refused(replace(device, lags=(far, *device.lags[1:])))


def test_one_map_of_classes_for_all_ports() -> None:
    device = model("numbered")
    port = device.interfaces[0]
    swapped = replace(port.chain, tc_to_queue=(0, 1, 2, 4, 3, 5, 6, 7))
    ports = (replace(port, chain=swapped), *device.interfaces[1:])
    assert "its ports want 2" in _refused(replace(device, interfaces=ports))


def test_a_reserve_beyond_the_buffer_is_refused() -> None:
    device = model("numbered")
    assert device.buffers is not None
    pools = tuple(
        replace(pool, size_bytes=900_000) if pool.name == "ingress_lossless_pool" else pool
        for pool in device.buffers.pools
    )
    small = replace(device, buffers=replace(device.buffers, pools=pools))
    assert "% of the buffer" in _refused(small)


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        ("roce: {watchdog: {action: drop}}", "drop"),
        ("hosts: {speed: 100, port: vlan}", "VLAN"),
        ("topology: {kind: dragonfly, p: 1, a: 2, h: 1, g: 3}", "by port"),
    ],
)
def test_what_the_manifest_lacks_is_one_clear_finding(
    tmp_path: Path, extra: str, said: str
) -> None:
    lines = {
        "topology": "topology: {kind: leaf-spine, leaves: 2, spines: 1}",
        "hosts": "hosts: {speed: 100}",
        "platforms": "platforms: {default: {platform: nokia_srl, model: nokia-7220-ixr-h4}}",
    }
    lines[extra.partition(":")[0]] = extra
    path = tmp_path / "f.yaml"
    path.write_text("\n".join(("fabric: f", *lines.values(), "")))
    with pytest.raises(InputError) as caught:
        DeviceModels(flow.load(path))
    (finding,) = caught.value.findings
    assert finding.rule == "RCE023"
    assert said in f"{finding.message} {finding.why} {finding.fix}"
