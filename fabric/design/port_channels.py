"""Ports of a leaf that face the members of one bond: its port-channels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.finding import Problem, ProblemError
from fabric.model.topology import Lag

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.model.intent import Intent
    from fabric.model.topology import End, Host, Link, Port, Switch

_PLACES = 10  # numbers a cage: it has at most eight children


def port_channels(
    switches: Sequence[Switch], hosts: Sequence[Host], links: Sequence[Link], intent: Intent
) -> tuple[Lag, ...]:
    """One for each bond, in the order of the hosts.

    Raises:
        ProblemError: RCE023, a system without port-channels.
    """
    bonds = [(host, nic) for host in hosts for nic in host.ports if nic.members]
    if not bonds:
        return ()
    by_name = {switch.name: switch for switch in switches}
    port_of = {(s.name, port.name): port for s in switches for port in s.ports}
    leaf_end: dict[tuple[str, str], End] = {(x.a.device, x.a.port): x.b for x in links}
    problems: dict[tuple[str, str], Problem] = {}
    lags: list[Lag] = []
    for host, nic in bonds:
        ends = [leaf_end[host.name, member] for member in nic.members]
        leaf = by_name[ends[0].device]
        spec = intent.hardware.of(leaf.name, leaf.role).platform
        if spec.lag is None:
            problem = _refused(host.group, spec.title, intent)
            problems.setdefault((host.group, spec.title), problem)
            continue
        number = min(number_of(port_of[leaf.name, end.port]) for end in ends)
        ports = tuple(end.port for end in ends)
        lags.append(Lag(leaf.name, spec.lag.name(number), number, ports, host.name, nic.netdev))
    if problems:
        raise ProblemError(tuple(problems.values()))
    return tuple(lags)


def number_of(port: Port) -> int:
    """A number for the port-channel that begins here: ten a cage, and where in it.

    The lock keeps ports, and splitting a cage further leaves a port's first lane where it is, so
    the number stays as long as the cable does.
    """
    return _PLACES * port.cage + 8 * port.child // port.children


def _refused(group: str, title: str, intent: Intent) -> Problem:
    number = next(n for n, one in enumerate(intent.host_groups) if one.name == group)
    message = f"{group}: bonds of hosts are not rendered for {title}"
    return Problem("RCE023", ("hosts", number, "attach"), message, "attach: single", subject=group)
