"""What the SSH server asks of the software of a fake switch, and what it tells it.

How a box comes to be: the server calls ``box(setup, world)`` of ``boxes/<system>.py`` where the
system is reached by a shell, of ``cli/__init__.py`` for every other system (``boxes.make``).

* ``Setup`` is the switch as data. ``files`` is what it boots from; empty: as its platform ships,
  plus the management lines that an operator would have (``Setup.address``, ``Setup.user``).
* ``World`` is what goes on around it: the time, armed faults, and who is cabled to whom.

Who does what of the faults (``world.faults``, a device's own):

* The server alone: ``slow``, ``hang``, ``drop``, ``reboot``, ``host-key``, ``password``; also
  ``more`` where ``Dialog.page_length`` is 0 (it then pages after 24 lines), and ``disk-full`` for
  SFTP.
* The box: ``reject`` (``faults.take("reject")`` once for each line or command that would change
  something; true: refuse this one, in the system's own words, and change nothing), ``disk-full``
  (``faults.on("disk-full")`` at each write of a file or save) and ``lock`` (``faults.on("lock")``:
  somebody else holds the lock, the open candidate, or a reload that is under way).

BGP sessions: a box tells its half of each session by ``peerings()``, as its *running* configuration
has it, and asks ``world.peers.state(peering)`` what has become of it, for ``show bgp summary`` and
the like. The session is established when both ends are up, cabled together, and name each other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import ip_interface
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Clock: TypeAlias = "Callable[[], float]"  # fake seconds that only grow; tests scale or move it


@dataclass(frozen=True, slots=True)
class Neighbour:
    """One cable end: ``port`` of this switch goes to ``peer_port`` of ``peer``."""

    port: str
    peer: str
    peer_port: str


@dataclass(frozen=True, slots=True)
class Setup:
    """A fake switch as data. ``files``: what it boots from, by file name of its manifest.

    ``platform``: what ONIE calls the box, where the system asks for it (SONiC); empty: the usual.
    ``address``: of its management port, with prefix length. ``gateway``: from there; empty: the
    first address of that network. ``ports``: names of its front ports.
    ``programs``: of those that not every box has (``at``, ``systemd-run``, ...), which are there.
    """

    device: str
    system: str
    model: str
    os_version: str
    address: str = "192.0.2.10/24"
    gateway: str = ""
    user: str = "admin"
    password: str = "rehearsal"  # noqa: S105
    ports: tuple[str, ...] = ()
    neighbours: tuple[Neighbour, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    programs: tuple[str, ...] = ("systemd-run", "at")
    platform: str = ""
    boot_s: float = 90.0  # fake seconds from a reboot to the first login

    @property
    def way_out(self) -> str:
        """The gateway of its management port."""
        network = ip_interface(self.address).network
        return self.gateway or str(next(iter(network.hosts()), network.network_address))


@dataclass(frozen=True, slots=True)
class Peering:
    """One BGP session as one end's running configuration has it.

    ``port``: the port that it goes over, empty if none is known. ``local`` and ``remote``:
    addresses without length, empty on unnumbered sessions, which are matched by port.
    ``remote_asn`` 0: any that differs from ours. ``up``: port and session are not shut down.
    """

    device: str
    port: str
    local: str
    remote: str
    local_asn: int
    remote_asn: int
    up: bool = True


@dataclass(frozen=True, slots=True)
class PeerState:
    """What became of a session: ``Established``, ``Active`` or ``Idle``, and who answers there."""

    state: str
    hostname: str = ""
    remote_asn: int = 0  # 0: nobody has answered yet
    since_s: float = 0.0  # fake seconds since it is in this state


class Peers(Protocol):
    """Who is cabled to whom, and what both ends say."""

    def state(self, peering: Peering) -> PeerState:
        """What has become of this session."""


class Faults(Protocol):
    """The faults that are armed on one device."""

    def on(self, kind: str) -> bool:
        """Whether a fault is armed; does not use it up."""

    def take(self, kind: str) -> bool:
        """Whether a fault is armed; uses up one of its count."""


@dataclass(frozen=True, slots=True)
class World:
    """What goes on around a fake switch.

    ``hang_up`` cuts all its sessions, as a restart of interfaces does. ``power_cycle`` has the
    server reboot it, as a command of its own can.
    """

    clock: Clock
    faults: Faults
    peers: Peers
    hang_up: Callable[[], None] = lambda: None
    power_cycle: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class ShellReply:
    """What a command in an exec channel gives."""

    status: int
    stdout: str = ""
    stderr: str = ""
    seconds: float = 0.0  # how long it takes, in the fake's time
    drops: bool = False  # the session dies with it, as when interfaces restart


class Dialog(Protocol):
    """One login at a CLI. The server does echo, line ends and paging."""

    closed: bool  # the user left, or the box threw him out

    def banner(self) -> str:
        """What stands above the first prompt."""

    def prompt(self) -> str:
        """What the box waits with: a prompt, or a question."""

    def type(self, line: str) -> str:
        """What the box answers to a line, without prompt; lines end in a newline."""

    def page_length(self) -> int:
        """Lines to a page; 0: it does not page."""

    def pager(self) -> str:
        """What the box shows between two pages."""


class Box(Protocol):
    """The software of one fake switch. Not safe for threads: the server takes a lock around it."""

    disk: dict[str, bytes]  # by absolute path; what SFTP reads and writes
    unsourced: list[str]  # replies given that no transcript or document backs, for the output

    def login(self, user: str) -> Dialog:
        """A CLI login; on a box with a shell, its shell."""

    def run(self, user: str, command: str) -> ShellReply:
        """A command in an exec channel; on a box with a CLI only, its words for a refusal."""

    def tick(self) -> None:
        """Let timers that are due fire; called before each of the above and now and then."""

    def reboot(self) -> None:
        """Come up again from what is saved: running state, sessions and timers are lost."""

    def peerings(self) -> tuple[Peering, ...]:
        """Its halves of the BGP sessions, as the running configuration has them."""

    def state(self) -> Mapping[str, str]:
        """For tests: texts by name, at least ``running`` and ``startup``; pending timers too."""
