"""What a switch boots from is put back only when saving began, and that it is back is seen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fabric.model.push import Ask, Command, Effect, Job, ReplyError, Step
from tests.platforms.arista_eos import test_pushing as eos
from tests.platforms.cisco_nxos import test_pushing as nxos
from tests.platforms.hp_comware import test_pushing as comware
from tests.platforms.huawei_vrp import test_pushing as vrp

if TYPE_CHECKING:
    from types import ModuleType

MODULES = (eos, nxos, vrp, comware)
NAMES = ("arista_eos", "cisco_nxos", "huawei_vrp", "hp_comware")
COPIED = {
    "arista_eos": "Copy completed successfully.",
    "cisco_nxos": "Copy complete, now saving to disk (please wait)...\nCopy complete.",
    "huawei_vrp": "Info: Copied file flash:/a.zip to flash:/b.zip...Done.",
    "hp_comware": "Copying file flash:/a.cfg to flash:/b.cfg... Done.",
}
CUT = {
    "arista_eos": "% Error copying system:/running-config to flash:/x (No space left on device)",
    "cisco_nxos": "copy failed: no space left on device",
    "huawei_vrp": "Info: not enough room",
    "hp_comware": "Copying file flash:/a.cfg to flash:/b.cfg... not enough room",
}


def saves(module: ModuleType, *, saving: bool, job: Job | None = None) -> list[Step]:
    commit, known = module.COMMIT, job or module.JOB
    steps = (
        step for p in (True, False) for step in commit.restore(known, pending=p, saving=saving)
    )
    return [step for step in steps if step.effect is Effect.SAVES]


@pytest.mark.parametrize("module", MODULES, ids=NAMES)
def test_nothing_is_copied_back_when_saving_never_began(module: ModuleType) -> None:
    assert saves(module, saving=False) == []
    said = module.typed(module.COMMIT.restore(module.JOB, pending=False, saving=False))
    assert not [line for line in said if line.startswith("copy ")]


@pytest.mark.parametrize("module", MODULES, ids=NAMES)
def test_what_it_boots_from_is_read_with_the_rest_and_kept(module: ModuleType) -> None:
    running = module.RUNNING[module.FILE]
    ask = module.PREVIEW.running()
    found = ask.read((running, "what it boots from"))
    assert found == {module.FILE: running, "startup": "what it boots from"}
    target = module.PREVIEW.target(found, module.RENDERED)
    assert target["startup"] == "what it boots from"
    other = {**found, "startup": "another"}
    assert module.PREVIEW.canonical(found) == module.PREVIEW.canonical(other)
    assert module.PREVIEW.differences(found, other) == ()
    assert ask.commands[1].tolerates  # unreadable is no reason not to restore


@pytest.mark.parametrize("module", MODULES, ids=NAMES)
def test_it_counts_what_is_read_back(module: ModuleType) -> None:
    job = module.JOB
    text = job.before[module.FILE]
    job = replace(job, before={**job.before, "startup": text})
    step = saves(module, saving=True, job=job)[0]
    assert isinstance(step.until, Ask)
    assert step.until.read((text,)) is None
    cut = text[: len(text) // 2]
    for wrong in (cut, "", text.replace("old-name", "leaf-0")):
        assert step.until.read((wrong,)) == "what it boots from is not as before the push"
    (never_read,) = {s.until for s in saves(module, saving=True)[:1]}
    assert never_read is not None
    with pytest.raises(ReplyError, match="there is no startup"):
        never_read.read((text,))


@pytest.mark.parametrize(("module", "name"), list(zip(MODULES, NAMES, strict=True)), ids=NAMES)
def test_a_checkpoint_that_does_not_say_so_is_none(module: ModuleType, name: str) -> None:
    steps = module.COMMIT.apply(module.JOB)
    copies = [a for a in steps[0].actions if isinstance(a, Command) and a.text.startswith("copy ")]
    assert copies
    for command in copies:
        assert command.check is not None
        assert command.check(COPIED[name]) is None
        assert command.check(CUT[name]) is not None
        assert command.check("") is not None
