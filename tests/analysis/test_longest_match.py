"""Atoms against a look-up of each address with ``ipaddress``."""

from __future__ import annotations

import ipaddress

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fabric.analysis.longest_match import Atoms, Lookup

# Prefixes of a small space: all addresses of it can be looked up one by one.
BITS = 6
V4 = int(ipaddress.ip_address("10.0.0.0"))
V6 = int(ipaddress.ip_address("2001:db8::"))


@st.composite
def prefixes(draw: st.DrawFn) -> str:
    length = draw(st.integers(0, BITS))
    start = draw(st.integers(0, 2**length - 1)) << (BITS - length)
    if draw(st.booleans()):
        return str(ipaddress.IPv4Network((V4 + start, 32 - BITS + length)))
    return str(ipaddress.IPv6Network((V6 + start, 128 - BITS + length)))


TABLES = st.lists(st.lists(prefixes(), unique=True, max_size=12), min_size=1, max_size=4)
ADDRESSES: list[ipaddress.IPv4Address | ipaddress.IPv6Address] = [
    *(ipaddress.IPv4Address(V4 + n) for n in range(2**BITS)),
    *(ipaddress.IPv6Address(V6 + n) for n in range(2**BITS)),
]


def _longest(table: list[str], address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> str:
    found = [n for n in map(ipaddress.ip_network, table) if address in n]
    return str(max(found, key=lambda n: n.prefixlen, default=""))


@given(TABLES)
def test_every_address_is_matched_as_one_look_up_would(tables: list[list[str]]) -> None:
    atoms = Atoms.of(prefix for table in tables for prefix in table)
    own = np.full((len(tables), len(atoms.prefixes)), -1, dtype=np.int64)
    for row, table in zip(own, tables, strict=True):
        for prefix in table:
            row[atoms.number[prefix]] = atoms.number[prefix]
    matched = atoms.matched(own)
    hit = set()
    for address in ADDRESSES:
        atom = _longest(list(atoms.prefixes), address)
        if not atom:
            continue
        hit.add(atom)
        for row, table in zip(matched, tables, strict=True):
            number = row[atoms.number[atom]]
            assert (atoms.prefixes[number] if number >= 0 else "") == _longest(table, address)
    # An atom has addresses exactly when some address has it as its longest prefix.
    assert hit == {p for p, left in zip(atoms.prefixes, atoms.has_addresses, strict=True) if left}


@given(st.lists(prefixes(), unique=True, max_size=12), st.sampled_from(ADDRESSES))
def test_single_look_ups(
    table: list[str], address: ipaddress.IPv4Address | ipaddress.IPv6Address
) -> None:
    assert (Lookup(table).longest(str(address)) or "") == _longest(table, address)


def test_the_whole_internet_of_both_families() -> None:
    atoms = Atoms.of(["::/0", "0.0.0.0/0", "::/1", "8000::/1", "10.0.0.0/8"])
    left = dict(zip(atoms.prefixes, atoms.has_addresses.tolist(), strict=True))
    assert left == {
        "::/0": False,
        "0.0.0.0/0": True,
        "::/1": True,
        "8000::/1": True,
        "10.0.0.0/8": True,
    }
