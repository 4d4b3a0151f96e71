"""How Junos is changed: what is owned, what is typed, what replies mean."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.model.push import Command, Effect, Identity, PutFile, ReplyError
from fabric.platforms.juniper_junos.pushing import Commit, Preview
from fabric.platforms.juniper_junos.set_lines import remediation, set_lines
from tests.platforms.juniper_junos.cases import FILE, text
from tests.platforms.pushed import a_job, spec, typed

RUNNING = {FILE: (Path(__file__).parent / "active/leaf-0.set").read_text()}
RENDERED = {FILE: text("numbered").replace("192.0.2.1/24", "192.0.2.44/24")}
OWNS = spec("juniper_junos").owned
PREVIEW, COMMIT = Preview(OWNS), Commit(OWNS)
OWNED = (
    "set system host-name old-name",
    'set interfaces et-0/0/0 description "what; stood \\"here\\""',
    "set interfaces et-0/0/0 unit 0 family inet address 10.9.9.9/31",
    "set interfaces et-0/0/63 mtu 1500",
    "deactivate interfaces et-0/0/63",
    "set interfaces lo0 unit 0 family inet address 10.0.0.9/32",
    "set class-of-service classifiers dscp THEIRS forwarding-class best-effort loss-priority low",
    "set routing-options static route 10.9.0.0/16 discard",
    "set routing-options router-id 10.0.0.9",
)
IDENTITY = Identity("leaf-0", "qfx5240-64od", "23.4R2-S1.4-EVO")
JOB = a_job(PREVIEW, RUNNING, RENDERED, IDENTITY)


def test_what_is_not_owned_stays_word_for_word_and_in_its_order() -> None:
    kept = [line for line in RUNNING[FILE].splitlines() if line not in OWNED]
    assert JOB.target[FILE].splitlines()[: len(kept)] == kept


def test_all_that_is_rendered_is_in_the_target() -> None:
    assert set(set_lines(RENDERED[FILE])) <= set(JOB.target[FILE].splitlines())


def test_the_management_address_is_never_ours() -> None:
    assert "set interfaces re0:mgmt-0 unit 0 family inet address 192.0.2.44/24" in JOB.target[FILE]


def test_a_target_is_its_own_target() -> None:
    again = PREVIEW.target(JOB.target, RENDERED)
    assert PREVIEW.differences(JOB.target, again) == ()


@pytest.mark.parametrize(
    ("curly", "lines"),
    [
        ("a { b c; }", ["set a b c"]),
        ("a { replace: b { c [ d e ]; } }", ["set a b c d", "set a b c e"]),
        ('a { description "x; \\"y\\""; }', ['set a description "x; \\"y\\""']),
        ("# told\na { b; /* told */ c; }", ["set a b", "set a c"]),
    ],
)
def test_set_lines_of_the_curly_form(curly: str, lines: list[str]) -> None:
    assert list(set_lines(curly)) == lines


def test_only_statements_that_differ_are_set_anew() -> None:
    owned = (r"(?P<root>interfaces et-\S+)",)
    before = ["set interfaces et-0 mtu 1", "set interfaces et-1 mtu 1", "set snmp x"]
    after = ["set interfaces et-0 mtu 1", "set interfaces et-1 mtu 2", "set snmp x", "set ntp y"]
    assert remediation(before, after, owned) == [
        "delete interfaces et-1",
        "set interfaces et-1 mtu 2",
        "set ntp y",
    ]
    assert remediation(after, before, owned) == [
        "delete interfaces et-1",
        "delete ntp y",
        "set interfaces et-1 mtu 1",
    ]


def test_what_is_switched_off_is_switched_on_again() -> None:
    assert remediation(["deactivate snmp"], [], ()) == ["activate snmp"]


class Candidate:
    """What `load set` makes of lines: a list of statements and of those that are off."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = list(lines)

    def load(self, lines: list[str]) -> None:
        for line in lines:
            verb, _, path = line.partition(" ")
            if verb == "delete":
                self.lines = [
                    kept
                    for kept in self.lines
                    if not f"{kept.partition(' ')[2]} ".startswith(f"{path} ")
                ]
            elif verb == "activate":
                self.lines.remove(f"deactivate {path}")
            elif line not in self.lines:
                self.lines.append(line)


_STATEMENTS = ("interfaces et-0 mtu 1", "interfaces et-0 mtu 2", "snmp x", "ntp y")
_LINES = st.dictionaries(st.sampled_from(_STATEMENTS), st.booleans()).map(
    lambda off: [f"set {s}" for s in off] + [f"deactivate {s}" for s in off if off[s]]
)


@given(_LINES, _LINES)
def test_the_lines_lead_from_one_to_the_other(before: list[str], after: list[str]) -> None:
    candidate = Candidate(before)
    candidate.load(remediation(before, after, (r"(?P<root>interfaces et-\S+)",)))
    assert sorted(candidate.lines) == sorted(after)


