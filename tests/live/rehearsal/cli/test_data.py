"""The data of every fake: it loads, says where it comes from, and takes what it shows."""

from __future__ import annotations

import pytest

from fabric.files.locate import templates_root
from fabric.files.plain import load_plain
from fabric.live.rehearsal.cli.data import load_system
from fabric.live.rehearsal.cli.grammar import read_grammar
from fabric.live.rehearsal.cli.verbs import VERBS
from tests.live.rehearsal.cli.driver import MODELS, Bench, switch

SYSTEMS = sorted(MODELS)


@pytest.mark.parametrize("name", SYSTEMS)
def test_modes_verbs_and_sections_that_are_named_exist(name: str) -> None:
    system = load_system(name)
    for command in system.commands:
        assert command.modes <= set(system.modes), command.text
        asked = [answer.does or () for ask in command.asks for answer in ask.answers]
        for one in (*command.does, *(one for does in asked for one in does)):
            assert one.split()[0] in VERBS, (command.text, one)
            if one.split()[0] in {"enter", "open", "close"}:
                assert one.split()[1] in system.modes, (command.text, one)
    if system.main["form"] != "objects":
        grammar = read_grammar(system.main.get("negation", "delete"), system.grammar)
        assert list(grammar.problems()) == []


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_reply_has_a_place_for_its_source(name: str) -> None:
    folder = templates_root() / name / "rehearse"
    for path in folder.glob("commands*.yaml"):
        for item in load_plain(path.read_bytes())["commands"]:  # type: ignore[index]
            assert "source" in item, (path.name, item["type"])
    main = load_plain((folder / "system.yaml").read_bytes())
    for key, item in main["texts"].items():  # type: ignore[index]
        assert set(item) == {"says", "source"}, key
    assert (
        "Source"
        in (folder / "grammar.yaml").read_text(encoding="utf-8").splitlines()[1]
        + (folder / "grammar.yaml").read_text(encoding="utf-8").splitlines()[0]
    )


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_new_switch_knows_all_that_it_boots_from(name: str) -> None:
    box = switch(name, Bench())
    assert box.refused == []
    state = box.state()
    assert state["running"] == state["startup"]
    for told in ("leaf-0", "192.0.2.10", "192.0.2.61", "admin", "192.0.2.60"):
        assert told in state["running"], told


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_a_switch_writes_it_reads_back(name: str) -> None:
    box = switch(name, Bench())
    again, refused = box.form.read(box.text(box.running), None, "override")
    assert refused == []
    assert again == box.running


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_command_that_nobody_knows_is_refused_in_every_mode(name: str) -> None:
    box = switch(name, Bench())
    terminal = box.login("admin")
    for mode in box.system.modes.values():
        terminal.mode = mode
        assert terminal.type("fabricbogus 1").strip() != ""


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_reboot_brings_back_what_was_saved_and_ends_sessions(name: str) -> None:
    box = switch(name, Bench())
    before = box.state()["running"]
    terminal = box.login("admin")
    box.replace(box.form.empty(), "admin")
    box.disk[box.system.main["startup"]] = before.encode()
    box.reboot()
    assert terminal.closed
    assert box.state()["running"] == before


@pytest.mark.parametrize("name", SYSTEMS)
def test_two_logins_of_the_same_commands_give_the_same_texts(name: str) -> None:
    def told() -> list[str]:
        box = switch(name, Bench())
        terminal = box.login("admin")
        return [terminal.banner(), terminal.prompt(), *box.state().values()]

    assert told() == told()


def test_a_reply_without_source_is_noted_once() -> None:
    box = switch("arista_eos", Bench())
    terminal = box.login("admin")
    terminal.type("enable")
    terminal.type("write memory")
    terminal.type("write memory")
    assert box.unsourced == ["arista_eos: 'write [memory]'"]


def test_a_sourced_reply_is_not_noted() -> None:
    box = switch("arista_eos", Bench())
    box.login("admin").type("show version")
    assert box.unsourced == []
