"""The procedure of FRR, carried out for real: FRR in namespaces with an /etc of its own.

Needs root, FRR and its frr-reload.py. What the machine itself has is not touched.
"""

from __future__ import annotations

import subprocess
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fabric.model.push import Job, ReplyError
from fabric.platforms.frr.pushing.committing import FrrCommit
from fabric.platforms.frr.pushing.previewing import FrrPreview
from tests.changing.doing import CommandError, Machine, wait_for
from tests.changing.spaces import inside, why_not

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMIT = FrrCommit()
PREVIEW = FrrPreview()
GOLDEN = Path(__file__).parent / "golden"
OLD = """\
frr defaults datacenter
hostname old
log syslog informational
service integrated-vtysh-config
password hush
!
interface Ethernet4
 description left from long ago
 ip address 192.0.2.1/31
exit
!
ip route 203.0.113.0/24 Null0
ip prefix-list MGMT seq 5 permit 198.51.100.0/24
!
router bgp 65001
 bgp router-id 192.0.2.1
 neighbor 192.0.2.0 remote-as 65002
exit
!
"""
_INSIDE = """\
set -e
mount -t tmpfs tmpfs /run
mkdir -p /run/frr /run/new /run/home
cp -a /etc/frr /run/new/frr
mount --bind /run/new/frr /etc/frr
mount -t tmpfs tmpfs /var/log/frr
mkdir -p /var/tmp/frr
mount -t tmpfs tmpfs /var/tmp/frr
mkdir -p /etc/sysctl.d /etc/lldpd.d
mount -t tmpfs tmpfs /etc/sysctl.d
chown -R frr:frr /run/frr /etc/frr /var/log/frr /var/tmp/frr
cp {conf} /etc/frr/frr.conf
printf 'zebra=yes\\nbgpd=yes\\nbfdd=yes\\nstaticd=yes\\n' >/etc/frr/daemons
echo 'service integrated-vtysh-config' >/etc/frr/vtysh.conf
chown frr:frr /etc/frr/*
hostname leaf-0
# A user like that of a lab: no root, but of FRR's groups
cp /etc/passwd /etc/group /run/new/
echo 'plain:x:2001:2001::/run/plain:/bin/sh' >>/run/new/passwd
sed -i -E 's/^(frr|frrvty):(.*)$/\\1:\\2,plain/; s/:,plain/:plain/' /run/new/group
echo 'plain:x:2001:' >>/run/new/group
mount --bind /run/new/passwd /etc/passwd
mount --bind /run/new/group /etc/group
mkdir -m 700 /run/plain
chown 2001:2001 /run/plain
chmod 775 /etc/frr /run/frr /var/log/frr
chmod 664 /etc/frr/*
ip link set lo up
for port in Ethernet0 Ethernet2 Ethernet4 Ethernet8 bond10 bond14 vlan100; do
    ip link add $port type bridge
    ip link set $port up
done
for daemon in zebra staticd bfdd bgpd; do /usr/lib/frr/$daemon -d -A 127.0.0.1; done
echo started >/run/started
exec sleep 3600
"""


WHY_NOT = why_not("vtysh", "ip", "/usr/lib/frr/bgpd", "/usr/lib/frr/frr-reload.py")
pytestmark = pytest.mark.skipif(WHY_NOT is not None, reason=str(WHY_NOT))


@contextmanager
def _switch(tmp_path: Path) -> Iterator[Machine]:
    conf, script = tmp_path / "frr.conf", tmp_path / "inside.sh"
    conf.write_text(OLD)
    script.write_text(_INSIDE.format(conf=conf))
    with inside(script, "env", "HOME=/run/home") as machine:
        wait_for(lambda: _up(machine), "FRR answers")
        subprocess.run(
            (*machine.enter, "vtysh", "-b"), capture_output=True, check=False, timeout=60
        )
        yield machine


def _up(machine: Machine) -> bool:
    words = (*machine.enter, "vtysh", "-c", "show daemons")
    ended = subprocess.run(words, capture_output=True, text=True, check=False, timeout=30)
    return all(name in ended.stdout for name in ("zebra", "bgpd", "staticd"))


