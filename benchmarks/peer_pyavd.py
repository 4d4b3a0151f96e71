"""Arista's own generator on the same design: `python benchmarks/peer_pyavd.py INVENTORY`.

Every switch of the inventory, which must be EOS, as pyavd's data; CPU seconds of pyavd alone, as
JSON: `judged` for its schema, `rendered` for the configs.
"""

from __future__ import annotations

import json
import sys
import time

import pyavd

from fabric import flow
from fabric.design.devices import DeviceModels
from fabric.files.locate import templates_root
from fabric.text import Renderer
from tests.platforms.arista_eos.structured import structured_config
from tests.platforms.arista_eos.test_avd import PROFILE


def main() -> None:
    """Print one object."""
    design = flow.load(sys.argv[1])
    models, renderer = DeviceModels(design), Renderer((templates_root(),))
    judged = rendered = 0.0
    lines = 0
    for switch in design.topology.switches:
        model = models.of(switch.name)
        text = renderer.device(model).files[0].text
        structured = structured_config(model, dict(PROFILE.findall(text)))
        started = time.process_time()
        pyavd.validate_structured_config(structured)
        middle = time.process_time()
        lines += pyavd.get_device_config(structured).count("\n")
        judged += middle - started
        rendered += time.process_time() - middle
    print(json.dumps({"judged": judged, "rendered": rendered, "lines": lines}))


if __name__ == "__main__":
    main()
