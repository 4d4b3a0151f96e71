"""Digest of a device model: equal values give equal digests, in every process."""

from __future__ import annotations

import hashlib
from dataclasses import fields
from operator import attrgetter
from typing import TYPE_CHECKING

from fabric.model.device import DeviceModel, Interface
from fabric.model.qos import LosslessProfile, QosChain

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable


def _getter(kind: type, *without: str) -> Callable[[object], tuple[object, ...]]:
    return attrgetter(*(f.name for f in fields(kind) if f.name not in without))


_OF_DEVICE = _getter(DeviceModel, "interfaces", "profiles")
_OF_INTERFACE = _getter(Interface, "profile", "chain")
_OF_CHAIN = _getter(QosChain, "device", "port")


class ModelDigests:
    """Digests of many models. What ports share (chains, profiles) is spelled out once.

    Models are frozen dataclasses of tuples, so equal values have equal ``repr``.
    """

    def __init__(self) -> None:
        self._short: dict[Hashable, str] = {}

    def of(self, model: DeviceModel) -> str:
        """Digest of everything that a template can see of a switch, in hex."""
        parts = [repr(_OF_DEVICE(model))]
        parts += [self._shared(profile) for profile in model.profiles]
        for port in model.interfaces:
            chain: QosChain = port.chain
            parts += [
                repr(_OF_INTERFACE(port)),
                chain.device,
                chain.port,
                self._shared(_OF_CHAIN(chain)),
                self._profile(port.profile),
            ]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def _profile(self, profile: LosslessProfile | None) -> str:
        return "" if profile is None else self._shared(profile)

    def _shared(self, value: Hashable) -> str:
        # 1 and True are equal keys: the type of each field is fixed, so they never meet here.
        short = self._short.get(value)
        if short is None:
            short = hashlib.sha256(repr(value).encode()).hexdigest()
            self._short[value] = short
        return short
