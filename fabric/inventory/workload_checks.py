"""What the keys of a job say together: degrees, ranks, hosts, keys that each degree needs."""

from __future__ import annotations

from collections import Counter
from difflib import get_close_matches
from typing import TYPE_CHECKING

from fabric.inventory.ranges import HINT, RangeError, expand
from fabric.model.finding import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabric.inventory.schema.workload import ModelSection, ParallelSection, WorkloadFile

_SHOWN = 5  # names in one message


def check(
    file: WorkloadFile, bad: frozenset[str], gpus: Mapping[str, int]
) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
    """Hosts of the placement by name, and problems. Nothing is said about keys in ``bad``."""
    found: list[Problem] = []
    if not bad & {"model", "parallel"}:
        found += _degrees(file)
    if not bad & {"ranks", "parallel"}:
        found += _ranks(file)
    if "model" not in bad and file.model is not None:
        found += _model(file.model)
    if not bad & {"batch", "parallel"}:
        found += _batch(file)
    hosts: tuple[str, ...] = ()
    if "placement" not in bad:
        hosts, problems = _hosts(file, gpus)
        found += problems
        if not problems and not bad & {"ranks", "parallel"}:
            found += _room(file, hosts or tuple(gpus), gpus)
    return hosts, tuple(found)


def _product(parallel: ParallelSection) -> int:
    return parallel.tp * parallel.fsdp * parallel.dp * parallel.pp


def _ranks(file: WorkloadFile) -> Iterator[Problem]:
    if file.parallel is None or file.ranks is None:
        return
    p, product = file.parallel, _product(file.parallel)
    if product != file.ranks:
        terms = f"tp {p.tp} × fsdp {p.fsdp} × dp {p.dp} × pp {p.pp} = {product:,}"
        message = f"ranks is {file.ranks:,}, but {terms}"
        fix = f"write ranks: {product}, or degrees with the product {file.ranks} (ep adds no ranks)"
        yield Problem("RCE006", ("ranks",), message, fix)


def _degrees(file: WorkloadFile) -> Iterator[Problem]:
    if file.parallel is None:
        if file.model is not None:
            message = "a model is given, but not how it is cut"
            fix = "add parallel: {dp: …} with the degrees; for tests alone leave model out"
            yield Problem("RCE007", ("model",), message, fix)
        return
    if file.model is None:
        message = "parallel says how a model is cut, and there is no model"
        fix = "add model: {parameters: …}; for tests alone write ranks instead of parallel"
        yield Problem("RCE007", ("parallel",), message, fix)
        return
    yield from _experts(file.parallel, file.model)
    yield from _stages(file.parallel, file.model)
    yield from _needed(file.parallel, file.model)


def _experts(p: ParallelSection, model: ModelSection) -> Iterator[Problem]:
    over, name = (p.fsdp, "fsdp") if p.fsdp > 1 else (p.dp, "dp")
    path = ("parallel", "ep")
    if over % p.ep:
        message = f"ep is {p.ep}, which does not divide {name} {over}"
        fix = f"experts are spread over the {name} ranks: take a divisor of {over}"
        yield Problem("RCE006", path, message, fix)
    if model.experts is not None and model.experts % p.ep:
        message = f"ep is {p.ep}, which does not divide the {model.experts} experts of a layer"
        yield Problem("RCE006", path, message, f"take a divisor of {model.experts}")


def _stages(p: ParallelSection, model: ModelSection) -> Iterator[Problem]:
    if model.layers is not None and p.pp > model.layers:
        message = f"pp is {p.pp}, more than the {model.layers} layers"
        yield Problem("RCE006", ("parallel", "pp"), message, f"at most {model.layers} stages")


def _needed(p: ParallelSection, model: ModelSection) -> Iterator[Problem]:
    """Keys of the model that the traffic of a degree follows from."""
    wanted = {
        "tp": ("layers", "hidden", "sequence"),
        "pp": ("layers", "hidden", "sequence"),
        "ep": ("layers", "hidden", "sequence", "top_k", "expert_parameters"),
    }
    told: set[str] = set()
    for degree, keys in wanted.items():
        if getattr(p, degree) == 1:
            continue
        for key in keys:
            if getattr(model, key) is None and key not in told:
                told.add(key)
                message = f"model lacks the key {key}, which the traffic of {degree} follows from"
                yield Problem("RCE007", ("model", key), message, f"add {key}: …")


