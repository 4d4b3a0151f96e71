"""The model of one switch, put together on demand from the parts of a design."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.design.lossless.chains import Binding, chain
from fabric.design.lossless.headroom import XON_UNKNOWN
from fabric.design.lossless.profiles import lanes_of
from fabric.design.lossless.silicon import buffer_table, place_of
from fabric.model.device import Buffers, DeviceModel, Interface, PortChannel, Svi

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.addressing import HostSubnet
    from fabric.model.design import Design
    from fabric.model.intent import DeviceHardware
    from fabric.model.platform import PlatformSpec
    from fabric.model.qos import LosslessProfile, QosChain
    from fabric.model.topology import End, Lag, Link, Port, Switch

_NO_FEC_GBPS = frozenset({1, 10, 40})


def device_model(design: Design, name: str) -> DeviceModel:
    """The model of one switch; for many of one design use :class:`DeviceModels`.

    Raises:
        KeyError: no switch of that name.
    """
    return DeviceModels(design).of(name)


class DeviceModels:
    """Models of a design's switches, one at a time; keeps what many of them look up."""

    def __init__(self, design: Design) -> None:
        self._design = design
        self._bindings: dict[int, Binding] = {}
        self._chains: dict[tuple[object, ...], QosChain] = {}
        self._unused: dict[tuple[object, ...], Interface] = {}
        self._seeds = dict(design.intent.hash_seeds)
        self._management = dict(design.intent.management.addresses)
        self._lags_of: dict[str, list[Lag]] = {}
        self._lag_at: dict[tuple[str, str], int] = {}
        for lag in design.topology.lags:
            self._lags_of.setdefault(lag.device, []).append(lag)
            self._lag_at |= {(lag.device, port): lag.number for port in lag.ports}
        self._subnets: dict[str, list[HostSubnet]] = {}
        for subnet in design.addressing.host_subnets:
            if subnet.vlan is not None:
                self._subnets.setdefault(subnet.leaf, []).append(subnet)

    def of(self, name: str) -> DeviceModel:
        """The model of one switch.

        Raises:
            KeyError: no switch of that name.
        """
        design, intent = self._design, self._design.intent
        switch = design.topology.switch(name)
        hardware = intent.hardware.of(name, switch.role)
        interfaces = self._interfaces(switch, hardware)
        sku = hardware.model.sku(hardware.sku)
        buffers = _buffers(hardware, switch.position.tier)
        profiles = _profiles(interfaces)
        v4, v6 = design.addressing.loopback(name)
        capabilities = hardware.platform.capabilities
        watchdog = design.lossless.watchdog
        return DeviceModel(
            fabric=intent.name,
            name=name,
            role=switch.role,
            position=switch.position,
            platform=hardware.platform,
            model_name=hardware.model.name,
            asic=hardware.model.asic.name,
            asic_family=hardware.model.asic.family,
            sku=sku.name if sku else hardware.sku,
            sonic_platform=hardware.model.sonic_platform,
            pfc_to_pg_map=hardware.model.asic.pfc_to_pg_map,
            facts=hardware.facts,
            interfaces=interfaces,
            svis=self._svis(name, hardware.platform, interfaces),
            loopback_v4=v4,
            loopback_v6=v6,
            speaker=design.underlay.speaker(name),
            sessions=design.underlay.sessions_of(name),
            bgp_keepalive_s=design.underlay.keepalive_s,
            bgp_hold_s=design.underlay.hold_s,
            bfd=design.underlay.bfd,
            bgp_dscp=design.underlay.bgp_dscp,
            class_map=design.lossless.class_map,
            profiles=profiles,
            # Without the chip's XON there is no complete lossless profile to bind.
            buffers=None if any(p.xon_bytes.basis == XON_UNKNOWN for p in profiles) else buffers,
            watchdog=watchdog if capabilities.watchdog else replace(watchdog, enabled=False),
            load_balancing=intent.load_balancing,
            hash_seed=self._hash_seed(switch),
            routing_mode=intent.sonic_routing_mode,
            management_address=self._management.get(name),
            management_gateway=intent.management.gateway,
            management_interface=intent.management.interface,
            extra=hardware.extra,
            lags=self._lags(name),
            syntax=hardware.syntax,
        )

    def _lags(self, name: str) -> tuple[PortChannel, ...]:
        """Port-channels by number. One member that is left carries the bond on."""
        design = self._design
        found = []
        for lag in self._lags_of.get(name, ()):
            address = design.addressing.at(name, lag.name)
            first = design.addressing.router_id(lag.pair[0]) if lag.pair else None
            found.append(
                PortChannel(
                    name=lag.name,
                    number=lag.number,
                    description=f"to {lag.host} {lag.netdev}",
                    ports=lag.ports,
                    addresses=tuple(a for a in (address.v4, address.v6) if a) if address else (),
                    vlan=address.vlan if address else None,
                    mtu_bytes=design.intent.roce.switch_mtu_bytes,
                    min_links=1,
                    mac=pair_mac(first) if first else None,
                    lacp_key=lag.lacp_key,
                )
            )
        return tuple(sorted(found, key=lambda lag: lag.number))

    def chains_of(self, name: str) -> Iterator[QosChain]:
        """The chains of a switch's cabled ports, without the rest of its model.

        As in the model they name no device, and switches alike have the same objects.

        Raises:
            KeyError: no switch of that name.
        """
        design = self._design
        switch = design.topology.switch(name)
        binding = self._binding(design.intent.hardware.of(name, switch.role))
        kinds = {link.end(name).port: link.kind for link in design.topology.links_of(name)}
        for port in switch.ports:
            if port.name in kinds:
                profile = design.lossless.profile_at(name, port.name)
                yield self._chain(port, binding, profile, kinds[port.name])

    def _chain(
        self, port: Port, binding: Binding, profile: LosslessProfile | None, cable: str | None
    ) -> QosChain:
        """One for all ports alike; bindings and profiles live as long as this."""
        key = (port.name, id(binding), id(profile), cable)
        known = self._chains.get(key)
        if known is None:
            known = self._chains[key] = chain("", port, binding, profile, cable)
        return known

    def _hash_seed(self, switch: Switch) -> int:
        """The role's seed; a role without one takes its tier's number, so that tiers differ."""
        return self._seeds.get(switch.role, switch.position.tier)

    def _interfaces(self, switch: Switch, hardware: DeviceHardware) -> tuple[Interface, ...]:
        binding = self._binding(hardware)
        links = {
            link.end(switch.name).port: link for link in self._design.topology.links_of(switch.name)
        }
        return tuple(
            self._interface(switch, port, links.get(port.name), hardware, binding)
            for port in switch.ports
        )

    def _binding(self, hardware: DeviceHardware) -> Binding:
        """Maps of all switches of this hardware; ``DeviceHardware`` objects live in the intent."""
        known = self._bindings.get(id(hardware))
        if known is None:
            known = self._bindings[id(hardware)] = Binding(
                class_map=self._design.lossless.class_map,
                watchdog=self._design.lossless.watchdog,
                capabilities=hardware.platform.capabilities,
                mtu_bytes=self._design.intent.roce.switch_mtu_bytes,
                pfc_to_pg_map=hardware.model.asic.pfc_to_pg_map,
                rise=self._design.intent.roce.rise,
            )
        return known

    def _interface(
        self,
        switch: Switch,
        port: Port,
        link: Link | None,
        hardware: DeviceHardware,
        binding: Binding,
    ) -> Interface:
        """Switches alike have the same objects for ports that nothing is plugged into."""
        if link is not None:
            return self._made(switch, port, link, hardware, binding)
        profile = self._design.lossless.profile_at(switch.name, port.name)
        key = (id(port), id(hardware), id(profile))
        known = self._unused.get(key)
        if known is None:
            known = self._unused[key] = self._made(switch, port, None, hardware, binding)
        return known

    def _made(
        self,
        switch: Switch,
        port: Port,
        link: Link | None,
        hardware: DeviceHardware,
        binding: Binding,
    ) -> Interface:
        design = self._design
        address = design.addressing.at(switch.name, port.name) if link else None
        profile = design.lossless.profile_at(switch.name, port.name)
        peer = link.other(switch.name) if link else None
        lanes = lanes_of(port, hardware.model)
        return Interface(
            name=port.name,
            alias=port.alias,
            description=f"to {peer.device} {peer.port}" if peer else "unused",
            use=self._use(peer),
            admin_up=link is not None,
            speed_gbps=port.speed_gbps,
            mtu_bytes=binding.mtu_bytes,
            fec=fec_of(port.speed_gbps),
            lanes=port.lane_numbers or _recorded_lanes(hardware, port.name),
            number=port.number,
            cage=port.cage,
            child=port.child,
            children=port.children,
            breakout=port.breakout,
            addresses=tuple(a for a in (address.v4, address.v6) if a) if address else (),
            unnumbered=address.unnumbered if address else False,
            peer_device=peer.device if peer else None,
            peer_port=peer.port if peer else None,
            cable_m=link.length_m if link else design.intent.cables.default_m,
            profile=profile,
            chain=self._chain(port, binding, profile, link.kind if link else None),
            vlan=address.vlan if address else None,
            lane_count=lanes,
            lag=self._lag_at.get((switch.name, port.name)) if link else None,
        )

    def _use(self, peer: End | None) -> str:
        if peer is None:
            return "unused"
        return "fabric" if self._design.topology.is_switch(peer.device) else "host"

    def _svis(
        self, switch: str, spec: PlatformSpec, interfaces: tuple[Interface, ...]
    ) -> tuple[Svi, ...]:
        gateways: dict[int, list[str]] = {}
        lags = self._lags(switch)
        for subnet in self._subnets.get(switch, ()):
            if subnet.vlan is not None and subnet.gateway is not None:
                gateways.setdefault(subnet.vlan, []).append(subnet.gateway)
        return tuple(
            Svi(
                vlan,
                tuple(addresses),
                (
                    *(i.name for i in interfaces if i.vlan == vlan),
                    *(lag.name for lag in lags if lag.vlan == vlan),
                ),
                spec.vlan.name(vlan) if spec.vlan else "",
                self._design.intent.roce.switch_mtu_bytes,
            )
            for vlan, addresses in gateways.items()
        )


