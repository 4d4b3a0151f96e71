"""How Comware is changed: a replacement that is live at once, under a rollback timer (class B).

``configuration commit delay`` starts the timer, ``configuration replace file`` makes what is in
force what the merged file says (it works out the ``undo`` lines itself), ``configuration commit``
keeps it (H3C configuration file management guide; HPE 5510HI guide). That both go together, and
that the delay counts minutes, was not seen on a switch. No command that tells whether the timer
runs is in a source read here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.changing.replies import Says, unlike
from fabric.changing.section_preview import STARTUP, SectionPreview, startup_as, text_of
from fabric.changing.sections import Grammar, differences
from fabric.model.push import (
    Ask,
    Command,
    Difference,
    Effect,
    Identity,
    PutFile,
    ReplyError,
    Step,
    TimerClass,
)
from fabric.platforms.hp_comware.reading import CONFIG_FILE

if TYPE_CHECKING:
    from fabric.model.platform import PlatformSpec
    from fabric.model.push import Files, Job
    from fabric.model.push_spec import PushSpec

_LONG_S = 180.0
_MINUTE = 60
_YES = ((r"\[Y/N(:\w)?\]", "Y"),)
_ANY = r"^\s*(%|Error)"
_CURRENT = Command("display current-configuration", timeout_s=_LONG_S)
_SAVED = Command("display saved-configuration", timeout_s=_LONG_S)
_BOOTS = Command("display saved-configuration", timeout_s=_LONG_S, tolerates=(".",))
_COPIED = Says("(?i)done")  # "Copied file … to …...Done.", "Copying file … to …... Done."
_NEXT = re.compile(r"Next (?:main )?startup saved-configuration file\s*:\s*(flash:/\S+?\.cfg)")
_ABSENT = "(?i)not exist|no such"
_HEADER = r"^\s*header (?:incoming|legal|login|motd|shell) (?P<end>[^\w\s])(?!.*(?P=end)\s*$)"
GRAMMAR = Grammar(
    comments=("#",),
    literals=((_HEADER, ""),),
    last="return",
    base_after="#",
    implied=r"^interface \S+ > undo shutdown$",  # ports that are up say nothing
)


def preview(_platform: PlatformSpec, push: PushSpec) -> Preview:
    """Reading Comware, and laying a candidate down."""
    return Preview(push.owned)


def commit(_platform: PlatformSpec, _push: PushSpec) -> Commit:
    """Putting a candidate in force."""
    return Commit()


@dataclass(frozen=True, slots=True)
class Preview(SectionPreview):
    """See ``fabric.changing.procedure.Preview``."""

    file = CONFIG_FILE
    grammar = GRAMMAR
    assumed = (("startup", "flash:/startup.cfg"),)

    def identify(self) -> Ask[Identity]:
        """Version, model and name, and the file that it boots from (fact ``startup``)."""
        name = Command("display current-configuration | include sysname")
        return Ask((Command("display version"), name, Command("display startup")), _identity)

    def holder(self) -> Ask[str | None]:
        """Comware has no lock on its running configuration that could be asked for."""
        return Ask((), lambda _: None)

    def running(self) -> Ask[Files]:
        """``display current-configuration``, and what it boots from, whatever that is."""
        return Ask((_CURRENT, _BOOTS), lambda r: {CONFIG_FILE: _whole(r[0]), STARTUP: r[1]})

    def stage(self, job: Job) -> tuple[Step, ...]:
        """A file with the target."""
        return (_put(job),)

    def difference(self, job: Job) -> Ask[Difference]:
        """Our own: the shape of ``display diff`` is in no source read here."""
        return Ask((), lambda _: Difference(self.differences(job.before, job.target)))

    def discard(self, job: Job) -> tuple[Step, ...]:
        """All files deleted; a startup file that an older push kept too."""
        return (_delete("remove our files", _candidate(job), _before(job), _kept(job)),)


@dataclass(frozen=True, slots=True)
class Commit:
    """See ``fabric.changing.procedure.Commit``."""

    timer = TimerClass.LIVE

    def way_back(self, job: Job) -> str:
        """The switch's own delay."""
        return (
            f"Comware rolls the change back itself unless it is committed within {_delay(job)} "
            "minutes (configuration commit delay); a restart boots the saved file"
        )

    def apply(self, job: Job) -> tuple[Step, ...]:
        """Checkpoints, the file; then the timer and, under it, the replacement."""
        startup = Command(
            f"copy {job.identity.fact('startup')} {_kept(job)}", answers=_YES, check=_COPIED
        )
        delay = Command(f"configuration commit delay {_delay(job)}", answers=_YES)
        return (
            Step(
                "checkpoint",
                Effect.STAGES,
                (startup, Command(f"save {_before(job)}", answers=_YES, timeout_s=_LONG_S)),
            ),
            _put(job),
            Step(
                "replace under the timer",
                Effect.RUNS,
                _in_system_view(delay, _replace(_candidate(job))),
            ),
        )

    def confirm(self, job: Job) -> tuple[Step, ...]:  # noqa: ARG002 — there is one timer a switch
        """``configuration commit``."""
        keep = Command("configuration commit", answers=_YES)
        return (Step("confirm", Effect.CONFIRMS, _in_system_view(keep)),)

    def save(self, job: Job) -> tuple[Step, ...]:
        """``save force``; what is saved is then compared with what is in force."""

        def left(replies: tuple[str, ...]) -> str | None:
            current, saved = (_whole(reply) for reply in replies)
            return unlike("saved and in force", differences(current, saved, GRAMMAR))

        save = Command("save force", answers=_YES, timeout_s=_LONG_S)
        proof = Ask((_CURRENT, _SAVED), left)
        return (
            Step("save", Effect.SAVES, (save,), until=proof, until_s=_LONG_S),
            _delete("remove our files", _candidate(job), _before(job)),
        )

    def restore(
        self,
        job: Job,
        *,
        pending: bool,  # noqa: ARG002 — same way
        saving: bool,
    ) -> tuple[Step, ...]:
        """The checkpoint in place of all, and the timer ended if it still runs.

        What it boots from is put back if saving began.
        The old startup file is kept on flash also when a push has ended well, since another device
        may make all go back. An earlier restore may have used it up, so what counts is that it
        reads as before.
        """
        end = Command("configuration commit", answers=_YES, tolerates=(_ANY,))
        file = PutFile(_path(_before(job)), text_of(job.before, CONFIG_FILE))
        startup = Command(
            f"copy {_kept(job)} {job.identity.fact('startup')}", answers=_YES, tolerates=(_ABSENT,)
        )
        proof = Ask((_BOOTS,), startup_as(job.before, GRAMMAR))
        boots = Step("startup file as before", Effect.SAVES, (startup,), proof, _LONG_S)
        return (
            Step(
                "replace by the checkpoint",
                Effect.RUNS,
                (file, *_in_system_view(_replace(_before(job)), end)),
            ),
            *((boots,) if saving else ()),
            _delete("remove our files", _candidate(job), _before(job), _kept(job)),
        )

    def pending(self, job: Job) -> Ask[bool | None]:  # noqa: ARG002 — nobody can be asked
        """Cannot be asked; both ways back are the same."""
        return Ask((), lambda _: None)


