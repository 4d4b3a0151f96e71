"""What is different between two plans."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file of a plan that differs; ``added``/``removed`` count lines."""

    name: str
    added: int
    removed: int


@dataclass(frozen=True, slots=True)
class DeviceChange:
    """One device or host: ``new``, ``gone`` or ``changed``."""

    name: str
    kind: str  # device or host
    state: str
    files: tuple[FileChange, ...] = ()


@dataclass(frozen=True, slots=True)
class MovedCable:
    """A cable of both plans that sits in other ports now."""

    link: str
    before: str  # "leaf-0 Ethernet0 – spine-0 Ethernet0"
    after: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is different from ``old`` to ``new``."""

    devices: tuple[DeviceChange, ...]
    inputs: tuple[str, ...]
    other_files: tuple[FileChange, ...]
    unchanged_devices: int
    unchanged_hosts: int
    moved: tuple[MovedCable, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing that reaches a device, a host or a cable changed."""
        return not (self.devices or self.other_files)
