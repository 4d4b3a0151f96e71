"""The ``config`` command: sonic-utilities config/main.py."""

# ruff: noqa: ARG002 - all commands are called alike
from __future__ import annotations

import json
from typing import TYPE_CHECKING

from fabric.live.rehearsal.shell.interpreter import FULL, Call, Result
from fabric.live.rehearsal.sonic import database, update

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabric.live.rehearsal.boxes.sonic import SonicBox
    from fabric.live.rehearsal.sonic.database import Tables

STARTUP = "/etc/sonic/config_db.json"
_CHECKPOINTS = "/etc/sonic/checkpoints/"
_USAGE, _RELOAD_S = 2, 60.0


class ConfigCommand:
    """``config``, bound to a box."""

    def __init__(self, box: SonicBox) -> None:
        self._box, self._say = box, box.replies
        self._commands: Mapping[str, Callable[[Call, set[str], list[str]], Result]] = {
            "reload": self._reload,
            "load": self._load,
            "save": self._save,
            "checkpoint": self._checkpoint,
            "delete-checkpoint": self._delete_checkpoint,
            "list-checkpoints": self._list_checkpoints,
            "rollback": self._rollback,
            "replace": self._replace,
            "apply-patch": self._apply_patch,
        }

    def __call__(self, call: Call) -> Result:
        """One command line."""
        if call.user != "root":
            return Result(1, "", self._say("root-needed"))
        if not call.args[1:] or call.args[1] not in self._commands:
            word = call.args[1] if call.args[1:] else ""
            return Result(_USAGE, "", self._say("no-such-command", word=word))
        letters: set[str] = set()
        names: list[str] = []
        for word in call.args[2:]:
            if word.startswith("--"):
                letters.add(
                    {
                        "--force": "f",
                        "--yes": "y",
                        "--no_service_restart": "n",
                        "--bypass-lock": "b",
                        "--dry-run": "d",
                    }.get(word, word)
                )
            elif word.startswith("-"):
                letters |= set(word[1:])
            else:
                names.append(word)
        return self._commands[call.args[1]](call, letters, names)

    def _refused(self, name: str, why: str) -> Result:
        """A failure of the updater: its words, then click's usage."""
        first = self._say(name, why=why)
        command = {"patch": "apply-patch", "delete": "delete-checkpoint"}.get(
            name.split("-", maxsplit=1)[0], name.split("-", maxsplit=1)[0]
        )
        return Result(_USAGE, "", first + self._say("usage", command=command, why=why))

    def _abort(self, *texts: str) -> Result:
        return Result(1, "".join(texts), self._say("aborted"))

    def _reload(self, call: Call, flags: set[str], names: list[str]) -> Result:  # noqa: PLR0911
        box = self._box
        if box.world.faults.on("lock") and "b" not in flags:
            box.world.faults.take("lock")
            return Result(1, self._say("lock-held"))
        if not flags & {"f", "n"} and box.world.clock() < box.busy_until:
            return Result(1, self._say("not-ready"))
        if "y" not in flags:
            return self._abort(self._say("reload-question"))
        name = names[0] if names else STARTUP
        path = call.path(name)
        if path not in box.disk:
            if names:
                return self._abort(
                    self._say("unreadable", file=name, why="No such file or directory")
                )
            return self._abort(self._say("no-config-file", file=name))
        problem = self._validate(path, name, skip=not names and "f" in flags)
        if problem:
            return self._abort(problem)
        tables = database.read(box.disk[path].decode())
        box.load(tables)
        if "n" not in flags:
            box.restart_services(_RELOAD_S)
        said = self._say("reloaded", file=name)
        if "n" not in flags:
            box.world.hang_up()
        return Result(0, said, "", 0.0 if "n" in flags else _RELOAD_S)

    def _validate(self, path: str, name: str, *, skip: bool) -> str:
        """The YANG check of a file; empty: it passed."""
        box = self._box
        try:
            tables = database.read(box.disk[path].decode())
        except database.TablesError as error:
            return self._say("unreadable", file=name, why=str(error))
        if skip:
            return ""
        if box.world.faults.take("reject"):
            return self._say(
                "yang-fails",
                file=name,
                why="Data Loading Failed:All Keys are not parsed in PORT\ndict_keys(['Ethernet0'])",
            )
        problem = box.models.problem(tables)
        if problem:
            return self._say("yang-fails", file=name, why=problem)
        unknown = box.models.unknown(tables)
        return self._say("no-models", tables=unknown) if unknown else ""

    def _load(self, call: Call, flags: set[str], names: list[str]) -> Result:
        """Merges, without any check; a missing file is no failure to it."""
        if "y" not in flags:
            return self._abort(self._say("load-question"))
        name = names[0] if names else STARTUP
        if call.path(name) not in self._box.disk:
            return Result(0, self._say("no-config_db-file", file=name))
        if self._box.world.faults.take("reject"):
            return Result(1, "", self._say("cfggen-failed"))
        try:
            more = database.read(self._box.disk[call.path(name)].decode())
        except database.TablesError:
            return Result(1, "", self._say("cfggen-failed"))
        tables = database.copy(self._box.tables)
        database.merge(tables, more)
        self._box.change(tables)
        return Result(
            0, self._say("running-command", command=f"sonic-cfggen -j {name} --write-to-db")
        )

    def _save(self, call: Call, flags: set[str], names: list[str]) -> Result:
        if "y" not in flags:
            return self._abort(self._say("save-question"))
        name = names[0] if names else STARTUP
        said = self._say("running-command", command=f"sonic-cfggen -d --print-data > {name}")
        if not self._box.write(call.path(name), database.show(self._box.tables).encode()):
            return Result(1, said, f"/bin/sh: 1: echo: echo: I/O error\n{FULL}\n")
        return Result(0, said)

    def _checkpoint(self, call: Call, flags: set[str], names: list[str]) -> Result:
        path = f"{_CHECKPOINTS}{names[0]}.cp.json"
        if not self._box.write(path, database.show(self._box.tables).encode()):
            return self._refused("checkpoint-failed", FULL)
        return Result(0, self._say("checkpoint-done"))

    def _delete_checkpoint(self, call: Call, flags: set[str], names: list[str]) -> Result:
        if self._box.disk.pop(f"{_CHECKPOINTS}{names[0]}.cp.json", None) is None:
            return self._refused("delete-failed", f"Checkpoint '{names[0]}' does not exist")
        return Result(0, self._say("delete-done"))

    def _list_checkpoints(self, call: Call, flags: set[str], names: list[str]) -> Result:
        found = [
            each.removeprefix(_CHECKPOINTS).removesuffix(".cp.json")
            for each in sorted(self._box.disk)
            if each.startswith(_CHECKPOINTS)
        ]
        return Result(0, json.dumps(found, indent=4) + "\n")

    def _rollback(self, call: Call, flags: set[str], names: list[str]) -> Result:
        path = f"{_CHECKPOINTS}{names[0]}.cp.json"
        if path not in self._box.disk:
            return self._refused("rollback-failed", f"Checkpoint '{names[0]}' does not exist")
        target = database.read(self._box.disk[path].decode())
        return self._step(target, flags, "rollback-failed", "rollback-done")

    def _replace(self, call: Call, flags: set[str], names: list[str]) -> Result:
        try:
            target = database.read(self._box.disk[call.path(names[0])].decode())
        except (KeyError, database.TablesError) as error:
            return self._refused("replace-failed", str(error))
        return self._step(target, flags, "replace-failed", "replace-done")

    def _apply_patch(self, call: Call, flags: set[str], names: list[str]) -> Result:
        try:
            patch = json.loads(self._box.disk[call.path(names[0])])
            target = update.patched(self._box.tables, patch)
        except (KeyError, ValueError, update.UpdateError) as error:
            return self._refused("patch-failed", str(error))
        return self._step(target, flags, "patch-failed", "patch-done")

    def _step(self, target: Tables, flags: set[str], failed: str, done: str) -> Result:
        """From the database in force to a target, as far as the updater lets it."""
        box = self._box
        dry = self._say("dry-run") if "d" in flags else ""
        why = update.refusal(box.tables, target, known_asic=box.known_asic)
        why = why or box.models.problem(target)
        if box.world.faults.take("reject"):
            why = (
                why
                or "localhost: after applying patch to config, there are still some parts not "
                "updated"
            )
        if why:
            refused = self._refused(failed, why)
            return Result(refused.status, dry, refused.err)
        if not dry:
            box.change(target)
        return Result(0, dry + self._say(done), "", 20.0)
