"""Programs of a Linux router: sysctl, ifreload, ip, lldpcli.

sysctl(8) of procps, ifreload(8) of ifupdown2, lldpcli(8) of lldpd 1.0.16.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from fabric.live.rehearsal.shell.interpreter import Call, Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fabric.live.rehearsal.box import Setup
    from fabric.live.rehearsal.disk import Disk
    from fabric.live.rehearsal.replies import Replies

_KEY = re.compile(r"(net|kernel|vm|fs|dev|user|abi|debug)(\.[\w/-]+)+")
_BAD_KEY = 255


class Kernel:
    """Kernel settings in force."""

    def __init__(self, disk: Disk, replies: Replies) -> None:
        self._disk, self._replies = disk, replies
        self.values: dict[str, str] = {}

    def boot(self) -> None:
        """Defaults, then the files."""
        self.values = {
            "net.ipv4.ip_forward": "0",
            "net.ipv6.conf.all.forwarding": "0",
            "net.ipv4.fib_multipath_hash_policy": "0",
            "net.ipv6.fib_multipath_hash_policy": "0",
            "net.ipv4.fib_multipath_use_neigh": "0",
            "net.ipv4.conf.all.ignore_routes_with_linkdown": "0",
        }  # Linux 6.1, Documentation/networking/ip-sysctl.rst
        for path in self._files():
            self._load(path)

    def _files(self) -> list[str]:
        folder = [each for each in self._disk if each.startswith("/etc/sysctl.d/")]
        return [*sorted(each for each in folder if each.endswith(".conf")), "/etc/sysctl.conf"]

    def _load(self, path: str) -> Result:
        total = Result()
        for raw in self._disk.get(path, b"").decode().splitlines():
            line = raw.strip()
            if line and line[0] not in "#;":
                total = total.then(self._set(line))
        return total

    def _set(self, line: str) -> Result:
        key, _, value = (part.strip() for part in line.lstrip("-").partition("="))
        if line.startswith("-") and key not in self.values:
            return Result()  # sysctl.conf(5): failing to set it is ignored
        if not _KEY.fullmatch(key):
            path = key.replace(".", "/")
            return Result(_BAD_KEY, "", self._replies("sysctl-unknown", path=path))
        self.values[key] = value
        return Result(0, f"{key} = {value}\n")

    def sysctl(self, call: Call) -> Result:
        """``-p [FILE]``, ``--system``, ``-w KEY=VALUE``, ``[-n] [-e] KEY``."""
        flags = {each for each in call.args[1:] if each.startswith("-")}
        rest = [each for each in call.args[1:] if each not in flags]
        changes = flags & {"-p", "--load", "--system", "-w"} or any("=" in each for each in rest)
        if changes and call.user != "root":
            return Result(_BAD_KEY, "", self._replies("sysctl-denied"))
        if changes and call.box.world.faults.take("reject"):
            return Result(_BAD_KEY, "", self._replies("sysctl-unknown", path="net/rejected"))
        if "--system" in flags:
            return self._merged(self._files(), titles=True)
        if flags & {"-p", "--load"}:
            paths = [call.path(each) for each in rest] or ["/etc/sysctl.conf"]
            missing = [each for each in paths if each not in self._disk]
            if missing:
                return Result(_BAD_KEY, "", self._replies("sysctl-no-file", file=missing[0]))
            return self._merged(paths, titles=False)
        return self._show(rest, bare="-n" in flags, ignores="-e" in flags)

    def _merged(self, paths: Iterable[str], *, titles: bool) -> Result:
        total, status = Result(), 0
        for path in paths:
            if titles and path in self._disk:
                total = total.then(Result(0, f"* Applying {path} ...\n"))
            total = total.then(self._load(path))
            status = status or total.status
        return Result(status, total.out, total.err)

    def _show(self, words: list[str], *, bare: bool, ignores: bool) -> Result:
        total, status = Result(), 0
        for word in words:
            if "=" in word:
                total = total.then(self._set(word))
            elif word in self.values:
                shown = self.values[word] if bare else f"{word} = {self.values[word]}"
                total = total.then(Result(0, shown + "\n"))
            elif not ignores:
                path = word.replace(".", "/")
                total = total.then(Result(_BAD_KEY, "", self._replies("sysctl-unknown", path=path)))
            status = status or total.status
        return Result(status, total.out, total.err)


def stanzas(text: str, names: Iterable[str]) -> str:
    """What a text of ``/etc/network/interfaces`` says of some interfaces."""
    return "".join(line for line, name in _lines_of(text) if name in set(names))


def without_stanzas(text: str, names: Iterable[str]) -> str:
    """The text without what it says of some interfaces."""
    return "".join(line for line, name in _lines_of(text) if name not in set(names))


def _lines_of(text: str) -> Iterable[tuple[str, str]]:
    """Each line, and which interface it is about (interfaces(5)); empty: none."""
    name = ""
    for line in text.splitlines(keepends=True):
        words = line.split()
        if words[:1] in (["auto"], ["iface"]) or (words and words[0].startswith("allow-")):
            name = words[1]
        elif words and not line[0].isspace():
            name = ""
        yield line, name


def addresses(text: str) -> dict[str, tuple[str, ...]]:
    """Addresses by interface, out of the text of ``/etc/network/interfaces``."""
    found: dict[str, tuple[str, ...]] = {}
    port = ""
    for raw in text.splitlines():
        words = raw.split()
        if words[:1] == ["iface"]:
            port = words[1]
            found.setdefault(port, ())
        elif words[:1] == ["address"] and port:
            found[port] = (*found[port], words[1])
    return found


def lldp_json(setup: Setup, *, lists: bool) -> str:
    """``lldpcli -f json`` or ``json0``: every cable's other end."""
    entries: list[dict[str, object]] = []
    for cable in setup.neighbours:
        if lists:
            chassis: object = [
                {"id": [{"type": "local", "value": cable.peer}], "name": [{"value": cable.peer}]}
            ]
            port = [
                {
                    "id": [{"type": "ifname", "value": cable.peer_port}],
                    "descr": [{"value": cable.peer_port}],
                }
            ]
            entries.append({"name": cable.port, "via": "LLDP", "chassis": chassis, "port": port})
        else:
            entries.append(
                {
                    cable.port: {
                        "via": "LLDP",
                        "rid": "1",
                        "age": "0 day, 00:00:04",
                        "chassis": {cable.peer: {"id": {"type": "local", "value": cable.peer}}},
                        "port": {
                            "id": {"type": "ifname", "value": cable.peer_port},
                            "descr": cable.peer_port,
                            "ttl": "120",
                        },
                    }
                }
            )
    if lists:
        return json.dumps({"lldp": [{"interface": entries}]}, indent=2) + "\n"
    one: object = entries[0] if len(entries) == 1 else entries
    return json.dumps({"lldp": {"interface": one} if entries else {}}, indent=2) + "\n"


