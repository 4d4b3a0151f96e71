"""What push.yaml says of SR Linux, on words of switches and of documents."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from fabric.live.transport.prompts import Prompt
from fabric.live.transport.refusals import Refusals
from tests.platforms.nokia_srl.cases import FILE
from tests.platforms.nokia_srl.jobs import PREVIEW, SPEC


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("A:ams01#", "ams01"),  # netmiko nokia_srl
        ("A:srl1# ", "srl1"),  # srl-labs/learn-srlinux
        ("A:admin@leaf1# ", "leaf1"),  # srl-labs/learn-srlinux, from 24.10 on
        ("B:admin@leaf1# ", "leaf1"),  # the other control card
    ],
)
def test_prompts(line: str, name: str) -> None:
    assert Prompt(SPEC.prompt, (name,)).matches(line)
    assert Prompt(SPEC.prompt).name_in(line) == name
    assert not Prompt(SPEC.prompt, ("other",)).matches(line)


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (
            "Parsing error: Unknown token 'bogus'.\n",
            "Parsing error: Unknown token 'bogus'.",
        ),
        ("At line 3: Parsing error: Unknown token 'x'.\n", "Parsing error: Unknown token 'x'."),
        ("\nError: Cannot commit transaction\n", "Cannot commit transaction"),
        ("MINOR: it failed\n", "MINOR: it failed"),  # scrapli_community nokia_srlinux
        ("All changes have been committed. Leaving candidate mode.\n", None),
        ('{\n  "description": "Error: none"\n}\n', None),
    ],
)
def test_refusals(reply: str, message: str | None) -> None:
    assert Refusals(SPEC.errors).find(reply) == message


def test_the_terminal_is_made_plain_and_pages_are_turned() -> None:
    # netmiko nokia_srl; srl-labs/learn-srlinux, get-started/cli
    assert set(SPEC.setup) == {
        "environment cli-engine type basic",
        "environment complete-on-space false",
    }
    assert re.fullmatch(SPEC.pager, "--More--")


OWNED: tuple[dict[str, Any], ...] = (
    {"interface": [{"name": "ethernet-1/1", "mtu": 9000}]},
    {"interface": [{"name": "ethernet-1/1/2", "mtu": 9000}]},
    {"interface": [{"name": "lag1", "mtu": 9000}]},
    {"interface": [{"name": "system0", "description": "x"}]},
    {"network-instance": [{"name": "default", "description": "x"}]},
    {"qos": {"queues": {"queue": [{"name": "unicast-3", "queue-index": 3}]}}},
    {"routing-policy": {"prefix-set": [{"name": "x"}]}},
    {"bfd": {"subinterface": [{"id": "ethernet-1/1.0", "admin-state": "enable"}]}},
    {"bfd": {"subinterface": [{"id": "lag1.0", "admin-state": "enable"}]}},
    {"system": {"lldp": {"admin-state": "enable"}}},
    {"system": {"lldp": {"interface": [{"name": "ethernet-1/1", "admin-state": "disable"}]}}},
    {"system": {"load-balancing": {"hash-options": {"hash-seed": 7}}}},
    {"system": {"name": {"host-name": "x"}}},
)
OTHERS: tuple[dict[str, Any], ...] = (
    {"interface": [{"name": "mgmt0", "mtu": 1500}]},
    {"interface": [{"name": "irb0", "description": "x"}]},
    {"network-instance": [{"name": "mgmt", "description": "x"}]},
    {"bfd": {"subinterface": [{"id": "irb0.0", "admin-state": "enable"}]}},
    {"system": {"lldp": {"interface": [{"name": "mgmt0", "admin-state": "disable"}]}}},
    {"system": {"name": {"domain-name": "example.net"}}},
    {"acl": {"policers": {"x": 1}}},
)


@pytest.mark.parametrize("tree", OWNED)
def test_what_the_plan_does_not_say_goes_where_it_is_ours(tree: dict[str, Any]) -> None:
    assert json.loads(PREVIEW.target({FILE: json.dumps(tree)}, {FILE: "{}"})[FILE]) == {}


@pytest.mark.parametrize("tree", OTHERS)
def test_what_is_not_ours_stays(tree: dict[str, Any]) -> None:
    assert json.loads(PREVIEW.target({FILE: json.dumps(tree)}, {FILE: "{}"})[FILE]) == tree
