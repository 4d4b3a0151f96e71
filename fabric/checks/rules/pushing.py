"""94x ids: why a push is not begun, not resumed or not undone, and what its journal may lack."""

from __future__ import annotations

from fabric.checks.rules import entry

_STAGE = "change"

held = entry(
    "RCE940",
    title="somebody else pushes to this fabric",
    what="`.fabric/<fabric>/push.lock` is held by a process that runs, or was written on another "
    "host. The message names its owner, host, process and time.",
    why="two pushes at once would each take the other's change for a fault",
    fix="wait for its end, `fabric status` shows how far it is; on another host look there first",
    stage=_STAGE,
)
cut_off = entry(
    "RCE941",
    title="the last push was cut off and is open",
    what="The journal of the last push has no end: its process was killed, the power failed, or it "
    "was stopped with Ctrl-C.",
    why="devices may stand half-way, and timers may still run on them",
    fix="`fabric push --resume` looks at each device and finishes or restores it",
    stage=_STAGE,
)
nothing_open = entry(
    "RCE942",
    title="there is nothing to resume",
    what="`--resume` was asked for, but the journal of that push has its end.",
    why="nothing may be done twice",
    fix="`fabric status` shows how each device ended; `fabric push` makes a new Change",
    stage=_STAGE,
)
journal_damaged = entry(
    "RCE943",
    title="the journal of a push is damaged",
    what="A line of `journal.jsonl` is no JSON, is not the line that its number says, or cannot be "
    "read. A last line without its end is what a power cut leaves: it is tolerated, and said.",
    why="what was done to the devices can no longer be known from it",
    fix="put it back from a copy; or look at each device, and delete the folder of this push",
    stage=_STAGE,
)
journal_not_written = entry(
    "RCE944",
    title="the journal of a push cannot be written",
    what="The disk that holds `.fabric` is full or read-only. No step is begun that is not in the "
    "journal; devices that were changed already are restored all the same.",
    why="a push that nobody can resume must not go on",
    fix="make room on the disk, then `fabric push --resume`",
    stage=_STAGE,
)
not_as_approved = entry(
    "RCE945",
    title="a device is no longer as it was when the Change was approved",
    what="Right before its first step a device's running configuration or OS version is another "
    "one, or the texts below `.fabric` or the commands are not those that were approved.",
    why="what was approved would not be what is done",
    fix="`fabric push --refresh` reads the devices again and makes a new Change",
    stage=_STAGE,
)
made_offline = entry(
    "RCE946",
    title="a Change that was made offline cannot be carried out",
    what="Nothing was read from the devices, so there is no checkpoint and no digest of what they "
    "run.",
    why="without what was before there is no way back",
    fix="`fabric push` with the devices in reach",
    stage=_STAGE,
)
no_such_push = entry(
    "RCE947",
    title="there is no such push to go back behind",
    what="`fabric rollback` found no push that was begun, or none, or several, of the name given.",
    why="only what a push kept as its checkpoint can be put back",
    fix="`fabric status --all` lists them",
    stage=_STAGE,
)
not_of_push = entry(
    "RCE948",
    title="a device cannot go back behind that push",
    what="The push did not change it, its checkpoint has gone, or the plan no longer names it, so "
    "its address is not known. `--resume` is refused then too, before any device is touched.",
    why="nobody knows what was in force there before",
    fix="`fabric status --push ID` shows what it changed; name others with --device",
    stage=_STAGE,
)
