"""One fact of a device: its system's own command, asked, read and typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.catalog.commands import command_book
from fabric.catalog.errors import UnknownNameError
from fabric.files.locate import templates_root
from fabric.live.transport.errors import DeviceError, Kind
from fabric.model.push import Command
from fabric.text.observed import observed_switch
from fabric.text.output import read_output

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.model.observed_state import ObservedSwitch
    from fabric.model.push import Action

_TIMEOUT_S = 60.0


class NotAskedError(LookupError):
    """A fact that a device did not give; the text completes "not checked, because …"."""


def observed_fact(
    device: str, platform: str, fact: str, perform: Callable[[Action], str]
) -> ObservedSwitch:
    """What a device says about one of ``fabric.catalog.commands.FACTS``.

    The commands of the system are tried in their order until the answer to one is understood.

    Raises:
        NotAskedError: no command is known, or none gave an answer that is understood.
        DeviceError: the device cannot be reached, or the session was lost.
    """
    roots = (templates_root(),)
    try:
        book = command_book(platform, roots)
    except UnknownNameError:
        msg = f"no command of {platform} is known"
        raise NotAskedError(msg) from None
    source = dict(book.facts).get(fact)
    if source is None or not source.slugs:
        raise NotAskedError(source.not_available if source else f"{platform} has no fact {fact}")
    trouble = ""
    for slug in source.slugs:
        spec = book.command(slug)
        if spec is None:
            continue
        typed = book.typed(spec)
        try:
            reply = perform(Command(typed, _TIMEOUT_S))
        except DeviceError as error:
            if error.kind is not Kind.REFUSED:
                raise
            trouble = str(error)
            continue
        output = read_output(platform, slug, reply.encode(), roots)
        if output.facts and not output.error:
            return observed_switch(device, [output.facts])
        trouble = output.message or f"the reply to {typed} is not understood"
    raise NotAskedError(trouble)
