from __future__ import annotations

import pytest

from fabric.model.finding import Finding, Location, Severity, Suppression, Verdict
from fabric.report.findings import (
    count_line,
    counts,
    error_lines,
    finding_lines,
    findings_json,
    worst,
)
from fabric.report.text import Style, columns, visible_length

PLAIN = Style(100, colour=False)
BAD_PORT = Finding(
    "RCE014",
    Severity.ERROR,
    "leaf-03",
    "port Ethernet33 does not exist on leaf-03",
    fix="did you mean Ethernet33/1?",
    location=Location("my.yaml", 41, 15, "links[12].a"),
)
FEW_QPS = Finding("RCE702", Severity.WARNING, "64 hosts", "one QP per connection", why="Hashing.")
SUPPRESSED = Finding(
    "RCE105",
    Severity.ERROR,
    "r0",
    "same-tier cable",
    suppressed_by=Suppression("RCE105", "*", "the deadlock classic", "2027-01-31"),
)
UNCHECKED = Finding("RCE402", Severity.INFO, "leaf", "pool unknown", verdict=Verdict.NOT_CHECKED)


def test_error_has_the_shape_of_a_compiler_message() -> None:
    assert error_lines(BAD_PORT, PLAIN) == [
        "error[RCE014]: port Ethernet33 does not exist on leaf-03",
        "  --> my.yaml:41:15   links[12].a",
        "   = help: did you mean Ethernet33/1?",
    ]


def test_finding_names_the_next_step() -> None:
    assert finding_lines(FEW_QPS, PLAIN) == [
        "  RCE702  64 hosts: one QP per connection",
        "          Hashing.",
        "          fabric explain RCE702",
    ]


def test_suppressed_and_unchecked_do_not_count() -> None:
    every = [BAD_PORT, FEW_QPS, SUPPRESSED, UNCHECKED]
    assert count_line(every) == "1 error, 1 warning, 1 not checked, 1 suppressed"
    assert counts(every) == {
        "critical": 0,
        "error": 1,
        "warning": 1,
        "info": 0,
        "suppressed": 1,
        "not_checked": 1,
    }
    assert worst([SUPPRESSED, UNCHECKED]) is None
    assert worst([FEW_QPS, BAD_PORT]) is Severity.ERROR


def test_json_carries_the_same_facts() -> None:
    data = findings_json([BAD_PORT, SUPPRESSED])
    assert data["schema"] == 1
    findings = data["findings"]
    assert isinstance(findings, list)
    first, second = findings
    assert first["location"] == {
        "file": "my.yaml",
        "line": 41,
        "column": 15,
        "path": "links[12].a",
    }
    assert second["suppressed"] == {"reason": "the deadlock classic", "expires": "2027-01-31"}


def test_fingerprint_ignores_measured_values() -> None:
    def finding(message: str, key: str) -> Finding:
        return Finding("RCE402", Severity.ERROR, "leaf-0", message, keys=(key,))

    assert finding("need 5 MB", "p3").fingerprint == finding("need 6 MB", "p3").fingerprint
    assert finding("need 5 MB", "p3").fingerprint != finding("need 5 MB", "p4").fingerprint


@pytest.mark.parametrize("colour", [False, True])
def test_columns_align_with_and_without_colour(colour: bool) -> None:
    style = Style(80, colour=colour)
    lines = columns([("a", "10"), (style.paint("bbb", "red"), "5")], right=(1,))
    assert [visible_length(line) for line in lines] == [9, 9]
