"""SR Linux: what its state tells of commits, of configuration sessions and of BGP.

Sources: nokia/srlinux-yang-models v25.3 ``srl_nokia-configuration.yang`` (names of leaves, words of
``commit-status``); containerlab ``nodes/srl/srl.go`` (commit 1, ``complete``, is that of the boot);
opsmill/infrahub-network-field-day ``deployment/devices.py`` (one that nobody accepted in time:
``failed``); napalm-automation-community/napalm-srlinux ``test/unit/mocked_data`` (BGP neighbours).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabric.live.rehearsal.cli.peers import facts, peerings

if TYPE_CHECKING:
    from fabric.live.rehearsal.cli.device import CliBox

_UNDONE = "rollback"  # whose entry in the history says that the commit before it was undone


def commits(box: CliBox) -> dict[str, Any]:
    """``system configuration commit *``: each that there was since the boot."""
    told: list[dict[str, Any]] = []
    for one in box.history:
        if one.user == _UNDONE and told:
            told[-1]["status"] = "failed"
        else:
            told.append({"id": one.number, "status": "complete", "username": one.user})
    if box.timer is not None and told:
        told[-1] |= {"type": "private", "name": box.timer.name, "status": "unconfirmed"}
    return _at("commit", told)


def sessions(box: CliBox) -> dict[str, Any]:
    """``system configuration session *``; somebody else's while the fault ``lock`` is armed."""
    told: list[dict[str, Any]] = [
        {
            "id": number,
            "type": "private" if held.kind == "private" else "shared",
            "name": held.name,
            "exclusive": held.kind == "exclusive",
            "username": one.user,
        }
        for number, one in enumerate(box.terminals, 1)
        if (held := one.candidate) is not None
    ]
    if box.world.faults.on("lock"):
        foreign = box.system.main["sessions"]["foreign"]
        told.append({"id": len(box.terminals) + 1, "type": "shared", "exclusive": True, **foreign})
    return _at("session", told)


def bgp(box: CliBox) -> dict[str, Any]:
    """``network-instance default protocols bgp``; neighbours without addresses by their ports."""
    once = facts(box)
    if not once["asn"]:
        return {}
    told = [
        {
            "peer-address": one.remote or f"fe80::1%{one.port}.0",
            "peer-as": one.remote_asn or state.remote_asn,
            "session-state": state.state.lower(),
        }
        for one in peerings(box)
        for state in (box.world.peers.state(one),)
    ]
    own = {"autonomous-system": int(once["asn"]), "router-id": once["router_id"], "neighbor": told}
    return {"network-instance": [{"name": "default", "protocols": {"bgp": own}}]}


STATES = {"commit": commits, "session": sessions, "bgp": bgp}


def _at(name: str, entries: list[dict[str, Any]]) -> dict[str, Any]:
    return {"system": {"configuration": {name: entries}}} if entries else {}
