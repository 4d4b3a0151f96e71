"""Configs as a box prints them: set lines, other names, wildcards, ranges; what is no config."""

from __future__ import annotations

import pytest

from fabric.checks.chain import walk
from fabric.model.qos import QosChain, QueueSettings, Watchdog
from fabric.platforms import ConfigError, juniper_junos
from fabric.text import chains
from tests.platforms.juniper_junos.cases import FILE, text
from tests.platforms.juniper_junos.running import LINES, without


def read(config: str) -> dict[str, QosChain]:
    return {chain.port: chain for chain in chains("juniper_junos", {FILE: config}, "tor9")}


def test_lines_of_display_set() -> None:
    found = read(LINES)
    assert list(found) == ["et-0/0/4:1", "et-0/0/9"]
    chain = found["et-0/0/4:1"]
    assert (chain.device, chain.mtu_bytes, found["et-0/0/9"].mtu_bytes) == ("tor9", 9216, 9000)
    assert (chain.dscp_to_tc[26], chain.dscp_to_tc[48]) == (4, 3)
    assert chain.dscp_to_tc.count(None) == 62
    assert chain.tc_to_queue == (None, None, None, 3, 4, None, None, None)
    assert chain.tc_to_pg == (None, None, None, 0, 3, None, None, None)
    assert chain.lossless_pgs == (3,)
    assert chain.pfc_priorities == (3,)
    assert chain.pfc_priority_to_queue == (None, None, None, 4, None, None, None, None)
    assert chain.watchdog_priorities == (3,)
    assert chain.watchdog == Watchdog(
        enabled=True, poll_ms=100, detect_ms=200, restore_ms=200, action="drop"
    ), "the defaults of Junos"
    assert chain.queues[4] == QueueSettings(
        4,
        None,
        ecn=True,
        kmin_percent=30,
        kmax_percent=70,
        pmax_percent=80,
        lossless_buffer=True,
    )
    assert chain.queues[3] == QueueSettings(3, "strict", max_rate_bytes_per_s=312_500_000)


CURLY = """\
## Last commit: 2025-03-02 11:00:00 UTC by ops
version 23.4R2;
interfaces {
    interface-range gpus {
        member-range et-0/0/2 to et-0/0/3;
        mtu 9216;
    }
    /* broken cage */
    inactive: et-0/0/7 { mtu 9000; }
    et-0/0/3 { description "a } brace"; mtu 9100; }
}
class-of-service {
    classifiers { dscp in { forwarding-class GPU { loss-priority low code-points [ 011000 011010 ]; } } }
    drop-profiles { slope { fill-level 10 drop-probability 0; fill-level 40 drop-probability 100; } }
    forwarding-classes {
        class GPU queue-num 3 no-loss pfc-priority 3;
    }
    congestion-notification-profile {
        pause { input { dscp { code-point 011000 { pfc; } code-point 011010 { pfc; } } }
                output { ieee-802.1 { code-point 011 { flow-control-queue [ 3 4 ]; } } } }
    }
    interfaces {
        et-0/0/2 { congestion-notification-profile pause; unit 0 { classifiers { dscp in; } } }
        et-* { unit * { classifiers { dscp in; } } }
    }
    schedulers { unused { transmit-rate percent 5; } }
}
"""  # noqa: E501 — as the switch prints it


def test_the_curly_form_with_ranges_comments_and_what_is_inactive() -> None:
    found = read(CURLY)
    assert list(found) == ["et-0/0/2", "et-0/0/3"]
    assert [chain.mtu_bytes for chain in found.values()] == [9216, 9100]
    assert found["et-0/0/2"].pfc_priorities == (3,)
    assert found["et-0/0/2"].pfc_priority_to_queue[3] == 3
    assert found["et-0/0/2"].watchdog_priorities == ()
    assert found["et-0/0/3"].pfc_priorities == (), "the wildcard binds no profile"
    assert found["et-0/0/3"].dscp_to_tc[24] == 3


def test_both_forms_of_one_config_say_the_same() -> None:
    curly = text("numbered")
    assert read(curly) == read(_as_set(curly))


def _as_set(curly: str) -> str:
    """What ``display set`` makes of it, one value a line."""
    lines: list[str] = []
    path: list[str] = []
    for raw in curly.splitlines():
        line = raw.strip().removeprefix("replace: ")
        if line.startswith("#") or "ntp" in line:
            continue
        if line.endswith("{"):
            path.append(line[:-2])
        elif line == "}":
            path.pop()
        elif "[" in line:
            head, _, values = line.rstrip("];").partition("[ ")
            lines += [f"set {' '.join(path)} {head}{value}" for value in values.split()]
        else:
            lines.append(f"set {' '.join(path)} {line.rstrip(';')}")
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("missing", "sends", "watched"),
    [
        ("code-point 011010 pfc", (), ()),
        ("no-loss", (), ()),
        ("flow-control-queue", (3,), ()),
        ("pfc-watchdog", (3,), ()),
        ("unit * classifiers", (), ()),
    ],
)
def test_a_link_of_the_chain_that_is_missing(
    missing: str, sends: tuple[int, ...], watched: tuple[int, ...]
) -> None:
    chain = read(without(missing))["et-0/0/9"]
    assert (chain.pfc_priorities, chain.watchdog_priorities) == (sends, watched)


