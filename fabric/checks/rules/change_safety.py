"""91x and 92x ids: why `fabric push` refuses, before any device is changed."""

from __future__ import annotations

from fabric.checks.rules import entry

_STAGE = "change"

plan_has_errors = entry(
    "RCE910",
    title="the plan holds an error",
    what="A finding of severity error or worse that nobody suppressed stands in the plan. "
    "`--yes` does not help.",
    why="what is wrong in the design would be wrong in every switch at once",
    fix="mend it, or suppress it beside its object with a reason; then plan again",
    stage=_STAGE,
)
plan_tampered = entry(
    "RCE911",
    title="a file of the plan was changed by hand",
    what="The digest of a file in the plan's folder is not the one in plan.json, or it is gone. Or "
    "a device's text is not what its templates give when it is rendered again from the plan's "
    "inputs, so that both were changed.",
    why="nobody has checked what stands there now",
    fix="plan again; what is to stay goes into the inventory, `extra` or own templates",
    stage=_STAGE,
)
other_version = entry(
    "RCE912",
    title="planned by another version",
    what="The Design is derived again from the plan's inputs, and a device's model is not the one "
    "whose digest the plan holds; or plan.json names other devices, models or addresses; or the "
    "version that planned is another one and its words for a device are.",
    why="the texts of the plan would be compared with numbers that they were not made from",
    fix="run `fabric plan INVENTORY` again and look at `fabric diff`",
    stage=_STAGE,
)
experimental = entry(
    "RCE913",
    title="an experimental system",
    what="A device's system has lines that no source confirms.",
    why="the switch may refuse a line, or take it to mean something else",
    fix="read the configurations, then `--allow-experimental`",
    stage=_STAGE,
)
no_way = entry(
    "RCE914",
    title="a system that cannot be pushed to",
    what="There is no procedure for this system: no `pushing` module, or no push.yaml.",
    why="without one nobody knows how to go back",
    fix="bring the configurations there by hand, or leave those devices out with `--device`",
    stage=_STAGE,
)
no_timer = entry(
    "RCE916",
    title="nobody undoes an unconfirmed change",
    what="The system has no timer on the device that takes a change back (timer class none).",
    why="when a change cuts us off, somebody has to go to the console",
    fix="with another way to the devices at hand, `--accept-no-timer`; one device at a time",
    stage=_STAGE,
)
window = entry(
    "RCE917",
    title="the change needs a maintenance window",
    what="A changed line is of class `needs window` (a link, a session or a process restarts), or "
    "nobody has said what it does to traffic (`unclassified`).",
    why="jobs that use the switch would stop",
    fix="drain it or stop the jobs, then `--window`; or leave the device out with `--device`",
    stage=_STAGE,
)
another_device = entry(
    "RCE918",
    title="not the planned device",
    what="What answers at the management address is another model than planned, runs a version "
    "that the plan's text is not written for, or bears the name of another device of the plan. "
    "A name that is none of the plan's proves nothing: a new switch has one of the factory.",
    why="the configuration of one switch on another takes both off the network",
    fix="mend the address, the model or the system in the inventory, and plan again",
    stage=_STAGE,
)
held = entry(
    "RCE919",
    title="somebody else holds the configuration",
    what="A lock, an open candidate or a running commit timer of somebody else is on the device.",
    why="one of the two changes would overwrite the other",
    fix="ask them to commit or discard; `fabric` touches nothing of theirs",
    stage=_STAGE,
)
cut_off = entry(
    "RCE920",
    title="the candidate would lock us out",
    what="Between what is in force and what shall be, a protected line or its negation differs: "
    "management interface, address or route, SSH, AAA, users (`protected` in the system's "
    "push.yaml); or the management address or our own user is gone; or a new route drops what goes "
    "to the management address, or to a prefix shorter than 8 bits. Looked at are the text and, "
    "where the device shows them, its own difference and its candidate.",
    why="after it nobody may get in to take it back",
    fix="take it out of `extra` or own templates; management is changed by hand, at a console. "
    "Before a rollback, put back by hand what was changed of it since, or leave the device out",
    stage=_STAGE,
)
overtaken = entry(
    "RCE921",
    title="changed since the dry run",
    what="The configuration of a device is no longer the one that the saved Change was made for.",
    why="what was looked at is not what would be done",
    fix="`fabric push --refresh` makes a new Change; look at it first",
    stage=_STAGE,
)
not_approved = entry(
    "RCE922",
    title="not approved",
    what="There is no terminal to ask on and neither `--yes` nor `--approve`; or the digest of "
    "`--approve` is that of another Change; or `--yes` meets a Change that leaves devices out.",
    why="nothing is done that nobody saw",
    fix="`fabric push --dry-run`, then `--approve` with the digest that it prints, and the same "
    "options",
    stage=_STAGE,
)
not_read = entry(
    "RCE923",
    title="a device could not be asked",
    what="There was a session, but a command was refused, timed out or gave a reply that is not "
    "understood; or its configuration could not be merged with the plan, or a line of the plan's "
    "text (`extra`, an own template) would be lost in the merge.",
    why="what would change is not known",
    fix="the message names the command and the last lines that came",
    stage=_STAGE,
)
