"""`fabric dev new-platform`: a skeleton that renders at once and says what it still owes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def checkout(fabric: Shell) -> Path:
    for room in ("fabric", "templates", "tests", "docs"):
        shutil.copytree(ROOT / room, fabric.folder / room, ignore=shutil.ignore_patterns("golden"))
    for file in ("pyproject.toml", "roce_fabric.py"):
        shutil.copy(ROOT / file, fabric.folder / file)
    return fabric.folder


def test_the_contract_says_what_a_skeleton_owes(fabric: Shell, checkout: Path) -> None:
    before = {path: path.read_bytes() for path in checkout.rglob("*.*") if path.is_file()}
    done = fabric("dev", "new-platform", "acme_os", "--json")
    assert done.code == 0
    assert "templates/acme_os/platform.yaml" in done.json["files"]
    assert {path for path, text in before.items() if path.read_bytes() != text} == set()
    environment = {"PYTHONPATH": str(checkout), "PATH": "/usr/bin:/bin", "HOME": str(checkout)}
    command = [sys.executable, "-m", "pytest", "tests/platforms/test_contract.py", "-k", "acme_os"]
    ran = subprocess.run(
        [*command, "-p", "no:cacheprovider"],
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    lines = ran.stdout.splitlines()
    failed = [line for line in lines if line.startswith("FAILED")]
    assert [line.partition(" - ")[0] for line in failed] == [
        "FAILED tests/platforms/test_contract.py::test_nothing_is_owed[acme_os]"
    ]
    assert "still missing:" in ran.stdout
    for words in (
        "templates/acme_os/platform.yaml:2 is to be filled in",
        "commands.yaml: fact interfaces has no source",
        "tests/platforms/acme_os/golden is empty",
        "templates/acme_os/push.yaml is missing",
    ):
        assert words in ran.stdout


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Acme", "is no name of a system"),
        ("acme-os", "is no name of a system"),
        ("_acme", "is no name of a system"),
        ("sonic", "there is a system sonic already"),
    ],
)
def test_names_that_cannot_be(fabric: Shell, name: str, words: str) -> None:
    done = fabric("dev", "new-platform", name, "--into", str(ROOT))
    assert (done.code, done.out) == (2, "")
    assert words in done.err


def test_outside_a_checkout(fabric: Shell) -> None:
    done = fabric("dev", "new-platform", "acme_os")
    assert (done.code, done.out) == (2, "")
    assert "is no checkout of fabric" in done.err
    assert list(fabric.folder.iterdir()) == []
