"""Static need of whole switches and its verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric.catalog import switch_model
from fabric.design.lossless.fit import Load, buffer_fit, shared_headroom_pool
from fabric.design.lossless.headroom import headroom_of
from fabric.design.lossless.silicon import silicon_of
from fabric.design.lossless.wire import Wire
from fabric.model.intent import DeviceHardware
from tests.samples import sample_spec

if TYPE_CHECKING:
    from fabric.model.qos import BufferFit

MTU = 9216


def fit(  # noqa: PLR0913 — one argument a quantity of the table
    model: str,
    ports: int,
    speed: int,
    cable: int,
    priorities: int = 2,
    *,
    sku: str | None = None,
    place: str = "t0",
) -> BufferFit:
    silicon = silicon_of(DeviceHardware(sample_spec(), switch_model(model), sku), place)
    load = Load("x", ports, headroom_of(silicon, Wire(speed, cable, MTU)))
    return buffer_fit("leaf-0", silicon, [load], priorities)


@pytest.mark.parametrize(
    ("model", "ports", "speed", "cable", "priorities", "megabytes"),
    [
        ("nvidia-sn3700", 32, 200, 300, 2, 13.0),
        ("nvidia-sn4700", 32, 400, 40, 2, 5.0),
        ("nvidia-sn4700", 32, 400, 300, 2, 23.9),
        ("nvidia-sn5600", 64, 800, 5, 2, 32.9),
        ("nvidia-sn5600", 64, 800, 40, 2, 46.4),
        ("nvidia-sn5600", 64, 800, 300, 2, 147.3),
        ("dell-z9664f", 64, 400, 5, 2, 47.5),
        ("dell-z9664f", 64, 400, 300, 2, 104.6),
        ("dell-z9864f", 64, 800, 5, 2, 93.4),
        ("dell-z9864f", 64, 800, 300, 2, 207.6),
        ("dell-z9864f", 64, 800, 5, 3, 140.1),
    ],
)
def test_static_need(  # noqa: PLR0913, PLR0917 — columns of the table
    model: str, ports: int, speed: int, cable: int, priorities: int, megabytes: float
) -> None:
    need = fit(model, ports, speed, cable, priorities).need_bytes
    assert need / 1e6 == pytest.approx(megabytes, abs=0.05)


@pytest.mark.parametrize(
    ("model", "speed", "cable", "priorities", "verdict", "used"),
    [
        ("dell-z9664f", 400, 5, 2, "ok", 0.94),
        ("dell-z9664f", 400, 300, 2, "oversubscribed", 2.07),  # 2.1 × the pool
        ("dell-z9864f", 800, 5, 2, "oversubscribed", 2.80),
        ("dell-z9864f", 800, 5, 3, "oversubscribed", 4.20),
        ("dell-z9864f", 800, 300, 2, "exceeds", 6.22),
    ],
)
def test_verdict_with_a_headroom_pool(  # noqa: PLR0913, PLR0917 — columns of the table
    model: str, speed: int, cable: int, priorities: int, verdict: str, used: float
) -> None:
    got = fit(model, 64, speed, cable, priorities)
    assert got.verdict == verdict
    assert got.used_fraction == pytest.approx(used, abs=0.01)


def test_pools_and_chip_as_published() -> None:
    got = fit("dell-z9864f", 64, 800, 5)
    assert (got.headroom_pool_bytes, got.chip_bytes) == (33_374_584, 165_867_080)
    assert got.pool_bytes == 165_867_080 - 33_374_584  # headroom pool carved out of the chip
    assert "2.8:1" in got.note
    v256 = fit("nvidia-sn5600", 256, 200, 300, 1, sku="Mellanox-SN5600-V256")
    assert (v256.headroom_pool_bytes, v256.pool_bytes) == (60_293_120, 73_684_992)
    assert v256.need_bytes == 256 * 240_640


def test_private_headroom_is_held_against_what_the_pools_leave() -> None:
    """The t1 pools of SN5600 were cut for 64 ports of 800G, 40 m, two priorities."""
    t1 = fit("nvidia-sn5600", 64, 800, 40, place="t1")
    assert t1.headroom_pool_bytes is None
    assert t1.room_bytes == 158_229_504 - 2 * 52_161_690
    assert t1.need_bytes + t1.reserved_bytes == 128 * 410_624
    assert t1.verdict == "ok"
    assert t1.pool_bytes == 52_161_690
    far = fit("nvidia-sn5600", 64, 800, 300, place="t1")
    assert far.verdict == "oversubscribed"
    assert far.pool_bytes == 158_229_504 - 128 * 1_198_080  # what is really left
    assert "cannot be honoured" in far.note


def test_more_than_the_chip() -> None:
    assert fit("nvidia-sn5600", 64, 800, 300, 3).verdict == "exceeds"
    with_minimum = fit("nvidia-sn3700", 32, 200, 300, 5)  # 32.6 MB of headroom, 35.7 MB reserved
    assert with_minimum.need_bytes < 34_287_552
    assert with_minimum.verdict == "exceeds"
    assert "more than all of it" in with_minimum.note


def test_nothing_is_known_of_a_generic_switch() -> None:
    got = fit("generic", 32, 400, 5, 1)
    assert got.need_bytes == 32 * 79_003
    assert (got.verdict, got.used_fraction) == ("unknown", None)
    assert "pools not known" in got.note


def test_terms_add_up() -> None:
    got = fit("dell-z9864f", 64, 800, 5)
    assert sum(term.value for term in got.terms) == got.need_bytes + got.reserved_bytes
    assert got.reserved_bytes == 128 * 18_796


def test_shared_headroom_pool_by_ratio() -> None:
    assert shared_headroom_pool(1_887_900, 256, 1, 4) == 120_825_600
    with pytest.raises(ValueError, match="at least 1"):
        shared_headroom_pool(1, 1, 1, 0.5)
