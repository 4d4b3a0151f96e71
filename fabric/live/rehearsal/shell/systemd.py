"""systemd as far as a push needs it: transient timers, and services that restart or reload.

systemd-run(1), systemctl(1), systemd.timer(5) of Debian 12 (systemd 252).
"""

# ruff: noqa: ARG001 - all verbs are called alike
from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.rehearsal.shell.interpreter import Call, Result, Run, execute
from fabric.live.rehearsal.shell.jobs import Timer
from fabric.live.rehearsal.shell.text import span

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabric.live.rehearsal.shell.interpreter import Program

_ACCURACY_S = 60.0  # systemd.timer(5): AccuracySec, default 1 minute; a timer may be so late
_NOT_LOADED, _INACTIVE = 5, 3
_VALUED = {
    "--unit",
    "-u",
    "--on-active",
    "--description",
    "--timer-property",
    "--property",
    "-p",
    "--slice",
    "--uid",
    "--gid",
    "--setenv",
    "-E",
    "--working-directory",
}


def _split(args: tuple[str, ...]) -> tuple[dict[str, list[str]], tuple[str, ...]]:
    """Options in front, and the command that follows."""
    found: dict[str, list[str]] = {}
    rest = list(args)
    while rest and rest[0].startswith("-") and rest[0] != "--":
        name, has_value, value = rest.pop(0).partition("=")
        if not has_value and name in _VALUED and rest:
            value = rest.pop(0)
        found.setdefault(name, []).append(value)
    return found, tuple(rest[1:] if rest[:1] == ["--"] else rest)


def _run(call: Call) -> Result | Run:  # noqa: PLR0911
    if call.user != "root":
        return Result(
            1, "", "Failed to start transient timer unit: Interactive authentication required.\n"
        )
    options, command = _split(call.args[1:])
    if not command:
        return Result(1, "", "Command line to execute required.\n")
    if call.box.program(command[0], "root") is None:
        return Result(1, "", f"Failed to find executable {command[0]}: No such file or directory\n")
    given = (options.get("--unit") or options.get("-u") or [f"run-u{call.box.jobs.started}"])[0]
    unit = given.removesuffix(".timer").removesuffix(".service")
    if unit in call.box.jobs.timers or unit in call.box.jobs.failed:
        kind = "timer" if unit in call.box.jobs.timers else "service"
        return Result(
            1,
            "",
            f"Failed to start transient timer unit: Unit {unit}.{kind} was "
            "already loaded or has a fragment file.\n",
        )
    run = execute(Call(call.box, "root", command))
    if "--on-active" not in options:
        call.box.jobs.start(run, unit)
        return Result(0, "", f"Running as unit: {unit}.service\n")
    try:
        wait = span(options["--on-active"][0])
        late = _accuracy(options.get("--timer-property", []))
    except ValueError as error:
        return Result(1, "", f"Failed to parse timer value: {error}\n")
    now = call.box.world.clock()
    call.box.jobs.timers[unit] = Timer(unit, now + wait + late, command, run, now)
    return Result(
        0, "", f"Running timer as unit: {unit}.timer\nWill run service as unit: {unit}.service\n"
    )


def _accuracy(properties: list[str]) -> float:
    for each in properties:
        if each.startswith("AccuracySec="):
            value = each.split("=")[1]
            return span(value) if value[-2:] not in {"ms", "us"} else 0.0
    return _ACCURACY_S


def _systemctl(call: Call) -> Result | Run:  # noqa: PLR0911
    options, rest = _split(call.args[1:])
    if not rest:
        return Result()
    verb, names = rest[0], tuple(each for each in rest[1:] if not each.startswith("-"))
    flags = {*options, *(each for each in rest[1:] if each.startswith("-"))}
    quiet = bool(flags & {"-q", "--quiet"})
    if verb in _ASKS:
        return _ASKS[verb](call, names, quiet)
    if call.user != "root":
        return Result(
            1, "", f"Failed to {verb} {''.join(names)}: Interactive authentication required.\n"
        )
    if verb == "daemon-reload":
        return Result()
    if verb == "stop":
        return _each(call, names, _stop)
    if verb == "reset-failed":
        return _each(call, names, _reset) if names else _reset_all(call)
    return _service(call, verb, names)


