"""Text of banners and scripts may look like configuration: no merge cuts through it.

Forms: Huawei "header" (the text starts and ends with the same character), H3C "header" (its three
methods), Arista AVD's event handlers (`action bash` … `EOF`), OS10's banners.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import pytest

from fabric.changing.sections import differences, merged
from tests.platforms.pushed import spec

if TYPE_CHECKING:
    from fabric.changing.sections import Grammar

# (system, name line, text, an owned section that the plan writes anew)
TEXTS = [
    (
        "arista_eos",
        "banner motd\nHello\ninterface Ethernet1/1\n   description trap\nEOF\n!",
        "interface Ethernet1/1\n   mtu 9214\n!",
    ),
    (
        "arista_eos",
        "event-handler x\n   action bash\ninterface Ethernet1/1\n!\nqos map a\nEOF\n   delay 5\n!",
        "interface Ethernet1/1\n   mtu 9214\n!",
    ),
    (
        "arista_eos",
        "event-handler x\n   action bash\n      python << X\nrouter bgp 1\n      EOF\n!",
        "interface Ethernet1/1\n   mtu 9214\n!",
    ),
    (
        "dell_os10",
        "banner motd ^C\nHello\ninterface ethernet1/1/1\n description trap\n^C\n!",
        "interface ethernet1/1/1\n mtu 9216\n!",
    ),
    (
        "dell_os10",
        "banner login %Hello\nrouter bgp 1\nand good bye%\n!",
        "router bgp 65001\n router-id 10.0.0.1\n!",
    ),
    (
        "huawei_vrp",
        'header login information "\nHello\ninterface 100GE1/0/1\n description trap\n"\n#',
        "interface 100GE1/0/1\n mtu 9216\n#",
    ),
    (
        "huawei_vrp",
        'header shell information "Hello\n#\nbgp 64512\n#\nand good bye"\n#',
        "bgp 65001\n router-id 10.0.0.1\n#",
    ),
    (
        "hp_comware",
        "header motd %\nHello\ninterface HundredGigE1/0/1\n description trap\n%\n#",
        "interface HundredGigE1/0/1\n mtu 9216\n#",
    ),
    (
        "hp_comware",
        " header login #\nbgp 1\n#\n#",
        "bgp 65001\n router-id 10.0.0.1\n#",
    ),
]
LINES = [
    ("huawei_vrp", 'header login information "Authorised only"'),
    ("hp_comware", " header legal %Authorised only%"),
    ("dell_os10", "banner motd %Authorised only%"),
    ("huawei_vrp", 'header login information "has no end'),
]


def grammar_of(system: str) -> Grammar:
    place = "words" if system == "dell_os10" else "pushing"
    found: Grammar = importlib.import_module(f"fabric.platforms.{system}.{place}").GRAMMAR
    return found


@pytest.mark.parametrize(("system", "text", "section"), TEXTS)
def test_text_survives_as_it_is(system: str, text: str, section: str) -> None:
    grammar = grammar_of(system)
    sign = text[-1]
    running = f"{sign}\n{text}\n{section.splitlines()[0]}\n description old\n{sign}\n"
    target = merged(running, f"{section}\n", spec(system).owned, grammar)
    assert text in target
    assert target.rstrip() == f"{sign}\n{text}\n{section}"
    told = "\n".join(differences(running, target, grammar))
    assert "trap" not in told
    assert "Hello" not in told
    changed = running.replace(text, text.replace("\n", "\n-", 1))
    assert differences(running, changed, grammar)


@pytest.mark.parametrize(("system", "line"), LINES)
def test_text_of_one_line_ends_there(system: str, line: str) -> None:
    sign = "#" if system in {"huawei_vrp", "hp_comware"} else "!"
    bgp = f"router bgp 1\n{sign}" if sign == "!" else f"bgp 1\n{sign}"
    running = f"{sign}\n{line}\n{sign}\n{bgp}\n"
    target = merged(running, "", spec(system).owned, grammar_of(system))
    assert "bgp" not in target
    assert line in target
