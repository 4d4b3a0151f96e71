"""Every problem of the user's input has a next step."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCES = sorted((Path(__file__).parents[2] / "fabric").rglob("*.py"))
FIX = 3  # its place among the arguments of Problem


def _without_fix(source: Path) -> list[str]:
    nodes = ast.walk(ast.parse(source.read_bytes()))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    return [
        f"{source.name}:{call.lineno}"
        for call in calls
        if isinstance(call.func, ast.Name)
        and call.func.id == "Problem"
        and len(call.args) <= FIX
        and not any(keyword.arg == "fix" for keyword in call.keywords)
        and not any(isinstance(argument, ast.Starred) for argument in call.args)
    ]


def test_every_problem_names_the_next_step() -> None:
    assert [place for source in SOURCES for place in _without_fix(source)] == []
