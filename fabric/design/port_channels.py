"""Ports of a leaf that face the members of one bond: its port-channels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.model.finding import Problem, ProblemError
from fabric.model.topology import Lag

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.model.intent import DeviceHardware, Intent
    from fabric.model.topology import End, Host, Link, Port, Switch

_PLACES = 10  # numbers a cage: it has at most eight children


def port_channels(
    switches: Sequence[Switch], hosts: Sequence[Host], links: Sequence[Link], intent: Intent
) -> tuple[Lag, ...]:
    """One for each bond, in the order of the hosts; of a bond to two leaves one on each.

    LACP keys only tell bonds of one pair of leaves apart: a host that is cabled wrongly is left
    with one member. Both leaves take the number of the first's port-channel.

    Raises:
        ProblemError: RCE023, a system without port-channels, or without bonds to two leaves.
    """
    bonds = [(host, nic) for host in hosts for nic in host.ports if nic.members]
    if not bonds:
        return ()
    by_name = {switch.name: switch for switch in switches}
    port_of = {(s.name, port.name): port for s in switches for port in s.ports}
    leaf_end: dict[tuple[str, str], End] = {(x.a.device, x.a.port): x.b for x in links}
    problems: dict[tuple[str, str, str], Problem] = {}
    lags: list[Lag] = []
    for host, nic in bonds:
        ends: dict[str, list[End]] = {}
        for member in nic.members:
            end = leaf_end[host.name, member]
            ends.setdefault(end.device, []).append(end)
        pair = tuple(ends) if len(ends) > 1 else ()
        key: int | None = None
        for name, faces in ends.items():
            hardware = intent.hardware.of(name, by_name[name].role)
            words = hardware.platform.lag
            reason = _refusal(hardware, dual=bool(pair))
            if words is None or reason:
                where = (host.group, hardware.platform.title, hardware.model.asic.family)
                problems.setdefault(where, _refused(host.group, reason, intent))
                continue
            number = min(number_of(port_of[name, end.port]) for end in faces)
            key = key or number
            ports = tuple(end.port for end in faces)
            lag = Lag(name, words.name(number), number, ports, host.name, nic.netdev)
            lags.append(replace(lag, pair=pair, lacp_key=key) if pair else lag)
    if problems:
        raise ProblemError(tuple(problems.values()))
    return tuple(lags)


def number_of(port: Port) -> int:
    """A number for the port-channel that begins here: ten a cage, and where in it.

    The lock keeps ports, and splitting a cage further leaves a port's first lane where it is, so
    the number stays as long as the cable does.
    """
    return _PLACES * port.cage + 8 * port.child // port.children


def _refusal(hardware: DeviceHardware, *, dual: bool) -> str:
    """Why no bond ends on this switch, or no half of one; empty: it does."""
    spec = hardware.platform
    if spec.lag is None:
        return f"bonds of hosts are not rendered for {spec.title}"
    if not dual or spec.lag.takes_dual_tor(hardware.model.asic.family):
        return ""
    where = f" on {hardware.model.asic.family} chips" if spec.lag.dual_tor else ""
    return f"attach: dual-tor is not rendered for {spec.title}{where}: {spec.lag.no_dual_tor}"


def _refused(group: str, reason: str, intent: Intent) -> Problem:
    number = next(n for n, one in enumerate(intent.host_groups) if one.name == group)
    fix = "attach: single"
    if intent.host_groups[number].dual_tor:
        fix = "attach: bond (one leaf), or a NIC a leaf (kind: rail)"
    message = f"{group}: {reason}"
    return Problem("RCE023", ("hosts", number, "attach"), message, fix, subject=group)
