"""Groups of commands: one command for each module of a package."""

from __future__ import annotations

import typer

from fabric import discover


def group(package: str) -> typer.Typer:
    """The commands of a package below ``fabric.cli``."""
    app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
    for name in discover.entry_names(package):
        module = discover.entry(package, name)
        app.command(name.replace("_", "-"), help=module.__doc__)(module.command)
    return app
