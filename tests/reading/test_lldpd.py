"""lldpd's neighbours in each format: no name, two on a port, ids of every kind, none at all."""

from __future__ import annotations

import json

import pytest

from fabric.reading.lldpd import neighbours_json, neighbours_keyvalue, neighbours_text

RULE = "-" * 79
PLAIN = f"""\
{RULE}
LLDP neighbors:
{RULE}
Interface:    Ethernet48, via: LLDP, RID: 11, Time: 12 days, 01:02:03
  Chassis:
    ChassisID:    mac 02:00:5e:10:00:01
    SysName:      spine-3.example.net
    SysDescr:     A system
                  PortID:  in its description
    Capability:   Bridge, on
  Port:
    PortID:       local Eth1/49
    PortDescr:    tor-7 Ethernet48
    TTL:          120
    PMD autoneg:  supported: yes, enabled: no
  VLAN:         101, pvid: yes
{RULE}
Interface:    Ethernet48, via: LLDP, RID: 12, Time: 0 day, 00:02:03
  Chassis:
    ChassisID:    mac 02:00:5e:10:00:02
  Port:
    PortID:       mac 02:00:5e:10:00:99
{RULE}
Interface:    eth0, via: CDPv2, RID: 1, Time: 0 day, 00:02:03
  Chassis:
    SysName:      oob
  Port:
    PortID:       ifname GigabitEthernet 0/2
{RULE}
"""
ONE = {
    "local_port": "Ethernet48", "remote_host": "spine-3.example.net", "remote_port": "Eth1/49",
    "remote_port_description": "tor-7 Ethernet48",
}  # fmt: skip
NAMELESS = {
    "local_port": "Ethernet48", "remote_host": None, "remote_port": "02:00:5e:10:00:99",
}  # fmt: skip
OOB = {"local_port": "eth0", "remote_host": "oob", "remote_port": "GigabitEthernet 0/2"}


def test_plain() -> None:
    reading = neighbours_text(PLAIN)
    assert reading.facts == {"neighbors": [ONE, NAMELESS, OOB]}
    assert reading.unparsed == ()


def test_plain_without_neighbours() -> None:
    assert neighbours_text(f"{RULE}\nLLDP neighbors:\n{RULE}").facts == {"neighbors": []}
    assert neighbours_text("something else").facts == {}


CHASSIS = {"id": {"type": "mac", "value": "02:00:5e:10:00:01"}, "descr": "A system"}
PORT = {"id": {"type": "local", "value": "Eth1/49"}, "descr": "tor-7 Ethernet48"}
NO_NAME = {
    "chassis": {"id": {"type": "mac", "value": "02:00:5e:10:00:02"}},
    "port": {"id": {"type": "mac", "value": "02:00:5e:10:00:99"}},
}
NAMED = {"via": "LLDP", "chassis": {"spine-3.example.net": CHASSIS}, "port": PORT}


@pytest.mark.parametrize(
    ("interface", "neighbours"),
    [
        ({"Ethernet48": NAMED}, [ONE]),
        ([{"Ethernet48": NAMED}, {"Ethernet48": NO_NAME}], [ONE, NAMELESS]),
        ({"Ethernet48": [NAMED, NO_NAME]}, [ONE, NAMELESS]),
    ],
)
def test_json_with_one_and_with_several(interface: object, neighbours: object) -> None:
    value = {"lldp": {"interface": interface}}
    assert neighbours_json(json.dumps(value)).facts == {"neighbors": neighbours}


def test_json0_with_lists_around_everything() -> None:
    named = {
        "name": "Ethernet48", "via": "LLDP",
        "chassis": [{"id": [{"type": "mac", "value": "02:00:5e:10:00:01"}],
                     "name": [{"value": "spine-3.example.net"}]}],
        "port": [{"id": [{"type": "local", "value": "Eth1/49"}],
                  "descr": [{"value": "tor-7 Ethernet48"}]}],
    }  # fmt: skip
    nameless = {
        "name": "Ethernet48",
        "chassis": [{"id": [{"type": "mac", "value": "02:00:5e:10:00:02"}]}],
        "port": [{"id": [{"type": "mac", "value": "02:00:5e:10:00:99"}]}],
    }
    value = {"lldp": [{"interface": [named, nameless]}]}
    assert neighbours_json(json.dumps(value)).facts == {"neighbors": [ONE, NAMELESS]}


@pytest.mark.parametrize("text", ['{"lldp": {}}', '{"lldp": [{}]}', '{"lldp": null}'])
def test_json_without_neighbours(text: str) -> None:
    assert neighbours_json(text).facts == {"neighbors": []}
    assert neighbours_json('{"lldpNeighbors": []}').facts == {}


KEYS = """\
lldp.Ethernet48.via=LLDP
lldp.Ethernet48.rid=11
lldp.Ethernet48.chassis.mac=02:00:5e:10:00:01
lldp.Ethernet48.chassis.name=spine-3.example.net
lldp.Ethernet48.chassis.descr=A system
with two lines = of text
lldp.Ethernet48.port.local=Eth1/49
lldp.Ethernet48.port.descr=tor-7 Ethernet48
lldp.Ethernet48.via=LLDP
lldp.Ethernet48.chassis.mac=02:00:5e:10:00:02
lldp.Ethernet48.port.mac=02:00:5e:10:00:99
lldp.eth0.100.via=LLDP
lldp.eth0.100.chassis.name=oob
lldp.eth0.100.port.ifname=GigabitEthernet 0/2
"""


def test_keyvalue_with_dots_in_a_port_and_two_on_one_port() -> None:
    reading = neighbours_keyvalue(KEYS)
    assert reading.facts == {"neighbors": [ONE, NAMELESS, {**OOB, "local_port": "eth0.100"}]}
    assert reading.unparsed == ()
    assert neighbours_keyvalue("a=b").facts == {}
