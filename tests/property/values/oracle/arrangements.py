"""What do joins give, and operations that look at a tensor otherwise or lay it out anew?

Most are said with the views and joins of `structure`: PyTorch computes them so, and takes their
strides from that.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .conversions import converted
from .evaluation import OPERATIONS, Several, Value, Weak, fresh
from .intervals import Array, Bounds, storage_type
from .reductions import dims_of
from .semantics import (
    FLOATS,
    Invalid,
    Shape,
    broadcast,
    preserved,
    result_type,
    strides_of_format,
    suggested_format,
)


def _of(name: str, *arguments: Any, **keywords: Any) -> Value:
    """Return what another operation gives."""
    found = OPERATIONS[name](*arguments, **keywords)
    assert isinstance(found, Value)
    return found


def _moved(x: Value, move: Callable[[Array], Array], strides: Shape | None = None) -> Value:
    """Return a copy whose elements are moved; contiguous unless strides are given."""
    bounds = x.bounds.map(move)
    return fresh(x.dtype, bounds.low.shape, bounds, strides)


def _same(name: str) -> Callable[..., Value | Several]:
    """Return what another operation computes."""
    return lambda *arguments: OPERATIONS[name](*arguments)


def _copied(x: Value) -> Value:
    return _moved(x, np.asarray)


def _dim(x: Value, dim: int) -> int:
    if not x.shape:
        raise Invalid("a dim of a 0-dim tensor")
    return dims_of(x, dim)[0]


# ---- other orders


def _flip(x: Value, dims: Shape) -> Value:
    places = dims_of(x, dims) if dims else ()
    return _moved(x, lambda a: np.flip(a, places), preserved(x.shape, x.strides))


def _flip_columns(x: Value) -> Value:
    return _flip(x, (1,))


def _flip_rows(x: Value) -> Value:
    return _flip(x, (0,))


def _roll(x: Value, shifts: Any, dims: Shape = ()) -> Value:
    if not dims:
        flat = _of("view", _of("contiguous", x), (-1,)) if math.prod(x.shape) else x
        if flat is x:
            return fresh(x.dtype, x.shape, x.bounds)
        return _of("view", _roll(flat, (shifts,), (0,)), x.shape)
    if not math.prod(x.shape):
        return _of("clone", x)
    for shift, dim in zip(shifts, dims, strict=True):
        size = x.shape[dim]
        start = (size - shift) % size
        parts = [_of("narrow", x, dim, start, size - start), _of("narrow", x, dim, 0, start)]
        x = _of("cat", parts, dim)
    return x


def _turn(x: Value, k: int, dims: Shape) -> Value:
    first, second = dims
    if not all(-len(x.shape) <= dim < len(x.shape) for dim in dims):
        raise Invalid("no such dim")
    if first % len(x.shape) == second % len(x.shape):
        raise Invalid("a turn in one dim")
    if k % 4 == 0:
        return _copied(x)
    if k % 4 == 2:
        return _flip(x, dims)
    return _of("transpose", _flip(x, (second if k % 4 == 1 else first,)), first, second)


# ---- repetitions


def _repeat(x: Value, repeats: Shape) -> Value:
    if len(repeats) < len(x.shape):
        raise Invalid("fewer repeats than dims")
    return _moved(x, lambda a: np.tile(a, repeats))


def _tile(x: Value, repeats: Shape) -> Value:
    return _repeat(x, (1,) * (len(x.shape) - len(repeats)) + tuple(repeats))


# ---- joins


def _at_least(rank: int) -> Callable[[Value], Value]:
    def operation(x: Value) -> Value:
        if not x.shape:
            return _of("reshape", x, (1,) * rank)
        if len(x.shape) == 1 and rank > 1:
            x = _of("unsqueeze", x, 0)
        return _of("unsqueeze", x, 2) if len(x.shape) == 2 and rank == 3 else x

    return operation


def _joined(rank: int, dim: int) -> Callable[[Sequence[Value]], Value]:
    def operation(tensors: Sequence[Value]) -> Value:
        parts = [_at_least(rank)(x) for x in tensors]
        place = 0 if rank == 1 and len(parts[0].shape) == 1 else dim
        if any(len(x.shape) <= place for x in parts):
            raise Invalid("too few dims")
        return _of("cat", parts, place)

    return operation


def _columns(tensors: Sequence[Value]) -> Value:
    parts = [_of("reshape", x, (math.prod(x.shape), 1)) if len(x.shape) < 2 else x for x in tensors]
    return _of("cat", parts, 1)


def _blocks(*tensors: Value) -> Value:
    dtype = result_type([(x.dtype, x.kind) for x in tensors])
    if any(len(x.shape) > 2 for x in tensors):
        raise Invalid("blocks of more than two dims")
    shapes = [(1,) * (2 - len(x.shape)) + x.shape for x in tensors]
    rows, columns = (sum(sizes) for sizes in zip(*shapes, strict=True))
    low = np.zeros((rows, columns), storage_type(dtype))
    high, known = low.copy(), np.ones((rows, columns), bool)
    row = column = 0
    for x, shape in zip(tensors, shapes, strict=True):
        place = slice(row, row + shape[0]), slice(column, column + shape[1])
        parts = converted(x, dtype)
        for whole, part in zip((low, high, known), parts, strict=True):
            whole[place] = part.reshape(shape)
        row, column = row + shape[0], column + shape[1]
    return fresh(dtype, (rows, columns), Bounds(low, high, known))


def _meshgrid(*tensors: Value, indexing: str) -> Several:
    if any(len(x.shape) > 1 or x.dtype != tensors[0].dtype for x in tensors):
        raise Invalid("no vectors of one dtype")
    swaps = indexing == "xy" and len(tensors) > 1
    parts = list(tensors)
    if swaps:
        parts[:2] = parts[1::-1]
    shape = tuple(math.prod(x.shape) for x in parts)
    grids: list[Value] = []
    for place, x in enumerate(parts):
        sizes = tuple(size if dim == place else 1 for dim, size in enumerate(shape))
        grids.append(_of("expand", _of("view", x, sizes), shape))
    if swaps:
        grids[:2] = grids[1::-1]
    return Several(tuple(grids))


def _products(*tensors: Value) -> Value:
    if any(len(x.shape) != 1 for x in tensors):
        raise Invalid("no vectors")
    if len(tensors) == 1:
        return tensors[0]
    grids = _meshgrid(*tensors, indexing="ij").parts
    return _of("stack", [_of("flatten", grid) for grid in grids], 1)


def _broadcast_all(*tensors: Value) -> Several:
    shape = broadcast(*(x.shape for x in tensors))
    return Several(tuple(_of("expand", x, shape) for x in tensors))


# ---- views


def _as_another(name: str) -> Callable[[Value, Value], Value]:
    return lambda x, other: _of(name, x, other.shape)


def _adjoint(x: Value) -> Value:
    return _of("transpose", x, -2, -1)


def _ravel(x: Value) -> Value:
    return _of("view", _of("contiguous", x), (math.prod(x.shape),))


def _unflatten(x: Value, dim: int, sizes: Shape) -> Value:
    place = _dim(x, dim)
    count = x.shape[place]
    if -1 in sizes:
        rest = math.prod(size for size in sizes if size != -1)
        if not rest or count % rest:
            raise Invalid("nothing to infer")
        sizes = tuple(count // rest if size == -1 else size for size in sizes)
    if math.prod(sizes) != count:
        raise Invalid("other sizes")
    return _of("view", x, (*x.shape[:place], *sizes, *x.shape[place + 1 :]))


def _itself(x: Value) -> Value:
    return x


def _main_diagonals(x: Value) -> Value:
    return _of("diagonal", x, 0, -2, -1)


def _slices(x: Value, dim: int, bounds: Sequence[int]) -> Several:
    parts = [
        _of("narrow", x, dim, first, max(last - first, 0))
        for first, last in itertools.pairwise(bounds)
    ]
    return Several(tuple(parts))


def _split(x: Value, sizes: int | Shape, dim: int = 0) -> Several:
    size = x.shape[_dim(x, dim)]
    if isinstance(sizes, int):
        starts = range(0, size, sizes) if size else range(1)
        return _slices(x, dim, [*starts, size])
    if sum(sizes) != size:
        raise Invalid("other sizes")
    return _slices(x, dim, [sum(sizes[:number]) for number in range(len(sizes) + 1)])


def _chunk(x: Value, chunks: int, dim: int = 0) -> Several:
    size = x.shape[_dim(x, dim)]
    if not size:
        return _slices(x, dim, [0] * (chunks + 1))
    return _split(x, -(-size // chunks), dim)


def _tensor_split(x: Value, given: int | Shape, dim: int = 0) -> Several:
    size = x.shape[_dim(x, dim)]
    if isinstance(given, int):
        least, more = divmod(size, given)
        starts = [number * least + min(number, more) for number in range(given + 1)]
        return _slices(x, dim, starts)
    cuts = [min(cut, size) for cut in given]
    return _slices(x, dim, [0, *cuts, size])


def _split_evenly(dim: int) -> Callable[..., Several]:
    def operation(x: Value, given: int | Shape) -> Several:
        place = dim if dim != 1 or len(x.shape) > 1 else 0
        if isinstance(given, int) and x.shape[place] % given:
            raise Invalid("unequal parts")
        return _tensor_split(x, given, place)

    return operation


def _unbind(x: Value, dim: int = 0) -> Several:
    count = x.shape[_dim(x, dim)]
    return Several(tuple(_of("select", x, dim, number) for number in range(count)))


def _slice(x: Value, dim: int, start: int, end: int, step: int) -> Value:
    index: list[tuple[Any, ...]] = [("slice", None, None, None)] * len(x.shape)
    index[_dim(x, dim)] = ("slice", start, end, step)
    return _of("getitem", x, tuple(index))


def _copy_of(view: Callable[..., Value | Several]) -> Callable[..., Value | Several]:
    """Return what makes contiguous copies of the results of a view."""

    def operation(*arguments: Any) -> Value | Several:
        found = view(*arguments)
        if isinstance(found, Several):
            return Several(tuple(map(_copied, found.parts)))
        return _copied(found)

    return operation


# ---- parts that are replaced


def _overlaps(x: Value) -> bool:
    """Whether two elements may lie in one place; 0 in strides and others that reach too far."""
    dims = sorted(
        (stride, size) for size, stride in zip(x.shape, x.strides, strict=True) if size > 1
    )
    reach = 0
    for stride, size in dims:
        if stride <= reach:
            return True
        reach += stride * (size - 1)
    return False


def _replaced(view: str) -> Callable[..., Value]:
    """Return what puts other elements where a view looks; the result lies as the operand does."""

    def operation(x: Value, source: Value, *place: Any) -> Value:
        look = _slice if view == "slice" else OPERATIONS[view]
        if source.dtype != x.dtype or _overlaps(x):
            raise Invalid("a source of another dtype, or an operand that repeats elements")
        parts = [part.copy() for part in x.bounds]
        numbers: Array = np.arange(math.prod(x.shape)).reshape(x.shape)
        known = np.ones(x.shape, bool)
        seen = look(fresh("int64", x.shape, Bounds(numbers, numbers, known)), *place)
        assert isinstance(seen, Value)
        if seen.shape != source.shape:
            raise Invalid("a source of another shape")
        for whole, part in zip(parts, source.bounds, strict=True):
            whole.reshape(-1)[seen.bounds.low] = part
        return fresh(x.dtype, x.shape, Bounds(*parts), x.strides)

    return operation


def _triangle(choose: Callable[..., Array]) -> Callable[..., Value]:
    def operation(x: Value, diagonal: int = 0) -> Value:
        if len(x.shape) < 2:
            raise Invalid("a triangle of less than two dims")
        kept = choose(np.ones(x.shape[-2:], bool), diagonal)
        low, high, known = x.bounds
        nothing = np.zeros((), low.dtype)
        bounds = Bounds(np.where(kept, low, nothing), np.where(kept, high, nothing), known | ~kept)
        return fresh(x.dtype, x.shape, bounds)

    return operation


#: Elements of a matrix that is made of its diagonal.
_LARGEST = 1 << 22


def _diagonal_of(x: Value, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Value:
    """Return zeros with the last dim on a diagonal of two new dims."""
    rank = len(x.shape) + 1
    if not all(-rank <= dim < rank for dim in (dim1, dim2)):
        raise Invalid("no such dim")
    first, second = dim1 % rank, dim2 % rank
    if first == second:
        raise Invalid("one dim twice")
    size = x.shape[-1] + abs(offset)
    sizes = list(x.shape[:-1])
    for place in sorted((first, second)):
        sizes.insert(place, size)
    if np.prod(sizes) > _LARGEST:
        raise Invalid("a matrix that is too large to look at")
    low: Array = np.zeros(sizes, x.bounds.low.dtype)
    parts = [low, low.copy(), np.ones(sizes, bool)]
    numbers: Array = np.arange(math.prod(sizes)).reshape(sizes)
    there = np.diagonal(numbers, offset, first, second)
    for whole, part in zip(parts, x.bounds, strict=True):
        whole.reshape(-1)[there] = part
    return fresh(x.dtype, tuple(sizes), Bounds(*parts))


def _diag(x: Value, diagonal: int = 0) -> Value:
    if len(x.shape) == 1:
        return _diagonal_of(x, diagonal)
    return _copied(_of("diagonal", x, diagonal, 0, 1))


def _flat_diagonal(x: Value, offset: int = 0) -> Value:
    return _diagonal_of(_ravel(x), offset)


def _masked(x: Value, mask: Value, number: Any) -> Value:
    shape = broadcast(x.shape, mask.shape)
    if isinstance(number, Weak):
        number = number.value
    if isinstance(number, float) and x.dtype not in FLOATS:
        raise Invalid("a float among integers")
    filling = converted(Weak(number), x.dtype)
    test, decided = mask.bounds.low, mask.bounds.known
    low, high, known = (
        np.where(test, there, here) for there, here in zip(filling, x.bounds, strict=True)
    )
    return fresh(x.dtype, shape, Bounds(low, high, known & decided))


# ---- channels and pixels


def _in_format(x: Value, move: Callable[[Array], Array]) -> Value:
    """Return a copy in the memory format that the operand seems to have."""
    found = _moved(x, move)
    chosen = suggested_format(x.shape, x.strides)
    return fresh(x.dtype, found.shape, found.bounds, strides_of_format(found.shape, chosen))


def _shuffle(x: Value, factor: int) -> Value:
    *lead, channels, rows, columns = x.shape
    if channels % factor**2 or not channels:
        raise Invalid("channels")
    few = channels // factor**2

    def move(a: Array) -> Array:
        parts = a.reshape(-1, few, factor, factor, rows, columns).transpose(0, 1, 4, 2, 5, 3)
        return parts.reshape(*lead, few, rows * factor, columns * factor)

    return _in_format(x, move)


def _unshuffle(x: Value, factor: int) -> Value:
    *lead, channels, rows, columns = x.shape
    if rows % factor or columns % factor:
        raise Invalid("pixels")
    sizes = (-1, channels, rows // factor, factor, columns // factor, factor)

    def move(a: Array) -> Array:
        parts = a.reshape(sizes).transpose(0, 1, 3, 5, 2, 4)
        return parts.reshape(*lead, channels * factor**2, rows // factor, columns // factor)

    return _in_format(x, move)


def _shuffle_channels(x: Value, groups: int) -> Value:
    if len(x.shape) < 3 or x.shape[1] % groups:
        raise Invalid("channels")
    batch, channels, *rest = x.shape

    def move(a: Array) -> Array:
        return a.reshape(batch, groups, channels // groups, *rest).swapaxes(1, 2).reshape(a.shape)

    return _in_format(x, move)


def _summed_to(x: Value, size: Shape) -> Value:
    missing = len(x.shape) - len(size)
    if broadcast(size, x.shape) != x.shape:
        raise Invalid("not a shape that is expanded to this one")
    lead = tuple(range(missing))
    ones = tuple(
        dim for dim, wanted in enumerate(size, missing) if wanted == 1 and x.shape[dim] != 1
    )
    if not size:
        return _of("sum", x)
    if not lead and not ones:
        return x
    kind = x.dtype if x.dtype in FLOATS else None
    found = _of("sum", x, (*lead, *ones), True, dtype=kind)
    return _of("view", found, size) if lead else found


OPERATIONS.update(
    {
        "concat": _same("cat"),
        "concatenate": _same("cat"),
        "hstack": _joined(1, 1),
        "vstack": _joined(2, 0),
        "row_stack": _joined(2, 0),
        "dstack": _joined(3, 2),
        "column_stack": _columns,
        "block_diag": _blocks,
        "cartesian_prod": _products,
        "meshgrid": _meshgrid,
        "broadcast_tensors": _broadcast_all,
        "broadcast_to": _same("expand"),
        "expand_as": _as_another("expand"),
        "view_as": _as_another("view"),
        "reshape_as": _as_another("reshape"),
        "swapaxes": _same("transpose"),
        "adjoint": _adjoint,
        "batched_matrix_H": _adjoint,
        "atleast_1d": _at_least(1),
        "atleast_2d": _at_least(2),
        "atleast_3d": _at_least(3),
        "ravel": _ravel,
        **dict.fromkeys(("real", "conj_physical", "resolve_conj", "resolve_neg"), _itself),
        "positive": _itself,
        "alias_copy": _copied,
        "detach_copy": _copied,
        "unflatten": _unflatten,
        "split": _split,
        "split_with_sizes": _split,
        "chunk": _chunk,
        "unbind": _unbind,
        "tensor_split": _tensor_split,
        "hsplit": _split_evenly(1),
        "vsplit": _split_evenly(0),
        "dsplit": _split_evenly(2),
        "split_copy": _copy_of(_split),
        "split_with_sizes_copy": _copy_of(_split),
        "unbind_copy": _copy_of(_unbind),
        "slice_copy": _copy_of(_slice),
        **{
            f"{name}_copy": _copy_of(_same(name))
            for name in ("diagonal", "expand", "narrow", "permute", "select", "squeeze", "t")
        },
        **{
            f"{name}_copy": _copy_of(_same(name))
            for name in ("transpose", "unfold", "unsqueeze", "view")
        },
        "linalg_diagonal": _main_diagonals,
        "flip": _flip,
        "fliplr": _flip_columns,
        "flipud": _flip_rows,
        "roll": _roll,
        "rot90": _turn,
        "repeat": _repeat,
        "tile": _tile,
        "select_scatter": _replaced("select"),
        "slice_scatter": _replaced("slice"),
        "diagonal_scatter": _replaced("diagonal"),
        "tril": _triangle(np.tril),
        "triu": _triangle(np.triu),
        "diag": _diag,
        "diag_embed": _diagonal_of,
        "diagflat": _flat_diagonal,
        "masked_fill": _masked,
        "pixel_shuffle": _shuffle,
        "pixel_unshuffle": _unshuffle,
        "channel_shuffle": _shuffle_channels,
        "sum_to_size": _summed_to,
    }
)
