"""A switch as it runs before a push, for the tests of pushing to it."""

from __future__ import annotations

import json
from pathlib import Path

from fabric.platforms.sonic.pushing.previewing import SonicPreview

PREVIEW = SonicPreview()
HERE = Path(__file__).parent
TEXT = (HERE / "running/config_db.json").read_text()
# sonic-buildimage 086b03bd, pg_profile_lookup.ini of ACS-MSN3700
LOOKUP = (
    "# speed cable size xon xoff threshold\n"
    "200000 5m 55296 19456 35840 0\n200000 40m 74752 19456 55296 0\n"
)
RUNNING = {"config_db.json": TEXT, "startup config_db.json": TEXT, "pg_profile_lookup.ini": LOOKUP}


def rendered_in(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def same_box(text: str) -> str:
    """A plan that says nothing of the box: most goldens are of another one."""
    config = json.loads(text)
    for fact in ("hwsku", "platform", "mac"):
        config["DEVICE_METADATA"]["localhost"].pop(fact, None)
    return json.dumps(config)
