"""Real labs, where namespaces are allowed; each test's lab is taken down whatever happens."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.live.lab import build, ready, requirements, state
from fabric.live.lab.errors import LabError
from fabric.live.lab.planned import layout_of
from tests.live.lab import inventories

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fabric.live.lab.layout import Layout
    from fabric.model.design import Design

WAIT_S = 90
ROOM_S = 180


def why_not() -> str:
    """Why no lab can be had here; empty: one can."""
    try:
        requirements.require_machine("trial")
    except LabError as error:
        return str(error)
    return ""


@pytest.fixture(scope="session")
def allowed() -> None:
    reason = why_not()
    if reason:
        pytest.skip(f"a lab cannot be had here: {reason}")


def begun(design: Design, roots: tuple[Path, ...], name: str, inventory: Path) -> build.Built:
    """A lab, once those of other tests that run at the same time leave room for it."""
    deadline = time.monotonic() + ROOM_S
    while True:
        try:
            return build.up(design, roots, name=name, inventory=str(inventory.resolve()))
        except LabError as error:
            if "entries are left" not in str(error) or time.monotonic() > deadline:
                raise
        time.sleep(1)


@contextmanager
def lab_of(inventory: Path, *, allowas_in: int = 0) -> Iterator[tuple[Design, Layout]]:
    """The lab of an inventory, up and as planned; its name is this process's own."""
    derived = flow.derive(inventory)
    design = derived.design
    if allowas_in:
        speakers = tuple(replace(s, allowas_in=allowas_in) for s in design.underlay.speakers)
        design = replace(design, underlay=replace(design.underlay, speakers=speakers))
    name = f"t{os.getpid()}-{design.intent.name}"
    try:
        built = begun(design, derived.roots, name, inventory)
        assert ready.wait(built.layout, WAIT_S) == []
        yield design, built.layout
    finally:
        build.down(name)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Layout]:
    """A layout that is written down as up, though nothing of it is there."""
    monkeypatch.setenv("FABRIC_LAB_STATE", str(tmp_path / "labs"))
    text = inventories.LEAF_SPINE.replace("leaves: 4", "leaves: 2").replace("h[1-4]", "h[1-2]")
    path = tmp_path / "small.yaml"
    path.write_text(text)
    layout = layout_of(flow.load(path), "small", str(path), "198.18.0.0/20")
    state.write(state.State(layout, state.UP))
    yield layout
    state.forget("small")
