"""What the analyses ask alike: failures, words of a list, errors of a model."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from fabric.cli import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from fabric.analysis.failures import Failures
    from fabric.analysis.routing.dragonfly import GroupError
    from fabric.model.design import Design

T = TypeVar("T")

FailOption = Annotated[
    list[str] | None,
    typer.Option(
        "--fail",
        metavar="A:B|A:B:n|A:B:*|DEVICE/PORT|SWITCH",
        help="What is down: the first cable between two devices, the n-th, all of them, the cable "
        "in a port, or a switch; cables of hosts too. May be repeated, or followed by more after "
        "the inventory.",
    ),
]
MoreArgument = Annotated[list[str] | None, typer.Argument(hidden=True, metavar="")]
RoutingOption = Annotated[
    str,
    typer.Option(
        "--routing",
        help="as-planned, spf, bgp, bgp-allowas-in, updown, dragonfly-minimal or l2-flood.",
    ),
]
RiseOption = Annotated[
    str | None,
    typer.Option("--priority-rise", help="none, bounce or global-hop; default: the plan's own."),
]
RootOption = Annotated[
    list[str] | None, typer.Option("--root", help="Root of up/down routing; may be repeated.")
]


def word_of(option: str, word: str, known: Sequence[str]) -> None:
    """Refuse a word that is not in a list.

    Raises:
        UsageError: it is not, with what is near.
    """
    if word in known:
        return
    near = difflib.get_close_matches(word, known, 1)
    hint = f"did you mean {near[0]}? " if near else ""
    msg = f"{option} {word}: there is no such word"
    raise UsageError(msg, f"{hint}known are {', '.join(known)}")


def down(design: Design, fail: Iterable[str] | None, more: Iterable[str] | None) -> Failures:
    """What ``--fail`` names.

    Raises:
        UsageError: words that name nothing, all of them at once.
    """
    from fabric.analysis.failures import FailureError, failures  # noqa: PLC0415

    words = [*(fail or ()), *(more or ())]
    if more and not fail:
        msg = f"unexpected: {' '.join(more)}"
        raise UsageError(msg, "one inventory at a time; what has failed follows --fail")
    try:
        return failures(design.topology, words)
    except FailureError as error:
        *others, (message, fix) = error.problems
        told = "".join(f"{text}\n  help: {help_}\nerror: " for text, help_ in others)
        raise UsageError(told + message, fix) from None


def somebody_fix(design: Design, *, failed: bool) -> str:
    """What to do where nobody is left to send to."""
    if failed and len(design.topology.host_links) > 1:
        return "leave more in service: with what --fail names no two endpoints have a live leaf"
    return "give the fabric hosts"


def switches_of(design: Design, option: str, names: Iterable[str] | None) -> tuple[str, ...]:
    """Switches that an option names.

    Raises:
        UsageError: one that there is not.
    """
    known = [switch.name for switch in design.topology.switches]
    for name in names or ():
        if name not in known:
            near = difflib.get_close_matches(name, known, 3)
            hint = f"did you mean {', '.join(near)}? " if near else ""
            msg = f"{option} {name}: {design.intent.name} has no such switch"
            raise UsageError(msg, f"{hint}`fabric show devices` lists them")
    return tuple(names or ())


def asked(design: Design, answer: Callable[[], T]) -> T:
    """The answer of a model.

    Raises:
        UsageError: the fabric has nothing that the model could look at.
    """
    from fabric.analysis.routing.dragonfly import GroupError  # noqa: PLC0415

    if not design.topology.host_links:
        msg = f"{design.intent.name} has no endpoints: no traffic, so there is nothing to prove"
        raise UsageError(msg, "give it hosts (hosts: {count: …}, or endpoints of its switches)")
    try:
        return answer()
    except GroupError as error:
        raise UsageError(*_group_text(error)) from None


def _group_text(error: GroupError) -> tuple[str, str]:
    if error.lacking:
        shown = ", ".join(error.lacking[:3]) + (" …" if len(error.lacking) > 3 else "")  # noqa: PLR2004
        count = f"{len(error.lacking):,} switches are in none ({shown})"
        message = f"dragonfly-minimal goes by groups, and {count}"
        return message, "give every switch a group, or take another --routing"
    return (
        "dragonfly-minimal goes from group to group, and there is one group alone",
        "two groups or more, or another --routing",
    )
