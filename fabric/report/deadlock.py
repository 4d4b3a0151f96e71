"""The deadlock proof as text and as JSON: the same facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.deadlock import CHECKED
from fabric.report.text import Style, columns, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabric.model.deadlock import Certificate, CycleStep, DeadlockVerdict, SweepVerdict

SCHEMA = 1
_SHOWN = 24  # steps of a cycle in the text; JSON has all


def verdict_json(verdict: DeadlockVerdict) -> dict[str, object]:
    """One verdict as plain values (without ``schema``)."""
    return {
        "routing": verdict.routing,
        "verdict": verdict.word,
        "cbd": verdict.cbd,
        "edges": verdict.edges,
        "largest_scc": verdict.largest_scc,
        "priorities": verdict.priorities,
        "unreachable_pairs": verdict.unreachable_pairs,
        "unreachable": [{"from": a, "to": b} for a, b in verdict.unreachable],
        "cycle": [_step_json(step) for step in verdict.cycle],
        "certificate": _certificate_json(verdict.certificate),
        "assumptions": [{"text": a.text, "how": a.how, "why": a.why} for a in verdict.assumptions],
        "notes": list(verdict.notes),
    }


def _step_json(step: CycleStep) -> dict[str, object]:
    return {
        "link": step.link,
        "from": step.sender,
        "from_port": step.sender_port,
        "to": step.receiver,
        "to_port": step.receiver_port,
        "priority": step.priority,
        "source": step.source,
        "destination": step.destination,
    }


def _certificate_json(certificate: Certificate | None) -> dict[str, object] | None:
    if certificate is None:
        return None
    return {
        "title": certificate.title,
        "argument": list(certificate.argument),
        "survives_failures": certificate.survives_failures,
    }


def verdict_lines(verdict: DeadlockVerdict, priorities: tuple[int, ...], style: Style) -> list[str]:
    """The verdict for a reader. ``priorities``: 802.1p number of each level."""
    lines = [_headline(verdict, priorities, style), *_facts(verdict, style)]
    if verdict.cycle:
        lines += ["", *_cycle_lines(verdict.cycle)]
        lines += [
            "",
            *wrapped(
                "It freezes only under overload or a pause storm (`fabric analyze storm`), and "
                "then for good.",
                style,
            ),
        ]
    if verdict.certificate is not None:
        lines += ["", *_certificate_lines(verdict.certificate, style)]
    if verdict.unreachable:
        lines += ["", *_unreachable_lines(verdict, style)]
    for note in verdict.notes:
        lines += ["", *wrapped(f"Note: {note}.", style)]
    return [*lines, "", *assumption_lines(verdict, style)]


def _headline(verdict: DeadlockVerdict, priorities: tuple[int, ...], style: Style) -> str:
    used = [str(number) for number in priorities[: verdict.priorities]]
    at = f"priority {used[0]}" if len(used) == 1 else f"priorities {', '.join(used)}"
    if verdict.cbd is None:
        text = f"{verdict.word}: no certificate applies"
        return style.paint(f"{text}; without --certificate-only the exact path decides", "yellow")
    if not verdict.cbd:
        return style.paint(f"{verdict.word}: no deadlock is possible at {at}", "green")
    steps = len(verdict.cycle)
    numbers = sorted({step.priority for step in verdict.cycle})
    at = f"{'priority' if len(numbers) == 1 else 'priorities'} {', '.join(map(str, numbers))}"
    return style.paint(
        f"{verdict.word} at {at}: {steps} buffers wait for each other in a ring", "red"
    )


def _facts(verdict: DeadlockVerdict, style: Style) -> list[str]:
    parts = [f"routing {verdict.routing}"]
    if verdict.edges is not None:
        parts.append(f"{verdict.edges:,} dependencies between buffers, every ECMP path")
    if verdict.largest_scc:
        parts.append(f"{verdict.largest_scc:,} buffers in the largest knot")
    count = verdict.priorities
    parts.append(f"{count} lossless priorit{'y' if count == 1 else 'ies'} in use on the way")
    pairs = verdict.unreachable_pairs
    if pairs is not None:
        parts.append(f"{pairs:,} unreachable pair{'' if pairs == 1 else 's'} of leaves")
    return wrapped(" · ".join(parts), style, indent=2, first="  ")


def _cycle_lines(cycle: tuple[CycleStep, ...]) -> list[str]:
    rows = [
        (
            f"{step.sender} {step.sender_port}".rstrip(),
            "→",
            f"{step.receiver} {step.receiver_port}".rstrip(),
            f"priority {step.priority}",
            f"holds traffic for {_whose(step.destination)}, from {step.source}'s",
        )
        for step in cycle[:_SHOWN]
    ]
    lines = columns(rows)
    if len(cycle) > _SHOWN:
        lines.append(f"  … and {len(cycle) - _SHOWN:,} more (--json has all)")
    return lines


def _whose(destination: str) -> str:
    """A leaf's hosts, or a prefix that no switch has hosts in."""
    return destination if "/" in destination else f"{destination}'s hosts"


def _certificate_lines(certificate: Certificate, style: Style) -> Iterator[str]:
    title = "Why, whatever fails" if certificate.survives_failures else "Why, in this state"
    yield f"{title} ({certificate.title}):"
    for sentence in certificate.argument:
        yield from wrapped(sentence, style, indent=4, first="  - ")


def _unreachable_lines(verdict: DeadlockVerdict, style: Style) -> list[str]:
    shown = ", ".join(f"{a} → {b}" for a, b in verdict.unreachable)
    rest = (verdict.unreachable_pairs or 0) - len(verdict.unreachable)
    more = f" and {rest:,} more" if rest > 0 else ""
    return wrapped(f"No way: {shown}{more}.", style)


def short_text(verdict: DeadlockVerdict) -> str:
    """The verdict in one line, for the summary of a plan."""
    if verdict.cbd is None:
        return f"{verdict.word}: {'; '.join(verdict.notes)}"
    if verdict.cbd:
        ring = " → ".join(step.sender for step in verdict.cycle[:_SHOWN])
        more = " → …" if len(verdict.cycle) > _SHOWN else f" → {verdict.cycle[0].sender}"
        return f"{verdict.word}: {ring}{more}"
    if verdict.certificate is not None and verdict.certificate.survives_failures:
        return f"{verdict.word}, whatever fails ({verdict.certificate.title})"
    return f"{verdict.word} with nothing failed (every ECMP path looked at)"


def assumption_lines(verdict: DeadlockVerdict | SweepVerdict, style: Style) -> list[str]:
    """What the verdict rests on, in two sentences."""
    checked = [a for a in verdict.assumptions if a.how == CHECKED]
    assumed = [a for a in verdict.assumptions if a.how != CHECKED]
    lines = wrapped(f"Assumed: {_listed(f'{a.text}{_why(a.why)}' for a in assumed)}.", style)
    if checked:
        lines += wrapped(f"Checked in the config: {_listed(a.text for a in checked)}.", style)
    return lines


def _why(reason: str) -> str:
    return f" ({reason})" if reason else ""


def _listed(parts: Iterable[str]) -> str:
    return "; ".join(parts) or "nothing"
