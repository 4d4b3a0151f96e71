"""What each switch system says about changing it: ``Preview`` and ``Commit``.

A dry run is handed a ``Preview`` alone, so it has nothing that could change a switch. Each system
defines ``preview(platform, push) -> Preview`` and ``commit(platform, push) -> Commit`` in
``platforms/<system>/pushing.py``, of its manifest (``PlatformSpec``) and ``PushSpec``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from fabric.model.push import Ask, Difference, Files, Identity, Job, Step, TimerClass


class Preview(Protocol):
    """Reading a switch, and laying a candidate down without putting it in force."""

    @property
    def assumed(self) -> tuple[tuple[str, str], ...]:
        """Facts of an identity that a dry run takes for granted where no device can be asked."""

    def identify(self) -> Ask[Identity]:
        """Which device this is; everything that later steps depend on stands in its facts."""

    def holder(self) -> Ask[str | None]:
        """Who else holds a lock or an open candidate, in words; ``None``: nobody."""

    def running(self) -> Ask[Files]:
        """The whole configuration in force, as text by file name.

        Files of the manifest keep their names. Each command is bounded in time and never pages.
        """

    def canonical(self, files: Files) -> str:
        """One text for equal configurations; before-digests are taken of it.

        Without times, banners of the dump and machine-made rows, ordered where order means nothing.
        """

    def target(self, running: Files, rendered: Files) -> Files:
        """The running configuration with only the owned parts replaced by the rendered text.

        What is not owned survives byte for byte.

        Raises:
            ReplyError: one of the two cannot be understood.
        """

    def differences(self, before: Files, after: Files) -> tuple[str, ...]:
        """Our own structural difference, a line each with ``+`` or ``-`` in front and its place.

        Empty: the two are the same to the system.
        """

    def stage(self, job: Job) -> tuple[Step, ...]:
        """Lay the target down where the device can compare it. Effects up to ``STAGES``."""

    def difference(self, job: Job) -> Ask[Difference]:
        """What the staged target would change, its lines in the form of ``differences``.

        By the device itself where it can; else no command, and our own difference.
        """

    def discard(self, job: Job) -> tuple[Step, ...]:
        """Take away what ``stage`` laid down; right also when it got only half-way."""


class Commit(Protocol):
    """Putting a target in force, keeping it, going back.

    Every list of steps starts from a fresh session at the login prompt and leaves nothing open.
    """

    timer: TimerClass

    def way_back(self, job: Job) -> str:
        """A sentence: who undoes an unconfirmed change, by what, and what a reboot does to it."""

    def apply(self, job: Job) -> tuple[Step, ...]:
        """Checkpoint on the device, stage, arm the timer, put the target in force."""

    def confirm(self, job: Job) -> tuple[Step, ...]:
        """Give up the timer; the target stays in force. Steps as those of ``save``."""

    def save(self, job: Job) -> tuple[Step, ...]:
        """Make the device boot from what is in force, read that back, remove our leftovers.

        Each step starts at the login prompt and is right when it was carried out before: a push
        that was cut off goes on with the step of which the end is not known.
        """

    def restore(self, job: Job, *, pending: bool, saving: bool) -> tuple[Step, ...]:
        """Put ``job.before`` in force again, with the timer (``pending``) or without it.

        ``saving``: what the device boots from may have been changed, by a step that began or by
        somebody who saved our change; else it is as before and is left alone. Right after any step
        of ``apply``, ``confirm`` and ``save``, also one that began and was cut off, and when
        nothing has to be done. Takes the timer and all leftovers away; what the device boots from
        is as before too.
        """

    def pending(self, job: Job) -> Ask[bool | None]:
        """Whether the timer of this very change is running on the device.

        ``None``: the device cannot be asked; its ``restore`` is the same either way.
        """
