from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from fabric.files import yaml as fabric_yaml
from fabric.files import yaml_build
from fabric.files.yaml import Loaded, load


def loaded(text: str) -> Loaded:
    return load(text.encode(), "f.yaml")


def told(text: str | bytes) -> list[tuple[str, int, int]]:
    result = load(text if isinstance(text, bytes) else text.encode(), "f.yaml")
    return [
        (problem.rule, problem.location.line, problem.location.column)
        for problem in result.problems
        if problem.location is not None
    ]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("26", 26),
        ("-1", -1),
        ("+5", 5),
        ("0", 0),
        ("0x10", 16),
        ("2.5", 2.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("true", True),
        ("FALSE", False),
        ("~", None),
        ("null", None),
        ("", None),
        ("leaf-0", "leaf-0"),
        ('"26"', "26"),
        ("'NO'", "NO"),
        ("65000.10", 65000.1),
        ("1e999", "1e999"),
        ("10.0.0.0/12", "10.0.0.0/12"),
        ("12345678901234567890123456789012345678901234567890123456789012345", None),
    ],
)
def test_plain_scalars_mean_what_yaml_12_says(written: str, value: object) -> None:
    result = loaded(f"a: {written}\n")
    expected = written if len(written) > 64 else value
    assert result.data == {"a": expected}
    assert type(result.data["a"]) is type(expected)
    assert not result.problems


@pytest.mark.parametrize("word", ["NO", "no", "Yes", "on", "OFF", "None"])
def test_words_of_yaml_11_are_refused_wherever_they_stand(word: str) -> None:
    assert told(f"list:\n- {word}\n") == [("RCE003", 2, 3)]
    assert told(f"list:\n- '{word}'\n") == []
    assert told(f"{word}: 1\n") == []  # a key is text


@pytest.mark.parametrize(
    ("written", "read"),
    [
        # PyYAML 6.0.4 reads the first two as these numbers, the third as 8
        ("52:54:00:12:34:56", "41135085296"),
        ("12:30", "750"),
        ("010", "8 (octal)"),
        ("08", "text"),
        ("2027-01-31", "a date"),
        ("1_000", "a number"),
        ("0b11", "one version"),
        ("0o17", "one version"),
        (".inf", "no finite number"),
        ("y", "true"),
    ],
)
def test_what_yaml_11_reads_differently_stays_text_and_is_known(written: str, read: str) -> None:
    result = loaded(f"a: {written}\n")
    assert result.data == {"a": written}
    assert not result.problems
    surprise = result.surprise(("a",))
    assert surprise is not None
    assert read in surprise.message


def test_surprises_are_those_of_pyyaml() -> None:
    for written, number in (("52:54:00:12:34:56", 41135085296), ("12:30", 750), ("010", 8)):
        assert yaml.safe_load(written) == number


def test_duplicate_keys_name_both_lines() -> None:
    result = loaded("switches:\n  leaf1: {asn: 65001}\n  leaf2: {}\n  leaf1: {asn: 65003}\n")
    (problem,) = result.problems
    assert (problem.rule, str(problem.location)) == ("RCE004", "f.yaml:4:3")
    assert "line 2" in problem.message
    assert "line 4" in problem.message
    assert result.data == {"switches": {"leaf1": {"asn": 65001}, "leaf2": {}}}


def test_locate_gives_keys_items_and_nearest_ancestors() -> None:
    result = loaded("x:\n  - a: 1\n    b: {c: 2}\n  - 7\ny: [1,\n  2]\n")
    places = {
        ("x",): "f.yaml:1:1",
        ("x", 0): "f.yaml:2:5",
        ("x", 0, "b"): "f.yaml:3:5",
        ("x", 0, "b", "c"): "f.yaml:3:9",
        ("x", 0, "b", "missing", 3): "f.yaml:3:5",
        ("x", 1): "f.yaml:4:5",
        ("x", 9): "f.yaml:1:1",
        ("y", 1): "f.yaml:6:3",
        ("z",): "f.yaml:1:1",
    }
    assert {path: str(result.locate(path)) for path in places} == places
    assert result.locate(("x", 0, "b", "missing")).path == "x[0].b"
    assert result.raw(("x", 0, "a")) == "1"
    assert result.raw(("x", 0)) is None


def test_a_mapping_put_into_a_list_keeps_its_places() -> None:
    result = loaded("hosts: {count: 08}\n").listed("hosts", "suppress")
    assert result.data == {"hosts": [{"count": "08"}]}
    assert str(result.locate(("hosts", 0, "count"))) == "f.yaml:1:9"
    assert result.locate(("hosts", 0, "count")).path == "hosts.count"
    assert result.raw(("hosts", 0, "count")) == "08"
    assert result.surprise(("hosts", 0, "count")) is not None


