"""Parameters of ``kind: rail``, what they amount to, and what is impossible about them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from fabric.model.finding import Problem, ProblemError
from fabric.topologies._parts.shape import at_least, problem, too_large

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.model.intent import HostGroup

PER_RAIL = "rails"  # ``planes: rails``
TWO_TIERS, THREE_TIERS = 2, 3


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters of ``kind: rail``."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    groups: int = field(
        metadata={"description": "rail groups (scalable units): as many leaves each as rails"}
    )
    rails: int | None = field(
        default=None, metadata={"description": "rails; default: the NICs of a host"}
    )
    hosts_per_group: int | None = field(
        default=None,
        metadata={
            "description": "hosts a rail group takes; default: an equal share, and without "
            "hosts of your own as many as a leaf has uplinks"
        },
    )
    spines: int | None = field(
        default=None,
        metadata={"description": "spine switches: of a plane, with three tiers of a rail group"},
    )
    links: int = field(
        default=1,
        metadata={"description": "parallel cables between each two switches that are cabled"},
    )
    planes: int | str = field(
        default=1,
        metadata={
            "description": "separate spine planes, a divisor of rails: rail r is on plane r mod "
            "planes; rails: a plane for each rail"
        },
    )
    tiers: int = field(
        default=TWO_TIERS, metadata={"description": "3: spines in each rail group, cores above"}
    )
    cores: int | None = field(
        default=None,
        metadata={
            "description": "three tiers: core switches above each spine number; spine n of "
            "every rail group joins the cores core-<n>-…"
        },
    )
    rail_only: bool = field(
        default=False,
        metadata={"description": "leaves alone: nothing joins the rails but the hosts"},
    )


@dataclass(frozen=True, slots=True)
class Fabric:
    """The parameters with every default filled in. ``spines`` 0: rail-only; ``cores`` 0: none."""

    groups: int
    rails: int
    hosts_per_group: int | None
    spines: int
    links: int
    planes: int
    cores: int

    @property
    def plane_rails(self) -> int:
        """Rails of a plane."""
        return self.rails // self.planes

    @property
    def uplinks(self) -> int:
        """Cables of a leaf towards the spines."""
        return self.spines * self.links

    @property
    def islands(self) -> int:
        """Parts that no cable joins, by design."""
        return self.planes if self.spines else self.groups * self.rails

    def leaves(self, group: int) -> tuple[str, ...]:
        """Leaves of a rail group by rail."""
        return tuple(f"leaf-{group}-{rail}" for rail in range(self.rails))


def problems_of(params: Params) -> tuple[Problem, ...]:
    """RCE011 for everything that makes no fabric, as far as it shows without the hosts."""
    problems = [*_count_problems(params), *_tier_problems(params)]
    problems += _rail_only_problems(params) if params.rail_only else _spine_problems(params)
    if params.rails is not None and params.rails >= 1:
        problems += _plane_problems(params.planes, params.rails)
    return tuple(problems) or _size_problems(_filled(params, params.rails or 1))


def fabric_of(params: Params, groups: Sequence[HostGroup]) -> Fabric:
    """What the parameters amount to with these hosts; ``params`` passed ``problems_of``.

    Raises:
        ProblemError: rails that follow from no number of NICs, planes that do not divide them.
    """
    if params.rails is None and not groups:
        return _filled(replace(params, planes=1), 1)  # only the rail groups are known
    rails = _rails(params, groups)
    problems = _plane_problems(params.planes, rails)
    if not problems:
        fabric = _filled(params, rails)
        problems += _size_problems(fabric)
    if problems:
        raise ProblemError(tuple(problems))
    return fabric


def _rails(params: Params, groups: Sequence[HostGroup]) -> int:
    if params.rails is not None:
        return params.rails
    counts = sorted({group.nics for group in groups})
    if counts == [1]:
        message = "rails is not given, and hosts of one NIC make no rails"
        raise ProblemError((problem("rails", message, "nics: 8 in hosts, or rails: 1"),))
    if len(counts) > 1:
        found = " and ".join(map(str, counts))
        message = f"rails is not given, and the host groups have {found} NICs a host"
        raise ProblemError((problem("rails", message, f"rails: {counts[0]}"),))
    return counts[0]


def _filled(params: Params, rails: int) -> Fabric:
    return Fabric(
        groups=params.groups,
        rails=rails,
        hosts_per_group=params.hosts_per_group,
        spines=params.spines or 0,
        links=params.links,
        planes=params.planes if isinstance(params.planes, int) else rails,
        cores=params.cores or 0,
    )


def _count_problems(params: Params) -> list[Problem]:
    keys = ("groups", "rails", "hosts_per_group", "spines", "links", "cores")
    counts = [(key, getattr(params, key)) for key in keys]
    return [
        fault for key, value in counts if value is not None for fault in at_least(key, value, 1)
    ]


def _tier_problems(params: Params) -> list[Problem]:
    if params.tiers not in (TWO_TIERS, THREE_TIERS):
        return [problem("tiers", f"tiers is {params.tiers}; it is 2 or 3", "tiers: 2")]
    if params.tiers == TWO_TIERS and params.cores is not None:
        message = "cores stand above the spines of three tiers, and tiers is 2"
        return [problem("cores", message, "tiers: 3, or no cores")]
    if params.tiers == THREE_TIERS and params.cores is None and not params.rail_only:
        message = "cores is not given, and tiers is 3"
        return [problem("cores", message, "cores: how many each spine reaches, or tiers: 2")]
    if params.tiers == THREE_TIERS and params.planes != 1:
        message = "the spines of three tiers join all rails of their group: there is one plane"
        return [problem("planes", message, "planes: 1, or tiers: 2")]
    return []


def _spine_problems(params: Params) -> list[Problem]:
    if params.spines is not None:
        return []
    message = "spines is not given, and rail_only is not true"
    return [problem("spines", message, "spines: 4, or rail_only: true")]


def _rail_only_problems(params: Params) -> list[Problem]:
    problems = [
        problem(key, f"{key} is {value}, and rail_only has leaves alone", f"no {key}")
        for key, value in (("spines", params.spines), ("cores", params.cores))
        if value is not None
    ]
    if params.tiers != TWO_TIERS or params.planes != 1 or params.links != 1:
        message = "rail_only has leaves alone: tiers, planes and links say nothing about it"
        problems.append(problem("rail_only", message, "leave out tiers, planes and links"))
    if params.groups > 1:
        message = (
            f"groups is {params.groups}, and with rail_only nothing would join the rail groups: "
            "hosts of different groups could never reach each other"
        )
        fix = "groups: 1, or planes: rails and spines, which join the groups rail by rail"
        problems.append(problem("groups", message, fix))
    if params.hosts_per_group is None:
        message = "hosts_per_group is not given, and without uplinks nothing else says how many"
        problems.append(problem("hosts_per_group", message, "hosts_per_group: 32"))
    return problems


def _plane_problems(planes: int | str, rails: int) -> list[Problem]:
    if planes == PER_RAIL:
        return []
    if not isinstance(planes, int):
        message = f"planes is {planes}; it is a number, or rails for a plane for each rail"
        return [problem("planes", message, "planes: rails")]
    if planes >= 1 and rails % planes == 0:
        return []
    divisors = [str(n) for n in range(1, rails + 1) if rails % n == 0]
    message = f"planes is {planes}; {rails} rails are spread evenly over {', '.join(divisors)}"
    return [problem("planes", message, f"planes: {divisors[-1]}")]


def _size_problems(fabric: Fabric) -> tuple[Problem, ...]:
    leaves = fabric.groups * fabric.rails
    if fabric.cores:
        spines = fabric.groups * fabric.spines
        cables = (leaves * fabric.spines + spines * fabric.cores) * fabric.links
        return too_large(leaves + spines + fabric.spines * fabric.cores, cables)
    return too_large(leaves + fabric.planes * fabric.spines, leaves * fabric.uplinks)
