"""What a text says otherwise than its model is found field by field."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from fabric.checks.chain import walk
from fabric.model.finding import Severity
from fabric.text import ReadBack, Renderer, read_back
from tests.platforms.arista_eos import cases as eos
from tests.platforms.models import ROOT, Case
from tests.platforms.sonic.cases import CASES

if TYPE_CHECKING:
    from fabric.model.plan import Rendered

GONE = object()
NEAR = "pg_lossless_100000_5m_profile"
MARKS = "ROCE_187500_750000_5"

# path, new value, port, words of the finding. One line for each field of a chain and its parts.
SONIC: tuple[tuple[str, object, str | None, str], ...] = (
    (
        "PORT / Ethernet4 / mtu",
        "9100",
        "Ethernet4",
        "MTU: the text says 9100, the design means 9216",
    ),
    (
        "DSCP_TO_TC_MAP / ROCE / 26",
        "1",
        None,
        "every port: DSCP → TC: the text says DSCP 26 → TC 1, the design means DSCP 26 → TC 3",
    ),
    ("TC_TO_QUEUE_MAP / ROCE / 3", "4", None, "TC → queue: the text says TC 3 → queue 4, the"),
    ("TC_TO_PRIORITY_GROUP_MAP / ROCE / 3", "0", None, "TC → PG: the text says TC 3 → PG 0, the"),
    (
        "MAP_PFC_PRIORITY_TO_QUEUE / ROCE / 3",
        "4",
        None,
        "PFC priority → queue: the text says priority 3 → queue 4, the design means priority 3 →",
    ),
    (
        "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP / ROCE / 3",
        "4",
        None,
        "PFC priority → PG: the text says priority 3 → PG 4, the design means priority 3 → PG 3",
    ),
    (
        "PORT_QOS_MAP / Ethernet0 / dscp_to_tc_map",
        "AZURE",
        "Ethernet0",
        "DSCP 2 → TC none, DSCP 3 → TC none and 60 more, the design means DSCP 0 → TC 0",
    ),
    (
        "PORT_QOS_MAP / Ethernet0 / pfc_enable",
        "3,4",
        "Ethernet0",
        "PFC priorities: the text says 3,4, the design means 3",
    ),
    (
        "PORT_QOS_MAP / Ethernet0 / pfcwd_sw_enable",
        GONE,
        "Ethernet0",
        "watched priorities: the text says none, the design means 3 (and 1 more)",
    ),
    (
        "PFC_WD / Ethernet0 / detection_time",
        "400",
        "Ethernet0",
        "watchdog timers: the text says detect ms 400, the design means detect ms 200",
    ),
    (
        "PFC_WD / Ethernet0 / restoration_time",
        "800",
        "Ethernet0",
        "watchdog timers: the text says restore ms 800, the design means restore ms 400",
    ),
    ("PFC_WD / Ethernet0 / action", "forward", "Ethernet0", "the text says action forward, the"),
    ("PFC_WD / GLOBAL / POLL_INTERVAL", "200", None, "the text says poll ms 200, the design means"),
    (
        "BUFFER_PG / Ethernet0|3 / profile",
        "ingress_lossy_profile",
        "Ethernet0",
        "priority groups with headroom: the text says none, the design means 3 (and 2 more)",
    ),
    (
        f"BUFFER_PROFILE / {NEAR} / xoff",
        "1024",
        None,
        "3 ports: headroom (xoff): the text says PG 3: 1024 bytes, the design means PG 3: 33792",
    ),
    (f"BUFFER_PROFILE / {NEAR} / size", "1", None, "PG 3 buffer: the text says size 1, the design"),
    (f"BUFFER_PROFILE / {NEAR} / xon", "1", None, "PG 3 buffer: the text says xon 1, the design"),
    (f"BUFFER_PROFILE / {NEAR} / xon_offset", "1", None, "says xon offset 1, the design means xon"),
    (
        f"BUFFER_PROFILE / {NEAR} / dynamic_th",
        "-3",
        None,
        "PG 3 buffer: the text says dynamic_th -3, the design means dynamic_th 0",
    ),
    (
        "QUEUE / Ethernet0|3 / scheduler",
        "strict",
        "Ethernet0",
        "scheduler strict, weight none, the design means scheduler dwrr, weight 50",
    ),
    (
        "QUEUE / Ethernet0|6 / scheduler",
        "strict",
        "Ethernet0",
        "queue 6: the text says cap in bytes",
    ),
    (
        "SCHEDULER / dwrr.50 / weight",
        "49",
        None,
        "every port: queue 0: the text says weight 49",
    ),
    (
        "QUEUE / Ethernet0|3 / wred_profile",
        GONE,
        "Ethernet0",
        "queue 3: the text says ECN off, Kmin none, Kmax none, marking % none, the design means",
    ),
    (
        f"WRED_PROFILE / {MARKS} / wred_green_enable",
        GONE,
        None,
        "queue 3: the text says ECN off, Kmi",
    ),
    (
        f"WRED_PROFILE / {MARKS} / green_min_threshold",
        "9",
        None,
        "queue 3: the text says Kmin 9, the",
    ),
    (
        f"WRED_PROFILE / {MARKS} / green_max_threshold",
        "9",
        None,
        "queue 3: the text says Kmax 9, the",
    ),
    (
        f"WRED_PROFILE / {MARKS} / green_drop_probability",
        "100",
        None,
        "says marking % 100, the desig",
    ),
    (
        "BUFFER_QUEUE / Ethernet0|3 / profile",
        "q_lossy_profile",
        "Ethernet0",
        "queue 3: the text says lossless buffer off, the design means lossless buffer on",
    ),
)


def changed(tables: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    new = copy.deepcopy(tables)
    *way, last = path.split(" / ")
    place = new
    for step in way:
        place = place[step]
    if value is GONE:
        del place[last]
    else:
        place[last] = value
    return new


def of_sonic(tables: dict[str, Any], case: Case | None = None) -> ReadBack:
    model = (case or Case()).model("leaf-0")
    rendered = Renderer((ROOT,)).device(model)
    return read_back(model, with_text(rendered, json.dumps(tables)))


def with_text(rendered: Rendered, text: str) -> Rendered:
    first, *rest = rendered.files
    return replace(rendered, files=(replace(first, text=text), *rest))


def sonic_tables() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Case().files("leaf-0")["config_db.json"])
    return found


@pytest.mark.parametrize(("path", "value", "port", "words"), SONIC, ids=[x[0] for x in SONIC])
def test_sonic_field_by_field(path: str, value: object, port: str | None, words: str) -> None:
    said = of_sonic(changed(sonic_tables(), path, value))
    finding = said.findings[0]
    assert (finding.rule, finding.severity) == ("RCE392", Severity.ERROR)
    assert (finding.device, finding.port) == ("leaf-0", port)
    assert words in finding.message
    assert said.chains


# Ethernet4 and Ethernet8 lead to global cables: RoCE rises there.
RISING: tuple[tuple[str, object, str | None, str], ...] = (
    (
        "PORT_QOS_MAP / Ethernet4 / tc_to_dscp_map",
        GONE,
        "Ethernet4",
        "TC → DSCP: the text says TC 0 → DSCP none, TC 1 → DSCP none, TC 2 → DSCP none, TC 3 →",
    ),
    (
        "TC_TO_DSCP_MAP / ROCE_RISE / 3",
        "26",
        None,
        "2 ports: TC → DSCP: the text says TC 3 → DSCP 26, the design means TC 3 → DSCP 34",
    ),
    (
        "PORT_QOS_MAP / Ethernet8 / tc_to_queue_map",
        "ROCE",
        "Ethernet8",
        "TC → queue: the text says TC 3 → queue 3, TC 4 → queue 4, the design means TC 3 → queue 4",
    ),
)


@pytest.mark.parametrize(("path", "value", "port", "words"), RISING, ids=[x[0] for x in RISING])
def test_where_a_class_rises(path: str, value: object, port: str | None, words: str) -> None:
    case = CASES["rise"]
    tables: dict[str, Any] = json.loads(case.files("leaf-0")["config_db.json"])
    said = of_sonic(changed(tables, path, value), case)
    (finding,) = said.findings
    assert (finding.rule, finding.port) == ("RCE392", port)
    assert words in finding.message
    assert said.chains


@pytest.mark.parametrize("name", sorted(CASES))
def test_what_is_shipped_says_what_is_meant(name: str) -> None:
    model = CASES[name].model("leaf-0")
    assert read_back(model, Renderer((ROOT,)).device(model)) == ReadBack()


@pytest.mark.parametrize("case", eos.CASES)
def test_eos_as_shipped_says_what_is_meant(case: str) -> None:
    model = eos.model(case)
    assert read_back(model, eos.render(model)) == ReadBack()


# line, what stands in its place, words of the finding
EOS = (
    ("   qos trust dscp\n", "   qos trust cos\n", "DSCP → TC: the text says DSCP 0 → TC none, DS"),
    (
        "qos map dscp 26 to traffic-class 3\n",
        "",
        "DSCP 26 → TC none, the design means DSCP 26 → TC 3",
    ),
    (
        "qos map traffic-class 3 to tx-queue 3\n",
        "qos map traffic-class 3 to tx-queue 4\n",
        "TC → queue: the text says TC 3 → queue 4, the design means TC 3 → queue 3",
    ),
    ("   priority-flow-control on\n", "", "PFC priorities: the text says none, the design means 3"),
    (
        "   priority-flow-control priority 3 no-drop\n",
        "   priority-flow-control priority 4 no-drop\n",
        "PFC priorities: the text says 4, the design means 3",
    ),
    (
        "   priority-flow-control pause watchdog\n",
        "",
        "watched priorities: the text says none, the design means 3 (and 1 more)",
    ),
    (
        "watchdog default timeout 0.2\n",
        "watchdog default timeout 0.8\n",
        "watchdog timers: the text says detect ms 800, the design means detect ms 200",
    ),
    (
        "recovery-time 0.4\n",
        "recovery-time 0.8\n",
        "the text says restore ms 800, the design means",
    ),
    (
        "polling-interval 0.1\n",
        "polling-interval 0.05\n",
        "the text says poll ms 50, the design me",
    ),
    ("watchdog action drop\n", "watchdog action notify-only\n", "the text says action alert, the"),
    (
        "priority-flow-control pause watchdog action drop\n",
        "",
        "the text says action errdisable, the design means action drop",
    ),
    ("   mtu 9214\n", "   mtu 1500\n", "MTU: the text says 1500, the design means 9214"),
    ("   mtu 9214\n", "", "MTU: the text says none, the design means 9214"),
    (
        "      no priority\n      bandwidth percent 50\n      random",
        "      priority strict\n      random",
        "queue 3: the text says scheduler strict, weight none, the design means scheduler dwrr",
    ),
    (
        "      bandwidth percent 50\n",
        "      bandwidth percent 40\n",
        "the text says weight 40, the d",
    ),
    (
        "      shape rate 20000000 kbps\n",
        "",
        "queue 6: the text says cap in bytes/s none, the desig",
    ),
    (
        " minimum-threshold 375000 bytes",
        " minimum-threshold 9 bytes",
        "the text says Kmin 9, the d",
    ),
    (" maximum-threshold 1500000 bytes", " maximum-threshold 9 bytes", "the text says Kmax 9, the"),
    (
        " max-mark-probability 5 ",
        " max-mark-probability 100 ",
        "the text says marking % 100, the d",
    ),
    (
        "   service-profile ROCE-200G-375000-1500000\n",
        "",
        "2 ports: DSCP → TC: the text says DSCP 0 → TC none, DSCP 1 → TC none",
    ),
)


@pytest.mark.parametrize(("line", "instead", "words"), EOS, ids=[x[0].strip() for x in EOS])
def test_eos_field_by_field(line: str, instead: str, words: str) -> None:
    found = of_eos(lambda text: text.replace(line, instead))
    assert words in " ".join(finding.message for finding in found.findings)


def of_eos(change: Any) -> ReadBack:
    model = eos.model("numbered")
    rendered = eos.render(model)
    text = rendered.files[0].text
    assert change(text) != text
    return read_back(model, with_text(rendered, change(text)))


OWN_TIMER = "priority-flow-control pause watchdog port timer"
# What extra appends may take back what stands above.
EXTRA = (
    (
        "interface Ethernet1/1\n   no priority-flow-control on\n",
        "PFC priorities: the text says none",
    ),
    ("interface Ethernet1/1\n   no priority-flow-control\n", "PFC priorities: the text says none"),
    (
        "interface Ethernet1/1\n   priority-flow-control priority 3 drop\n",
        "priorities: the text says",
    ),
    ("interface Ethernet1/1\n   no service-profile\n", "DSCP → TC: the text says DSCP 0 → TC none"),
    (
        "interface Ethernet1/1\n   service-profile OWN\n",
        "DSCP → TC: the text says DSCP 0 → TC none",
    ),
    ("interface Ethernet1/1\n   mtu 1500\n", "MTU: the text says 1500, the design means 9214"),
    ("interface Ethernet1/1\n   default mtu\n", "MTU: the text says none, the design means 9214"),
    (
        "interface Ethernet1/1\n   uc-tx-queue 3\n      no random-detect ecn\n",
        "queue 3: the text says ECN off",
    ),
    ("qos map dscp 26 to traffic-class 1\n", "every port: DSCP → TC: the text says DSCP 26 → TC 1"),
    ("no qos map dscp 26 to traffic-class 3\n", "the text says DSCP 26 → TC none"),
    ("priority-flow-control all off\n", "every port: PFC priorities: the text says none"),
    (
        "qos profile ROCE-200G-375000-1500000\n   qos trust cos\n",
        "2 ports: DSCP → TC: the text says",
    ),
    ("interface Ethernet1/1-4\n   mtu 1500\n", "interface Ethernet1/1-4 is not one port in full"),
    (
        "qos map dscp ef to traffic-class 3\n",
        "the text cannot be read back: line 189 of eos.cfg: 'ef'",
    ),
)


@pytest.mark.parametrize(("extra", "words"), EXTRA, ids=[x[0] for x in EXTRA])
def test_extra_counts_where_it_says_otherwise(extra: str, words: str) -> None:
    messages = " ".join(f.message for f in of_eos(lambda text: text + extra).findings)
    assert words in messages


def test_extra_about_other_things_is_let_be() -> None:
    extra = "interface Vlan10\n   ip address 192.0.2.1/24\nntp server 192.0.2.9\nno lldp run\n"
    assert of_eos(lambda text: text + extra) == ReadBack()


def test_what_the_text_does_not_carry_stays_as_designed() -> None:
    said = of_eos(lambda text: text.replace("   priority-flow-control on\n", ""))
    chain = {chain.port: chain for chain in said.chains}["Ethernet1/1"]
    assert chain.pfc_priorities == ()
    assert chain.lossless_pgs == (3,)
    assert chain.queues[3].lossless_buffer
    assert any("PG 3 is not in PFC" in fault for fault in walk(chain, 26).faults)


def test_a_port_that_is_missing_as_a_whole_is_one_finding() -> None:
    tables = sonic_tables()
    for name, rows in tables.items():
        if name in {"PORT", "PORT_QOS_MAP", "QUEUE", "BUFFER_PG", "BUFFER_QUEUE", "PFC_WD"}:
            tables[name] = {k: v for k, v in rows.items() if k.partition("|")[0] != "Ethernet4"}
    (finding,) = of_sonic(tables).findings
    assert "Ethernet4: its QoS: the text says nothing, the design means" in finding.message


def test_ports_that_differ_alike_are_one_finding() -> None:
    tables = sonic_tables()
    del tables["QUEUE"]
    (finding,) = of_sonic(tables).findings
    assert finding.message.endswith("(and 3 more)")  # queues 0, 3, 6 and 7 of every port
    assert [line.split(":")[0] for line in finding.evidence[:3]] == [
        "also queue 3",
        "also queue 6",
        "also queue 7",
    ]


def test_the_type_gives_the_hash_its_seed() -> None:
    """FC-37: adjacent tiers of one type use a fraction of the second one's links."""
    said = of_sonic(changed(sonic_tables(), "DEVICE_METADATA / localhost / type", "LeafRouter"))
    (finding,) = said.findings
    assert finding.message == (
        "leaf-0: seed of the ECMP hash (type): the text says LeafRouter, the design means ToRRouter"
    )
    assert said.chains == ()


