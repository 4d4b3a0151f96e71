"""Lines of a run without what launchers put before them, and how a run fails."""

from __future__ import annotations

import re
from dataclasses import dataclass

# mpirun --tag-output: [1,0]<stdout>:  ; srun -l:  3:  ; pdsh:  node-7:
_TAG = re.compile(
    r"\s*\[[^\]\n]{1,80}\]<std(?:out|err)>: ?|\s*\d+: (?=[#\s\d])|\s*[\w.-]+: (?=#|\s+\d)"
)
_FAILURE = re.compile(  # old ones name no host
    r"(?:(?P<host>[\w.-]+): )?(?:Test )?(?:CUDA|Cuda|NCCL) failure \S+?:\d+ "
    r"'?(?P<message>.*?)'?\s*$"
)
_BACKTRACE = re.compile(r"\.\. (?P<host>[\w.-]+) pid \d+: Test failure ")
_TIMEOUT = re.compile(r"(?P<host>[\w.-]+): (?P<message>Test timeout \(\d+s\))")
_KILLED = re.compile(
    r".*process rank \d+ with PID \d+ on node (?P<host>\S+) (?P<message>exited on signal .*)"
)
_OTHER = (
    re.compile(r"(?P<message>Invalid number of GPUs: .*)"),
    re.compile(r"\[(?P<host>[\w.-]+):\d+\] (?P<message>Signal: .*)"),
    re.compile(r"Abort\(\d+\).*?: (?P<message>Fatal error in .*)"),
    re.compile(r"(?P<message>There are not enough slots available .*)"),
    re.compile(r"(?P<message>(?:mpirun|ORTE) was unable to .*)"),
    re.compile(r"(?P<message>Primary job\s+terminated normally, but \d+ process.*)"),
    re.compile(r".*(?P<message>error while loading shared libraries: .*)"),
    re.compile(r"(?P<message>invalid (?:size|sizes|option) .*)"),
    re.compile(r"(?:bash|sh|srun|mpirun): (?P<message>.*(?:not found|No such file|error).*)"),
)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a run ended early: the first ``message``, and the ``hosts`` that told of one."""

    message: str
    hosts: tuple[str, ...]


def untagged(text: str) -> list[str]:
    """The lines without the launcher's tag."""
    return [_TAG.sub("", line, count=1) if _TAG.match(line) else line for line in text.split("\n")]


def failure(lines: list[str]) -> Failure | None:
    """What the lines tell of a failure; ``None``: nothing."""
    messages: list[str] = []
    hosts: dict[str, None] = {}
    for line in lines:
        found = next(
            (m for p in (_FAILURE, _TIMEOUT, _KILLED, *_OTHER) if (m := p.match(line.strip()))),
            None,
        )
        if found:
            messages.append(found["message"].strip())
        told = found or _BACKTRACE.match(line.strip())
        if told and (host := told.groupdict().get("host")):
            hosts.setdefault(host)
    return Failure(messages[0], tuple(hosts)) if messages else None
