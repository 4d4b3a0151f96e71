"""What is laid over a node's root before it starts: the plan's files, its keys, its user."""

from __future__ import annotations

import shutil
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.live.lab import boot, state
from fabric.live.programs import run

if TYPE_CHECKING:
    from fabric.live.lab.layout import Layout, Node
    from fabric.live.lab.words import Words
    from fabric.model.plan import Rendered

_SSHD = """\
HostKey /etc/ssh/ssh_host_ed25519_key
AuthorizedKeysFile /etc/ssh/authorized_keys
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
UsePAM no
UseDNS no
PidFile /run/sshd.pid
MaxStartups 50:30:100
Subsystem sftp internal-sftp
"""
VTYSH_CONF = "service integrated-vtysh-config\n"
HOST_KEY = "etc/ssh/ssh_host_ed25519_key"
# A switch of a lab has no addresses to check for duplicates: each cable has two ends.
_LAB_SETTINGS = (
    ("net/ipv4/conf/all/rp_filter", "0"),
    ("net/ipv4/conf/default/rp_filter", "0"),
    ("net/ipv6/conf/all/accept_dad", "0"),
    ("net/ipv6/conf/default/accept_dad", "0"),
)


def login_key(layout: Layout) -> None:
    """The key that logs in everywhere, made anew for each lab."""
    _key(state.key_file(layout.name), f"fabric lab {layout.name}")


def _key(path: Path, comment: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", str(path)]
    run(words)


def write_seed(layout: Layout, node: Node, words: Words) -> None:
    """Tree and script of one node."""
    root = state.seed(layout.name, node.name)
    length = ip_network(layout.management_network).prefixlen
    rendered, links = rendered_of(node, words)
    _put_files(root, rendered)
    _put_lab_files(layout, node, root)
    reached = boot.batch(boot.management(node, length))
    text = boot.script(
        node, root, f"{reached}\n{links}", settings(node, rendered), boot.daemons(node)
    )
    state.node_file(layout.name, node.name, "start.sh").write_text(text)


def rendered_of(node: Node, words: Words) -> tuple[Rendered, str]:
    """The plan's files of a node, and shell text that makes its ports what they say."""
    if node.is_switch:
        model, rendered = words.switch(node.name)
        return rendered, boot.batch(boot.switch_links(node, model.svis))
    _, rendered, nics = words.host(node.name)
    lines = boot.host_links(nics)
    return rendered, "\n".join(boot.batch(lines[family], family) for family in (4, 6))


def settings(node: Node, rendered: Rendered) -> list[tuple[str, str]]:
    """What the kernel is told: the lab's own, then the plan's, which win; by path below /proc/sys.

    A port that was there before the script has what was the default then, so it is told, too.
    """
    found = list(_LAB_SETTINGS)
    for port in node.ports:
        found.append((f"net/ipv6/conf/{port.netdev}/accept_dad", "0"))
        found.append((f"net/ipv4/conf/{port.netdev}/rp_filter", "0"))
    for file in rendered.files:
        if file.remote_path.startswith("/etc/sysctl.d/"):
            found += boot.kernel_settings(file.text)
    return found


def _put_files(root: Path, rendered: Rendered) -> None:
    """The plan's files below /etc; programs elsewhere are not run in a lab."""
    for file in rendered.files:
        if file.remote_path.startswith("/etc/"):
            path = root / file.remote_path.lstrip("/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(file.text)
            path.chmod(int(file.mode, 8))


def _put_lab_files(layout: Layout, node: Node, root: Path) -> None:
    _key(root / HOST_KEY, node.name)
    login = state.key_file(layout.name).with_suffix(".pub").read_text()
    files = {
        "etc/ssh/sshd_config": _SSHD,
        "etc/ssh/authorized_keys": login,
        "etc/hostname": f"{node.name}\n",
        "etc/hosts": f"127.0.0.1 localhost\n{node.management} {node.name}\n",
        "etc/resolv.conf": "",
        "etc/lldpd.d/lab.conf": (
            "configure lldp tx-interval 2\nconfigure lldp portidsubtype ifname\n"
            f"configure system hostname {node.name}\n"
        ),
        **_accounts(),
    }
    if node.is_switch:
        files["etc/frr/vtysh.conf"] = VTYSH_CONF
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (root / "etc/shadow").chmod(0o640)
    shutil.chown(root / "etc/shadow", group="shadow")


def _accounts() -> dict[str, str]:
    """The machine's accounts and our user, who has no password."""
    user, number = boot.USER, boot.USER_ID
    groups = []
    for line in Path("/etc/group").read_text().splitlines():
        name, secret, gid, members = line.split(":")
        if name in ("frr", "frrvty"):
            members = ",".join(filter(None, (*members.split(","), user)))
        groups.append(f"{name}:{secret}:{gid}:{members}")
    passwd, shadow = (Path(path).read_text() for path in ("/etc/passwd", "/etc/shadow"))
    return {
        "etc/passwd": f"{passwd}{user}:x:{number}:{number}:lab:/home/{user}:/bin/bash\n",
        "etc/group": "\n".join((*groups, f"{user}:x:{number}:", "")),
        # A star, not an exclamation mark: sshd takes that for a locked account.
        "etc/shadow": f"{shadow}{user}:*:19000::::::\n",
    }


def write_known_hosts(layout: Layout) -> None:
    """Host keys of all nodes, by address and by name."""
    lines = []
    for node in layout.nodes:
        public = (state.seed(layout.name, node.name) / f"{HOST_KEY}.pub").read_text()
        lines.append(f"{node.management},{node.name} {' '.join(public.split()[:2])}\n")
    state.known_hosts(layout.name).write_text("".join(lines))
