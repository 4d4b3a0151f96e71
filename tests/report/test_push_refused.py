"""Refusals on the screen of a push."""

from __future__ import annotations

from fabric.model.push_change import Refused
from fabric.report.push import refused_lines
from fabric.report.text import Style

PLAIN = Style(colour=False, width=100)


def test_one_reason_for_six_devices_is_one() -> None:
    same = [Refused(f"leaf-{n}", "RCE902", f"leaf-{n}: no credential", "mend") for n in range(6)]
    head, first, *_ = refused_lines(same, PLAIN)
    assert head == "  refused: 1 reason"
    assert first == "  RCE902  leaf-0 and 5 more: no credential"
    other = Refused(None, "RCE917", "it needs a window", "--window")
    assert refused_lines((*same, other), PLAIN)[0] == "  refused: 2 reasons"
