"""What of a SONiC switch is the plan's, and what is typed to change it."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from fabric import catalog, flow
from fabric.changing.shell import Folder
from fabric.design.devices import DeviceModels
from fabric.files.locate import templates_root
from fabric.model.push import Command, Identity, Job, PutFile, ReplyError
from fabric.platforms.sonic.pushing.committing import SonicCommit
from fabric.platforms.sonic.pushing.files import CONF_PATH, CONFIG_PATH
from fabric.platforms.sonic.pushing.ownership import OWNERSHIP
from fabric.platforms.sonic.pushing.ready import status_and_ready
from fabric.text import Renderer
from tests.changing.doing import commands_of, scripts_of, syntax_errors
from tests.platforms.sonic.switch import (
    HERE,
    LOOKUP,
    PREVIEW,
    RUNNING,
    TEXT,
    rendered_in,
    same_box,
)

if TYPE_CHECKING:
    from pathlib import Path

COMMIT = SonicCommit()
ROOTS = (templates_root(),)
GOLDEN = sorted(path for path in (HERE / "golden").glob("*/*"))
FACTS = (("home", "/home/admin"), ("root", "sudo"), ("timer", "systemd-run"))
IDENTITY = Identity("sonic", "x86_64-mlnx_msn3700-r0", "202505.8", FACTS)
UNOWNED = (
    "AAA", "ACL_TABLE", "MGMT_INTERFACE", "MGMT_PORT", "NTP_SERVER", "SNMP", "SNMP_COMMUNITY",
    "SYSLOG_SERVER", "TACPLUS", "TACPLUS_SERVER", "VERSIONS",
)  # fmt: skip


def _job(folder: Path = HERE / "golden/numbered/leaf-0") -> Job:
    target = PREVIEW.target(RUNNING, rendered_in(folder))
    return Job("p1", "leaf-0", "admin", RUNNING, target, 600, IDENTITY)


def test_the_words_are_those_of_the_manifest() -> None:
    spec = catalog.platform_spec("sonic", ROOTS)
    assert spec.owns == OWNERSHIP.owns
    assert spec.ignores == OWNERSHIP.ignores
    paths = {file.name: file.remote_path for file in spec.files}
    assert paths == {"config_db.json": CONFIG_PATH, "frr.conf": CONF_PATH}


def _block(text: str, table: str) -> str:
    """The text of one table, brackets included."""
    start = text.index(f'    "{table}": {{')
    return text[start : text.index("\n    }", start)]


@pytest.mark.parametrize("folder", GOLDEN, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_is_not_the_plans_stays_byte_for_byte(folder: Path) -> None:
    rendered = rendered_in(folder)
    rendered["config_db.json"] = same_box(rendered["config_db.json"])
    target = PREVIEW.target(RUNNING, rendered)
    text = target["config_db.json"]
    for table in UNOWNED:
        assert _block(text, table) == _block(TEXT, table)
    config = json.loads(text)
    metadata = config["DEVICE_METADATA"]["localhost"]
    assert (metadata["mac"], metadata["timezone"]) == ("02:00:00:00:00:01", "Etc/UTC")
    assert metadata["hostname"] == folder.name
    assert config["FEATURE"]["lldp"]["state"] == "enabled"
    assert config["FEATURE"]["bgp"] == {"auto_restart": "enabled", "state": "enabled"}
    assert "10.0.0.57" not in config.get("BGP_NEIGHBOR", {})
    assert PREVIEW.target(target, rendered)["config_db.json"] == text
    assert PREVIEW.differences(target, target) == ()


INVENTORIES = sorted(templates_root().parent.glob("inventories/*.yaml"))


@pytest.mark.parametrize("path", INVENTORIES, ids=lambda path: path.stem)
def test_each_example_goes_into_a_running_switch(path: Path) -> None:
    design = flow.load(path)
    models, renderer = DeviceModels(design), Renderer(ROOTS)
    names = {switch.role: switch.name for switch in design.topology.switches}
    for name in names.values():
        model = models.of(name)
        if model.platform.name != "sonic":
            continue
        files = {file.name: file.text for file in renderer.device(model).files}
        files["config_db.json"] = same_box(files["config_db.json"])
        target = PREVIEW.target(RUNNING, files)
        for table in UNOWNED:
            assert _block(target["config_db.json"], table) == _block(TEXT, table)
        assert PREVIEW.target(target, files)["config_db.json"] == target["config_db.json"]
        assert PREVIEW.differences(RUNNING, target)


def test_a_plan_for_another_sku_is_refused() -> None:
    rendered = rendered_in(HERE / "golden/numbered/leaf-0")
    rendered["config_db.json"] = rendered["config_db.json"].replace("ACS-MSN3700", "ACS-MSN4600")
    with pytest.raises(ReplyError, match="hwsku ACS-MSN4600, the switch has ACS-MSN3700"):
        PREVIEW.target(RUNNING, rendered)


def test_what_is_typed() -> None:
    typed = commands_of(COMMIT.apply(_job()))
    load = "sudo -n setsid sh /home/admin/fabric-push-p1/load.sh >/dev/null 2>&1 </dev/null &"
    assert load in typed
    assert typed.index(load) > next(n for n, text in enumerate(typed) if "systemd-run" in text)
    scripts = scripts_of(COMMIT.apply(_job()))
    assert any(
        "config reload -y -f /home/admin/fabric-push-p1/config_db.json" in text for text in scripts
    )
    assert any("config reload -y -f\n" in text for text in scripts)
    everything = "\n".join((*typed, *scripts, *commands_of(COMMIT.save(_job()))))
    for never in ("apply-patch", "config rollback", "config load ", "write memory", "cat >"):
        assert never not in everything
    assert "startup files" in COMMIT.way_back(_job())


def test_what_boots_changes_only_when_it_is_saved() -> None:
    for step in COMMIT.apply(_job()):
        for action in step.actions:
            assert not (isinstance(action, PutFile) and action.path.startswith("/etc"))
    assert not [text for text in commands_of(COMMIT.apply(_job())) if "mv -f" in text]


def test_every_line_is_a_shell_line(tmp_path: Path) -> None:
    job = _job()
    steps = [*COMMIT.apply(job), *COMMIT.confirm(job), *COMMIT.save(job)]
    steps += [*COMMIT.restore(job, pending=True, saving=True), *PREVIEW.discard(job)]
    for text in (*commands_of(steps), *scripts_of(steps)):
        assert not syntax_errors(text, tmp_path), text
    if shutil.which("shellcheck"):
        for number, text in enumerate(scripts_of(steps)):
            file = tmp_path / f"script{number}.sh"
            file.write_text(f"#!/bin/sh\n{text}")
            words = ("shellcheck", "-S", "warning", str(file))
            ended = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
            assert not ended.stdout


@pytest.mark.parametrize(
    ("replies", "missing"),
    [
        (("", "", "", "", "", ""), "config reload has not ended yet"),
        (("0", "", "active\nactivating\nactive\nactive", "1", "FRRouting 10", ""), "swss"),
        (("0", "", "active\n" * 4, "", "FRRouting 10", ""), "CONFIG_DB is not filled"),
        (("0", "", "active\n" * 4, "1", "", ""), "FRR does not answer"),
        (("0", "", "active\n" * 4, "1", "FRRouting 10.3 (leaf-0)", ""), None),
    ],
)
def test_when_it_is_ready(replies: tuple[str, ...], missing: str | None) -> None:
    found = status_and_ready(Folder("/home/admin/fabric-push-p1"), "load").read(replies)
    assert (found is None) if missing is None else (missing in str(found))


def test_a_reload_that_failed_is_not_waited_for() -> None:
    ask = status_and_ready(Folder("/home/admin/fabric-push-p1"), "load")
    with pytest.raises(ReplyError, match=r"exit status 1.*SwSS container is not ready"):
        ask.read(("1", "SwSS container is not ready. Retry later", "", "", "", ""))
    told = "Failed to acquire lock on /etc/sonic/reload.lock"
    with pytest.raises(ReplyError, match=r"reload\.lock \(held by load_minigraph, pid 7\)"):
        ask.read(("1", told, "", "", "", "load_minigraph, pid 7\n"))


def test_a_lock_and_sudo_are_asked_for() -> None:
    same = (TEXT, TEXT, LOOKUP)
    assert PREVIEW.holder().read(("", "", *same)) is None
    told = PREVIEW.holder().read(("", "reload, pid 411\n", *same))
    assert told == "config reload is running on the switch (reload, pid 411)"
    version = (HERE / "recordings/show_version.txt").read_text()
    login = ("leaf-0", "/home/admin", "1000", "0", "running", "/usr/bin/systemd-run", "", "")
    identity = PREVIEW.identify().read((version, *login))
    assert identity.os_version == "202505.8-3f1c2ab9"
    assert identity.model == "x86_64-dell_z9664f_c3758-r0"
    assert identity.fact("hwsku") == "DellEMC-Z9664f-O64"
    with pytest.raises(ReplyError, match="sudo"):
        PREVIEW.identify().read((version, *login[:3], "", *login[4:]))


def test_our_restore_tells_its_own_end() -> None:
    """The timer's run may end before ours: its status says nothing of ours."""
    steps = COMMIT.restore(_job(), pending=True, saving=True)
    folder = "/home/admin/fabric-push-p1"
    scripts = {a.path: a.text for s in steps for a in s.actions if isinstance(a, PutFile)}
    done = {p: [x for x in ("restore", "back") if f"{folder}/{x}.status\n" in t]
            for p, t in scripts.items() if p.endswith(".sh")}  # fmt: skip
    assert done == {f"{folder}/restore.sh": ["restore"], f"{folder}/back.sh": ["back"]}
    (waiting,) = [s for s in steps if s.name == "restore the old configuration"]
    assert waiting.until is not None
    assert f"{folder}/back.status" in waiting.until.commands[0].text
    assert f"sudo -n flock {folder}/restore.lock rm -rf {folder}" in commands_of(steps)


def test_what_is_saved_is_compared_before_and_after_it_is_renamed() -> None:
    job = _job()
    apart, in_place = COMMIT.save(job)[:2]
    read_back = apart.actions[-1]
    assert isinstance(read_back, Command)
    assert read_back.check is not None
    assert read_back.check(job.target["config_db.json"]) is None
    assert read_back.check(job.before["config_db.json"]) is not None
    assert read_back.check("") is not None
    last = in_place.actions[-1]
    assert isinstance(last, Command)
    assert last.text.startswith("sudo -n cmp ")
