"""The distribution as a stranger gets it: wheel, editable install, the clash of names."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import roce_fabric

ROOT = Path(__file__).resolve().parent.parent
PIP = ("-m", "pip", "--disable-pip-version-check", "--no-input", "-q")


def run(*command: str | Path, cwd: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "FABRIC"))}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, *PIP, "wheel", "--no-deps", "-w", folder, ROOT, cwd=folder)
    (found,) = folder.glob("roce_fabric-*.whl")
    return found


@pytest.fixture
def environment(tmp_path: Path, wheel: Path) -> Path:
    """A fresh environment with our wheel; the dependencies are those of this one."""
    home = tmp_path / "venv"
    venv.create(home, with_pip=True)
    (site,) = home.glob("lib/python*/site-packages")
    ours = [p for p in sys.path if p.endswith("site-packages")]
    # Lowest precedence: what the wheel brings is found first.
    (site / "zz-dependencies.pth").write_text("\n".join(ours) + "\n")
    run(home / "bin/python", *PIP, "install", "--no-deps", wheel, cwd=tmp_path)
    return home


@pytest.mark.packaging
def test_wheel_plans_the_64_node_fabric_in_another_folder(
    environment: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    fabric = environment / "bin/fabric"
    run(fabric, "init", "--example", "64node", cwd=folder)
    done = run(fabric, "plan", "64node.yaml", cwd=folder)
    assert "Wrote build/train64" in done.stdout
    assert len(list((folder / "build/train64/configs").iterdir())) == 48
    packaged = run(
        environment / "bin/python",
        "-c",
        "from fabric.files.locate import templates_root; print(templates_root())",
        cwd=folder,
    )
    assert Path(packaged.stdout.strip()).is_relative_to(environment)


@pytest.mark.packaging
def test_packaged_inventory_keeps_its_lock_in_the_plan(environment: Path, tmp_path: Path) -> None:
    (example,) = environment.glob("lib/python*/site-packages/fabric/_data/inventories/64node.yaml")
    before = sorted(example.parent.iterdir())
    done = run(environment / "bin/fabric", "plan", example, cwd=tmp_path)
    assert "The lock lies in the plan alone" in done.stdout
    assert sorted(example.parent.iterdir()) == before
    assert (tmp_path / "build/train64/inputs/64node.lock.json").is_file()


@pytest.mark.packaging
def test_another_distribution_of_the_same_import_name(environment: Path, tmp_path: Path) -> None:
    python, fabric = environment / "bin/python", environment / "bin/fabric"
    run(python, *PIP, "install", "--no-deps", "--ignore-installed", "fabric", cwd=tmp_path)
    over = run(fabric, "--version", cwd=tmp_path, check=False)
    assert over.returncode == 2
    assert "belongs to another distribution called fabric" in over.stderr
    assert roce_fabric.MEND in over.stderr
    run(python, *PIP, "uninstall", "-y", "fabric", cwd=tmp_path)
    gone = run(fabric, "--version", cwd=tmp_path, check=False)
    assert gone.returncode == 2
    assert "is missing" in gone.stderr
    assert roce_fabric.MEND in gone.stderr


def test_checkout_is_whole() -> None:
    assert roce_fabric.clash() is None


def test_mark_is_the_first_line_of_the_package() -> None:
    text = (ROOT / "fabric/__init__.py").read_text(encoding="utf-8")
    assert text.startswith(roce_fabric.MARK)
