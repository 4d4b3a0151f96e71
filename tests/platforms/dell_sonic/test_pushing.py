"""How Enterprise SONiC is changed: what is owned, what is typed, what replies mean."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from fabric.model.push import Command, Effect, Identity, ReplyError, TimerClass
from fabric.platforms.dell_sonic.pushing import Commit, Preview
from tests.platforms.dell_sonic.cases import FILE, text
from tests.platforms.pushed import a_job, spec, typed

HERE = Path(__file__).parent
RUNNING = {FILE: (HERE / "running/leaf-0.cfg").read_text()}
RENDERED = {FILE: text("numbered")}
SPEC = spec("dell_sonic")
PREVIEW = Preview(SPEC.owned)
COMMIT = Commit(PREVIEW)
JOB = a_job(PREVIEW, RUNNING, RENDERED, Identity("leaf-0", "DellEMC-Z9664f-O64", "4.5.1"))
KEPT = (
    "!\nbuffer init lossless\ninterface-naming standard\n",
    "ip vrf mgmt\n",
    "ip load-share hash algorithm CRC\n!\n",
    "username oper password $6$made$up role admin\ntacacs-server host 192.0.2.60\n!\n",
    "interface breakout port 1/1 mode 2x200G\n",
    "qos map dscp-tc THEIRS\n dscp 34 traffic-class 2\n!\n",
    "ip prefix-list THEIRS seq 5 permit 192.0.2.0/24\n",
    "interface Management 0\n ip address 192.0.2.44/24\n autoneg on\n!\n",
    "interface Loopback 7\n ip address 10.7.7.7/32\n!\n",
    "interface Eth1/9\n mtu 9100\n speed 400000\n shutdown\n!\n",
    "ip route 0.0.0.0/0 192.0.2.1 vrf mgmt\n",
    "snmp-server community made-up group their-readers\nlogging server 192.0.2.50\nntp server",
)
GONE = (
    "hostname old-name",
    "ip load-share hash seed 7\n",
    "dscp 26 traffic-class 4",
    "FABRIC-OLD",
    "10.0.0.9",
    "interface Vlan77",
    "what stood here",
    "10.9.0.0",
    "router bgp 65000",
)


@pytest.mark.parametrize("kept", KEPT)
def test_what_is_not_owned_stays(kept: str) -> None:
    assert kept in RUNNING[FILE]
    assert kept in JOB.target[FILE]


@pytest.mark.parametrize("gone", GONE)
def test_what_is_owned_goes(gone: str) -> None:
    assert gone in RUNNING[FILE]
    assert gone not in JOB.target[FILE]


def test_all_that_is_rendered_is_in_the_target() -> None:
    lines = JOB.target[FILE].splitlines()
    said = [line for line in RENDERED[FILE].splitlines() if not line.startswith("!")]
    assert [line for line in said if line not in lines] == []
    assert PREVIEW.differences(JOB.target, PREVIEW.target(JOB.target, RENDERED)) == ()


def test_blanks_and_quotes_make_no_difference() -> None:
    other = RUNNING[FILE].replace("interface Loopback 0", "interface Loopback0")
    other = other.replace('description "what stood here"', "description what stood here")
    assert other != RUNNING[FILE]
    assert PREVIEW.differences(RUNNING, {FILE: other}) == ()
    assert PREVIEW.lines(RUNNING, {FILE: other}) == ()


@pytest.mark.parametrize(
    "line", ["priority-flow-control watchdog counter-poll\n", " network import-check\n"]
)
def test_what_is_so_by_default_may_be_printed_or_not(line: str) -> None:
    target = JOB.target[FILE]
    assert line in target
    assert PREVIEW.differences(JOB.target, {FILE: target.replace(line, "")}) == ()
    off = {FILE: target.replace(line, line.replace(line.strip(), f"no {line.strip()}"))}
    assert len(PREVIEW.differences(off, JOB.target)) == 1
    assert line.strip() in PREVIEW.lines(off, JOB.target)


def test_what_names_others_goes_before_what_is_named_and_comes_after_it() -> None:
    lines = PREVIEW.lines(JOB.before, JOB.target)
    order = [
        "no router bgp",
        "no queue 3 wred-policy",
        "no switchport access Vlan",
        "no interface Vlan77",
        "no route-map FABRIC-OLD permit 10",
        "no qos wred-policy FABRIC-OLD",
        "no dscp 26",
        "dscp 26 traffic-class 3",
        "qos wred-policy FABRIC-375-1500-5",
        "qos scheduler-policy FABRIC-200G",
        "route-map FABRIC-OUT permit 10",
        "interface Eth1/1/1",
        "queue 3 wred-policy FABRIC-375-1500-5",
        "router bgp 4200001000",
    ]
    assert sorted(order, key=lines.index) == order


def test_a_checkpoint_that_was_never_made_is_no_failure() -> None:
    back = COMMIT.restore(JOB, pending=False, saving=False)[1].actions[0]
    assert isinstance(back, Command)
    assert any(re.search(one, "% Error: No such file or directory") for one in back.tolerates)
    assert not any(re.search(one, "% Error: Failed to replace") for one in back.tolerates)


def test_the_whole_way_there() -> None:
    lines = PREVIEW.lines(JOB.before, JOB.target)
    assert typed(COMMIT.apply(JOB)) == [
        "copy running-configuration config://fabric-7f3a-before",
        "configure session",
        *lines,
        "exit",
        "configure session",
        "commit timeout 605",
        "exit",
    ]
    assert [step.effect for step in COMMIT.apply(JOB)] == [
        Effect.STAGES,
        Effect.STAGES,
        Effect.RUNS,
    ]
    assert typed(COMMIT.confirm(JOB)) == ["configure session", "commit confirm"]
    assert typed(COMMIT.save(JOB)) == ["write memory"]
    assert COMMIT.timer is TimerClass.CANDIDATE


@pytest.mark.parametrize(("asked", "said"), [(1, 30), (605, 605), (9999, 3600)])
def test_a_timeout_that_the_switch_takes(asked: int, said: int) -> None:
    """Below 30 s no timer starts at all."""
    job = replace(JOB, timer_s=asked)
    assert f"commit timeout {said}" in typed(COMMIT.apply(job))
    assert f"within {said} s" in COMMIT.way_back(job)


CLEAR = ["show config session", "clear config session"]


def test_the_way_back_says_what_it_costs() -> None:
    assert "services restart" in COMMIT.way_back(JOB)
    assert {risk.risk for risk in SPEC.risks} == {"traffic", "window"}


def test_the_way_back_with_the_timer_is_the_session_cleared() -> None:
    (step,) = COMMIT.restore(JOB, pending=True, saving=True)
    assert typed([step]) == CLEAR
    assert step.may_drop
    assert step.until is not None
    assert step.until.read((RUNNING[FILE], "")) is None
    assert step.until.read((RUNNING[FILE], SESSION)) == "our config session is still there"
    told = str(step.until.read((JOB.target[FILE], "")))
    assert "`hostname …`" in told
    assert "old-name" not in told  # lines hold secrets


def test_the_way_back_without_the_timer_is_the_checkpoint() -> None:
    steps = COMMIT.restore(JOB, pending=False, saving=True)
    assert typed(steps) == [
        *CLEAR,
        "copy config://fabric-7f3a-before running-configuration replace",
        "write memory",
    ]
    clear = steps[0].actions[-1]
    assert isinstance(clear, Command)
    assert clear.tolerates
    assert clear.answers[0][1] == "y"
    assert re.search(clear.answers[0][0], "Discard the session? [y/N]: ")
    assert [step.effect for step in steps] == [Effect.STAGES, Effect.RUNS, Effect.SAVES]
    gone, back = steps[0].until, steps[1].until
    assert gone is not None
    assert back is not None
    assert gone.read(("",)) is None
    assert gone.read((SESSION,)) == "our config session is still there"
    assert back.read((RUNNING[FILE], "")) is None
    assert "`hostname …`" in str(back.read((JOB.target[FILE], "")))


SESSION = "Session State Username Terminal\nunnamed Active admin pts/3\n"


def test_a_session_is_a_lock_and_ours_by_its_user() -> None:
    assert PREVIEW.holder().read((SESSION,)) is not None
    assert PREVIEW.holder().read(("",)) is None
    assert PREVIEW.holder().read(("% No config session is present\n",)) is None
    timed = SESSION.replace("Active", "PENDING CONFIRM")
    assert COMMIT.pending(JOB).read((timed,)) is True
    assert COMMIT.pending(JOB).read((timed.replace("admin", "admin2"),)) is False
    assert COMMIT.pending(JOB).read((SESSION,)) is False  # lines that nobody has committed
    assert COMMIT.pending(JOB).read((SESSION.replace("Active", "INACTIVE"),)) is False
    assert COMMIT.pending(JOB).read(("",)) is False


def test_a_session_of_somebody_else_is_not_cleared() -> None:
    for steps in (
        PREVIEW.discard(JOB),
        COMMIT.restore(JOB, pending=True, saving=False),
        COMMIT.restore(JOB, pending=False, saving=True),
    ):
        look = steps[0].actions[0]
        assert isinstance(look, Command)
        assert look.check is not None
        assert look.check(SESSION) is None
        assert look.check("") is None
        assert "carol" in str(look.check(SESSION.replace("admin", "carol")))


def test_the_switch_says_whether_anything_changes() -> None:
    read = PREVIEW.difference(JOB).read
    told = "--- running\n+++ candidate\n\n-hostname old-name\n+hostname leaf-0\n"
    assert read((SESSION, "", told, "")).lines == PREVIEW.differences(JOB.before, JOB.target)
    assert (
        PREVIEW.difference(replace(JOB, target=JOB.before)).read((SESSION, "", "", "")).lines == ()
    )
    with pytest.raises(ReplyError, match=r"no difference, though .*`hostname …`"):
        read((SESSION, "", "", ""))
    with pytest.raises(ReplyError, match="no config session of ours"):
        read(("", "", "", ""))


def test_identity() -> None:
    reply = (HERE / "recordings/show_version.txt").read_text()
    found = PREVIEW.identify().read((reply, RUNNING[FILE]))
    assert found == Identity("old-name", "DellEMC-Z9664f-O64", "4.5.1-Enterprise_Premium")
    with pytest.raises(ReplyError, match="hostname"):
        PREVIEW.identify().read((reply, ""))


def test_what_is_no_configuration_is_refused() -> None:
    with pytest.raises(ReplyError, match="interface"):
        PREVIEW.running().read(("hostname x\n",))


def test_the_cli_is_started_and_does_not_page() -> None:
    assert SPEC.setup == ("sonic-cli", "terminal length 0")
