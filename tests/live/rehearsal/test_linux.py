"""The shell, its files and its timers, over SSH."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.live.rehearsal.box import Setup
    from fabric.live.rehearsal.control import Rehearsal
    from tests.live.rehearsal.client import Client

    Start = Callable[..., Rehearsal]
    Connect = Callable[[Rehearsal, str], Client]


@pytest.mark.parametrize(
    ("command", "status", "out"),
    [
        ("true && echo a || echo b; false || echo c", 0, "a\nc\n"),
        ("if test -s /etc/hostname; then echo yes; else echo no; fi", 0, "yes\n"),
        ("x='a  b'; echo \"$x\" $x; echo '$x'", 0, "a  b a b\n$x\n"),
        ("echo one; echo two >&2", 0, "one\n"),
        ("cat /etc/hostname | grep -c leaf", 0, "1\n"),
        ("{ echo a; echo b; } > /tmp/f && wc -l < /tmp/f", 0, "2\n"),
        ("echo a > /tmp/f; echo b >> /tmp/f; cat /tmp/f", 0, "a\nb\n"),
        ("sh -c 'echo $((1))' 2>&1; echo $?", 0, None),
        ("nosuch; echo $?", 0, "127\n"),
        ("! test -e /none && echo gone", 0, "gone\n"),
        ("printf 'a\\nb\\n' | head -1", 0, "a\n"),
        ("sudo -n id -u; id -un", 0, "0\nadmin\n"),
        ("command -v systemd-run && command -v vtysh", 0, "/usr/bin/systemd-run\n/usr/bin/vtysh\n"),
        ("command -v nosuch", 1, ""),
        ('echo "$(hostname)"', 0, "leaf1\n"),
        ("exit 3; echo no", 3, ""),
        ("echo 'open", 2, ""),
        ("echo text > /etc/frr/x", 1, ""),
        (
            "cp /etc/hostname /tmp/h && mv /tmp/h /tmp/i && cmp /etc/hostname /tmp/i; echo $?",
            0,
            "0\n",
        ),
        ("install -m 600 /etc/hostname /tmp/k && stat -c '%a %s' /tmp/k", 0, "600 6\n"),
        ("rm /none", 1, ""),
        ("rm -f /none; echo $?", 0, "0\n"),
        (
            "printf leaf1 > /tmp/l; sha256sum /tmp/l",
            0,
            "df7107e48ba0d0a2d7ecea8bdd7c9e3c5ab7ed0e8bc0a2e5bdd0d5b4fbd4c0c1  /tmp/l\n",
        ),
    ],
)
def test_shell(  # noqa: PLR0913, PLR0917
    start: Start, connect: Connect, frr: Setup, command: str, status: int, out: str | None
) -> None:
    found = connect(start(frr), "leaf1").run(command)
    assert found[0] == status
    if command.startswith("printf leaf1"):
        out = hashlib.sha256(b"leaf1").hexdigest() + "  /tmp/l\n"
    if out is not None:
        assert found[1] == out


def test_words_of_a_missing_program(start: Start, connect: Connect, frr: Setup) -> None:
    client = connect(start(frr), "leaf1")
    assert client.run("nosuch")[2] == "bash: line 1: nosuch: command not found\n"
    assert client.run("sudo nosuch") == (1, "", "sudo: nosuch: command not found\n")
    assert client.run("sysctl --system")[0] == 127  # /usr/sbin is not in a user's PATH


def _arm(client: Client, extra: str = "") -> None:
    status, _, err = client.run(
        f"sudo systemd-run --on-active=600 {extra} --unit=back cp /etc/hostname /tmp/fired"
    )
    assert status == 0
    assert err == ("Running timer as unit: back.timer\nWill run service as unit: back.service\n")


def test_a_timer_fires_up_to_its_accuracy_late(start: Start, connect: Connect, frr: Setup) -> None:
    rehearsal = start(frr)
    client = connect(rehearsal, "leaf1")
    _arm(client)
    rehearsal.advance(601)  # systemd.timer(5): AccuracySec is one minute
    assert client.out("systemctl is-active back.timer") == "active\n"
    rehearsal.advance(60)
    assert client.run("systemctl is-active back.timer") == (3, "inactive\n", "")
    assert client.run("test -e /tmp/fired")[0] == 0


def test_a_timer_that_is_accurate(start: Start, connect: Connect, frr: Setup) -> None:
    rehearsal = start(frr)
    client = connect(rehearsal, "leaf1")
    _arm(client, "--timer-property=AccuracySec=1s")
    rehearsal.advance(590)
    assert client.run("test -e /tmp/fired")[0] == 1
    rehearsal.advance(12)
    assert client.run("test -e /tmp/fired")[0] == 0


def test_a_stopped_timer_never_fires(start: Start, connect: Connect, frr: Setup) -> None:
    rehearsal = start(frr)
    client = connect(rehearsal, "leaf1")
    _arm(client)
    assert client.run("sudo systemd-run --on-active=9 --unit=back true")[0] == 1
    client.out("sudo systemctl stop back.timer")
    rehearsal.advance(1000)
    assert client.run("test -e /tmp/fired")[0] == 1
    assert client.run("sudo systemctl stop back.timer") == (
        5,
        "",
        "Failed to stop back.timer: Unit back.timer not loaded.\n",
    )


def test_a_failed_unit_stays_until_it_is_reset(start: Start, connect: Connect, frr: Setup) -> None:
    rehearsal = start(frr)
    client = connect(rehearsal, "leaf1")
    client.out("sudo systemd-run --on-active=1 --unit=bad false")
    rehearsal.advance(100)
    assert client.run("systemctl is-failed bad.service")[1] == "failed\n"
    assert client.run("sudo systemd-run --on-active=1 --unit=bad true")[0] == 1
    client.out("sudo systemctl reset-failed bad.service")
    client.out("sudo systemd-run --on-active=1 --unit=bad true")


def test_timers_and_jobs_do_not_survive_a_reboot_but_at_does(
    start: Start, connect: Connect, frr: Setup
) -> None:
    rehearsal = start(frr)
    client = connect(rehearsal, "leaf1")
    _arm(client)
    client.out(
        "setsid nohup sh -c 'sleep 600; touch /home/admin/slept' >/dev/null 2>&1 </dev/null &"
    )
    client.out("echo 'touch /home/admin/at' | at now + 10 minutes")
    rehearsal.reboot("leaf1")
    rehearsal.advance(2000)
    client = connect(rehearsal, "leaf1")
    assert client.run("ls /home/admin /tmp")[1] == "at\n"


def test_a_sleeping_job_goes_on_when_the_session_ends(
    start: Start, connect: Connect, frr: Setup
) -> None:
    rehearsal = start(frr)
    client = connect(rehearsal, "leaf1")
    client.out(
        "{ setsid nohup sh -c 'sleep 30; [ -e /tmp/keep ] || touch /tmp/undone' "
        ">/dev/null 2>&1 </dev/null & }"
    )
    client.close()
    rehearsal.advance(29)
    client = connect(rehearsal, "leaf1")
    assert client.run("test -e /tmp/undone")[0] == 1
    rehearsal.advance(2)
    assert client.run("test -e /tmp/undone")[0] == 0


def test_at_counts_whole_minutes_and_can_be_taken_back(
    start: Start, connect: Connect, frr: Setup
) -> None:
    rehearsal = start(frr)
    client = connect(rehearsal, "leaf1")
    rehearsal.advance(30)
    _, _, err = client.run("echo 'touch /tmp/a' | at now + 2 minutes")
    assert err.splitlines()[1].startswith("job 1 at ")
    assert client.out("atq").startswith("1\t")
    rehearsal.advance(91)
    assert client.run("test -e /tmp/a")[0] == 0
    client.run("echo 'touch /tmp/b' | at now + 1 minute")
    client.out("atrm 2")
    rehearsal.advance(120)
    assert client.run("test -e /tmp/b")[0] == 1


def test_programs_can_be_missing(start: Start, connect: Connect, frr: Setup) -> None:
    client = connect(start(replace(frr, programs=())), "leaf1")
    assert client.run("command -v systemd-run; command -v at")[0] == 1
    assert client.run("sudo systemd-run --on-active=1 true")[0] == 1


def test_a_command_lasts_as_long_as_it_says(start: Start, connect: Connect, frr: Setup) -> None:
    client = connect(start(frr, second_s=0.001), "leaf1")
    assert client.out("sleep 100; echo done") == "done\n"
