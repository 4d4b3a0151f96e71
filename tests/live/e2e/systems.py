"""Which systems are tested: all that have a procedure and a fake. A new one is tested unasked."""

from __future__ import annotations

import importlib.util
from functools import cache

from fabric.catalog.manifest import platform_names, platform_spec
from fabric.catalog.push import push_spec
from fabric.files.locate import templates_root
from fabric.model.push import TimerClass
from fabric.platforms import procedures


def _is_pushed_to(name: str) -> bool:
    there = importlib.util.find_spec(f"fabric.platforms.{name}.pushing") is not None
    folder = templates_root() / name
    return there and (folder / "push.yaml").is_file() and (folder / "rehearse").is_dir()


SYSTEMS = [name for name in platform_names((templates_root(),)) if _is_pushed_to(name)]


@cache
def session_of(system: str) -> str:
    return push_spec(system, (templates_root(),)).session


@cache
def timer_of(system: str) -> TimerClass:
    roots = (templates_root(),)
    pair = procedures(platform_spec(system, roots), push_spec(system, roots))
    assert pair is not None
    return pair[1].timer


IN_FULL = ("arista_eos", "hp_comware", "frr")  # one of each timer class: A, B, C
TIMED = [name for name in SYSTEMS if timer_of(name) is not TimerClass.NONE]

# Who speaks: fabric to all of them, netmiko's driver as well where there is a prompt to speak at.
BY_DRIVER = [(name, "netmiko") for name in SYSTEMS if session_of(name) == "cli"]
SPOKEN = [*((name, "fabric") for name in SYSTEMS), *BY_DRIVER]
TIMED_SPOKEN = [(name, cli) for name, cli in SPOKEN if name in TIMED]
