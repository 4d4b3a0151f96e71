"""Hardware facts: chips, switches, adapters, servers, cables, and the manifests of systems.

Every item is one YAML file, named after the item, in the folder of its kind: ``asics/``,
``switches/``, ``nics/``, ``servers/``, ``cables/``. Every figure says where it comes from and how
sure it is: ``measured`` (reproduced by computing), ``read`` (seen in the named public file),
``vendor-doc``, ``third-party`` or ``derived``. What is not known is left out.

**Adding a model of your own.** Put one file of the same form into the folder of its kind beside
the inventory, for example ``switches/acme-s1.yaml``, and write ``model: acme-s1``. Copy a shipped
file and change it; unknown keys, missing keys and values of a wrong type are reported with file
and field. A file with a shipped name takes the shipped one's place, and the source of its figures
says so. A switch names its chip by ``asic:``; a chip of your own goes to ``asics/``.

A switch file states:

* ``asic``, ``sonic_platform``, ``default_sku``, the patterns of port names of each system;
* ``cages``: runs of equal cages with their lanes (absolute numbers: they are not always in the
  order of the cages), the N of SONiC's EthernetN, the breakout modes in SONiC's words, and
  ``management: true`` for the side cages that carry no fabric link. Cages without ``modes`` have
  the one split of the default SKU;
* ``max_logical_ports`` of the chip, and ``pipelines``: how many ports the cages of one pipeline
  may have together, and which cages those are (left out where nobody says);
* ``skus``: headroom rows and pools belong to the SKU, not to the model, so each SKU names its
  tables: ``headroom`` (cable in metres → speed in Gb/s → size, xon, xoff in bytes) and, for each
  place in the fabric (``t0`` leaf, ``t1`` above), ``buffers`` (pools, with a set of profiles).
  Its ``ports`` may number ports and lanes otherwise than the cages do.

In aliases stand ``{c}`` cage, ``{c1}`` cage + 1, ``{n}``/``{n0}`` child from 1/0, ``{s}`` its
letter, ``{l}`` its first lane in the cage from 1; an empty alias is the port's own name.

Names are the same in upper and lower case; a switch may be named without its vendor (``SN3700``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.catalog import shelf
from fabric.catalog.errors import CatalogFileError, FieldProblem, UnknownNameError
from fabric.catalog.load import asic, cable, generic_nic, nic, own_files, server, switch_model
from fabric.catalog.manifest import platform_names, platform_spec
from fabric.catalog.pause import UnknownSpeedError, pause_quanta

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = [
    "CatalogFileError",
    "FieldProblem",
    "UnknownNameError",
    "UnknownSpeedError",
    "asic",
    "asic_names",
    "cable",
    "cable_names",
    "generic_nic",
    "nic",
    "nic_names",
    "own_files",
    "pause_quanta",
    "platform_names",
    "platform_spec",
    "server",
    "server_names",
    "switch_model",
    "switch_names",
]


def asic_names(extra_dirs: Iterable[Path] = ()) -> tuple[str, ...]:
    """Names of all chips, in natural order."""
    return shelf.names("asic", extra_dirs)


def switch_names(extra_dirs: Iterable[Path] = ()) -> tuple[str, ...]:
    """Names of all switches, in natural order."""
    return shelf.names("switch", extra_dirs)


def nic_names(extra_dirs: Iterable[Path] = ()) -> tuple[str, ...]:
    """Names of all network adapters, in natural order."""
    return shelf.names("nic", extra_dirs)


def server_names(extra_dirs: Iterable[Path] = ()) -> tuple[str, ...]:
    """Names of all servers, in natural order."""
    return shelf.names("server", extra_dirs)


def cable_names(extra_dirs: Iterable[Path] = ()) -> tuple[str, ...]:
    """Names of all cables and transceivers, in natural order."""
    return shelf.names("cable", extra_dirs)
