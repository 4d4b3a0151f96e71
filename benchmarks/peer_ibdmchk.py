"""ibdmchk on a k-ary fat-tree: `python benchmarks/peer_ibdmchk.py --k 24`.

ibsim simulates it, OpenSM routes it with min-hop, one way for each of k³/4 hosts; ibdmchk then says
whether the routes have a credit loop. CPU seconds of ibdmchk alone, as JSON. Needs Debian's
ibsim-utils, opensm and ibutils; k = 24 takes a minute and 0.4 GB of temporary files.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.analysis.ibnet import tables
from tests.analysis.ibnet.netlist import fat_tree
from tests.analysis.ibnet.programs import judge, missing

LIMIT_SECONDS = 1200.0


@dataclass(frozen=True)
class Peer:
    """What ibdmchk took and said; ``paths``: ordered pairs of hosts, each followed."""

    k: int
    switches: int
    hosts: int
    paths: int
    cpu_seconds: float
    has_loop: bool


def ibdmchk(k: int) -> Peer:
    """Build, simulate, route and judge a k-ary fat-tree.

    Raises:
        RuntimeError: a program is not installed, or failed.
    """
    if missing():
        raise RuntimeError(missing())
    fabric = fat_tree(k)
    hosts = sum(fabric.hosts.values())
    with tempfile.TemporaryDirectory(prefix="ibdmchk-") as folder:
        judged = judge(fabric, Path(folder), limit=LIMIT_SECONDS)
    paths = hosts * (hosts - 1)
    if f"-I- Scanned:{paths} CA to CA paths" not in judged.said:
        msg = f"ibdmchk did not follow {paths} paths"
        raise RuntimeError(msg)
    verdict = tables.verdict(judged.said, {})
    seconds = round(judged.cpu_seconds, 2)
    return Peer(k, len(fabric.hosts), hosts, paths, seconds, verdict.has_loop)


def main() -> None:
    """Print one object."""
    parser = argparse.ArgumentParser(description="ibdmchk on a k-ary fat-tree")
    parser.add_argument("--k", type=int, default=24, help="ports of a switch, even")
    print(json.dumps(asdict(ibdmchk(parser.parse_args().k))))


if __name__ == "__main__":
    main()
