"""What of an FRR switch is the plan's, and what is typed to change it."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric import catalog
from fabric.catalog.push import push_spec
from fabric.files.locate import templates_root
from fabric.model.push import Identity, Job, PutFile, ReplyError
from fabric.platforms.frr.pushing.committing import FrrCommit
from fabric.platforms.frr.pushing.files import CONF_PATH, OTHERS, SETTINGS
from fabric.platforms.frr.pushing.previewing import FrrPreview
from fabric.platforms.frr.pushing.sections import IGNORED, OWNED, merged, places, sections
from tests.changing.doing import commands_of, scripts_of, syntax_errors

COMMIT = FrrCommit()
PREVIEW = FrrPreview()
HERE = Path(__file__).parent
ROOTS = (templates_root(),)
GOLDEN = sorted((HERE / "golden").glob("*/*"))
CONF = """\
frr version 8.4.4
frr defaults traditional
hostname vm
log file /var/log/frr/frr.log
log syslog informational
service integrated-vtysh-config
agentx
password hush
!
ip prefix-list MGMT seq 5 permit 198.51.100.0/24
!
vrf mgmt
 ip route 0.0.0.0/0 198.51.100.1
exit-vrf
!
interface eth0
 ip address 198.51.100.11/24
exit
!
interface Ethernet60
 ip address 192.0.2.1/31
exit
!
router bgp 65001
 bgp router-id 192.0.2.1
 neighbor 192.0.2.0 remote-as 65002
 !
 address-family ipv4 unicast
  maximum-paths 2
 exit-address-family
exit
!
router ospf
 ospf router-id 192.0.2.1
exit
!
route-map CUSTOMER permit 10
exit
!
line vty
 exec-timeout 5 0