def test_eos_balances_as_designed() -> None:
    found = of_eos(lambda text: text + "ip hardware fib load-balance distribution dynamic\n")
    (finding,) = found.findings
    assert finding.message.endswith("load balancing: the text says dynamic, the design means hash")


def test_what_own_words_get_wrong_in_silence_is_a_warning() -> None:
    model = Case().model("leaf-0")
    tables = changed(sonic_tables(), "PORT / Ethernet0 / pfc_asym", "on")
    rendered = with_text(Renderer((ROOT,)).device(model), json.dumps(tables))
    assert read_back(model, rendered) == ReadBack()
    (finding,) = read_back(model, rendered, own_words=True).findings
    assert (finding.rule, finding.severity) == ("RCE393", Severity.WARNING)
    assert "leaf-0: PORT|Ethernet0: asymmetric PFC is on" in finding.message


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        (
            f"{OWN_TIMER} timeout 0.5 polling-interval auto recovery-time 1 forced",
            "watchdog timers: the text says detect ms 500, restore ms 1000, the design means",
        ),
        (
            "priority-flow-control pause watchdog port action notify-only",
            "watchdog timers: the text says action alert, the design means action drop",
        ),
    ],
)
def test_a_port_may_have_timers_of_its_own(extra: str, words: str) -> None:
    found = of_eos(lambda text: f"{text}interface Ethernet1/1\n   {extra}\n")
    (finding,) = found.findings
    assert finding.port == "Ethernet1/1"
    assert words in finding.message


def test_no_config_at_all_is_said() -> None:
    model = Case().model("leaf-0")
    (finding,) = read_back(model, with_text(Renderer((ROOT,)).device(model), "{")).findings
    assert "leaf-0: the text cannot be read back: config_db.json is no JSON" in finding.message


def test_a_system_of_templates_alone_is_not_read_back() -> None:
    model = Case().model("leaf-0")
    rendered = Renderer((ROOT,)).device(model)
    toy = replace(model, platform=replace(model.platform, name="toy"))
    assert read_back(toy, rendered) == ReadBack()
