"""A program `nv` that keeps revisions in a folder: sets, unsets, trials. For tests alone.

A revision is a set of paths, one for each interface. It shares no code with the procedure.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

State = dict[str, Any]
FOLDER = Path(sys.argv[1])
STATE = FOLDER / "state.json"


def main(words: list[str]) -> int:
    state = json.loads(STATE.read_text())
    said = answer(state, words)
    STATE.write_text(json.dumps(state))
    sys.stdout.write(said)
    return 1 if said.startswith(("Error", "Invalid")) else 0


def answer(state: State, words: list[str]) -> str:  # noqa: C901, PLR0911 - a case a command
    match words:
        case ["config", "show"]:
            return "- header:\n    model: SN5610\n    version: Cumulus Linux 5.14.0\n- set:\n"
        case ["config", "show", "-o", "commands"]:
            return "".join(f"nv set {line}\n" for line in state["applied"])
        case ["config", "revision", "-o", "json"]:
            return json.dumps({name: {"state": one} for name, one in state["states"].items()})
        case ["config", "detach"]:
            state["pending"] = None
            return ""
        case ["config", "diff"]:
            return lines_of(state["applied"], state["pending"] or state["applied"])
        case ["config", "diff", one, other]:
            return lines_of(state[one], state["revisions"].get(other) or state[other])
        case ["config", "patch", file]:
            return patch(state, Path(file).read_text())
        case ["config", "apply", "-y", "--confirm", time] if re.fullmatch(r"\d+s", time):
            return apply(state, state["pending"], "confirm")
        case ["config", "apply", "--confirm-yes"]:
            state["states"][state["last"]] = "applied_and_saved"
            return ""
        case ["config", "apply", "--confirm-no"]:
            expire(state)
            return ""
        case ["config", "apply", revision, "-y"]:
            return apply(state, state["revisions"][revision], "applied")
        case ["config", "save"]:
            state["startup"] = list(state["applied"])
            return "saved [rev_id: applied]\n"
    return f"Error: {words}\n"


def apply(state: State, lines: list[str] | None, how: str) -> str:
    if lines is None or any("broken" in line for line in lines):
        return "Invalid config [rev_id: 9]\n  it is broken\n"
    name = str(max(map(int, state["states"])) + 1)
    state["before"] = list(state["applied"])
    state["applied"], state["revisions"][name] = list(lines), list(lines)
    state["states"][name], state["last"], state["pending"] = how, name, None
    return f"applied [rev_id: {name}]\n"


def expire(state: State) -> None:
    """What NVUE does when nobody confirms."""
    if state["states"][state["last"]] == "confirm":
        state["states"][state["last"]] = "confirm_fail"
        state["applied"] = list(state["before"])


def patch(state: State, text: str) -> str:
    now = dict.fromkeys(state["pending"] or state["applied"])
    for line in text.splitlines():
        verb, path = line.removeprefix("nv ").split(" ", 1)
        if verb == "set":
            now[path] = None
        else:
            now = {k: None for k in now if k != path and not k.startswith(f"{path} ")}
    state["pending"] = list(now)
    return "created [rev_id: 7]\n"


def lines_of(old: list[str], new: list[str]) -> str:
    gone = [f"- unset {line}\n" for line in old if line not in new]
    return "".join((*gone, *(f"- set {line}\n" for line in new if line not in old)))


if __name__ == "__main__":
    sys.exit(main([shlex.quote(word) if " " in word else word for word in sys.argv[2:]]))
