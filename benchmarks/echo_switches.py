"""A process of switches for `push_lines.py --echo`: they echo each line and answer at once.

Prints its port and its host key, and ends with its standard input.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from collections.abc import Callable


def main() -> None:
    """Serve until standard input ends."""
    from fabric.live.transport.ssh import quiet_paramiko  # noqa: PLC0415
    from tests.live.transport.ssh_server import HOST_KEY, Server, Switch  # noqa: PLC0415

    quiet_paramiko()
    mode = threading.local()

    def to(name: str) -> Callable[..., str]:
        def reply(*_: object) -> str:
            mode.name = name
            return ""

        return reply

    says = {
        "configure terminal": to("(config)"),
        "end": to(""),
        "terminal width 511": "Width set to 511 columns.\n",
        "terminal length 0": "Pagination disabled.\n",
    }
    switch = Switch(prompt=lambda s: f"{s.name}{getattr(mode, 'name', '')}#", says=says)
    server = Server(switch)
    sys.stdout.write(f"{server.port} {HOST_KEY.get_name()} {HOST_KEY.get_base64()}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
