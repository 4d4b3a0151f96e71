"""``fabric export containerlab``: what is written, said and refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import SMALL

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

EXPORT = ("export", "containerlab", "small.yaml")


def test_it_is_written_whole_and_then_unchanged(fabric: Shell) -> None:
    fabric.write("small.yaml", SMALL)
    done = fabric(*EXPORT, "--json")
    assert done.code == 0
    assert done.json["topology"] == "build/small-containerlab/small.clab.yml"
    assert done.json["changed"] is True
    assert done.json["stands_in"] == ["SONiC (community)"]
    assert done.json["images"]["frr"] == "quay.io/frrouting/frr:8.4.2"
    assert (fabric.folder / "build/small-containerlab/leaf-0/frr.conf").is_file()
    assert fabric(*EXPORT, "--json").json["changed"] is False
    said = fabric(*EXPORT)
    assert "FRR on Linux stands in for SONiC (community)." in said.out
    assert "Not real: PFC, ECN, buffers" in said.out
    assert "Unchanged: build/small-containerlab" in said.out
    assert not [x for x in fabric.folder.glob("build/.*") if ".new" in x.name]


def test_another_image_and_another_folder(fabric: Shell) -> None:
    fabric.write("small.yaml", SMALL)
    done = fabric(*EXPORT, "--out", "there", "--image", "host=alpine:3", "--json")
    assert done.json["path"] == "there/small-containerlab"
    assert done.json["images"]["host"] == "alpine:3"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--images", "docker"), "--images docker: frr or vendor"),
        (("--image", "junos=x"), "SYSTEM is one of frr, host, arista_eos"),
        (("--image", "frr="), "SYSTEM=IMAGE"),
        (("--out", "small.yaml"), "small.yaml"),
    ],
)
def test_bad_words(fabric: Shell, words: tuple[str, ...], message: str) -> None:
    fabric.write("small.yaml", SMALL)
    done = fabric(*EXPORT, *words)
    assert done.code == 2
    assert message in done.err
    assert not (fabric.folder / "build").exists()


def test_a_folder_of_another_is_left_alone(fabric: Shell) -> None:
    fabric.write("small.yaml", SMALL)
    folder = fabric.folder / "build/small-containerlab"
    folder.mkdir(parents=True)
    (folder / "mine").write_text("x")
    done = fabric(*EXPORT)
    assert done.code == 2
    assert "it is not replaced" in done.err
    assert [path.name for path in folder.iterdir()] == ["mine"]