exit
!
"""
KEPT = (
    "log file /var/log/frr/frr.log\n",
    "agentx\n",
    "password hush\n",
    "ip prefix-list MGMT seq 5 permit 198.51.100.0/24\n",
    "vrf mgmt\n ip route 0.0.0.0/0 198.51.100.1\nexit-vrf\n",
    "interface eth0\n ip address 198.51.100.11/24\nexit\n",
    "router ospf\n ospf router-id 192.0.2.1\nexit\n",
    "route-map CUSTOMER permit 10\n",
    "line vty\n exec-timeout 5 0\nexit\n",
)
RUNNING = {"frr.conf": CONF, "startup frr.conf": CONF, "daemons": "zebra=yes\nospfd=yes\n"}
LOGIN = (("home", "/home/admin"), ("root", "sudo"), ("timer", "systemd-run"))


def _rendered(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def _job(folder: Path = HERE / "golden/bond-vlan/leaf-0", root: str = "sudo") -> Job:
    facts = tuple((n, root if n == "root" else v) for n, v in LOGIN)
    target = PREVIEW.target(RUNNING, _rendered(folder))
    identity = Identity("leaf-0", None, "8.4.4", facts)
    return Job("p1", "leaf-0", "admin", RUNNING, target, 600, identity)


def test_the_words_are_those_of_the_manifest() -> None:
    spec = catalog.platform_spec("frr", ROOTS)
    assert spec.ignores == IGNORED
    assert push_spec("frr", ROOTS).owned == OWNED
    paths = {file.name: file.remote_path for file in spec.files}
    assert paths == {"frr.conf": CONF_PATH, **{file.name: file.path for file in OTHERS}}
    modes = {file.name: file.mode for file in spec.files}
    assert all(file.rights.endswith(f"-m {modes[file.name]}") for file in OTHERS)


@pytest.mark.parametrize("folder", GOLDEN, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_is_not_the_plans_stays_byte_for_byte(folder: Path) -> None:
    rendered = _rendered(folder)
    target = PREVIEW.target(RUNNING, rendered)
    text = target["frr.conf"]
    assert text.startswith(rendered["frr.conf"])
    for kept in KEPT:
        assert kept in text
    for gone in ("65001", "192.0.2.0 remote-as", "Ethernet60", "frr defaults traditional"):
        assert gone not in text
    assert all(target[name] == rendered[name] for name in rendered if name != "frr.conf")
    again = PREVIEW.target(target, rendered)
    assert again == target
    assert PREVIEW.differences(target, target) == ()


@pytest.mark.skipif(not shutil.which("vtysh"), reason="FRR is not installed")
@pytest.mark.parametrize("folder", GOLDEN, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_frr_takes_the_words_of_each_target(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "frr.conf"
    file.write_text(PREVIEW.target(RUNNING, _rendered(folder))["frr.conf"])
    words = ("vtysh", "-C", "-f", str(file))
    ended = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode == 0, ended.stderr


_SECTIONS = st.lists(st.sampled_from([section.text for section in sections(CONF)]), unique=True)
_PLAN = st.lists(
    st.sampled_from(
        [s.text for s in sections((HERE / "golden/numbered/leaf-0/frr.conf").read_text())]
    ),
    unique=True,
)


@settings(max_examples=60)
@given(_SECTIONS, _PLAN)
def test_merged_twice_is_merged_once(running: list[str], plan: list[str]) -> None:
    now, ours = "".join(running), "".join(plan)
    once = merged(now, ours)
    assert merged(once, ours) == once
    assert places(ours) <= places(once)
    for section in sections(now):
        if not (section.owned or section.ignored):
            assert section.text in once


def test_differences_name_the_place() -> None:
    job = _job()
    lines = PREVIEW.differences(job.before, job.target)
    assert "- router bgp 65001 > address-family ipv4 unicast > maximum-paths 2" in lines
    assert "+ interfaces: iface Ethernet0 inet manual > mtu 9216" in lines
    assert "- daemons: ospfd=yes" in lines
    swapped = {"frr.conf": CONF, "interfaces": "iface a\n mtu 1\niface b\n mtu 2\n"}
    other = {"frr.conf": CONF, "interfaces": "iface a\n mtu 2\niface b\n mtu 1\n"}
    assert len(PREVIEW.differences(swapped, other)) == 4
    moved = {"frr.conf": CONF.replace("agentx\npassword hush\n", "password hush\nagentx\n")}
    assert PREVIEW.differences({"frr.conf": CONF}, moved) == ()
    assert PREVIEW.canonical({"frr.conf": CONF}) == PREVIEW.canonical(moved)


def test_what_is_typed(tmp_path: Path) -> None:
    job = _job()
    steps = [*COMMIT.apply(job), *COMMIT.confirm(job), *COMMIT.save(job)]
    steps += [*COMMIT.restore(job, pending=True, saving=True), *PREVIEW.discard(job)]
    for text in (*commands_of(steps), *scripts_of(steps)):
        assert not syntax_errors(text, tmp_path), text
    typed = commands_of(COMMIT.apply(job))
    check = "sudo -n vtysh -C -f /home/admin/fabric-push-p1/new/frr.conf"
    reload = "sudo -n /usr/lib/frr/frr-reload.py --confdir /home/admin/fabric-push-p1/new --{} "
    reload += "/home/admin/fabric-push-p1/new/frr.conf"
    order = [typed.index(text) for text in (check, reload.format("test"), reload.format("reload"))]
    assert order == sorted(order)
    assert not any("write memory" in text for text in (*typed, *scripts_of(steps)))
    assert not any("sudo" in text for text in scripts_of(steps)), "the timer runs as root already"
    assert [s.name for s in COMMIT.apply(job) if s.name.startswith("put ")] == [
        "put 99-fabric.conf in force",
        "put interfaces in force",
        "put daemons in force",
        "put lldpd.conf in force",
    ]
    if shutil.which("shellcheck"):
        for number, text in enumerate(scripts_of(steps)):
            file = tmp_path / f"{number}.sh"
            file.write_text(f"#!/bin/sh\n{text}")
            words = ("shellcheck", "-S", "warning", str(file))
            ended = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
            assert not ended.stdout


def test_without_root_the_group_has_to_do() -> None:
    job = _job(root="none")
    typed = commands_of((*COMMIT.apply(job), *COMMIT.save(job)))
    assert not [text for text in typed if text.startswith("sudo")]
    assert [text for text in typed if "install -g frr -m 0660" in text]


@pytest.mark.parametrize("reply", ["", "Unknown command", "% Unknown command: show version"])
def test_other_replies_are_refused(reply: str) -> None:
    with pytest.raises(ReplyError, match="show version"):
        PREVIEW.identify().read((reply, *[""] * 8))
    with pytest.raises(ReplyError, match="no configuration of FRR"):
        PREVIEW.running().read(("", reply, "", "", "", "", ""))


def test_all_that_a_plan_may_set_is_read_before() -> None:
    text = (templates_root() / "frr/config/sysctl.j2").read_text()
    named = re.findall(r"^-?(net\S+) = ", text, re.MULTILINE)
    assert sorted(set(named)) == sorted(SETTINGS)


@pytest.mark.parametrize(
    "line",
    [
        "net.core.rmem_max = 1",
        "-net.core.rmem_max=1",
        "  net.core.rmem_max = 1",
        "net/core/rmem_max = 1",
        "net.ipv4.conf.*.rp_filter = 0",
    ],
)
def test_a_setting_that_could_not_be_given_back_is_refused(line: str) -> None:
    job = _job()
    rendered = {name: text for name, text in job.target.items() if name != "kernel settings"}
    assert PREVIEW.target(job.before, rendered)
    rendered["99-fabric.conf"] += f"# net.core.wmem_max = 1\n{line}\n"
    name = line.strip("- ").split("=")[0].strip()
    with pytest.raises(ReplyError, match=re.escape(f"sets {name}, which is not read back")):
        PREVIEW.target(job.before, rendered)


def test_a_restore_after_the_save_has_all_it_needs() -> None:
    """The folder was removed then: what the restore reads is laid down again."""
    job = _job()
    kernel = "net.ipv4.ip_forward = 0\nnet.ipv4.tcp_ecn = 2\n"
    job = replace(job, before={**job.before, "kernel settings": kernel})
    first = COMMIT.restore(job, pending=False, saving=True)[0]
    laid = {a.path.partition("p1/")[2]: a.text for a in first.actions if isinstance(a, PutFile)}
    assert laid["read-kernel"] == "net.ipv4.ip_forward = 0\n", "only what the change sets"
    assert laid["new-interfaces"] == job.target["interfaces"]
    home = "/home/admin/fabric-push-p1"
    assert f"test -e {home}/old-kernel || sudo -n cp {home}/read-kernel {home}/old-kernel" in (
        commands_of((first,))
    )
    (script,) = scripts_of((first,))
    assert f"ifdown --force -i {home}/new-interfaces Ethernet0" in script
    assert PREVIEW.canonical(job.before) == PREVIEW.canonical(RUNNING)
    assert PREVIEW.differences(job.before, RUNNING) == ()


def test_a_change_without_settings_asks_for_none() -> None:
    """``sysctl`` without a name is an error."""
    job = _job()
    back = replace(job, before=job.target, target=job.before)
    assert not [text for text in commands_of(COMMIT.apply(back)) if "sysctl -e" in text]
