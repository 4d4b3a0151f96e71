"""From inventory and ssh_config to connections."""

# ruff: noqa: S106 - names of variables and commands

from __future__ import annotations

import getpass
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fabric.live.connections import SecretSource
from fabric.live.transport.access import connections
from fabric.live.transport.credentials import Credentials
from fabric.live.transport.secret_sources import Secrets
from fabric.model.intent import ConnectionPolicy, DeviceConnection, ManagementPolicy

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.live.connections import Connection
    from fabric.live.transport.access import Access

DEVICES = ("leaf-0", "leaf-1")
ADDRESSES = (("leaf-0", "192.0.2.10/24"), ("leaf-1", "2001:db8::11/64"))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".ssh").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    return tmp_path


def access(
    home: Path,
    policy: ConnectionPolicy | None = None,
    addresses: tuple[tuple[str, str], ...] = ADDRESSES,
) -> Access:
    management = ManagementPolicy("eth0", None, addresses)
    return connections(policy or ConnectionPolicy(), management, DEVICES, home / ".fabric/t")


def leaf(home: Path, policy: ConnectionPolicy | None = None) -> Connection:
    found = access(home, policy)
    assert found.refused == ()
    return found.connections["leaf-0"]


def config(home: Path, text: str) -> None:
    (home / ".ssh/config").write_text(text)


