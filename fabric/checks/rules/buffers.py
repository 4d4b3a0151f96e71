"""4xx: headroom and buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.checks.ports import PortFault, by_cause, port_text
from fabric.checks.rules import ERROR, INFO, WARNING, Found, NotChecked, grouped, rule, some
from fabric.design.lossless.formulas import GENERIC_ESTIMATE
from fabric.model.units import bytes_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.checks.facts import Facts
    from fabric.model.qos import BufferFit, LosslessProfile

_MOST_SHARED = 4  # sonic-buildimage#29565: pool = headroom x groups x ports / 4
_NEEDS = ("lossless",)


@rule(
    "RCE401",
    title="headroom below the physical floor",
    severity=ERROR,
    needs=_NEEDS,
    why="those bytes are on the cable when the pause is sent and nothing can stop them: packets "
    "are dropped in a class that must not drop",
    fix="leave out roce.xoff_bytes, or set it above the floor; check the cable length",
    example="""\
roce: {xoff_bytes: 10000}           # 100G, 300 m: 47,094 B are under way""",
)
def below_floor(facts: Facts) -> Iterator[Found]:
    """Compare the headroom of every profile in use with MTU + 2 x cable x rate / propagation speed.

    Headroom that a shared pool backs may be smaller, so such profiles are left out.
    """
    yield from by_cause(
        facts,
        "headroom",
        (
            PortFault(
                profile,
                f"headroom {bytes_text(profile.xoff_bytes.value)} ({profile.xoff_bytes.basis}) is "
                f"below the physical floor of {bytes_text(profile.floor_bytes)}",
            )
            for profile in facts.profiles_in_use
            if not profile.in_shared_headroom and profile.xoff_bytes.value < profile.floor_bytes
        ),
    )


@rule(
    "RCE402",
    title="headroom does not fit the buffer",
    severity=WARNING,
    needs=_NEEDS,
    why="ports that overrun at once take more headroom than there is: packets are dropped in a "
    "class that must not drop",
    fix="use shorter cables, fewer lossless priorities or fewer ports on the switch; or accept "
    "the sharing",
    example="""\
platforms: {default: {platform: sonic, model: dell-z9864f}}   # 64 x 800G, two priorities: 93.4 MB
roce: {pfc: {priorities: [3, 4]}}                             # of a headroom pool of 33.4 MB""",
)
def overcommitted(facts: Facts) -> Iterator[Found | NotChecked]:
    """Add up ports x lossless priorities x headroom and compare with headroom pool and chip.

    More than the pool is a warning (a ratio above 4:1 is RCE410), more than the chip an error.
    """
    alike = grouped(
        ((fit.verdict, fit.need_bytes, facts.hardware[fit.device].model.name), fit)
        for fit in facts.lossless.fits
    )
    for (verdict, _need, model), fits in alike.items():
        devices = [fit.device for fit in fits]
        if verdict == "unknown":
            yield NotChecked(model, f"the buffer pools of {model} are not known")
        elif verdict == "exceeds" or (
            verdict == "oversubscribed" and _ratio(fits[0]) <= _MOST_SHARED
        ):
            yield Found(
                facts.subject(devices),
                f"{facts.who(devices)} ({model}): {fits[0].note}",
                evidence=(*_terms(fits[0]), *(some(devices) if len(devices) > 1 else ())),
                severity=ERROR if verdict == "exceeds" else WARNING,
                keys=(model, verdict),
            )


def _ratio(fit: BufferFit) -> float:
    pool = fit.headroom_pool_bytes
    return fit.need_bytes / pool if pool else 0.0


def _terms(fit: BufferFit) -> tuple[str, ...]:
    return tuple(f"{term.name}: {term.text} = {bytes_text(int(term.value))}" for term in fit.terms)


