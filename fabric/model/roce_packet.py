"""Bytes around the payload of a RoCE v2 packet, by IP version.

Sources: RFC 791 and RFC 8200 (IP headers without options), RFC 768 (UDP), InfiniBand Architecture
volume 1 annex A17 (BTH, ICRC), IEEE 802.3 (preamble with start delimiter, gap, header, FCS).
"""

from __future__ import annotations

from fractions import Fraction

FAMILIES = ("ipv4", "ipv6")
FAMILY_NAMES = {"ipv4": "IPv4", "ipv6": "IPv6"}
IP_BYTES = {"ipv4": 20, "ipv6": 40}
ETHERNET_BYTES = 14
_UDP, _BTH, _ICRC = 8, 12, 4
_PREAMBLE, _GAP, _FCS = 8, 12, 4


def ip_packet_bytes(rdma_mtu_bytes: int, family: str) -> int:
    """Length of the IP packet with a full RDMA payload: what the MTU of every port must hold."""
    return rdma_mtu_bytes + IP_BYTES[family] + _UDP + _BTH + _ICRC


def overhead_bytes(family: str) -> int:
    """All bytes that a packet from the middle of a message takes beside its payload: 82 or 102."""
    return ip_packet_bytes(0, family) + ETHERNET_BYTES + _FCS + _PREAMBLE + _GAP


def wire_efficiency(rdma_mtu_bytes: int, family: str) -> Fraction:
    """Payload over bytes on the wire, MTU / (MTU + overhead), untagged frames, middle packets."""
    return Fraction(rdma_mtu_bytes, rdma_mtu_bytes + overhead_bytes(family))


def overhead_text(family: str) -> str:
    """The terms of :func:`overhead_bytes`."""
    return (
        f"{_PREAMBLE} preamble + {_GAP} gap + {ETHERNET_BYTES} Ethernet + {_FCS} FCS + "
        f"{IP_BYTES[family]} IP + {_UDP} UDP + {_BTH} BTH + {_ICRC} ICRC"
    )
