"""``fabric push --lab``: FRR over OpenSSH, on a leaf-spine whose BGP is up."""

from __future__ import annotations

import shutil
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fabric.live.lab import faults
from tests.live.lab import inventories
from tests.live.lab.conftest import lab_of
from tests.live.lab.pushed import ROOT, TIMERS, Bench

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.usefixtures("allowed")

SWITCHES = ["leaf-0", "leaf-1", "leaf-2", "leaf-3", "spine-0", "spine-1"]
MTU = "roce: {mtu: {switch: 9100}}\n"
UNDERLAY = "_shared/frr/underlay.j2"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    folder = tmp_path_factory.mktemp("pushed")
    inventory = folder / "pushed.yaml"
    inventory.write_text(inventories.PUSHED)
    with lab_of(inventory) as (_, layout):
        yield Bench(folder, layout)


@pytest.fixture
def bench(lab: Bench) -> Iterator[Bench]:
    """The lab as it was built, known to this installation; so it is left, too."""
    lab.plan()
    lab.met()
    before = lab.configured()
    yield lab
    faults.clear(lab.layout.name)
    shutil.rmtree(lab.folder / "templates", ignore_errors=True)
    lab.plan()
    assert lab.push().status == 0
    assert lab.configured() == before
    assert lab.left() == ""


def test_there_and_back(bench: Bench) -> None:
    as_built = bench.configured()
    nothing = bench.push()  # a lab is built as planned
    assert (nothing.status, nothing.tally) == (0, {"unchanged": 6})

    (bench.state / "lab-contacts.jsonl").unlink()
    bench.plan(TIMERS + MTU)
    done = bench.push(timer_s=25)
    assert (done.status, done.tally) == (0, {"changed": 6}), done.out
    assert "first contact with frr 8" in done.told("contact", "leaf-0")
    assert "let run out" in done.told("contact", "leaf-0")
    order = [e["device"] for e in done.events if e["event"] == "device"]
    assert [sorted(order[a:b]) for a, b in ((0, 1), (1, 4), (4, 6))] == [
        SWITCHES[:1],
        SWITCHES[1:4],
        SWITCHES[4:],
    ]
    contacts = (bench.state / "lab-contacts.jsonl").read_text()
    assert '"timer": true' in contacts
    assert not (bench.state / "contacts.jsonl").exists()  # no switch was met

    assert bench.as_planned()
    for name in SWITCHES:
        text = bench.on(name, "vtysh -c 'show running-config'")
        assert "maximum-paths 32" in text
        assert "timers 2 6" in text
        planned = bench.folder / "build/pushed/configs" / name / "frr.conf"
        assert bench.on(name, "cat /etc/frr/frr.conf") == planned.read_text()
        assert "mtu 9100" in bench.on(name, "ip link show dev swp1")
    assert bench.left() == ""

    stamps = "stat -c '%n %i %y' /etc/frr/* /etc/sysctl.d/* /etc/network/interfaces.d/*"
    before = [bench.on(name, stamps) for name in SWITCHES]
    again = bench.push()
    assert (again.status, again.tally) == (0, {"unchanged": 6})
    assert [bench.on(name, stamps) for name in SWITCHES] == before

    back = bench.run("rollback", *bench.to, "--yes", "--window", "--json")
    assert (back.status, back.tally) == (0, {"changed": 6}), back.out
    assert bench.configured() == as_built
    assert "mtu 9216" in bench.on("leaf-0", "ip link show dev swp1")
    assert bench.as_planned()

    own = ip_network(bench.layout.management_network)
    reached = set(bench.dialled.read_text().split())
    assert len(reached) == len(SWITCHES)
    assert all(ip_address(address) in own for address in reached)


def test_root_is_the_nodes_own(lab: Bench) -> None:
    lab.on("leaf-0", "touch /root/of-leaf-0")
    assert "of-leaf-0" in lab.on("leaf-0", "ls /root")
    assert "of-leaf-0" not in lab.on("leaf-1", "ls /root")
    assert not Path("/root/of-leaf-0").exists()


def break_spines(bench: Bench) -> None:
    """A template of one's own that gives spines the wrong ASN of each leaf; FRR finds it good."""
    text = (ROOT / "templates" / UNDERLAY).read_text()
    wrong = "session.peer_asn + (1 if device.name.startswith('spine') else 0)"
    broken = text.replace(
        "neighbor {{ session.peer_address }} remote-as {{ session.peer_asn }}",
        f"neighbor {{{{ session.peer_address }}}} remote-as {{{{ {wrong} }}}}",
    )
    assert broken != text
    path = bench.folder / "templates" / UNDERLAY
    path.parent.mkdir(parents=True)
    path.write_text(broken)


def test_what_breaks_bgp_is_caught_and_all_devices_go_back(bench: Bench) -> None:
    before = bench.configured()
    break_spines(bench)
    bench.plan(TIMERS)
    done = bench.push(bgp_s=10)
    assert (done.status, done.tally) == (3, {"failed-restored": 6}), done.out
    for spine in ("spine-0", "spine-1"):
        assert "BGP sessions that were up before are down" in done.told("gate", spine)
    assert bench.configured() == before
    assert bench.left() == ""
    shutil.rmtree(bench.folder / "templates")
    bench.plan()
    assert bench.as_planned()


def test_nodes_that_cannot_be_reached_or_written_are_left_out(bench: Bench) -> None:
    before = bench.configured()
    lab = bench.layout.name
    bench.plan(TIMERS)
    faults.inject(lab, "sshd-hang", ("leaf-1",))
    faults.inject(lab, "host-key", ("leaf-2",))
    faults.inject(lab, "disk-full", ("spine-0",))
    done = bench.push()
    assert done.status == 2, done.out
    refused = {
        e["device"]: (e["step"], e["message"]) for e in done.events if e["event"] == "refused"
    }
    assert refused["leaf-1"][0] == "RCE907"
    assert "shows no SSH banner" in refused["leaf-1"][1]
    assert refused["leaf-2"][0] == "RCE906"
    assert refused["leaf-2"][1].count("SHA256:") == 2
    assert refused["spine-0"][0] == "RCE923"
    assert "0 KB are free, 1024 KB are needed" in refused["spine-0"][1]
    assert refused[""][0] == "RCE922"
    assert bench.configured() == before

    dry = bench.run("push", *bench.to, "--window", "--dry-run", "--json")
    assert dry.status == 3
    rest = bench.run("push", *bench.to, "--window", "--json", "--approve", dry.events[0]["change"])
    assert (rest.status, rest.tally) == (3, {"changed": 3, "refused": 3}), rest.out
    out = {"leaf-1", "leaf-2", "spine-0"}
    after = bench.configured()
    assert {name for name in SWITCHES if after[name] == before[name]} == out
