"""The first words with a terminal: banners go by, and the prompt shows the hostname."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.transport.telling import last_lines
from fabric.live.transport.terminal import LostError, WaitedError

if TYPE_CHECKING:
    from fabric.live.transport.prompts import Prompt
    from fabric.live.transport.telling import Teller
    from fabric.live.transport.terminal import Terminal
    from fabric.live.transport.times import Deadline


def greet(terminal: Terminal, prompt: Prompt, teller: Teller, wait: Deadline) -> None:
    """Learn the hostname: the prompt is what comes again when an empty line is typed.

    A banner can end in a line that looks like a prompt, but not in two of them.

    Raises:
        DeviceError: ``SILENT``: no prompt came; nothing but an empty line was typed.
    """
    screen = terminal.screen

    def shown() -> bool:
        return prompt.name_in(screen.tail) is not None

    def again() -> bool:
        before = (line.rstrip() for line in screen.text.split("\n")[:-1])
        return shown() and screen.tail.rstrip() in before

    try:
        terminal.wait(shown, wait)
        terminal.type("\n", wait)
        terminal.wait(again, wait)
    except LostError:
        why = "the device ended the session before a prompt came"
    except WaitedError:
        why = f"no prompt came within {wait.seconds:.3g} s; it may ask something, or be busy"
    else:
        prompt.learn(prompt.name_in(screen.tail) or "")
        return
    msg = f"logged in, but {why}; {last_lines(screen.text)}"
    raise teller.silent(msg)
