"""What a fake starts with: its way to write configuration, and what it ships with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.live.rehearsal.cli.forms import Braces, Form, Sections
from fabric.live.rehearsal.cli.grammar import read_grammar
from fabric.live.rehearsal.cli.layout import Layout
from fabric.live.rehearsal.cli.objects import Objects
from fabric.live.rehearsal.cli.texts import fill, fixed

if TYPE_CHECKING:
    from fabric.live.rehearsal.box import Setup
    from fabric.live.rehearsal.cli.data import System


def form_of(system: System) -> Form:
    """How a system writes its configuration."""
    main = system.main
    kind = main["form"]
    if kind == "objects":
        return Objects(system.grammar)
    grammar = read_grammar(main.get("negation", "delete"), system.grammar)
    if kind == "braces":
        return Braces(grammar)
    shape = dict(main["layout"])
    shape["comments"] = tuple(shape.pop("comments", ("!",)))
    return Sections(grammar, Layout(**shape))


def shipped(system: System, setup: Setup) -> str:
    """What it boots from: files of the set-up, or as the system ships with an operator's lines.

    Behind ``<<v4>>`` or ``<<v6>>`` stands what it has with a management address of that family.
    """
    if setup.files:
        return "\n".join(setup.files.values())
    facts = fixed(setup)
    own, other = ("v4", "v6") if facts["ipv"] == "ipv4" else ("v6", "v4")
    text = re.sub(rf"(^[ ]*)?<<{other}>>.*\n", "", system.main["ships"], flags=re.MULTILINE)
    line = system.main.get("ships_port", "")
    ports = "".join(fill(line, {**facts, "port": port}) for port in setup.ports)
    return fill(text.replace(f"<<{own}>>", ""), {**facts, "ports": ports})
