"""Why a lab cannot be had."""

from __future__ import annotations


class LabError(Exception):
    """Nothing was begun; ``problems``: (message, fix) of each, all at once."""

    def __init__(self, problems: list[tuple[str, str]]) -> None:
        super().__init__("; ".join(message for message, _ in problems))
        self.problems = problems


def lab_error(message: str, fix: str = "") -> LabError:
    """One problem."""
    return LabError([(message, fix)])
