"""Digest of a device model: equal values give equal digests, in every process."""

from __future__ import annotations

import hashlib
from dataclasses import fields
from operator import attrgetter
from typing import TYPE_CHECKING

from fabric.model.device import DeviceModel, Interface
from fabric.model.qos import QosChain

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.model.qos import LosslessProfile


def _getter(kind: type, *without: str) -> Callable[[object], tuple[object, ...]]:
    return attrgetter(*(f.name for f in fields(kind) if f.name not in without))


_OF_DEVICE = _getter(DeviceModel, "interfaces", "profiles")
_OF_INTERFACE = _getter(Interface, "profile", "chain")
_OF_CHAIN = _getter(QosChain, "device", "port")


class ModelDigests:
    """Digests of many models. What switches and ports share as objects is spelled out once.

    Models are frozen dataclasses of tuples, so equal values have equal ``repr``.
    """

    def __init__(self) -> None:
        # By identity: each entry holds its object, so that no other one gets the same.
        self._short: dict[int, tuple[object, str]] = {}
        self._unused: dict[int, tuple[object, tuple[str, str]]] = {}

    def of(self, model: DeviceModel) -> str:
        """Digest of everything that a template can see of a switch, in hex."""
        parts = [repr(_OF_DEVICE(model))]
        parts += [self._profile(profile) for profile in model.profiles]
        for port in model.interfaces:
            before, after = self._port(port)
            parts += (before, port.chain.device or model.name, after)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def _port(self, port: Interface) -> tuple[str, str]:
        """A port's part before and after the name of its switch."""
        if port.use != "unused":
            return self._spelled(port)
        known = self._unused.get(id(port))
        if known is None:
            known = self._unused[id(port)] = (port, self._spelled(port))
        return known[1]

    def _spelled(self, port: Interface) -> tuple[str, str]:
        chain = self._digest(port.chain, _OF_CHAIN)
        after = (port.chain.port, chain, self._profile(port.profile))
        return repr(_OF_INTERFACE(port)), "\0".join(after)

    def _profile(self, profile: LosslessProfile | None) -> str:
        return "" if profile is None else self._digest(profile)

    def _digest(self, value: object, part: Callable[[object], object] = lambda x: x) -> str:
        """Of ``part`` of a value, always the same part of a kind of value."""
        known = self._short.get(id(value))
        if known is None:
            spelled = hashlib.sha256(repr(part(value)).encode()).hexdigest()
            known = self._short[id(value)] = (value, spelled)
        return known[1]
