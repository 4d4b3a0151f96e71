"""The words that the schema of EOS has for a port's speed: with lanes, where there are several."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.model.device import Interface

# The same list stands in templates/arista_eos/config/blocks/interfaces.j2.
SPEED_WORDS = (
    "10g", "25g", "40g-4", "50g-1", "50g-2", "100g-1", "100g-2", "100g-4", "200g-1", "200g-2",
    "200g-4", "400g-2", "400g-4", "400g-8", "800g-4", "800g-8",
)  # fmt: skip


def speed_word(port: Interface) -> str | None:
    """The word for a port; ``None``: there is none for that speed on so many lanes."""
    word = f"{port.speed_gbps}g"
    if word not in SPEED_WORDS:
        word = f"{word}-{port.lane_count}"
    return word if port.lane_count and word in SPEED_WORDS else None
