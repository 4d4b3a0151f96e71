"""What a lab needs of the machine and of the design, looked at before anything is begun."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from typing import TYPE_CHECKING

from fabric.live.lab import names, nodes, state
from fabric.live.lab.errors import LabError
from fabric.live.programs import ProgramError, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabric.model.design import Design

    Problems = Iterator[tuple[str, str]]

# Debian's package by a program of it. iperf3 loads links, ping asks every host pair.
PACKAGES = (
    ("/usr/lib/frr/bgpd", "frr"),
    ("vtysh", "frr"),
    ("/usr/lib/frr/frr-reload.py", "frr-pythontools"),
    ("/usr/sbin/sshd", "openssh-server"),
    ("/usr/bin/ssh-keygen", "openssh-client"),
    ("/usr/sbin/lldpd", "lldpd"),
    ("ip", "iproute2"),
    ("iperf3", "iperf3"),
    ("ping", "iputils-ping"),
    ("nsenter", "util-linux"),
    ("unshare", "util-linux"),
)
_TRIAL = """
set -e
mount -t tmpfs trial /mnt && mkdir /mnt/upper /mnt/work
mount -t overlay trial -o lowerdir=/etc,upperdir=/mnt/upper,workdir=/mnt/work /etc
ip link add trial0 type veth peer name trial1
ip link add trialbr type bridge
"""


def require_root() -> None:
    """Refuse anybody else: the kernel would, later and half-way.

    Raises:
        LabError: we are not root.
    """
    if os.geteuid():
        message = "a lab needs root: it makes network namespaces and mounts"
        raise LabError([(message, "run it with sudo, or in a container that may do both")])


def require_machine(name: str) -> None:
    """All that the machine lacks, before the inventory is even read.

    Raises:
        LabError: root, packages, namespaces, or a lab of that name that is up or was left behind.
    """
    require_root()
    problems = [*_already_there(name), *missing_packages(PACKAGES)]
    if not problems:
        problems += _namespaces_refused()
    if problems:
        raise LabError(problems)


def _already_there(name: str) -> Problems:
    known = state.read(name)
    if known is not None and known.phase == state.UP and nodes.namespaces(name):
        hint = f"`fabric lab status {name}` shows it, `fabric lab down {name}` takes it down"
        yield f"lab {name} is up already", hint
    elif state.folder(name).exists() or nodes.namespaces(name):
        message = f"lab {name} is being built, or was left behind half-built"
        yield message, f"`fabric lab down {name}` removes what there is of it"


def missing_packages(wanted: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The one line that installs what is not there."""
    without = [package for program, package in wanted if shutil.which(program) is None]
    lacking = list(dict.fromkeys(without))
    if not lacking:
        return []
    message = f"not installed: {', '.join(lacking)}"
    return [(message, f"apt-get install --no-install-recommends {' '.join(lacking)}")]


def _namespaces_refused() -> Problems:
    words = ["unshare", "--net", "--mount", "--uts", "--pid", "--fork", "--mount-proc"]
    try:
        run([*words, "/bin/sh", "-c", _TRIAL])
    except ProgramError as error:
        said = " ".join(error.said.split())
        message = f"namespaces, overlay mounts, veth or bridges are not allowed here: {said}"
        yield message, "in a container: --privileged, or the capabilities SYS_ADMIN and NET_ADMIN"


def require_design(design: Design) -> None:
    """All that a design has and a lab has not.

    Raises:
        LabError: bonds, names that the kernel refuses.
    """
    problems = list(unfit(design, (names.MANAGEMENT_NETDEV, "lo")))
    if problems:
        raise LabError(problems)


def unfit(design: Design, taken: tuple[str, ...]) -> Problems:
    """What no lab can have, small as it may be: bonds, names of ports that are ``taken``."""
    yield from _bonds(design)
    yield from _netdevs(design, taken)


def _bonds(design: Design) -> Problems:
    if design.topology.lags:
        hosts = dict.fromkeys(lag.host for lag in design.topology.lags)
        first = next(iter(hosts))
        message = f"{len(hosts)} hosts have bonds ({first} …), and a lab has none yet"
        yield message, "attach them singly in a copy of the inventory"


def _netdevs(design: Design, taken: tuple[str, ...]) -> Problems:
    topology = design.topology
    for device in (*(s.name for s in topology.switches), *(h.name for h in topology.hosts)):
        ports = [link.end(device).port for link in topology.links_of(device)]
        found = Counter(map(names.netdev, ports))
        for port in ports:
            name = names.netdev(port)
            if len(name) > names.IFNAMSIZ:
                most = f"the kernel takes {names.IFNAMSIZ} characters"
                yield f"{device} {port}: {most} for the name of a port", "a shorter name"
            elif found[name] > 1:
                yield f"{device}: two ports would be called {name}", "other names of ports"
            elif name in taken:
                yield f"{device}: {name} is taken by the lab itself", "another name"
