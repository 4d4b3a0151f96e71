"""vtysh and frr-reload.py, on a box that runs FRR."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from fabric.live.rehearsal.frr import reload
from fabric.live.rehearsal.frr.config import FrrConfig, read
from fabric.live.rehearsal.frr.sessions import summary_json
from fabric.live.rehearsal.shell.interpreter import Call, Result

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabric.live.rehearsal.box import Peering, World
    from fabric.live.rehearsal.frr.grammar import Grammar
    from fabric.live.rehearsal.replies import Replies

_SAVED_SUFFIX = ".sav"  # codespell:ignore
_STDIN = "/dev/stdin"
_WRITE = re.compile(r"(do )?(wr(ite)?( (mem(ory)?|file))?|copy running-config startup-config)")


class Routing(Protocol):
    """What a box with FRR has. ``up``: whether its daemons run."""

    hostname: str
    world: World
    frr: FrrConfig
    frr_version: str
    frr_file: str
    grammar: Grammar
    replies: Replies
    up: bool

    def peerings(self) -> tuple[Peering, ...]:
        """Its halves of the BGP sessions."""


class FrrPrograms:
    """The two programs, bound to a box."""

    def __init__(self, box: Routing, disk_write: Callable[[str, bytes], bool]) -> None:
        self._box, self._write = box, disk_write

    def vtysh(self, call: Call) -> Result:
        """``vtysh -c ... [-c ...]``, ``-C -f FILE``, ``-f FILE``, ``-b``."""
        if call.user != "root" and not call.box.setup.user:
            return Result(1, "", "")
        if "-C" in call.args or "--dryrun" in call.args:
            return self._check(call)
        if not self._box.up:
            return Result(1, "", self._box.replies("no-daemon"))
        if "-b" in call.args:
            return self._load(call, self._box.frr_file)
        if "-f" in call.args:
            return self._load(call, call.args[call.args.index("-f") + 1])
        texts = [call.args[i + 1] for i, word in enumerate(call.args[:-1]) if word == "-c"]
        return self._commands(texts)

    def _check(self, call: Call) -> Result:
        name = call.args[call.args.index("-f") + 1] if "-f" in call.args else self._box.frr_file
        if name != _STDIN and call.path(name) not in call.box.disk:
            return Result(1, "", self._box.replies("no-file", file=name))
        text = call.stdin if name == _STDIN else call.box.disk[call.path(name)].decode()
        wrong = self._box.grammar.first_error(text)
        if wrong is None:
            return Result()
        text = self._box.replies(
            "bad-line", number=wrong[0], length=len(wrong[1]) + 1, line=wrong[1]
        )
        return Result(2, "", text)

    def _load(self, call: Call, name: str) -> Result:
        """Merge a file: wrong lines are told, the others are taken all the same."""
        if call.path(name) not in call.box.disk:
            return Result(1, "", self._box.replies("no-file", file=name))
        errors = ""
        for context, line, number in read(call.box.disk[call.path(name)].decode()):
            if self._box.grammar.takes(context, line):
                self._box.frr.apply(context, line)
            else:
                errors += self._box.replies(
                    "bad-line", number=number, length=len(line) + 1, line=line
                )
        return Result(2 if errors else 0, "", errors)

    def _commands(self, texts: list[str]) -> Result:
        total, configuring = Result(), False
        context: tuple[str, ...] = ()
        for text in texts:
            line = " ".join(text.split())
            if line.startswith("conf"):
                configuring = True
            elif line == "end":
                configuring, context = False, ()
            elif configuring and not line.startswith("do "):
                context, result = self._configure(context, line)
                total = total.then(result)
            else:
                total = total.then(self._command(line.removeprefix("do ")))
            if total.status:
                break
        return total

    def _configure(self, context: tuple[str, ...], line: str) -> tuple[tuple[str, ...], Result]:
        if line in {"exit", "exit-address-family", "quit"}:
            return context[:-1], Result()
        steps = read("\n".join((*context, line)))
        inner, text, _ = steps[-1]
        if self._box.world.faults.take("reject") or not self._box.grammar.takes(inner, text):
            return context, Result(1, self._box.replies("unknown-command", line=line))
        self._box.frr.apply(inner, text)
        opened = (*inner, text)
        return (opened if opened in self._box.frr.tree else inner), Result()

    def _command(self, line: str) -> Result:
        if _WRITE.fullmatch(line):
            return self.save()
        known: Mapping[str, Callable[[], str]] = {
            "show running-config": lambda: self._header() + self._shown() + "end\n",
            "show running-config no-header": lambda: self._shown() + "end\n",
            "show version": lambda: self._box.replies(
                "show-version", version=self._box.frr_version, hostname=self._box.hostname
            ),
            "show bgp summary json": self._summary,
            "show ip bgp summary json": self._summary,
            "show bgp vrf all summary json": lambda: '{"default": ' + self._summary() + "}\n",
            "show daemons": lambda: self._box.replies("show-daemons"),
            "show watchfrr": lambda: self._box.replies("show-watchfrr"),
            "terminal length 0": str,
            "clear bgp *": str,
        }
        alias = line.replace("show run ", "show running-config ").replace("show ip bgp", "show bgp")
        alias = "show running-config" if alias in {"show run", "write terminal"} else alias
        if alias not in known:
            return Result(1, self._box.replies("unknown-command", line=line))
        return Result(0, known[alias]())

    def _summary(self) -> str:
        return summary_json(self._box.frr, self._box.peerings(), self._box.world)

    def _header(self) -> str:
        return "Building configuration...\n\nCurrent configuration:\n!\n"

    def _shown(self) -> str:
        return self._box.frr.show(self._box.frr_version, self._box.hostname)

    def save(self) -> Result:
        """``write memory``: on a full disk it says that all is well and leaves an empty file."""
        disk = self._box.disk  # type: ignore[attr-defined]
        if self._box.frr_file in disk:
            disk[self._box.frr_file + _SAVED_SUFFIX] = disk[self._box.frr_file]
        self._write(self._box.frr_file, self._shown().encode())
        return Result(0, self._box.replies("saved", file=self._box.frr_file))

    def reload(self, call: Call) -> Result:
        """``frr-reload.py --test | --reload FILE``."""
        names = [each for each in call.args[1:] if not each.startswith("-")]
        test = "--test" in call.args
        if not names or test == ("--reload" in call.args):
            return Result(2, "", "usage: frr-reload.py (--reload | --test) filename\n")
        path = call.path(names[-1])
        if not call.box.disk.get(path):
            name = "file-missing" if path not in call.box.disk else "file-empty"
            text = self._box.replies(name, file=names[-1])
            return Result(1, "", text) if test else Result(1, text)
        if not self._box.up and not test:
            return Result(1, self._box.replies("reload-no-daemon"))
        text = call.box.disk[path].decode()
        wrong = self._box.grammar.first_error(text)
        if not test and wrong is None and self._box.world.faults.take("reject"):
            wrong = (1, text.splitlines()[0])
        if wrong:
            problem = self._box.replies("reload-bad-line", number=wrong[0], line=wrong[1])
        if test:
            # a file with an error counts as empty here: everything is "to delete"
            new = FrrConfig("" if wrong else text)
            running = self._box.frr if self._box.up else FrrConfig()
            out = reload.report(*reload.compare(new, running))
            return Result(1, out, problem) if wrong else Result(0, out)
        if wrong:
            return Result(1, problem)
        reload.apply(FrrConfig(text), self._box.frr)
        # the script saves unless it was given the very file that is loaded at boot
        if "--overwrite" in call.args or path != self._box.frr_file:
            self.save()
        return Result(seconds=2.0)
