"""Name → value: find the file, check it, build the value. Only the named files are read."""

# ruff: noqa: PLC0415 - pydantic takes longer to import than a file to load

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from fabric.catalog import items
from fabric.catalog.errors import CatalogFileError, FieldProblem, UnknownNameError
from fabric.catalog.shelf import Entry, find

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from fabric.catalog.switch_schema import SwitchData
    from fabric.model.hardware import Asic, CableType, Nic, ServerModel, SwitchModel

# The cached functions are pure: the entry names the file for errors, the bytes decide.
_CACHED = 256


def asic(name: str, extra_dirs: Iterable[Path] = ()) -> Asic:
    """The chip of that name.

    Raises:
        UnknownNameError: no file bears this name.
        CatalogFileError: the file breaks the schema.
    """
    entry = find("asic", name, extra_dirs)
    return _asic(entry, entry.read())


def switch_model(name: str, extra_dirs: Iterable[Path] = ()) -> SwitchModel:
    """The switch of that name (``nvidia-sn3700``, ``SN3700``), with its chip.

    Raises:
        UnknownNameError: no file bears this name.
        CatalogFileError: the file breaks the schema or names a chip that there is not.
    """
    searched = tuple(extra_dirs)
    entry = find("switch", name, searched)
    text = entry.read()
    chip = _chip(entry, text, searched)
    return _switch(entry, text, chip, chip.read())


def nic(name: str, extra_dirs: Iterable[Path] = ()) -> Nic:
    """The network adapter of that name.

    Raises:
        UnknownNameError: no file bears this name.
        CatalogFileError: the file breaks the schema.
    """
    entry = find("nic", name, extra_dirs)
    return _nic(entry, entry.read())


def generic_nic(speed_gbps: int) -> Nic:
    """An adapter with one port of that speed.

    Raises:
        UnknownNameError: no generic adapter has this speed.
    """
    return nic(f"generic-{speed_gbps}g")


def server(name: str, extra_dirs: Iterable[Path] = ()) -> ServerModel:
    """The server of that name: which NIC serves which GPU, on which NUMA node.

    Raises:
        UnknownNameError: no file bears this name.
        CatalogFileError: the file breaks the schema.
    """
    entry = find("server", name, extra_dirs)
    return _server(entry, entry.read())


def cable(name: str, extra_dirs: Iterable[Path] = ()) -> CableType:
    """The cable or transceiver of that name.

    Raises:
        UnknownNameError: no file bears this name.
        CatalogFileError: the file breaks the schema.
    """
    entry = find("cable", name, extra_dirs)
    return _cable(entry, entry.read())


def own_files(kind: str, name: str, extra_dirs: Iterable[Path]) -> tuple[Path, ...]:
    """The user's own files behind a name (a switch's chip included), none for shipped ones.

    ``kind``: asic, switch, nic, server or cable.

    Raises:
        UnknownNameError: no file bears this name.
        CatalogFileError: a switch file breaks the schema or names a chip that there is not.
    """
    searched = tuple(extra_dirs)
    entries = [find(kind, name, searched)]
    if kind == "switch":
        entries.append(_chip(entries[0], entries[0].read(), searched))
    return tuple(entry.path for entry in entries if entry.own)


def _chip(entry: Entry, text: bytes, extra_dirs: tuple[Path, ...]) -> Entry:
    name = _switch_data(entry, text).asic
    try:
        return find("asic", name, extra_dirs)
    except UnknownNameError as error:
        raise CatalogFileError(entry.file, (FieldProblem("asic", str(error)),)) from error


@lru_cache(maxsize=_CACHED)
def _switch_data(entry: Entry, text: bytes) -> SwitchData:
    from fabric.catalog.read import checked
    from fabric.catalog.switch_schema import SwitchData

    return checked(SwitchData, entry.file, text)


@lru_cache(maxsize=_CACHED)
def _switch(entry: Entry, text: bytes, chip: Entry, chip_text: bytes) -> SwitchModel:
    from fabric.catalog.switches import switch

    built = _asic(chip, chip_text)
    return switch(entry.name, entry.file, entry.note, _switch_data(entry, text), built)


@lru_cache(maxsize=_CACHED)
def _asic(entry: Entry, text: bytes) -> Asic:
    from fabric.catalog.read import checked
    from fabric.catalog.schema import AsicData

    return items.asic(entry.name, entry.note, checked(AsicData, entry.file, text))


@lru_cache(maxsize=_CACHED)
def _nic(entry: Entry, text: bytes) -> Nic:
    from fabric.catalog.read import checked
    from fabric.catalog.schema import NicData

    return items.nic(entry.name, entry.note, checked(NicData, entry.file, text))


@lru_cache(maxsize=_CACHED)
def _server(entry: Entry, text: bytes) -> ServerModel:
    from fabric.catalog.read import checked
    from fabric.catalog.schema import ServerData

    return items.server(entry.name, entry.note, checked(ServerData, entry.file, text))


@lru_cache(maxsize=_CACHED)
def _cable(entry: Entry, text: bytes) -> CableType:
    from fabric.catalog.read import checked
    from fabric.catalog.schema import CableData

    return items.cable(entry.name, entry.note, checked(CableData, entry.file, text))
