"""The public YANG models' verdict on rendered files, where a checker lies at hand.

FABRIC_SRL_YANG_CHECK names a program that is called with a file and exits 0 if the models of
nokia/srlinux-yang-models accept it: yanglint with the modules and features of the box, and without
those ``must`` that are no standard XPath (an absent leaf has its default there, booleans compare
by value).
"""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.platforms.nokia_srl.cases import EVERY, FILE
from tests.platforms.nokia_srl.test_golden import GOLDEN

CHECK = os.environ.get("FABRIC_SRL_YANG_CHECK")

pytestmark = [
    pytest.mark.yang,
    pytest.mark.skipif(not CHECK, reason="no FABRIC_SRL_YANG_CHECK"),
]


@pytest.mark.parametrize(("case", "device"), EVERY)
def test_the_models_accept_it(case: str, device: str) -> None:
    command = [str(CHECK), str(GOLDEN / case / device / FILE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
