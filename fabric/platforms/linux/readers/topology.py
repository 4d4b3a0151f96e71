"""``nvidia-smi topo -m`` and ``lstopo``: which NIC is near which GPU, and how many sockets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading

if TYPE_CHECKING:
    from fabric.model.reading import Json

# From the nearest: one PCIe switch, several, a host bridge, inside a NUMA node, across sockets.
DISTANCES = ("PIX", "PXB", "PHB", "NODE", "SYS")
_CELL = re.compile(r"X|SYS|NODE|PHB|PXB|PIX|NV\d+|SOC|PSB|OK|N/A|\?")
_HEADER = re.compile(r"\s*GPU\d+(?:\s+[A-Za-z]\w*)*?(?:\s+CPU Affinity.*)?\s*")
_COLUMNS = {"CPU Affinity": "cpu_affinity", "NUMA Affinity": "numa", "GPU NUMA ID": "gpu_numa_id"}
_NAMED = re.compile(r"\s*(?P<label>NIC\d+): (?P<device>\S+)\s*")
_LEGEND = re.compile(
    r"\s*(?:Legend:|NIC Legend:|(?:X|SYS|NODE|PHB|PXB|PIX|NV#|SOC|PSB)\s+= .*)?\s*"
)


def nvidia_smi(text: str) -> Reading:
    """``gpus`` (``links`` to all others, affinities), ``nics`` (label → device), ``nearest_nics``.

    Without NICs in the matrix there are no ``nics`` and no ``nearest_nics``.
    """
    lines = text.split("\n")
    start = next((n for n, line in enumerate(lines) if _is_header(line)), None)
    if start is None:
        return Reading()
    labels = lines[start].partition("CPU Affinity")[0].split()
    columns = [key for words, key in _COLUMNS.items() if words in lines[start]]
    gpus: dict[str, Json] = {}
    nics: dict[str, Json] = {n: n for n in labels if not re.fullmatch(r"GPU\d+|NIC\d+", n)}
    nearest: dict[str, Json] = {}
    unparsed: list[str] = []
    for line in (*lines[:start], *lines[start + 1 :]):
        named, words = _NAMED.fullmatch(line), line.split()
        cells = words[1 : len(labels) + 1]
        if named:
            nics[named["label"]] = named["device"]
        elif words and words[0] in labels and _is_row(cells, labels):
            if words[0].startswith("GPU"):
                links = {n: c for n, c in zip(labels, cells, strict=True) if n != words[0]}
                cells = words[len(labels) + 1 :]
                after = {k: v for k, v in zip(columns, cells, strict=False) if v != "N/A"}
                gpus[words[0]] = {"links": dict(links), **after}
                if near := _nearest(links):
                    nearest[words[0]] = near
        elif not _LEGEND.fullmatch(line):
            unparsed.append(line.strip())
    facts: dict[str, Json] = {"gpus": gpus}
    if nics:
        facts["nics"] = nics
    if nearest:
        facts["nearest_nics"] = nearest
    return Reading(facts, tuple(unparsed))


def _is_header(line: str) -> bool:
    labels = line.partition("CPU Affinity")[0].split()
    return bool(_HEADER.fullmatch(line)) and "X" not in labels


def _is_row(cells: list[str], labels: list[str]) -> bool:
    return len(cells) == len(labels) and all(_CELL.fullmatch(cell) for cell in cells)


def _nearest(links: dict[str, str]) -> list[Json]:
    nics = {name: cell for name, cell in links.items() if not name.startswith("GPU")}
    for distance in DISTANCES:
        found: list[Json] = [name for name, cell in nics.items() if cell == distance]
        if found:
            return found
    return []


# With -v what each memory offers follows: ``NUMANode L#0 = 100 from … (Package L#0)``.
_OBJECTS = {
    key: re.compile(rf"(?<![\w(]){word}(?:\(\w+\))? [LP]#\d+\b(?! = )")
    for key, word in (
        ("numa_nodes", "NUMANode"),
        ("packages", "(?:Package|Socket)"),
        ("cores", "Core"),
        ("pus", "PU"),
    )
}


def lstopo(text: str) -> Reading:
    """``numa_nodes``, ``packages``, ``cores``, ``pus``: how many the text form names."""
    if not re.search(r"^\s*(?:Machine|System)\b", text, re.MULTILINE):
        return Reading()
    counts: dict[str, Json] = {
        key: found for key, pattern in _OBJECTS.items() if (found := len(pattern.findall(text)))
    }
    return Reading(counts) if "pus" in counts else Reading()
