"""Cases that the tests of SONiC go through: numbering, routing mode, hardware."""

from __future__ import annotations

import json
from typing import Any

from fabric.model.intent import DeviceFacts
from tests.platforms.models import Case

FACTS = DeviceFacts(
    mac="02:00:00:00:00:01",
    hwsku="ACS-MSN3700",
    platform="x86_64-mlnx_msn3700-r0",
    database_version="version_202505_01",
    source="recorded",
)
CASES = {
    "numbered": Case(),
    "unnumbered": Case(numbering="unnumbered"),
    "unified": Case(mode="unified"),
    "unified-unnumbered": Case(mode="unified", numbering="unnumbered", bfd=True),
    "broadcom": Case(hardware="broadcom", facts=FACTS, bfd=True),
    "ipv6": Case(family="ipv6"),
    "ipv6-unified-unnumbered": Case(family="ipv6", mode="unified", numbering="unnumbered"),
    "dual-unified": Case(family="dual", mode="unified"),
    "dual-unnumbered": Case(family="dual", numbering="unnumbered"),
    "rise": Case(rise=True),
    "rise-broadcom": Case(hardware="broadcom", rise=True),
    "unknown": Case(hardware="unknown"),
    "vlan": Case(port="vlan"),
    "bond": Case(bond=True),
    "bond-ipv6": Case(bond=True, family="ipv6"),
    "bond-vlan": Case(port="vlan", bond=True),
    "dual-tor": Case(hardware="broadcom", dual_tor=True),
    "dual-tor-unified": Case(hardware="broadcom", dual_tor=True, mode="unified"),
}
DEVICES = ("leaf-0", "spine-1")


def config(case: Case, device: str = "leaf-0") -> dict[str, Any]:
    """CONFIG_DB of a device as rendered."""
    found: dict[str, Any] = json.loads(case.files(device)["config_db.json"])
    return found
