"""What a rendered config of EOS lacks because no source confirms the words for it, said aloud."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.finding import Severity
from fabric.platforms import left_out_findings
from fabric.platforms.arista_eos.speeds import speed_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.device import DeviceModel
    from fabric.model.finding import Finding

_KNOWN_CHIPS = ("trident", "tomahawk", "jericho")  # as names.j2 has them
_NO_WORD = "RCE391"
# By what is left out: rule, why, fix.
_REASONS = {
    "queues": (
        _NO_WORD,
        "the word of the other kind is accepted and does nothing",
        "name the switch model, so that its chip is known",
    ),
    "headroom": (
        "RCE409",
        "one profile of `platform trident mmu` holds for all ports; its ranges are not published",
        "compare the box's headroom with the qos page; put a profile of your own into extra",
    ),
    "speed": (
        "RCE107",
        "the word names speed and lanes (400g-4, 400g-8); the wrong one keeps the port down",
        "name the switch model",
    ),
    "speed-word": (
        _NO_WORD,
        "the word names speed and lanes, and the cage has more lanes than the speed uses",
        "set the speed of these ports in extra, after trying it on a box",
    ),
    "hash-seed": (
        _NO_WORD,
        "tiers that hash alike use a fraction of the links of the second one",
        "set a seed per tier in extra, after trying it on a box",
    ),
    "bgp-dscp": (
        _NO_WORD,
        "the sessions share a queue with whatever has the system's own marking",
        "capture a BGP packet of the box, and give its DSCP to the control class",
    ),
    "port-channel": (
        _NO_WORD,
        "trust follows the port-channel; no source says whether PFC does, or follows its members",
        "read `show priority-flow-control` on the box: the profile stands at both",
    ),
    "management": (
        _NO_WORD,
        "an unknown interface would stop the whole config",
        "set management.interface: Management1",
    ),
    "gateway": (
        _NO_WORD,
        "a default route among the fabric's routes would take what the fabric lost",
        "keep the route, or the VRF, that the box was installed with",
    ),
}


def left_out(model: DeviceModel) -> tuple[Finding, ...]:
    """A finding for each thing that the config of this switch does not hold."""
    return left_out_findings(model, _REASONS, (*_qos(model), *_network(model)))


def chip_is_known(model: DeviceModel) -> bool:
    """Whether the word for a queue of this chip is known, so that queues are rendered."""
    return model.asic.startswith(_KNOWN_CHIPS)


def _qos(model: DeviceModel) -> Iterator[tuple[str, Severity, str]]:
    if not chip_is_known(model):
        what = f"whether chip {model.asic} has uc-tx-queue or tx-queue is not known"
        yield "queues", Severity.WARNING, f"ECN and scheduling left out: {what}"
    what = "headroom and pause thresholds left to the box's own profile"
    yield "headroom", Severity.INFO, what
    if model.lags:
        count = f"{len(model.lags)} port-channel{'s' if len(model.lags) > 1 else ''}"
        yield "port-channel", Severity.INFO, f"which profile PFC of {count} follows is not known"
    what = f"DSCP {model.bgp_dscp} for BGP left out: no source confirms a command for it"
    yield "bgp-dscp", Severity.INFO, what


def _network(model: DeviceModel) -> Iterator[tuple[str, Severity, str]]:
    unknown = [port.name for port in model.interfaces if not port.lane_count]
    if unknown:
        count = f"{len(unknown)} of {len(model.interfaces)} ports ({unknown[0]} …)"
        yield "speed", Severity.INFO, f"speed left out: lanes of {count} are not known"
    wordless = [p for p in model.interfaces if p.lane_count and not speed_word(p)]
    if wordless:
        first = wordless[0]
        ports = f"{len(wordless)} ports ({first.name} …)"
        what = f"speed of {ports} left out: no word is known for {first.speed_gbps}G there"
        yield "speed-word", Severity.WARNING, what
    what = f"ECMP hash seed {model.hash_seed} left out: no source confirms a command for it"
    yield "hash-seed", Severity.INFO, what
    interface = model.management_interface
    if model.management_address and not interface.startswith("Management"):
        what = f"management address left out: {interface} is no management interface of EOS"
        yield "management", Severity.WARNING, what
    if model.management_address and model.management_gateway:
        what = f"route to management gateway {model.management_gateway} left to the box"
        yield "gateway", Severity.INFO, what
