"""A linear program made smaller without changing its optimum: colour refinement.

Variables and constraints that play the same part get one colour; the program over colours has the
same optimum (Grohe, Kersting, Mladenov, Selman: Dimension Reduction via Colour Refinement, ESA
2014). Colours are hashes; that no two parts were taken for one is checked on the answer: it must
hold in the whole program, from below by the solution and from above by the prices.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fabric.analysis.bandwidth.hashing import mixed

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from fabric.analysis.bandwidth.hashing import Words
    from fabric.analysis.bandwidth.plant import Floats
    from fabric.analysis.network import Bools, Ints

_MOST_ROUNDS = 200
_CLOSE = 1e-6


class ProgramError(RuntimeError):
    """The solver gave no optimum; its own words, and how long it took."""


@dataclass(frozen=True, eq=False)
class Program:
    """max cost · x with rows · x = bound (or ≤ where ``upper``), x ≥ 0."""

    rows: csr_array[np.float64, tuple[int, int]]
    bound: Floats
    upper: Bools
    cost: Floats


def optimum(program: Program, *, time_limit_s: float) -> float:
    """The greatest value.

    Raises:
        ProgramError: none was found in time, or there is none.
    """
    row_colour, column_colour = _colours(program)
    small, sizes = _quotient(program, row_colour, column_colour)
    x, prices = _solved(small, time_limit_s)
    whole_x = (x / sizes)[column_colour]
    whole_prices = (prices / np.bincount(row_colour))[row_colour]
    if not _proves(program, whole_x, whole_prices):
        whole_x, _ = _solved(program, time_limit_s)  # two parts were taken for one
    return float(program.cost @ whole_x)


def _colours(program: Program) -> tuple[Ints, Ints]:
    """Colour of each row and of each column, when another round tells no more apart."""
    matrix = program.rows.tocoo()
    rows, columns = (np.asarray(part, dtype=np.int64) for part in matrix.coords)
    weight = matrix.data.view(np.uint64)
    row = mixed(program.bound.view(np.uint64) ^ mixed(program.upper.astype(np.uint64)))
    column = mixed(program.cost.view(np.uint64))
    counts = (0, 0)
    for _ in range(_MOST_ROUNDS):
        row = mixed(row ^ _summed(rows, mixed(column[columns] ^ mixed(weight)), len(row)))
        column = mixed(column ^ _summed(columns, mixed(row[rows] ^ mixed(weight)), len(column)))
        now = (len(np.unique(row)), len(np.unique(column)))
        if now == counts:
            break
        counts = now
    return np.unique(row, return_inverse=True)[1], np.unique(column, return_inverse=True)[1]


def _summed(index: Ints, values: Words, count: int) -> Words:
    """Sums modulo 2⁶⁴ by index."""
    total = np.zeros(count, dtype=np.uint64)
    np.add.at(total, index, values)
    return total


def _quotient(program: Program, row_colour: Ints, column_colour: Ints) -> tuple[Program, Floats]:
    """The program over colours, and how many columns each colour has.

    A variable of it is the sum over its colour; a constraint is that of one row of its colour.
    """
    from scipy.sparse import csr_array  # noqa: PLC0415

    sizes = np.bincount(column_colour).astype(np.float64)
    first = np.unique(row_colour, return_index=True)[1]
    part = program.rows[first].tocoo()
    rows, columns = part.coords
    colours = column_colour[columns]
    shape = (len(first), len(sizes))
    small = csr_array((part.data / sizes[colours], (rows, colours)), shape=shape)
    cost = np.bincount(column_colour, weights=program.cost) / sizes
    return Program(small, program.bound[first], program.upper[first], cost), sizes


def _solved(program: Program, time_limit_s: float) -> tuple[Floats, Floats]:
    """Solution and price of each row.

    Raises:
        ProgramError: there is none, or not in time.
    """
    from scipy.optimize import linprog  # noqa: PLC0415

    upper, equal = np.flatnonzero(program.upper), np.flatnonzero(~program.upper)
    parts: dict[str, Any] = {}  # the stubs of linprog do not know sparse matrices
    for word, chosen in (("ub", upper), ("eq", equal)):
        if len(chosen):
            parts |= {f"A_{word}": program.rows[chosen], f"b_{word}": program.bound[chosen]}
    start_s = time.monotonic()
    found = linprog(
        -program.cost, **parts, method="highs-ipm", options={"time_limit": time_limit_s}
    )
    if found.x is None or found.status != 0:
        took_s = time.monotonic() - start_s
        raise ProgramError(said(str(found.message), took_s, f"{found.nit or 0:,} iterations"))
    prices = np.zeros(len(program.bound))
    if len(upper):
        prices[upper] = -found.ineqlin.marginals
    if len(equal):
        prices[equal] = -found.eqlin.marginals
    return found.x, prices


def said(message: str, took_s: float, work: str) -> str:
    """The words of the solver, after how long and how much work."""
    return f"HiGHS after {took_s:.1f} s and {work}: {message}"


def _proves(program: Program, x: Floats, prices: Floats) -> bool:
    """Whether solution and prices hold in the whole program and meet: then both are optimal."""
    close = _CLOSE * max(1.0, float(np.abs(program.bound).max(initial=1.0)))
    over = program.rows @ x - program.bound
    over = np.where(program.upper, over, np.abs(over))
    short = program.cost - program.rows.T @ prices
    value, price = float(program.cost @ x), float(program.bound @ prices)
    return bool(
        (over <= close).all()
        and (x >= -close).all()
        and (short <= _CLOSE).all()
        and (prices[program.upper] >= -_CLOSE).all()
        and abs(price - value) <= _CLOSE * max(1.0, abs(value))
    )
