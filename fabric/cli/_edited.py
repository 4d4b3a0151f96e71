"""A note where an inventory was edited after its plan was made; the plan is what counts."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from fabric.live.push.planned import edited_since

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.plan import Plan


def note_edited(folder: Path, plan: Plan) -> None:
    """Say on standard error which inputs of the plan in ``folder`` are other than planned."""
    edited = [os.path.relpath(file) for file in edited_since(plan, folder)]
    if edited:
        have = "has" if len(edited) == 1 else "have"
        sys.stderr.write(
            f"note: {', '.join(edited)} {have} changed since the plan was made, and the plan is "
            "what counts: `fabric plan` first\n"
        )
