"""For those who extend fabric: the skeleton of a new switch system."""

from __future__ import annotations

import typer

from fabric import discover


def _group() -> typer.Typer:
    """One command for each module of this package."""
    group = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
    for name in discover.entry_names(__name__):
        module = discover.entry(__name__, name)
        group.command(name.replace("_", "-"), help=module.__doc__)(module.command)
    return group


app = _group()
