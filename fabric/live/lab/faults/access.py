"""Faults of the way to a node: SSH that hangs or breaks, another host key, a full disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.lab import state
from fabric.live.lab.faults.kind import Fault
from fabric.live.lab.find import node_of
from fabric.live.lab.nodes import shell
from fabric.live.lab.seeds import HOST_KEY

if TYPE_CHECKING:
    from fabric.live.lab.layout import Layout

    Targets = tuple[str, ...]

_FILLER = "/etc/lab-filler"
_SESSIONS = """\
keep=$(cat /run/sshd.pid)
for process in /proc/[0-9]*; do
    number=${process#/proc/}
    [ "$number" = "$keep" ] && continue
    [ "$(cat "$process/comm" 2>/dev/null)" = sshd ] && kill -9 "$number"
done
true
"""
_NEW_KEY = f"""\
rm -f /{HOST_KEY} /{HOST_KEY}.pub
ssh-keygen -q -t ed25519 -N '' -C changed -f /{HOST_KEY}
"""
# HUP has sshd start itself anew, keys and all; it writes its number when it listens again.
_RELOAD = """
listener=$(cat /run/sshd.pid)
rm -f /run/sshd.pid
kill -HUP "$listener"
for _ in $(seq 100); do [ -s /run/sshd.pid ] && exit 0; sleep 0.1; done
exit 1
"""


def _is_node(layout: Layout, targets: Targets) -> None:
    node_of(layout, targets[0])


def _run(layout: Layout, targets: Targets, text: str, given: str = "") -> None:
    shell(layout.name, node_of(layout, targets[0]), text, given=given)


def _hang(layout: Layout, targets: Targets) -> None:
    """The kernel still accepts connections for a process that was stopped; nobody answers them."""
    _run(layout, targets, 'kill -STOP "$(cat /run/sshd.pid)"')


def _unhang(layout: Layout, targets: Targets) -> None:
    _run(layout, targets, 'kill -CONT "$(cat /run/sshd.pid)"')


def _drop(layout: Layout, targets: Targets) -> None:
    _run(layout, targets, _SESSIONS)


def _change_key(layout: Layout, targets: Targets) -> None:
    _run(layout, targets, _NEW_KEY + _RELOAD)


def _own_key(layout: Layout, targets: Targets) -> None:
    path = state.seed(layout.name, targets[0]) / HOST_KEY
    text = f"umask 077; cat >/{HOST_KEY}; ssh-keygen -y -f /{HOST_KEY} >/{HOST_KEY}.pub\n"
    _run(layout, targets, text + _RELOAD, given=path.read_text())


def _fill(layout: Layout, targets: Targets) -> None:
    _run(layout, targets, f"dd if=/dev/zero of={_FILLER} bs=4k 2>/dev/null || true")


def _empty(layout: Layout, targets: Targets) -> None:
    _run(layout, targets, f"rm -f {_FILLER}")


FAULTS = (
    Fault(
        "sshd-hang",
        "NODE",
        "sshd accepts connections and never says a word",
        "a client waits for the banner until its own timeout",
        _hang,
        _unhang,
        _is_node,
    ),
    Fault(
        "session-dropped",
        "NODE",
        "every SSH session that is open breaks off",
        "a command's outcome is not known: no exit status comes",
        _drop,
        None,
        _is_node,
    ),
    Fault(
        "host-key",
        "NODE",
        "the node has another host key",
        "a client that knows the old one refuses",
        _change_key,
        _own_key,
        _is_node,
    ),
    Fault(
        "disk-full",
        "NODE",
        "no byte can be written below /etc, /var, /home and /root",
        "writing fails, in places without an error: FRR's `write memory` leaves an empty file",
        _fill,
        _empty,
        _is_node,
    ),
)
