"""Faults that cannot be: one clear sentence, and nothing is touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric.live.lab import faults, state
from fabric.live.lab.errors import LabError

if TYPE_CHECKING:
    from fabric.live.lab.layout import Layout

UPLINK = "leaf-0:spine-0"


@pytest.mark.parametrize(
    ("word", "targets", "message"),
    [
        ("link-donw", (UPLINK,), "there is no fault link-donw"),
        ("link-down", (), "link-down takes CABLE, not 0 words"),
        ("link-down", ("leaf-0:leaf-1",), "there is no cable leaf-0:leaf-1"),
        ("link-down", ("leaf-0",), "a cable is A:B, A:B:n or A/PORT"),
        ("link-down", ("leaf-9:spine-0",), "has no node leaf-9"),
        ("swap", (UPLINK, "leaf-1:spine-1"), "are not two cables of one switch"),
        ("swap", (UPLINK, "leaf-0:h1"), "to other switches"),
        ("wrong-asn", ("h1",), "h1 is a host"),
        ("wrong-asn", ("leaf-0", "0"), "0 is no ASN"),
        ("daemon-killed", ("leaf-0", "ospfd"), "leaf-0 runs no ospfd"),
        ("mtu", (UPLINK, "68"), "an MTU in bytes, 1280 or more"),
        ("slow", (UPLINK, "fast"), "as in 100mbit"),
    ],
)
def test_a_fault_that_cannot_be(
    word: str, targets: tuple[str, ...], message: str, small: Layout
) -> None:
    with pytest.raises(LabError, match=message):
        faults.inject(small.name, word, targets)
    known = state.read(small.name)
    assert known is not None
    assert known.faults == ()
