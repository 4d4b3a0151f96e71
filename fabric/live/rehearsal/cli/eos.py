"""EOS: answers to ``| json``, which are values, not texts. The one system here that has them.

Sources: napalm ``napalm/eos/eos.py`` (keys of ``show configuration sessions detail | json`` before
and from 4.32), its test data for ``show version`` and ``show ip bgp summary``.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from fabric.live.rehearsal.cli.peers import facts, peerings

if TYPE_CHECKING:
    from fabric.live.rehearsal.cli.device import CliBox

_FROM = (4, 32)  # keys of the commit timer are at the top from this version on
_STATES = {"pending": "pending", "timed": "pendingCommitTimer", "completed": "completed"}


def sessions(box: CliBox) -> str:
    """``show configuration sessions [detail] | json``; times are seconds of uptime."""
    listed: dict[str, Any] = {
        one.name: {
            "state": _STATES[one.state],
            "commitUser": "",
            "description": "",
            "instances": {},
        }
        for one in box.candidates.values()
    }
    if box.world.faults.on("lock"):
        listed[box.system.main["sessions"]["foreign"]["name"]] = {
            "state": "pending",
            "commitUser": "",
            "description": "",
            "instances": {
                "4711": {
                    "user": box.system.main["sessions"]["foreign"]["user"],
                    "terminal": "vty5",
                    "currentTerminal": False,
                }
            },
        }
    told: dict[str, Any] = {"maxSavedSessions": 1, "maxOpenSessions": 5, "sessions": listed}
    if box.timer is not None and box.timer.name in listed:
        ends = box.timer.ends - box.booted
        if _version(box) >= _FROM:
            listed[box.timer.name]["state"] = "completed"
            told |= {"commitTimerSessionName": box.timer.name, "commitTimerExpireTime": ends}
        else:
            listed[box.timer.name]["commitBy"] = ends
    return _json(told)


def version(box: CliBox) -> str:
    """``show version | json``."""
    up = box.world.clock() - box.booted
    return _json(
        {
            "mfgName": "Arista",
            "modelName": box.setup.model,
            "hardwareRevision": "11.01",
            "serialNumber": "JPE00000001",
            "systemMacAddress": "00:1c:73:00:00:01",
            "version": box.setup.os_version,
            "architecture": "i686",
            "internalVersion": "",
            "bootupTimestamp": 1767600000.0,
            "uptime": up,
            "memTotal": 8098984,
            "memFree": 5000000,
            "isIntlVersion": False,
        }
    )


def bgp(box: CliBox) -> str:
    """``show ip bgp summary [vrf all] | json``."""
    told, peers = facts(box), {}
    for one in peerings(box):
        state = box.world.peers.state(one)
        peers[one.remote or one.port] = {
            "peerState": state.state,
            "peerAsn": str(one.remote_asn or state.remote_asn),
            "prefixReceived": 0,
            "prefixAccepted": 0,
            "upDownTime": 1767600000.0,
            "underMaintenance": False,
            "version": 4,
            "msgReceived": 0,
            "msgSent": 0,
            "inMsgQueue": 0,
            "outMsgQueue": 0,
        }
    vrf = {"routerId": told["router_id"], "asn": told["asn"], "vrf": "default", "peers": peers}
    return _json({"vrfs": {"default": vrf} if told["asn"] else {}})


def _json(value: object) -> str:
    return json.dumps(value, indent=4, sort_keys=True) + "\n"


def _version(box: CliBox) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", box.setup.os_version)[:2])
