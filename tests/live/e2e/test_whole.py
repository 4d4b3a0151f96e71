"""Every system from a dry run to a rollback, over real SSH, on fakes of their own semantics."""

from __future__ import annotations

import fnmatch
import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from fabric.cli._pushing import with_devices
from fabric.live.push import rollback
from fabric.live.push.guard import line_paths
from tests.live.e2e.systems import SPOKEN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabric.model.push import Files
    from tests.live.e2e.bench import Bench


@pytest.mark.parametrize(("system", "cli"), SPOKEN)
def test_a_dry_run_changes_nothing(bench: Callable[..., Bench], system: str) -> None:
    one = bench(system)
    before = one.rehearsal.state("leaf-0")
    told = one.push(dry_run=True)
    assert told.code == 0, told.lines
    assert told.lines[0]["waves"]
    assert one.rehearsal.state("leaf-0") == before


@pytest.mark.parametrize(("system", "cli"), SPOKEN)
def test_first_push_second_push_rollback(bench: Callable[..., Bench], system: str) -> None:
    one = bench(system, alone=False, known=False)
    before = {name: (one.state(name), one.running(name)) for name in one.devices}
    told = one.push()
    assert told.code == 0, told.messages
    assert told.outcomes == dict.fromkeys(one.devices, "changed")
    assert [e.status for e in one.events if e.event == "contact"][-1] == "done"
    changed = {name: one.state(name) for name in one.devices}
    for name in one.devices:
        assert changed[name]["running"] != before[name][0]["running"]
        _unowned_lines_are_there(one, before[name][1], one.running(name))
    told = one.push()
    assert (told.code, told.lines[-1]["by_status"]) == (0, {"unchanged": 2})
    assert {name: one.state(name) for name in one.devices} == changed
    last = rollback.earlier_push(one.pushes, None)
    back = rollback.rewound(one.planned, last, ())
    told = one.told(lambda: with_devices(one.asked(refresh=True), back, one))
    assert told.code == 0, told.messages
    one.later()
    for name in one.devices:
        assert one.system.preview.canonical(one.running(name)) == one.system.preview.canonical(
            before[name][1]
        )
        part = "frr" if system == "frr" else "running"  # the kernel keeps what no file names
        assert one.state(name)[part] == before[name][0][part]
        _equal_texts(one.running(name), before[name][1])


def _equal_texts(now: Files, then: Files) -> None:
    """Byte for byte, but for the lines in which a switch says when it was changed."""
    for name in then:  # a file that nobody reads any more may lie there
        if name == "kernel settings":  # it keeps what no file names
            continue
        lines = [
            [x for x in f.get(name, "").splitlines() if not _TIME.search(x)] for f in (now, then)
        ]
        assert lines[0] == lines[1], name


_TIME = re.compile(r"\d\d:\d\d:\d\d|^frr version |^version ")  # lines of a heading


def _unowned_lines_are_there(bench: Bench, before: Files, after: Files) -> None:
    """What went was the plan's, as the manifest and push.yaml say."""
    device = bench.planned.wanted[0]
    platform = bench.planned.design.intent.hardware.of(device.name, device.role).platform
    owned = [re.compile(pattern) for pattern in bench.system.spec.owned]
    owned += [re.compile(fnmatch.translate(f"{row}*")) for row in platform.owns]
    old, new = (Counter(_paths(files)) for files in (before, after))
    lost = [path for path in old - new if not _TIME.search(path)]
    assert [p for p in lost if not any(one.search(p) for one in owned)] == []


def _paths(files: Files) -> Iterator[str]:
    for name, text in files.items():
        if name not in WHOLE:
            for path in line_paths(text):
                yield path.replace(" > ", "|") if text.startswith("{") else path


WHOLE = {
    "daemons",
    "interfaces",
    "lldpd.conf",
    "99-fabric.conf",
    "kernel settings",
}  # files that are the plan's alone, and what no file is
