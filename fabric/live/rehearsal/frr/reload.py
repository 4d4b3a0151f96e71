"""frr-reload.py: the difference of a file and the daemons, and how it is applied.

Sections and their traps: FRRouting tools/frr-reload.py (compare_context_objects, lines_to_config),
and runs of FRR 8.4.4. What is not found here was not needed by a fabric.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.rehearsal.frr.config import FrrConfig, read

if TYPE_CHECKING:
    from fabric.live.rehearsal.frr.config import Context, Tree

Entry = tuple["Context", "str | None"]
# Written by daemons or by the package, and never taken away (ignore_unconfigurable_lines).
_KEPT = (
    "frr version",
    "frr defaults",
    "username",
    "password",
    "line vty",
    "hostname",
    "service integrated-vtysh-config",
)


def compare(new: FrrConfig, old: FrrConfig) -> tuple[list[Entry], list[Entry]]:
    """What to add and what to delete, in the order of the script."""
    delete: list[Entry] = []
    for context in old.tree:
        if context not in new.tree:
            delete += _gone(context, old.tree, new.tree)
    for context, lines in new.tree.items():
        if context in old.tree:
            delete += [(context, line) for line in old.tree[context] if line not in lines]
    add: list[Entry] = []
    for context, lines in new.tree.items():
        if context in old.tree:
            add += [(context, line) for line in lines if line not in old.tree[context]]
        else:
            add += [(context, None), *((context, line) for line in lines)]
    return add, [each for each in delete if not (each[1] or "").startswith(_KEPT)]


def _gone(context: Context, old: Tree, new: Tree) -> list[Entry]:
    """How a context is deleted: interfaces and families by line, the rest by its head."""
    if len(context) > 1 and (context[:1] not in new):
        return []  # goes with its router
    if context[0].startswith(("interface", "vrf")) or len(context) > 1:
        return [(context, line) for line in old[context]]
    return [(context, None)]


def commands(entry: Entry, *, delete: bool) -> list[str]:
    """An entry as the lines that are typed for it."""
    context, line = entry
    if line is None:
        head = [" " * depth + each for depth, each in enumerate(context[:-1])]
        last = " " * (len(context) - 1) + ("no " if delete else "") + context[-1]
        tail = [] if delete else [" " * (len(context) - 1) + "exit"]
        return [*head, last, *tail, *(" " * d + "exit" for d in range(len(context) - 2, -1, -1))]
    text = (line[3:] if line.startswith("no ") else f"no {line}") if delete else line
    head = [" " * depth + each for depth, each in enumerate(context)]
    tail = [" " * depth + "exit" for depth in range(len(context) - 1, -1, -1)]
    return [*head, " " * len(context) + text, *tail]


def report(add: list[Entry], delete: list[Entry]) -> str:
    """What ``--test`` prints; nothing where both are the same."""
    out = ""
    for title, line, entries, gone in (
        ("Lines To Delete", "===============", delete, True),
        ("Lines To Add", "============", add, False),
    ):
        if entries:
            body = "".join("\n".join(commands(e, delete=gone)) + "\n" for e in entries)
            out += f"\n{title}\n{line}\n{body}"
    return out


def apply(target: FrrConfig, running: FrrConfig) -> None:
    """Bring the daemons to the target: deletions, additions, additions, as the script does."""
    for turn in range(2):
        add, delete = compare(target, running)
        if turn == 0:
            for context, line in delete:
                _type(running, context, line, delete=True)
        for context, line in add:
            _type(running, context, line, delete=False)


def _type(running: FrrConfig, context: Context, line: str | None, *, delete: bool) -> None:
    for inner, text, _ in read("\n".join(commands((context, line), delete=delete))):
        running.apply(inner, text)
