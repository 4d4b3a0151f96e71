"""What the event model of PFC says: runs, frozen runs, the buffers that wait for each other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

FIFO, RANDOM, ROUND_ROBIN = "fifo", "random", "round-robin"
ARBITRATIONS = (FIFO, RANDOM, ROUND_ROBIN)


@dataclass(frozen=True, slots=True)
class StormModel:
    """Parameters of the model. A slot is the time of one packet on a cable.

    ``xoff_packets``: a buffer that holds so many pauses its sender, ``xon_packets``: that holds
    no more than so many resumes it. ``delay_slots``: until the sender obeys, which is also the
    headroom in packets. ``storm_at``: slot in which the NIC begins to pause, ``storm_slots``: for
    how long. Throughput is that of the last ``window_slots``. ``arbitration``: which ingress port
    may send next, one of ``ARBITRATIONS``.
    """

    slots: int = 20_000
    xoff_packets: int = 20
    xon_packets: int = 10
    delay_slots: int = 2
    storm_slots: int = 5_000
    arbitration: str = RANDOM

    @property
    def window_slots(self) -> int:
        """Slots at the end in which throughput is measured."""
        return max(1, self.slots // 4)

    @property
    def storm_at(self) -> int:
        """First slot of the storm."""
        return self.slots // 8

    @property
    def storm_end(self) -> int:
        """First slot after the storm."""
        return self.storm_at + self.storm_slots


@dataclass(frozen=True, slots=True)
class WaitingBuffer:
    """A buffer of a standstill: that of ``receiver`` behind the cable ``link``, at ``priority``.

    It holds ``packets``, and pauses ``sender`` for good; some of them wait for the next buffer.
    Ports are empty where they are not known.
    """

    link: str
    sender: str
    sender_port: str
    receiver: str
    receiver_port: str
    priority: int
    packets: int


@dataclass(frozen=True, slots=True)
class StormRun:
    """One run. ``load``: offered by each sending NIC, 1 is its line rate.

    Packets: ``offered`` to the NICs, ``delivered``, ``waiting`` in NICs at the end, ``demoted`` to
    a lossy class by the rule of rising levels, ``stuck`` in the fabric after the hosts had stopped
    and nothing moved any more. ``throughput``: delivered of offered in the window at the end, at
    most 1. ``busiest``: load offered to the busiest cable. ``peak_packets``: most that a buffer
    held. ``frozen_at``: slot from which nothing moved on the cycle, ``None`` without a standstill.
    """

    load: float
    storm: bool
    seed: int
    offered: int
    delivered: int
    waiting: int
    demoted: int
    stuck: int
    throughput: float
    busiest: float
    peak_packets: int
    frozen_at: int | None = None
    cycle: tuple[WaitingBuffer, ...] = ()

    @property
    def deadlocked(self) -> bool:
        """Whether packets are left that can never move again."""
        return self.stuck > 0


@dataclass(frozen=True, slots=True)
class StormCase:
    """Runs of one load with or without a storm."""

    load: float
    storm: bool
    runs: tuple[StormRun, ...]

    @property
    def deadlocked(self) -> int:
        """Runs that deadlocked."""
        return sum(run.deadlocked for run in self.runs)

    @property
    def throughput(self) -> float:
        """Mean share of the offered load that arrives at the end."""
        return sum(run.throughput for run in self.runs) / len(self.runs)

    @property
    def busiest(self) -> float:
        """Load offered to the busiest cable of any run."""
        return max(run.busiest for run in self.runs)


@dataclass(frozen=True, slots=True)
class StormStudy:
    """All runs of one fabric under one routing and one rule of rising levels.

    ``pattern``: the traffic in words. ``paused``: the NIC that pauses, empty without a storm.
    ``cbd``: what the proof says of the same routing and rule. ``flows``: pairs of NICs that send.
    """

    routing: str
    rise: str
    pattern: str
    flows: int
    paused: str
    cbd: bool
    model: StormModel
    runs: tuple[StormRun, ...]
    notes: tuple[str, ...] = ()

    @property
    def cases(self) -> tuple[StormCase, ...]:
        """Runs by load and storm, in the order in which they stand."""
        parts = groupby(self.runs, key=lambda run: (run.load, run.storm))
        return tuple(StormCase(load, storm, tuple(runs)) for (load, storm), runs in parts)

    @property
    def deadlocked(self) -> int:
        """Runs that deadlocked."""
        return sum(run.deadlocked for run in self.runs)

    @property
    def example(self) -> StormRun | None:
        """The first run that deadlocked."""
        return next((run for run in self.runs if run.deadlocked), None)
