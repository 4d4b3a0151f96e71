"""Rows that buffermgrd makes and takes away: which are its own, and what follows for a push.

Truth: sonic-swss e6b0c5b5 cfgmgr/buffermgr.cpp.
"""

from __future__ import annotations

import json

import pytest

from fabric.model.push import ReplyError
from tests.platforms.sonic.switch import (
    HERE,
    LOOKUP,
    PREVIEW,
    RUNNING,
    TEXT,
    rendered_in,
    same_box,
)


def _left_to_the_switch() -> dict[str, str]:
    rendered = rendered_in(HERE / "golden/unknown/leaf-0")
    config = json.loads(same_box(rendered["config_db.json"]))
    kept = {t: r for t, r in config.items() if not t.startswith(("BUFFER", "PORT", "BREAKOUT"))}
    qos = {"Ethernet0": {"pfc_enable": "3"}}
    kept |= {"CABLE_LENGTH": {"ROCE": {"Ethernet0": "5m"}}, "PORT_QOS_MAP": qos}
    kept["DEVICE_METADATA"]["localhost"].pop("buffer_model", None)
    return {**rendered, "config_db.json": json.dumps(kept)}


def test_buffers_that_are_left_to_the_switch_are_what_it_makes_of_them() -> None:
    """buffermgrd had a row for 3 and 4; the plan has PFC on 3 alone."""
    target = PREVIEW.target(RUNNING, _left_to_the_switch())
    now = json.loads(target["config_db.json"])
    assert now["BUFFER_PG"] == {"Ethernet0|3": {"profile": "pg_lossless_200000_5m_profile"}}
    assert now["BUFFER_PROFILE"] == json.loads(TEXT)["BUFFER_PROFILE"]
    del now["BUFFER_PG"]  # until buffermgrd has begun its work
    assert PREVIEW.differences({**target, "config_db.json": json.dumps(now)}, target) == ()
    assert (
        PREVIEW.target(target, _left_to_the_switch())["config_db.json"]
        == (target["config_db.json"])
    )


@pytest.mark.parametrize("model", ["traditional", "dynamic"])
def test_the_buffer_model_stays_with_buffers_that_are_left_to_the_switch(model: str) -> None:
    config = json.loads(TEXT)
    config["DEVICE_METADATA"]["localhost"]["buffer_model"] = model
    config["BUFFER_PG"]["Ethernet0|3"] = {"profile": "NULL"}
    running = {**RUNNING, "config_db.json": json.dumps(config)}
    target = json.loads(PREVIEW.target(running, _left_to_the_switch())["config_db.json"])
    assert target["DEVICE_METADATA"]["localhost"]["buffer_model"] == model
    computed = {"profile": "NULL"}
    assert (target["BUFFER_PG"]["Ethernet0|3"] == computed) == (model == "dynamic")


def test_pfc_without_headroom_is_refused() -> None:
    config = json.loads(TEXT)
    pools = config.pop("BUFFER_POOL")
    del config["BUFFER_PG"], config["BUFFER_PROFILE"]
    bare = {**RUNNING, "config_db.json": json.dumps(config)}
    with pytest.raises(ReplyError, match=r"no headroom for Ethernet0\|3: .*config qos reload"):
        PREVIEW.target(bare, _left_to_the_switch())
    config["BUFFER_POOL"] = pools
    able = {**RUNNING, "config_db.json": json.dumps(config)}
    made = json.loads(PREVIEW.target(able, _left_to_the_switch())["config_db.json"])
    assert made["BUFFER_PROFILE"] == json.loads(TEXT)["BUFFER_PROFILE"]
    unknown = {name: text for name, text in able.items() if name != "pg_profile_lookup.ini"}
    with pytest.raises(ReplyError, match="no headroom"):
        PREVIEW.target(unknown, _left_to_the_switch())


