"""Names: case, short forms, suggestions."""

from __future__ import annotations

import pytest

from fabric import catalog


@pytest.mark.parametrize("name", ["nvidia-sn3700", "sn3700", "SN3700", "NVIDIA-SN3700", " sn3700 "])
def test_case_and_vendor_do_not_matter(name: str) -> None:
    assert catalog.switch_model(name) is catalog.switch_model("nvidia-sn3700")


def test_nics_have_no_short_form() -> None:
    assert catalog.nic("ConnectX-7").name == "connectx-7"
    with pytest.raises(catalog.UnknownNameError):
        catalog.nic("7")


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("nvidia-sn3900", "nvidia-sn3700"),
        ("sn6810", "nvidia-sn6810-ld"),
        ("sn570", "nvidia-sn5600"),
        ("z9664", "dell-z9664f"),
        ("generik", "generic"),
    ],
)
def test_unknown_switch(name: str, nearest: str) -> None:
    with pytest.raises(catalog.UnknownNameError) as caught:
        catalog.switch_model(name)
    error = caught.value
    assert (error.kind, error.name) == ("switch", name)
    assert nearest in error.nearest
    assert error.known == catalog.switch_names()
    assert str(error).startswith(f"unknown switch {name!r}: did you mean ")


def test_every_short_form_means_one_switch() -> None:
    forms = [name.partition("-")[2] for name in catalog.switch_names() if "-" in name]
    assert len(set(forms)) == len(forms)
    assert not set(forms).intersection(catalog.switch_names())


@pytest.mark.parametrize(
    ("short", "name"),
    [
        ("7060X6-64PE", "arista-7060x6-64pe"),
        ("DS5000", "celestica-ds5000"),
        ("QFX5240-64OD", "juniper-qfx5240-64od"),
        ("SSE-T8164", "supermicro-sse-t8164"),
        ("4010", "nexthop-4010"),
    ],
)
def test_names_without_vendor(short: str, name: str) -> None:
    assert catalog.switch_model(short).name == name


def test_nothing_near() -> None:
    with pytest.raises(catalog.UnknownNameError) as caught:
        catalog.server("qqqq")
    assert caught.value.nearest == ()
    assert str(caught.value).startswith("unknown server 'qqqq': known are generic-1x, generic-8x")


@pytest.mark.parametrize("name", ["", "../asics/generic", "switches", "generic.yaml"])
def test_a_name_is_no_path(name: str) -> None:
    with pytest.raises(catalog.UnknownNameError):
        catalog.switch_model(name)