def test_a_user_without_a_name(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A container whose user has no entry in passwd, and no USER."""

    def unknown() -> str:
        raise KeyError

    monkeypatch.setattr(getpass, "getuser", unknown)
    (refused,) = access(home, ConnectionPolicy(user="admin")).refused
    assert (refused.device, refused.rule, refused.fix) == (None, "RCE903", "export USER=NAME")


def test_defaults(home: Path) -> None:
    (home / ".ssh/id_rsa").write_text("x")
    made = leaf(home)
    assert (made.address, made.port, made.user) == ("192.0.2.10", 22, getpass.getuser())
    assert made.keys == (f"{home}/.ssh/id_rsa",)
    assert (made.secret, made.agent, made.jumps) == (None, False, ())
    assert made.known_hosts == f"{home}/.fabric/t/known_hosts"
    assert made.read_known_hosts == (f"{home}/.ssh/known_hosts", "/etc/ssh/ssh_known_hosts")
    assert made.host_key_names == ("leaf-0",)
    assert access(home).connections["leaf-1"].where == "[2001:db8::11]:22"


def test_ssh_config_is_honoured(home: Path) -> None:
    config(
        home,
        "Host leaf-*\n User ops\n Port 2222\n IdentityFile ~/.ssh/fabric\n IdentitiesOnly yes\n"
        " HostKeyAlias rack-7\n UserKnownHostsFile ~/kh ~/kh2\n ProxyJump hop@bastion:2200\n"
        "Host bastion\n HostName 198.51.100.1\n IdentityFile ~/.ssh/bastion\n ProxyJump outer\n"
        "Host *\n User nobody\n",
    )
    made = leaf(home)
    assert (made.address, made.port, made.user) == ("192.0.2.10", 2222, "ops")
    assert (made.keys, made.only_these_keys) == ((f"{home}/.ssh/fabric",), True)
    assert (made.host_key_alias, made.read_known_hosts) == (
        "rack-7",
        (f"{home}/kh", f"{home}/kh2"),
    )
    outer, bastion = made.jumps
    assert (outer.address, outer.port, outer.user) == ("outer", 22, "nobody")
    assert (bastion.address, bastion.port, bastion.user) == ("198.51.100.1", 2200, "hop")
    assert (bastion.keys, bastion.host_key_alias) == ((f"{home}/.ssh/bastion",), "")


def test_ssh_config_by_address_and_by_pattern_for_all(home: Path) -> None:
    config(home, "Host 192.0.2.*\n Port 2222\nHost *\n User all\n")
    assert (leaf(home).port, leaf(home).user) == (2222, "all")


def test_include_is_read(home: Path) -> None:
    config(home, "Include more/*.conf\n")
    (home / ".ssh/more").mkdir()
    (home / ".ssh/more/a.conf").write_text("Host leaf-0\n Port 2022\n")
    assert leaf(home).port == 2022


def test_inventory_comes_before_ssh_config_and_a_device_s_own_before_all(home: Path) -> None:
    config(home, "Host leaf-0\n User ops\n Port 22\n IdentityFile ~/.ssh/x\n ProxyJump bastion\n")
    policy = ConnectionPolicy(
        user="admin", port=22, key_file="~/.ssh/own", jump_host="a,b", password_env="PW"
    )
    made = leaf(home, policy)
    assert (made.user, made.port) == ("admin", 22)
    assert made.keys == (f"{home}/.ssh/own", f"{home}/.ssh/x")
    assert [jump.device for jump in made.jumps] == ["a", "b"]
    assert made.secret == SecretSource("env", "PW")
    assert [jump.secret for jump in made.jumps] == [None, None]
    own = DeviceConnection("leaf-0", user="root", port=23, jump_host="none")
    made = leaf(home, ConnectionPolicy(user="admin", jump_host="a", devices=(own,)))
    assert (made.user, made.port, made.jumps) == ("root", 23, ())


@pytest.mark.parametrize(
    ("policy", "source"),
    [
        (ConnectionPolicy(user="u", password_command="pass x"), ("command", "pass x", "")),
        (ConnectionPolicy(user="u", keyring_service="fabric"), ("keyring", "fabric", "u")),
        (ConnectionPolicy(user="u", ask=True), ("ask", "password of u", "")),
    ],
)
def test_where_the_password_is(
    home: Path, policy: ConnectionPolicy, source: tuple[str, str, str]
) -> None:
    assert leaf(home, policy).secret == SecretSource(*source)


def test_agent_is_asked_where_there_is_one(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSH_AUTH_SOCK", "/somewhere")
    assert leaf(home).agent
    assert not leaf(home, ConnectionPolicy(agent=False)).agent


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Host leaf-0\n ProxyCommand nc %h %p\n", "gives ProxyCommand for leaf-0"),
        ("Host *\n Port ssh\n", "gives Port 'ssh'"),
        ("Match exec true\n User x\n", "line 1 of config: Match exec runs a command"),
        ("Host a\n ProxyJump b\nHost b\n ProxyJump a\nHost leaf-0\n ProxyJump a\n", "itself"),
        ("Host leaf-0\n ProxyJump user:pw@@x\n", "[user@]host[:port]"),
        ("Host leaf-0\n nonsense\n", "config"),
    ],
)
def test_what_cannot_be_honoured(home: Path, text: str, says: str) -> None:
    config(home, text)
    refused = access(home).refused
    assert {refusal.rule for refusal in refused} == {"RCE904"}
    assert says in refused[0].message


def test_file_that_was_named_has_to_be_there(home: Path) -> None:
    (refusal,) = access(home, ConnectionPolicy(ssh_config="~/other")).refused
    assert (refusal.rule, refusal.message) == (
        "RCE904",
        f"{home}/other (connection.ssh_config) does not exist",
    )


def test_no_file_at_all(home: Path) -> None:
    config(home, "Host *\n Port 2222\n")
    assert leaf(home, ConnectionPolicy(ssh_config="none")).port == 22


def test_device_without_an_address(home: Path) -> None:
    (refusal,) = access(home, addresses=ADDRESSES[:1]).refused
    assert (refusal.device, refusal.rule) == ("leaf-1", "RCE901")
    assert refusal.message == "leaf-1: no management address"


def test_one_address_twice_is_refused_unless_the_ports_differ(home: Path) -> None:
    twice = (("leaf-0", "192.0.2.10/24"), ("leaf-1", "192.0.2.10/25"))
    (refusal,) = access(home, addresses=twice).refused
    assert (refusal.device, refusal.rule) == ("leaf-1", "RCE902")
    assert refusal.message == "leaf-1 and leaf-0 have one management address, 192.0.2.10:22"
    other = ConnectionPolicy(devices=(DeviceConnection("leaf-1", port=2222),))
    assert access(home, other, twice).refused == ()


def test_missing_credential_is_one_refusal_for_all(home: Path) -> None:
    made = access(home, ConnectionPolicy(password_env="NO_SUCH")).connections
    (refusal,) = Credentials(Secrets({})).missing(made)
    assert (refusal.device, refusal.rule) == (None, "RCE903")
    assert refusal.message == (
        "no credential for 2 devices (leaf-0 …): the environment variable NO_SUCH "
        "(connection.password_env) is not set"
    )
    assert Credentials(Secrets({"NO_SUCH": "x"})).missing(made) == ()


def test_nothing_to_log_in_with(home: Path) -> None:
    (refusal,) = Credentials(Secrets({})).missing(access(home).connections)
    assert refusal.message.endswith(
        "no key file and no password is named, and no ssh agent was asked"
    )


def test_what_a_jump_host_wants_is_missed_too(home: Path) -> None:
    """Before the first device is touched, not at the first that lies behind it."""
    own = ConnectionPolicy(password_env="OWN")
    jump = replace(leaf(home, own), device="jump-0", secret=SecretSource("env", "JUMP"))
    made = {"leaf-0": replace(leaf(home, own), jumps=(jump,))}
    (refusal,) = Credentials(Secrets({"OWN": "x"})).missing(made)
    assert (refusal.device, refusal.rule) == ("leaf-0", "RCE903")
    assert "the environment variable JUMP" in refusal.message
    assert Credentials(Secrets({"OWN": "x", "JUMP": "y"})).missing(made) == ()


def test_key_file_that_is_not_there(home: Path) -> None:
    made = access(home, ConnectionPolicy(key_file="~/none")).connections
    (refusal,) = Credentials(Secrets({})).missing(made)
    assert f"the key file {home}/none does not exist" in refusal.message


def test_who_speaks_at_the_prompt(home: Path) -> None:
    assert leaf(home).cli == "fabric"
    own = DeviceConnection("leaf-1", cli="fabric")
    made = access(home, ConnectionPolicy(cli="netmiko", devices=(own,))).connections
    assert [made[device].cli for device in DEVICES] == ["netmiko", "fabric"]
