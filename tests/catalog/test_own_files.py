"""A user's own files: adding, replacing, and every way to get them wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric import catalog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SOURCE = "source: {text: Acme data sheet, confidence: vendor-doc}"
SWITCH = f"""\
vendor: Acme
asic: tomahawk5
{SOURCE}
default_sku: S1
max_logical_ports: {{value: 10, {SOURCE}}}
naming:
  sonic: {{unsplit: "Ethernet{{number}}", split: "Ethernet{{number}}", {SOURCE}}}
cages:
- numbers: [1, 4]
  speed_gbps: 400
  lanes: 4
  first_lane: {{first: 1, step: 4}}
  first_port_number: {{first: 0, step: 4}}
  modes:
    "1x400G[200G]": "acme{{c}}"
    "2x200G": "acme{{c}}{{s}}"
  {SOURCE}
- numbers: [5, 5]
  management: true
  speed_gbps: 10
  lanes: 1
  {SOURCE}
skus:
  S1:
    headroom: main
    buffers: {{t0: main}}
    ports:
    - {{cages: [1, 4], children: 1, speed_gbps: 400, lanes_each: 4, alias: "acme{{c}}"}}
    {SOURCE}
headroom:
  main:
    threshold: 0
    {SOURCE}
    rows:
      5:
        400: [9216, 9216, 100000]
buffers:
  main:
    profiles: main
    {SOURCE}
    pools:
      shared: {{direction: ingress, mode: dynamic, size: 1000000}}
profiles:
  main:
    lossless: {{pool: shared, size: 0, dynamic_th: 0}}
