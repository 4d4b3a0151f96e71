"""A pretended host: /sys and /proc below a folder, fake tools first on the path."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_TOOLS = ("mlnx_qos", "dcb", "ethtool", "ip", "cma_roce_tos", "cma_roce_mode", "pgrep", "id")
_FAKE = Path(__file__).with_name("fake_tool.sh")
_EIGHT = range(8)


class Machine:
    """NICs as they come from the factory: trust pcp, no PFC, global pause on, MTU 1500."""

    def __init__(self, home: Path, nics: dict[str, str]) -> None:
        self.home = home
        self._write("calls", "")
        self._write("ip/none", "")
        for tool in _TOOLS:
            self._write(f"bin/{tool}", _FAKE.read_text())
            (home / "bin" / tool).chmod(0o755)
        for name, device in nics.items():
            self._settings(name, device)
            self._kernel(name, device)

    def _write(self, path: str, text: str) -> None:
        file = self.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}\n" if text else "")

    def _settings(self, name: str, device: str) -> None:
        for key, value in (
            ("dcbx", "fw"),
            ("trust", "pcp"),
            ("map", ""),
            ("pfc", "0,0,0,0,0,0,0,0"),
            ("cable", "7"),
            ("pause", "on"),
            ("dcb/dcbx/mode", "lld-managed ieee"),
            ("dcb/app/dscp-prio", " "),
            ("dcb/apptrust/order", "pcp"),
            ("dcb/pfc/prio-pfc", " ".join(f"{n}:off" for n in _EIGHT)),
            ("dcb/ets/willing", "on"),
            ("dcb/ets/prio-tc", " ".join(f"{n}:0" for n in _EIGHT)),
            ("dcb/ets/tc-tsa", " ".join(f"{n}:strict" for n in _EIGHT)),
            ("dcb/ets/tc-bw", " ".join(f"{n}:0" for n in _EIGHT)),
        ):
            self._write(f"nics/{name}/{key}", value)
        self._write(f"devices/{device}.tos", "0")
        self._write(f"devices/{device}.mode", "IB/RoCE v1")

    def _kernel(self, name: str, device: str) -> None:
        net, verbs = f"sys/class/net/{name}", f"sys/class/infiniband/{device}"
        conf, cm = f"proc/sys/net/ipv4/conf/{name}", f"sys/kernel/config/rdma_cm/{device}/ports/1"
        for path, value in (
            (f"{net}/mtu", "1500"),
            (f"{net}/ecn/roce_np/enable/3", "0"),
            (f"{net}/ecn/roce_rp/enable/3", "0"),
            (f"{net}/ecn/roce_np/cnp_dscp", "0"),
            (f"{net}/ecn/roce_np/params/cnp_802p_prio", "0"),
            (f"{conf}/arp_ignore", "0"),
            (f"{conf}/arp_announce", "0"),
            (f"{conf}/rp_filter", "1"),
            (f"{conf}/forwarding", "1"),
            (f"{verbs}/device/net/{name}/mtu", "1500"),
            (f"{verbs}/device/numa_node", "0"),
            (f"{verbs}/tc/1/traffic_class", "Global tclass=0"),
            (f"{cm}/default_roce_tos", "0"),
            (f"{cm}/default_roce_mode", "IB/RoCE v1"),
        ):
            self.put(path, value)

    @property
    def root(self) -> Path:
        """Where the script sees /sys and /proc."""
        return self.home / "root"

    def put(self, path: str, text: str) -> None:
        self._write(f"root/{path}", text)

    def read(self, path: str) -> str:
        return (self.root / path).read_text().strip()

    def nic(self, name: str, key: str) -> str:
        """One setting of an adapter."""
        return (self.home / "nics" / name / key).read_text().strip()

    def set_nic(self, name: str, key: str, value: str) -> None:
        self._write(f"nics/{name}/{key}", value)

    def priorities(self, name: str) -> dict[int, int]:
        """Priority by DSCP while the adapter trusts DSCP."""
        lines = self.nic(name, "map").splitlines()
        return {int(dscp): int(priority) for dscp, priority in map(str.split, lines)}

    def say(self, arguments: str, text: str) -> None:
        """What ``ip`` prints."""
        self._write(f"ip/{arguments.replace(' ', '_')}", text)

    def start_lldpad(self) -> None:
        self._write("lldpad", "running")

    @property
    def calls(self) -> list[str]:
        """Calls of tools that changed something."""
        return (self.home / "calls").read_text().splitlines()

    def run(self, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        file = self.home / "script.sh"
        file.write_text(script)
        return subprocess.run(
            ["/bin/sh", str(file), *arguments],
            env={
                "PATH": f"{self.home / 'bin'}:{os.environ['PATH']}",
                "FABRIC_ROOT": str(self.root),
                "FAKE_HOME": str(self.home),
            },
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
