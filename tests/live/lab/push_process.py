"""``fabric`` as a process of its own, with shorter waits: what a test kills, or looks over.

``python push_process.py SETTINGS WORD…``; the settings are JSON, see ``Settings``.
"""

from __future__ import annotations

import json
import sys
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fabric import cli
from fabric.cli import _in_lab
from fabric.live.push import gate

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Settings:
    """``dialled``: the file that gets the address of every connection that is made.

    ``hold``: the gate of this device never ends; then there is the file ``held``.
    """

    dialled: str
    timer_s: int = 120
    bgp_s: float = 60.0
    hold: str = ""
    held: str = ""

    def words(self) -> tuple[str, ...]:
        """The command line before ``fabric``'s own words."""
        return sys.executable, __file__, json.dumps(asdict(self))


def _look_over(path: str) -> None:
    file = Path(path).open("a", buffering=1, encoding="utf-8")  # noqa: SIM115 - as long as we live

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event == "socket.connect" and isinstance(args[1], tuple):
            file.write(f"{args[1][0]}\n")

    sys.addaudithook(hook)


def _held(judge: Callable[..., object], settings: Settings) -> Callable[..., object]:
    def held(unit: Any, model: object) -> object:
        if unit.device == settings.hold:
            Path(settings.held).touch()
            threading.Event().wait()
        return judge(unit, model)

    return held


def main(settings: Settings, words: list[str]) -> int:
    """Run one command line."""
    _look_over(settings.dialled)
    _in_lab.TIMER_S, _in_lab.BGP_S = settings.timer_s, settings.bgp_s
    gate.judge = _held(gate.judge, settings)  # type: ignore[assignment]
    return cli.run(words)


if __name__ == "__main__":
    raise SystemExit(main(Settings(**json.loads(sys.argv[1])), sys.argv[2:]))
