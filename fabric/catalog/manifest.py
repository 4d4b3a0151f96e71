"""A switch system's manifest, ``templates/<platform>/platform.yaml``, read into a value.

The folder's name is the system's name. Keys, all mandatory unless marked *optional*::

    title: SONiC                      # as people call it
    kind: switch                      # switch, host, or tool (the last two are only read)
    template_version: "1"             # quoted; raised when the rendered text changes
    os_versions: ["202505"]           # quoted; releases that the templates were written for
    syntax_by_version: true           # optional: another os_version is an error, not a warning
    confidence: read                  # measured, read, vendor-doc, third-party or derived
    experimental: false               # true: a warning heads each file, and push refuses
    netmiko_type: linux
    files:                            # what one device gets, in the order of writing
    - name: config_db.json            # file name in the plan
      remote_path: /etc/sonic/config_db.json
      template: main.j2               # below config/; for json a folder, all blocks of it merged
      form: json                      # text or json
      comment: null                   # optional: lead-in of a comment line; null: no header
      mode: "0644"                    # optional, quoted; 0644 unless given
    capabilities:
      lossless: true                  # false: no PFC at all
      ecn: true
      ecn_unit: bytes                 # optional: what thresholds count, bytes (unless given) or
                                      # percent of the queue's buffer
      watchdog: true
      unnumbered: true
      rate_cap: true                  # strict queues can be capped
      per_port_maps: true
      load_balancing: [ecmp]          # of ecmp, dlb, spray, adaptive: only what is confirmed
      max_ecmp_paths: 64
      mtu_max_bytes: 9216
      mtu_counts_l2_header: false     # false: the limit is the IP MTU
      max_lossless_priorities: 2
      bfd: true                       # optional, false unless given
      marks_bgp: true                 # optional: its config marks BGP's own packets
      states_buffers: true            # optional: its config names priority groups and buffers
      hash_seed: role                 # optional: whose seed of the ECMP hash its config holds, role
                                      # or tier; none (left to the box) unless given
    watchdog:                         # optional; mandatory where capabilities.watchdog is true
      poll_ms: [100, 3000]            # lowest, highest
      detect_ms: [100, 5000]
      restore_ms: [100, 60000]
      actions: [drop, alert]          # optional: of drop, forward, alert; all unless given
      detect_in_polls: true           # optional: detection is a number of polls
    vendors: [Arista]                 # optional: whose boxes alone it runs on
    name_max_length: 63               # longest hostname
    owns: [PORT, BGP_NEIGHBOR]        # optional: sections or tables that a push may replace
    ignores: [DEVICE_METADATA.localhost.mac]   # optional: rows that the machine makes itself
    port_naming:                      # optional: where the switch model names none for this system
      unsplit: "swp{c}"               # {c} cage, {n} child from 1, {n0} child from 0, {s} letter,
      split: "swp{c}s{n0}"            # {l} child's first lane in its cage, from 1,
                                      # {number} N of SONiC's EthernetN
                                      # {whole} the unsplit port's name (in split alone)
      single_lane: "swp{c}"           # optional: cages of one lane, if named otherwise
      generic_only: false             # optional: true: a real model must name its ports itself
    syntax_families:                  # optional: hardware families whose commands differ; a model
      a:                              # or the inventory says which one a switch belongs to
        boxes: "CE6885, CE8855"       # in words
        watchdog: {…}                 # optional: limits of its own, as above
    vlan:                             # optional: without it no host port sits in a VLAN
      svi: "Vlan{n}"                  # interface of VLAN {n}
      arp_timeout_s: 240              # optional: as the templates set it
      mac_aging_s: 300                # optional: as the templates set it
    lag:                              # optional: without it no bond of a host ends here
      pattern: "PortChannel{n}"       # name of port-channel {n}, from 10 to 1300
      dual_tor: [broadcom]            # optional: ASIC families on which a bond can end on two
                                      # switches of this system, "*" for all; default: none
      no_dual_tor: "…"                # why it cannot on the others
    source: "where the facts come from"

Any other key is an error. Booleans, numbers and strings are not converted into each other.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from fabric.catalog.errors import unknown_name
from fabric.model.names import natural_sorted
from fabric.model.platform import (
    Capabilities,
    FileSpec,
    LagWords,
    PlatformSpec,
    SyntaxFamily,
    VlanWords,
    WatchdogRange,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from fabric.catalog.manifest_schema import ManifestData, WatchdogData

_FILE = "platform.yaml"
_KIND = "platform"


def platform_names(roots: Iterable[Path]) -> tuple[str, ...]:
    """Systems that have a manifest below any of ``roots``, in natural order."""
    return tuple(
        natural_sorted(
            {
                folder.name
                for root in roots
                if root.is_dir()
                for folder in root.iterdir()
                if (folder / _FILE).is_file()
            }
        )
    )


def platform_spec(name: str, roots: Iterable[Path]) -> PlatformSpec:
    """The manifest of system ``name`` from the first of ``roots`` that has one.

    Raises:
        UnknownNameError: no root has a manifest of that name.
        CatalogFileError: the manifest breaks the schema above.
    """
    searched = tuple(roots)
    known = platform_names(searched)
    if name.lower() not in known:
        raise unknown_name(_KIND, name, known)
    files = (root / name.lower() / _FILE for root in searched)
    file = next(file for file in files if file.is_file())
    return _spec(name.lower(), file.read_bytes())


@lru_cache(maxsize=64)
def _spec(name: str, text: bytes) -> PlatformSpec:
    from fabric.catalog.manifest_schema import ManifestData  # noqa: PLC0415 - pydantic is slow
    from fabric.catalog.read import checked  # noqa: PLC0415 - pydantic is slow

    data = checked(ManifestData, f"{name}/{_FILE}", text)
    return PlatformSpec(
        name=name,
        title=data.title,
        kind=data.kind,
        template_version=data.template_version,
        os_versions=tuple(data.os_versions),
        syntax_by_version=data.syntax_by_version,
        confidence=data.confidence,
        experimental=data.experimental,
        netmiko_type=data.netmiko_type,
        vendors=tuple(data.vendors),
        files=_files(data),
        capabilities=_capabilities(data),
        watchdog=_watchdog(data.watchdog),
        name_max_length=data.name_max_length,
        owns=tuple(data.owns),
        ignores=tuple(data.ignores),
        source=data.source,
        port_naming=_port_naming(data),
        naming_is_generic=bool(data.port_naming and data.port_naming.generic_only),
        syntax_families=tuple(
            SyntaxFamily(name, one.boxes, _watchdog(one.watchdog))
            for name, one in data.syntax_families.items()
        ),
        vlan=_vlan(data),
        lag=_lag(data),
    )


def _lag(data: ManifestData) -> LagWords | None:
    stated = data.lag
    if stated is None:
        return None
    return LagWords(stated.pattern, stated.no_dual_tor, tuple(stated.dual_tor))


def _vlan(data: ManifestData) -> VlanWords | None:
    stated = data.vlan
    if stated is None:
        return None
    return VlanWords(stated.svi, stated.arp_timeout_s, stated.mac_aging_s)


def _port_naming(data: ManifestData) -> str:
    naming = data.port_naming
    if naming is None:
        return ""
    last = f"|{naming.single_lane}" if naming.single_lane else ""
    return f"{naming.unsplit}|{naming.split}{last}"


def _files(data: ManifestData) -> tuple[FileSpec, ...]:
    return tuple(
        FileSpec(file.name, file.remote_path, file.template, file.form, file.comment, file.mode)
        for file in data.files
    )


def _capabilities(data: ManifestData) -> Capabilities:
    stated = data.capabilities
    return Capabilities(
        lossless=stated.lossless,
        ecn=stated.ecn,
        ecn_unit=stated.ecn_unit,
        watchdog=stated.watchdog,
        unnumbered=stated.unnumbered,
        rate_cap=stated.rate_cap,
        per_port_maps=stated.per_port_maps,
        load_balancing=tuple(stated.load_balancing),
        max_ecmp_paths=stated.max_ecmp_paths,
        mtu_max_bytes=stated.mtu_max_bytes,
        mtu_counts_l2_header=stated.mtu_counts_l2_header,
        max_lossless_priorities=stated.max_lossless_priorities,
        bfd=stated.bfd,
        marks_bgp=stated.marks_bgp,
        states_buffers=stated.states_buffers,
        hash_seed=stated.hash_seed,
    )


def _watchdog(data: WatchdogData | None) -> WatchdogRange | None:
    if data is None:
        return None
    times = (_pair(data.poll_ms), _pair(data.detect_ms), _pair(data.restore_ms))
    return WatchdogRange(*times, actions=tuple(data.actions), detect_in_polls=data.detect_in_polls)


def _pair(values: list[int]) -> tuple[int, int]:
    low, high = values
    return low, high
