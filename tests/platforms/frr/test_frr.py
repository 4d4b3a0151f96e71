"""FRR on Linux: goldens, the parser of FRR itself, what must be in which file."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from fabric.model.underlay import BgpSession
from fabric.platforms import ConfigError, frr
from fabric.text import Renderer, chains
from tests.platforms.models import ROOT, Case

GOLDEN = Path(__file__).with_name("golden")
CASES = {
    "numbered": Case("frr"),
    "unnumbered": Case("frr", "unnumbered"),
    "bfd": Case("frr", "unnumbered", bfd=True),
    "vlan": Case("frr", port="vlan"),
    "bond": Case("frr", bond=True),
    "bond-dual": Case("frr", bond=True, family="dual"),
    "bond-vlan": Case("frr", port="vlan", bond=True),
    "dual-tor": Case("frr", dual_tor=True),
    "ipv6": Case("frr", family="ipv6"),
    "dual-unnumbered": Case("frr", "unnumbered", family="dual"),
}
DEVICES = ("leaf-0", "spine-1")
VTYSH = shutil.which("vtysh")


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", sorted(CASES))
def test_golden(name: str, device: str) -> None:
    files = CASES[name].files(device)
    folder = GOLDEN / name / device
    assert sorted(files) == sorted(file.name for file in folder.iterdir())
    for file, text in files.items():
        assert text == (folder / file).read_text(), f"{name}/{device}/{file}"


def _parse(text: str, folder: Path) -> None:
    file = folder / "frr.conf"
    file.write_text(text)
    done = subprocess.run(
        [str(VTYSH), "-C", "-f", str(file)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


@pytest.mark.skipif(VTYSH is None, reason="vtysh is not installed")
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(
    "case",
    [
        *CASES.values(),
        Case("frr", "unnumbered", family="ipv6"),
        Case("frr", family="dual"),
        Case(),
        Case(numbering="unnumbered", bfd=True),
        Case(family="ipv6"),
        Case(family="dual", numbering="unnumbered"),
    ],
    ids=str,
)
def test_the_parser_of_frr_takes_every_line(case: Case, device: str, tmp_path: Path) -> None:
    _parse(case.files(device)["frr.conf"], tmp_path)


@pytest.mark.skipif(VTYSH is None, reason="vtysh is not installed")
def test_the_parser_of_frr_takes_both_families(tmp_path: Path) -> None:
    _parse(_dual_stack()["frr.conf"], tmp_path)


def _dual_stack() -> dict[str, str]:
    model = Case("frr").model("leaf-0")
    v6 = [
        BgpSession(s.device, s.port, s.link, s.peer, s.peer_port, s.local_asn, s.peer_asn,
                   f"fd00::{n}:0", f"fd00::{n}:1", "ipv6")
        for n, s in enumerate(model.sessions)
    ]  # fmt: skip
    speaker = replace(
        model.speaker,
        announces=(*model.speaker.announces, "fd00:255::1/128", "fd00:1::/64"),
        discards=(*model.speaker.discards, "fd00:1::/64"),
        allowas_in=1,
    )
    dual = replace(
        model,
        speaker=speaker,
        sessions=(*model.sessions, *v6),
        loopback_v6="fd00:255::1/128",
    )
    return {file.name: file.text for file in Renderer((ROOT,)).device(dual).files}


def test_each_family_has_its_own_sessions_and_prefixes() -> None:
    lines = _dual_stack()["frr.conf"].splitlines()
    start = lines.index(" address-family ipv6 unicast")
    end = lines.index(" exit-address-family", start)
    assert lines[start + 1 : end] == [
        "  network fd00:255::1/128",
        "  network fd00:1::/64",
        "  neighbor FABRIC-V6 activate",
        "  neighbor FABRIC-V6 allowas-in 1",
        "  neighbor FABRIC-V6 route-map FABRIC-IN in",
        "  neighbor FABRIC-V6 route-map FABRIC-OUT out",
        "  maximum-paths 64",
    ]
    assert "ipv6 route fd00:1::/64 blackhole" in lines
    assert " neighbor fd00::0:1 peer-group FABRIC-V6" in lines
    assert "  neighbor FABRIC-V4 activate" in lines


@pytest.mark.parametrize("name", sorted(CASES))
def test_only_prefixes_of_the_speaker_are_announced(name: str) -> None:
    speaker = CASES[name].model("leaf-0").speaker
    text = CASES[name].files("leaf-0")["frr.conf"]
    by_family = sorted(speaker.announces, key=lambda prefix: ":" in prefix)
    assert re.findall(r"^  network (\S+)$", text, re.MULTILINE) == by_family
    form = r"^(?:ip|ipv6) prefix-list ANNOUNCE-V[46] seq \d+ permit (\S+)$"
    assert re.findall(form, text, re.MULTILINE) == by_family
    assert "redistribute" not in text
    for prefix in speaker.discards:
        word = "ipv6" if ":" in prefix else "ip"
        assert f"\n{word} route {prefix} blackhole\n" in text


def test_sonic_and_frr_share_the_words_of_bgp() -> None:
    """One text for both: from the discard routes on they differ in nothing."""
    parts = [Case(platform).files("leaf-0")["frr.conf"] for platform in ("frr", "sonic")]
    one, other = (text[text.index("\nip route ") :] for text in parts)
    assert one == other


def test_a_veth_has_no_lossless_function() -> None:
    case = CASES["numbered"]
    wanted = tuple(port.chain for port in case.model("leaf-0").used_interfaces)
    assert chains("frr", case.files("leaf-0"), "leaf-0") == wanted
    assert wanted[0].mtu_bytes == 9216
    assert wanted[0].pfc_priorities == ()


@pytest.mark.parametrize("name", sorted(CASES))
def test_nothing_to_object_to(name: str) -> None:
    assert frr.problems(CASES[name].files("leaf-0")) == ()
    assert frr.left_out(CASES[name].model("leaf-0")) == ()


@pytest.mark.parametrize(
    ("file", "line", "consequence"),
    [
        ("frr.conf", " bgp bestpath as-path multipath-relax\n", "paths over different ASNs"),
        ("frr.conf", "  maximum-paths 64\n", "without maximum-paths one way out of several"),
        ("daemons", "bgpd=yes\n", "bgpd does not start"),
        ("99-fabric.conf", "net.ipv4.ip_forward = 1\n", "the switch does not forward"),
        ("99-fabric.conf", "net.ipv4.fib_multipath_hash_policy = 1\n", "all flows of a host pair"),
    ],
)
def test_a_missing_line_costs_paths(file: str, line: str, consequence: str) -> None:
    files = CASES["numbered"].files("leaf-0")
    assert line in files[file]
    (found,) = frr.problems({**files, file: files[file].replace(line, "")})
    assert found.startswith(f"{file}: {consequence}")


def test_what_is_no_config_is_said() -> None:
    with pytest.raises(ConfigError, match="there is no interfaces"):
        chains("frr", {}, "leaf-0")


def test_each_tier_hashes_with_a_seed_of_its_own() -> None:
    seeds = {
        device: re.findall(
            r"^-net\.ipv4\.fib_multipath_hash_seed = (\d+)$",
            CASES["numbered"].files(device)["99-fabric.conf"],
            re.MULTILINE,
        )
        for device in DEVICES
    }
    assert seeds == {"leaf-0": ["11"], "spine-1": ["26"]}  # the intent's, none 0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("net.ipv6.conf.all.forwarding = 1", "the switch does not forward IPv6"),
        ("net.ipv6.fib_multipath_hash_policy = 1", "all IPv6 flows of a host pair share one link"),
    ],
)
def test_a_switch_with_ipv6_prefixes_forwards_and_hashes_ipv6(line: str, said: str) -> None:
    for case, expected in ((CASES["ipv6"], (f"99-fabric.conf: {said}",)), (CASES["numbered"], ())):
        files = case.files("leaf-0")
        assert frr.problems(files) == ()
        files["99-fabric.conf"] = files["99-fabric.conf"].replace(line, "")
        assert frr.problems(files) == expected
