"""Names that a lab gives to what it makes: by them everything is found again and taken down."""

from __future__ import annotations

import hashlib
import re

from fabric.live.lab.layout import SEPARATOR

_PREFIX = "fabric-lab"  # no other program's namespaces start with this and a colon
IFNAMSIZ = 15  # linux/if.h, less the final zero
MANAGEMENT_NETDEV = "mgmt0"  # of every node
BRIDGE = "bridge"  # joins them, in a namespace of its own
_LAB_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}\Z")


def is_lab_name(text: str) -> bool:
    """Whether a lab can be called that: the rule for names of fabrics."""
    return bool(_LAB_NAME.match(text))


def prefix(lab: str) -> str:
    """What all namespaces of a lab start with, and no other ones do."""
    return f"{_PREFIX}{SEPARATOR}{lab}{SEPARATOR}"


def namespace(lab: str, node: str) -> str:
    """Network namespace of a node."""
    return f"{prefix(lab)}{node}"


def management_namespace(lab: str) -> str:
    """Namespace of the management bridge; no node can be called that."""
    return f"{prefix(lab)}{SEPARATOR}management"


def root_netdev(lab: str) -> str:
    """The one device that a lab adds to the machine's own namespace."""
    return f"lab-{hashlib.sha256(lab.encode()).hexdigest()[:10]}"


def netdev(port: str) -> str:
    """What the kernel can call a port: it takes no slash and no colon."""
    return port.replace("/", "_").replace(":", "_")
