"""A template of ntc-templates as the first half of a reader: one odd line costs that line alone."""

from __future__ import annotations

from fabric.text.output import _ntc_rows

TABLE = """\
Last table change time   : 0:00:12 ago
Number of table inserts  : 2
Port          Neighbor Device ID       Neighbor Port ID    TTL
Et49/1        spine-7                  Ethernet3/1         120
%oddity
Et50/1        spine-8                  Ethernet3/1         120
"""


def test_rows_and_what_is_left() -> None:
    rows, left = _ntc_rows("arista_eos_show_lldp_neighbors", TABLE)
    assert [row["neighbor_name"] for row in rows] == ["spine-7", "spine-8"]
    assert left == ("%oddity",)


def test_text_of_nobody_gives_no_rows() -> None:
    assert _ntc_rows("arista_eos_show_lldp_neighbors", "")[0] == []
