"""The lines that a push types at SR Linux make on the fake what the template renders."""

from __future__ import annotations

import json

import pytest

from fabric.catalog.push import push_spec
from fabric.files.locate import templates_root
from fabric.platforms.nokia_srl.places import parsed
from fabric.platforms.nokia_srl.pushing import Preview
from fabric.platforms.nokia_srl.reading import chains_of
from fabric.platforms.nokia_srl.set_lines import Owned, remediation
from fabric.platforms.nokia_srl.tree import CONFIG_FILE, config_of
from tests.live.rehearsal.cli.driver import Bench, quiet, switch
from tests.platforms.nokia_srl.cases import EVERY, text

OWNED = push_spec("nokia_srl", [templates_root()]).owned


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_typed_and_deleted_again(case: str, device: str) -> None:
    preview, rendered = Preview(OWNED), {CONFIG_FILE: text(case, device)}
    user = switch("nokia_srl", Bench()).login("admin")
    before = json.loads(user.type("info from running | as json"))
    quiet(user, "enter candidate private name fabric-1", "delete /")
    target = parsed(rendered[CONFIG_FILE], CONFIG_FILE)
    quiet(user, *remediation({}, target, Owned(OWNED)))
    made = {CONFIG_FILE: user.type("info | as json")}
    assert preview.differences(rendered, made) == ()
    told, meant = (chains_of(config_of(files), device) for files in (made, rendered))
    assert told == meant  # values have the types of the model, too
    quiet(user, *remediation(target, {}, Owned(OWNED)))
    assert json.loads(user.type("info | as json")) == {}
    assert json.loads(user.type("info from running | as json")) == before
