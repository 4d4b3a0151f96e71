"""Plain YAML, as data files are read."""

from __future__ import annotations

import pytest

from fabric.files.plain import PlainYamlError, load_plain


def test_values() -> None:
    text = b"a: &x {b: [1, 2.5, null, true, text]}\nc: *x\n1: one\n"
    inner = {"b": [1, 2.5, None, True, "text"]}
    assert load_plain(text) == {"a": inner, "c": inner, 1: "one"}


def test_a_merge_may_be_overridden() -> None:
    assert load_plain(b"a: &x {k: 1, l: 2}\nb: {<<: *x, k: 3}") == {
        "a": {"k": 1, "l": 2},
        "b": {"k": 3, "l": 2},
    }


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        (b"a: 1\nb:\n  c: 1\n  c: 2\n", "key 'c' occurs twice", 4, 3),
        (b"a: 1\n---\nb: 1\n", "another document", 2, 1),
        (b"a: [1\nb: 2\n", "did not find expected", 2, 2),
        (b"a: *nobody\n", "found undefined alias", 1, 4),
        (b"a: !!python/object/apply:os.getcwd []\n", "could not determine a constructor", 1, 4),
        (b"a: \xff\n", "not YAML", 0, 0),
    ],
    ids=["twice", "two documents", "syntax", "alias", "tag", "bytes"],
)
def test_refused(text: bytes, message: str, line: int, column: int) -> None:
    with pytest.raises(PlainYamlError) as caught:
        load_plain(text)
    assert message in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_nested_too_deeply() -> None:
    with pytest.raises(PlainYamlError, match="nest"):
        load_plain(b"[" * 5000 + b"]" * 5000)
