"""Switches and hosts without what is their own, so that what many have in common is written once.

A template is first given a view: the model without names, addresses and neighbours. What it yields
is the same for every device whose view is equal, and is kept. A template that asks for something of
the device's own raises at once and is rendered for each device from then on. So nobody has to say
which templates may be shared, and none can be shared by mistake.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, cast

from fabric.model.device import DeviceModel, HostModel, HostNic, Interface
from fabric.model.qos import QosChain
from fabric.text.host import common_words, families

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

_OWN = {
    DeviceModel: {
        "name", "position", "facts", "svis", "loopback_v4", "loopback_v6", "speaker", "sessions",
        "management_address", "lags",
    },
    Interface: {"description", "addresses", "unnumbered", "peer_device", "peer_port"},
    QosChain: {"device"},
    HostModel: {"name"},
    HostNic: {
        "leaf", "leaf_port", "second_leaf", "second_leaf_port", "addresses", "gateways", "on_link",
    },
}  # fmt: skip
_PLAIN = (str, int, float, bool, type(None))
_KEPT = 32  # views at a time; roles times models, or every switch of a fabric without two alike


class OwnError(Exception):
    """A template asked a view for what each device has of its own."""


class View:
    """Values by name; every other name raises :class:`OwnError`, whatever is done with it."""

    def __init__(self, **values: object) -> None:
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise OwnError(name)


def _kept(kind: type, *without: str) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind) if f.name not in {*_OWN[kind], *without})


_DEVICE = _kept(DeviceModel, "interfaces")
_PORT = _kept(Interface, "chain")
_CHAIN = _kept(QosChain)
_of_device, _of_port, _of_chain = (attrgetter(*names) for names in (_DEVICE, _PORT, _CHAIN))
_HOST = _kept(HostModel, "nics")
_NIC = _kept(HostNic)
_of_host, _of_nic = attrgetter(*_HOST), attrgetter(*_NIC)
# Made for each switch, of parts that are not.
_MADE_ANEW = {"profiles", "buffers", "watchdog"}
_key_of_device = attrgetter(*(name for name in _DEVICE if name not in _MADE_ANEW))


@dataclass(slots=True)
class Shared:
    """What devices with an equal view have in common. ``made``: results by template.

    ``keeps``: the first model; what the key knows by identity lives as long as this.
    """

    keeps: object
    context: dict[str, object]
    made: dict[str, Any] = field(default_factory=dict)
    spelled: dict[int, str | None] = field(default_factory=dict)  # text of JSON objects by id


class SharedViews:
    """Views met lately."""

    def __init__(self) -> None:
        self._by_key: OrderedDict[Hashable, Shared] = OrderedDict()

    def of_device(self, model: DeviceModel) -> Shared:
        """The view of a switch."""
        ports = [(_plain(_of_port(p)), _plain(_of_chain(p.chain))) for p in model.interfaces]
        buffers = model.buffers
        key = (
            _plain(_key_of_device(model)),
            tuple(map(id, model.profiles)),
            buffers and (id(buffers.pools), id(buffers.profiles), buffers.table),
            model.watchdog,
            tuple(ports),
        )
        return self._known(key, model, lambda: {"device": _device_view(model)})

    def of_host(self, model: HostModel) -> Shared | None:
        """The view of a host; ``None`` when its words need what is its own."""
        used = families(model)
        nics = [_plain(_of_nic(nic)) for nic in model.nics]
        key = (_plain(_of_host(model)), tuple(nics), tuple(used))
        try:
            return self._known(key, model, lambda: _host_context(model, used))
        except OwnError:
            return None

    def _known(
        self, key: Hashable, model: object, context: Callable[[], dict[str, object]]
    ) -> Shared:
        shared = self._by_key.get(key)
        if shared is None:
            shared = self._by_key[key] = Shared(model, context())
            if len(self._by_key) > _KEPT:
                self._by_key.popitem(last=False)
        else:
            self._by_key.move_to_end(key)
        return shared


def _plain(values: Iterable[object]) -> tuple[Hashable, ...]:
    """Values that are equal only if they are the same: by value, or by identity where deep."""
    return tuple(value if type(value) in _PLAIN else id(value) for value in values)


def _device_view(model: DeviceModel) -> View:
    ports = tuple(_port_view(port) for port in model.interfaces)
    return View(
        **dict(zip(_DEVICE, _of_device(model), strict=True)),
        interfaces=ports,
        used_interfaces=tuple(port for port in ports if port.use != "unused"),
    )


def _host_context(model: HostModel, used: list[int]) -> dict[str, object]:
    own = [View(**dict(zip(_NIC, _of_nic(nic), strict=True))) for nic in model.nics]
    host = View(**dict(zip(_HOST, _of_host(model), strict=True)), nics=tuple(own))
    nics = tuple(
        View(
            netdev=nic.netdev,
            rdma_device=nic.rdma_device,
            table=nic.table,
            cable_m=math.ceil(nic.cable_m),
            numa=nic.numa,
            members=nic.members,
            dual_tor=nic.dual_tor,
        )
        for nic in model.nics
    )
    common = common_words(cast("HostModel", host))
    return {"host": host, **common, "nics": nics, "families": used}


def _port_view(port: Interface) -> View:
    chain = View(**dict(zip(_CHAIN, _of_chain(port.chain), strict=True)))
    return View(**dict(zip(_PORT, _of_port(port), strict=True)), chain=chain)
