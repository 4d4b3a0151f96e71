"""The reader: one inventory and what it names → a :class:`Reading`, or all problems at once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fabric import catalog, topologies
from fabric.files.locate import templates_root
from fabric.files.reading import read_input
from fabric.files.yaml import Path as KeyPath
from fabric.files.yaml import load
from fabric.inventory.cables import read_cables
from fabric.inventory.credentials import find_secrets
from fabric.inventory.drafts import Doubt, doubts, follows
from fabric.inventory.facts import read_facts
from fabric.inventory.hardware import Shelves
from fabric.inventory.intent import Resolver
from fabric.inventory.places import Places, as_findings
from fabric.inventory.selectors import facts_problems, name_problems, selector_problems
from fabric.inventory.validate import check_params, check_sections, kind_of
from fabric.model.finding import (
    Finding,
    InputError,
    Location,
    Problem,
    ProblemError,
    Severity,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from fabric.files.yaml import Loaded
    from fabric.inventory.hardware import Selector
    from fabric.model.intent import DeviceFacts, Intent

_NO_FILE = "`fabric init` writes a new one, `fabric init --example 64node` copies a shipped example"
_LISTS = ("hosts", "suppress")  # a single entry may be written without the list
_MOST_FINDINGS = 200  # of one file; a broken generator must not fill the terminal


@dataclass(frozen=True)
class Reading:
    """An inventory that can be honoured as far as reading can tell, or a draft.

    ``inputs``: every file read, by its name relative to the inventory's folder, the inventory
    itself first. ``lock_text`` is ``None`` when there is no lock yet. A draft has errors among its
    findings and stand-ins in its intent: it serves only to look for what else is wrong, and
    ``doubts`` says about what nothing can be said.
    """

    intent: Intent
    findings: tuple[Finding, ...]
    inputs: tuple[tuple[str, bytes], ...]
    lock_path: Path
    lock_text: bytes | None
    places: Places
    selectors: tuple[Selector, ...] = field(default=(), repr=False)
    facts: tuple[str, ...] = ()  # the devices that files below facts/ are named after
    doubts: frozenset[Doubt] = frozenset()
    refused: frozenset[KeyPath] = frozenset()  # places with an error

    @property
    def is_draft(self) -> bool:
        """Whether it cannot be honoured."""
        return any(finding.severity >= Severity.ERROR for finding in self.findings)

    def locate(self, path: KeyPath) -> Location:
        """Place of a path of the inventory; cables from a CSV are in the CSV."""
        return self.places.locate(path)


def read(path: str | Path, *, templates_roots: Iterable[Path] = ()) -> Reading:
    """Read an inventory, its cable list, own models and facts.

    ``templates_roots``: the user's own template folders, searched before the shipped one.

    Raises:
        InputError: every problem of every file, each with its place.
    """
    reading = read_draft(path, templates_roots=templates_roots)
    if reading.is_draft:
        raise InputError(reading.findings)
    return reading


def read_draft(path: str | Path, *, templates_roots: Iterable[Path] = ()) -> Reading:
    """The same, but what can be read in spite of errors is returned as a draft.

    Raises:
        InputError: not even the topology can be read.
    """
    return _Reader(Path(path), tuple(templates_roots)).read()


def check_selectors(
    reading: Reading, switches: Iterable[tuple[str, str]], hosts: Collection[str] = ()
) -> tuple[Finding, ...]:
    """Refuse names in the inventory that no device has, once the devices are known.

    ``switches``: name and role of each; ``hosts``: host names. What is returned needs no refusal:
    recorded facts that no switch of this fabric uses.

    Raises:
        ProblemError: RCE012: such a name, or a switch name longer than its system takes.
    """
    roles = dict(switches)
    known_hosts = Doubt.HOSTS not in reading.doubts
    selectors = [s for s in reading.selectors if known_hosts or s.what != "device"]
    problems = (
        *selector_problems(selectors, roles, hosts),
        *name_problems(reading.intent.hardware, roles),
    )
    if problems:
        raise ProblemError(problems)
    return as_findings(facts_problems(reading.facts, roles), reading.places)


def refusal(reading: Reading, problems: Iterable[Problem]) -> tuple[Finding, ...]:
    """All that is wrong: what reading found, and what the design found that does not follow."""
    new = [problem for problem in problems if not follows(problem.path, reading.refused)]
    return in_order({*reading.findings, *as_findings(new, reading.places)})


class _Reader:
    def __init__(self, path: Path, templates_roots: tuple[Path, ...]) -> None:
        self.path = path
        self.folder = path.parent
        models = self.folder / "models"
        self.shelves = Shelves(
            (models,) if models.is_dir() else (),
            tuple(dict.fromkeys((*templates_roots, templates_root()))),
        )
        self.inputs: dict[str, bytes] = {}
        self.findings: list[Finding] = []
        self.problems: list[Problem] = []
        self.racks: dict[str, str] = {}  # as the cable list says
        self.locations: dict[str, str] = {}  # likewise

    def read(self) -> Reading:
        content = read_input(self.path, str(self.path), fix=_NO_FILE)
        self.inputs[self.path.name] = content
        loaded = load(content, str(self.path))
        self.findings.extend(loaded.problems)
        if not isinstance(loaded.data, dict):
            raise InputError(tuple(self.findings))
        loaded = loaded.listed(*_LISTS)
        data: Any = loaded.data
        return self._resolve(data, loaded, Places(loaded))

    def _resolve(self, data: dict[str, Any], loaded: Loaded, places: Places) -> Reading:
        secrets = list(find_secrets(data))
        checked = check_sections(data, loaded)
        self.problems += [*secrets, *checked.problems]
        bad = set(checked.bad)
        kind, params, places = self._topology(data, loaded, places, bad)
        resolver = Resolver(
            checked.inventory,
            bad,
            kind,
            params,
            places,
            self.shelves,
            self._facts(),
            self.path.name,
            checked.refused,
        )
        intent = resolver.intent()
        self.problems += [p for p in resolver.problems if p.path not in checked.refused]
        findings = self._all_findings(places)
        if intent is None:
            raise InputError(findings)
        self._own_models(intent)
        intent = replace(
            intent,
            racks=tuple({**self.racks, **dict(intent.racks)}.items()),
            locations=tuple(self.locations.items()),
        )
        hosts = checked.inventory.hosts or ()
        with_speed = [number for number, entry in enumerate(hosts) if entry.speed is not None]
        lock_path = self.path.with_name(f"{self.path.stem}.lock.json")
        return Reading(
            intent=intent,
            findings=findings,
            inputs=tuple(self.inputs.items()),
            lock_path=lock_path,
            lock_text=read_input(lock_path, str(lock_path)) if lock_path.exists() else None,
            places=places,
            selectors=tuple(resolver.selectors),
            facts=tuple(resolver.facts),
            doubts=doubts(self.problems, bad, with_speed),
            refused=frozenset(p.path for p in self.problems if p.severity >= Severity.ERROR),
        )

    def _topology(
        self, data: dict[str, Any], loaded: Loaded, places: Places, bad: set[str]
    ) -> tuple[str | None, Any, Places]:
        """Kind and parameters; ``bad`` gains ``topology`` when they are not usable."""
        written = data.get("topology")
        kind = kind_of(written, self.problems) if isinstance(written, dict) else None
        if kind is None or not isinstance(written, dict):
            bad.add("topology")
            return None, None, places
        if "cables_csv" in topologies.params_type(kind).__dataclass_fields__:
            written, places = self._with_csv(written, places)
        params = check_params(kind, written, loaded, self.problems)
        broken = topologies.check(kind, params) if params is not None else ()
        self.problems += broken
        if params is None or broken:
            bad.add("topology")
        return kind, params, places

    def _with_csv(self, written: dict[str, Any], places: Places) -> tuple[dict[str, Any], Places]:
        """Parameters with the rows of their cable list appended to ``cables``."""
        name, inline = written.get("cables_csv"), written.get("cables") or []
        if not isinstance(name, str) or not isinstance(inline, list):
            return written, places  # told by the type check
        content = self._named_file(name, ("topology", "cables_csv"), places)
        if content is None:
            return written, places
        try:
            cables = read_cables(content, str(self.folder / name), _switch_names(written))
        except InputError as error:
            self.findings += error.findings
            return written, places
        self.findings += cables.problems
        self.racks.update(cables.racks)
        self.locations.update(cables.locations)
        merged = {**written, "cables": [*inline, *cables.entries]}
        del merged["cables_csv"]
        return merged, replace(places, first_row=len(inline), rows=cables.rows)

    def _named_file(self, name: str, path: KeyPath, places: Places) -> bytes | None:
        """A file that the inventory names, which the plan keeps a copy of."""
        relative = Path(name)
        if relative.is_absolute() or ".." in relative.parts:
            message = f"{name} is not in the inventory's folder, so the plan could not keep it"
            self.problems.append(Problem("RCE017", path, message, "move it beside the inventory"))
            return None
        try:
            content = read_input(self.folder / relative, str(self.folder / relative))
        except InputError as error:
            here = places.locate(path)
            self.findings += [replace(finding, location=here) for finding in error.findings]
            return None
        self.inputs[relative.as_posix()] = content
        return content

    def _facts(self) -> dict[str, DeviceFacts]:
        folder = self.folder / "facts"
        facts: dict[str, DeviceFacts] = {}
        for file in sorted(folder.glob("*.json")) if folder.is_dir() else ():
            try:
                content = read_input(file, str(file))
            except InputError as error:
                self.findings += error.findings
                continue
            self.inputs[f"facts/{file.name}"] = content
            facts[file.stem], problems = read_facts(content, str(file))
            self.findings += problems
        return facts

    def _own_models(self, intent: Intent) -> None:
        """The user's own hardware files in use become inputs of the plan."""
        (models,) = self.shelves.models or (None,)
        if models is None:
            return
        hardware = intent.hardware
        entries = (hardware.default, *(value for _, value in hardware.roles + hardware.devices))
        used = {("switch", entry.model.name) for entry in entries}
        used |= {("nic", group.nic.name) for group in intent.host_groups}
        used |= {("server", g.server.name) for g in intent.host_groups if g.server is not None}
        for kind, name in sorted(used):
            for file in catalog.own_files(kind, name, (models,)):
                self.inputs[file.relative_to(self.folder).as_posix()] = file.read_bytes()

    def _all_findings(self, places: Places) -> tuple[Finding, ...]:
        """Findings of the files and problems by path, one a place, in order of place."""
        told = {(f.location.file, f.location.path) for f in self.findings if f.location}
        secret = {problem.path for problem in self.problems if problem.rule == "RCE018"}
        problems = [p for p in self.problems if p.rule == "RCE018" or p.path not in secret]
        found = [f for f in as_findings(problems, places) if not _follows(f, told)]
        return in_order({*self.findings, *found})