def ip(call: Call, ports: Mapping[str, tuple[str, ...]]) -> Result:
    """``ip [-j] link|addr [show [dev X]]``."""
    words = [each for each in call.args[1:] if not each.startswith("-")]
    kinds = {"l": "link", "link": "link", "a": "addr", "addr": "addr", "address": "addr"}
    if not words or words[0] not in kinds or words[1:2] not in ([], ["show"], ["dev"]):
        return Result(1, "", f'Object "{" ".join(words)}" is unknown, try "ip help".\n')
    names = [each for each in words[1:] if each not in {"show", "dev"}] or list(ports)
    if missing := [each for each in names if each not in ports]:
        return Result(1, "", f'Device "{missing[0]}" does not exist.\n')
    rows = []
    for number, name in enumerate(names, 1):
        row: dict[str, object] = {
            "ifindex": number,
            "ifname": name,
            "operstate": "UP",
            "flags": ["UP", "LOWER_UP"],
            "mtu": 9216,
        }
        if kinds[words[0]] == "addr":
            split = [each.partition("/") for each in ports[name]]
            row["addr_info"] = [
                {
                    "family": "inet6" if ":" in one else "inet",
                    "local": one,
                    "prefixlen": int(length or 32),
                }
                for one, _, length in split
            ]
        rows.append(row)
    if "-j" in call.args or "-json" in call.args:
        return Result(0, json.dumps(rows) + "\n")
    lines = []
    for row in rows:
        lines.append(f"{row['ifindex']}: {row['ifname']}: <UP,LOWER_UP> mtu 9216 state UP\n")
        if kinds[words[0]] == "addr":
            lines += [f"    inet {each}\n" for each in ports[str(row["ifname"])]]
    return Result(0, "".join(lines))
