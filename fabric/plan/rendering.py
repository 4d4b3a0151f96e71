"""Every host and switch of a design becomes text and files, in two processes where that pays."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabric.design.hosts import HostModels
from fabric.plan.process import Queue, can_fork, second_process
from fabric.plan.switches import switch_texts
from fabric.text import ReadBack, Renderer, TemplateFault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from fabric.files.tree import Written
    from fabric.model.design import Design
    from fabric.model.finding import Finding
    from fabric.model.plan import DevicePlan, Rendered
    from fabric.model.qos import QosChain
    from fabric.model.topology import Host, Switch
    from fabric.plan.write import Writing

    Progress = Callable[[str, int, int], None]

_FEWEST_SWITCHES = 4  # below, forking takes longer than rendering


@dataclass
class Share:
    """What one process has rendered and written, by name of the switch or host."""

    lines: dict[str, DevicePlan] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)  # of hosts
    findings: dict[str, tuple[Finding, ...]] = field(default_factory=dict)
    chains: dict[str, tuple[QosChain, ...]] = field(default_factory=dict)

    def add(self, other: Share) -> None:
        """Take over what the other process has done."""
        self.lines |= other.lines
        self.digests |= other.digests
        self.findings |= other.findings
        self.chains |= other.chains


def render_all(
    design: Design, roots: tuple[Path, ...], writing: Writing, progress: Progress
) -> None:
    """Stream every host and switch: model, text, file, digest, gone.

    Two processes take hosts and switches from two queues, one the hosts first, the other the
    switches. What the second one should have done and has not is done here.

    Raises:
        fabric.text.TemplateFault: a template is wrong; for the first host or switch that it is
            wrong for, whoever met it.
    """
    share = _Rendering(design, roots, writing, progress)
    hosts, switches = design.topology.hosts, design.topology.switches_in_order()
    if len(switches) >= _FEWEST_SWITCHES and can_fork():
        _with_a_second(share, hosts, switches)
    done = share.done
    share.hosts(host for host in hosts if host.name not in done.digests)
    share.switches(switch for switch in switches if switch.name not in done.lines)
    for host in hosts:  # who rendered it must not show
        writing.hosts.append((host.name, done.digests[host.name]))
        writing.findings.extend(done.findings[host.name])
    for switch in switches:
        writing.devices.append(done.lines[switch.name])
        writing.findings.extend(done.findings[switch.name])
        writing.chains.extend(done.chains[switch.name])


def _with_a_second(share: _Rendering, hosts: Sequence[Host], switches: Sequence[Switch]) -> None:
    with Queue(hosts) as host_queue, Queue(switches) as switch_queue:

        def theirs() -> tuple[Share, dict[str, str], Written]:
            share.switches(switch_queue)
            share.hosts(host_queue)
            return share.done, share.writing.files, share.writing.stage.written

        with second_process(theirs) as result:
            try:
                share.hosts(host_queue)
                share.switches(switch_queue)
            except TemplateFault:
                return  # met again for the first in order
            found = result()
    if found is not None:
        done, files, written = found
        share.done.add(done)
        share.writing.files |= files
        share.writing.stage.add(written)


class _Rendering:
    """One process at work. Renders what it is given, writes it, remembers the rest."""

    def __init__(
        self, design: Design, roots: tuple[Path, ...], writing: Writing, progress: Progress
    ) -> None:
        self._design, self._roots = design, roots
        self.writing = writing
        self._progress = progress
        self.done = Share()

    def hosts(self, hosts: Iterable[Host]) -> None:
        done, of = self.done, len(self._design.topology.hosts)
        for rendered in host_texts(self._design, self._roots, hosts):
            self.writing.put_files("hosts", rendered)
            done.digests[rendered.device] = rendered.digest
            done.findings[rendered.device] = rendered.findings
            self._progress("hosts", len(done.digests), of)

    def switches(self, switches: Iterable[Switch]) -> None:
        done, of = self.done, len(self._design.topology.switches)
        for text in switch_texts(self._design, self._roots, switches):
            name = text.line.name
            self.writing.put_files("configs", text.rendered)
            done.lines[name] = text.line
            done.findings[name] = (*text.rendered.findings, *text.said.findings)
            done.chains[name] = text.said.chains
            self._progress("switches", len(done.lines), of)


def host_texts(
    design: Design, roots: tuple[Path, ...], hosts: Iterable[Host]
) -> Iterator[Rendered]:
    """These hosts, one at a time.

    Raises:
        fabric.text.TemplateFault: a template is wrong.
    """
    renderer, models = Renderer(roots), HostModels(design)
    for host in hosts:
        yield renderer.host(models.of(host.name))


def rendering_findings(design: Design, roots: tuple[Path, ...]) -> ReadBack:
    """What rendering every host and switch has to say, and where the text differs from the model.

    The text is dropped.
    """
    found: list[Finding] = []
    chains: list[QosChain] = []
    for rendered in host_texts(design, roots, design.topology.hosts):
        found.extend(rendered.findings)
    for text in switch_texts(design, roots, design.topology.switches_in_order()):
        found.extend((*text.rendered.findings, *text.said.findings))
        chains.extend(text.said.chains)
    return ReadBack(tuple(found), tuple(chains))
