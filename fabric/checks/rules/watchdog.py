"""4xx: timers of the PFC watchdog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.checks.rules import ERROR, WARNING, Found, grouped, rule, some
from fabric.model.units import speed_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.checks.facts import Facts
    from fabric.model.finding import Severity
    from fabric.model.qos import Watchdog

_LONGEST_PAUSE_BITS = 65_535 * 512  # quanta of 512 bit times, 802.3 annex 31B
_PAUSES_PER_DETECTION = 1_000
_RC_TIMEOUT_UNIT_MS = 4.096e-3
_NCCL_TIMEOUT = 20  # NCCL_IB_TIMEOUT from NCCL 2.23 on
_NCCL_RETRIES = 7
_MARGIN = 10  # our choice for "much less than"


def _found(facts: Facts, message: str, key: str, severity: Severity | None = None) -> Found:
    return Found("watchdog", message, severity=severity, keys=(key,), location=facts.roce.location)


@rule(
    "RCE407",
    title="watchdog timers do not fit",
    severity=ERROR,
    needs=("lossless",),
    why="too quick, it drops during ordinary pauses; too slow, jobs die of retries before it acts",
    fix="set roce.watchdog: poll_ms <= detect_ms <= restore_ms, inside the ranges of the switch",
    example="""\
roce: {watchdog: {poll_ms: 500, detect_ms: 200, restore_ms: 400}}""",
)
def timers(facts: Facts) -> Iterator[Found]:
    """Look at the order of the timers, the switches' ranges, pauses below and retries above.

    Errors: poll above detection or restoration, a value outside the system's range. Warnings:
    restoration shorter than detection; detection shorter than 1,000 of the longest pauses of the
    slowest port, or above a tenth (our choice) of the time after which an RC connection gives up.
    """
    watchdog = facts.lossless.watchdog
    if not watchdog.enabled or not facts.lossless_switches:
        return
    yield from _order(facts, watchdog)
    yield from _ranges(facts, watchdog)
    yield from _against_pauses(facts, watchdog)
    yield from _against_retries(facts, watchdog)


def _order(facts: Facts, watchdog: Watchdog) -> Iterator[Found]:
    for word, value in (("detection", watchdog.detect_ms), ("restoration", watchdog.restore_ms)):
        if watchdog.poll_ms > value:
            text = f"the watchdog polls every {watchdog.poll_ms:,} ms, longer than its {word} of "
            yield _found(facts, f"{text}{value:,} ms", f"poll {word}")
    if watchdog.restore_ms < watchdog.detect_ms:
        yield _found(
            facts,
            f"restoration after {watchdog.restore_ms:,} ms is shorter than detection "
            f"({watchdog.detect_ms:,} ms): the queue flaps while a storm lasts",
            "restore",
            WARNING,
        )


def _ranges(facts: Facts, watchdog: Watchdog) -> Iterator[Found]:
    outside = []
    for device in facts.lossless_switches:
        platform = facts.hardware[device].platform
        if platform.watchdog is None:
            continue
        named = (
            ("poll", watchdog.poll_ms, platform.watchdog.poll_ms),
            ("detection", watchdog.detect_ms, platform.watchdog.detect_ms),
            ("restoration", watchdog.restore_ms, platform.watchdog.restore_ms),
        )
        for word, value, (low, high) in named:
            if not low <= value <= high:
                outside.append(((platform.title, word, value, low, high), device))
    for (title, word, value, low, high), devices in grouped(outside).items():
        yield Found(
            facts.subject(devices),
            f"{facts.who(devices)}: watchdog {word} of {value:,} ms, {title} takes {low:,} to "
            f"{high:,} ms",
            evidence=some(devices),
            keys=("range", word),
            location=facts.roce.location,
        )


def _against_pauses(facts: Facts, watchdog: Watchdog) -> Iterator[Found]:
    speeds = [profile.speed_gbps for profile in facts.profiles_in_use]
    if not speeds:
        return
    pause_ms = _LONGEST_PAUSE_BITS / (min(speeds) * 1e6)
    if watchdog.detect_ms < _PAUSES_PER_DETECTION * pause_ms:
        yield _found(
            facts,
            f"detection after {watchdog.detect_ms:,} ms is {watchdog.detect_ms / pause_ms:,.0f} "
            f"of the longest pauses at {speed_text(min(speeds))} ({1000 * pause_ms:.1f} µs each); "
            f"{_PAUSES_PER_DETECTION:,} would be {_PAUSES_PER_DETECTION * pause_ms:.0f} ms",
            "pauses",
            WARNING,
        )


def _against_retries(facts: Facts, watchdog: Watchdog) -> Iterator[Found]:
    for group in facts.host_groups:
        env = dict(group.env)
        timeout = _number(env.get("NCCL_IB_TIMEOUT"), _NCCL_TIMEOUT)
        retries = _number(env.get("NCCL_IB_RETRY_CNT"), _NCCL_RETRIES)
        gives_up_ms = _RC_TIMEOUT_UNIT_MS * 2**timeout * (retries + 1)
        slow_ms = watchdog.poll_ms + watchdog.detect_ms
        if timeout and slow_ms > gives_up_ms / _MARGIN:  # 0 = never
            yield Found(
                group.name,
                f"{facts.hosts_text(group.name)}: the watchdog needs up to {slow_ms:,} ms, a "
                f"connection gives up after {gives_up_ms:,.0f} ms (NCCL_IB_TIMEOUT {timeout}, "
                f"{retries} retries)",
                severity=WARNING,
                keys=("retries",),
                location=group.location,
            )


def _number(text: str | None, default: int) -> int:
    return int(text) if text is not None and text.isdecimal() else default
