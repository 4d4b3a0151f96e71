"""The class-rise rule on what was rendered and read back, for every cable of a dragonfly.

``ConfigDb`` is read here by itself: the truth does not come from the reader of the program.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import fabric
from fabric.checks.facts import Facts
from fabric.checks.registry import all_rules
from fabric.checks.run import judge
from fabric.design.devices import DeviceModels
from fabric.files.locate import templates_root
from fabric.text import Renderer, chains

if TYPE_CHECKING:
    from fabric.model.design import Design
    from fabric.model.device import DeviceModel
    from fabric.model.finding import Finding

Tables = dict[str, dict[str, dict[str, str]]]

ROOT = Path(__file__).resolve().parents[2]
TEXTS = {
    "two-routers": "topology: {kind: dragonfly, p: 1, a: 2, h: 1, g: 3}\n"
    "platforms: {default: {platform: sonic, model: nvidia-sn3700}}\nhosts: {speed: 100}\n",
    # Broadcom: no PFC → PG map, headroom from a shared pool.
    "broadcom": "topology: {kind: dragonfly, p: 2, a: 4, h: 2, g: 9}\n"
    "platforms: {default: {platform: sonic, model: dell-z9332f}}\nhosts: {speed: 400}\n",
    "own-values": "topology: {kind: dragonfly, p: 1, a: 3, h: 2, g: 4, local_links: 2}\n"
    "platforms: {default: {platform: sonic, model: nvidia-sn5600}}\nhosts: {speed: 400}\n"
    "roce: {dscp: 10, priority: 5, cnp_dscp: 46, cnp_priority: 7,"
    " raised: [{dscp: 20, priority: 2}], classes: [{name: bulk, dscp: [8, 9], priority: 1}]}\n",
    "dragonfly128": "topology: {kind: dragonfly, p: 2, a: 8, h: 4, g: 8}\n"
    "platforms: {default: {platform: sonic, model: nvidia-sn3700}}\n"
    "hosts: {speed: 100, nic: connectx-6}\n",
}


@dataclass(frozen=True)
class Rendered:
    """A design and the files of its switches."""

    design: Design
    files: dict[str, dict[str, str]]

    def tables(self, device: str) -> Tables:
        read: Tables = json.loads(self.files[device]["config_db.json"])
        return read

    def findings(self, rule: str = "RCE330") -> tuple[Finding, ...]:
        """What a rule says of the chains that the files state."""
        models = DeviceModels(self.design)

        def of(name: str) -> DeviceModel:
            model = models.of(name)
            read = {c.port: c for c in chains("sonic", self.files[name], name)}
            interfaces = tuple(replace(i, chain=read[i.name]) for i in model.interfaces)
            return replace(model, interfaces=interfaces)

        return judge(all_rules()[rule][1], Facts(self.design, device_of=of))

    def changed(self, device: str, change: dict[str, Any]) -> Rendered:
        """One table entry of a switch set (``table / row / field``), or gone (``None``)."""
        tables = self.tables(device)
        for path, value in change.items():
            table, row, field = path.split(" / ")
            if value is None:
                del tables[table][row][field]
            else:
                tables[table].setdefault(row, {})[field] = value
        files = {**self.files[device], "config_db.json": json.dumps(tables)}
        return replace(self, files={**self.files, device: files})


@cache
def rendered(name: str, folder: Path) -> Rendered:
    path = ROOT / "inventories" / f"{name}.yaml"
    if not path.exists():
        path = folder / f"{name}.yaml"
        path.write_text(f"fabric: f\n{TEXTS[name]}")
    design = fabric.load(path)
    models, renderer = DeviceModels(design), Renderer((templates_root(),))
    return Rendered(
        design,
        {
            s.name: {f.name: f.text for f in renderer.device(models.of(s.name)).files}
            for s in design.topology.switches
        },
    )


@pytest.fixture(scope="module", name="folder")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("class-rise")


def _entry(tables: Tables, port: str, field: str, table: str, key: str) -> str | None:
    name = tables["PORT_QOS_MAP"][port].get(field)
    return None if name is None else tables[table][name][key]


def _leaves(tables: Tables, port: str, arrived: str) -> tuple[str, str]:
    """Queue and DSCP on the wire of what came in with this DSCP, through any port."""
    classes = {
        _entry(tables, other, "dscp_to_tc_map", "DSCP_TO_TC_MAP", arrived)
        for other in tables["PORT_QOS_MAP"]
        if other != "global"
    }
    (tc,) = classes
    assert tc is not None
    queue = _entry(tables, port, "tc_to_queue_map", "TC_TO_QUEUE_MAP", tc)
    assert queue is not None
    return queue, _entry(tables, port, "tc_to_dscp_map", "TC_TO_DSCP_MAP", tc) or arrived


def _pauses(tables: Tables, port: str, dscp: str) -> str | None:
    """The priority that this port pauses for a DSCP."""
    tc = _entry(tables, port, "dscp_to_tc_map", "DSCP_TO_TC_MAP", dscp)
    assert tc is not None
    group = _entry(tables, port, "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP", tc)
    enabled = tables["PORT_QOS_MAP"][port]["pfc_enable"].split(",")
    to_group = tables["PORT_QOS_MAP"][port].get("pfc_to_pg_map")
    of_group = (
        {p: p for p in enabled}
        if to_group is None
        else tables["PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"][to_group]
    )
    found = [p for p in enabled if of_group[p] == group]
    assert len(found) <= 1
    return found[0] if found else None


@pytest.mark.parametrize("name", TEXTS)
def test_queue_pause_and_priority_group_agree_on_every_cable(name: str, folder: Path) -> None:
    fabric_ = rendered(name, folder)
    design = fabric_.design
    base, raised = design.intent.roce.class_map.lossless
    tables = {s.name: fabric_.tables(s.name) for s in design.topology.switches}
    seen = 0
    for link in design.topology.fabric_links:
        for u, v in ((link.a, link.b), (link.b, link.a)):
            for arrived, leaves in (
                (base, raised if link.kind == "global" else base),
                (raised, None if link.kind == "global" else raised),
            ):
                queue, wire = _leaves(tables[u.device], u.port, str(arrived.dscps[0]))
                pauses = _pauses(tables[v.device], v.port, wire)
                if leaves is None:  # a second global hop: nothing lossless at either end
                    assert (queue, wire, pauses) == ("0", "0", None)
                else:
                    assert wire == str(leaves.dscps[0])
                    assert pauses == str(leaves.priority)
                    stops = _entry(
                        tables[u.device],
                        u.port,
                        "pfc_to_queue_map",
                        "MAP_PFC_PRIORITY_TO_QUEUE",
                        pauses,
                    )
                    assert stops == queue == str(leaves.queue)
                seen += 1
    assert seen == 4 * len(design.topology.fabric_links)


@pytest.mark.parametrize("name", TEXTS)
def test_other_classes_keep_their_own_on_every_cable(name: str, folder: Path) -> None:
    fabric_ = rendered(name, folder)
    design = fabric_.design
    class_map = design.intent.roce.class_map
    lossy = [(str(d), c) for c in class_map.classes if not c.lossless for d in c.dscps]
    tables = {s.name: fabric_.tables(s.name) for s in design.topology.switches}
    link = next(x for x in design.topology.links if x.kind == "global")
    for u, v in ((link.a, link.b), (link.b, link.a)):
        for dscp, traffic in lossy:
            queue, wire = _leaves(tables[u.device], u.port, dscp)
            assert queue == str(traffic.queue)
            assert int(wire) in traffic.dscps
            assert _pauses(tables[v.device], v.port, wire) is None


@pytest.mark.parametrize("name", TEXTS)
def test_the_rule_agrees_and_so_do_the_others(name: str, folder: Path) -> None:
    for rule in ("RCE302", "RCE303", "RCE310", "RCE311", "RCE315", "RCE330"):
        assert rendered(name, folder).findings(rule) == (), rule


def test_every_cable_was_looked_at(folder: Path) -> None:
    design = rendered("dragonfly128", folder).design
    kinds = [link.kind for link in design.topology.links]
    # 64 routers: 8·28 pairs inside groups, 28 pairs of groups with 4 cables, 2 hosts a router.
    local = 224 * design.intent.topology_params.local_links  # type: ignore[attr-defined]
    assert (kinds.count("local"), kinds.count("global"), kinds.count("host")) == (local, 112, 128)


# On router-1-0 of the smallest one.
BROKEN: dict[str, dict[str, Any]] = {
    "re-marking is gone": {"PORT_QOS_MAP / {port} / tc_to_dscp_map": None},
    "the queue is the old one": {"PORT_QOS_MAP / {port} / tc_to_queue_map": "ROCE"},
    "nothing rises": {
        "PORT_QOS_MAP / {port} / tc_to_dscp_map": None,
        "PORT_QOS_MAP / {port} / tc_to_queue_map": "ROCE",
    },
    "PFC stops another queue": {"MAP_PFC_PRIORITY_TO_QUEUE / ROCE / 4": "3"},
    "PFC of the raised class is off": {"PORT_QOS_MAP / {port} / pfc_enable": "3"},
    "the raised class is lossy at the ingress": {"TC_TO_PRIORITY_GROUP_MAP / ROCE / 4": "0"},
    "the raised DSCP is another class's": {"DSCP_TO_TC_MAP / ROCE / 34": "0"},
    "CNP becomes the default class's": {"TC_TO_DSCP_MAP / ROCE_RISE / 6": "0"},
    "CNP becomes lossless": {"TC_TO_DSCP_MAP / ROCE_RISE / 6": "34"},
    "the last class goes on lossless": {
        "TC_TO_DSCP_MAP / ROCE_RISE / 4": "34",
        "TC_TO_QUEUE_MAP / ROCE_RISE / 4": "4",
    },
    "a local port rises too": {"PORT_QOS_MAP / {local} / tc_to_dscp_map": "ROCE_RISE"},
    "PG 4 pauses priority 3": {
        "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP / ROCE / 3": "4",
        "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP / ROCE / 4": "3",
    },
}


@pytest.mark.parametrize("what", BROKEN)
def test_each_break_is_found(what: str, folder: Path) -> None:
    fabric_ = rendered("two-routers", folder)
    device = "router-1-0"
    ports: dict[str, str] = {}
    for link in fabric_.design.topology.links_of(device):
        ports.setdefault(link.kind, link.end(device).port)
    change = {
        path.format(port=ports["global"], local=ports["local"]): value
        for path, value in BROKEN[what].items()
    }
    found = fabric_.changed(device, change).findings()
    assert found
    told = " ".join(f"{finding.message} {' '.join(finding.evidence)}" for finding in found)
    assert device in told