def test_a_profile_that_buffermgrd_would_write_over_is_refused() -> None:
    rendered = _left_to_the_switch()
    config = json.loads(rendered["config_db.json"])
    config["BUFFER_PG"] = {"Ethernet0|3": {"profile": "mine"}}
    config["BUFFER_PROFILE"] = json.loads(TEXT)["BUFFER_PROFILE"]
    with pytest.raises(ReplyError, match=r"put pg_lossless_200000_5m_profile in .* plan's mine"):
        PREVIEW.target(RUNNING, {**rendered, "config_db.json": json.dumps(config)})


def _with(place: str, value: object) -> dict[str, str]:
    config = json.loads(TEXT)
    *above, last = place.split("/")
    where = config
    for part in above:
        where = where.setdefault(part, {})
    where[last] = value
    return {**RUNNING, "config_db.json": json.dumps(config)}


@pytest.mark.parametrize(
    ("place", "value", "same"),
    [
        # Its row, and that of a port which is down: there or not there, as buffermgrd has got on.
        ("BUFFER_PG", {}, True),
        ("PORT_QOS_MAP/Ethernet4/pfc_enable", "3,4", False),
        # Another profile, other priorities, another size: these are not its own.
        ("BUFFER_PG/Ethernet0|3-4/profile", "mine", False),
        ("BUFFER_PG/Ethernet0|3", {"profile": "pg_lossless_200000_5m_profile"}, False),
        ("BUFFER_PG/Ethernet0|3-4/more", "x", False),
        ("BUFFER_PROFILE/pg_lossless_200000_5m_profile/xoff", "1", False),
        ("BUFFER_PROFILE/pg_lossless_200000_40m_profile", {"size": "1"}, False),
    ],
)
def test_what_buffermgrd_makes_is_in_no_digest(place: str, value: object, same: bool) -> None:
    changed = _with(place, value)
    assert (PREVIEW.canonical(changed) == PREVIEW.canonical(RUNNING)) == same
    assert (PREVIEW.differences(RUNNING, changed) == ()) == same


def test_a_port_that_is_down_may_have_given_its_headroom_back() -> None:
    config = json.loads(TEXT)
    config["CABLE_LENGTH"]["AZURE"]["Ethernet4"] = "5m"
    config["PORT_QOS_MAP"]["Ethernet4"] = {"pfc_enable": "3"}
    unknown = {**RUNNING, "pg_profile_lookup.ini": ""}
    target = {**unknown, "config_db.json": json.dumps(config)}
    config["BUFFER_PG"]["Ethernet4|3"] = {"profile": "pg_lossless_200000_5m_profile"}
    planned = {**unknown, "config_db.json": json.dumps(config)}
    assert PREVIEW.differences(target, planned) == ()
    config["PORT"]["Ethernet4"]["admin_status"] = "up"
    planned = {**unknown, "config_db.json": json.dumps(config)}
    del config["BUFFER_PG"]["Ethernet4|3"]
    missing = {**planned, "config_db.json": json.dumps(config)}
    assert PREVIEW.differences(planned, missing) == (
        "- BUFFER_PG|Ethernet4|3|profile pg_lossless_200000_5m_profile",
    )


def test_rows_of_buffermgrd_are_not_unsaved() -> None:
    config = json.loads(TEXT)
    saved = {**config, "BUFFER_PG": {}, "BUFFER_PROFILE": {}}
    config["FLEX_COUNTER_TABLE"]["PFCWD"] = {"FLEX_COUNTER_STATUS": "enable"}
    texts = (json.dumps(config), json.dumps(saved), LOOKUP)
    assert PREVIEW.holder().read(("", "", *texts)) is None
    config["BUFFER_PROFILE"]["pg_lossless_200000_5m_profile"]["xoff"] = "1"
    told = PREVIEW.holder().read(("", "", json.dumps(config), *texts[1:]))
    assert "+ BUFFER_PROFILE|pg_lossless_200000_5m_profile|" in str(told)
    assert "BUFFER_PG" in str(PREVIEW.holder().read(("", "", *texts[:2], "")))
