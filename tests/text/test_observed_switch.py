"""Facts of all systems become one set of types."""

from __future__ import annotations

from fabric.model.observed import NextHop, ObservedNeighbour, ObservedRoute
from fabric.model.observed_state import (
    ObservedInterface,
    ObservedPeer,
    ObservedSystem,
    PfcCount,
    QueueCount,
    WatchdogQueue,
)
from fabric.text.observed import observed_switch


def test_every_kind_of_fact() -> None:
    found = observed_switch(
        "leaf-9",
        [
            {"version": "4.36.1F", "hostname": "leaf-9"},
            {"interfaces": {"Et10": {"oper": "up", "mtu": "9214"}, "Et9": {"speed_mbps": 400000}}},
            {"interfaces": {"Et10": {"in_errors": 3, "unknown": 7}}},
            {"neighbors": [{"local_port": "Et9", "remote_host": None, "remote_port": "swp1"}, {}]},
            {"peers": {"10.0.0.1": {"remote_as": "65001", "state": "Established"}}},
            {
                "routes": {
                    "10.1.0.0/31": {"connected": "Et9"},
                    "10.2.0.0/24": {"next_hops": [{"via": "10.0.0.1", "interface": "Et10"}]},
                    "10.3.0.0/24": {"next_hops": []},
                    "10.5.0.0/24": {"connected": "Null0"},
                    "10.4.0.0/24": {"next_hops": [{"via": "Null0"}]},
                }
            },
            {"pfc": {"Et9": {"rx": {"3": 5}, "tx": {"3": 0, "4": 1}}, "Et8": {"rx_total": 2}}},
            {"queues": {"Et9": {"UC3": {"tx_packets": 9, "drop_packets": 1}}}},
            {"queues": {"Et9:3": {"status": "stormed", "storms_detected": 2}}},
            {"ports": {"Et9": {"lossless": [3, "4"]}, "Et8": {"trust": "dscp"}}},
        ],
        not_available=(("ecn", "no command is confirmed"),),
    )
    assert found.system == ObservedSystem("4.36.1F", None, "leaf-9")
    assert found.interfaces == (
        ObservedInterface("Et9", speed_mbps=400000),
        ObservedInterface("Et10", oper="up", mtu=9214, in_errors=3),
    )
    assert found.neighbours == (ObservedNeighbour("leaf-9", "Et9", None, "swp1"),)
    assert found.peers == (ObservedPeer("10.0.0.1", "65001", "Established"),)
    assert found.routes == (
        ObservedRoute("leaf-9", "10.1.0.0/31", "connected", (NextHop("Et9"),)),
        ObservedRoute("leaf-9", "10.2.0.0/24", "", (NextHop("Et10", "10.0.0.1"),)),
        ObservedRoute("leaf-9", "10.3.0.0/24", "", discard=True),
        ObservedRoute("leaf-9", "10.5.0.0/24", "", discard=True),
        ObservedRoute("leaf-9", "10.4.0.0/24", "", discard=True),
    )
    assert found.pfc == (
        PfcCount("Et8", None, 2, None),
        PfcCount("Et9", 3, 5, 0),
        PfcCount("Et9", 4, None, 1),
    )
    assert found.queues == (QueueCount("Et9", "UC3", packets=9, drop_packets=1),)
    assert found.watchdog == (WatchdogQueue("Et9", "3", "stormed", 2),)
    assert found.lossless == (("Et9", (3, 4)),)
    assert found.not_available == (("ecn", "no command is confirmed"),)


def test_nothing_said_is_nothing_known() -> None:
    found = observed_switch("leaf-9", [])
    assert found.system == ObservedSystem()
    assert not any((found.interfaces, found.routes, found.pfc, found.queues, found.lossless))


def test_what_one_port_says() -> None:
    found = observed_switch(
        "leaf-9",
        [
            {"port": "swp7", "pfc_by_priority": {"rx": {"3": 5}, "tx": {"3": 2}}},
            {"port": "swp7", "pfc_total": {"rx": 9, "tx": 4}, "lossless": [3]},
            {"port": "swp7", "queues": {"3": {"packets": 9, "wred_drops": 1}}},
            {"port": "swp8", "queues": {"3": {"status": "OK", "storms_detected": 2}}},
            {"port": "swp9", "queues": {"3": {"schedule": "dwrr"}}},
        ],
    )
    assert found.pfc == (PfcCount("swp7", 3, 5, 2), PfcCount("swp7", None, 9, 4))
    assert found.queues == (QueueCount("swp7", "3", packets=9),)
    assert found.watchdog == (WatchdogQueue("swp8", "3", "OK", 2),)
    assert found.lossless == (("swp7", (3,)),)