def _model(model: ModelSection) -> Iterator[Problem]:
    pairs = (
        ("expert_parameters", "parameters"),
        ("moe_layers", "layers"),
        ("top_k", "experts"),
    )
    for part, whole in pairs:
        less, more = getattr(model, part), getattr(model, whole)
        if less is not None and more is not None and less > more:
            message = f"{part} is {less:,}, more than {whole}, {more:,}"
            yield Problem("RCE006", ("model", part), message, f"at most {more}")


def _batch(file: WorkloadFile) -> Iterator[Problem]:
    p, batch = file.parallel, file.batch
    if p is not None and p.fsdp > 1 and batch.micro_batches > 1 and batch.fsdp_sync is None:
        message = (
            f"batch lacks the key fsdp_sync: with {batch.micro_batches} micro-batches FSDP sends "
            f"once a step, or {batch.micro_batches} times as much"
        )
        fix = "add fsdp_sync: micro-batch (resharded after each) or fsdp_sync: step (kept)"
        yield Problem("RCE007", ("batch", "fsdp_sync"), message, fix)


def _hosts(file: WorkloadFile, gpus: Mapping[str, int]) -> tuple[tuple[str, ...], list[Problem]]:
    written = file.placement.hosts
    if written is None:
        return (), []
    problems: list[Problem] = []
    path = ("placement", "hosts")
    if file.placement.order is not None:
        message = "placement has both hosts and order"
        problems.append(Problem("RCE006", path, message, "leave one out: hosts are in their order"))
    names: list[str] = []
    for number, text in enumerate(written):
        try:
            expanded = expand(text)
        except RangeError as error:
            problems.append(Problem("RCE006", (*path, number), str(error), HINT))
            continue
        unknown = [name for name in expanded if name not in gpus]
        if unknown:
            problems.append(_unknown((*path, number), unknown, gpus))
        names += expanded
    problems += _twice(path, names)
    if not written:
        problems.append(Problem("RCE006", path, "hosts is empty", "name one, or leave it out"))
    return tuple(names), problems


def _unknown(path: tuple[str | int, ...], names: list[str], gpus: Mapping[str, int]) -> Problem:
    close = get_close_matches(names[0], gpus, n=1)
    hint = f"did you mean {close[0]}?" if close else "`fabric show hosts` lists them"
    more = f" (nor {len(names) - 1:,} more of these)" if len(names) > 1 else ""
    return Problem("RCE012", path, f"there is no host {names[0]}{more}", hint)


def _twice(path: tuple[str | int, ...], names: list[str]) -> Iterator[Problem]:
    again = [name for name, count in Counter(names).items() if count > 1]
    if again:
        shown = ", ".join(again[:_SHOWN]) + (" …" if len(again) > _SHOWN else "")
        yield Problem("RCE012", path, f"named twice: {shown}", "each host once")


def _room(file: WorkloadFile, hosts: tuple[str, ...], gpus: Mapping[str, int]) -> Iterator[Problem]:
    most = file.placement.gpus_per_host
    if most is not None:
        few = [name for name in hosts if gpus[name] < most]
        if few:
            message = f"gpus_per_host is {most}, and {few[0]} has {gpus[few[0]]}"
            fix = f"at most {min(gpus[name] for name in hosts)}"
            yield Problem("RCE006", ("placement", "gpus_per_host"), message, fix)
            return
    room = sum(min(gpus[name], most or gpus[name]) for name in hosts)
    ranks = file.ranks or (_product(file.parallel) if file.parallel else 0)
    if room == 0:
        message = "the fabric has no host with GPUs, so there is nowhere to run"
        yield Problem("RCE006", ("workload",), message, "give hosts gpus in the inventory")
    elif ranks > room:
        path = ("ranks",) if file.ranks else ("parallel",)
        each = f", {most} on each" if most else ""
        message = f"{ranks:,} ranks need as many GPUs; {len(hosts):,} hosts{each} have {room:,}"
        yield Problem("RCE006", path, message, "fewer ranks, or more hosts")
