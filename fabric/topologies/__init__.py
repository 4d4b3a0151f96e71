"""Open room: topology kinds, one module each; from parameters to who is cabled to whom.

The kind ``fat-tree`` is the module ``fat_tree``. A module defines

``TITLE``
    one line for people.
``Params``
    a frozen dataclass of plain types (int, float, str, ``X | None``, tuples, further frozen
    dataclasses); it is the schema of ``topology:`` as it stands, ``kind`` left out. Describe a
    field with ``field(metadata={"description": …})``; refuse unknown keys with
    ``__pydantic_config__: ClassVar = {"extra": "forbid"}``.
``check(params) -> tuple[Problem, …]``
    everything impossible about the parameters; paths start with ``"topology"``.
``default_hosts(params) -> tuple[DefaultHosts, …]``
    the hosts of an inventory that names none; called with parameters that passed ``check``.
``build(params, request) -> Blueprint``
    switches, cables, hosts and closed forms; called with parameters that passed ``check``;
    raises ``ProblemError``.
``rises(params) -> Rises | None`` (optional)
    on which cables the RoCE class must rise to keep PFC from deadlock; without it, nowhere.

Names, positions and slots follow from the position alone, so growth renames and moves nothing.
Kinds never import each other; what they share stands here and in ``_parts``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

from fabric.discover import UnknownEntryError, entry, entry_names
from fabric.model.finding import ProblemError

if TYPE_CHECKING:
    from fabric.model.finding import Problem
    from fabric.model.intent import CableLengths, HostGroup
    from fabric.model.topology import Blueprint


@dataclass(frozen=True, slots=True)
class DefaultHosts:
    """``count`` hosts called ``name_pattern`` with ``{n}`` = 0 … count − 1.

    ``on``: only on these switches; empty: every switch that takes hosts. ``nics``: on as many
    leaves, one on each.
    """

    name_pattern: str
    count: int
    on: tuple[str, ...] = ()
    nics: int = 1


@dataclass(frozen=True, slots=True)
class Rises:
    """The RoCE class rises by one whenever a switch sends on a cable of ``kinds``.

    ``times``: how often that can happen on one path. ``reason``: what closes a cycle otherwise.
    """

    kinds: tuple[str, ...]
    times: int
    reason: str


@dataclass(frozen=True, slots=True)
class BuildRequest:
    """What a kind needs to know beside its parameters.

    ``fabric_speed_gbps``: speed of cables between switches unless a cable says otherwise.
    """

    host_groups: tuple[HostGroup, ...]
    fabric_speed_gbps: int
    cables: CableLengths


class _Kind(Protocol):
    """What this package calls on a kind's module."""

    TITLE: str
    Params: type[Any]

    @staticmethod
    def check(params: object) -> tuple[Problem, ...]: ...

    @staticmethod
    def default_hosts(params: object) -> tuple[DefaultHosts, ...]: ...

    @staticmethod
    def build(params: object, request: BuildRequest) -> Blueprint: ...


def _module(kind: str) -> _Kind:
    known = kinds()
    if kind not in known:
        raise UnknownEntryError(__name__, kind, known)
    return cast("_Kind", entry(__name__, kind.replace("-", "_")))


def kinds() -> tuple[str, ...]:
    """Names of the topology kinds, sorted."""
    return tuple(name.replace("_", "-") for name in entry_names(__name__))


def title(kind: str) -> str:
    """One line about a kind.

    Raises:
        UnknownEntryError: no such kind.
    """
    return _module(kind).TITLE


def params_type(kind: str) -> type[Any]:
    """The frozen dataclass of a kind's parameters.

    Raises:
        UnknownEntryError: no such kind.
    """
    return _module(kind).Params


def check(kind: str, params: object) -> tuple[Problem, ...]:
    """Everything impossible about the parameters.

    Raises:
        UnknownEntryError: no such kind.
    """
    return _module(kind).check(params)


def default_hosts(kind: str, params: object) -> tuple[DefaultHosts, ...]:
    """The hosts of an inventory that names none; ``params`` must have passed ``check``.

    Raises:
        UnknownEntryError: no such kind.
    """
    return _module(kind).default_hosts(params)


def rises(kind: str, params: object) -> Rises | None:
    """Where the RoCE class must rise; ``params`` must have passed ``check``.

    Raises:
        UnknownEntryError: no such kind.
    """
    stated = getattr(_module(kind), "rises", None)
    found: Rises | None = stated(params) if stated else None
    return found


def build(kind: str, params: object, request: BuildRequest) -> Blueprint:
    """Switches, cables and hosts without ports.

    Raises:
        UnknownEntryError: no such kind.
        ProblemError: impossible parameters, hosts that do not fit, clashing names.
    """
    module = _module(kind)
    problems = module.check(params)
    if problems:
        raise ProblemError(problems)
    return module.build(params, request)
