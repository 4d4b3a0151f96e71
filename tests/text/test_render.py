from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from fabric.text import Renderer, TemplateFault
from tests.platforms.models import ROOT, Case
from tests.text.toy import JSON, TEXT, render, text_of, toy_spec, write

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Port:
    name: str
    speed: int = 100
    peer: str | None = None
    _hidden: str = "x"


def test_header_names_fabric_device_version_and_digest_and_nothing_else(tmp_path: Path) -> None:
    (file,) = render(tmp_path, {"toy.conf.j2": "a {{ b }}\n"}, TEXT, context={"b": 1}).files
    digest = sha256(b"a 1\n").hexdigest()
    header = f"# fabric lab · device leaf-0 · templates toy/7 · sha256 {digest}\n"
    assert file.text == header + "a 1\n"
    assert file.body_sha256 == digest


def test_in_a_script_the_header_follows_the_first_line(tmp_path: Path) -> None:
    (file,) = render(tmp_path, {"toy.conf.j2": "#!/bin/sh\nexit\n"}, TEXT).files
    lines = file.text.splitlines()
    assert (lines[0], lines[2]) == ("#!/bin/sh", "exit")
    assert lines[1].startswith("# fabric lab · device leaf-0 · ")
    assert file.body_sha256 == sha256(b"#!/bin/sh\nexit\n").hexdigest()


def test_an_experimental_system_says_so(tmp_path: Path) -> None:
    write(tmp_path, {"toy.conf.j2": "a\n"})
    spec = toy_spec(TEXT, experimental=True)
    text = Renderer((tmp_path,)).render(spec, {}, "lab", "leaf-0").files[0].text
    assert text.splitlines()[1] == "# experimental: toy was never tried on a switch"


def test_json_has_no_header_and_is_sorted(tmp_path: Path) -> None:
    blocks = {
        "blocks/b.j2": '{"T": {"Ethernet10": {}, "Ethernet2": {"b": "1", "a": ["2"]}}}',
        "blocks/a.j2": '{"A": {}}',
    }
    (file,) = render(tmp_path, blocks, JSON).files
    assert file.text == (
        '{\n  "A": {},\n  "T": {\n    "Ethernet2": {\n      "a": [\n        "2"\n      ],\n'
        '      "b": "1"\n    },\n    "Ethernet10": {}\n  }\n}\n'
    )
    assert file.body_sha256 == sha256(file.text.encode()).hexdigest()


def test_the_digest_of_a_device_covers_names_and_bodies(tmp_path: Path) -> None:
    one = render(tmp_path, {"toy.conf.j2": "a\n", "blocks/x.j2": '{"A": 1}'}, TEXT, JSON)
    same = render(tmp_path, {}, TEXT, JSON)
    other = render(tmp_path, {"toy.conf.j2": "b\n"}, TEXT, JSON)
    assert one == same
    assert one.digest != other.digest
    assert one.template_version == "7"


def test_a_template_that_yields_nothing_makes_no_file(tmp_path: Path) -> None:
    templates = {"toy.conf.j2": "{% if false %}a{% endif %}\n", "blocks/x.j2": ""}
    assert render(tmp_path, templates, TEXT, JSON).files == ()


def test_a_template_of_the_user_shadows_ours(tmp_path: Path) -> None:
    ours = {
        "toy.conf.j2": '{% include "one.j2" %}{% include "two.j2" %}',
        "one.j2": "one\n",
        "two.j2": "two\n",
    }
    theirs = write(tmp_path / "user", {"two.j2": "mine\n"})
    (file,) = render(tmp_path / "ours", ours, TEXT, over=theirs).files
    assert file.text.splitlines()[1:] == ["one", "mine"]


def test_a_block_of_the_user_shadows_ours_or_is_one_more(tmp_path: Path) -> None:
    ours = {"blocks/a.j2": '{"A": 1}', "blocks/b.j2": '{"B": 1}'}
    theirs = write(tmp_path / "user", {"blocks/b.j2": '{"B": 2}', "blocks/c.j2": '{"C": 3}'})
    (file,) = render(tmp_path / "ours", ours, JSON, over=theirs).files
    assert file.text == '{\n  "A": 1,\n  "B": 2,\n  "C": 3\n}\n'


