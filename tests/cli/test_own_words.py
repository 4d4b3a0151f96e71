"""Own templates and extra that change what a port does with a packet: found before any push."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from fabric.files.locate import templates_root
from tests.cli.conftest import SMALL

if TYPE_CHECKING:
    from tests.cli.conftest import Done, Shell

EOS = """\
fabric: small
topology: {kind: leaf-spine, leaves: 2, spines: 2}
platforms: {default: {platform: arista_eos, model: arista-7060x6-64pe}}
links: {speed: 800}
hosts: {count: 4, speed: 400, qps_per_connection: 8}
"""
UPLINKS_WITHOUT_PFC = """
{% set pfc = '"pfc_enable": "3",' %}
"{{ port.name }}": {{ row | replace(pfc, "" if port.use == "fabric" else pfc) }},
"""
HOSTS_WITH_THE_STOCK_MAP = """
{% set map = '"dscp_to_tc_map": "ROCE"' if port.use == "fabric" else '"dscp_to_tc_map": "AZURE"' %}
"{{ port.name }}": {{ row | replace('"dscp_to_tc_map": "ROCE"', map) }},
"""
MAPS, PROFILES = "sonic/config/blocks/maps.j2", "arista_eos/config/blocks/profiles.j2"


def shadowed(fabric: Shell, inventory: str, block: str, old: str, new: str) -> Done:
    """A plan with one shipped block replaced by a copy that has ``new`` in place of ``old``."""
    fabric.write("small.yaml", inventory)
    shipped = (templates_root() / block).read_text()
    assert old in shipped
    path = fabric.folder / "templates" / block
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(shipped.replace(old, new))
    return fabric("plan", "small.yaml")


# system, inventory, block, what a branch for one kind of port forgot, words of the findings
BROKEN = {
    "sonic: uplinks without PFC": (
        SMALL,
        MAPS,
        '"{{ port.name }}": {{ row }},',
        UPLINKS_WITHOUT_PFC,
        ("RCE392", "every leaf: 2 ports: PFC priorities: the text says none, the design means 3"),
    ),
    "sonic: host ports with the stock map": (
        SMALL,
        MAPS,
        '"{{ port.name }}": {{ row }},',
        HOSTS_WITH_THE_STOCK_MAP,
        ("RCE392", "RCE302", "DSCP → TC: the text says DSCP 0 → TC none", "DSCP 26 → no traffic"),
    ),
    "sonic: uplinks without any binding": (
        SMALL,
        MAPS,
        "{% for port in members %}",
        '{% for port in members if port.use != "fabric" %}',
        ("RCE392", "RCE302", "every leaf: 2 ports: TC → queue: the text says TC 0 → queue none"),
    ),
    "eos: uplinks without PFC": (
        EOS,
        PROFILES,
        "   priority-flow-control on\n",
        "{% if port.speed_gbps == 400 %}\n   priority-flow-control on\n{% endif %}\n",
        ("RCE392", "RCE302", "PFC priorities: the text says none, the design means 3"),
    ),
    "eos: host ports without ECN": (
        EOS,
        PROFILES,
        "{% if queue.ecn %}",
        "{% if queue.ecn and port.speed_gbps == 800 %}",
        ("RCE392", "RCE311", "queue 3: the text says ECN off", "marks nothing: ECN is off"),
    ),
    "eos: uplinks trust CoS": (
        EOS,
        PROFILES,
        "   qos trust dscp\n",
        '   qos trust {{ "cos" if port.speed_gbps == 800 else "dscp" }}\n',
        ("RCE392", "RCE302", "DSCP → TC: the text says DSCP 0 → TC none"),
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_block_that_breaks_one_kind_of_port(fabric: Shell, case: str) -> None:
    inventory, block, old, new, words = BROKEN[case]
    done = shadowed(fabric, inventory, block, old, new)
    assert done.code == 1, done.out
    said = " ".join(done.out.split())
    assert [word for word in words if word not in said] == []
    assert "Not pushable" in done.out
    plan = json.loads((fabric.folder / "build/small/plan.json").read_text())
    assert plan["pushable"] is False
    checked = fabric("check", "small.yaml", "--json")
    assert checked.code == 1
    assert {"RCE392"} <= {f["rule"] for f in checked.json["findings"] if f["severity"] == "error"}


def test_what_must_differ_is_accepted_with_a_reason(fabric: Shell) -> None:
    accepted = SMALL + 'suppress: [{rule: RCE392, subject: "*", reason: "slower box"}]\n'
    block = "sonic/config/blocks/watchdog.j2"
    done = shadowed(fabric, accepted, block, "{{ device.watchdog.detect_ms }}", "300")
    assert done.code == 0, done.out
    plan = json.loads((fabric.folder / "build/small/plan.json").read_text())
    assert plan["pushable"] is True


@pytest.mark.parametrize(
    ("inventory", "words"),
    [
        (
            SMALL.replace("sn3700}", """sn3700, extra: '{"QUEUE": {"Ethernet0|3-4": {}}}'}"""),
            "every switch: Ethernet0: queue 3: the text says scheduler none",
        ),
        (
            EOS.replace("64pe}", '64pe}, leaf-1: {extra: "qos map dscp 26 to traffic-class 1"}'),
            "leaf-1: every port: DSCP → TC: the text says DSCP 26 → TC 1",
        ),
    ],
    ids=["sonic", "eos"],
)
def test_extra_is_read_too(fabric: Shell, inventory: str, words: str) -> None:
    fabric.write("small.yaml", inventory)
    done = fabric("plan", "small.yaml")
    assert words in " ".join(done.out.split())
    assert done.code == 1


def test_a_copy_of_a_shipped_block_changes_nothing(fabric: Shell) -> None:
    done = shadowed(fabric, SMALL, MAPS, "{", "{")
    assert done.code == 0, done.out
    found = fabric("check", "small.yaml", "--json").json["findings"]
    assert "RCE392" not in {finding["rule"] for finding in found}
