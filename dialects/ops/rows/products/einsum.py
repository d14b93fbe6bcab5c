"""Which operation sums products as an equation says? einsum, as products of matrices.

Of two operands those dims are merged that both have and the output, that one of them has, and that
are summed over; the product of the matrices is seen as the result, with the strides that PyTorch
gives it. Nothing larger than operands and results is made. More than two operands are taken from
left to right, or two by two as a `path` says.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...frame.opspec import composite
from ...frame.row import TensorLanguage
from ...frame.view_rows import tensor_of
from .einsum_equations import (
    ELLIPSIS,
    Layout,
    bind_equation,
    lay_out,
    parse_equation,
    refusal,
)


def _einsum(
    t: TensorLanguage, equation: str, tensors: Sequence[Any], path: tuple[int, ...] | None
) -> Any:
    shapes = [tensor_of(t, tensor).shape for tensor in tensors]
    parsed = parse_equation(equation, len(tensors))
    layout = lay_out(parsed, [len(shape) for shape in shapes])
    sizes = [1] * layout.rank
    operands = [
        _in_order(t, number, subscripts, layout, tensor, sizes)
        for number, (subscripts, tensor) in enumerate(zip(parsed.operands, tensors, strict=True))
    ]
    if len(operands) == 1:
        summed = tuple(range(layout.kept, layout.rank))
        return t.call("sum", operands[0], summed) if summed else operands[0]
    shapes = [tensor_of(t, operand).shape for operand in operands]
    wide = [sum(shape[dim] != 1 for shape in shapes) for dim in range(layout.rank)]
    steps = [(0, 1)] * (len(operands) - 1)
    if path is not None:
        steps = [tuple(sorted(path[step : step + 2])) for step in range(0, len(path), 2)]
    for pair in steps:
        first, second = (operands[index] for index in pair)
        operands = [operand for index, operand in enumerate(operands) if index not in pair]
        product = _contract(t, first, second, layout.kept, wide)
        operands.insert(0 if path is None else len(operands), product)
    (result,) = operands
    if layout.rank == layout.kept:
        return result
    return t.call("view", result, tensor_of(t, result).shape[: layout.kept])


def _in_order(
    t: TensorLanguage,
    number: int,
    subscripts: Sequence[str],
    layout: Layout,
    tensor: Any,
    sizes: list[int],
) -> Any:
    """Return an operand with all dims of the layout, those that it lacks of size 1.

    `sizes` are those seen so far, which its own must broadcast with.
    """
    dims: dict[int, int] = {}
    covered = tensor_of(t, tensor).rank - sum(letter != ELLIPSIS for letter in subscripts)
    for letter in subscripts:
        shape, dim = tensor_of(t, tensor).shape, len(dims)
        if letter == ELLIPSIS:
            for place in range(layout.covered - covered, layout.covered):
                dim = len(dims)
                _check_covered(number, dim, shape[dim], sizes[layout.ellipsis + place])
                dims[layout.ellipsis + place] = dim
            continue
        place = layout.places[letter]
        if place in dims:
            tensor = _diagonal(t, number, letter, tensor, dims[place], dim)
        else:
            _check_size(number, letter, shape[dim], sizes[place])
            dims[place] = dim
    for place in range(layout.rank):
        if place not in dims:
            tensor, dims[place] = t.call("unsqueeze", tensor, -1), len(dims)
    order = tuple([dims[place] for place in range(layout.rank)])
    found = t.call("permute", tensor, order)
    for place, size in enumerate(tensor_of(t, found).shape):
        sizes[place] = size if sizes[place] == 1 else sizes[place]
    return found


def _check_covered(number: int, dim: int, size: int, seen: int) -> None:
    if 1 not in (size, seen) and size != seen:
        raise refusal(
            f"dimension {dim} covered by ellipsis in operand {number}has size {size} which does "
            f"not broadcast with previously seen ellipsis with size {seen} for the respective "
            "dimension"
        )


def _check_size(number: int, letter: str, size: int, seen: int) -> None:
    if 1 not in (size, seen) and size != seen:
        raise refusal(
            f"subscript {letter} has size {size} for operand {number} which does not broadcast "
            f"with previously seen size {seen}"
        )


def _diagonal(t: TensorLanguage, number: int, letter: str, tensor: Any, dim: int, twin: int) -> Any:
    """Return what lies on the diagonal of two dims with one subscript, at the first of them."""
    shape = tensor_of(t, tensor).shape
    if shape[dim] != shape[twin]:
        raise refusal(
            f"subscript {letter} is repeated for operand {number} but the sizes don't match, "
            f"{shape[twin]} != {shape[dim]}"
        )
    return t.call("movedim", t.call("diagonal", tensor, 0, dim, twin), -1, dim)


def _contract(t: TensorLanguage, first: Any, second: Any, kept: int, wide: list[int]) -> Any:
    """Multiply two operands, and sum over the dims that no other operand and no output has.

    `wide` counts for each dim the operands in which it is not of size 1, and is brought up to date.
    """
    shapes = tensor_of(t, first).shape, tensor_of(t, second).shape
    summed: dict[tuple[bool, bool], list[int]] = {}
    for dim in range(kept, len(wide)):
        is_wide = (shapes[0][dim] != 1, shapes[1][dim] != 1)
        wide[dim] -= all(is_wide)
        if wide[dim] == 1 and any(is_wide):
            summed.setdefault(is_wide, []).append(dim)
            wide[dim] = 0
    pair = [
        t.call("sum", operand, tuple(summed[is_wide]), keepdim=True)
        if is_wide in summed
        else operand
        for operand, is_wide in ((first, (True, False)), (second, (False, True)))
    ]
    shared = summed.get((True, True))
    return _sum_of_products(t, pair[0], pair[1], shared) if shared else t.call("mul", *pair)


def _sum_of_products(t: TensorLanguage, left: Any, right: Any, summed: list[int]) -> Any:
    """Multiply two operands as batches of matrices; the dims that are summed become 1."""
    sizes, facing = tensor_of(t, left).shape, tensor_of(t, right).shape
    others = [dim for dim in range(len(sizes)) if dim not in summed]
    both = [dim for dim in others if sizes[dim] != 1 and facing[dim] != 1]
    rows = [dim for dim in others if sizes[dim] != 1 and facing[dim] == 1]
    columns = [dim for dim in others if sizes[dim] == 1]
    if rows and columns and columns[-1] < rows[0]:
        # The columns come first in the output: so does the operand that has them.
        left, right, rows, columns, sizes, facing = right, left, columns, rows, facing, sizes
    shape = [sizes[dim] for dim in both]
    shape += [sizes[dim] for dim in rows] + [1] * len(summed) + [facing[dim] for dim in columns]
    count, inner = (math.prod(sizes[dim] for dim in dims) for dims in (both, summed))
    width = math.prod(facing[dim] for dim in columns)
    height = math.prod(sizes[dim] for dim in rows)
    left = t.call("permute", left, tuple(both + rows + summed + columns))
    right = t.call("permute", right, tuple(both + summed + columns + rows))
    product = t.call(
        "bmm",
        t.call("reshape", left, (count, height, inner)),
        t.call("reshape", right, (count, inner, width)),
    )
    order = both + rows + summed + columns
    places = tuple([order.index(dim) for dim in range(len(order))])
    return t.call("permute", t.call("view", product, tuple(shape)), places)


composite(
    "einsum(str equation, Tensor[] tensors, *, int[]? path=None)",
    "Sums of products of tensors' elements, over the subscripts of an equation that its output "
    "lacks; subscripts may also be given as lists of numbers.",
    "tri.einsum('ij,j->i', tri.tensor([[1, 2], [3, 4]]), tri.tensor([1, 1]))  # tensor([3, 7])",
    _einsum,
    methods=(),
    binder=bind_equation,
    forms=(
        "einsum(str equation, Tensor[]* tensors)",
        "einsum(str equation, Tensor[] tensors, *, int[]? path=None)",
    ),
)