"""
ASIC = f"""\
vendor: Acme
family: acme
{SOURCE}
max_lossless_priorities: {{value: 4, {SOURCE}}}
xoff_model: {{form: generic, {SOURCE}}}
max_port_headroom_bytes: {{value: 1000000, {SOURCE}}}
pfc_to_pg_map: {{value: false, {SOURCE}}}
"""


def write(folder: Path, kind: str, name: str, text: str) -> Path:
    path = folder / kind / f"{name}.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_switch_of_ones_own(tmp_path: Path) -> None:
    path = write(tmp_path, "switches", "acme-s1", SWITCH)
    model = catalog.switch_model("S1", (tmp_path,))
    assert (model.name, model.vendor, model.asic.name) == ("acme-s1", "Acme", "tomahawk5")
    assert model.usable_cages == (1, 2, 3, 4)
    assert model.cages[1].lanes == (5, 6, 7, 8)
    assert model.cages[4].lanes == ()
    assert model.cages[4].modes == ()
    assert model.source is not None
    assert model.source.text == "Acme data sheet [own file switches/acme-s1.yaml]"
    assert catalog.own_files("switch", "acme-s1", (tmp_path,)) == (path,)
    assert "acme-s1" in catalog.switch_names((tmp_path,))
    assert "acme-s1" not in catalog.switch_names()


def test_a_chip_of_ones_own(tmp_path: Path) -> None:
    chip = write(tmp_path, "asics", "acme-1", ASIC)
    switch = write(tmp_path, "switches", "acme-s1", SWITCH.replace("tomahawk5", "acme-1"))
    model = catalog.switch_model("acme-s1", (tmp_path,))
    assert (model.asic.name, model.asic.max_lossless_priorities) == ("acme-1", 4)
    assert model.asic.max_port_headroom_bytes == 1_000_000
    assert catalog.own_files("switch", "acme-s1", (tmp_path,)) == (switch, chip)


def test_a_shipped_name_is_replaced_and_says_so(tmp_path: Path) -> None:
    write(tmp_path, "switches", "nvidia-sn3700", SWITCH)
    for name in ("nvidia-sn3700", "sn3700"):
        model = catalog.switch_model(name, (tmp_path,))
        assert model.vendor == "Acme"
        assert model.source is not None
        assert model.source.text == (
            "Acme data sheet [own file switches/nvidia-sn3700.yaml, in place of the shipped one]"
        )
    assert catalog.switch_model("sn3700").vendor == "NVIDIA"
    assert catalog.own_files("switch", "sn3700", ()) == ()


def test_a_replaced_chip_reaches_shipped_switches(tmp_path: Path) -> None:
    chip = write(tmp_path, "asics", "spectrum-2", ASIC)
    asic = catalog.switch_model("sn3700", (tmp_path,)).asic
    assert asic.vendor == "Acme"
    assert asic.source is not None
    assert "in place of the shipped one" in asic.source.text
    assert catalog.own_files("switch", "sn3700", (tmp_path,)) == (chip,)


def test_the_first_folder_wins(tmp_path: Path) -> None:
    for folder, vendor in (("one", "One"), ("two", "Two")):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder, "switches", "acme-s1", SWITCH.replace("Acme\n", f"{vendor}\n"))
    folders = (tmp_path / "one", tmp_path / "two")
    assert catalog.switch_model("acme-s1", folders).vendor == "One"
    assert catalog.switch_model("acme-s1", reversed(folders)).vendor == "Two"


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    write(tmp_path, "switches", "acme-s1", SWITCH)
    assert catalog.switch_model("acme-s1", (tmp_path,)).vendor == "Acme"
    write(tmp_path, "switches", "acme-s1", SWITCH.replace("Acme\n", "Other\n"))
    assert catalog.switch_model("acme-s1", (tmp_path,)).vendor == "Other"


def test_a_short_name_that_two_switches_have_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "switches", "acme-sn3700", SWITCH)
    with pytest.raises(catalog.UnknownNameError) as caught:
        catalog.switch_model("sn3700", (tmp_path,))
    assert set(caught.value.nearest) >= {"acme-sn3700", "nvidia-sn3700"}


def test_other_files_are_not_read(tmp_path: Path) -> None:
    write(tmp_path, "switches", "acme-s1", SWITCH)
    write(tmp_path, "switches", "broken", "{")
    assert catalog.switch_model("acme-s1", (tmp_path,)).name == "acme-s1"


# (what is replaced, by what, field, message)
BROKEN = [
    ("vendor: Acme\n", "", "vendor", "this key is missing"),
    ("vendor: Acme", "vendor: NO", "vendor", "should be a valid string, but is False"),
    ("default_sku: S1", "defalt_sku: S1", "defalt_sku", "unknown key: did you mean default_sku?"),
    ("default_sku: S1", "default_sku: S2", "default_sku", "no SKU 'S2' below skus"),
    ("lanes: 4\n", 'lanes: "4"\n', "cages[0].lanes", "should be a valid integer, but is '4'"),
    ("lanes: 4\n", "lane: 4\n", "cages[0].lane", "unknown key: did you mean lanes?"),
    ("numbers: [1, 4]", "numbers: [4, 1]", "cages[0].numbers", "holds no cage"),
    ("numbers: [1, 4]", "numbers: [1, 4, 0]", "cages[0].numbers", "step must be at least 1"),
    ("numbers: [5, 5]", "numbers: [4, 5]", "cages[1].numbers", "cage 4 occurs twice"),
    ("{first: 1, step: 4}", "{first: 1, step: 3}", "cages", "cages 1 and 2 both have lane 4"),
    ("{first: 1, step: 4}", "{first: 1}", "cages[0].first_lane", "give first and step, or each"),
    ("{first: 1, step: 4}", "{each: [1]}", "cages[0].first_lane.each", "1 values for 4 cages"),
    ("2x200G", "2x200", "cages[0].modes", "'2x200' is no breakout mode"),
    ("2x200G", "3x100G", "cages[0].modes", "3 ports cannot share 4 of the cage's 4 lanes"),
    ("2x200G", "2x400G", "cages[0].modes", "'2x400G' is more than the cage's 400G"),
    ("headroom: main", "headroom: mine", "skus.S1.headroom", "no table 'mine' below headroom"),
    ("{t0: main}", "{t0: mine}", "skus.S1.buffers.t0", "no table 'mine' below buffers"),
    ("{t0: main}", "{leaf: main}", "skus.S1.buffers.leaf", "should be 't0', 't1'"),
    ("profiles: main", "profiles: mine", "buffers.main.profiles", "no set 'mine' below profiles"),
    ("{pool: shared", "{pool: other", "buffers.main.pools", "profile lossless of set main needs"),
    (", dynamic_th: 0", "", "profiles.main.lossless", "give dynamic_th or static_th"),
    ("cages: [1, 4]", "cages: [1, 9]", "skus.S1.ports[0]", "no cage 6"),
    ("cages: [1, 4]", "cages: [4, 5]", "skus.S1.ports[0]", "needs more lanes than cage 5 has, 1"),
    ("[9216, 9216, 100000]", "[9216, 100000]", "headroom.main.rows[5][400]", "at least 3 items"),
    ("[9216, 9216, 100000]", "[9216, 9216, -1]", "headroom.main.rows[5][400][2]", "but is -1"),
    ("confidence: vendor-doc", "confidence: remembered", "source.confidence", "'remembered'"),
    ("asic: tomahawk5", "asic: tomahawk", "asic", "did you mean tomahawk"),
    ("cages:\n- ", "cages: []\nx:\n- ", "x", "unknown key"),
    ("vendor: Acme", "vendor: Acme\nvendor: Acme", "line 2, column 1", "key 'vendor' occurs twice"),
    ("vendor: Acme", "vendor: [", "line", ""),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "field", "message"), BROKEN)
def test_broken_switch(tmp_path: Path, old: str, new: str, field: str, message: str) -> None:
    assert old in SWITCH
    write(tmp_path, "switches", "acme-s1", SWITCH.replace(old, new))
    with pytest.raises(catalog.CatalogFileError) as caught:
        catalog.switch_model("acme-s1", (tmp_path,))
    error = caught.value
    assert error.file == "switches/acme-s1.yaml"
    assert any(p.field.startswith(field) and message in p.message for p in error.problems), error
    assert str(tmp_path) not in str(error)


def test_all_problems_at_once(tmp_path: Path) -> None:
    text = SWITCH.replace("vendor: Acme\n", "").replace("lanes: 4\n", "lane: 4\n")
    write(tmp_path, "switches", "acme-s1", text)
    with pytest.raises(catalog.CatalogFileError) as caught:
        catalog.switch_model("acme-s1", (tmp_path,))
    fields = [problem.field for problem in caught.value.problems]
    assert fields == ["vendor", "cages[0].lanes", "cages[0].lane"]
    assert str(caught.value).splitlines() == [
        "switches/acme-s1.yaml: vendor: this key is missing",
        "switches/acme-s1.yaml: cages[0].lanes: this key is missing",
        "switches/acme-s1.yaml: cages[0].lane: unknown key: did you mean lanes?",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gpus: 1\nnics: [{gpu: 1, numa: 0}]", "beyond the last, 0"),
        ("gpus: 2\nnics: [{gpu: 0, numa: 0, rdma: a}, {gpu: 1, numa: 0}]", "either all rows"),
        ("gpus: 1\nnics: [{gpu: 0, numa: 0, rdma: a}, {gpu: 0, numa: 0, rdma: a}]", "the same"),
        ("gpus: 1\nnics: []", "at least 1 item"),
    ],
)
def test_broken_server(tmp_path: Path, text: str, message: str) -> None:
    write(tmp_path, "servers", "acme", f"{SOURCE}\n{text}\n")
    with pytest.raises(catalog.CatalogFileError, match=message):
        catalog.server("acme", (tmp_path,))


@pytest.mark.parametrize("text", ["", "just a word", "- a list", "\x00", "a: !!python/name:os.x"])
def test_files_that_are_no_item(tmp_path: Path, text: str) -> None:
    write(tmp_path, "nics", "acme", text)
    with pytest.raises(catalog.CatalogFileError, match=r"^nics/acme\.yaml: "):
        catalog.nic("acme", (tmp_path,))


def test_a_file_that_is_not_utf_8(tmp_path: Path) -> None:
    write(tmp_path, "nics", "acme", "").write_bytes(b"vendor: \xff\xfe\xfa")
    with pytest.raises(catalog.CatalogFileError):
        catalog.nic("acme", (tmp_path,))


@pytest.mark.parametrize(
    ("folder", "ask"), [("switches", catalog.switch_model), ("nics", catalog.nic)]
)
def test_a_file_that_cannot_be_read_is_named(
    folder: str, ask: Callable[[str, tuple[Path, ...]], object], tmp_path: Path
) -> None:
    (tmp_path / folder / "acme.yaml").mkdir(parents=True)
    with pytest.raises(
        catalog.CatalogFileError, match="it cannot be read: Is a directory"
    ) as error:
        ask("acme", (tmp_path,))
    assert error.value.file == f"{folder}/acme.yaml"
