"""The ``show`` command and the ways to read the database: sonic-utilities show/main.py."""

from __future__ import annotations

import fnmatch
import json
from typing import TYPE_CHECKING

from fabric.live.rehearsal.shell.interpreter import Call, Result
from fabric.live.rehearsal.sonic import database

if TYPE_CHECKING:
    from fabric.live.rehearsal.boxes.sonic import SonicBox

_USAGE = 2


class ShowCommand:
    """``show``, ``sonic-cfggen``, ``sonic-db-cli``, bound to a box."""

    def __init__(self, box: SonicBox) -> None:
        self._box = box

    def show(self, call: Call) -> Result:
        """One ``show`` command line; options are left out of account."""
        words = " ".join(each for each in call.args[1:] if not each.startswith("-"))
        facts = self._box.facts()
        texts = {
            "version": lambda: self._box.replies("show-version", **facts),
            "platform summary": lambda: self._platform(call, facts),
            "runningconfiguration all": self._all,
            "runningconfiguration bgp": self._box.routing_text,
            "pfc priority": self._pfc,
            "ip bgp summary": self._bgp,
            "lldp table": self._lldp,
        }
        if words not in texts:
            return Result(_USAGE, "", self._box.replies("no-such-show", word=words))
        return Result(0, texts[words]())

    def _platform(self, call: Call, facts: dict[str, str]) -> str:
        if "--json" not in call.args:
            return self._box.replies("platform-summary", **facts)
        keys = ("platform", "hwsku", "asic_type", "asic_count", "serial", "model", "revision")
        return json.dumps({key: facts[key] for key in keys}, indent=4) + "\n"

    def _all(self) -> str:
        whole: dict[str, object] = json.loads(database.show(self._box.tables))
        whole["bgpraw"] = self._box.routing_text()
        return json.dumps(whole, indent=4) + "\n"

    def _pfc(self) -> str:
        rows = self._box.tables.get("PORT_QOS_MAP", {})
        lines = [
            f"{port:<11}  {rows[port].get('pfc_enable') or 'N/A'}"
            for port in sorted(rows, key=database.natural)
        ]
        head = f"\n{'Interface':<11}  {'Lossless priorities'}\n{'-' * 11}  {'-' * 19}\n"
        return head + "".join(f"{line}\n" for line in lines) + "\n"

    def _bgp(self) -> str:
        peers = json.loads(self._box.bgp_summary()).get("ipv4Unicast", {}).get("peers", {})
        lines = [
            "\nIPv4 Unicast Summary:\n",
            (
                "Neighbhor      V     AS    MsgRcvd    MsgSent    TblVer    InQ    OutQ  Up/Down    "  # noqa: E501  # codespell:ignore
                "State/PfxRcd    NeighborName\n"
            ),
        ]
        for name, peer in peers.items():
            up = peer["state"] == "Established"
            last = peer["pfxRcd"] if up else peer["state"]
            lines.append(
                f"{name:<13}  4  {peer['remoteAs']:>5}  {peer['msgRcvd']:>9}  "
                f"{peer['msgSent']:>9}         0      0       0  {peer['peerUptime']:<9}  "
                f"{last!s:<14}  {peer.get('hostname', 'NotAvailable')}\n"
            )
        lines.append(f"\nTotal number of neighbors {len(peers)}\n")
        return "".join(lines)

    def _lldp(self) -> str:
        lines = [
            "Capability codes: (R) Router, (B) Bridge, (O) Other\n",
            (
                f"{'LocalPort':<11}  {'RemoteDevice':<14}  {'RemotePortID':<14}  "
                f"{'Capability':<12}  RemotePortDescr\n"
            ),
            f"{'-' * 11}  {'-' * 14}  {'-' * 14}  {'-' * 12}  {'-' * 15}\n",
        ]
        cables = self._box.setup.neighbours
        lines += [
            f"{each.port:<11}  {each.peer:<14}  {each.peer_port:<14}  {'BR':<12}  "
            f"{each.peer_port}\n"
            for each in cables
        ]
        return "".join(lines) + f"{'-' * 50}\nTotal entries displayed:  {len(cables)}\n"

    def cfggen(self, call: Call) -> Result:  # noqa: PLR0911
        """``-d`` or ``-j FILE`` with ``--print-data``, ``--var-json TABLE`` or ``-v PATH``."""
        args = list(call.args[1:])
        tables = self._box.tables
        if "-j" in args:
            path = call.path(args[args.index("-j") + 1])
            if path not in self._box.disk:
                return Result(1, "", self._box.replies("cfggen-failed"))
            tables = database.read(self._box.disk[path].decode())
        if "--write-to-db" in args:
            if call.user != "root":
                return Result(1, "", self._box.replies("root-needed"))
            merged = database.copy(self._box.tables)
            database.merge(merged, tables)
            self._box.change(merged)
            return Result()
        if "--print-data" in args:
            return Result(0, database.show(tables))
        if "--var-json" in args:
            rows = tables.get(args[args.index("--var-json") + 1], {})
            return Result(0, json.dumps(rows, indent=4) + "\n")
        if "-v" in args:
            found: object = tables
            for part in args[args.index("-v") + 1].split("."):
                found = found.get(part, "") if isinstance(found, dict) else ""
            return Result(0, f"{found}\n")
        return Result(1, "", self._box.replies("cfggen-failed"))

    def db_cli(self, call: Call) -> Result:
        """``sonic-db-cli CONFIG_DB hgetall|hget|keys ...`` and ``PING``."""
        args = call.args[1:]
        if args == ("PING",):
            return Result(0, "PONG\n")
        flat = {
            f"{table}|{key}": row
            for table, rows in self._box.tables.items()
            for key, row in rows.items()
        }
        match args:
            case ["CONFIG_DB", "get" | "GET", "CONFIG_DB_INITIALIZED"]:  # config/main.py sets it
                ready = self._box.world.clock() >= self._box.busy_until
                return Result(0, f"{int(ready)}\n")
            case ["CONFIG_DB", "hgetall" | "HGETALL", key]:
                return Result(0, f"{flat.get(key, {})}\n")
            case ["CONFIG_DB", "hget" | "HGET", key, field]:
                return Result(0, flat.get(key, {}).get(field, "") + "\n")
            case ["CONFIG_DB", "keys" | "KEYS", pattern]:
                return Result(0, "".join(f"{key}\n" for key in fnmatch.filter(flat, pattern)))
        return Result(1, "", self._box.replies("db-cli-usage"))
