"""How OS10 is changed: what is owned, what is typed, what replies mean."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fabric.model.push import Command, Effect, Identity, Lines, ReplyError, TimerClass
from fabric.platforms.dell_os10.pushing import Commit, Preview
from tests.platforms.dell_os10.cases import FILE, text
from tests.platforms.pushed import a_job, spec, typed

HERE = Path(__file__).parent
RUNNING = {FILE: (HERE / "running/leaf-0.cfg").read_text()}
RENDERED = {FILE: text("numbered")}
SPEC = spec("dell_os10")
PREVIEW = Preview(SPEC.owned)
COMMIT = Commit(PREVIEW)
JOB = a_job(PREVIEW, RUNNING, RENDERED, Identity("leaf-0", "Z9432F-ON", "10.5.6.1"))
KEPT = (
    "interface breakout 1/1/2 map 400g-1x\n",
    "iscsi enable\n!\nusername oper password $6$made$up role sysadmin priv-lvl 15\n",
    "ip ssh server enable\n",
    "banner motd %\nrouter bgp 9 is no place to work\n%\n!\n",
    "wred THEIRS\n random-detect color green minimum-threshold 1 maximum-threshold 2",
    "class-map type queuing THEIRS\n match queue 5\n!\n",
    "interface vlan1\n no shutdown\n!\n",
    "interface mgmt1/1/1\n no shutdown\n no ip address dhcp\n ip address 192.0.2.33/24\n!\n",
    "interface loopback7\n no shutdown\n ip address 10.7.7.7/32\n!\n",
    "interface ethernet1/1/9\n description spare\n shutdown\n mtu 1532\n!\n",
    "ip prefix-list THEIRS seq 5 permit 192.0.2.0/24\n",
    "management route 0.0.0.0/0 192.0.2.1\n!\nsnmp-server community made-up ro\n!\nlogging",
)
GONE = (
    "hostname old-name",
    "map 400g-1x\ninterface breakout 1/1/2",
    "interface vlan77",
    "ROCE-OLD",
    "ets mode on",
    "10.0.0.9",
    "what stood here",
    "FABRIC-OLD",
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


def test_all_that_is_rendered_is_in_the_target_once() -> None:
    lines = JOB.target[FILE].splitlines()
    said = [line for line in RENDERED[FILE].splitlines() if not line.startswith("!")]
    assert [line for line in said if line not in lines] == []
    assert lines.count("lldp enable") == 1
    assert PREVIEW.differences(JOB.target, PREVIEW.target(JOB.target, RENDERED)) == ()


def test_what_names_others_goes_before_what_is_named_and_comes_after_it() -> None:
    lines = typed(COMMIT.apply(JOB))
    gone = [
        "no router bgp",
        "no route-map FABRIC-OLD permit 10",
        "no ip prefix-list ANNOUNCE-V4 seq 10",
        "no service-policy output type queuing ROCE-OLD",
        "no policy-map type queuing ROCE-OLD",
        "no wred ROCE-OLD",
    ]
    comes = [
        "wred ROCE-366-1464",
        "class-map type queuing ROCE-QUEUE-0",
        "queue 0 qos-group 0",
        "policy-map type queuing ROCE-366-1464",
        "interface ethernet1/1/3",
        "ip prefix-list ANNOUNCE-V4 seq 10 permit 10.255.0.1/32",
        "route-map FABRIC-OUT-V4 permit 10",
        "router bgp 4200001000",
    ]
    last = {line: at for at, line in enumerate(lines)}
    assert sorted(gone + comes, key=last.__getitem__) == gone + comes


def test_lines_of_a_port_are_overwritten_or_taken_back() -> None:
    lines = typed(COMMIT.apply(JOB))
    first = lines.index("interface ethernet1/1/3")
    assert lines[first : first + 4] == [
        "interface ethernet1/1/3",
        "no service-policy output type queuing ROCE-OLD",
        "no switchport access vlan",
        "exit",
    ]
    second = lines.index("interface ethernet1/1/3", first + 1)
    assert lines[second : second + 4] == [
        "interface ethernet1/1/3",
        'description "to spine-1 ethernet1/1/1"',
        "no switchport",
        "mtu 9216",
    ]


def test_sections_that_are_empty_are_left_too() -> None:
    lines = typed(COMMIT.apply(JOB))
    at = lines.index("route-map FABRIC-IN permit 10")
    assert lines[at + 1] == "exit"


def test_the_whole_way_there_and_back() -> None:
    there = typed(COMMIT.apply(JOB))
    assert there[:4] == [
        "copy config://startup.xml config://fabric-7f3a-startup.xml",
        "copy running-configuration config://fabric-7f3a-before.cfg",
        "start transaction",
        "configure terminal",
    ]
    assert there[-2:] == ["end", "commit"]
    assert [step.effect for step in COMMIT.apply(JOB)] == [Effect.STAGES, Effect.RUNS]
    back = typed(COMMIT.restore(JOB, pending=False, saving=True))
    assert back[:3] == ["discard", "start transaction", "configure terminal"]
    assert "router bgp 65000" in back
    assert "no qos-map traffic-class" in back  # of a port
    assert "no qos-map traffic-class ROCE" in back  # the map itself
    assert "copy config://fabric-7f3a-startup.xml config://startup.xml" in back


def test_the_way_back_may_be_refused_line_by_line_but_ends_as_before() -> None:
    step = COMMIT.restore(JOB, pending=False, saving=True)[1]
    lines = [a for a in step.actions if isinstance(a, Command) and a.text.startswith("no ")]
    assert lines
    assert all(line.tolerates for line in lines)
    assert step.until is not None
    assert step.until.read((RUNNING[FILE],)) is None
    assert "hostname" in str(step.until.read((RUNNING[FILE].replace("old-name", "x"),)))


def test_what_going_back_needs_is_left_by_a_save_and_may_be_missing() -> None:
    assert typed(COMMIT.save(JOB)) == ["copy running-configuration startup-configuration"]
    (boots,) = COMMIT.restore(JOB, pending=False, saving=True)[2].actions
    assert isinstance(boots, Command)
    assert any(re.search(one, "% Error: No such file or directory") for one in boots.tolerates)
    assert "delete config://fabric-7f3a-startup.xml" in typed(PREVIEW.discard(JOB))


def test_what_boots_is_left_alone_where_it_was_not_touched() -> None:
    said = typed(COMMIT.restore(JOB, pending=False, saving=False))
    assert [line for line in said if line.endswith(" config://startup.xml")] == []
    assert said[-2:] == [
        "delete config://fabric-7f3a-before.cfg",
        "delete config://fabric-7f3a-startup.xml",
    ]


def test_what_a_lost_session_left_is_discarded() -> None:
    assert typed(PREVIEW.discard(JOB))[0] == "discard"


def test_a_lock_is_tried_and_given_back() -> None:
    said = [command.text for command in PREVIEW.holder().commands]
    assert said == ["lock", "unlock", "show diff candidate-configuration running-configuration"]


def test_there_is_no_timer_and_nobody_says_so() -> None:
    assert COMMIT.timer is TimerClass.NONE
    assert COMMIT.confirm(JOB) == ()
    assert COMMIT.pending(JOB).read(()) is False
    assert "no device-side timer" in COMMIT.way_back(JOB)


def test_the_candidate_is_shown_and_dropped_in_one_session() -> None:
    assert PREVIEW.stage(JOB) == ()
    ask = PREVIEW.difference(JOB)
    said = [command.text for command in ask.commands]
    (lines,) = (a for a in COMMIT.apply(JOB)[1].actions if isinstance(a, Lines))
    assert said == [
        "start transaction",
        "configure terminal",
        *lines.lines,
        "end",
        "show candidate-configuration",
        "discard",
    ]
    candidate = RUNNING[FILE].replace("old-name", "leaf-0")
    found = ask.read(("",) * (len(said) - 2) + (candidate, ""))
    assert found.lines == ("-hostname old-name", "+hostname leaf-0")
    assert found.candidate == {FILE: candidate}
    with pytest.raises(ReplyError, match="interface"):
        ask.read(("",) * len(said))


def test_identity() -> None:
    reply = (HERE / "recordings/show_version.txt").read_text()
    found = PREVIEW.identify().read((reply, RUNNING[FILE]))
    assert found == Identity("old-name", "Z9432F-ON", "10.5.6.1")
    with pytest.raises(ReplyError, match="hostname"):
        PREVIEW.identify().read((reply, ""))


def test_a_section_that_cannot_be_taken_away_says_nothing_when_empty() -> None:
    more = {FILE: RUNNING[FILE] + "interface ethernet1/1/99\n!\n"}
    assert PREVIEW.differences(RUNNING, more) == ()
    assert PREVIEW.canonical(RUNNING) == PREVIEW.canonical(more)
    said = RUNNING[FILE].replace(
        "switchport access vlan 1\n", "switchport mode access\n switchport access vlan 1\n"
    )
    assert PREVIEW.differences(RUNNING, {FILE: said}) == ()
    less = {FILE: RUNNING[FILE].replace("system qos\n ets mode on\n", "system qos\n")}
    assert PREVIEW.differences(RUNNING, less) == ("-system qos > ets mode on",)


def test_holder() -> None:
    read = PREVIEW.holder().read
    assert read(("", "", "")) is None
    assert read(("% Error: Configuration is locked by oper", "", "")) == (
        "Configuration is locked by oper"
    )
    unknown = "         ^\n% Error: Unrecognized command.\n"
    assert read((unknown, unknown, unknown)) is None
    waits = read(("", "", "!\ninterface ethernet1/1/15\nswitchport mode trunk\n"))
    assert waits == "changes wait to be committed: interface ethernet1/1/15"


def test_saving_is_proven() -> None:
    until = COMMIT.save(JOB)[0].until
    assert until is not None
    later = RUNNING[FILE].replace("at Nov  02", "at Dec  01")
    assert until.read((RUNNING[FILE], later)) is None
    assert "hostname" in str(until.read((RUNNING[FILE], later.replace("old-name", "x"))))


def test_what_is_no_configuration_is_refused() -> None:
    with pytest.raises(ReplyError, match="Version"):
        PREVIEW.running().read(("interface ethernet1/1/1\n",))