def test_a_shadowed_block_of_sonic(tmp_path: Path) -> None:
    blocks = tmp_path / "sonic" / "config" / "blocks"
    blocks.mkdir(parents=True)
    (blocks / "cables.j2").write_text('{"CABLE_LENGTH": {"MINE": {"Ethernet0": "5m"}}}')
    model = Case().model("leaf-0")
    mine = Renderer((tmp_path, ROOT)).device(model).files[0].text
    assert '"MINE"' in mine
    assert '"MINE"' not in Renderer((ROOT,)).device(model).files[0].text


def test_words_that_systems_share(tmp_path: Path) -> None:
    (tmp_path / "_shared").mkdir()
    (tmp_path / "_shared" / "x.j2").write_text("{{ n }} shared\n")
    assert text_of(tmp_path, '{% include "_shared/x.j2" %}', n=3) == "3 shared\n"


FAULTS: dict[str, tuple[str, int | None, str]] = {
    "undefined": ("a\n{{ nothing }}\n", 2, "'nothing' is undefined"),
    "attribute": ("{{ port.colour }}\n", 1, "has no attribute 'colour'"),
    "misspelt in a loop": ("{% for p in [port] %}\n{{ p.nam }}\n{% endfor %}", 2, "no attribute"),
    "syntax": ("a\n\n{% if %}\n", 3, "Expected an expression"),
    "filter": ("{{ port.name | shout }}", 1, "No filter named 'shout'"),
    "none": ("a {{ port.peer }}\n", 1, "prints None, which is no text of a config"),
    "truth": ("a {{ port.speed == 100 }}\n", 1, "prints True, which is no text"),
    "list": ("a {{ [1, 2] }}\n", 1, "prints [1, 2], which is no text"),
    "value": ("a {{ port }}\n", 1, "prints Port(name="),
    "arithmetic": ("\n{{ 1 / 0 }}\n", 2, "ZeroDivisionError"),
    "types": ("{{ port.name + 1 }}\n", 1, "TypeError"),
    "no template": ('{% include "gone.j2" %}', 1, "there is no template gone.j2"),
    "refused": ("a\n{{ refuse('it cannot do this') }}\n", 2, "it cannot do this"),
    "hidden": ("{{ port._hidden }}\n", 1, "unsafe"),
    "escape": ("{{ port.__class__.__mro__ }}\n", 1, "unsafe"),
    "empty value": ("mtu {{ '' }}\n", None, "a line ends in a blank, as if a value were empty"),
    "joined none": ("a {{ 'x ' ~ none }}\n", None, "None is a word of Python: 'a x None'"),
    "joined truth": ("a\nb {{ 'x ' ~ true }}\n", None, "line 2 of toy.conf: True is a word"),
}


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_a_wrong_template_is_one_clear_fault(name: str, tmp_path: Path) -> None:
    template, line, words = FAULTS[name]
    with pytest.raises(TemplateFault) as caught:
        text_of(tmp_path, template, port=Port("Ethernet0"))
    fault = caught.value
    assert words in fault.message
    assert (fault.platform, fault.template, fault.line) == ("toy", "toy/config/toy.conf.j2", line)
    assert fault.device == "leaf-0"
    place = "toy/config/toy.conf.j2" + (f":{line}" if line else "")
    assert str(fault).startswith(f"{place}: ")


def test_the_fault_lies_in_the_innermost_template(tmp_path: Path) -> None:
    templates = {"toy.conf.j2": 'a\n{% include "in.j2" %}', "in.j2": "\n\n{{ gone }}"}
    with pytest.raises(TemplateFault) as caught:
        render(tmp_path, templates, TEXT)
    assert (caught.value.template, caught.value.line) == ("toy/config/in.j2", 3)


