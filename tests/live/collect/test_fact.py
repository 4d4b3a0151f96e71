"""One fact of a device, by its system's own commands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fabric.live.collect.bgp import sessions_up
from fabric.live.collect.fact import NotAskedError, observed_fact
from fabric.live.transport.errors import DeviceError, Kind
from fabric.model.push import Command

if TYPE_CHECKING:
    from fabric.model.push import Action

RECORDINGS = Path(__file__).parents[2] / "platforms"


def recorded(platform: str, name: str) -> str:
    return (RECORDINGS / platform / "recordings" / name).read_text(encoding="utf-8")


class Device:
    """Answers by command; one that is not known is refused."""

    def __init__(self, **replies: str) -> None:
        self.replies = {key.replace("_", " "): text for key, text in replies.items()}
        self.typed: list[str] = []

    def perform(self, action: Action) -> str:
        assert isinstance(action, Command)
        self.typed.append(action.text)
        if action.text not in self.replies:
            raise DeviceError(Kind.REFUSED, "d", f"d: {action.text}: % Invalid input")
        return self.replies[action.text]


def test_frr_is_asked_through_vtysh() -> None:
    device = Device()
    command = "vtysh -c 'show bgp summary json'"
    device.replies[command] = recorded("frr", "show_bgp_summary_json.json")
    up, peers = sessions_up("d", "frr", device.perform)
    assert up == {"swp1"}
    assert peers == {"swp1", "bond20"}
    assert device.typed == [command]


def test_sonic_is_asked_as_its_shell_knows_it() -> None:
    device = Device(show_ip_bgp_summary=recorded("sonic", "show_ip_bgp_summary.txt"))
    up, peers = sessions_up("d", "sonic", device.perform)
    assert up == {"10.254.0.96", "fe80::e42:a1ff:1"}
    assert peers == {"10.254.0.96", "10.254.0.98", "fe80::e42:a1ff:1"}


def test_a_command_that_is_refused_or_not_understood_leaves_it_to_the_next() -> None:
    device = Device()
    device.replies["vtysh -c 'show bgp summary json'"] = "something else"
    device.replies["vtysh -c 'show bgp summary'"] = recorded("frr", "show_bgp_summary.txt")
    up, _ = sessions_up("d", "frr", device.perform)
    assert "swp1" in up
    assert [text.split("'")[1] for text in device.typed] == [
        "show bgp summary json",
        "show ip bgp summary json",
        "show bgp summary",
    ]


@pytest.mark.parametrize(
    ("platform", "command", "recording"),
    [
        ("arista_eos", "show ip bgp summary | json", "show_ip_bgp_summary_json.json"),
        ("cisco_nxos", "show ip bgp summary", "show_ip_bgp_summary.txt"),
        ("dell_sonic", "show bgp ipv4 unicast summary", "show_bgp_ipv4_unicast_summary.txt"),
        ("hp_comware", "display bgp peer ipv4", "display_bgp_peer_ipv4.txt"),
        ("huawei_vrp", "display bgp peer", "display_bgp_peer.txt"),
        ("juniper_junos", "show bgp summary", "show_bgp_summary.txt"),
    ],
)
def test_a_session_that_is_up_is_up_on_every_system(
    platform: str, command: str, recording: str
) -> None:
    device = Device()
    device.replies[command] = recorded(platform, recording)
    up, peers = sessions_up("d", platform, device.perform)
    assert up
    assert up <= peers


@pytest.mark.parametrize(
    ("platform", "text"),
    [
        ("dell_os10", "no recording of its layout"),
        ("sonic", "Invalid input"),
        ("nobody", "no command of nobody is known"),
    ],
)
def test_why_it_was_not_asked(platform: str, text: str) -> None:
    with pytest.raises(NotAskedError, match=text):
        sessions_up("d", platform, Device().perform)


def test_a_lost_session_is_no_answer() -> None:
    def lost(_action: Action) -> str:
        raise DeviceError(Kind.LOST, "d", "d: lost")

    with pytest.raises(DeviceError, match="d: lost"):
        observed_fact("d", "sonic", "version", lost)