def _switch_names(written: dict[str, Any]) -> list[str]:
    switches = written.get("switches")
    entries = switches if isinstance(switches, list) else ()
    names = (entry.get("name") for entry in entries if isinstance(entry, dict))
    return [name for name in names if isinstance(name, str)]


def in_order(unordered: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings by place, the first of them; the one after them says how many were left out."""
    findings = sorted(unordered, key=_by_place)
    shown, rest = findings[:_MOST_FINDINGS], findings[_MOST_FINDINGS:]
    if rest:
        message = f"{rest[0].message} (and {len(rest) - 1:,} more findings below)"
        worst = max(finding.severity for finding in rest)
        shown.append(replace(rest[0], message=message, severity=worst))
    return tuple(shown)


def _follows(finding: Finding, told: set[tuple[str, str]]) -> bool:
    """A wrong or missing value where the reader has already said what is wrong."""
    place = finding.location
    return (
        finding.rule in {"RCE003", "RCE006", "RCE007"}
        and place is not None
        and bool(place.path)
        and (place.file, place.path) in told
    )


def _by_place(finding: Finding) -> tuple[str, int, int, str, str]:
    place = finding.location
    where = (place.file, place.line, place.column) if place else ("", 0, 0)
    return (*where, finding.rule, finding.message)
