"""What OS10 prints, read: a recording of each command, replies cut off, other systems' words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fabric.files.locate import templates_root
from fabric.text.output import read_output

RECORDINGS = {
    file.stem: file.read_text() for file in Path(__file__).with_name("recordings").glob("*.txt")
}
SLUGS = sorted(RECORDINGS)


def read(slug: str, text: str) -> dict[str, Any]:
    output = read_output("dell_os10", slug, text.encode(), (templates_root(),))
    return dict(output.facts) | ({"error": output.message} if output.error else {})


@pytest.mark.parametrize("slug", SLUGS)
def test_another_commands_output_gives_nothing(slug: str) -> None:
    for other in SLUGS:
        if other != slug:
            assert read(slug, RECORDINGS[other]) == {}, other


@pytest.mark.parametrize(
    ("slug", "text"),
    [
        (
            "show_lldp_neighbors",
            "Loc PortID   Rem Host Name   Rem Port Id   Rem Chassis Id\n----------\n",
        ),
        (
            "show_lldp_neighbors_xml",
            (
                "<?xml version='1.0'?><rpc-reply><bulk><data><interface><name>ethernet1/1/1</name>"
                "<lldp-rem-neighbor-info/></interface></data></bulk></rpc-reply>"
            ),
        ),
    ],
)
def test_no_neighbours_at_all(slug: str, text: str) -> None:
    assert read(slug, text) == {"neighbors": []}


def test_a_profile_may_be_called_ecn_and_one_that_is_not_there_says_nothing() -> None:
    config = (
        "trust dscp-map T\n qos-group 3 dscp 26\nclass-map type queuing Q\n match queue 3\n"
        "policy-map type queuing P\n class Q\n  random-detect ecn\n"
    )
    assert read("show_running-configuration", config)["queues"] == {"3": {}}
    profile = (
        "wred ecn\n random-detect color green minimum-threshold 1 maximum-threshold 2 "
        "drop-probability 3\n"
    )
    found = read("show_running-configuration", config + profile)
    assert found["queues"] == {"3": {"ecn": False}}
    found = read("show_running-configuration", f"{config}{profile} random-detect ecn\n")
    assert found["queues"] == {"3": {"ecn": True}}


def test_another_systems_configuration_is_not_taken_for_os10s() -> None:
    nxos = "interface Ethernet1/1/1\n  mtu 9216\npolicy-map type network-qos jumbo\n"
    assert read("show_running-configuration", nxos) == {}


def test_entities_are_not_expanded() -> None:
    text = (
        '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "ethernet1/1/9">]><r><interface><name>&a;'
        "</name><oper-status>up</oper-status></interface></r>"
    )
    assert read("show_interface_xml", text) == {}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("% Error: Illegal parameter.", "Error: Illegal parameter."),
        ("% Error: vlan 9 not found", "not found"),
        ("            ^\nInvalid input detected at '^' marker.", "Invalid input detected"),
        ("Syntax error: unknown argument", "Syntax error:"),
        ("% Incomplete command", "Incomplete command"),
        ("ambiguous command: sh", "ambiguous command"),
        ("'show nothing' returned error code: 1", "returned error code: 1"),
    ],
)
@pytest.mark.parametrize("slug", ["error", *SLUGS])
def test_rejected_commands(slug: str, answer: str, message: str) -> None:
    found = read(slug, f"rack7-leaf-a# show nothing\n{answer}\nrack7-leaf-a# ")
    assert found.keys() == {"error"}
    assert message in str(found["error"])
