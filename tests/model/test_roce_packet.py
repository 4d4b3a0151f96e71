"""Bytes around the payload; truth as the standards and NVIDIA's and our reference have it."""

from __future__ import annotations

import pytest

from fabric.model.roce_packet import (
    ip_packet_bytes,
    overhead_bytes,
    overhead_text,
    wire_efficiency,
)


@pytest.mark.parametrize(
    ("mtu", "family", "share"),
    [
        (1024, "ipv4", 0.9259),
        (2048, "ipv4", 0.9615),
        (4096, "ipv4", 0.9804),
        (1024, "ipv6", 0.9094),
        (2048, "ipv6", 0.9526),
        (4096, "ipv6", 0.9757),
    ],
)
def test_efficiency(mtu: int, family: str, share: float) -> None:
    assert round(float(wire_efficiency(mtu, family)), 4) == share


def test_ipv6_has_twenty_more_header_bytes() -> None:
    assert (overhead_bytes("ipv4"), overhead_bytes("ipv6")) == (82, 102)
    assert (ip_packet_bytes(4096, "ipv4"), ip_packet_bytes(4096, "ipv6")) == (4140, 4160)


@pytest.mark.parametrize("family", ["ipv4", "ipv6"])
def test_the_terms_add_up(family: str) -> None:
    terms = [int(word) for word in overhead_text(family).split() if word.isdigit()]
    assert sum(terms) == overhead_bytes(family)
