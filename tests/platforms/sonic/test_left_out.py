from __future__ import annotations

from dataclasses import replace

from fabric.model.finding import Severity
from fabric.platforms.sonic import left_out
from fabric.text import Renderer
from tests.platforms.models import ROOT, Case
from tests.platforms.sonic.cases import CASES


def test_nothing_is_left_out_of_known_hardware() -> None:
    assert left_out(Case().model("leaf-0")) == ()


def test_what_only_the_box_knows_is_said_and_not_written() -> None:
    rendered = Renderer((ROOT,)).device(CASES["unknown"].model("leaf-0"))
    found = {finding.rule: finding for finding in rendered.findings}
    assert set(found) == {"RCE107", "RCE409"}
    assert found["RCE409"].severity is Severity.INFO
    assert (
        "BUFFER_POOL, BUFFER_PROFILE, BUFFER_PG, BUFFER_QUEUE left out" in found["RCE409"].message
    )
    assert "lanes of 5 of 5 ports are not known (Ethernet0 …)" in found["RCE107"].message
    assert "facts/leaf-0.json" in found["RCE107"].fix
    assert '"PORT"' not in rendered.files[0].text
    assert '"BUFFER_POOL"' not in rendered.files[0].text


def test_a_sku_without_a_table_is_a_warning() -> None:
    model = replace(Case().model("leaf-0"), buffers=None, sku="TH5-SKU")
    (finding,) = left_out(model)
    assert (finding.rule, finding.severity) == ("RCE409", Severity.WARNING)
    assert finding.message.endswith("no complete buffer table of SKU TH5-SKU is known")


def test_a_management_address_needs_a_gateway() -> None:
    model = replace(Case().model("leaf-0"), management_address="192.0.2.1/24")
    (finding,) = left_out(model)
    assert finding.rule == "RCE212"
    assert "MGMT_INTERFACE" not in Renderer((ROOT,)).device(model).files[0].text
    whole = replace(model, management_gateway="192.0.2.254")
    assert left_out(whole) == ()
    assert '"eth0|192.0.2.1/24"' in Renderer((ROOT,)).device(whole).files[0].text


def test_unified_mode_cannot_mark_bgp() -> None:
    (finding,) = left_out(CASES["unified"].model("leaf-0"))
    assert finding.rule == "RCE390"
    assert finding.message == "leaf-0: BGP packets leave with DSCP 48, not 56"
    assert left_out(replace(CASES["unified"].model("leaf-0"), bgp_dscp=48)) == ()