def _service(call: Call, verb: str, names: tuple[str, ...]) -> Result | Run:
    name = names[0].removesuffix(".service") if names else ""
    known = call.box.units.get(name)
    if known is None:
        return Result(
            _NOT_LOADED, "", f"Failed to {verb} {name}.service: Unit {name}.service not found.\n"
        )
    program = known.get(verb)
    if program is None:
        return Result(
            1,
            "",
            f"Failed to {verb} {name}.service: Job type {verb} is not "
            f"applicable for unit {name}.service.\n",
        )
    return program(Call(call.box, "root", (name,)))


def _each(call: Call, names: tuple[str, ...], act: Callable[[Call, str], Result]) -> Result:
    total = Result()
    for name in names:
        one = act(call, name)
        total = Result(total.status or one.status, total.out + one.out, total.err + one.err)
    return total


def _stop(call: Call, name: str) -> Result:
    jobs = call.box.jobs
    unit = name.removesuffix(".timer").removesuffix(".service")
    if name.endswith(".timer"):
        if jobs.timers.pop(unit, None) is not None:
            return Result()
    elif any(job.unit == unit for job in jobs.running):
        jobs.running = [job for job in jobs.running if job.unit != unit]
        return Result()
    elif unit in call.box.units:
        program = call.box.units[unit].get("stop")
        stopped = program(call) if program else Result()
        return stopped if isinstance(stopped, Result) else Result()
    full = name if "." in name else f"{name}.service"
    return Result(_NOT_LOADED, "", f"Failed to stop {full}: Unit {full} not loaded.\n")


def _reset(call: Call, name: str) -> Result:
    unit = name.removesuffix(".timer").removesuffix(".service")
    if call.box.jobs.failed.pop(unit, None) is None:
        full = name if "." in name else f"{name}.service"
        return Result(
            1, "", f"Failed to reset failed state of unit {full}: Unit {full} not loaded.\n"
        )
    return Result()


def _reset_all(call: Call) -> Result:
    call.box.jobs.failed.clear()
    return Result()


def status(call: Call, name: str) -> str:
    """The state of a unit, as ``systemctl is-active`` prints it."""
    jobs = call.box.jobs
    unit = name.removesuffix(".timer").removesuffix(".service")
    if name.endswith(".timer"):
        return "active" if unit in jobs.timers else "inactive"
    if unit in jobs.failed:
        return "failed"
    if any(job.unit == unit for job in jobs.running):
        return "active"
    probe = call.box.units.get(unit, {}).get("probe")
    if probe is None:
        return "inactive"
    result = probe(call)
    return result.out.strip() if isinstance(result, Result) else "active"


def _is_active(call: Call, names: tuple[str, ...], quiet: bool) -> Result:
    found = [status(call, name) for name in names]
    out = "" if quiet else "".join(f"{each}\n" for each in found)
    return Result(0 if "active" in found else _INACTIVE, out)


def _is_failed(call: Call, names: tuple[str, ...], quiet: bool) -> Result:
    found = [status(call, name) for name in names]
    out = "" if quiet else "".join(f"{each}\n" for each in found)
    return Result(0 if "failed" in found else 1, out)


def _list_timers(call: Call, names: tuple[str, ...], quiet: bool) -> Result:
    now = call.box.world.clock()
    timers = [
        each for each in call.box.jobs.timers.values() if not names or f"{each.unit}.timer" in names
    ]
    lines = [
        f"- {each.due - now:.0f}s left - - {each.unit}.timer {each.unit}.service\n"
        for each in timers
    ]
    return Result(0, "".join(lines) + f"\n{len(lines)} timers listed.\n")


def _show(call: Call, names: tuple[str, ...], quiet: bool) -> Result:
    out = "".join(
        f"ActiveState={status(call, name)}\nLoadState="
        f"{'loaded' if status(call, name) != 'inactive' else 'not-found'}\n"
        for name in names
    )
    return Result(0, out)


def _is_system_running(call: Call, names: tuple[str, ...], quiet: bool) -> Result:
    if call.box.world.clock() < call.box.busy_until:
        return Result(1, "starting\n")
    return Result(1, "degraded\n") if call.box.jobs.failed else Result(0, "running\n")


_ASKS: Mapping[str, Callable[[Call, tuple[str, ...], bool], Result]] = {
    "is-active": _is_active,
    "is-failed": _is_failed,
    "list-timers": _list_timers,
    "show": _show,
    "status": _is_active,
    "is-system-running": _is_system_running,
}

PROGRAMS: Mapping[str, Program] = {
    "/usr/bin/systemd-run": _run,
    "/usr/bin/systemctl": _systemctl,
}