def pair_mac(router_id: str) -> str:
    """The MAC that two leaves share towards the bonds between them: locally administered, unicast.

    ``router_id``: of the first leaf, in dotted notation; it is unique in the fabric and the lock
    keeps it. ``10.255.0.4`` gives ``02:00:0a:ff:00:04``.
    """
    return ":".join(("02", "00", *(f"{int(byte):02x}" for byte in router_id.split("."))))


def fec_of(speed_gbps: int) -> str:
    """FEC of a port: ``none`` at 1, 10 and 40G, else ``rs``.

    It follows from the speed alone, which both ends of a cable have in common: the lanes of a cage
    may be more than the speed uses, and ends that disagree keep the link down. Lanes of 50G and up
    cannot do without RS-FEC; at 25G per lane the optics and the copper classes at full length use
    it, and the public SONiC port tables have ``rs`` on ports of 100G and up and ``none`` on slow
    side ports. An optic without FEC (100GBASE-LR4) needs an exception.
    """
    return "none" if speed_gbps in _NO_FEC_GBPS else "rs"


def _recorded_lanes(hardware: DeviceHardware, port: str) -> tuple[int, ...]:
    return dict(hardware.facts.lanes).get(port, ()) if hardware.facts else ()


def _buffers(hardware: DeviceHardware, tier: int) -> Buffers | None:
    table = buffer_table(hardware, place_of(tier))
    if table is None or not table.is_complete:
        return None
    sku = hardware.sku or hardware.model.default_sku or hardware.model.name
    return Buffers(table.pools, table.profiles, f"{sku}, {table.place}")


def _profiles(interfaces: tuple[Interface, ...]) -> tuple[LosslessProfile, ...]:
    used = {i.profile.name: i.profile for i in interfaces if i.profile is not None}
    return tuple(used.values())
