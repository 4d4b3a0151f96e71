"""A rendered config read back: does it do what the design means?

Own templates and ``extra`` may say something else than the model. What they say then counts: it is
a finding, and the rules about chains look at it in place of the model's.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from fabric.model.finding import Finding, Severity
from fabric.model.qos import QosChain, QueueSettings, silent_chain
from fabric.platforms import ConfigError, platform_text
from fabric.text.differences import Difference, differences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.device import DeviceModel
    from fabric.model.plan import Rendered

RULE, PROBLEM_RULE = "RCE392", "RCE393"
_PROBLEM_WHY = "the switch refuses such a line, or takes it and drops lossless packets in silence"
_FEW = 8
_WHY = "the switch does what its text says; the numbers and tables of the plan speak of the design"
_FIX = (
    "correct your template or extra; what is meant goes into the inventory, where rules see it; "
    "what must differ is accepted by a suppression with its reason"
)
_ABSENT = Difference("its QoS", "nothing", "the class map, PFC, ECN and queues of the design")


@dataclass(frozen=True, slots=True)
class ReadBack:
    """What one switch's text says otherwise than its model; empty: nothing.

    ``chains``: of the ports that differ, as the text has them; what the text does not carry is
    the model's.
    """

    findings: tuple[Finding, ...] = ()
    chains: tuple[QosChain, ...] = ()


def read_back(model: DeviceModel, rendered: Rendered, *, own_words: bool = False) -> ReadBack:
    """Compare what the text states with the model.

    ``own_words``: the user's may be among them, so the system's own rules look at the text too.
    """
    words = platform_text(model.platform.name)
    if words is None:
        return ReadBack()
    files = {file.name: file.text for file in rendered.files}
    try:
        read, settings = words.chains(files, model.name), words.settings(files)
        problems = words.problems(files) if own_words else ()
    except ConfigError as error:
        return ReadBack((_unreadable(model, error),))
    found = {chain.port: chain for chain in read}
    whole = {port.name: port.chain for port in model.interfaces}
    faults: dict[Difference, list[str]] = {}
    said: list[QosChain] = []
    for meant in words.intended(model):
        own = found.get(meant.port)
        if own == meant:
            continue
        silent = silent_chain(model.name, meant.port, None)
        written = _as_written(whole[meant.port], own or silent, meant)
        said.append(replace(written, device=model.name))
        for fault in differences(own, meant) if own else (_ABSENT,):
            faults.setdefault(fault, []).append(meant.port)
    findings = (
        *_settings(model, settings, words.intended_settings(model)),
        *_findings(model, faults),
        *_problems(model, problems),
    )
    return ReadBack(findings, tuple(said))


def _as_written(whole: QosChain, found: QosChain, meant: QosChain) -> QosChain:
    """The model's chain with what the text says otherwise."""
    changed = _changed(found, meant)
    if "queues" in changed:
        changed["queues"] = tuple(
            replace(queue, **_changed(one, other))
            for queue, one, other in zip(whole.queues, found.queues, meant.queues, strict=True)
        )
    return replace(whole, **changed)


def _changed(found: QosChain | QueueSettings, meant: QosChain | QueueSettings) -> dict[str, Any]:
    pairs = ((f.name, getattr(found, f.name), getattr(meant, f.name)) for f in fields(found))
    return {name: one for name, one, other in pairs if one != other}


def _findings(model: DeviceModel, faults: dict[Difference, list[str]]) -> Iterator[Finding]:
    """One finding for the ports that differ alike."""
    alike: dict[tuple[str, ...], list[Difference]] = {}
    for fault, ports in faults.items():
        alike.setdefault(tuple(ports), []).append(fault)
    for where, found in alike.items():
        yield _finding(model, where, found)


def _finding(model: DeviceModel, ports: tuple[str, ...], found: list[Difference]) -> Finding:
    first, *others = found
    only = ports[0] if len(ports) == 1 else None
    every = len(ports) == len(model.interfaces)
    where = only or ("every port" if every else f"{len(ports):,} ports")
    more = f" (and {len(others)} more)" if others else ""
    return Finding(
        rule=RULE,
        severity=Severity.ERROR,
        subject=model.name,
        message=f"{model.name}: {where}: {_text(first)}{more}",
        why=_WHY,
        fix=_FIX,
        evidence=(*(f"also {_text(other)}" for other in others), *_listed(ports)),
        device=model.name,
        port=only,
        keys=tuple(fault.field for fault in found),
    )


def _text(fault: Difference) -> str:
    return f"{fault.field}: the text says {fault.found}, the design means {fault.meant}"


def _listed(ports: tuple[str, ...]) -> tuple[str, ...]:
    rest = len(ports) - _FEW
    if len(ports) == 1:
        return ()
    return (*ports[:_FEW], *((f"and {rest:,} more ports",) if rest > 0 else ()))


def _settings(
    model: DeviceModel, found: dict[str, str], meant: dict[str, str]
) -> Iterator[Finding]:
    for name, value in meant.items():
        if found.get(name) != value:
            fault = Difference(name, found.get(name, "nothing"), value)
            yield _switch_finding(model, RULE, Severity.ERROR, _text(fault), (name,))


def _problems(model: DeviceModel, problems: tuple[str, ...]) -> Iterator[Finding]:
    """What the system refuses or gets wrong in silence, in one finding."""
    if problems:
        more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
        finding = _switch_finding(
            model, PROBLEM_RULE, Severity.WARNING, f"{problems[0]}{more}", ("problems",)
        )
        rest = len(problems) - _FEW
        also = problems[1:_FEW]
        listed = (*also, f"and {rest:,} more") if rest > 0 else also
        yield replace(finding, why=_PROBLEM_WHY, evidence=listed)


def _switch_finding(
    model: DeviceModel, rule: str, severity: Severity, text: str, keys: tuple[str, ...]
) -> Finding:
    return Finding(
        rule=rule,
        severity=severity,
        subject=model.name,
        message=f"{model.name}: {text}",
        why=_WHY,
        fix=_FIX,
        device=model.name,
        keys=keys,
    )


def _unreadable(model: DeviceModel, error: ConfigError) -> Finding:
    text = f"the text cannot be read back: {error}"
    return _switch_finding(model, RULE, Severity.ERROR, text, ("unreadable",))
