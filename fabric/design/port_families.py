"""Ports for switches that are split alike: those of one role, model and system."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabric.design.port_fill import names_of, ports_of
from fabric.design.port_lock import held_splits, member_of, split_rows
from fabric.design.port_names import port_names
from fabric.design.port_panel import panel_of
from fabric.design.port_pins import pin
from fabric.design.port_problems import (
    kept_problem,
    logical_problem,
    move_problem,
    room_problem,
    speed_problem,
    who_needs,
)
from fabric.design.port_splits import afresh, choose
from fabric.design.port_wants import UP, Kept
from fabric.model.finding import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fabric.design.cabling import Cabling, InventoryPath
    from fabric.design.port_fill import Filled, Pins
    from fabric.design.port_panel import Panel
    from fabric.design.port_splits import Choice, Wants
    from fabric.design.port_wants import Want
    from fabric.model.addressing import Lock, LockRow
    from fabric.model.intent import DeviceHardware, Intent
    from fabric.model.topology import Blueprint, Port


@dataclass(frozen=True, slots=True)
class Family:
    """Switches of one role, model and system. ``top``: on the top tier; ``of_role``: how many."""

    role: str
    top: bool
    hardware: Mapping[str, DeviceHardware]  # by switch
    of_role: int

    @property
    def first(self) -> DeviceHardware:
        """The hardware of one of them; the others differ in what their box recorded at most."""
        return next(iter(self.hardware.values()))

    @property
    def lock_key(self) -> str:
        """The family in the lock."""
        return f"{self.role}/{self.first.model.name}"


@dataclass(slots=True)
class Ported:
    """Ports by switch, their names by number of the want, rows for the lock, problems.

    ``places``: by switch and member, what the lock is to keep.
    """

    ports: dict[str, tuple[Port, ...]] = field(default_factory=dict)
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rows: list[LockRow] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    places: dict[str, dict[str, Kept]] = field(default_factory=dict)


def families(blueprint: Blueprint, intent: Intent) -> list[Family]:
    """All switches, in the order of the blueprint."""
    top = max((switch.position.tier for switch in blueprint.switches), default=0)
    devices, roles = dict(intent.hardware.devices), dict(intent.hardware.roles)
    of_role = Counter(switch.role for switch in blueprint.switches)
    members: defaultdict[tuple[str, bool, str, str, int], dict[str, DeviceHardware]]
    members = defaultdict(dict)
    for switch in blueprint.switches:
        own = devices.get(switch.name) or roles.get(switch.role) or intent.hardware.default
        # A generic switch of which the box recorded its ports is like no other.
        alone = id(own) if own.model.generic and own.facts else 0
        key = (switch.role, switch.position.tier == top, own.model.name, own.platform.name, alone)
        members[key][switch.name] = own
    return [Family(key[0], key[1], hardware, of_role[key[0]]) for key, hardware in members.items()]


def give_ports(family: Family, cables: Cabling, lock: Lock | None, ported: Ported) -> None:
    """Choose splits and ports for a family and add them, or what is wrong, to ``ported``."""
    wants = {name: cables.wants[name] for name in family.hardware}
    names = port_names(family.first)
    if names is None:
        ported.problems.append(_nameless(family))
        return
    size = _size(wants.values())
    panels = {
        id(own): panel_of(own, names, *size, top=family.top) for own in family.hardware.values()
    }
    panel = panels[id(family.first)]
    pins, problems = _pins(panel, wants, cables)
    problems += _speed_problems(panel, wants, cables)
    if problems:
        ported.problems += problems
        return
    demands = {some: pins[name] for name, some in wants.items()}
    choice = choose(panel, demands, held_splits(lock, family.lock_key))
    ported.problems += _room_problems(family, panel, wants, pins, choice)
    if ported.problems:
        return
    _add_ports(family, panels, wants, choice, ported)
    ported.rows += split_rows(family.lock_key, choice.splits, choice.least)
    for name, some in wants.items():
        ported.places[name] = _places(name, cables, some, choice.filled[some])


def _size(wants: Iterable[Sequence[Want]]) -> tuple[int, set[str]]:
    """Most ports of one switch that lead the same way, and the ports that the user named."""
    most = 0
    named: set[str] = set()
    for some in wants:
        ways = Counter(want.way == UP for want in some)
        slots = (0 if want.slot is None else want.slot + 1 for want in some)
        bays = (want.kept.place.bay + 1 for want in some if want.kept)
        most = max((most, *ways.values(), *slots, *bays))
        named.update(want.port for want in some if want.port)
    return most, named


def _nameless(family: Family) -> Problem:
    model, system = family.first.model.name, family.first.platform.name
    message = f"nobody says what {system} calls the ports of {model}"
    fix = f"add naming.{system} to the file of the model"
    return Problem("RCE009", ("platforms",), message, fix, subject=model)


def _pins(
    panel: Panel, wants: Mapping[str, Wants], cables: Cabling
) -> tuple[dict[str, Pins], list[Problem]]:
    pins: dict[str, Pins] = {}
    problems: list[Problem] = []
    for name, some in wants.items():
        pins[name], refusals = pin(panel, name, some)
        for number, rule, message, fix in refusals:
            path = cables.cable_of[name][number].path
            problems.append(Problem(rule, path, message, fix, subject=name))
    return pins, problems


def _speed_problems(panel: Panel, wants: Mapping[str, Wants], cables: Cabling) -> list[Problem]:
    """RCE103, once for each place in the inventory that asks for the speed."""
    able: dict[int, bool] = {}
    wrong: dict[tuple[int, InventoryPath], None] = {}
    for name, some in wants.items():
        for number, want in enumerate(some):
            speed = want.speed_gbps
            if speed not in able:
                able[speed] = bool(panel.splits_for(speed))
            if not able[speed] and want.port is None:
                wrong[speed, cables.cable_of[name][number].path] = None
    return [speed_problem(panel, speed, path) for speed, path in wrong]


def _room_problems(
    family: Family,
    panel: Panel,
    wants: Mapping[str, Wants],
    pins: Mapping[str, Pins],
    choice: Choice,
) -> list[Problem]:
    """RCE101 and RCE104, once for switches that want the same."""
    alike: defaultdict[Wants, list[str]] = defaultdict(list)
    for name, some in wants.items():
        alike[some].append(name)
    problems: list[Problem | None] = []
    for some, names in alike.items():
        who = who_needs(family.role, family.of_role, names)
        filled = choice.filled[some]
        if not filled.missing:
            found = logical_problem(who, panel, some, filled)
            if found and any(want.kept for want in some):
                free = afresh(panel, some, pins[names[0]])
                if not free[1].missing and logical_problem(who, panel, *free) is None:
                    found = kept_problem(found, names)
            problems.append(found)
        elif any(w.kept for w in some) and not afresh(panel, some, pins[names[0]])[1].missing:
            problems.append(move_problem(who, panel, names, some, filled))
        else:
            problems.append(room_problem(who, panel, some, filled))
    return [problem for problem in problems if problem is not None]


def _add_ports(
    family: Family,
    panels: Mapping[int, Panel],
    wants: Mapping[str, Wants],
    choice: Choice,
    ported: Ported,
) -> None:
    """Equal hardware with equal wants gets the same tuples, made once."""
    made: dict[tuple[int, Wants], tuple[tuple[Port, ...], tuple[str, ...]]] = {}
    for name, some in wants.items():
        key = (id(family.hardware[name]), some)
        if key not in made:
            panel, filled = panels[key[0]], choice.filled[some]
            made[key] = (ports_of(panel, some, filled), names_of(panel, filled))
        ported.ports[name], ported.names[name] = made[key]


def _places(device: str, cables: Cabling, wants: Wants, filled: Filled) -> dict[str, Kept]:
    """The place of every cable whose port the user did not name, by member."""
    return {
        member_of(device, cable.id): Kept(place, filled.modes[place.bay].children)
        for cable, want, place in zip(cables.cable_of[device], wants, filled.places, strict=True)
        if want.port is None and place is not None
    }
