"""What OS10 prints, read: a recording of each command, replies cut off, other systems' words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.platforms.own_outputs import Outputs, is_reading

OUTPUTS = Outputs("dell_os10")
RECORDINGS, SLUGS, read = OUTPUTS.recordings, OUTPUTS.slugs, OUTPUTS.read


def test_every_command_has_a_recording() -> None:
    assert sorted(command.slug for command in OUTPUTS.book.commands) == SLUGS


@pytest.mark.parametrize("slug", SLUGS)
def test_every_fact_of_the_recording_and_what_is_no_part_of_it(slug: str) -> None:
    wanted = OUTPUTS.expected(slug)
    assert OUTPUTS.recorded(slug) == (wanted["facts"], wanted.get("unparsed", []))


@pytest.mark.parametrize("slug", SLUGS)
def test_prompts_pagers_and_odd_bytes_change_nothing(slug: str) -> None:
    assert OUTPUTS.in_session(slug, "rack7-leaf-a# ").facts == OUTPUTS.expected(slug)["facts"]


@pytest.mark.parametrize("slug", SLUGS)
def test_another_commands_output_gives_nothing(slug: str) -> None:
    for other in SLUGS:
        if other != slug:
            assert OUTPUTS.facts(slug, RECORDINGS[other]) == {}, other


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
    assert OUTPUTS.facts(slug, text) == {"neighbors": []}


def test_a_profile_may_be_called_ecn_and_one_that_is_not_there_says_nothing() -> None:
    config = (
        "trust dscp-map T\n qos-group 3 dscp 26\nclass-map type queuing Q\n match queue 3\n"
        "policy-map type queuing P\n class Q\n  random-detect ecn\n"
    )
    assert OUTPUTS.facts("show_running-configuration", config)["queues"] == {"3": {}}
    profile = (
        "wred ecn\n random-detect color green minimum-threshold 1 maximum-threshold 2 "
        "drop-probability 3\n"
    )
    found = OUTPUTS.facts("show_running-configuration", config + profile)
    assert found["queues"] == {"3": {"ecn": False}}
    found = OUTPUTS.facts("show_running-configuration", f"{config}{profile} random-detect ecn\n")
    assert found["queues"] == {"3": {"ecn": True}}


def test_another_systems_configuration_is_not_taken_for_os10s() -> None:
    nxos = "interface Ethernet1/1/1\n  mtu 9216\npolicy-map type network-qos jumbo\n"
    assert OUTPUTS.facts("show_running-configuration", nxos) == {}


def test_entities_are_not_expanded() -> None:
    text = (
        '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "ethernet1/1/9">]><r><interface><name>&a;'
        "</name><oper-status>up</oper-status></interface></r>"
    )
    assert OUTPUTS.facts("show_interface_xml", text) == {}


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
    output = read(slug, f"rack7-leaf-a# show nothing\n{answer}\nrack7-leaf-a# ")
    assert output.error
    assert message in output.message
    assert output.facts == {}


def test_every_fact_says_where_it_comes_from() -> None:
    assert OUTPUTS.unsourced_facts() == []


@given(st.sampled_from(SLUGS), OUTPUTS.mutated() | st.text())
def test_no_text_makes_a_reader_raise(slug: str, text: str) -> None:
    assert is_reading(OUTPUTS.raw_reading(slug, text))