@rule(
    "RCE410",
    title="shared headroom oversubscribed above 4:1",
    severity=WARNING,
    needs=_NEEDS,
    why="a pool counts on few ports overrunning at once; a synchronized incast overruns many",
    fix="shorten the cables, drop a lossless priority, or use a SKU with a larger headroom pool",
)
def oversubscribed(facts: Facts) -> Iterator[Found]:
    """Divide the headroom needed by the shared headroom pool of each switch."""
    over = (
        ((facts.hardware[fit.device].model.name, fit.need_bytes, fit.headroom_pool_bytes), fit)
        for fit in facts.lossless.fits
        if fit.verdict == "oversubscribed" and _ratio(fit) > _MOST_SHARED
    )
    for (model, need, pool), fits in grouped(over).items():
        devices = [fit.device for fit in fits]
        yield Found(
            facts.subject(devices),
            f"{facts.who(devices)} ({model}): {bytes_text(need)} of headroom share a pool of "
            f"{bytes_text(pool or 0)}: {_ratio(fits[0]):.1f}:1",
            evidence=(*_terms(fits[0]), *(some(devices) if len(devices) > 1 else ())),
            keys=(model,),
        )


@rule(
    "RCE411",
    title="headroom of one port above the chip's limit",
    severity=ERROR,
    needs=_NEEDS,
    why="the switch refuses the profile and keeps the old one: the port runs with too little",
    fix="use one lossless priority, a shorter cable or a lower speed on that port",
)
def port_limit(facts: Facts) -> Iterator[Found]:
    """Compare lossless priorities x headroom of each port with the chip's limit, if known."""
    yield from by_cause(
        facts, "headroom", _above_limit(facts), lambda p: ", ".join(some(_ports_of(facts, p), 4))
    )


def _above_limit(facts: Facts) -> Iterator[PortFault]:
    count = len(facts.class_map.lossless_priorities)
    for profile in facts.profiles_in_use:
        model = facts.hardware[facts.users(profile)[0]].model
        limit = model.asic.max_port_headroom_bytes
        need = count * profile.xoff_bytes.value
        if limit is not None and need > limit:
            each = f" ({count} priorities of {bytes_text(profile.xoff_bytes.value)})"
            yield PortFault(
                profile,
                f"{bytes_text(need)} of headroom{each if count > 1 else ''}, {profile.asic} gives "
                f"a port {bytes_text(limit)}",
                profile.asic,
            )


def _ports_of(facts: Facts, profile: LosslessProfile) -> Iterator[str]:
    using = {(p.device, p.port) for p in facts.lossless.ports if p.profile == profile.name}
    for link in facts.topology.links:
        for end in (link.a, link.b):
            if (end.device, end.port) in using:
                yield f"{end.device}:{end.port} ({link.length_m:g} m)"


@rule(
    "RCE408",
    title="headroom is a generic estimate",
    severity=WARNING,
    needs=_NEEDS,
    why="the estimate counts neither the chip's cells nor its own response time: the real need "
    "differs up to threefold between vendors",
    fix="name the switch model under platforms, or set roce.xoff_bytes from the vendor's figure",
    example="""\
platforms: {default: {platform: sonic}}      # no model: generic""",
)
def estimated(facts: Facts) -> Iterator[Found]:
    """Look for profiles whose headroom comes from the generic formula, not from a row or figure."""
    by_model = grouped(
        (facts.hardware[facts.users(profile)[0]].model, profile)
        for profile in facts.profiles_in_use
        if profile.xoff_bytes.basis == GENERIC_ESTIMATE
    )
    for model, profiles in by_model.items():
        ports = f"{len(profiles)} kinds of port" if len(profiles) > 1 else "its ports"
        known = f"no figure of {model.asic.name} is known for this speed and length"
        cause = "the chip is not known" if model.generic else known
        yield Found(
            model.name,
            f"{model.name}: {cause}, so the headroom of {ports} is an estimate "
            "(802.3 pause response, no cell expansion)",
            fix="" if model.generic else "set roce.xoff_bytes from the vendor's figure",
            evidence=some(f"{port_text(p)}: {bytes_text(p.xoff_bytes.value)}" for p in profiles),
        )


@rule(
    "RCE412",
    title="no lossless function on this system",
    severity=INFO,
    needs=("hardware",),
    why="RoCE crosses such a switch as ordinary traffic: it is for labs, and no result of it says "
    "anything about lossless behaviour",
    fix="nothing in a lab; otherwise choose a system with PFC",
)
def no_lossless(facts: Facts) -> Iterator[Found]:
    """Name each switch whose system has no PFC."""
    for name, hardware in facts.hardware.items():
        if not hardware.platform.capabilities.lossless:
            yield Found(
                name,
                f"{name}: {hardware.platform.title} has no lossless function (no PFC, no "
                "headroom), so none is configured there",
                device=name,
            )
