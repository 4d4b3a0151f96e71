"""The procedure of SONiC, carried out by a real shell on real files, with its programs played.

``config``, ``sonic-cfggen``, ``systemctl``, ``vtysh`` and ``show`` are scripts that do with files
what those do with a database and containers. Needs root.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fabric.model.push import Identity, Job, ReplyError
from fabric.platforms.sonic.pushing.committing import SonicCommit
from fabric.platforms.sonic.pushing.previewing import SonicPreview
from tests.changing.doing import CommandError, Machine, wait_for
from tests.changing.spaces import inside, why_not

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.push import Files

COMMIT = SonicCommit()
PREVIEW = SonicPreview()
HERE = Path(__file__).parent
WHY_NOT = why_not("flock", "mount")
pytestmark = pytest.mark.skipif(WHY_NOT is not None, reason=str(WHY_NOT))

# What each program does here: /run/db is CONFIG_DB, /run/loaded what FRR has read, /run/loads the
# reloads and restarts so far. Loading a file that says "broken" is refused before anything stops.
PROGRAMS = {
    "sudo": 'test "$1" = -n && shift\nexec "$@"',
    "sonic-cfggen": "cat /run/db",
    "config": """
case "$1" in
save) cp /run/db "$3" ;;
reload)
    file=/etc/sonic/config_db.json
    for word in "$@"; do case "$word" in reload|-*) ;; *) file=$word ;; esac; done
    if grep -q broken "$file"; then echo "$file fails YANG validation! Error: x"; exit 1; fi
    echo reload >>/run/loads
    cp "$file" /run/db
    cp /etc/sonic/frr/frr.conf /run/loaded 2>/dev/null || rm -f /run/loaded ;;
esac""",
    "systemctl": """
case "$1" in
is-system-running) echo offline; exit 1 ;;
is-active) shift; for unit in "$@"; do echo active; done ;;
restart) echo "restart $2" >>/run/loads; cp /etc/sonic/frr/frr.conf /run/loaded ;;
esac""",
    "sonic-db-cli": "echo 1",
    "vtysh": """