def test_anchors_share_values_and_keep_the_place_of_the_alias() -> None:
    result = loaded("a: &x {n: 1}\nb: *x\nc: [*x]\n")
    assert result.data == {"a": {"n": 1}, "b": {"n": 1}, "c": [{"n": 1}]}
    assert str(result.locate(("b",))) == "f.yaml:2:1"
    assert str(result.locate(("a",))) == "f.yaml:1:1"
    assert str(result.locate(("b", "n"))) == "f.yaml:1:8"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: &x [*x]\n", ("RCE008", 1, 8)),
        ("a: &x {b: {c: *x}}\n", ("RCE008", 1, 15)),
        ("a: *x\n", ("RCE002", 1, 4)),
        ("a: !!python/object:os.system {}\n", ("RCE002", 1, 4)),
        ("a: !own x\n", ("RCE002", 1, 4)),
        ("a: &x {}\nb: {<<: *x}\n", ("RCE002", 2, 5)),
        ("? [1]\n: 2\n", ("RCE002", 1, 3)),
        ("a: b: c\n", ("RCE002", 1, 5)),
        ("a: 1\n---\nb: 2\n", ("RCE002", 2, 1)),
        ("a:\n\tb: 1\n", ("RCE002", 2, 1)),
        ("a: {b: 1\n", ("RCE002", 2, 1)),
        ("- a\n", ("RCE006", 1, 1)),
        ("# nothing\n", ("RCE006", 1, 1)),
        ("just text\n", ("RCE006", 1, 1)),
        (b"a: \xff\n", ("RCE001", 1, 4)),
        (b"a: 1\nb: \x00\n", ("RCE001", 1, 1)),
        (b"\xff\xfea\x00", ("RCE001", 1, 1)),
        ("a: 1\nb: \x07\n", ("RCE001", 2, 4)),
    ],
)
def test_what_is_not_read_is_said_where_it_stands(
    text: str | bytes, expected: tuple[str, int, int]
) -> None:
    assert told(text) == [expected]


def test_several_problems_are_told_at_once() -> None:
    assert told("a: NO\na: 1\nb: !!str x\n") == [
        ("RCE003", 1, 4),
        ("RCE004", 2, 1),
        ("RCE002", 3, 4),
    ]


def test_json_with_tabs_is_read() -> None:
    assert loaded('{\n\t"a": [1,\t2],\n\t"b": "x\\ty"\n}\n').data == {"a": [1, 2], "b": "x\ty"}


def test_json_with_tabs_is_read_without_libyaml(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fabric_yaml, "_LOADER", yaml.SafeLoader)
    assert loaded('{\n\t"a": [1,\t2]\n}\n').data == {"a": [1, 2]}


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert load(b"\xef\xbb\xbfa: 1\n", "f.yaml").data == {"a": 1}


def test_an_alias_bomb_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_build, "MAX_VALUES", 10_000)
    lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    # 10 · 10 · 10 values in a2 and as many lists again; a4 is the first above 10,000
    assert told("\n".join(lines)) == [("RCE001", 4, 5)]


def test_depth_is_limited_through_aliases_and_brackets() -> None:
    chain = ["a0: &a0 [1]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 100))]
    assert [rule for rule, _, _ in told("\n".join(chain))] == ["RCE002"]
    assert [rule for rule, _, _ in told("a: " + "[" * 500)] == ["RCE002"]
    assert [rule for rule, _, _ in told("a: " + "[" * 100_000)] == ["RCE002"]


@given(st.binary(max_size=200))
def test_no_bytes_make_it_raise(content: bytes) -> None:
    result = load(content, "f.yaml")
    assert result.problems or isinstance(result.data, dict)
    for problem in result.problems:
        assert problem.location is not None
        assert problem.location.line >= 1
        assert problem.location.column >= 1


_scalars = st.one_of(st.none(), st.booleans(), st.integers(-(10**12), 10**12), st.text(max_size=12))
_values = st.recursive(
    _scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=6).filter(lambda k: k != "<<"), _values, max_size=4))
def test_what_pyyaml_writes_is_read_back(data: dict[str, object]) -> None:
    text = yaml.safe_dump(data, allow_unicode=False, default_style='"')
    # In that style numbers and truth values carry tags; write them plain.
    for tag in ("!!int", "!!bool", "!!null", "!!float"):
        text = text.replace(f'{tag} "', '"')
    result = load(text.encode(), "f.yaml")
    assert not result.problems or "RCE001" in {problem.rule for problem in result.problems}
    if not result.problems:
        assert _texts(result.data) == _texts(data)


def _texts(value: object) -> object:
    if isinstance(value, dict):
        return {key: _texts(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_texts(item) for item in value]
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)
