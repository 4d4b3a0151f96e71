"""The configuration of a SONiC switch that nobody has configured yet, and its operator's rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.live.rehearsal.box import Setup
    from fabric.live.rehearsal.sonic.database import Tables


def factory(setup: Setup, words: Mapping[str, Any]) -> Tables:
    """``sonic-cfggen -H -k HWSKU --preset t1`` (src/sonic-config-engine/config_samples.py).

    First boot makes a router with a session on every port. Added are the rows of the operator.
    """
    tables: Tables = {
        table: {
            str(key): {name: str(value) for name, value in (row or {}).items()}
            for key, row in rows.items()
        }
        for table, rows in words["rows"].items()
    }
    meta = tables["DEVICE_METADATA"]["localhost"]
    meta["hwsku"], meta["hostname"] = setup.model, setup.device
    tables["MGMT_INTERFACE"] = {f"eth0|{setup.address}": {"gwaddr": setup.way_out}}
    ports = sorted(setup.ports, key=_number)
    step = min(
        (b - a for a, b in zip(map(_number, ports), map(_number, ports[1:]), strict=False)),
        default=8,
    )
    for index, port in enumerate(ports):
        first = _number(port) + 1
        tables.setdefault("PORT", {})[port] = {
            "alias": f"etp{index + 1}",
            "index": str(index + 1),
            "lanes": ",".join(str(lane) for lane in range(first, first + max(step, 1))),
            "speed": str(words["speeds"].get(step, 100000)),
            "mtu": "9100",
            "admin_status": "up",
        }
        tables.setdefault("INTERFACE", {})[port] = {}
        tables["INTERFACE"][f"{port}|10.0.{index // 128}.{index * 2 % 256}/31"] = {}
        peer = f"10.0.{index // 128}.{index * 2 % 256 + 1}"
        tables.setdefault("BGP_NEIGHBOR", {})[peer] = {
            "asn": str(65200 + index),
            "holdtime": "180",
            "keepalive": "60",
            "local_addr": f"10.0.{index // 128}.{index * 2 % 256}",
            "name": f"ARISTA{index + 1:02}T2",
        }
    return tables


def _number(port: str) -> int:
    found = re.search(r"\d+", port)
    return int(found[0]) if found else 0
