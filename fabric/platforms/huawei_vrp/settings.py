"""What holds for the whole switch, beside the chains of its ports."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.model.device import DeviceModel
    from fabric.reading.sections import Line

SEED, PFC_BY, ECN, POOL = "hash seed", "PFC goes by", "ECN", "headroom pool"
_PFC_INTERNAL, _PFC_TAG = "internal priority", "802.1p of the packet"
DSCP_MAPPING = "dcb pfc dscp-mapping enable"
ECN_ON = "qos ecn enable"
_POOL_NAME = "qos buffer headroom-pool"
_SLOT_WORDS = ("ecmp seed", "ecmp underlay seed")


def settings_of(config: Line) -> dict[str, str]:
    """Name → value in words."""
    return {
        SEED: _seed(config),
        PFC_BY: _PFC_INTERNAL if any(config.all(DSCP_MAPPING)) else _PFC_TAG,
        ECN: "on" if config.has(ECN_ON) else "off",
        POOL: "set" if config.rest(_POOL_NAME) else "none",
    }


def intended_settings(model: DeviceModel) -> dict[str, str]:
    """Family a must be told what PFC goes by and has a pool; family b must have ECN switched on."""
    meant = {SEED: str(model.hash_seed)}
    if not any(port.chain.pfc_priorities for port in model.interfaces):
        return meant
    if model.syntax == "a":
        return {**meant, PFC_BY: _PFC_INTERNAL, POOL: "set"}
    marks = any(queue.ecn for port in model.interfaces for queue in port.chain.queues)
    return {**meant, ECN: "on"} if marks else meant


def _seed(config: Line) -> str:
    for _, section in config.all("load-balance ecmp"):
        for word in _SLOT_WORDS:
            said = section.rest(word)
            if said:
                return said
    return "none"
