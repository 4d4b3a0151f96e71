"""200 lines to many switches: `benchmarks/push_lines.py [--echo] [--devices N] [--workers N]`.

The switches are the fakes that ship, as EOS, in `--servers` (2) processes of their own; with
`--echo` servers that only echo, which cost less than the client. *fabric*: `live/transport`, each
reply checked. *driver*: the same with `connection.cli: netmiko`. *netmiko*: its `send_config_set`
with its defaults. The slow two get a tenth of the devices. Devices a second by the clock, CPU
milliseconds of this process by device, one run after the other with as many workers.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.live.connections import Connections

PORTS = tuple(f"Ethernet{port}/1" for port in range(1, 51))
LINES = tuple(
    line
    for number, port in enumerate(PORTS)
    for line in (
        f"interface {port}",
        f"   description spine-{number % 8} {port}",
        "   mtu 9214",
        "   priority-flow-control priority 3 no-drop",
    )
)
SYSTEM = "arista_eos"
VARIABLE = "FABRIC_BENCHMARK_PASSWORD"
SLOWER = 10  # netmiko gets this fraction of the devices


def fakes(stack: ExitStack, devices: int, servers: int) -> Connections:
    """Switches as they ship, shared out among processes."""
    from fabric.live.rehearsal.box import Setup  # noqa: PLC0415
    from fabric.live.rehearsal.control import Rehearsal, ServerProcess  # noqa: PLC0415

    processes = tuple(stack.enter_context(ServerProcess()) for _ in range(servers))
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    model = ("DCS-7060DX5-64S-F", "4.31.5M")
    setups = [Setup(f"leaf-{n}", SYSTEM, *model, ports=PORTS) for n in range(devices)]
    return stack.enter_context(Rehearsal(setups, folder, processes)).connections


def echoing(stack: ExitStack, devices: int, servers: int) -> Connections:
    """As many names for one port a process, behind which each login has a switch of its own."""
    from fabric.live.connections import Connection, SecretSource  # noqa: PLC0415
    from tests.live.transport.ssh_server import PASSWORD, USER  # noqa: PLC0415

    os.environ[VARIABLE] = PASSWORD
    known = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "known_hosts"
    command = [sys.executable, str(ROOT / "benchmarks/echo_switches.py")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    ports = []
    for _ in range(servers):
        server = stack.enter_context(subprocess.Popen(command, **pipes))  # type: ignore[call-overload]
        stack.callback(server.stdin.close)
        port, _, key = server.stdout.readline().strip().partition(" ")
        ports.append(int(port))
        with known.open("a") as file:
            file.write(f"[127.0.0.1]:{port} {key}\n")
    secret = SecretSource("env", VARIABLE)
    there = ((f"leaf-{n}", ports[n % servers]) for n in range(devices))
    return {
        name: Connection(name, "127.0.0.1", port, USER, "", str(known), secret=secret)
        for name, port in there
    }


def ours(stack: ExitStack, connections: Connections, cli: str) -> Callable[[str], None]:
    """A push of the lines by our own sessions. ``cli``: as ``connection.cli``."""
    from fabric.catalog.push import push_spec  # noqa: PLC0415
    from fabric.live.transport.dial import Dialer  # noqa: PLC0415
    from fabric.model.push import Command, Lines  # noqa: PLC0415

    there = {name: replace(made, cli=cli) for name, made in connections.items()}
    specs = dict.fromkeys(there, push_spec(SYSTEM, [ROOT / "templates"]))
    dial = stack.enter_context(Dialer(there, specs))

    def push(device: str) -> None:
        session = dial(device)
        session.perform(Command("configure terminal"))
        session.perform(Lines(LINES))
        session.perform(Command("end"))
        session.close()

    return push


def theirs(connections: Connections) -> Callable[[str], None]:
    """The same by netmiko's defaults."""
    from netmiko import ConnectHandler  # noqa: PLC0415

    def push(device: str) -> None:
        to = connections[device]
        with ConnectHandler(
            device_type=SYSTEM,
            host=to.address,
            port=to.port,
            username=to.user,
            password=os.environ.get(VARIABLE),
            use_keys=bool(to.key_file),
            key_file=to.key_file or None,
        ) as connection:
            connection.enable()
            connection.send_config_set(LINES)

    return push


def measured(name: str, push: Callable[[str], None], devices: list[str], workers: int) -> float:
    """Devices a second; the first one, which pays the imports, is not counted."""
    push(devices[0])
    cpu, begun = time.process_time(), time.perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(push, devices[1:]))
    many = len(devices) - 1
    rate = many / (time.perf_counter() - begun)
    cpu_ms = 1000 * (time.process_time() - cpu) / many
    print(f"{name:8} {many:5} devices  {rate:7.1f} devices/s  {cpu_ms:6.1f} ms CPU a device")
    return rate


def main() -> None:
    """All three, and by how much each is faster than netmiko's own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--devices", type=int, default=500)
    parser.add_argument("--workers", type=int, default=10)
    parser.add_argument("--servers", type=int, default=2)
    parser.add_argument("--echo", action="store_true")
    asked = parser.parse_args()
    fewer = max(1, asked.devices // SLOWER) + 1
    with ExitStack() as stack:
        start = echoing if asked.echo else fakes
        there = start(stack, asked.devices + 1 + 2 * fewer, asked.servers)
        names = list(there)
        runs = (
            ("fabric", ours(stack, there, "fabric"), names[: -2 * fewer]),
            ("driver", ours(stack, there, "netmiko"), names[-2 * fewer : -fewer]),
            ("netmiko", theirs(there), names[-fewer:]),
        )
        rates = [measured(name, push, where, asked.workers) for name, push, where in runs]
        print(f"ratio    {rates[0] / rates[2]:.1f}, of the driver {rates[1] / rates[2]:.1f}")


if __name__ == "__main__":
    main()
