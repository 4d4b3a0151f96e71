"""Damaged configurations: either they are read, or they are refused; nothing else is raised."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from fabric.platforms import ConfigError, juniper_junos
from tests.platforms.juniper_junos.cases import FILE, text
from tests.platforms.juniper_junos.running import LINES

WORDS = (
    "queue-num 9", "pfc-priority 8", "no-loss", "[ 1 2", "]", "{", "}", ";", "et-0/0/1",
    "inactive:", "fill-level", "99999999999999999999", "flow-control-queue [ 7 8 ]",
    "member-range et-0/0/1",
    "code-points zz", "/*", "#", '"', "٣", "delete class-of-service", "set interfaces et-0/0/1 mtu",
)  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn) -> str:
    lines = (LINES if draw(st.booleans()) else text("numbered")).split("\n")
    for _ in range(draw(st.integers(1, 5))):
        place = draw(st.integers(0, len(lines) - 1))
        words = lines[place].split(" ")
        at = draw(st.integers(0, len(words)))
        kind = draw(st.sampled_from(["put", "cut", "drop", "move"]))
        if kind == "put":
            lines[place] = " ".join([*words[:at], draw(st.sampled_from(WORDS)), *words[at:]])
        elif kind == "cut":
            lines[place] = " ".join(words[:at])
        elif kind == "drop" and len(lines) > 1:
            del lines[place]
        else:
            lines.insert(draw(st.integers(0, len(lines) - 1)), lines[place])
    return "\n".join(lines)


@given(damaged() | st.text(alphabet='set interfac-o{};[]"#/*\n 019'))
def test_a_damaged_config_is_read_or_refused(config: str) -> None:
    files = {FILE: config}
    with suppress(ConfigError):
        for chain in juniper_junos.chains(files, "x"):
            assert all(0 <= q < 8 for q in chain.tc_to_queue if q is not None)
            assert all(0 <= tc < 8 for tc in chain.dscp_to_tc if tc is not None)
        juniper_junos.settings(files)
        juniper_junos.problems(files)
