"""Manifests of switch systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric import catalog
from fabric.model.platform import FileSpec, WatchdogRange

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST = """\
title: Acme OS
kind: switch
template_version: "3"
os_versions: ["1.0", "1.1"]
confidence: vendor-doc
experimental: true
netmiko_type: acme_os
files:
- {name: acme.conf, remote_path: /etc/acme.conf, template: main.j2, form: text, comment: "#"}
- name: acme.json
  remote_path: /etc/acme.json
  template: main.json.j2
  form: json
  mode: "0600"
capabilities:
  lossless: true
  ecn: true
  watchdog: true
  unnumbered: false
  rate_cap: false
  per_port_maps: true
  load_balancing: [ecmp, dlb]
  max_ecmp_paths: 64
  mtu_max_bytes: 9216
  mtu_counts_l2_header: false
  max_lossless_priorities: 2
watchdog: {poll_ms: [100, 1000], detect_ms: [100, 5000], restore_ms: [200, 60000]}
name_max_length: 63
port_naming: {unsplit: "eth{c}", split: "eth{c}/{n}"}
owns: [qos]
source: Acme OS command reference
"""


def root(tmp_path: Path, text: str = MANIFEST, name: str = "acme") -> Path:
    folder = tmp_path / name
    folder.mkdir(parents=True)
    (folder / "platform.yaml").write_text(text, encoding="utf-8")
    return tmp_path


def test_manifest(tmp_path: Path) -> None:
    spec = catalog.platform_spec("acme", (root(tmp_path),))
    assert (spec.name, spec.title, spec.kind) == ("acme", "Acme OS", "switch")
    assert (spec.template_version, spec.os_versions) == ("3", ("1.0", "1.1"))
    assert (spec.confidence, spec.experimental) == ("vendor-doc", True)
    assert spec.files == (
        FileSpec("acme.conf", "/etc/acme.conf", "main.j2", "text", "#"),
        FileSpec("acme.json", "/etc/acme.json", "main.json.j2", "json", None, "0600"),
    )
    assert spec.capabilities.load_balancing == ("ecmp", "dlb")
    assert not spec.capabilities.bfd
    assert spec.watchdog == WatchdogRange((100, 1000), (100, 5000), (200, 60000))
    assert (spec.owns, spec.ignores, spec.name_max_length) == (("qos",), (), 63)
    assert spec.port_naming == "eth{c}|eth{c}/{n}"
    assert spec.source == "Acme OS command reference"


def test_names_come_from_every_root(tmp_path: Path) -> None:
    first = root(tmp_path / "first", name="zeta")
    second = root(tmp_path / "second", name="acme")
    (second / "notes").mkdir()
    assert catalog.platform_names((first, second, tmp_path / "none")) == ("acme", "zeta")


def test_the_first_root_wins(tmp_path: Path) -> None:
    first = root(tmp_path / "first", MANIFEST.replace("Acme OS\n", "Mine\n", 1))
    second = root(tmp_path / "second")
    assert catalog.platform_spec("Acme", (first, second)).title == "Mine"
    assert catalog.platform_spec("Acme", (second, first)).title == "Acme OS"


def test_unknown_platform(tmp_path: Path) -> None:
    with pytest.raises(catalog.UnknownNameError) as caught:
        catalog.platform_spec("acne", (root(tmp_path),))
    assert str(caught.value) == "unknown platform 'acne': did you mean acme?"
    assert caught.value.kind == "platform"


def test_no_platform_at_all(tmp_path: Path) -> None:
    with pytest.raises(catalog.UnknownNameError, match="none is known"):
        catalog.platform_spec("acme", (tmp_path,))


# (what is replaced, by what, field, message)
BROKEN = [
    ("title: Acme OS\n", "", "title", "this key is missing"),
    ("netmiko_type", "netmiko", "netmiko", "unknown key: did you mean netmiko_type?"),
    ("kind: switch", "kind: router", "kind", "should be 'switch', 'host' or 'tool'"),
    ('template_version: "3"', "template_version: 3", "template_version", "string, but is 3"),
    ("experimental: true", 'experimental: "yes"', "experimental", "a valid boolean"),
    ('mode: "0600"', "mode: 0600", "files[1].mode", "should be a valid string, but is 384"),
    ('mode: "0600"', 'mode: "rw"', "files[1].mode", "should match pattern"),
    ("/etc/acme.conf", "etc/acme.conf", "files[0].remote_path", "should match pattern"),
    ("form: text", "form: xml", "files[0].form", "should be 'text' or 'json'"),
    ("[ecmp, dlb]", "[ecmp, magic]", "capabilities.load_balancing[1]", "'magic'"),
    ("  ecn: true\n", "", "capabilities.ecn", "this key is missing"),
    ("[100, 1000]", "[1000, 100]", "watchdog.poll_ms", "lowest value (1000) is above the highest"),
    ("[100, 1000]", "[100]", "watchdog.poll_ms", "at least 2 items"),
    ("confidence: vendor-doc", "confidence: sure", "confidence", "'sure'"),
]


@pytest.mark.parametrize(("old", "new", "field", "message"), BROKEN)
def test_broken_manifest(tmp_path: Path, old: str, new: str, field: str, message: str) -> None:
    assert old in MANIFEST
    folder = root(tmp_path, MANIFEST.replace(old, new, 1))
    with pytest.raises(catalog.CatalogFileError) as caught:
        catalog.platform_spec("acme", (folder,))
    assert caught.value.file == "acme/platform.yaml"
    problems = caught.value.problems
    assert any(p.field == field and message in p.message for p in problems), caught.value


def test_a_watchdog_needs_its_limits(tmp_path: Path) -> None:
    line = next(line for line in MANIFEST.splitlines() if line.startswith("watchdog:"))
    folder = root(tmp_path, MANIFEST.replace(line + "\n", ""))
    with pytest.raises(catalog.CatalogFileError, match="watchdog must give the limits"):
        catalog.platform_spec("acme", (folder,))
