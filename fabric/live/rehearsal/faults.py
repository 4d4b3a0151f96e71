"""Faults that are armed on a fake switch, each for the next thing that it fits."""

from __future__ import annotations

from dataclasses import dataclass, replace

KINDS = (
    "reject",  # the next line or command that changes something is refused
    "slow",  # the next thing is answered late
    "hang",  # the next connection gets no banner, or the next command no answer
    "drop",  # the connection is cut in the middle of the next command
    "reboot",  # after the next change of what runs, or after the next thing whatever it is
    "host-key",  # another host key than the known one
    "password",  # no login is accepted
    "disk-full",  # nothing can be written
    "lock",  # somebody else holds the lock
    "more",  # output is paged although paging was turned off
)
LASTING = frozenset({"host-key", "password", "disk-full", "lock", "more"})  # until disarmed


@dataclass(frozen=True, slots=True)
class Fault:
    """An armed fault. ``count``: how often; 0: until disarmed.

    ``after``: ``drop`` and ``hang`` come after the command took effect, not before. ``seconds``: of
    ``slow``, in fake time. ``skip``: how many things that it fits come before the one that it hits.
    ``anything``: ``reboot`` waits for no change.
    """

    kind: str
    count: int = 1
    after: bool = False
    seconds: float = 20.0
    skip: int = 0
    anything: bool = False


class ArmedFaults:
    """The faults of one device."""

    def __init__(self) -> None:
        self._armed: dict[str, Fault] = {}

    def arm(self, fault: Fault) -> None:
        """Arm a fault; one of its kind that was armed before is replaced.

        Raises:
            ValueError: there is no such kind.
        """
        if fault.kind not in KINDS:
            message = f"{fault.kind}: no such fault; there are {', '.join(KINDS)}"
            raise ValueError(message)
        self._armed[fault.kind] = fault

    def disarm(self, kind: str = "") -> None:
        """Disarm one kind, or all."""
        if kind:
            self._armed.pop(kind, None)
        else:
            self._armed.clear()

    def on(self, kind: str) -> bool:
        """Whether one is armed; does not use it up."""
        return kind in self._armed

    def fits_anything(self, kind: str) -> bool:
        """Whether one is armed that the next thing meets, whatever that does."""
        return kind in self._armed and self._armed[kind].anything

    def take(self, kind: str) -> bool:
        """Whether one is armed, and for this; uses up one of its count."""
        return self.pop(kind) is not None

    def pop(self, kind: str) -> Fault | None:
        """The armed fault of a kind, one less of its count left; ``None`` where it skips this."""
        fault = self._armed.get(kind)
        if fault is not None and fault.skip:
            self._armed[kind] = replace(fault, skip=fault.skip - 1)
            return None
        if fault is not None and fault.count == 1:
            del self._armed[kind]
        elif fault is not None and fault.count > 1:
            self._armed[kind] = replace(fault, count=fault.count - 1)
        return fault

    def armed(self) -> tuple[str, ...]:
        """The kinds that are armed."""
        return tuple(self._armed)
