"""FRR on Linux: routing and nothing else. It has no lossless function to read back."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.model.qos import silent_chain
from fabric.platforms import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.model.device import DeviceModel
    from fabric.model.finding import Finding
    from fabric.model.qos import QosChain

_INTERFACES_FILE = "interfaces"
_MTU = re.compile(
    r"^iface (\S+) inet6? manual\n(?![ \t]+(?:bridge_|bond-))"  # an SVI or a bond is no port
    r"(?:[ \t]+.*\n)*?[ \t]+mtu (\d+)$",
    re.MULTILINE,
)
_SYSCTL_FILE = "99-fabric.conf"
_V6_PREFIX = re.compile(r"^  network [0-9a-f]*:", re.MULTILINE)
_WANTED_V6 = (
    (r"^net.ipv6.conf.all.forwarding = 1$", "the switch does not forward IPv6"),
    (r"^net.ipv6.fib_multipath_hash_policy = 1$", "all IPv6 flows of a host pair share one link"),
)
_WANTED = {
    "frr.conf": (
        (r"^ bgp bestpath as-path multipath-relax$", "paths over different ASNs are not equal"),
        (r"^  maximum-paths \d+$", "without maximum-paths one way out of several is used"),
    ),
    "daemons": ((r"^bgpd=yes$", "bgpd does not start"),),
    _SYSCTL_FILE: (
        (r"^net.ipv4.ip_forward = 1$", "the switch does not forward"),
        (r"^net.ipv4.fib_multipath_hash_policy = 1$", "all flows of a host pair share one link"),
    ),
}


def chains(files: Mapping[str, str], device: str) -> tuple[QosChain, ...]:
    """One chain a port, all silent but for the MTU.

    Raises:
        ConfigError: there is no file of interfaces.
    """
    if _INTERFACES_FILE not in files:
        msg = f"there is no {_INTERFACES_FILE}"
        raise ConfigError(msg)
    found = _MTU.findall(files[_INTERFACES_FILE])
    return tuple(silent_chain(device, port, int(mtu)) for port, mtu in found)


def intended(model: DeviceModel) -> tuple[QosChain, ...]:
    """The chains of the ports with a cable: the others are in no file."""
    return tuple(replace(port.chain, device=model.name) for port in model.used_interfaces)


def settings(_files: Mapping[str, str]) -> dict[str, str]:
    """None: there is no hashing in hardware."""
    return {}


def intended_settings(_model: DeviceModel) -> dict[str, str]:
    """None."""
    return {}


def problems(files: Mapping[str, str]) -> tuple[str, ...]:
    """What silently costs the fabric its paths."""
    wanted = dict(_WANTED)
    if _V6_PREFIX.search(files.get("frr.conf", "")):
        wanted[_SYSCTL_FILE] += _WANTED_V6
    return tuple(
        f"{name}: {consequence}"
        for name, lines in wanted.items()
        for line, consequence in lines
        if not re.search(line, files.get(name, ""), re.MULTILINE)
    )


def left_out(_model: DeviceModel) -> tuple[Finding, ...]:
    """Nothing: all that FRR's files hold follows from the design."""
    return ()
