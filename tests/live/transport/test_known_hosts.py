"""Host keys: what known_hosts files say, and what a key that is shown means."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import paramiko
import pytest

from fabric.live.connections import Connection
from fabric.live.transport.dial import Dialer
from fabric.live.transport.errors import DeviceError, Kind
from fabric.live.transport.host_keys import HostKeys
from fabric.live.transport.known_hosts import HostKey, KnownHosts, known_as
from tests.live.transport.reaching import NAME, connection, credentials, spec
from tests.live.transport.ssh_server import HOST_KEY, Switch, serving

if TYPE_CHECKING:
    from contextlib import ExitStack
    from pathlib import Path

# The key of github.com and its fingerprint, as its documentation prints both.
BLOB = "AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl"
PRINT = "SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU"
OTHER = paramiko.ECDSAKey.generate()


def to(file: Path, **changed: object) -> Connection:
    values: dict[str, object] = {
        "device": NAME,
        "address": "192.0.2.7",
        "port": 22,
        "user": "admin",
        "key_file": "",
        "known_hosts": str(file),
    }
    return Connection(**{**values, **changed})  # type: ignore[arg-type]


def shown(key: paramiko.PKey) -> HostKey:
    return HostKey(key.get_name(), key.asbytes())


def line(names: str, key: paramiko.PKey, marker: str = "") -> str:
    return f"{marker}{names} {key.get_name()} {key.get_base64()} a comment\n"


def verdict(file: Path, key: paramiko.PKey, **changed: object) -> Kind | None:
    try:
        HostKeys().verify(to(file, **changed), shown(key))
    except DeviceError as error:
        return error.kind
    return None


def test_fingerprint_is_that_of_ssh_keygen(tmp_path: Path) -> None:
    file = tmp_path / "known_hosts"
    file.write_text(f"github.com ssh-ed25519 {BLOB}\n")
    (entry,) = KnownHosts((str(file),)).of("github.com")
    assert entry.key.fingerprint == f"ssh-ed25519 {PRINT}"


def test_names_hashed_by_ssh_keygen(tmp_path: Path) -> None:
    file = tmp_path / "known_hosts"
    file.write_text(line("[192.0.2.7]:2222", HOST_KEY) + line("leaf-01", HOST_KEY))
    subprocess.run(["ssh-keygen", "-q", "-H", "-f", file], check=True, capture_output=True)  # noqa: S607
    assert "leaf-01" not in file.read_text()
    known = KnownHosts((str(file),))
    assert [len(known.of(name)) for name in ("[192.0.2.7]:2222", "leaf-01", "leaf-02")] == [1, 1, 0]


@pytest.mark.parametrize(
    ("names", "port", "expected"),
    [
        ("192.0.2.7", 22, None),
        ("192.0.2.7", 2222, Kind.HOST_KEY_UNKNOWN),
        ("[192.0.2.7]:2222", 2222, None),
        ("192.0.2.*", 22, None),
        ("192.0.2.*,!192.0.2.7", 22, Kind.HOST_KEY_UNKNOWN),
        ("192.0.2.8,192.0.2.7", 22, None),
        ("192.0.2.?", 22, None),
    ],
)
def test_names_of_a_line(tmp_path: Path, names: str, port: int, expected: Kind | None) -> None:
    file = tmp_path / "known_hosts"
    file.write_text(line(names, HOST_KEY))
    assert verdict(file, HOST_KEY, port=port) is expected


def test_key_of_another_kind_is_a_changed_key(tmp_path: Path) -> None:
    file = tmp_path / "known_hosts"
    file.write_text(f"192.0.2.7 ssh-ed25519 {BLOB}\n")
    with pytest.raises(DeviceError) as caught:
        HostKeys(accept_new=True).verify(to(file), shown(HOST_KEY))
    assert caught.value.kind is Kind.HOST_KEY_CHANGED
    assert PRINT in str(caught.value)
    assert shown(HOST_KEY).fingerprint in str(caught.value)
    assert f"{file}:1" in str(caught.value)


def test_revoked_key_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "known_hosts"
    file.write_text(line("192.0.2.7", HOST_KEY) + line("*", HOST_KEY, "@revoked "))
    assert verdict(file, HOST_KEY) is Kind.HOST_KEY_CHANGED


def test_revoked_key_is_never_accepted_as_new(tmp_path: Path) -> None:
    file = tmp_path / "known_hosts"
    file.write_text(line("192.0.2.7", HOST_KEY, "@revoked "))
    with pytest.raises(DeviceError, match="revoked"):
        HostKeys(accept_new=True).verify(to(file), shown(HOST_KEY))
    assert len(file.read_text().splitlines()) == 1


def test_key_of_an_authority_is_no_host_key(tmp_path: Path) -> None:
    """It signs keys: a host that shows it is not known by it, one that shows another not wrong."""
    file = tmp_path / "known_hosts"
    file.write_text(line("192.0.2.7", HOST_KEY, "@cert-authority "))
    assert verdict(file, HOST_KEY) is Kind.HOST_KEY_UNKNOWN
    assert verdict(file, OTHER) is Kind.HOST_KEY_UNKNOWN


def test_lines_that_are_none(tmp_path: Path) -> None:
    file = tmp_path / "known_hosts"
    file.write_text("# 192.0.2.7 ssh-rsa AAAA\n\n192.0.2.7 ssh-rsa\n192.0.2.7 ssh-rsa %%\n")
    assert verdict(file, HOST_KEY) is Kind.HOST_KEY_UNKNOWN


def test_user_s_own_file_counts_and_the_device_s_name_too(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.write_text(line(NAME, HOST_KEY))
    read = {"read_known_hosts": (str(own),), "host_key_names": (NAME,)}
    assert verdict(tmp_path / "none", HOST_KEY, **read) is None
    assert verdict(tmp_path / "none", OTHER, **read) is Kind.HOST_KEY_CHANGED


def test_alias_takes_the_place_of_the_address(tmp_path: Path) -> None:
    file = tmp_path / "known_hosts"
    file.write_text(line("rack-7", HOST_KEY))
    assert verdict(file, HOST_KEY, host_key_alias="rack-7", port=2222) is None


def test_name_with_a_port() -> None:
    assert (known_as("h", 22), known_as("h", 23)) == ("h", "[h]:23")


@pytest.mark.parametrize("cli", ["fabric", "netmiko"])  # whose own defaults accept any key
def test_unknown_key_is_refused_with_its_fingerprint(
    tmp_path: Path, stack: ExitStack, cli: str
) -> None:
    switch = Switch()
    server = stack.enter_context(serving(switch))
    made = connection(server, str(tmp_path / "none"), cli=cli)
    dial = stack.enter_context(Dialer({NAME: made}, {NAME: spec()}, credentials=credentials()))
    with pytest.raises(DeviceError) as caught:
        dial(NAME)
    assert (caught.value.kind, caught.value.kind.rule) == (Kind.HOST_KEY_UNKNOWN, "RCE905")
    assert shown(HOST_KEY).fingerprint in str(caught.value)
    assert switch.logins == []  # nothing was said about who we are
    assert not (tmp_path / "none").exists()


def test_accepted_key_is_recorded_told_and_then_known(tmp_path: Path, stack: ExitStack) -> None:
    server = stack.enter_context(serving(Switch()))
    file = tmp_path / "private/fabric/known_hosts"
    made = connection(server, str(file))
    said: list[str] = []
    host_keys = HostKeys(accept_new=True, tell=said.append)
    dial = stack.enter_context(
        Dialer({NAME: made}, {NAME: spec()}, credentials=credentials(), host_keys=host_keys)
    )
    for _ in range(2):
        dial(NAME).close()
    name = f"[127.0.0.1]:{server.port}"
    told = f"leaf-01: accepted the new host key of {name}, {shown(HOST_KEY).fingerprint}"
    assert said == [told]
    assert len(file.read_text().splitlines()) == 1
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    again = stack.enter_context(Dialer({NAME: made}, {NAME: spec()}, credentials=credentials()))
    again(NAME).close()


@pytest.mark.parametrize("cli", ["fabric", "netmiko"])
@pytest.mark.parametrize("accept_new", [False, True])
def test_changed_key_is_refused_in_every_mode(
    tmp_path: Path, stack: ExitStack, accept_new: bool, cli: str
) -> None:
    switch = Switch()
    server = stack.enter_context(serving(switch, OTHER))
    file = tmp_path / "known_hosts"
    file.write_text(line(f"[127.0.0.1]:{server.port}", HOST_KEY))
    made = connection(server, str(file), cli=cli)
    dial = stack.enter_context(
        Dialer(
            {NAME: made},
            {NAME: spec()},
            credentials=credentials(),
            host_keys=HostKeys(accept_new=accept_new),
        )
    )
    with pytest.raises(DeviceError) as caught:
        dial(NAME)
    assert (caught.value.kind, caught.value.kind.rule) == (Kind.HOST_KEY_CHANGED, "RCE906")
    for key in (HOST_KEY, OTHER):
        assert shown(key).fingerprint in str(caught.value)
    assert switch.logins == []
    assert len(file.read_text().splitlines()) == 1
