from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fabric import cli
from fabric.cli import command_names, run
from fabric.discover import entry_names
from tests.cli.conftest import SMALL

ROOT = Path(cli.__file__).resolve().parents[2]

if TYPE_CHECKING:
    from tests.cli.conftest import Shell


def test_help_lists_every_command(fabric: Shell) -> None:
    done = fabric("--help")
    assert done.code == 0
    for name in command_names():
        assert name in done.out


GROUPS = ("show", "analyze", "lab", "export", "dev")
ANALYSES = [("analyze", name.replace("_", "-")) for name in entry_names("fabric.cli.analyze")]
OTHERS_OUTPUT = ("exec", "capture")  # what they print is another program's
LAB = [("lab", name) for name in entry_names("fabric.cli.lab") if name not in OTHERS_OUTPUT]
EXPORTS = [("export", name.replace("_", "-")) for name in entry_names("fabric.cli.export")]
DEV = [("dev", name.replace("_", "-")) for name in entry_names("fabric.cli.dev")]
ALL = [*((name,) for name in command_names()), *ANALYSES, *LAB, *EXPORTS, *DEV]


@pytest.mark.parametrize("words", ALL)
def test_every_command_has_help_and_json(fabric: Shell, words: tuple[str, ...]) -> None:
    done = fabric(*words, "--help")
    assert done.code == 0
    if words not in {(name,) for name in GROUPS}:
        assert "--json" in done.out


def test_unknown_command_suggests(fabric: Shell) -> None:
    done = fabric("plam")
    assert done.code == 2
    assert "did you mean `fabric plan`?" in done.err


def test_usage_error_is_two(fabric: Shell) -> None:
    assert fabric("plan").code == 2
    assert fabric("plan", "--nonsense").code == 2


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from fabric.cli import run; run(['--help']);"
        "heavy = {'numpy', 'scipy', 'networkx', 'pydantic', 'jinja2', 'yaml', 'netmiko'};"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stderr.strip() == "[]"


# What needs no simulation needs no arrays either.
CHEAP = "targets: {oversubscription: 1.0, qps: 8, worst_leaf_percent: 50}\n"


@pytest.mark.parametrize("targets", ["", CHEAP], ids=["no targets", "cheap targets"])
def test_plan_imports_no_numbers_and_no_sessions(fabric: Shell, targets: str) -> None:
    fabric.write("small.yaml", SMALL + targets)
    code = (
        "import sys; from fabric.cli import run; run(['plan', 'small.yaml']);"
        "heavy = {'numpy', 'scipy', 'networkx', 'rustworkx', 'netmiko', 'paramiko'};"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        cwd=fabric.folder,
        env={"PYTHONPATH": str(ROOT)},
    )
    assert done.stderr.strip() == "[]"


def test_internal_error_prints_no_traceback(fabric: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_arguments: list[str]) -> int:
        msg = "boom"
        raise RuntimeError(msg)

    monkeypatch.setattr(cli, "_run", broken)
    done = fabric("plan")
    assert done.code == 5
    assert "internal error: RuntimeError: boom" in done.err
    assert "Traceback" not in done.err


def test_interrupt_is_130(fabric: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_arguments: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_run", interrupted)
    done = fabric("plan")
    assert done.code == 130


def test_a_command_is_added_by_one_file(fabric: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    (fabric.folder / "toy.py").write_text(
        '"""A toy."""\n\ndef command(word: str) -> int:\n    """A toy."""\n'
        "    print(word)\n    return 3\n"
    )
    monkeypatch.setattr(cli, "__path__", [*cli.__path__, str(fabric.folder)])
    done = fabric("toy", "hello")
    assert (done.code, done.out) == (3, "hello\n")


def test_check_gives_the_findings_of_plan(fabric: Shell) -> None:
    inventory = fabric.write("small.yaml", SMALL)
    checked = fabric("check", str(inventory), "--json").json
    planned = fabric("plan", str(inventory), "--json").json
    assert checked["findings"] == planned["findings"]
    assert checked["summary"] == planned["summary"]
    assert fabric("check", str(inventory)).code == 0


def test_rules_and_explain(fabric: Shell) -> None:
    listed = fabric("rules", "--json").json["rules"]
    assert {"RCE003", "RCE101", "RCE302", "RCE402"} <= {rule["id"] for rule in listed}
    for rule in listed:
        page = fabric("explain", rule["id"])
        assert page.code == 0
        assert rule["title"] in page.out
    assert fabric("explain", "302").out == fabric("explain", "rce302").out
    unknown = fabric("explain", "RCE999")
    assert unknown.code == 2
    assert "fabric rules" in unknown.err


def test_init_writes_once(fabric: Shell) -> None:
    assert fabric("init", "--hosts", "16", "--switch", "sn5600", "--nic", "connectx-7").code == 0
    again = fabric("init")
    assert again.code == 2
    assert "not overwritten" in again.err
    assert fabric("plan", "train1.yaml").code == 0


@pytest.mark.parametrize(
    "example", ["64node", "leafspine-lab", "ring4", "cables-from-csv", "ipv6-leafspine"]
)
def test_examples_can_be_copied(fabric: Shell, example: str) -> None:
    done = fabric("init", "--example", example, "--json")
    assert done.code == 0
    assert fabric("check", done.json["written"][0]).code == 0


def test_a_kind_without_a_starter_is_not_called_unknown(fabric: Shell) -> None:
    done = fabric("init", "new.yaml", "--topology", "rail")
    assert done.code == 2
    assert "no starter for topology kind rail" in done.err
    assert "fabric init --example 64node-rail" in done.err


def test_unknown_example_names_those_there_are(fabric: Shell) -> None:
    done = fabric("init", "--example", "nonsense")
    assert done.code == 2
    assert "64node" in done.err


def test_run_returns_the_code() -> None:
    assert run(["rules"]) == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--platform", "junos"), "junos"),
        (("--name", "a b"), "a b"),
        (("--switch", "sn9999"), "sn9999"),
        (("--topology", "moebius"), "moebius"),
    ],
)
def test_init_writes_nothing_that_would_not_plan(
    fabric: Shell, options: tuple[str, ...], said: str
) -> None:
    done = fabric("init", *options)
    assert done.code == 2
    assert said in done.err
    assert list(fabric.folder.iterdir()) == []
