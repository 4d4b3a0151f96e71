"""What Comware prints, read: a recording of each command, empty tables, other systems' words."""

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
    output = read_output("hp_comware", slug, text.encode(), (templates_root(),))
    return dict(output.facts) | ({"error": output.message} if output.error else {})


EMPTY = {
    "display_interface_brief": (
        "Interface            Link Protocol Primary IP      Description\n",
        {"interfaces": {}},
    ),
    "display_bgp_peer_ipv4": (
        (
            " BGP local router ID: 10.99.0.3\n Local AS number: 65021\n Total number of peers: 0\n"
            "  Peer        AS  MsgRcvd  MsgSent OutQ PrefRcv Up/Down  State\n"
        ),
        {"local_as": "65021", "router_id": "10.99.0.3", "peers": {}},
    ),
    "display_ip_routing-table": (
        "Destination/Mask    Proto  Pre  Cost         NextHop         Interface\n",
        {"routes": {}},
    ),
    "display_lldp_neighbor-information_list": (
        "System Name          Local Interface Chassis ID      Port ID\n",
        {"neighbors": []},
    ),
    "display_lldp_neighbor-information_verbose": (
        "The LLDP service is not running.\n",
        {"neighbors": []},
    ),
    "display_priority-flow-control_interface": (
        "Interface  AdminMode  OperMode  Dot1pList  Prio  Recv  Send\n-----\n",
        {"pfc": {}},
    ),
}


@pytest.mark.parametrize("slug", EMPTY)
def test_a_table_without_rows_has_its_key(slug: str) -> None:
    text, facts = EMPTY[slug]
    assert read(slug, text) == facts


@pytest.mark.parametrize("slug", SLUGS)
def test_another_commands_output_gives_nothing(slug: str) -> None:
    for other in SLUGS:
        if other != slug and not {slug, other} <= {"display_interface", "display_interface_brief"}:
            assert read(slug, RECORDINGS[other]) == {}, other


def test_columns_of_the_list_whose_spacing_is_lost() -> None:
    table = (
        "System Name          Local Interface Chassis ID      Port ID\n"
        "a-name-longer-than-it-may-be XGE1/0/3 0200-5e00-0001 Port 1\n"
    )
    (row,) = read("display_lldp_neighbor-information_list", table)["neighbors"]
    assert row == {
        "local_port": "XGE1/0/3",
        "remote_host": "a-name-longer-than-it-may-be",
        "remote_port": "Port 1",
    }


def test_comware_5_has_name_and_state_in_one_line_and_huawei_is_not_taken_for_it() -> None:
    old = " GigabitEthernet1/0/3 current state: DOWN ( Administratively )\n Description: x\n"
    (port,) = read("display_interface", old)["interfaces"].values()
    assert port == {"oper": "down", "admin": "down"}
    huawei = "10GE1/0/3 current state : UP (ifindex: 9)\nLine protocol current state : UP\n"
    assert read("display_interface", huawei) == {}


def test_pfc_of_a_release_without_rates_and_of_one_that_only_its_legend_is_known_of() -> None:
    slug = "display_priority-flow-control_interface"
    table = "Interface AdminMode OperMode Dot1pList Prio Recv Send\nXGE1/0/5 Enabled Enabled 3\n"
    assert read(slug, table) == {
        "pfc": {"XGE1/0/5": {"admin": "Enabled", "oper": "Enabled", "lossless": [3]}}
    }
    legend = "Conf -- Configured mode   Ne -- Negotiated mode   P -- Priority\nInterface  Conf Ne\n"
    assert read(slug, legend) == {}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (" % Unrecognized command found at '^' position.", "Unrecognized command found at"),
        (" % Incomplete command found at '^' position.", "Incomplete command"),
        (" % Wrong parameter found at '^' position.", "Wrong parameter"),
        (" % Ambiguous command found at '^' position.", "Ambiguous command"),
        (" % Too many parameters found at '^' position.", "Too many parameters"),
        ("Permission denied.", "Permission denied."),
    ],
)
@pytest.mark.parametrize("slug", ["error", *SLUGS])
def test_rejected_commands(slug: str, answer: str, message: str) -> None:
    found = read(slug, f"<leaf-3>display nothing\n                ^\n{answer}\n<leaf-3>")
    assert found.keys() == {"error"}
    assert message in str(found["error"])