if [ "$1" = -C ]; then ! grep -n pathz "$3"; else echo "FRRouting 10.3 (leaf-0) on Linux"; fi""",
    "show": f"cat {HERE / 'recordings/show_version.txt'}",
}
_INSIDE = """\
set -e
mount -t tmpfs tmpfs /run
mkdir -p /etc/sonic /run/home /run/bin
mount -t tmpfs tmpfs /etc/sonic
mkdir -p /etc/sonic/frr
cp {folder}/config_db.json /etc/sonic/config_db.json
cp /etc/sonic/config_db.json /run/db
test ! -e {folder}/frr.conf || cp {folder}/frr.conf /etc/sonic/frr/frr.conf
cp {folder}/bin/* /run/bin/
chmod 755 /run/bin/*
hostname sonic
echo >/run/started
exec sleep 3600
"""
MODES = ("separated", "split-unified")


@pytest.fixture(params=MODES)
def switch(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Machine]:
    """A switch as it came, and one that FRR's own file configures already."""
    (tmp_path / "bin").mkdir()
    for name, text in PROGRAMS.items():
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
    config = (HERE / "running/config_db.json").read_text()
    config = config.replace('"separated"', f'"{request.param}"')
    (tmp_path / "config_db.json").write_text(config)
    if request.param == "split-unified":
        (tmp_path / "frr.conf").write_text("frr defaults datacenter\nrouter bgp 65100\n")
    script = tmp_path / "inside.sh"
    script.write_text(_INSIDE.format(folder=tmp_path))
    path = "PATH=/run/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    with inside(script, "env", "HOME=/run/home", path) as machine:
        yield machine


def _job(machine: Machine, timer_s: int = 3600) -> Job:
    folder = HERE / "golden/numbered/leaf-0"
    rendered = {name: (folder / name).read_text() for name in ("config_db.json", "frr.conf")}
    before = machine.ask(PREVIEW.running())
    target = PREVIEW.target(before, rendered)
    return Job("p1", "leaf-0", "admin", before, target, timer_s, _identity(machine))


def _identity(machine: Machine) -> Identity:
    return machine.ask(PREVIEW.identify())


def _text(machine: Machine, path: str) -> str:
    words = (*machine.enter, "cat", path)
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=30).stdout


def _boots_from(machine: Machine) -> tuple[str, str]:
    """The files on the disk: what a reboot would boot, whatever lies over them."""
    below = "umount /etc/sonic/frr/frr.conf 2>/dev/null; cat /etc/sonic/frr/frr.conf 2>/dev/null"
    words = (*machine.enter, "unshare", "--mount", "sh", "-c", below)
    conf = subprocess.run(words, capture_output=True, text=True, check=False, timeout=30).stdout
    return _text(machine, "/etc/sonic/config_db.json"), conf


def _runs(machine: Machine, files: Files) -> bool:
    now = machine.ask(PREVIEW.running())
    same_conf = _text(machine, "/run/loaded") == now.get("frr.conf", "")
    loaded = _text(machine, "/run/loads") == "" or same_conf
    return loaded and PREVIEW.canonical(now) == PREVIEW.canonical(files)


def test_pushed_kept_and_pushed_again(switch: Machine) -> None:
    job, disk = _job(switch), _boots_from(switch)
    assert switch.ask(PREVIEW.holder()) is None
    switch.do(COMMIT.apply(job))
    assert switch.ask(COMMIT.pending(job))
    assert _runs(switch, job.target)
    assert _boots_from(switch) == disk, "a reboot would end in the old configuration"
    switch.do(COMMIT.confirm(job))
    switch.do(COMMIT.save(job))
    assert _runs(switch, job.target)
    saved, conf = _boots_from(switch)
    assert json.loads(saved) == json.loads(job.target["config_db.json"])
    assert conf == job.target["frr.conf"]
    assert switch.ask(PREVIEW.holder()) is None, "nothing of ours is left, nothing is unsaved"
    again = _job(switch)
    assert PREVIEW.differences(again.before, again.target) == ()


def test_restored_after_each_step(switch: Machine) -> None:
    job, disk = _job(switch), _boots_from(switch)
    done = [*COMMIT.apply(job), *COMMIT.confirm(job), *COMMIT.save(job)]
    for count in range(len(done) + 1):
        switch.do(done[:count])
        switch.do(COMMIT.restore(job, pending=switch.ask(COMMIT.pending(job)), saving=True))
        assert _runs(switch, job.before), f"after {count} steps"
        assert not switch.ask(COMMIT.pending(job))
        assert _boots_from(switch) == disk, f"after {count} steps"
        assert switch.ask(PREVIEW.holder()) is None


def test_a_restore_where_nothing_was_loaded_loads_nothing(switch: Machine) -> None:
    job = _job(switch)
    switch.do(COMMIT.apply(job)[:-1])
    switch.do(COMMIT.restore(job, pending=True, saving=True))
    assert _text(switch, "/run/loads") == ""


def test_the_timer_restores_by_itself(switch: Machine) -> None:
    job, disk = _job(switch, timer_s=3), _boots_from(switch)
    switch.do(COMMIT.apply(job))
    wait_for(lambda: not switch.ask(COMMIT.pending(job)), "the timer has run out")
    assert _runs(switch, job.before)
    assert _boots_from(switch) == disk
    with pytest.raises(CommandError):
        switch.do(COMMIT.confirm(job))


def test_a_candidate_that_is_refused_leaves_nothing(switch: Machine) -> None:
    job, disk = _job(switch), _boots_from(switch)
    text = job.target["config_db.json"].replace("to gpu-0 rdma0", "broken")
    job = replace(job, target={**job.target, "config_db.json": text})
    with pytest.raises(ReplyError, match="fails YANG validation"):
        switch.do(COMMIT.apply(job))
    assert _runs(switch, job.before)
    assert _boots_from(switch) == disk
    assert _text(switch, "/run/loads") == ""


def test_a_word_that_frr_refuses_is_found_before_anything_stops(switch: Machine) -> None:
    job = _job(switch)
    bad = job.target["frr.conf"].replace("maximum-paths", "maximum-pathz")
    job = replace(job, target={**job.target, "frr.conf": bad})
    with pytest.raises(CommandError, match="vtysh -C"):
        switch.do(COMMIT.apply(job))
    assert not switch.ask(COMMIT.pending(job))
    assert _text(switch, "/run/loads") == ""


def test_a_rollback_returns_every_byte(switch: Machine) -> None:
    job, disk = _job(switch), _boots_from(switch)
    switch.do((*COMMIT.apply(job), *COMMIT.confirm(job), *COMMIT.save(job)))
    now = switch.ask(PREVIEW.running())
    back = Job("p2", "leaf-0", "admin", now, job.before, 3600, _identity(switch))
    switch.do((*COMMIT.apply(back), *COMMIT.confirm(back), *COMMIT.save(back)))
    assert _text(switch, "/run/db") == job.before["config_db.json"]
    saved, conf = _boots_from(switch)
    assert saved == disk[0]
    if disk[1]:
        assert conf == disk[1]
    assert PREVIEW.canonical(switch.ask(PREVIEW.running())) == PREVIEW.canonical(job.before)


def test_where_only_frr_changes_only_frr_starts_anew(switch: Machine) -> None:
    job = _job(switch)
    switch.do((*COMMIT.apply(job), *COMMIT.confirm(job), *COMMIT.save(job)))
    now = switch.ask(PREVIEW.running())
    other = now["frr.conf"].replace("timers 3 9", "timers 1 3")
    job = Job("p3", "leaf-0", "admin", now, {**now, "frr.conf": other}, 3600, _identity(switch))
    switch.do(COMMIT.apply(job))
    assert _text(switch, "/run/loads") == "reload\nrestart bgp\n"
    assert _text(switch, "/run/loaded") == other
    switch.do(COMMIT.restore(job, pending=True, saving=True))
    assert _text(switch, "/run/loads") == "reload\nrestart bgp\nrestart bgp\n"
    assert _text(switch, "/run/loaded") == now["frr.conf"]


def test_unsaved_changes_are_told(switch: Machine) -> None:
    subprocess.run(
        (*switch.enter, "sed", "-i", "s/9100/9200/; s/row 7/row 8/", "/run/db"), check=True
    )
    told = switch.ask(PREVIEW.holder())
    assert told is not None
    assert told.startswith("CONFIG_DB differs from /etc/sonic/config_db.json (- PORT|Ethernet0|mtu")
    assert told.endswith("`sudo config save -y` keeps that, `sudo config reload -y` drops it")
