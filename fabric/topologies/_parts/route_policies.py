"""Route policies of the dragonflies: minimal paths out of plain eBGP.

The communities are of the standard kind, two halves of 16 bits (RFC 1997), because that is what
every system here matches and sets. The first half is no AS number of this fabric but a fixed
private one (RFC 6996): 4-byte ASNs do not fit, and 0:… and 65535:… are reserved (RFC 1997).
"""

from __future__ import annotations

from fabric.model.underlay import Community, Denial, RoutePolicy, Tag

OVER_LOCAL = Community("FABRIC-OVER-LOCAL", "64999:1")
OVER_GLOBAL = Community("FABRIC-OVER-GLOBAL", "64999:2")
FROM_SPINE = Community("FABRIC-FROM-SPINE", "64999:3")

# Local, global, local at most. A global cable takes the mark of the local one before it away, so
# that the far group may pass the route on over one local cable of its own.
DRAGONFLY = (
    (
        "router",
        RoutePolicy(
            tags=(Tag("local", OVER_LOCAL), Tag("global", OVER_GLOBAL, alone=True)),
            denials=(Denial("local", OVER_LOCAL), Denial("global", OVER_GLOBAL)),
        ),
    ),
)

# Up, at most once across, down. A leaf passes nothing on from one spine to another.
DRAGONFLY_PLUS = (
    (
        "leaf",
        RoutePolicy(
            tags=(Tag("leaf-spine", FROM_SPINE),), denials=(Denial("leaf-spine", FROM_SPINE),)
        ),
    ),
    (
        "spine",
        RoutePolicy(tags=(Tag("global", OVER_GLOBAL),), denials=(Denial("global", OVER_GLOBAL),)),
    ),
)