def test_the_whole_way_there() -> None:
    assert typed(COMMIT.apply(JOB)) == [
        "show configuration | save /var/tmp/fabric-7f3a-before",
        "put /var/tmp/fabric-7f3a.set",
        "configure exclusive",
        "load set /var/tmp/fabric-7f3a.set",
        "commit check",
        'commit confirmed 11 comment "fabric-7f3a"',
        "exit configuration-mode",
    ]
    assert typed(COMMIT.confirm(JOB))[1] == 'commit comment "fabric-7f3a"'


def test_nothing_but_the_commit_for_a_time_checks() -> None:
    """`commit check` confirms a commit that waits."""
    others = (
        *typed(COMMIT.confirm(JOB)),
        *typed(COMMIT.save(JOB)),
        *typed(COMMIT.restore(JOB, pending=True, saving=True)),
        *typed(PREVIEW.stage(JOB)),
        *(command.text for command in PREVIEW.difference(JOB).commands),
    )
    assert "commit check" not in others


def test_effects() -> None:
    assert [step.effect for step in COMMIT.apply(JOB)] == [
        Effect.STAGES,
        Effect.STAGES,
        Effect.RUNS,
    ]
    assert {step.effect for step in PREVIEW.stage(JOB)} == {Effect.STAGES}


def test_the_file_holds_the_way_from_one_to_the_other() -> None:
    (file,) = PREVIEW.stage(JOB)[0].actions
    assert isinstance(file, PutFile)
    lines = file.text.splitlines()
    assert "delete interfaces et-0/0/63" in lines
    assert "delete class-of-service" in lines
    assert not any("mgmt" in line or "login" in line or "0.0.0.0/0" in line for line in lines)


def test_identity() -> None:
    reply = "Hostname: leaf-0\nModel: qfx5240-64od\nJunos: 23.4R2-S1.4-EVO\n"
    assert PREVIEW.identify().read((reply,)) == IDENTITY
    with pytest.raises(ReplyError, match="no model"):
        PREVIEW.identify().read(("Hostname: leaf-0\nJunos: 23.4R2\n",))


COMMITS = (
    "0   2026-11-30 10:00:00 UTC by admin via cli{}\n    {}\n1   2026-11-29 by root via other\n"
)


def test_holder() -> None:
    read = PREVIEW.holder().read
    free = COMMITS.format("", "fabric-1")
    assert read(("Entering configuration mode", "Exiting configuration mode", free)) is None
    locked = "error: configuration database locked by:\n  ann terminal pts/0 (pid 9) on since now"
    found = read((locked, "", free))
    assert found is not None
    assert "ann terminal pts/0" in found
    waits = COMMITS.format(" commit confirmed, rollback in 5mins", "somebody")
    found = read(("Entering configuration mode", "", waits))
    assert found is not None
    assert "rollback in" in found


def test_pending_is_told_of_our_own_commit_alone() -> None:
    read = COMMIT.pending(JOB).read
    waits = " commit confirmed, rollback in 10mins"
    assert read((COMMITS.format(waits, "fabric-7f3a"),)) is True
    assert read((COMMITS.format(waits, "another"),)) is False
    assert read((COMMITS.format("", "fabric-7f3a"),)) is False
    older = COMMITS.format("", "x").replace("via other", f"via cli{waits}\n    fabric-7f3a")
    assert read((older,)) is False


def test_a_commit_that_still_waits_is_not_saved() -> None:
    proof = COMMIT.save(JOB)[0].actions[0]
    assert isinstance(proof, Command)
    assert proof.check is not None
    assert proof.check(COMMITS.format("", "fabric-7f3a")) is None
    waits = COMMITS.format(" commit confirmed, rollback in 10mins", "fabric-7f3a")
    assert "still waits" in str(proof.check(waits))


def asked(compared: str, candidate: str) -> tuple[str, ...]:
    ask = PREVIEW.difference(JOB)
    found = ask.read(("", "load complete", RUNNING[FILE], compared, candidate, "", ""))
    assert found.candidate == {FILE: candidate.removesuffix("\n[edit]\n")}
    return found.lines


def test_the_switch_says_what_would_change() -> None:
    assert asked("[edit]\n", RUNNING[FILE]) == ()
    candidate = RUNNING[FILE].replace("old-name", "leaf-0") + "\n[edit]\n"
    assert asked("[edit system]\n-  host-name old-name;\n+  host-name leaf-0;", candidate) == (
        "-set system host-name old-name",
        "+set system host-name leaf-0",
    )
    assert asked("[edit]\n+  x;", RUNNING[FILE]) == ("+  x;",)


def test_a_load_with_errors_is_refused() -> None:
    load = PREVIEW.difference(JOB).commands[1]
    assert load.check is not None
    assert load.check("load complete") is None
    assert load.check("load complete (2 errors)") is not None
    assert load.check("") is not None
