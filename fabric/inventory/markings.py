"""Preset and ``roce.classes`` → every class that is stated, before the map is completed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fabric.model.finding import Problem

if TYPE_CHECKING:
    from fabric.files.yaml import Path
    from fabric.inventory.presets import Preset
    from fabric.inventory.schema import ClassSection, RoceSection

CS6, CS7 = 48, 56  # what routers mark their own protocols with (RFC 2474 class selectors)
CONTROL_PRIORITIES = (7, 6)
BUILT_IN = ("default", "roce", "cnp", "control")


@dataclass(frozen=True, slots=True)
class Stated:
    """A class as stated; ``path`` is where, ``dscp_path`` and ``priority_path`` its values.

    ``priority`` None, or no ``dscps``: written, and refused. The default class has none either.
    ``follows``: the class that rises to this one, which has its weight too.
    """

    name: str
    dscps: tuple[int, ...]
    priority: int | None
    lossless: bool
    scheduler: str
    weight: int | None
    max_rate_percent: int | None
    path: Path
    dscp_path: Path
    priority_path: Path
    follows: str | None = None


def stated_classes(
    section: RoceSection, preset: Preset | None, refused: frozenset[Path], problems: list[Problem]
) -> tuple[Stated, ...]:
    """Default, RoCE, further classes, CNP and control, in this order.

    Control takes CS6 and CS7, less what CNP takes, on the highest priority that CNP leaves.
    ``preset`` None, ``refused``: what is not known, and so clashes with nothing.
    """

    def value(key: str) -> int | None:
        written: int | None = getattr(section, key)
        if written is not None or ("roce", key) in refused or preset is None:
            return written
        filled: int = getattr(preset, key)
        return filled

    dscp, cnp_dscp, cnp_priority = value("dscp"), value("cnp_dscp"), value("cnp_priority")
    left = [number for number in CONTROL_PRIORITIES if number != cnp_priority]
    roce = Stated(
        "roce",
        () if dscp is None else (dscp,),
        value("priority"),
        lossless=True,
        scheduler="dwrr",
        weight=preset.weight if preset else None,
        max_rate_percent=None,
        path=("roce",),
        dscp_path=_written(section, "dscp"),
        priority_path=_written(section, "priority"),
    )
    cnp = replace(
        roce,
        name="cnp",
        dscps=() if cnp_dscp is None else (cnp_dscp,),
        priority=cnp_priority,
        lossless=False,
        scheduler="strict",
        weight=None,
        max_rate_percent=section.cnp_rate_percent,
        dscp_path=_written(section, "cnp_dscp"),
        priority_path=_written(section, "cnp_priority"),
    )
    built_in = {
        "default": replace(roce, name="default", dscps=(), priority=0, lossless=False, weight=None),
        "roce": roce,
        "cnp": cnp,
        "control": replace(
            cnp,
            name="control",
            dscps=tuple(dscp for dscp in (CS6, CS7) if dscp != cnp_dscp),
            priority=None if cnp_priority is None else left[0],
            max_rate_percent=None,
        ),
    }
    further = _further(section, preset, built_in, refused, problems)
    return (built_in["default"], built_in["roce"], *further, built_in["cnp"], built_in["control"])


def _written(section: RoceSection, key: str) -> Path:
    return ("roce", key) if key in section.model_fields_set else ("roce",)


def _further(
    section: RoceSection,
    preset: Preset | None,
    built_in: dict[str, Stated],
    refused: frozenset[Path],
    problems: list[Problem],
) -> tuple[Stated, ...]:
    further = {
        extra.name: Stated(
            extra.name,
            (extra.dscp,),
            extra.priority,
            lossless=extra.lossless,
            scheduler="dwrr",
            weight=None,
            max_rate_percent=None,
            path=("roce", "preset"),
            dscp_path=("roce", "preset"),
            priority_path=("roce", "preset"),
        )
        for extra in (preset.classes if preset else ())
    }
    seen: set[str] = set()
    for number, written in enumerate(section.classes):
        path: Path = ("roce", "classes", number)
        if written.name in seen:
            message = f"there are two classes called {written.name}"
            problems.append(
                Problem("RCE020", (*path, "name"), message, "give each class its own name")
            )
        elif written.name in BUILT_IN:
            _reweigh(written, path, built_in, problems)
        elif (stated := _user_class(written, path, refused, problems)) is not None:
            further[written.name] = stated
        seen.add(written.name)
    return tuple(further.values())


def _reweigh(
    written: ClassSection, path: Path, built_in: dict[str, Stated], problems: list[Problem]
) -> None:
    """A built-in class listed among the classes: only a DWRR share may be given there."""
    others = written.model_fields_set - {"name", "weight"}
    if built_in[written.name].scheduler != "dwrr" or others or written.weight is None:
        message = f"{written.name} is built in; only the weight of roce and default can be set here"
        fix = "marking stands directly under roce: dscp, priority, cnp_dscp, cnp_priority"
        problems.append(Problem("RCE020", (*path, "name"), message, fix))
        return
    old = built_in[written.name]
    built_in[written.name] = replace(old, weight=written.weight, path=path)


def _user_class(
    written: ClassSection, path: Path, refused: frozenset[Path], problems: list[Problem]
) -> Stated | None:
    empty = [key for key in ("dscp", "priority") if getattr(written, key) is None]
    missing = [key for key in empty if (*path, key) not in refused]
    for key in missing:
        message = f"class {written.name} lacks the key {key}"
        problems.append(Problem("RCE007", path, message, f"add {key}: …"))
    scheduler = written.scheduler or "dwrr"
    known = (*path, "scheduler") not in refused
    if scheduler == "strict" and written.weight is not None:
        message = f"class {written.name} is strict: a weight has no meaning there"
        problems.append(Problem("RCE020", (*path, "weight"), message, "leave weight out"))
    if known and scheduler == "dwrr" and written.max_rate_percent is not None:
        message = f"class {written.name} is not strict: only strict classes are capped"
        problems.append(
            Problem("RCE020", (*path, "max_rate_percent"), message, "add scheduler: strict")
        )
    if missing:
        return None
    return Stated(
        written.name,
        tuple(written.dscp or ()),
        written.priority,
        lossless=bool(written.lossless),
        scheduler=scheduler,
        weight=written.weight,
        max_rate_percent=written.max_rate_percent,
        path=path,
        dscp_path=(*path, "dscp"),
        priority_path=(*path, "priority"),
    )
