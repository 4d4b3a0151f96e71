"""The ``nv`` command."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from fabric.live.rehearsal.nvue import tree
from fabric.live.rehearsal.nvue.checks import invalid
from fabric.live.rehearsal.nvue.loading import load, options
from fabric.live.rehearsal.shell.interpreter import FULL, Call, Result

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabric.live.rehearsal.boxes.cumulus_nvue import NvueBox
    from fabric.live.rehearsal.nvue.revisions import Revision
    from fabric.live.rehearsal.nvue.tree import Settings

_CONFIRM_S = 600.0
_APPLY_S = 15.0
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "": 60.0}  # a bare number counts minutes


class NvCommand:
    """``nv``, bound to a box."""

    def __init__(self, box: NvueBox) -> None:
        self._box, self._say = box, box.replies
        self._config: Mapping[str, Callable[[Call, list[str]], Result]] = {
            "show": self._show_config,
            "diff": self._diff,
            "apply": self._apply,
            "patch": self._patch,
            "replace": self._replace,
            "save": self._save,
            "detach": self._detach,
            "history": self._history,
            "revision": self._list,
            "find": self._show_config,
        }

    def __call__(self, call: Call) -> Result:
        """One command line."""
        words = list(call.args[1:])
        match words:
            case ["set" | "unset" as verb, *path]:
                return self._edit(call.user, verb, tuple(path))
            case ["config", verb, *rest] if verb in self._config:
                return self._config[verb](call, rest)
            case ["show", *rest]:
                return self._box.nv_show(rest)
        return self._error("unknown-command", words=" ".join(words))

    def _error(self, name: str, /, **fields: object) -> Result:
        return Result(1, "", self._say(name, **fields))

    def _edit(self, user: str, verb: str, path: tuple[str, ...]) -> Result:
        problem = self._box.refused(path)
        if self._box.world.faults.take("reject"):
            problem = problem or self._say("invalid-word", word=path[-1] if path else "")
        if problem:
            return Result(1, "", problem)
        self._pend(user, self._edited(self._staged(user), verb, path))
        return Result()

    def _edited(self, settings: Settings, verb: str, path: tuple[str, ...]) -> Settings:
        if verb == "unset":
            return tree.with_unset(settings, path)
        return tree.with_set(settings, path, self._box.leaves)

    def _staged(self, user: str) -> Settings:
        pending = self._box.revisions.pending(user)
        return pending.settings if pending else self._box.revisions.in_force()

    def _pend(self, user: str, settings: Settings) -> None:
        revisions = self._box.revisions
        pending = revisions.pending(user) or revisions.new(settings, "pending", user)
        pending.settings, pending.state = settings, "pending"

    def _find(self, name: str, user: str) -> Settings | None:
        revisions = self._box.revisions
        if name == "applied":
            return revisions.in_force()
        if name == "pending":
            return self._staged(user)
        if name == "startup":
            return self._box.saved()
        if name == "empty":
            return frozenset()
        found = revisions.all.get(int(name)) if name.isdigit() else None
        return found.settings if found else None

    def _show_config(self, call: Call, words: list[str]) -> Result:
        flags, rest = options(words)
        name = flags.get("-r") or flags.get("--rev") or (rest[0] if rest else "applied")
        settings = self._find(name, call.user)
        if settings is None:
            return self._error("unknown-revision", name=name)
        form = flags.get("-o", "yaml")
        if form == "commands":
            return Result(0, tree.commands(settings))
        nested = tree.nested(settings, self._box.leaves)
        if form == "json":
            return Result(0, json.dumps([{"set": nested}], indent=2) + "\n")
        setup = self._box.setup
        head = (
            f"- header:\n    model: {setup.model}\n    nvue-api-version: nvue_v1\n    rev-id: 1.0\n"
        )
        head += f"    version: Cumulus Linux {setup.os_version}\n"  # user guide, nv config show
        return Result(0, head + "- set:\n" + tree.yaml_text(nested, 4))

    def _diff(self, call: Call, words: list[str]) -> Result:
        flags, rest = options(words)
        names = (rest + ["applied", "pending"][len(rest) :])[:2]
        if len(rest) == 1:
            names = ["applied", rest[0]] if rest[0] != "applied" else ["applied", "pending"]
        old, new = (self._find(name, call.user) for name in names)
        if old is None or new is None:
            return self._error("unknown-revision", name=names[old is not None])
        gone, come = old - new, new - old
        # a leaf that gets another value is only set
        replaced = {path[:-1] for path in come if self._box.leaves.end(path)}
        gone = frozenset(path for path in gone if path[:-1] not in replaced)
        if flags.get("-o") == "commands":
            return Result(0, tree.commands(gone, "unset") + tree.commands(come))
        out = ""
        for verb, settings in (("unset", gone), ("set", come)):
            if settings:
                nested = tree.nested(settings, self._box.leaves)
                out += f"- {verb}:\n" + tree.yaml_text(nested, 4)
        return Result(0, out)

    def _patch(self, call: Call, words: list[str]) -> Result:
        return self._take(call, words, self._staged(call.user))

    def _replace(self, call: Call, words: list[str]) -> Result:
        return self._take(call, words, frozenset())

    def _take(self, call: Call, words: list[str], settings: Settings) -> Result:
        steps, problem = load(self._box, call, words)
        if problem:
            return Result(1, "", problem)
        for verb, paths in steps:
            for path in sorted(paths):
                settings = self._edited(settings, verb, path)
        self._pend(call.user, settings)
        pending = self._box.revisions.pending(call.user)
        return Result(0, self._say("created", number=pending.number if pending else 0))

    def _apply(self, call: Call, words: list[str]) -> Result:
        revisions, now = self._box.revisions, self._box.world.clock()
        names = [each for each in words if not each.startswith("-")]
        if "--confirm-status" in words:
            if revisions.due is None:
                return Result(0, self._say("nothing-to-confirm"))
            return Result(0, self._say("time-left", seconds=int(revisions.due - now)))
        if {"--confirm-yes", "--confirm-no"} & set(words):
            return self._decide(keep="--confirm-yes" in words)
        if revisions.due is not None or self._box.world.faults.on("lock"):
            self._box.world.faults.take("lock")
            return self._error("busy")
        due = None
        if "--confirm" in words:
            following = words[words.index("--confirm") + 1 : words.index("--confirm") + 2]
            span = re.fullmatch(r"(\d+)([smh]?)", following[0]) if following else None
            due = now + _APPLY_S + (float(span[1]) * _UNITS[span[2]] if span else _CONFIRM_S)
            names = [each for each in names if not (span and each == following[0])]
        return self._put(
            call.user, names, due, yes=bool({"-y", "--y", "--assume-yes"} & set(words))
        )

    def _put(self, user: str, names: list[str], due: float | None, *, yes: bool) -> Result:
        revisions = self._box.revisions
        target = self._target(user, names)
        if target is None:
            return (
                self._error("unknown-revision", name=names[0])
                if names
                else self._error("no-pending")
            )
        reasons = invalid(target.settings)
        if self._box.world.faults.take("reject"):
            reasons = reasons or ["Config invalid at interface: rejected"]
        if reasons:
            target.state = "invalid" if target.state == "pending" else target.state
            return self._error(
                "invalid", number=target.number, reasons="\n".join(f"  {each}" for each in reasons)
            )
        if not yes and self._box.warns(target.settings):
            return Result(1, self._say("warning"), "")
        if target.number != revisions.applied:
            revisions.apply(target, due=due)
        said = self._say("applied", number=target.number)
        if due is None and self._box.auto_save and not self._box.save():
            said += f"{FULL}\n"
        return Result(0, said, "", _APPLY_S)

    def _target(self, user: str, names: list[str]) -> Revision | None:
        revisions = self._box.revisions
        if not names or names[0] == "pending":
            return revisions.pending(user)
        if names[0].isdigit():
            return revisions.all.get(int(names[0]))
        settings = self._find(names[0], user)
        return None if settings is None else revisions.new(settings, "pending", user)

    def _decide(self, *, keep: bool) -> Result:
        revisions = self._box.revisions
        if revisions.due is None:
            return self._error("nothing-to-confirm")
        if not keep:
            revisions.take_back()
            return Result(0, self._say("applied", number=revisions.applied), "", _APPLY_S)
        revisions.confirm()
        if self._box.auto_save:
            self._box.save()
        return Result(0, self._say("applied", number=revisions.applied))

    def _save(self, _call: Call, _: list[str]) -> Result:
        if not self._box.save():
            return self._error("save-failed")
        return Result(0, self._say("saved"))

    def _detach(self, call: Call, _: list[str]) -> Result:
        pending = self._box.revisions.pending(call.user)
        if pending is not None:
            pending.state = "detached"
        return Result()

    def _history(self, _call: Call, _: list[str]) -> Result:
        rows = [
            {
                "apply-id": str(number),
                "ref": f"rev_{number}_apply_{index}/done",
                "user": self._box.revisions.all[number].user,
            }
            for index, number in enumerate(self._box.revisions.history, 1)
            if number in self._box.revisions.all
        ]
        return Result(0, json.dumps(rows[::-1], indent=2) + "\n")

    def _list(self, _call: Call, _: list[str]) -> Result:
        rows = {
            str(each.number): {"state": each.state, "user": each.user}
            for each in self._box.revisions.all.values()
            if each.state != "detached"
        }
        if self._box.world.faults.on("lock"):
            rows[str(max(self._box.revisions.all) + 1)] = {"state": "confirm", "user": "operator"}
        return Result(0, json.dumps(rows, indent=2) + "\n")
