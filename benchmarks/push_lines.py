"""200 lines to many switches: `python benchmarks/push_lines.py [--devices N] [--workers N]`.

The switches are threads of `--servers` (2) processes with paramiko's server side; they echo and
answer at once. *fabric*: `live/transport`, each reply checked. *netmiko*: `send_config_set` with
its defaults, of a tenth of the devices. Devices a second by the clock, CPU milliseconds of this
process by device, one run after the other with as many workers.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from collections.abc import Callable

LINES = tuple(
    line
    for port in range(50)
    for line in (
        f"interface Ethernet{port}/1",
        f"   description spine-{port % 8} Ethernet{port}/1",
        "   mtu 9214",
        "   priority-flow-control priority 3 no-drop",
    )
)
SLOWER = 10  # netmiko gets this fraction of the devices


def serve() -> None:
    """One process of switches; prints its port and its host key, ends with its input."""
    import threading  # noqa: PLC0415

    from fabric.live.transport.ssh import quiet_paramiko  # noqa: PLC0415
    from tests.live.transport.ssh_server import HOST_KEY, Server, Switch  # noqa: PLC0415

    quiet_paramiko()

    mode = threading.local()

    def to(name: str) -> Callable[..., str]:
        def reply(*_: object) -> str:
            mode.name = name
            return ""

        return reply

    switch = Switch(
        prompt=lambda s: f"{s.name}{getattr(mode, 'name', '')}#",
        says={
            "configure terminal": to("(config)"),
            "end": to(""),
            "terminal width 511": "Width set to 511 columns.\n",
            "terminal length 0": "Pagination disabled.\n",
        },
    )
    server = Server(switch)
    print(server.port, HOST_KEY.get_name(), HOST_KEY.get_base64(), flush=True)
    sys.stdin.read()


def ours(places: list[tuple[int, str]], devices: int) -> Callable[[int], None]:
    """A push of the lines by our own sessions."""
    from fabric.live.connections import Connection, SecretSource  # noqa: PLC0415
    from fabric.live.transport.credentials import Credentials  # noqa: PLC0415
    from fabric.live.transport.dial import Dialer  # noqa: PLC0415
    from fabric.live.transport.secret_sources import Secrets  # noqa: PLC0415
    from fabric.model.push import Command, Lines  # noqa: PLC0415
    from fabric.model.push_spec import PushSpec  # noqa: PLC0415
    from tests.live.transport.ssh_server import PASSWORD, USER  # noqa: PLC0415

    known = Path(tempfile.mkdtemp()) / "known_hosts"
    known.write_text("".join(f"[127.0.0.1]:{port} {key}\n" for port, key in places))
    source = SecretSource("env", "PASSWORD")
    connections = {
        str(n): Connection(
            str(n), "127.0.0.1", places[n % len(places)][0], USER, "", str(known), secret=source
        )
        for n in range(devices)
    }
    errors = (r"^% (?P<message>.+)$", r"^Error", r"[Ii]nvalid (?:input|command)")
    spec = PushSpec("eos", "cli", r"{name}[^\n]*[>#] ?", ("terminal length 0",), errors, (), (), ())
    credentials = Credentials(Secrets({"PASSWORD": PASSWORD}))
    dial = Dialer(connections, dict.fromkeys(connections, spec), credentials=credentials)

    def push(number: int) -> None:
        session = dial(str(number))
        session.perform(Command("configure terminal"))
        session.perform(Lines(LINES))
        session.perform(Command("end"))
        session.close()

    return push


def theirs(places: list[tuple[int, str]]) -> Callable[[int], None]:
    """The same by netmiko's defaults."""
    from netmiko import ConnectHandler  # noqa: PLC0415

    from tests.live.transport.ssh_server import PASSWORD, USER  # noqa: PLC0415

    def push(number: int) -> None:
        port = places[number % len(places)][0]
        with ConnectHandler(
            device_type="arista_eos", host="127.0.0.1", port=port, username=USER, password=PASSWORD
        ) as connection:
            connection.send_config_set(LINES)

    return push


def measured(name: str, push: Callable[[int], None], devices: int, workers: int) -> float:
    """Devices a second; the first one, which pays the imports, is not counted."""
    push(0)
    cpu, begun = time.process_time(), time.perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(push, range(devices)))
    rate = devices / (time.perf_counter() - begun)
    cpu_ms = 1000 * (time.process_time() - cpu) / devices
    print(f"{name:8} {devices:5} devices  {rate:7.1f} devices/s  {cpu_ms:6.1f} ms CPU a device")
    return rate


def main() -> None:
    """Both, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--devices", type=int, default=500)
    parser.add_argument("--workers", type=int, default=10)
    parser.add_argument("--servers", type=int, default=2)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        serve()
        return
    command = [sys.executable, __file__, "--serve"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    servers = [subprocess.Popen(command, **pipes) for _ in range(asked.servers)]  # type: ignore[call-overload]
    try:
        said = [server.stdout.readline().strip().partition(" ") for server in servers]
        places = [(int(port), key) for port, _, key in said]
        fast = measured("fabric", ours(places, asked.devices), asked.devices, asked.workers)
        fewer = max(1, asked.devices // SLOWER)
        slow = measured("netmiko", theirs(places), fewer, asked.workers)
        print(f"ratio    {fast / slow:.1f}")
    finally:
        for server in servers:
            server.stdin.close()
            server.wait()


if __name__ == "__main__":
    main()
