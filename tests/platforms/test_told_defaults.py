"""A negation is no difference only where it is the default, which the system does not print."""

from __future__ import annotations

import pytest

from tests.platforms.arista_eos import test_pushing as eos
from tests.platforms.cisco_nxos import test_pushing as nxos
from tests.platforms.hp_comware import test_pushing as comware
from tests.platforms.huawei_vrp import test_pushing as vrp

MODULES = {"arista_eos": eos, "cisco_nxos": nxos, "huawei_vrp": vrp, "hp_comware": comware}
END = {"arista_eos": "end\n", "cisco_nxos": "", "huawei_vrp": "return\n", "hp_comware": "return\n"}
TOLD = [
    ("arista_eos", "interface Ethernet1/1\n", "   no switchport\n"),
    ("arista_eos", "", "no lldp run\n"),
    ("cisco_nxos", "interface Ethernet1/1\n", "  no switchport\n"),
    ("cisco_nxos", "interface Ethernet1/1\n  no switchport\n", "  no shutdown\n"),
    ("cisco_nxos", "interface Vlan10\n", "  no shutdown\n"),
    ("huawei_vrp", "interface 100GE1/0/1\n", " undo portswitch\n"),
    ("hp_comware", "interface HundredGigE1/0/1\n", " undo lldp enable\n"),
]
SILENT = [
    ("arista_eos", "interface Ethernet1/1\n", "   no shutdown\n"),
    ("cisco_nxos", "interface Ethernet1/1\n  switchport access vlan 5\n", "  no shutdown\n"),
    ("cisco_nxos", "interface port-channel1\n", "  no shutdown\n"),
    ("huawei_vrp", "interface 100GE1/0/1\n", " undo shutdown\n"),
    ("hp_comware", "interface HundredGigE1/0/1\n", " undo shutdown\n"),
]


def told(system: str, above: str, line: str) -> tuple[int, int]:
    """How many lines are told when ``line`` comes, and when it goes."""
    module, end = MODULES[system], END[system]
    without, with_it = {module.FILE: above + end}, {module.FILE: above + line + end}
    pairs = ((without, with_it), (with_it, without))
    there, back = (len(module.PREVIEW.differences(*pair)) for pair in pairs)
    return there, back


@pytest.mark.parametrize(("system", "above", "line"), TOLD)
def test_what_is_no_default_is_told(system: str, above: str, line: str) -> None:
    assert told(system, above, line) == (1, 1)


@pytest.mark.parametrize(("system", "above", "line"), SILENT)
def test_a_default_is_not(system: str, above: str, line: str) -> None:
    assert told(system, above, line) == (0, 0)
