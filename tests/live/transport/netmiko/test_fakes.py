"""netmiko's driver of each system in a session with the fake of that system, over real SSH."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from fabric.live.rehearsal.faults import Fault
from fabric.live.transport.dial import Dialer
from fabric.live.transport.errors import DeviceError, Kind
from fabric.model.push import Command, Lines
from tests.live.transport.netmiko.systems import NEW_NAME, SYSTEMS, System, spoken

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.live.transport.session import Session
    from fabric.model.push import Action
    from tests.live.transport.netmiko.conftest import Met

    Meet = Callable[..., Met]

every_system = pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
# The basic engine of SR Linux's CLI, which its driver asks for, does not page.
PAGING = [system for system in SYSTEMS if system.name != "nokia_srl"]
ASKING = [system for system in SYSTEMS if system.question]


def failure(session: Session, action: Action) -> DeviceError:
    with pytest.raises(DeviceError) as caught:
        session.perform(action)
    return caught.value


@every_system
def test_driver_is_the_manifest_s(system: System) -> None:
    assert spoken(system).netmiko_type == system.driver


@every_system
def test_what_is_read_is_what_our_own_terminal_reads(system: System, meet: Meet) -> None:
    met = meet(system)
    version, whole = Command(system.version[0]), Command(system.configuration)
    assert system.version[1] in met.session.perform(version)
    assert "192.0.2.61" in met.session.perform(whole)
    with Dialer(met.fakes.connections, {"leaf-0": spoken(system)}) as dial:
        own = dial("leaf-0")
        assert met.session.perform(whole) == own.perform(whole)
        own.close()


@pytest.mark.parametrize("system", PAGING, ids=lambda system: system.name)
def test_pages_that_come_although_the_driver_has_switched_them_off(
    system: System, meet: Meet
) -> None:
    met = meet(system)
    whole = met.session.perform(Command(system.configuration))
    assert whole.count("\n") > 24
    met.fakes.arm("leaf-0", Fault("more", count=0))
    assert met.session.perform(Command(system.configuration)) == whole


@every_system
def test_refused_line_is_an_error_and_the_session_goes_on(system: System, meet: Meet) -> None:
    session = meet(system).session
    for action in (Command(system.refused), Lines(("", system.refused))):
        error = failure(session, action)
        assert (error.kind, error.command) == (Kind.REFUSED, system.refused)
        assert str(error).startswith(f"leaf-0: `{system.refused}`")
    assert system.version[1] in session.perform(Command(system.version[0]))


@every_system
def test_configuration_mode_and_another_name(system: System, meet: Meet) -> None:
    """FC-73: the prompt is another one, and cut, while lines are typed."""
    met = meet(system)
    met.session.perform(Command(system.enter))
    met.session.perform(Lines(system.rename))
    met.session.perform(Command(system.leave))
    assert system.version[1] in met.session.perform(Command(system.version[0]))
    assert NEW_NAME in met.fakes.state("leaf-0")["running"]
    met.session.close()
    again = met.dial("leaf-0")
    assert system.version[1] in again.perform(Command(system.version[0]))
    again.close()


@pytest.mark.parametrize("system", ASKING, ids=lambda system: system.name)
def test_question_is_answered(system: System, meet: Meet) -> None:
    assert system.question
    session = meet(system).session
    before, command, asks, answer, told = system.question
    for line in before:
        session.perform(Command(line))
    reply = session.perform(Command(command, answers=((asks, answer),)))
    assert told in reply
    assert re.search(asks, reply)
    assert system.version[1] in session.perform(Command(system.version[0]))


@every_system
@pytest.mark.parametrize("idle", [True, False], ids=["idle", "at-work"])
def test_killed_session_is_lost_at_once(system: System, meet: Meet, idle: bool) -> None:
    """The command would be waited for until long after the test has been given up."""
    met = meet(system)
    met.fakes.cut("leaf-0") if idle else met.fakes.arm("leaf-0", Fault("drop"))
    error = failure(met.session, Command(system.version[0], timeout_s=1000.0))
    assert error.kind is Kind.LOST
    assert not error.kind.outcome_known
    assert "the session was lost during" in str(error)


@every_system
def test_slow_command_is_waited_for_and_one_without_end_is_not(system: System, meet: Meet) -> None:
    met = meet(system, second_s=0.01)
    met.fakes.arm("leaf-0", Fault("slow", seconds=20.0))
    assert system.version[1] in met.session.perform(Command(system.version[0]))
    met.fakes.scale(0.0)  # its twenty seconds never end
    met.fakes.arm("leaf-0", Fault("hang"))
    error = failure(met.session, Command(system.version[0], timeout_s=0.5))
    assert error.kind is Kind.TIMEOUT
    assert not error.kind.outcome_known
    assert f"`{system.version[0]}` did not end within 0.5 s: awaited was a prompt of" in str(error)
    assert failure(met.session, Command(system.version[0])).kind is Kind.LOST  # it is closed
