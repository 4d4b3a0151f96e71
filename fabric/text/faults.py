"""What can go wrong while a template is rendered: one exception that names the place."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

from jinja2 import TemplateError, TemplateNotFound, TemplateSyntaxError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

# What an expression in a template can raise besides Jinja's own errors.
RAISED_BY_TEMPLATES = (
    TemplateError,
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)


class TemplateFault(Exception):  # noqa: N818 — a fault of the template, not of our program
    """A template cannot be rendered, or what it yields cannot be right.

    ``template`` is relative to the templates folder, ``line`` counts from 1, ``None`` where the
    fault is in the result as a whole. ``refused``: no fault of the template, which says that its
    system cannot do what the design asks.
    """

    refused = False

    def __init__(
        self, platform: str, template: str, line: int | None, message: str, device: str = ""
    ) -> None:
        place = template if line is None else f"{template}:{line}"
        subject = f" ({device})" if device else ""
        super().__init__(f"{place}: {message}{subject}")
        self.platform, self.template, self.line = platform, template, line
        self.message, self.device = message, device


class Refusal(Exception):  # noqa: N818 — said by a template, caught by the renderer
    """A template says that its system cannot do what the model asks for."""


def refuse(message: str) -> str:
    """For templates: stop rendering, the system cannot do this."""
    raise Refusal(message)


def fault_of(
    error: Exception, platform: str, template: str, folders: Iterable[Path], device: str
) -> TemplateFault:
    """The fault behind an exception, at the innermost template line of its traceback."""
    roots = tuple(str(folder) for folder in folders)
    place: str
    line: int | None
    if isinstance(error, TemplateSyntaxError):
        place, line = error.filename or error.name or template, error.lineno
    else:
        place, line = _innermost(error, roots) or (template, None)
    fault = TemplateFault(platform, _relative(place, roots), line, _message(error), device)
    fault.refused = isinstance(error, Refusal)
    return fault


def _message(error: Exception) -> str:
    if isinstance(error, TemplateNotFound):
        return f"there is no template {error.name}"
    if isinstance(error, TemplateError | Refusal):
        return str(error)
    return f"{type(error).__name__}: {error}"


def _innermost(error: Exception, roots: tuple[str, ...]) -> tuple[str, int | None] | None:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(roots)]
    return (ours[-1].filename, ours[-1].lineno) if ours else None


def _relative(place: str, roots: tuple[str, ...]) -> str:
    for root in roots:
        if place.startswith(root):
            return place[len(root) :].lstrip("/")
    return place