def test_a_queue_need_not_have_the_number_of_its_priority() -> None:
    """RoCE is in queue 4 and paused as 3; CNP in queue 3 is never paused."""
    chain = read(LINES)["et-0/0/4:1"]
    assert walk(chain, 26).faults == ()
    assert walk(chain, 48).faults != ()
    wrong = LINES.replace("flow-control-queue 4", "flow-control-queue 3")
    (fault,) = walk(read(wrong)["et-0/0/4:1"], 26).faults
    assert "a received pause of priority 3 stops queue 3" in fault


def test_lossy_classes_keep_clear_of_a_lossless_priority_0() -> None:
    chain = read(LINES.replace("pfc-priority 3", "pfc-priority 0"))["et-0/0/4:1"]
    assert chain.tc_to_pg == (None, None, None, 1, 0, None, None, None)


def test_a_priority_counts_only_if_every_dscp_of_its_class_is_paused_for() -> None:
    more = LINES + (
        "set class-of-service classifiers dscp in forwarding-class GPU loss-priority low "
        "code-points 011000\n"
    )
    assert read(more)["et-0/0/9"].pfc_priorities == ()


def test_pause_by_802_1p_does_not_count_on_routed_ports() -> None:
    tagged = LINES.replace("input dscp code-point 011010", "input ieee-802.1 code-point 011")
    assert read(tagged)["et-0/0/9"].pfc_priorities == ()
    told = "\n".join(juniper_junos.problems({FILE: tagged}))
    assert "802.1p priority, which untagged packets have none of" in told


def test_of_several_queues_that_obey_the_classes_own_counts() -> None:
    both = LINES.replace("flow-control-queue 4", "flow-control-queue [ 1 4 ]")
    assert read(both)["et-0/0/9"].pfc_priority_to_queue[3] == 4


def test_the_wildcard_that_names_most_of_a_port_binds_it() -> None:
    more = LINES + "set class-of-service interfaces et-0/0/9* scheduler-map other\n"
    found = read(more)
    assert found["et-0/0/9"].pfc_priorities == ()
    assert found["et-0/0/4:1"].pfc_priorities == (3,)


def test_delete_and_deactivate_take_back() -> None:
    cut = LINES + "delete class-of-service interfaces et-*\ndeactivate interfaces et-0/0/9\n"
    found = read(cut)
    assert list(found) == ["et-0/0/4:1"]
    assert found["et-0/0/4:1"].dscp_to_tc == (None,) * 64


def test_rewrite_rules_show_as_marking_on_the_way_out() -> None:
    more = LINES + (
        "set class-of-service rewrite-rules dscp rw forwarding-class GPU loss-priority low "
        "code-point 100010\nset class-of-service interfaces et-* unit * rewrite-rules dscp rw\n"
    )
    assert read(more)["et-0/0/9"].tc_to_dscp[4] == 34


def test_settings() -> None:
    assert juniper_junos.settings({FILE: LINES}) == {
        "load balancing": "hash",
        "equal paths in the forwarding table": "all",
    }
    dlb = "set forwarding-options enhanced-hash-key ecmp-dlb flowlet\n"
    found = juniper_junos.settings({FILE: without("forwarding-table") + "\n" + dlb})
    assert found == {
        "load balancing": "dynamic",
        "equal paths in the forwarding table": "one",
    }


@pytest.mark.parametrize(
    "config",
    [
        "",
        "hostname tor9\ninterface Ethernet1\n",
        "interfaces { et-0/0/1 { mtu 9216;",
        "interfaces { et-0/0/1 { mtu 9216; } } } system { }",
        "set groups g class-of-service x\nset apply-groups g\n" + LINES,
        "set interfaces " + "a " * 200,
        "interfaces " + "{ a " * 200,
    ],
)
def test_what_is_no_config_or_cannot_be_read_is_refused(config: str) -> None:
    with pytest.raises(ConfigError):
        read(config)


def test_without_the_file_there_is_nothing_to_read() -> None:
    with pytest.raises(ConfigError, match="there is no junos"):
        juniper_junos.chains({}, "tor9")


def test_a_priority_that_there_is_not_is_none() -> None:
    chain = read(LINES.replace("pfc-priority 3", "pfc-priority 9"))["et-0/0/9"]
    assert (chain.pfc_priorities, chain.lossless_pgs) == ((), ())
