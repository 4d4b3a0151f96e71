"""Debian's ibsim, OpenSM and ibdmchk, run on a netlist; nothing leaves this machine.

ibsim (package ibsim-utils) simulates the switches behind a socket of its own in the abstract Unix
namespace, OpenSM (opensm) routes them, ibdmchk (ibutils) looks for credit loops in the routes.
"""

from __future__ import annotations

import os
import resource
import secrets
import shutil
import subprocess
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.analysis.ibnet.netlist import Fabric

PACKAGES = {"ibsim": "ibsim-utils", "opensm": "opensm", "ibdmchk": "ibutils"}
LIMIT_SECONDS = 60.0
_PATH = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin"))  # opensm's place
_FIRST_GUID = 0x200000  # ibsim numbers the switches from here, as they stand in the netlist
_WITHOUT_CORE = ("sh", "-c", 'ulimit -c 0; exec "$@"', "sh")


def missing() -> str:
    """The packages of the programs that are not there, else nothing."""
    gone = [package for name, package in PACKAGES.items() if not shutil.which(name, path=_PATH)]
    return f"Debian's {', '.join(gone)} not installed" if gone else ""


@dataclass(frozen=True)
class Routing:
    """One of OpenSM's routing engines, and the switches that it takes for roots."""

    engine: str
    roots: tuple[str, ...] = ()


MINHOP = Routing("minhop")


@dataclass(frozen=True)
class Judged:
    """Texts: OpenSM's cables and its tables; what ibdmchk said of them, and its CPU seconds."""

    subnet: str
    tables: str
    said: str
    cpu_seconds: float


def judge(
    fabric: Fabric, folder: Path, routing: Routing = MINHOP, limit: float = LIMIT_SECONDS
) -> Judged:
    """Simulate a fabric, let OpenSM route it and ibdmchk judge the routes.

    ``folder``: an empty one, for all that the three write. ``limit``: seconds for each of them.

    Raises:
        RuntimeError: a program that failed.
        TimeoutError, subprocess.TimeoutExpired: one that did not finish.
    """
    with _simulated(fabric, folder, limit) as environment:
        log, empty, roots = folder / "opensm.log", folder / "opensm.conf", folder / "roots"
        empty.touch()  # the machine's own settings are not ours
        guids = [_FIRST_GUID + n for n, name in enumerate(fabric.hosts) if name in routing.roots]
        roots.write_text("".join(f"{guid:#018x}\n" for guid in guids))
        rooted = ("-a", str(roots)) if guids else ()
        words = ("ibsim-run", "opensm", "-F", str(empty), "-o", "-D", "0x43", "-f", str(log))
        _run((*words, "-R", routing.engine, *rooted), folder, limit, environment)
    for wanted in (f"{routing.engine} tables configured on all switches", "SUBNET UP"):
        if wanted not in log.read_text():
            msg = f"not done by OpenSM: {wanted}; see {log}"
            raise RuntimeError(msg)
    subnet, tables = (folder / "opensm-subnet.lst", folder / "opensm.fdbs")
    return check(subnet.read_text(), tables.read_text(), folder, limit=limit)


def check(
    subnet: str, tables: str, folder: Path, levels: str = "", limit: float = LIMIT_SECONDS
) -> Judged:
    """Let ibdmchk judge these routes; ``levels``: its SL2VL file, else all is on one level."""
    files = {"-s": "opensm-subnet.lst", "-f": "opensm.fdbs", "-m": "opensm.mcfdbs"}
    texts = [subnet, tables, ""]
    if levels:
        files["-d"] = "sl2vl"
        texts.append(levels)
    for name, text in zip(files.values(), texts, strict=True):
        (folder / name).write_text(text)
    words = [word for pair in files.items() for word in pair]
    before = _cpu_seconds()
    # It crashes when it is done: its clean-up returns no value. The verdict is printed by then.
    _run((*_WITHOUT_CORE, "ibdmchk", *words), folder, limit, {}, check=False)
    seconds = _cpu_seconds() - before
    return Judged(subnet, tables, (folder / "ibdmchk.out").read_text(), seconds)


def _cpu_seconds() -> float:
    """Of all processes that have been waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _run(
    words: tuple[str, ...],
    folder: Path,
    limit: float,
    environment: dict[str, str],
    *,
    check: bool = True,
) -> None:
    name = "ibdmchk" if "ibdmchk" in words else "opensm"
    with (folder / f"{name}.out").open("w") as out:
        done = subprocess.run(
            words,
            cwd=folder,
            env={**os.environ, "PATH": _PATH, **environment},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            timeout=limit,
            check=False,
        )
    if check and done.returncode:
        msg = f"{name} ended with {done.returncode}, see {out.name}"
        raise RuntimeError(msg)


@contextmanager
def _simulated(fabric: Fabric, folder: Path, limit: float) -> Iterator[dict[str, str]]:
    """ibsim with the fabric up; the environment that leads OpenSM to it."""
    between, below = fabric.ports()
    netlist, log = folder / "netlist", folder / "ibsim.out"
    netlist.write_text(fabric.netlist())
    socket = f"fabric-{os.getpid()}-{secrets.token_hex(4)}"
    # Room for everything; a port 0 for each switch and host comes on top.
    switches, hosts, ports = len(fabric.hosts), len(below), len(between) + 2 * len(below)
    room = {"-N": switches + hosts, "-S": switches, "-P": ports + switches + hosts}
    sizes = [word for flag, size in room.items() for word in (flag, str(size + 16))]
    with (
        log.open("w") as out,
        subprocess.Popen(
            ("ibsim", "-s", *sizes, str(netlist)),  # noqa: S607 — from PATH, as a user would
            env={**os.environ, "PATH": _PATH, "IBSIM_SOCKNAME": socket},
            stdin=subprocess.PIPE,  # held open: at its end ibsim ends
            stdout=out,
            stderr=subprocess.STDOUT,
        ) as process,
    ):
        try:
            _await_ready(process, log, limit)
            yield {
                "IBSIM_SOCKNAME": socket,
                "SIM_HOST": next(iter(below.values()))[0],
                "OSM_TMP_DIR": str(folder),
                "OSM_CACHE_DIR": str(folder),
            }
        finally:
            process.kill()


def _await_ready(process: subprocess.Popen[bytes], log: Path, limit: float) -> None:
    end = time.monotonic() + limit
    while "Network simulator ready" not in log.read_text():
        if process.poll() is not None:
            msg = f"ibsim ended with {process.returncode}, see {log}"
            raise RuntimeError(msg)
        if time.monotonic() > end:
            msg = f"ibsim is not ready after {limit:g} s, see {log}"
            raise TimeoutError(msg)
        time.sleep(0.01)
