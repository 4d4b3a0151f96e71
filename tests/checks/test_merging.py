from __future__ import annotations

from dataclasses import replace
from datetime import date

from fabric.checks import run
from fabric.model.finding import Finding, Severity, Suppression
from tests.checks.designs import design, suppressing

TODAY = date(2026, 9, 1)


def lanes(device: str) -> Finding:
    return Finding(
        "RCE107",
        Severity.INFO,
        device,
        f"{device}: PORT left out",
        fix=f"record facts/{device}.json",
        device=device,
    )


def raised(*findings: Finding, accept: Suppression | None = None) -> list[Finding]:
    chosen = suppressing(accept) if accept else design()
    return [f for f in run(chosen, today=TODAY, extra=findings).findings if f.rule == "RCE107"]


def test_alike_on_every_leaf_is_said_once() -> None:
    (found,) = raised(lanes("leaf-0"), lanes("leaf-1"))
    assert found.subject == "leaf"
    assert found.message == "every leaf: PORT left out"
    assert found.fix == "record facts/DEVICE.json"
    assert found.evidence == ("leaf-0", "leaf-1")
    assert found.device is None


def test_one_alone_stays_as_it_is() -> None:
    assert raised(lanes("leaf-0")) == [lanes("leaf-0")]


def test_another_message_is_another_finding() -> None:
    other = replace(lanes("leaf-1"), message="leaf-1: BUFFER_POOL left out")
    assert len(raised(lanes("leaf-0"), other)) == 2


def test_a_finding_about_no_switch_is_left_alone() -> None:
    host = replace(lanes("leaf-0"), subject="gpu-0", device="gpu-0", message="gpu-0: m")
    assert raised(host) == [host]


def test_what_was_accepted_stays_apart() -> None:
    accept = Suppression("RCE107", "leaf-0", "lab box")
    found = raised(lanes("leaf-0"), lanes("leaf-1"), accept=accept)
    assert sorted((f.subject, f.suppressed_by is accept) for f in found) == [
        ("leaf-0", True),
        ("leaf-1", False),
    ]
