"""The gate: is what is in force what was meant, and is the network no worse than before?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.live.collect.bgp import sessions_up
from fabric.live.collect.fact import NotAskedError
from fabric.live.push.classes import changed_paths
from fabric.live.push.masking import masked
from fabric.live.push.means import SoftStop
from fabric.live.push.unit import State
from fabric.model.plan import Rendered, RenderedFile
from fabric.model.push import TimerClass
from fabric.text.read_back import read_back

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.live.push.unit import Unit
    from fabric.model.device import DeviceModel
    from fabric.model.finding import Finding
    from fabric.model.push import Files, Job


_NOT_ASKED = "timer not checked: the device cannot be asked for it"
_SHOWN = 3  # lines of a difference in a sentence
_UNREADABLE = "unreadable"  # key of the finding that a text cannot be read at all


@dataclass(frozen=True, slots=True)
class Judgement:
    """``problems``: why the gate stays shut; ``notes``: what was not checked, and why."""

    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def judge(unit: Unit, model: DeviceModel | None) -> Judgement:
    """Read a changed device back and wait for its BGP sessions.

    Raises:
        DeviceError: the device cannot be asked.
        SoftStop: the user asked to stop while sessions were waited for.
    """
    found = unit.look()
    if found.state is not State.TARGET:
        return Judgement((otherwise(unit, found.running, found.state),))
    timed = unit.system.commit.timer is not TimerClass.NONE
    if timed and found.pending is False and not unit.standing.confirming:
        return Judgement(("its timer does not run, though the change is in force",))
    timer = (_NOT_ASKED,) if timed and found.pending is None else ()
    problems, notes = chains(unit, found.running, model)
    if problems:
        return Judgement(problems, notes)
    lost, note = _sessions(unit)
    return Judgement(lost, (*timer, *notes, *note))


def otherwise(unit: Unit, running: Files, state: State) -> str:
    """What is in force instead of the target; it is not known who did that, so both are told."""
    if state is State.BEFORE:
        return "the change is not in force: the device is as before"
    differ = unit.system.preview.differences(unit.expected, running)
    return f"what is in force is not what was approved: {strange(differ)}"


def strange(differ: Sequence[str]) -> str:
    """Lines that neither were there nor were approved, and what becomes of them."""
    paths = sorted(changed_paths(differ), key=lambda one: one[0] != "+")  # what came first
    shown = masked(f"{sign} {path}" for sign, path in paths[:_SHOWN])
    rest = len(paths) - _SHOWN
    more = f" (and {rest:,} more line{'s' if rest > 1 else ''})" if rest > 0 else ""
    theirs = "if somebody else typed that meanwhile, it is taken back with the rest"
    return f"{'; '.join(shown)}{more}; {theirs}"


def chains(
    unit: Unit, running: Files, model: DeviceModel | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the running text does to a packet against what the plan means: problems and notes.

    What the approved text itself says otherwise than the model was accepted when it was planned;
    what a device left out of its own candidate was not.
    """
    if model is None:
        return (), ("lossless chain not compared: no plan belongs to this target",)
    accepted, found = _against(model, unit.job.target), _against(model, running)
    known = {f.message for f in accepted if _UNREADABLE not in f.keys}
    return tuple(f.message for f in found if f.message not in known), ()


def _against(model: DeviceModel, files: Files) -> tuple[Finding, ...]:
    texts = tuple(RenderedFile(name, "", text, "") for name, text in files.items())
    return read_back(model, Rendered(model.name, model.platform.name, "", texts, "")).findings


def _sessions(unit: Unit) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Wait until every BGP session that was up before, and is still configured, is up again."""
    before = unit.standing.peers
    if before is None:
        if any("bgp" in text.lower() for text in unit.job.before.values()):
            return (), ("BGP not checked: it could not be asked for before the change",)
        return (), ("BGP not compared: none was configured before the change",)
    clock, waits = unit.means.clock, unit.means.waits
    deadline = clock.now() + waits.bgp_s
    while True:
        try:
            up, known = sessions_up(unit.device, unit.system.spec.name, unit.line.perform)
            gone = [p for p in before if p not in known and _taken_out(p, unit.job)]
            down = [p for p in before if p not in up and p not in gone]
            text = f"BGP sessions that were up before are down: {', '.join(down)}"
        except NotAskedError as error:  # also: the target has no BGP any more
            gone = [p for p in before if _taken_out(p, unit.job)]
            down = [p for p in before if p not in gone]
            text = f"BGP sessions cannot be asked for any more: {error}"
        if not down:
            note = f"BGP sessions no longer configured: {', '.join(gone)}"
            return (), ((note,) if gone else ())
        if clock.now() >= deadline:
            return (text,), ()
        if unit.means.stop.soft:
            raise SoftStop
        clock.sleep(waits.poll_s)


def _taken_out(peer: str, job: Job) -> bool:
    """Whether the target speaks of a peer less than what was before, so that it may have gone."""
    name = re.compile(rf"(?<![\w.:/-]){re.escape(peer)}(?![\w.:/-])")
    before, target = (
        sum(len(name.findall(text)) for text in files.values())
        for files in (job.before, job.target)
    )
    return target < before
