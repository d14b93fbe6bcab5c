"""How are matrices computed block by block that NumPy's LAPACK has no function for?

Within a block one step is made for each column; what is left of the matrix then changes by one
product of matrices, which is where the time goes, and BLAS is good at. Small matrices of a batch
are taken together, each step for all of them.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from .bodies import Array

#: How many columns of a factor, or reflections, are one block.
_WIDTH = 32
#: How many unknowns of a triangular system are one block.
_UNKNOWNS = 64
#: Matrices of a batch of up to so many elements are eliminated together.
_SMALL = 2048


# ---- triangular systems


def substitute(matrices: Array, sides: Array, *, upper: bool, unitriangular: bool) -> None:
    """Solve triangular systems, whose solutions take the place of the right sides."""
    count = matrices.shape[-1]
    starts = range(0, count, _UNKNOWNS)
    for first in reversed(starts) if upper else starts:
        block = slice(first, first + _UNKNOWNS)
        _solve_block(
            matrices[..., block, block],
            sides[..., block, :],
            upper=upper,
            unitriangular=unitriangular,
        )
        rest = slice(0, first) if upper else slice(first + _UNKNOWNS, count)
        if sides[..., rest, :].size:
            known: Array = matrices[..., rest, block] @ sides[..., block, :]
            sides[..., rest, :] -= known


def _solve_block(matrices: Array, sides: Array, *, upper: bool, unitriangular: bool) -> None:
    if not upper:
        # From its last row and column on a lower triangle is an upper one.
        matrices, sides = matrices[..., ::-1, ::-1], sides[..., ::-1, :]
    triangle = _upper_triangle(matrices, unitriangular=unitriangular)
    try:
        # In an upper triangle LAPACK has nothing to eliminate, and no rows to exchange.
        found = np.linalg.solve(triangle, sides)
    except np.linalg.LinAlgError:
        found = None
    if found is not None and np.isfinite(found).all():
        sides[...] = found
        return
    # It refuses a 0 on the diagonal, and what is not finite reaches rows that it should not.
    with np.errstate(all="ignore"):
        for row in reversed(range(triangle.shape[-1])):
            known = triangle[..., row, None, row + 1 :] @ sides[..., row + 1 :, :]
            sides[..., row, None, :] -= known
            sides[..., row, :] /= triangle[..., row, row, None]


def _upper_triangle(matrices: Array, *, unitriangular: bool) -> Array:
    """Return upper triangles with 0 below them, and 1 on the diagonal if that is meant."""
    triangle = np.where(_above(matrices.shape[-1]), matrices, matrices.dtype.type(0))
    if unitriangular:
        diagonal = range(matrices.shape[-1])
        triangle[..., diagonal, diagonal] = 1
    return triangle


@cache
def _above(count: int) -> Array:
    return np.triu(np.ones((count, count), bool))


# ---- elimination


def eliminate(factors: Array, pivots: Array) -> None:
    """Take matrices apart in place by Gauss's elimination; rows are counted from 1."""
    *batch, rows, columns = factors.shape
    if batch and 0 < rows * columns <= _SMALL:
        _eliminate_together(factors, pivots)
        return
    for index in np.ndindex(*batch):
        _eliminate_one(factors[index], pivots[index])


def _size(numbers: Array) -> Array:
    """Return what pivots are compared by: of complex numbers LAPACK's sum of both parts."""
    if numbers.dtype.kind != "c":
        return np.abs(numbers)
    size: Array = np.abs(np.real(numbers)) + np.abs(np.imag(numbers))
    return size


def _eliminate_together(factors: Array, pivots: Array) -> None:
    """Eliminate with the batch as the last dim, along which NumPy is fast."""
    *_, rows, columns = factors.shape
    held = np.moveaxis(factors.reshape(-1, rows, columns), 0, -1).copy()
    numbers = np.arange(held.shape[-1])
    for step in range(min(rows, columns)):
        chosen = _size(held[step:, step]).argmax(0) + step
        pivots[..., step] = chosen.reshape(pivots.shape[:-1]) + 1
        upper = held[step].copy()
        held[step] = held[chosen, :, numbers].T
        held[chosen, :, numbers] = upper.T
        divisor = held[step, step]
        held[step + 1 :, step] /= np.where(divisor != 0, divisor, 1)
        held[step + 1 :, step + 1 :] -= held[step + 1 :, step, None] * held[step, step + 1 :]
    factors[...] = np.moveaxis(held, -1, 0).reshape(factors.shape)


def _eliminate_one(factors: Array, pivots: Array) -> None:
    rows, columns = factors.shape
    count = min(rows, columns)
    for first in range(0, count, _WIDTH):
        last = min(first + _WIDTH, count)
        order = _eliminate_panel(factors[first:, first:last], pivots[first:last])
        pivots[first:last] += first
        moved = np.flatnonzero(order != np.arange(len(order)))
        for beside in (factors[first:, :first], factors[first:, last:]):
            beside[moved] = beside[order[moved]]
        right = factors[first:, last:]
        if right.size:
            middle = last - first
            right[:middle] = _inverse_below(factors[first:last, first:last]) @ right[:middle]
            known: Array = factors[last:, first:last] @ right[:middle]
            right[middle:] -= known


def _inverse_below(factors: Array) -> Array:
    """Return the inverse of the triangle below the diagonal, on which is 1.

    None of its elements is larger than 1, so that a product with it is as good as substitution.
    """
    inverse = np.eye(len(factors), dtype=factors.dtype)
    substitute(factors, inverse, upper=False, unitriangular=True)
    return inverse


def _eliminate_panel(panel: Array, pivots: Array) -> Array:
    """Eliminate a few columns, and return which row has come where each row was."""
    held = panel.T.copy()
    order = list(range(held.shape[1]))
    for step, column in enumerate(held):
        chosen = step + int(_size(column[step:]).argmax())
        pivots[step] = chosen + 1
        if chosen != step:
            upper = held[:, step].copy()
            held[:, step] = held[:, chosen]
            held[:, chosen] = upper
            order[step], order[chosen] = order[chosen], order[step]
        below = column[step + 1 :]
        pivot = column[step]
        if pivot:
            below /= pivot
        held[step + 1 :, step + 1 :] -= held[step + 1 :, step, None] * below
    panel[...] = held.T
    return np.array(order)


# ---- reflections


def with_reflections(vectors: Array, factors: Array, found: Array) -> None:
    """Apply reflections, each by a vector below the diagonal and its factor, the last one first.

    What has been found begins as a part of the matrix that is one on its diagonal.
    """
    count = factors.shape[-1]
    for first in reversed(range(0, count, _WIDTH)):
        last = min(first + _WIDTH, count)
        block = np.tril(vectors[..., first:, first:last], -1)
        block += np.eye(*block.shape[-2:], dtype=block.dtype)
        adjoint = np.swapaxes(block, -1, -2).conj()
        part = found[..., first:, first:]
        part -= block @ (_joined(adjoint @ block, factors[..., first:last]) @ (adjoint @ part))


def _joined(products: Array, factors: Array) -> Array:
    """Return T of reflections that are 1 - V T V^H together, from the products V^H V."""
    joined = np.zeros_like(products)
    for step in range(factors.shape[-1]):
        factor = factors[..., step, None]
        before = joined[..., :step, :step] @ products[..., :step, step, None]
        joined[..., :step, step] = -factor * before[..., 0]
        joined[..., step, step] = factor[..., 0]
    return joined
