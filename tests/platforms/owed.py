"""What a switch system still owes, in words: the list that its author works through."""

from __future__ import annotations

import importlib
import re
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fabric import catalog, flow
from fabric.catalog.commands import FACTS, command_book, readable_names
from fabric.catalog.push import push_spec
from fabric.design.devices import DeviceModels
from fabric.files.locate import templates_root
from fabric.model.finding import InputError
from fabric.platforms import procedures
from fabric.text import Renderer, TemplateFault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.device import DeviceModel
    from fabric.model.reading import CommandBook

ROOT = Path(__file__).resolve().parents[2]
ROOTS = (templates_root(),)
_MARK = "FILL-" + "IN"  # not whole, or this file would owe one
_EXTRA = "line-of-the-user"
_WHOLE = r"(?<![\w.:]){}(?![\w.:])"
_DESIGN = """\
fabric: owed
topology: {{kind: leaf-spine, leaves: 2, spines: 2}}
hosts: {{count: 4, speed: 100}}
platforms: {{default: {{platform: {system}, model: generic{family}, extra: '{extra}'}}}}
"""


def owed(system: str, *, root: Path = ROOT) -> list[str]:
    """One sentence for each thing that is missing; empty: nothing."""
    return [
        *_marks(system, root),
        *_words(system),
        *_reading(system, root),
        *_pushing(system, root),
        *_pages(system, root),
    ]


def _folders(system: str, root: Path) -> tuple[Path, ...]:
    return (
        root / "templates" / system,
        root / "fabric/platforms" / system,
        root / "tests/platforms" / system,
    )


def _marks(system: str, root: Path) -> Iterator[str]:
    page = root / "docs/platforms" / f"{system}.md"
    files = [f for folder in _folders(system, root) for f in folder.rglob("*") if f.is_file()]
    for file in sorted([*files, *([page] if page.is_file() else [])]):
        if file.suffix == ".pyc":
            continue
        for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
            if _MARK in line:
                yield f"{file.relative_to(root)}:{number} is to be filled in: {line.strip():.60}"


def _words(system: str) -> Iterator[str]:
    """Only QoS is read back; of the rest one can ask that a leaf's text or its findings tell it."""
    where = f"templates/{system}/config"
    try:
        device = _leaf(system)
    except InputError as error:
        yield f"{where}: a plain leaf-spine fabric is refused: {error}"
        return
    files, messages = told = _told(device)
    if device.platform.capabilities.lossless:
        yield from _unsaid(device, where, " ".join(messages).lower())
    if not files:
        yield f"{where}: a plain leaf-spine fabric is refused: {messages[0]}"
        return
    text = "\n".join(files)
    for what, values in _named(device).items():
        missing = [v for v in values if not re.search(_WHOLE.format(re.escape(v)), text)]
        if missing:
            yield f"{where}: {what} in no line: {', '.join(missing[:3])}"
    for what, other in _changed(device):
        if _told(other) == told:
            yield f"{where}: {what}: neither text, finding of left_out nor refusal tells it"


def _unsaid(device: DeviceModel, where: str, messages: str) -> Iterator[str]:
    """What every lossless design asks for and no inventory is refused for."""
    able = device.platform.capabilities
    for word, has in (("watchdog", able.watchdog), ("ecn", able.ecn)):
        if not has and word not in messages:
            yield f"{where}: the manifest has no {word}, and no finding of left_out says so"


def _told(device: DeviceModel) -> tuple[list[str], list[str]]:
    """Text without its header's checksum; keys and messages of what was left out; a refusal."""
    try:
        rendered = Renderer(ROOTS).device(device)
    except TemplateFault as refusal:
        return [], [refusal.message]
    files = (re.sub(r"sha256 \w+", "", file.text) for file in rendered.files)
    return list(files), [f"{' '.join(f.keys)}: {f.message}" for f in rendered.findings]


