"""Filling in the fakes' texts: ``<<name>>`` stands for a fact or for what was typed."""

from __future__ import annotations

import datetime as dt
import re
from ipaddress import ip_interface
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.live.rehearsal.box import Setup
    from fabric.live.rehearsal.cli.data import Says
    from fabric.live.rehearsal.cli.device import CliBox

_SLOT = re.compile(r"<<(\w+)(?:%([^>]*))?>>")
_V4 = 4
_START = dt.datetime(2026, 1, 5, 8, 0, tzinfo=dt.UTC)  # what a fake's clock says at 0


def fill(text: str, facts: Mapping[str, str]) -> str:
    """Put facts in; ``<<time%H:%M>>`` formats a time, ``<<name%-10s>>`` pads a text.

    Raises:
        KeyError: no such fact: a mistake in the data.
    """

    def value(found: re.Match[str]) -> str:
        fact = facts[found[1]]
        if found[2] is None:
            return fact
        if found[1].endswith("time"):
            return moment(float(fact)).strftime(f"%{found[2]}")
        return f"%{found[2]}" % fact

    return _SLOT.sub(value, text)


def moment(seconds: float) -> dt.datetime:
    """A fake's wall clock."""
    return _START + dt.timedelta(seconds=seconds)


def facts(box: CliBox) -> dict[str, str]:
    """What the texts may speak of."""
    now, timer = box.world.clock(), box.timer
    return {
        **box.fixed,
        "host": box.form.value(box.running, box.system.main["hostname"]) or box.setup.device,
        "time": str(now),
        "changed_time": str(box.booted if box.changed is None else box.changed),
        "saved_time": str(box.booted if box.saved is None else box.saved),
        "boot_time": str(box.booted),
        "uptime": str(int(now - box.booted)),
        "number": str(box.number),
        "left": str(int(timer.ends - now)) if timer else "",
        "timed": timer.name if timer else "",
    }


def fixed(setup: Setup) -> dict[str, str]:
    """What the texts may speak of and never changes."""
    address = ip_interface(setup.address)
    v4 = address.version == _V4
    return {
        "device": setup.device,
        "host": setup.device,
        "user": setup.user,
        "model": setup.model,
        "version": setup.os_version,
        "address": setup.address,
        "ip": str(address.ip),
        "mask": str(address.netmask),
        "length": str(address.network.prefixlen),
        "gateway": setup.way_out,
        "anywhere": "0.0.0.0/0" if v4 else "::/0",
        "inet": "inet" if v4 else "inet6",
        "ipv": f"ipv{address.version}",
    }


def says(box: CliBox, told: Says, outcome: str, facts: Mapping[str, str], typed: str) -> str:
    """A reply by outcome, noting the ones that nothing backs."""
    if outcome in told.texts:
        chosen, text = told, told.texts[outcome]
    elif outcome in box.system.texts:
        chosen = box.system.texts[outcome]
        text = chosen.texts[""]
    else:
        chosen, text = told, told.texts.get("", facts.get("text", ""))
    if text and (not chosen.source or "not backed" in chosen.source):
        note = f"{box.system.name}: {typed!r}" + (f" ({outcome})" if outcome else "")
        if note not in box.unsourced:
            box.unsourced.append(note)
    filled = fill(text, facts)
    return filled if not filled or filled.endswith("\n") else filled + "\n"


def told(box: CliBox, name: str, more: Mapping[str, str]) -> str:
    """One of the system's own texts."""
    return says(box, box.system.texts[name], "", {**facts(box), **more}, name)
