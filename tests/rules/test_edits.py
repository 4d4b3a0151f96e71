from __future__ import annotations

import pytest

from tests.rules.edits import edited
from tests.samples import sample_roce


def test_one_item_by_name() -> None:
    changed = edited(sample_roce(), "class_map.classes[cnp].dscps", [25])
    assert changed.class_map.of_dscp(25).name == "default"
    assert [c.dscps for c in changed.class_map.classes if c.name == "cnp"] == [(25,)]
    assert changed.class_map.named("roce") == sample_roce().class_map.named("roce")


def test_every_item() -> None:
    changed = edited(sample_roce(), "class_map.classes[*].weight", 1)
    assert {c.weight for c in changed.class_map.classes} == {1}


def test_item_by_place() -> None:
    changed = edited(sample_roce(), "class_map.classes[1].dscps[0]", 46)
    assert changed.class_map.classes[1].dscps == (46,)


@pytest.mark.parametrize("path", ["class_map.classes[roc].weight", "class_map.clases"])
def test_a_path_to_nothing_is_an_error(path: str) -> None:
    with pytest.raises(LookupError):
        edited(sample_roce(), path, 1)
