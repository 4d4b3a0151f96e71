"""Every recorded output gives the facts that are known of it; a table says which of them."""

from __future__ import annotations

import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from fabric.catalog.commands import command_book, readable_names
from fabric.files.locate import templates_root
from fabric.text.output import NotSupportedError, read_output
from tests.conformance.compare import differences

RECORDED = Path(__file__).resolve().parents[2].parent / "shared" / "recorded"
ROOTS = (templates_root(),)
PLATFORMS = {
    "arista_eos", "cisco_nxos", "cumulus_linux", "dell_os10", "frr", "hp_comware", "huawei_vrp",
    "juniper_junos", "linux", "nccl-tests", "perftest", "sonic",
}  # fmt: skip


@cache
def _entries() -> tuple[dict[str, Any], ...]:
    index = RECORDED / "INDEX.yaml"
    if not index.is_file():
        return ()
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return tuple(yaml.load(index.read_text(), loader)["entries"])  # noqa: S506 - a safe loader


@pytest.mark.parametrize("platform", sorted(PLATFORMS))
def test_every_fact_of_every_recording(platform: str, capsys: pytest.CaptureFixture[str]) -> None:
    entries = [entry for entry in _entries() if entry["platform"] == platform]
    if not entries:
        pytest.skip("the recordings are not here")
    faults: list[str] = []
    table: dict[str, Counter[str]] = {}
    for entry in entries:
        file = RECORDED / entry["file"]
        slug = file.parent.name
        raw = file.read_bytes()
        try:
            output = read_output(platform, slug, raw, ROOTS)
        except NotSupportedError:
            found = ["not supported"]
        else:
            facts: dict[str, object] = dict(output.facts)
            if output.error:
                facts |= {"error": True, "message": output.message}
            found = list(_judged(_printed(entry, raw), facts))
            if output.mismatch:
                found.append(f"taken for {output.mismatch}")
        table.setdefault(slug, Counter())["fail" if found else "pass"] += 1
        faults += [f"{entry['file']}: {fault}" for fault in found]
    rows = [f"  {slug:45} pass {n['pass']}  fail {n['fail']}" for slug, n in table.items()]
    with capsys.disabled():
        sys.stdout.write("\n".join((f"\n{platform}: recordings by command", *rows, "")))
    assert faults == []


def _printed(entry: dict[str, Any], raw: bytes) -> dict[str, Any]:
    """What is expected, without a port that the command names and its output does not."""
    facts: dict[str, Any] = dict(entry["facts"])
    port = str(facts.get("port", ""))
    if port in entry["command"].split() and port.encode() not in raw:
        del facts["port"]
    return facts


def _judged(expected: dict[str, Any], facts: dict[str, object]) -> list[str]:
    wanted = dict(expected)
    found = []
    if wanted.pop("error", False):
        said = str(facts.get("message", "")).lower()
        if facts.get("error") is not True:
            found.append("not taken for a rejected command")
        elif str(wanted["message"]).lower() not in said:
            found.append(f"message {said!r} lacks {wanted['message']!r}")
        wanted.pop("message", None)
    elif facts.get("error") is True:
        found.append("taken for a rejected command")
    return [*found, *(differences(wanted, facts) if wanted else ())]


SAME_WORDS = {  # systems that run the same program and print the same
    frozenset(pair)
    for pair in (
        ("frr", "cumulus_nvue"), ("frr", "sonic"), ("cumulus_nvue", "sonic"),
        ("linux", "cumulus_nvue"), ("linux", "sonic"), ("linux", "frr"),
    )
}  # fmt: skip


@pytest.mark.parametrize("platform", sorted(PLATFORMS))
def test_no_other_system_takes_the_recordings_for_its_own(platform: str) -> None:
    entries = [entry for entry in _entries() if entry["platform"] == platform]
    if not entries:
        pytest.skip("the recordings are not here")
    own = command_book(platform, ROOTS).platform
    taken: list[str] = []
    for entry in entries:
        slug = (RECORDED / entry["file"]).parent.name
        spec = command_book(platform, ROOTS).command(slug)
        if spec is None or slug == "error":
            continue
        raw = (RECORDED / entry["file"]).read_bytes()
        for other in readable_names(ROOTS):
            if other == own or frozenset((own, other)) in SAME_WORDS:
                continue
            book = command_book(other, ROOTS)
            for command in book.commands:
                if command.slug != "error" and set(command.reads) & set(spec.reads):
                    output = read_output(other, command.slug, raw, ROOTS)
                    if output.facts or output.mismatch is None:
                        taken.append(f"{entry['file']} as {other} {command.slug}")
    assert taken == []
