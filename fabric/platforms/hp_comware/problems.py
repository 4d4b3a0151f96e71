"""What Comware takes though it breaks lossless Ethernet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.names import natural_sorted
from fabric.platforms.hp_comware.reading import LINK_MODE, WFQ, dscp_map, trusts_dscp

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.platforms.hp_comware.reading import Config

_OWN = {0, 6, 7}  # of IRF and protocols ("Configuring PFC")


def problems_of(config: Config) -> Iterator[str]:
    """One sentence each; nothing: well."""
    open_codes = [dscp for dscp, queue in enumerate(dscp_map(config)) if queue is None]
    if open_codes:
        count = f"{len(open_codes)} of 64 DSCPs"
        yield f"qos map-table: {count} follow the default, {open_codes[0]} first"
    for port in natural_sorted(config.ports):
        yield from (f"interface {port}: {what}" for what in _port(config, port))


def _port(config: Config, port: str) -> Iterator[str]:
    texts = config.ports[port]
    if LINK_MODE in texts and texts.index(LINK_MODE) > 0:
        yield f"{LINK_MODE} is not its first line: it resets those above"
    if not trusts_dscp(texts):
        yield "does not trust DSCP"
    enabled, listed = config.pfc(port)
    if not enabled:
        yield "priority-flow-control is not forced on"
    if not listed:
        yield "no priority is no-drop"
    taken = sorted(_OWN & set(listed))
    if taken:
        yield f"priority {taken[0]} is no-drop, which IRF and protocols need"
    shares = any(text.startswith("qos wfq ") and not WFQ.fullmatch(text) for text in texts)
    if shares and not any(WFQ.fullmatch(text) for text in texts):
        yield "qos wfq is not on, so the queues' shares do nothing"