@pytest.fixture
def switch(tmp_path: Path) -> Iterator[Machine]:
    with _switch(tmp_path) as machine:
        yield machine


def _job(machine: Machine, timer_s: int = 3600, files: tuple[str, ...] = ("frr.conf",)) -> Job:
    rendered = {name: (GOLDEN / "numbered/leaf-0" / name).read_text() for name in files}
    before = machine.ask(PREVIEW.running())
    identity = machine.ask(PREVIEW.identify())
    target = PREVIEW.target(before, rendered)
    return Job("p1", "leaf-0", "root", before, target, timer_s, identity)


def _runs(machine: Machine, job: Job, side: str) -> bool:
    now = machine.ask(PREVIEW.running())
    wanted = job.target if side == "target" else job.before
    return PREVIEW.canonical(now) == PREVIEW.canonical(wanted)


def _disk(machine: Machine) -> str:
    words = (*machine.enter, "cat", "/etc/frr/frr.conf")
    return subprocess.run(words, capture_output=True, text=True, check=True, timeout=30).stdout


def test_it_says_who_it_is(switch: Machine) -> None:
    identity = switch.ask(PREVIEW.identify())
    assert identity.hostname == "leaf-0"
    assert identity.fact("home") == "/run/home"
    assert identity.fact("timer") in ("setsid", "at")  # no systemd runs here
    assert switch.ask(PREVIEW.holder()) is None
    running = switch.ask(PREVIEW.running())
    assert "neighbor 192.0.2.0 remote-as 65002" in running["frr.conf"]
    assert running["startup frr.conf"] == OLD


def test_pushed_kept_and_pushed_again(switch: Machine) -> None:
    job = _job(switch)
    lines = switch.ask(PREVIEW.difference(job)).lines
    assert "- router bgp 65001 > neighbor 192.0.2.0 remote-as 65002" in lines
    switch.do(COMMIT.apply(job))
    assert switch.ask(COMMIT.pending(job))
    assert _runs(switch, job, "target")
    assert _disk(switch) == OLD, "a reboot would end in the old configuration"
    switch.do(COMMIT.confirm(job))
    assert not switch.ask(COMMIT.pending(job))
    switch.do(COMMIT.save(job))
    assert _disk(switch) == job.target["frr.conf"]
    assert switch.ask(PREVIEW.holder()) is None, "nothing of ours is left"
    again = _job(switch)
    assert PREVIEW.differences(again.before, again.target) == ()
    kept = switch.ask(PREVIEW.running())["frr.conf"]
    for line in (
        "password hush",
        "ip route 203.0.113.0/24 Null0",
        "ip prefix-list MGMT seq 5 permit 198.51.100.0/24",
    ):
        assert line in kept, "what is not the plan's stays"


def test_restored_after_each_step(switch: Machine) -> None:
    job = _job(switch)
    done = [*COMMIT.apply(job), *COMMIT.confirm(job), *COMMIT.save(job)]
    for count in range(len(done) + 1):
        switch.do(done[:count])
        switch.do(COMMIT.restore(job, pending=switch.ask(COMMIT.pending(job)), saving=True))
        assert _runs(switch, job, "before"), f"after {count} steps"
        assert not switch.ask(COMMIT.pending(job))
        assert switch.ask(PREVIEW.holder()) is None
        if count < len(done):  # the last step took the copy away that is byte for byte
            assert _disk(switch) == OLD, f"after {count} steps"


def test_the_timer_restores_by_itself(switch: Machine) -> None:
    job = _job(switch, timer_s=3)
    switch.do(COMMIT.apply(job))
    wait_for(lambda: not switch.ask(COMMIT.pending(job)), "the timer has run out")
    assert _runs(switch, job, "before")
    assert _disk(switch) == OLD
    with pytest.raises(CommandError):
        switch.do(COMMIT.confirm(job))


