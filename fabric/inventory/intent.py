"""Checked sections → the intent, with every problem that stands in the way."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from fabric import topologies
from fabric.inventory.attachment import dual_tor_problems
from fabric.inventory.connecting import connection_policy
from fabric.inventory.hardware import Selector, Shelves, resolve_hardware
from fabric.inventory.host_names import Room
from fabric.inventory.hosts import resolve_hosts
from fabric.inventory.network import (
    addressing_policy,
    management_policy,
    resolve_racks,
    suppressions,
)
from fabric.inventory.platform_limits import (
    addressing_problems,
    common_action,
    ecn_problems,
    load_balancing_problems,
    mtu_problems,
    nic_problems,
    systems,
    watchdog_problems,
)
from fabric.inventory.roce import Setting, roce_policy
from fabric.inventory.schema import RoceSection
from fabric.model.intent import CableLengths, Intent, Targets
from fabric.model.units import PROPAGATION_M_PER_S, bytes_per_second, bytes_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.files.yaml import Path
    from fabric.inventory.places import Places
    from fabric.inventory.schema import CablesSection, Inventory
    from fabric.model.finding import Problem
    from fabric.model.intent import DeviceFacts, Hardware, HostGroup, RocePolicy

_EXPLICIT_SPEED_GBPS = 400
# Any distinct values do; equal seeds on two tiers would make both hash alike and leave links idle.
_SEEDS = (("leaf", 10), ("edge", 10), ("agg", 25), ("spine", 40), ("core", 55))
_OTHER_SEED, _SEED_STEP = 70, 15


@dataclass
class Resolver:
    """Turns one inventory into an intent; ``problems`` collects what stands in the way."""

    inventory: Inventory
    bad: set[str]
    kind: str | None
    params: Any
    places: Places
    shelves: Shelves
    facts: Mapping[str, DeviceFacts]
    source: str
    refused: frozenset[Path] = frozenset()  # values that the reader left out, told already
    problems: list[Problem] = field(default_factory=list)
    selectors: list[Selector] = field(default_factory=list)

    def intent(self) -> Intent | None:
        """The intent, with stand-ins for what ``problems`` refuse; ``None`` without a topology."""
        groups = self._hosts()
        speed = self._fabric_speed(groups)
        hardware = self._hardware()
        roce = self._roce(hardware, groups, speed)
        addressing = self._addressing(hardware, groups)
        if "hosts" not in self.bad:
            sections, pools = self.inventory.hosts or (), self.inventory.addressing
            self.problems.extend(dual_tor_problems(sections, pools, self.kind))
        if "load_balancing" not in self.bad:
            mode = self.inventory.load_balancing
            self.problems.extend(load_balancing_problems(mode, systems(hardware), groups))
        management, named = management_policy(self.inventory.management, self.problems)
        racks, placed = resolve_racks(self.inventory.racks, self.problems)
        connection, reached = connection_policy(self.inventory.connection, self.problems)
        self.selectors += [*named, *placed, *reached]
        if self.kind is None or "topology" in self.bad:
            return None
        return Intent(
            name=self.inventory.fabric,
            topology_kind=self.kind,
            topology_params=self.params,
            hardware=hardware,
            host_groups=groups,
            cables=_cable_lengths(self.inventory.cables),
            fabric_speed_gbps=speed,
            roce=roce,
            addressing=addressing,
            management=management,
            connection=connection,
            load_balancing=self.inventory.load_balancing,
            hash_seeds=_hash_seeds(self._explicit_roles()),
            sonic_routing_mode=self.inventory.sonic.routing_mode,
            suppressions=suppressions(self.inventory.suppress, self.places),
            racks=racks,
            source=self.source,
            targets=self._targets(),
        )

    def _targets(self) -> Targets:
        written = self.inventory.targets.model_dump()
        return Targets(**written, location=self.places.locate(("targets",)))

    def _hosts(self) -> tuple[HostGroup, ...]:
        sections = self.inventory.hosts
        if "hosts" in self.bad:
            return ()
        room = None
        if "topology" not in self.bad and self.kind is not None:
            defaults = topologies.default_hosts(self.kind, self.params)
            counted = any(entry.per_leaf and entry.count is None for entry in sections or ())
            spread = max((default.nics for default in defaults), default=1)
            leaves = self._leaf_count(self.kind) if counted else 0
            room = Room(defaults, leaves, spread)
        models = self.shelves.models
        return resolve_hosts(sections, room, models, self.places, self.problems)

    def _leaf_count(self, kind: str) -> int:
        """Switches of tier 0, from the topology built without hosts."""
        request = topologies.BuildRequest((), _EXPLICIT_SPEED_GBPS, CableLengths(5.0))
        blueprint = topologies.build(kind, self.params, request)
        return sum(switch.position.tier == 0 for switch in blueprint.switches)

    def _fabric_speed(self, groups: tuple[HostGroup, ...]) -> int:
        written = self.inventory.links.speed
        if written is not None:
            return written
        if self.kind == "explicit" or not groups:
            return _EXPLICIT_SPEED_GBPS
        return max(group.speed_gbps for group in groups)

    def _hardware(self) -> Hardware:
        sections = {} if "platforms" in self.bad else self.inventory.platforms
        hardware, selectors = resolve_hardware(
            sections, self._explicit_roles(), self.facts, self.shelves, self.problems
        )
        self.selectors += selectors
        return hardware

    def _explicit_roles(self) -> dict[str, str]:
        """Role by switch, where the parameters list switches with roles of their own."""
        switches = getattr(self.params, "switches", ())
        tiers = [switch.tier for switch in switches] if isinstance(switches, tuple) else []
        if not tiers:
            return {}
        top = max(tiers)
        default = {0: "leaf", top: "leaf" if top == 0 else "spine"}
        return {switch.name: switch.role or default.get(switch.tier, "agg") for switch in switches}

    def _roce(self, hardware: Hardware, groups: tuple[HostGroup, ...], speed: int) -> RocePolicy:
        slowest = min((speed, *(group.speed_gbps for group in groups)))
        cost = self._pause_cost(speed)
        place = self.places.locate(("roce",))
        setting = Setting(slowest, cost, place, self._rises(), self.refused)
        policy = None
        if "roce" not in self.bad:
            policy = roce_policy(self._roce_section(hardware), setting, self.problems)
        if policy is None:
            policy = roce_policy(RoceSection(), replace(setting, refused=frozenset()), [])
            assert policy is not None  # noqa: S101 — the defaults can be honoured
            return policy
        specs = systems(hardware)
        if ("roce", "mtu", "switch") not in self.refused:
            self.problems.extend(mtu_problems(policy, specs))
        self.problems.extend(watchdog_problems(policy, specs))
        self.problems.extend(ecn_problems(policy, specs))
        self.problems.extend(nic_problems(policy, groups))
        return policy

    def _rises(self) -> topologies.Rises | None:
        """Where RoCE must rise; nowhere as long as the topology is not usable."""
        if self.kind is None or "topology" in self.bad:
            return None
        return topologies.rises(self.kind, self.params)

    def _roce_section(self, hardware: Hardware) -> RoceSection:
        """``roce:``; MTU and watchdog action, if not written, such as all systems in use take."""
        section = self.inventory.roce
        if "topology" in self.bad:  # what it needs is not known, so nothing is wrong with it
            section = section.model_copy(update={"raised": None})
        specs = systems(hardware)
        if "action" not in section.watchdog.model_fields_set:
            action = common_action(section.watchdog.action, specs)
            watchdog = section.watchdog.model_copy(update={"action": action})
            section = section.model_copy(update={"watchdog": watchdog})
        if not specs or "switch" in section.mtu.model_fields_set:
            return section
        taken = min(spec.capabilities.mtu_max_bytes for spec in specs)
        mtu = section.mtu.model_copy(update={"switch": min(section.mtu.switch, taken)})
        return section.model_copy(update={"mtu": mtu})

    def _pause_cost(self, speed: int) -> str:
        """Least headroom of one lossless priority on one port: MTU + 2·L·R/v (validation 4.2)."""
        length_m = self.inventory.cables.default
        rate = bytes_per_second(speed)
        floor = self.inventory.roce.mtu.switch + 2 * length_m * rate / PROPAGATION_M_PER_S
        return f"at least {bytes_text(round(floor))} of headroom on every {speed}G port"

    def _addressing(self, hardware: Hardware, groups: tuple[HostGroup, ...]) -> Any:
        section, name = self.inventory.addressing, self.inventory.fabric
        policy = addressing_policy(section, groups, name, self.places, self.problems)
        self.problems.extend(addressing_problems(policy, systems(hardware)))
        return policy


def _cable_lengths(section: CablesSection) -> CableLengths:
    given = section.model_dump(by_alias=True, exclude={"default"}, exclude_none=True)
    return CableLengths(section.default, tuple(given.items()))


def _hash_seeds(roles: Mapping[str, str]) -> tuple[tuple[str, int], ...]:
    """A seed for each role; roles of the user's own get further values, in natural order."""
    known = dict(_SEEDS)
    own = sorted({role for role in roles.values() if role not in known})
    further = {role: _OTHER_SEED + _SEED_STEP * number for number, role in enumerate(own)}
    return tuple({**known, **further}.items())
