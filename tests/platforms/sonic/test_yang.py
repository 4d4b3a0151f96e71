"""The public YANG models' verdict on rendered files, where a copy of them lies at hand.

FABRIC_SONIC_MODELS names a copy of sonic-net/sonic-buildimage, FABRIC_SONIC_YANG_CHECK a script
that is called ``SCRIPT CONFIG MODELS --semantic`` and exits 0 for a file that the models accept.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.platforms.sonic.cases import CASES, DEVICES

if TYPE_CHECKING:
    from pathlib import Path

MODELS = os.environ.get("FABRIC_SONIC_MODELS")
SCRIPT = os.environ.get("FABRIC_SONIC_YANG_CHECK")

pytestmark = [
    pytest.mark.yang,
    pytest.mark.skipif(
        not (MODELS and SCRIPT), reason="no FABRIC_SONIC_MODELS and FABRIC_SONIC_YANG_CHECK"
    ),
]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", [name for name in CASES if name != "unknown"])
def test_the_models_accept_it(name: str, device: str, tmp_path: Path) -> None:
    file = tmp_path / "config_db.json"
    file.write_text(CASES[name].files(device)["config_db.json"])
    command = [sys.executable, str(SCRIPT), str(file), str(MODELS), "--semantic"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