BLOCK_FAULTS = {
    "twice": (
        {"a.j2": '{"T": {"k": {"f": "1"}}}', "b.j2": '{"T": {"k": {"f": "1"}}}'},
        "b.j2",
        "sets T|k|f, which is set already",
    ),
    "twice in one": ({"a.j2": '{"T": {"k": "1", "k": "2"}}'}, "a.j2", "sets k twice"),
    "row twice": ({"a.j2": '{"T": {"k": {}}}', "b.j2": '{"T": {"k": {}}}'}, "b.j2", "sets T|k,"),
    "row and value": ({"a.j2": '{"T": "x"}', "b.j2": '{"T": {}}'}, "b.j2", "sets T, which is set"),
    "no json": ({"a.j2": '{"T": x}'}, "a.j2", "yields no JSON: Expecting value at '{\"T\": x}'"),
    "no object": ({"a.j2": "[1]"}, "a.j2", "yields no JSON object"),
}


@pytest.mark.parametrize("name", sorted(BLOCK_FAULTS))
def test_a_wrong_block_is_named(name: str, tmp_path: Path) -> None:
    blocks, wrong, words = BLOCK_FAULTS[name]
    with pytest.raises(TemplateFault) as caught:
        render(tmp_path, {f"blocks/{k}": v for k, v in blocks.items()}, JSON)
    assert caught.value.template == f"toy/config/blocks/{wrong}"
    assert words in caught.value.message


def test_a_folder_without_blocks_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(TemplateFault, match="toy/config/blocks: there is no block"):
        render(tmp_path, {}, JSON)


def _mutations() -> list[tuple[str, str, str]]:
    """Each shipped block of SONiC with one word misspelt, where it has such a word."""
    words = ("device.interfaces", "device.speaker", "port.name", "device.position")
    found = []
    for file in sorted((ROOT / "sonic" / "config" / "blocks").glob("*.j2")):
        text = file.read_text()
        word = next((w for w in words if w in text), None)
        if word:
            found.append((file.name, word, text.replace(word, word + "x")))
    return found


@pytest.mark.parametrize(("name", "word", "text"), _mutations(), ids=lambda x: str(x)[:24])
def test_a_misspelt_word_in_a_shipped_block(
    name: str, word: str, text: str, tmp_path: Path
) -> None:
    blocks = tmp_path / "sonic" / "config" / "blocks"
    blocks.mkdir(parents=True)
    (blocks / name).write_text(text)
    with pytest.raises(TemplateFault) as caught:
        Renderer((tmp_path, ROOT)).device(Case().model("leaf-0"))
    assert caught.value.template == f"sonic/config/blocks/{name}"
    assert caught.value.line is not None
    assert word.partition(".")[2] + "x" in caught.value.message


def test_filters(tmp_path: Path) -> None:
    ports = [Port("e1", 100), Port("e2", 400), Port("e3", 100)]
    cases: dict[str, tuple[str, Any]] = {
        "{{ x | tojson }}": ('"a\\"b<"', 'a"b<'),
        "{{ x | natural | join(' ') }}": ("p2 p10", ["p10", "p2"]),
        "{{ x | spans | join(',') }}": ("0-2,4,6-7", [4, 0, 1, 2, 6, 7]),
        "{{ x | indexed | tojson }}": ('{"0": "5", "2": "7"}', (5, None, 7)),
        "{{ x | bare }}": ("10.0.0.1", "10.0.0.1/31"),
        "{{ x | v4 | join(' ') }}": ("10.0.0.0/31", ("10.0.0.0/31", "fd00::/64")),
        "{{ x | v6 | join(' ') }}": ("fd00::/64", ("10.0.0.0/31", "fd00::/64")),
        "{% for v, p in x | alike('speed') %}{{ v[0] }}:{{ p | map(attribute='name') | join('+') }}"
        " {% endfor %}.": ("100:e1+e3 400:e2 .", ports),
    }
    for number, (template, (wanted, value)) in enumerate(cases.items()):
        assert text_of(tmp_path / str(number), template, x=value) == wanted