def _whole(reply: str) -> str:
    if not re.search(r"^return\s*\Z", reply.rstrip(), re.MULTILINE):
        msg = "the configuration does not end with `return`: it was cut off"
        raise ReplyError(msg)
    return reply.rstrip("\n") + "\n"


def _identity(replies: tuple[str, ...]) -> Identity:
    version = re.search(
        r"Comware Software, Version (\S+?),? (?:Release|Feature|ESS)? ?(\S*)", replies[0]
    )
    model = re.search(r"^(?:H3C|HPE?) (\S.*?) uptime is", replies[0], re.MULTILINE)
    name = re.search(r"^\s*sysname (\S+)", replies[1], re.MULTILINE)
    startup = _NEXT.search(replies[2])
    found = {"version": version, "sysname": name, "startup file": startup}
    if version is None or name is None or startup is None:
        missing = [what for what, match in found.items() if match is None]
        msg = f"no {' and no '.join(missing)} in what the switch says of itself"
        raise ReplyError(msg)
    return Identity(name[1], model[1] if model else None, version[1], (("startup", startup[1]),))


def _delay(job: Job) -> int:
    return max(1, -(-job.timer_s // _MINUTE))


def _candidate(job: Job) -> str:
    return f"flash:/{job.push_id}.cfg"


def _before(job: Job) -> str:
    return f"flash:/{job.push_id}-before.cfg"


def _kept(job: Job) -> str:
    return f"flash:/{job.push_id}-startup.cfg"


def _path(file: str) -> str:
    """What SFTP calls a file of the flash."""
    return file.removeprefix("flash:")


def _put(job: Job) -> Step:
    file = PutFile(_path(_candidate(job)), text_of(job.target, CONFIG_FILE))
    return Step("copy the candidate over", Effect.STAGES, (file,))


def _replace(file: str) -> Command:
    return Command(f"configuration replace file {file}", answers=_YES, timeout_s=2 * _LONG_S)


def _in_system_view(*commands: Command) -> tuple[Command, ...]:
    return (Command("system-view"), *commands, Command("return"))


def _delete(name: str, *files: str) -> Step:
    """A file that is not there is refused, which is as good."""
    gone = tuple(
        Command(f"delete /unreserved {file}", answers=_YES, tolerates=(_ANY, "(?i)no such|exist"))
        for file in files
    )
    return Step(name, Effect.STAGES, gone)
