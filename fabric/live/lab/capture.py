"""Packets of one port, as tcpdump writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fabric.live.lab.cables import cable
from fabric.live.lab.errors import LabError, lab_error
from fabric.live.lab.requirements import missing_packages
from fabric.live.programs import ProgramError, attached, run

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from fabric.live.lab.layout import Layout

_TIMED_OUT = 124  # timeout(1): the time is over, which is how a capture may end


class Limits(NamedTuple):
    """Where packets go, and when it is enough."""

    file: Path
    packets: int
    seconds: float


def capture(layout: Layout, word: str, limits: Limits, wanted: Iterable[str] = ()) -> int:
    """Write packets that pass a port to a file; exit status of tcpdump.

    Raises:
        LabError: no such port or folder, a filter that is none, or tcpdump is not installed.
    """
    problems = missing_packages((("tcpdump", "tcpdump"),))
    if problems:
        raise LabError(problems)
    end, words = cable(layout, word), list(wanted)
    _require_words(words)
    if not limits.file.absolute().parent.is_dir():
        msg = f"there is no folder {limits.file.parent}"
        raise lab_error(msg, "make it first, or name another file with --write")
    # tcpdump runs in the namespace of the node but with the machine's files: that is where the
    # capture is wanted. --immediate-mode and -U: nothing is lost when the time is over.
    status = attached(
        [
            *("timeout", "--signal=INT", f"{limits.seconds}"),
            *("nsenter", f"--net=/run/netns/{end.a.namespace}"),
            *(
                "tcpdump",
                "-i",
                end.a_port.netdev,
                "-w",
                str(limits.file),
                "-c",
                str(limits.packets),
            ),
            *("--immediate-mode", "-U", "-Z", "root", *words),
        ]
    )
    return 0 if status == _TIMED_OUT else status


def _require_words(words: list[str]) -> None:
    """A filter is compiled before a file is made for what it lets through."""
    if any(word.startswith("-") for word in words):
        msg = f"{' '.join(words)}: a filter has no options"
        raise lab_error(msg, "pcap-filter(7), as in: udp port 4791")
    try:
        run(["tcpdump", "-y", "EN10MB", "-d", *words])
    except ProgramError as error:
        said = error.said.strip().splitlines()[-1].removeprefix("tcpdump: ")
        msg = f"{' '.join(words)}: {said}"
        raise lab_error(msg, "pcap-filter(7), as in: udp port 4791") from None
