"""The two forms of `nv show`, in the shapes that no recording of ours has."""

from __future__ import annotations

import pytest

from fabric.platforms.cumulus_nvue.readers.nvue import numbers, shown
from fabric.platforms.cumulus_nvue.readers.roce import status
from fabric.reading.clean import cleaned, echoed_port

HEAD = "                 operational  applied\n---------------  -----------  -------\n"
ROCE = HEAD + "mode             lossless     lossless\npfc\n  pfc-priority   2,4\n"
RX, TX = "  rx-enabled     {}\n", "  tx-enabled     {}\n"
MAPPING = """
RoCE PCP/DSCP->SP mapping configurations
===========================================
       pcp  dscp         switch-prio
    -  ---  -----------  -----------
    0  0    0,1          0
    1  4    32,33,34,35  4
            36,37
"""


def test_a_value_wider_than_its_column() -> None:
    found = shown(
        HEAD + "name             a-value-wider-than-its-dashes  on\nnext             off\n"
    )
    assert found.value("name") == "a-value-wider-than-its-dashes"
    assert found.value("next") == "off"


def test_the_applied_value_stands_in_where_nothing_is_in_force() -> None:
    found = shown(
        HEAD + "mode                          lossless\nother            -            x\n"
    )
    assert found.value("mode") == "lossless"
    assert found.value("other") is None
    assert found.value("nothing") is None


def test_a_line_that_is_no_attribute() -> None:
    assert shown(HEAD + "!? odd           1\n").unparsed == ("!? odd           1",)


@pytest.mark.parametrize(
    ("ways", "lossless"),
    [(("yes", "yes"), [2, 4]), (("disabled", "disabled"), []), (("no", "enabled"), [2, 4])],
)
def test_pfc_that_is_off_both_ways(ways: tuple[str, str], lossless: list[int]) -> None:
    text = ROCE + RX.format(ways[0]) + TX.format(ways[1]) + MAPPING
    assert status(text).facts["lossless"] == lossless


def test_a_list_of_dscps_that_goes_on_in_the_next_row() -> None:
    found = status(ROCE + MAPPING).facts["dscp_to_priority"]
    assert found == {"0": 0, "1": 0, **{str(n): 4 for n in range(32, 38)}}


def test_numbers() -> None:
    assert numbers("0-2,7, 9") == [0, 1, 2, 7, 9]
    assert numbers("-") == numbers("n/a") == numbers(None) == numbers("0-99999999") == []


SENT = "nv show interface {port} qos roce counters"


@pytest.mark.parametrize("prompt", ["cumulus@leaf01:mgmt:~$ ", "root@leaf01:~# ", "> ", ""])
def test_an_echo(prompt: str) -> None:
    text = f"{prompt}nv show interface swp1s3 qos roce counters\nrx-stats\n"
    assert echoed_port(text, SENT) == "swp1s3"
    assert echoed_port(text.replace("swp1s3", "{port}"), SENT) is None
    assert echoed_port(text, "nv show system") is None
    if prompt != "> ":
        assert cleaned(text, SENT) == "rx-stats"


def test_a_command_within_other_text_is_no_echo() -> None:
    assert echoed_port("see nv show interface swp1 qos roce counters", SENT) is None
