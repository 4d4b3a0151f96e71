import pytest

from fabric.live.rehearsal.cli.pattern import read_pattern


@pytest.mark.parametrize(
    ("pattern", "line", "key_words"),
    [
        ("mtu = <68-9214>", "mtu 9214", 1),
        ("ip address WORD", "ip address 10.0.0.1/31", 3),
        ("neighbor WORD remote-as = WORD", "neighbor 10.0.0.0 remote-as 65001", 3),
        ("qos map dscp ... to traffic-class = <0-7>", "qos map dscp 1 2 3 to traffic-class 0", 8),
        ("ip name-server ~vrf ~WORD WORD", "ip name-server vrf MGMT 192.0.2.53", 5),
        ("ip name-server ~vrf ~WORD WORD", "ip name-server 192.0.2.53", 3),
        ("ipv6 unicast-routing ~vrf ~WORD", "ipv6 unicast-routing", 2),
        ("(permit|deny) ...", "permit 10.0.0.0/8 le 32", 4),
        ("network WORD *", "network 10.0.0.0/8", 2),
    ],
)
def test_a_whole_line_fits(pattern: str, line: str, key_words: int) -> None:
    fit = read_pattern(pattern).fit(tuple(line.split()))
    assert fit is not None
    assert fit.complete
    assert fit.key_words == key_words


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        ("mtu = <68-9214>", "mtu 9215"),
        ("mtu = <68-9214>", "mtu nine"),
        ("mtu = <68-9214>", "mtu 9214 more"),
        ("(permit|deny) ...", "allow all"),
        ("ip address WORD", "ip route x"),
    ],
)
def test_another_line_does_not_fit(pattern: str, line: str) -> None:
    assert read_pattern(pattern).fit(tuple(line.split()), part=True) is None


def test_words_that_stop_early_fit_in_part_alone() -> None:
    pattern = read_pattern("neighbor WORD remote-as = WORD")
    assert pattern.fit(("neighbor", "10.0.0.0")) is None
    part = pattern.fit(("neighbor", "10.0.0.0"), part=True)
    assert part is not None
    assert not part.complete
