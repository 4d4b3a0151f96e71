"""The command line: one file per command, found by scanning; parse, call, show.

A command is a module ``fabric/cli/<name>.py`` whose docstring's first line is its help, with a
function ``command`` (typer) or a ``typer.Typer`` called ``app``. It returns an exit code or raises.
A package is a group of commands, each a module of it.
"""

from __future__ import annotations

import functools
import os
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from fabric import discover
from fabric.model.finding import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    import typer

OK, FINDINGS, USAGE, PARTIAL, NOT_RESTORED, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130


class UsageError(Exception):
    """A command that cannot do what was asked; ``fix`` is the next step. Exit 2."""

    def __init__(self, message: str, fix: str = "") -> None:
        super().__init__(message)
        self.fix = fix


def run(arguments: list[str]) -> int:
    """Run one command line and return its exit code (design §8); prints, never raises."""
    try:
        return _run(arguments)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 — no traceback is printed
        from fabric.cli import _stream  # noqa: PLC0415 — only when it happens

        streaming = _stream.closes(arguments)
        code = _told(error, as_json="--json" in arguments and not streaming)
        if streaming:
            _stream.close(arguments, error, code)
        return code


def _told(error: BaseException, *, as_json: bool) -> int:
    """Say what is wrong, and what exit code that is."""
    match error:
        case InputError():
            from fabric.cli._show import show_input_error  # noqa: PLC0415 — heavy

            return show_input_error(error, as_json=as_json)
        case UsageError():
            help_line = f"\n  help: {error.fix}" if error.fix else ""
            sys.stderr.write(f"error: {error}{help_line}\n")
            return USAGE
        case KeyboardInterrupt():
            sys.stderr.write("\ninterrupted; nothing half-written\n")
            return INTERRUPTED
        case BrokenPipeError():
            # The reader has gone (… | head): not our problem, and no traceback at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return OK
    show, code = getattr(error, "show", None), getattr(error, "exit_code", None)
    if show is not None and code is not None:
        show()  # typer's own usage errors
        return int(code)
    return _internal(error)


def _internal(error: BaseException) -> int:
    if os.environ.get("FABRIC_DEBUG"):
        traceback.print_exc()
    last = traceback.extract_tb(error.__traceback__)[-1]
    sys.stderr.write(
        f"internal error: {type(error).__name__}: {error}\n"
        f"  at {Path(last.filename).name}:{last.lineno}; nothing half-written\n"
        "  help: run again with FABRIC_DEBUG=1 and report the trace with the inventory\n"
    )
    return INTERNAL


def command_names() -> tuple[str, ...]:
    """Commands as typed: module names with ``-`` for ``_``."""
    return tuple(name.replace("_", "-") for name in discover.entry_names(__name__))


def _summary_of(name: str) -> str:
    """First line of a command's docstring, read without importing it."""
    folder = Path(__file__).parent
    entry = folder / name.replace("-", "_")
    source = entry / "__init__.py" if entry.is_dir() else entry.with_suffix(".py")
    with source.open(encoding="utf-8") as file:
        return file.readline().strip().strip('"').strip()


def _module(name: str) -> ModuleType:
    return discover.entry(__name__, name.replace("-", "_"))


def _app(wanted: str | None) -> typer.Typer:
    """The application: only the wanted command is imported, the others are named."""
    import typer  # noqa: PLC0415 — 90 ms that the clash check does not need

    from fabric.cli._options import options  # noqa: PLC0415

    app = typer.Typer(
        name="fabric",
        help="Lossless RoCEv2 networks from one inventory: model, configure, prove, watch.",
        epilog="Start: fabric init --example 64node · fabric plan 64node.yaml",
        no_args_is_help=True,
        add_completion=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )

    app.callback()(options)
    everything = wanted is None and _completing()
    for name in command_names():
        if name == wanted or everything:
            module = _module(name)
            if hasattr(module, "app"):
                app.add_typer(module.app, name=name, help=_summary_of(name))
            else:
                app.command(name, help=module.__doc__)(_past_typer(module.command))
        elif wanted is None:
            app.command(name, help=_summary_of(name))(_named_only)
    return app


class _InterruptedError(Exception):
    """Ctrl-C; typer itself would end without a word."""


def _past_typer(command: Callable[..., object]) -> Callable[..., object]:
    @functools.wraps(command)  # the signature is what typer reads
    def outer(*arguments: object, **options: object) -> object:
        try:
            return command(*arguments, **options)
        except KeyboardInterrupt:
            raise _InterruptedError from None

    return outer


def _named_only() -> None:
    """Stand for a command in the list of commands."""


def _completing() -> bool:
    return "_FABRIC_COMPLETE" in os.environ


def _wanted(arguments: list[str]) -> str | None:
    """The command that is meant: the first word that is no option."""
    word = next((a for a in arguments if not a.startswith("-")), None)
    if word is None or _completing():
        return None
    known = command_names()
    if word not in known:
        import difflib  # noqa: PLC0415

        near = difflib.get_close_matches(word, known, 1)
        hint = f"did you mean `fabric {near[0]}`?" if near else "`fabric --help` lists all commands"
        msg = f"there is no command {word!r}"
        raise UsageError(msg, hint)
    return word


def _run(arguments: list[str]) -> int:
    import typer  # noqa: PLC0415

    app = _app(_wanted(arguments))
    try:
        result = app(arguments, prog_name="fabric", standalone_mode=False)
    except (typer.Abort, _InterruptedError):
        raise KeyboardInterrupt from None
    return result if isinstance(result, int) else OK
