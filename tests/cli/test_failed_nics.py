"""Cables of hosts that ``--fail`` names, against figures made by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.conftest import INVENTORIES

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

LAB = str(INVENTORIES / "leafspine-lab.yaml")  # 4 leaves, 2 spines, 2 hosts a leaf, all at 100G
RING = str(INVENTORIES / "ring4.yaml")
BOND = """\
fabric: bond
topology: {kind: leaf-spine, leaves: 2, spines: 2}
platforms: {default: {platform: sonic, model: generic}}
links: {speed: 800}
hosts: {count: 4, nic: connectx-6, speed: 100, attach: bond}
"""
DUAL = """\
fabric: dual
topology: {kind: leaf-spine, leaves: 2, spines: 2}
platforms: {default: {platform: frr, model: generic}}
links: {speed: 100}
hosts: {count: 4, nic: connectx-6, speed: 100, attach: dual-tor}
"""
SPRAY = ("--hash", "spray", "--trials", "5", "--qps", "1")


def analyzed(fabric: Shell, inventory: str, *fail: str) -> Any:
    path = inventory
    if "\n" in inventory:
        path = str(fabric.write("f.yaml", inventory))
    words = [word for name in fail for word in ("--fail", name)]
    done = fabric("analyze", "bandwidth", path, *SPRAY, *words, "--json")
    assert done.code == 0, done.err
    return done.json


@pytest.mark.parametrize("word", ["h1:leaf-0:1", "leaf-0:h1", "h1/eth1", "leaf-0/swp1"])
def test_a_lost_nic_is_an_endpoint_less(fabric: Shell, word: str) -> None:
    """7 left: halves of 3 and 4, cut 3. A whole leaf sends 2 · 5/6 out over 2 uplinks: θ 1.2."""
    found = analyzed(fabric, LAB, word)
    assert found["failed"] == ["h1:leaf-0:1"]
    assert (found["endpoints"], found["detached"]) == (8, 1)
    cut = found["bisection"]
    assert (cut["links"], cut["lower"], cut["ratio"], cut["kind"]) == (3, 3, 1, "exact")
    uniform = found["theta"]["uniform"]
    assert (uniform["lp"], uniform["ecmp"], uniform["nics"]) == pytest.approx((1.2, 1.2, 1))
    assert found["worst_tor_uplink_ratio"] == 1  # of a leaf with both; leaf-0 has 2
    (effective,) = found["effective"]
    assert (effective["mean"], effective["stranded"]) == (1, 0)


def test_a_lost_member_of_a_bond_halves_its_rate(fabric: Shell) -> None:
    """Unit 200G, uplinks 2 × 4 a leaf. The half with the weak one sends 1.5; both halves' mean
    1.75. Sprayed: pairs of the weak one 0.5, others 1. Leaf-0: 8 over 1.5, leaf-1: 8 over 2."""
    whole, found = analyzed(fabric, BOND), analyzed(fabric, BOND, "host-1/rdma0p1")
    assert found["failed"] == ["host-1:leaf-0:2"]
    assert (whole["bisection"]["links"], whole["theta"]["uniform"]["nics"]) == (2, 1)
    assert (found["endpoints"], found["detached"]) == (4, 0)
    assert found["bisection"]["links"] == pytest.approx(1.5)
    assert found["bisection"]["ratio"] == pytest.approx(1.5 / 1.75)
    uniform = found["theta"]["uniform"]  # 2 send 2/3 each over 8
    assert (uniform["lp"], uniform["ecmp"], uniform["nics"]) == pytest.approx((6, 6, 0.5))
    assert (found["worst_tor"], found["worst_tor_uplink_ratio"]) == ("leaf-1", 4)
    (effective,) = found["effective"]
    assert (effective["mean"], effective["worst_pair"]) == pytest.approx((0.75, 0.5))


def test_a_bond_without_cables_is_gone(fabric: Shell) -> None:
    found = analyzed(fabric, BOND, "host-1:leaf-0:*")
    assert (found["endpoints"], found["detached"]) == (4, 1)
    assert found["bisection"]["links"] == pytest.approx(1)  # one against two
    assert found["effective"][0]["mean"] == 1


def test_a_lost_cable_to_one_of_two_leaves(fabric: Shell) -> None:
    """Unit 200G, uplinks 0.5 each. What others send to it by leaf-1 crosses: half of 3 · 1/3 over
    1: even split 2; over leaf-0 alone nothing would. Leaf-0 has 3 · 0.5 + 0.5 on uplinks of 1."""
    whole, found = analyzed(fabric, DUAL), analyzed(fabric, DUAL, "host-0:leaf-1")
    assert whole["theta"]["uniform"]["lp"] is None
    assert whole["theta"]["uniform"]["why_null"] == "no traffic crosses a cable between switches"
    assert whole["effective"][0]["mean"] == 1
    assert found["failed"] == ["host-0:leaf-1:1"]
    assert (found["endpoints"], found["detached"]) == (4, 0)
    assert found["bisection"]["links"] == pytest.approx(1.5)
    uniform = found["theta"]["uniform"]
    assert (uniform["lp"], uniform["ecmp"], uniform["nics"]) == (None, 2, 0.5)
    assert (found["worst_tor"], found["worst_tor_uplink_ratio"]) == ("leaf-0", 0.5)
    (effective,) = found["effective"]
    assert (effective["mean"], effective["worst_pair"]) == pytest.approx((0.75, 0.5))


def test_a_leaf_may_not_go_that_has_the_other_cable(fabric: Shell) -> None:
    path = str(fabric.write("f.yaml", DUAL))
    assert fabric("analyze", "drain", path, "leaf-0", "--json").json["may"] is True
    done = fabric("analyze", "drain", path, "leaf-0", "--fail", "host-0:leaf-1", "--json")
    assert (done.code, done.json["may"]) == (1, False)
    assert done.json["reasons"] == ["1 endpoint loses its only leaf"]
    other = fabric("analyze", "drain", path, "leaf-1", "--fail", "host-0:leaf-1", "--json")
    assert other.json["after"]["detached"] == 0


@pytest.mark.parametrize(
    ("fail", "cbd"), [((), True), (("r3-h0:r3",), True), (("r3-h0:r3", "r3/Ethernet8"), False)]
)
def test_a_ring_needs_hosts_on_every_switch(
    fabric: Shell, fail: tuple[str, ...], *, cbd: bool
) -> None:
    """Of four switches one without hosts: nothing turns from r2's cable to r3 and goes on there."""
    down = [word for name in fail for word in ("--fail", name)]
    done = fabric("analyze", "deadlock", RING, *down, "--json")
    assert done.json["cbd"] is cbd
    swept = fabric("analyze", "deadlock", RING, *down, "--failures", "1", "--json").json
    assert swept["unfailed"]["cbd"] is cbd
    sent = fabric("analyze", "storm", RING, *down, "--slots", "9000", "--seeds", "1", "--json")
    assert sent.json["cbd"] is cbd


def test_a_job_on_a_lost_nic_does_not_run(fabric: Shell) -> None:
    job = fabric.write("job.yaml", "workload: job\n")
    words = ("analyze", "workload", LAB, str(job), "--trials", "1", "--json")
    assert fabric(*words).code == 0
    done = fabric(*words, "--fail", "h1/eth1")
    assert (done.code, done.json["endpoints_lost"]) == (1, ["h1 eth1"])


def test_all_words_that_name_nothing_at_once(fabric: Shell) -> None:
    done = fabric("analyze", "bandwidth", LAB, "--fail", "h1", "h1/eth7", "h99:leaf-0")
    assert done.code == 2
    text = " ".join(done.err.split())
    assert "h1 is a host, and what fails is a switch or a cable help: its cables are h1:lea" in text
    assert "h1 has no cable in port eth7 help: did you mean eth1?" in text
    assert "there is no switch and no host h99" in text