def test_a_line_that_frr_refuses_changes_nothing(switch: Machine) -> None:
    job = _job(switch)
    bad = job.target["frr.conf"].replace("maximum-paths 64", "maximum-pathz 64")
    job = replace(job, target={**job.target, "frr.conf": bad})
    with pytest.raises(CommandError, match="maximum-pathz"):
        switch.do(COMMIT.apply(job))
    assert _runs(switch, job, "before")
    assert not switch.ask(COMMIT.pending(job))
    switch.do(PREVIEW.discard(job))
    assert switch.ask(PREVIEW.holder()) is None


def test_a_daemon_that_is_down_is_no_empty_configuration(switch: Machine) -> None:
    pid = "kill $(cat /run/frr/bgpd.pid)"
    subprocess.run((*switch.enter, "sh", "-c", pid), check=True, timeout=30)
    wait_for(lambda: not _up(switch), "bgpd is down")
    with pytest.raises(ReplyError, match="bgpd shall run"):
        switch.ask(PREVIEW.running())


def test_kernel_settings_and_their_file(switch: Machine) -> None:
    job = _job(switch, files=("frr.conf", "99-fabric.conf"))
    setting = ("sysctl", "-n", "net.ipv4.fib_multipath_hash_policy")

    def value() -> str:
        words = (*switch.enter, *setting)
        ended = subprocess.run(words, capture_output=True, text=True, check=True, timeout=30)
        return ended.stdout.strip()

    assert value() == "0"
    switch.do(COMMIT.apply(job))
    assert value() == "1"
    assert _runs(switch, job, "target"), "what lies over the file is what is read"
    switch.do(COMMIT.restore(job, pending=True, saving=True))
    assert value() == "0"
    assert _runs(switch, job, "before")
    switch.do((*COMMIT.apply(job), *COMMIT.confirm(job), *COMMIT.save(job)))
    assert value() == "1"
    assert _runs(switch, job, "target")
    switch.do(COMMIT.restore(job, pending=False, saving=True))
    assert value() == "0", "also after the save"
    assert _runs(switch, job, "before")


def test_without_root_as_in_a_lab(switch: Machine) -> None:
    groups = subprocess.run(
        (*switch.enter, "id", "-G", "plain"), capture_output=True, text=True, check=True
    )
    user = ("setpriv", "--reuid=2001", "--regid=2001", "--inh-caps=-all")
    listed = groups.stdout.strip().replace(" ", ",")
    plain = Machine(enter=(*switch.enter, *user, f"--groups={listed}", "env", "HOME=/run/plain"))
    job = _job(plain)
    assert job.identity.fact("root") == "none"
    assert job.identity.fact("timer") == "setsid"
    plain.do(COMMIT.apply(job))
    assert _runs(plain, job, "target")
    assert _disk(switch) == OLD
    plain.do(COMMIT.restore(job, pending=True, saving=True))
    assert _runs(plain, job, "before")
    plain.do((*COMMIT.apply(job), *COMMIT.confirm(job), *COMMIT.save(job)))
    assert _disk(switch) == job.target["frr.conf"]
    words = (*switch.enter, "stat", "-c", "%G %a", "/etc/frr/frr.conf")
    rights = subprocess.run(words, capture_output=True, text=True, check=True)
    assert rights.stdout == "frr 660\n"


def test_from_each_case_to_the_next(switch: Machine) -> None:
    """Addresses, families, sessions and ports come and go; FRR ends in the target each time."""
    cases = sorted(folder.name for folder in GOLDEN.iterdir())
    for case in (*cases, cases[0]):
        rendered = {"frr.conf": (GOLDEN / case / "leaf-0/frr.conf").read_text()}
        before = switch.ask(PREVIEW.running())
        identity = switch.ask(PREVIEW.identify())
        target = PREVIEW.target(before, rendered)
        job = Job("p1", "leaf-0", "root", before, target, 3600, identity)
        switch.do((*COMMIT.apply(job), *COMMIT.confirm(job), *COMMIT.save(job)))
        found = PREVIEW.differences(switch.ask(PREVIEW.running()), job.target)
        assert found == (), case