def _changed(device: DeviceModel) -> Iterator[tuple[str, DeviceModel]]:
    """The leaf with one thing otherwise."""
    speaker = device.speaker
    yield "DSCP of BGP (bgp_dscp)", replace(device, bgp_dscp=46)
    yield "hold time of BGP", replace(device, bgp_hold_s=device.bgp_hold_s + 3)
    yield "discard routes", replace(device, speaker=replace(speaker, discards=("10.9.0.0/16",)))
    v6 = replace(speaker, announces=(*speaker.announces, "fd00:9::/64"))
    yield "IPv6 prefixes", replace(device, speaker=v6)
    yield "allowas_in", replace(device, speaker=replace(speaker, allowas_in=2))
    if device.platform.capabilities.hash_seed != "tier":  # then the box draws it from its tier
        yield "hash_seed", replace(device, hash_seed=device.hash_seed + 1)


def _leaf(system: str) -> DeviceModel:
    spec = catalog.platform_spec(system, ROOTS)
    json = any(file.form == "json" for file in spec.files)
    extra = f'{{"OWED": {{"{_EXTRA}": {{}}}}}}' if json else f"! {_EXTRA}"
    family = f", syntax: {spec.syntax_families[0].name}" if spec.syntax_families else ""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "owed.yaml"
        path.write_text(_DESIGN.format(system=system, family=family, extra=extra))
        return DeviceModels(flow.load(path)).of("leaf-0")


def _named(device: DeviceModel) -> dict[str, tuple[str, ...]]:
    """By what it is; addresses without their length, which systems write in several ways."""
    speaker, sessions = device.speaker, device.sessions
    addresses = (a for port in device.interfaces for a in port.addresses)
    own = (device.loopback_v4, *addresses, *speaker.announces, *speaker.discards)
    return {
        "the host name": (device.name,),
        "ports": tuple(port.name for port in device.used_interfaces),
        "addresses and announced prefixes": tuple(a.partition("/")[0] for a in own if a),
        "ASN and router id": (str(speaker.asn), speaker.router_id),
        "BGP neighbours": tuple(s.peer_address for s in sessions if s.peer_address),
        "ASN of BGP neighbours": tuple({str(s.peer_asn) for s in sessions}),
        "extra of the inventory": (_EXTRA,),
    }


def _reading(system: str, root: Path) -> Iterator[str]:
    roots = (root / "templates",)
    if system not in readable_names(roots):
        yield f"templates/{system}/commands.yaml is missing: nothing is read back"
        return
    book = command_book(system, roots)
    named = dict(book.facts)
    yield from (f"commands.yaml: fact {fact} has no source" for fact in FACTS if fact not in named)
    yield from _recordings(book, root / "tests/platforms" / system)


def _recordings(book: CommandBook, tests: Path) -> Iterator[str]:
    for command in book.commands:
        module, _, function = command.reader.partition(".")
        package = importlib.import_module(f"fabric.platforms.{book.platform}.readers.{module}")
        if not hasattr(package, function):
            yield f"commands.yaml: {command.slug}: there is no reader {command.reader}"
        if not list((tests / "recordings").glob(f"{command.slug}*.*")):
            yield f"{tests.name}/recordings: {command.slug} has no recording"
        if not list((tests / "expected").glob(f"{command.slug}*.json")):
            yield f"{tests.name}/expected: {command.slug} has no expected facts"


def _pushing(system: str, root: Path) -> Iterator[str]:
    """Without these a plan of the system is made and read, but not pushed (RCE914)."""
    if not (root / "templates" / system / "push.yaml").is_file():
        yield f"templates/{system}/push.yaml is missing: nothing is pushed"
        return
    spec, push = catalog.platform_spec(system, ROOTS), push_spec(system, ROOTS)
    if procedures(spec, push) is None:
        yield f"fabric/platforms/{system}/pushing is missing: how it is changed"
    if not list((root / "templates" / system / "rehearse").glob("*.yaml")):
        yield f"templates/{system}/rehearse is missing: it has no fake switch to rehearse on"
    page = root / "docs/platforms" / f"{system}.md"
    if page.is_file() and "## How it is changed" not in page.read_text():
        yield f"docs/platforms/{system}.md does not say how it is changed"


def _pages(system: str, root: Path) -> Iterator[str]:
    if not any((root / "tests/platforms" / system / "golden").rglob("*.*")):
        yield f"tests/platforms/{system}/golden is empty: no rendered text was read by anybody"
    if not (root / "docs/platforms" / f"{system}.md").is_file():
        yield f"docs/platforms/{system}.md is missing"
