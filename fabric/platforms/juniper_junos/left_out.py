"""What a rendered config of Junos lacks because no source confirms the words for it, said aloud."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.device import DeviceModel

# The same lists stand in templates/juniper_junos/config (names.j2, blocks/interfaces.j2).
PUBLISHED = ("juniper-qfx5240-64od",)
SPEEDS_GBPS = (10, 25, 40, 50, 100, 400)
_NO_WORD = "RCE391"
_THIRD = 3
# By what is left out: rule, why, fix.
_REASONS = {
    "buffers": (
        "RCE409",
        "partitions are percent of a chip whose size is not published",
        "compare `show class-of-service shared-buffer` with the qos page; set partitions in extra",
    ),
    "published": (
        "RCE409",
        "validated on 23.4X100-D31 with that design's cables; the 24.4R1 model has no ingress ones",
        "run commit check; compare `show class-of-service shared-buffer` with the qos page",
    ),
    "fec": (
        _NO_WORD,
        "the word depends on lanes and optic, and no source shows it on these switches",
        "compare both ends with `show interfaces extensive`; set what differs in extra",
    ),
    "speed": (
        _NO_WORD,
        "a split cage without a speed takes one of its own",
        "set the speed of these cages in extra, after trying it on a box",
    ),
    "hash-seed": (
        _NO_WORD,
        "tiers that hash alike use a fraction of the links of the second one",
        "set a seed per tier in extra, after trying it on a box",
    ),
    "dlb": (
        _NO_WORD,
        "another chip may refuse them, or balance with other numbers",
        "commit check on a box, and compare `show forwarding-options enhanced-hash-key`",
    ),
    "bgp-dscp": (
        _NO_WORD,
        "the sessions share a queue with whatever has the system's own marking",
        "capture a BGP packet of the box, and give its DSCP to the control class",
    ),
    "keepalive": (
        _NO_WORD,
        "Junos sends keepalives every third of the hold time",
        "set addressing.bgp.hold_s to three times keepalive_s",
    ),
    "ipv6": (
        _NO_WORD,
        "no source says which of the two IPv6 packets meet, nor that they are paused for by DSCP",
        "send RoCE over IPv6 and read the queue that counts it, before any job",
    ),
    "management": (
        _NO_WORD,
        "an unknown interface would stop the whole config",
        "set management.interface: re0:mgmt-0",
    ),
    "gateway": (
        _NO_WORD,
        "a default route among the fabric's routes would take what the fabric lost",
        "keep the route of mgmt_junos that the box was installed with",
    ),
}


def left_out(model: DeviceModel) -> tuple[Finding, ...]:
    """A finding for each thing that the config of this switch does not hold."""
    return tuple(_finding(model, *found) for found in (*_qos(model), *_network(model)))


def _finding(model: DeviceModel, key: str, severity: Severity, what: str) -> Finding:
    rule, why, fix = _REASONS[key]
    return Finding(
        rule=rule,
        severity=severity,
        subject=model.name,
        message=f"{model.name}: {what}",
        why=why,
        fix=fix,
        device=model.name,
        keys=(key,),
    )


def _qos(model: DeviceModel) -> Iterator[tuple[str, Severity, str]]:
    if model.model_name in PUBLISHED:
        what = "buffer partitions are those of the design that Juniper publishes for this model"
        yield "published", Severity.INFO, what
    else:
        what = f"buffer partitions of {model.model_name} are not known: those of the box stay"
        yield "buffers", Severity.WARNING, what
    if any(":" in prefix for prefix in model.speaker.announces):
        what = "dscp and dscp-ipv6 classifiers hold the same map; neither was tried with IPv6"
        yield "ipv6", Severity.WARNING, what
    what = f"DSCP {model.bgp_dscp} for BGP left out: no source confirms a command for it"
    yield "bgp-dscp", Severity.INFO, what


def _network(model: DeviceModel) -> Iterator[tuple[str, Severity, str]]:
    yield "fec", Severity.INFO, f"FEC of {len(model.interfaces)} ports left to their optics"
    wordless = [p for p in model.interfaces if p.children > 1 and p.speed_gbps not in SPEEDS_GBPS]
    if wordless:
        first = wordless[0]
        ports = f"{len(wordless)} ports ({first.name} …)"
        what = f"speed of {ports} left out: no word is confirmed for {first.speed_gbps}G there"
        yield "speed", Severity.WARNING, what
    what = f"ECMP hash seed {model.hash_seed} left out: no source confirms a command for it"
    yield "hash-seed", Severity.INFO, what
    if model.bgp_hold_s != _THIRD * model.bgp_keepalive_s:
        what = (
            f"keepalive {model.bgp_keepalive_s} s left out: it is a third of {model.bgp_hold_s} s"
        )
        yield "keepalive", Severity.INFO, what
    if model.load_balancing == "dlb" and model.model_name not in PUBLISHED:
        what = f"flowlet settings are those published for QFX5240, not known for {model.model_name}"
        yield "dlb", Severity.WARNING, what
    interface = model.management_interface
    if model.management_address and not interface.startswith("re0:mgmt-"):
        what = f"management address left out: {interface} is no management interface of Junos"
        yield "management", Severity.WARNING, what
    if model.management_address and model.management_gateway:
        what = f"route to management gateway {model.management_gateway} left to the box"
        yield "gateway", Severity.INFO, what
