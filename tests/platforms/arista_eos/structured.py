"""A device model in the data model of pyavd, so that Arista's own generator can judge our text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fabric.model.device import DeviceModel, Interface, PortChannel
    from fabric.model.qos import QueueSettings
    from fabric.model.underlay import BgpSession

SCHEDULERS = {"strict": "priority strict", "dwrr": "no priority"}
ACTIONS = {"drop": "drop", "alert": "notify-only"}


def structured_config(model: DeviceModel, profile_of: dict[str, str]) -> dict[str, Any]:
    """``profile_of``: name of the QoS profile by port."""
    unnumbered = any(port.unnumbered for port in model.interfaces)
    v4, v6 = _of(model.speaker.announces, 4), _of(model.speaker.announces, 6)
    discards = model.speaker.discards
    over_v6 = unnumbered and bool(v4)
    return {
        "hostname": model.name,
        "service_routing_protocols_model": "multi-agent",
        "ip_routing": not over_v6,
        **({"ip_routing_ipv6_interfaces": True} if over_v6 else {}),
        **({"ipv6_unicast_routing": True} if unnumbered or v6 else {}),
        **_load_balancing(model),
        "qos_profiles": _profiles(model, profile_of),
        "qos": {"map": _maps(model)},
        "priority_flow_control": {"watchdog": _watchdog(model)},
        "ethernet_interfaces": [_port(p, profile_of[p.name]) for p in model.interfaces],
        "port_channel_interfaces": [_port_channel(lag, profile_of) for lag in model.lags],
        "vlans": [{"id": svi.vlan} for svi in model.svis],
        **({"mac_address_table": {"aging_time": 300}} if model.svis else {}),
        "vlan_interfaces": [
            {
                "name": f"Vlan{svi.vlan}",
                "shutdown": False,
                "mtu": 9214,
                "arp_aging_timeout": 240,
                "ip_address": svi.addresses[0],
            }
            for svi in model.svis
        ],
        "loopback_interfaces": [
            {
                "name": "Loopback0",
                **({"ip_address": model.loopback_v4} if model.loopback_v4 else {}),
                **({"ipv6_address": model.loopback_v6} if model.loopback_v6 else {}),
            }
        ],
        "management_interfaces": [
            {"name": model.management_interface, "ip_address": model.management_address}
            for _ in [0]
            if model.management_address
        ],
        "static_routes": [{"prefix": p, "interface": "Null0"} for p in _of(discards, 4)],
        "ipv6_static_routes": [{"prefix": p, "interface": "Null0"} for p in _of(discards, 6)],
        **_policy(model),
        "router_bgp": _bgp(model),
    }


def _of(prefixes: tuple[str, ...], version: int) -> list[str]:
    return [p for p in prefixes if (":" in p) == (version == 6)]


def _load_balancing(model: DeviceModel) -> dict[str, Any]:
    if model.load_balancing != "dlb":
        return {}
    return {"ip_hardware": {"fib": {"load_balance_distribution": {"dynamic": {"enabled": True}}}}}


def _profiles(model: DeviceModel, profile_of: dict[str, str]) -> list[dict[str, Any]]:
    ports = {profile_of[port.name]: port for port in model.interfaces}
    return [
        {
            "name": name,
            "trust": "dscp",
            "priority_flow_control": {
                "enabled": True,
                "watchdog": {"enabled": bool(port.chain.watchdog_priorities)},
                "priorities": [{"priority": n, "no_drop": True} for n in port.chain.pfc_priorities],
            },
            "uc_tx_queues": [
                _queue(queue)
                for queue in port.chain.queues
                if queue.scheduler and queue.queue < 7 and model.asic.startswith("tomahawk")
            ],
        }
        for name, port in ports.items()
    ]


def _queue(queue: QueueSettings) -> dict[str, Any]:
    made: dict[str, Any] = {"id": queue.queue, "priority": SCHEDULERS[queue.scheduler or ""]}
    if queue.weight:
        made["bandwidth_percent"] = queue.weight
    if queue.max_rate_bytes_per_s:
        made["shape"] = {"rate": f"{queue.max_rate_bytes_per_s * 8 // 1000} kbps"}
    if queue.ecn:
        threshold = {
            "units": "bytes",
            "min": queue.kmin_bytes,
            "max": queue.kmax_bytes,
            "max_probability": queue.pmax_percent,
            "weight": 0,
        }
        made["random_detect"] = {"ecn": {"count": True, "threshold": threshold}}
    return made


def _maps(model: DeviceModel) -> dict[str, list[str]]:
    chain = model.interfaces[0].chain
    classes = sorted({tc for tc in chain.dscp_to_tc if tc is not None})
    dscps = {tc: [str(d) for d in range(64) if chain.dscp_to_tc[d] == tc] for tc in classes}
    return {
        "dscp": [f"{' '.join(values)} to traffic-class {tc}" for tc, values in dscps.items()],
        "traffic_class": [f"{n} to tx-queue {chain.tc_to_queue[n]}" for n in range(7)],
    }


def _watchdog(model: DeviceModel) -> dict[str, str]:
    timers = model.watchdog
    return {
        "action": ACTIONS[timers.action],
        "timeout": f"{timers.detect_ms / 1000:g}",
        "recovery_time": f"{timers.restore_ms / 1000:g}",
        "polling_interval": f"{timers.poll_ms / 1000:g}",
    }


def _port(port: Interface, profile: str) -> dict[str, Any]:
    speed = f"{port.speed_gbps}g" + (f"-{port.lane_count}" if port.speed_gbps > 25 else "")
    v4, v6 = _of(port.addresses, 4), _of(port.addresses, 6)
    fec = {"reed_solomon": True} if port.fec == "rs" else {"enabled": False}
    return {
        "name": port.name,
        "description": port.description,
        "shutdown": not port.admin_up,
        "mtu": port.mtu_bytes,
        **({"speed": speed} if port.lane_count else {}),
        "error_correction_encoding": fec,
        **_switchport(port.vlan, port.lag),
        **({"ip_address": v4[0]} if v4 else {}),
        **({"ipv6_address": v6[0]} if v6 else {}),
        **({"ipv6_nd_ra_disabled": True} if v6 and port.use == "host" else {}),
        **({"ipv6_enable": True} if port.unnumbered else {}),
        "service_profile": profile,
    }


def _port_channel(lag: PortChannel, profile_of: dict[str, str]) -> dict[str, Any]:
    v4, v6 = _of(lag.addresses, 4), _of(lag.addresses, 6)
    return {
        "name": lag.name,
        "description": lag.description,
        "shutdown": False,
        "mtu": lag.mtu_bytes,
        "min_links": 1,
        **({"ip_address": v4[0]} if v4 else {}),
        **({"ipv6_address": v6[0]} if v6 else {}),
        **({"ipv6_nd_ra_disabled": True} if v6 else {}),
        **_switchport(lag.vlan, None),
        "service_profile": profile_of[lag.ports[0]],
    }


def _switchport(vlan: int | None, lag: int | None) -> dict[str, Any]:
    if lag is not None:
        return {"channel_group": {"id": lag, "mode": "active"}, "lacp_timer": {"mode": "fast"}}
    if vlan is None:
        return {"switchport": {"enabled": False}}
    access = {"enabled": True, "mode": "access", "access_vlan": vlan}
    return {"switchport": access, "spanning_tree_portfast": "edge"}


def _policy(model: DeviceModel) -> dict[str, Any]:
    v4, v6 = _of(model.speaker.announces, 4), _of(model.speaker.announces, 6)
    lists = model.speaker.policy.denied if model.speaker.policy else ()
    return {
        "as_path": {
            "access_lists": [
                {"name": "FABRIC-LOCAL", "entries": [{"type": "permit", "match": "^$"}]}
            ]
        },
        **({"prefix_lists": [_prefix_list("ANNOUNCE-V4", v4)]} if v4 else {}),
        **({"ipv6_prefix_lists": [_prefix_list("ANNOUNCE-V6", v6)]} if v6 else {}),
        "ip_community_lists": [
            {"name": x.name, "entries": [{"action": "permit", "communities": [x.value]}]}
            for x in lists
        ],
        "route_maps": [way for kind in _kinds(model) for way in _maps_of(model, kind)],
    }


def _prefix_list(name: str, prefixes: list[str]) -> dict[str, Any]:
    entries = [
        {"sequence": 10 * n, "action": f"permit {prefix}"} for n, prefix in enumerate(prefixes, 1)
    ]
    return {"name": name, "sequence_numbers": entries}


def _kinds(model: DeviceModel) -> list[str]:
    """Of cables, where there is a policy; else one that no cable has."""
    return sorted({s.kind for s in model.sessions}) if model.speaker.policy else [""]


def _ends_in(kind: str) -> str:
    return f"-{kind.upper()}" if kind else ""


def _maps_of(model: DeviceModel, kind: str) -> list[dict[str, Any]]:
    policy = model.speaker.policy
    tag, denial = (policy.tag(kind), policy.denial(kind)) if policy else (None, None)
    into: dict[str, Any] = {"sequence": 10, "type": "permit"}
    if tag:
        into["set"] = [f"community {tag.community.value}" + ("" if tag.alone else " additive")]
    out: list[dict[str, Any]] = [
        {"sequence": n, "type": "permit", "match": [f"{word} address prefix-list ANNOUNCE-V{v}"]}
        for n, word, v in ((10, "ip", 4), (20, "ipv6", 6))
        if _of(model.speaker.announces, v)
    ]
    out += [
        {"sequence": 30, "type": "deny", "match": ["as-path FABRIC-LOCAL"]},
        {"sequence": 40, "type": "permit"},
    ]
    if denial:
        match = [f"community {denial.community.name}"]
        out.append({"sequence": 5, "type": "deny", "match": match})
    return [
        {"name": f"FABRIC-IN{_ends_in(kind)}", "sequence_numbers": [into]},
        {"name": f"FABRIC-OUT{_ends_in(kind)}", "sequence_numbers": out},
    ]


def _group(model: DeviceModel, session: BgpSession) -> tuple[str, str]:
    """(kind of cable, peer group) of a session."""
    kind = session.kind if model.speaker.policy else ""
    family = "" if session.peer_address is None else f"-V{session.family[-1]}"
    return kind, f"FABRIC{_ends_in(kind)}{family}"


def _bgp(model: DeviceModel) -> dict[str, Any]:
    groups = sorted({_group(model, session) for session in model.sessions})
    return {
        "as": str(model.speaker.asn),
        "router_id": model.speaker.router_id,
        "bgp": {"default": {"ipv4_unicast": False}},
        "maximum_paths": {"paths": model.speaker.max_paths, "ecmp": model.speaker.max_paths},
        "peer_groups": [
            {
                "name": group,
                "timers": f"{model.bgp_keepalive_s} {model.bgp_hold_s}",
                **({"bfd": True} if model.bfd else {}),
                **({"send_community": "standard"} if model.speaker.policy else {}),
            }
            for _, group in groups
        ],
        "neighbors": [
            {
                "ip_address": s.peer_address,
                "peer_group": _group(model, s)[1],
                "remote_as": str(s.peer_asn),
                "description": f"{s.peer} {s.peer_port}",
            }
            for s in model.sessions
            if s.peer_address
        ],
        "neighbor_interfaces": [
            {"name": s.port, "peer_group": _group(model, s)[1], "remote_as": str(s.peer_asn)}
            for s in model.sessions
            if not s.peer_address
        ],
        **_address_family(model, groups, 4),
        **_address_family(model, groups, 6),
    }


def _address_family(
    model: DeviceModel, groups: list[tuple[str, str]], version: int
) -> dict[str, Any]:
    """Sessions over addresses carry their own family, those without carry both."""
    prefixes = _of(model.speaker.announces, version)
    if not prefixes:
        return {}
    active: list[dict[str, Any]] = []
    for kind, group in groups:
        bare = not group.endswith(("-V4", "-V6"))
        if not bare and not group.endswith(f"-V{version}"):
            continue
        end = _ends_in(kind)
        found: dict[str, Any] = {
            "name": group,
            "activate": True,
            "route_map_in": f"FABRIC-IN{end}",
            "route_map_out": f"FABRIC-OUT{end}",
        }
        if bare and version == 4:
            found["next_hop"] = {"address_family_ipv6": {"enabled": True, "originate": True}}
        active.append(found)
    networks = [{"prefix": prefix} for prefix in prefixes]
    return {f"address_family_ipv{version}": {"networks": networks, "peer_groups": active}}
