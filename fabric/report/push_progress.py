"""A push while it runs, event by event, and how it ended."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING

from fabric.model.push_change import Outcome
from fabric.report.text import wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeAlias

    from fabric.model.push_change import Event, Refused, StepResult
    from fabric.report.text import Style

    Again: TypeAlias = Callable[[tuple[str, ...]], str]  # for these devices; none: for all

_COLOURS = {
    Outcome.CHANGED: "green",
    Outcome.RESTORED: "yellow",
    Outcome.UNREACHABLE: "yellow",
    Outcome.NOT_RESTORED: "red",
    Outcome.UNKNOWN: "red",
}
_GOOD = {Outcome.CHANGED, Outcome.UNCHANGED}
_NOT_BEGUN = "not begun"
_FOLLOWS = {"", "aborted", "interrupted"}  # causes of what nothing went wrong on
_SLOWEST = 3
_NAMED, _TEXTS = 8, 5  # names to a sentence, sentences to a cause


def event_json(event: Event) -> dict[str, object]:
    """One line of the ndjson stream."""
    return asdict(event)


def refused_event_json(refused: Refused) -> dict[str, object]:
    """A refusal as a line of the same stream; ``step`` holds the rule."""
    return {
        "event": "refused",
        "device": refused.device or "",
        "wave": 0,
        "step": refused.rule,
        "status": "refused",
        "message": "; ".join(part for part in (refused.message, refused.fix) if part),
    }


def end_json(exit_code: int, by_status: dict[str, int]) -> dict[str, object]:
    """The line that closes the stream."""
    return {"event": "end", "exit": exit_code, "by_status": by_status}


def by_status(results: Iterable[StepResult], left_out: int = 0) -> dict[str, int]:
    """Devices by how they ended, in a fixed order; ``refused``: those that were left out."""
    tally = Counter(result.outcome for result in results)
    found = {outcome.value: tally[outcome] for outcome in Outcome if tally[outcome]}
    return found | ({"refused": left_out} if left_out else {})


class Progress:
    """Turns events into lines and measures each device. ``now``: seconds that only grow.

    ``waves``: how many devices each has, by number.
    """

    def __init__(self, style: Style, waves: Mapping[int, int], now: Callable[[], float]) -> None:
        self._style, self._waves, self._now = style, waves, now
        self._began: dict[str, float] = {}
        self.took_s: dict[str, float] = {}
        self._done: set[str] = set()
        self._judged: dict[int, set[str]] = {}  # the gate passed, by wave

    def lines(self, event: Event) -> list[str]:
        """What is shown of an event; steps that go well are not."""
        text, *rest = event.message.removeprefix(f"{event.device}: ").split("\n")
        text += " told at the end" if rest else ""
        text = text.removeprefix(f"{event.step}: ") if event.event == "step" else text
        wave = f"wave {event.wave}" if event.wave else ""
        parts: tuple[str, ...] = (wave, event.device, event.step or event.event, event.status, text)
        match event.event, event.status:
            case "step", "begins" | "done":
                self._began.setdefault(event.device, self._now())
                parts = ()
            case ("end", _) | ("push", "begins"):
                parts = ()
            case "push", status:
                parts = ("push", status, text)
            case "device", status:
                parts = (wave, event.device, status, *self._device(event, text))
            case "gate", "passed":
                parts = (*parts, self._gate(event))
            case "contact", _:
                parts = (wave, event.device, text)
            case "wave", "failed":
                parts = (wave, event.status, text)
            case "wave", status:
                parts = (wave, text, status)
        return [_line(*parts)] if parts else []

    def _device(self, event: Event, text: str) -> tuple[str, str]:
        """Why it ended so, where that is not plain, and how many are as the plan wants them."""
        began = self._began.get(event.device, self._now())
        self.took_s[event.device] = self._now() - began
        good = event.status in {outcome.value for outcome in _GOOD}
        (self._done.add if good else self._done.discard)(event.device)  # it may go back after all
        of = sum(self._waves.values())
        return "" if good else text, f"({len(self._done):,} of {of:,} done)"

    def _gate(self, event: Event) -> str:
        """How many of its wave are through."""
        judged = self._judged.setdefault(event.wave, set())
        judged.add(event.device)
        of = self._waves.get(event.wave, 1)
        return f"({len(judged):,} of {of:,} in the wave)" if of > 1 else ""


def _line(*parts: str) -> str:
    return "  " + "  ".join(part for part in parts if part)


def end_lines(
    results: Sequence[StepResult], style: Style, *, took_s: dict[str, float], command: Again
) -> list[str]:
    """How it ended: failures by cause with the command that retries only them, the slowest.

    What only went back, or was not begun, because others failed comes last, with one command.
    """
    tally = Counter(result.outcome for result in results)
    told = [
        style.paint(f"{tally[outcome]:,} {outcome.value}", _COLOURS.get(outcome, "bold"))
        for outcome in Outcome
        if tally[outcome]
    ]
    lines = ["", f"  {', '.join(told) or 'no device'}"]
    slow = sorted(took_s.items(), key=lambda item: -item[1])[:_SLOWEST]
    if len(took_s) > _SLOWEST:
        lines.append("  slowest: " + ", ".join(f"{name} {took:.0f} s" for name, took in slow))
    failed = [result for result in results if result.outcome not in _GOOD]
    followed = [result for result in failed if result.cause in _FOLLOWS]
    for cause, group in _by_cause(r for r in failed if r.cause not in _FOLLOWS).items():
        lines += _cause_lines(cause, group, style)
        lines.append(f"    Only these: {command(tuple(result.device for result in group))}")
    for cause, group in _by_cause(followed).items():
        lines += _cause_lines(cause or _NOT_BEGUN, group, style)
    if followed:
        lines += ["", f"  All of them again: {command(())}"]
    return lines


def _cause_lines(cause: str, group: Sequence[StepResult], style: Style) -> list[str]:
    lines = ["", f"  {cause}: {len(group):,} device{'' if len(group) == 1 else 's'}"]
    for text, names in _by_text(group):
        sentence, *commands = f"{_some(names)}: {text}".split("\n")
        lines += wrapped(sentence, style, indent=6, first="    ")
        lines += [f"      {command.strip()}" for command in commands]  # each to be copied
    return lines


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _by_text(results: Sequence[StepResult]) -> list[tuple[str, list[str]]]:
    """Devices whose sentences differ in nothing but the name, together; the first few sentences."""
    groups: dict[str, list[str]] = {}
    for result in results:
        text = result.message.removeprefix(f"{result.device}: ")
        groups.setdefault(text, []).append(result.device)
    return list(groups.items())[:_TEXTS]


def _by_cause(results: Iterable[StepResult]) -> dict[str, list[StepResult]]:
    groups: dict[str, list[StepResult]] = {}
    for result in results:
        groups.setdefault(result.cause, []).append(result)
    return groups
