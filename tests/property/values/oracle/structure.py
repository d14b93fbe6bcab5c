"""What do operations do that move, join or create elements? Views, copies, cat, full, ..."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ..program import index_of
from .conversions import cast, converted
from .evaluation import OPERATIONS, Operand, Value, Weak, as_operand, fresh
from .intervals import Array, Bounds, exactly, round_to, wrap
from .semantics import (
    DEFAULT,
    FLOATS,
    INTEGERS,
    Invalid,
    Shape,
    is_channels_last,
    is_contiguous,
    preserved,
    result_type,
    strides_of_format,
    suggested_format,
    viewed,
)


def _look(
    x: Value, move: Callable[[Array], Array], strides: Sequence[int], offset: int = 0
) -> Value:
    """Return a view: `move` says where the elements go, the rest how they lie."""
    bounds = x.bounds.map(move)
    return Value(x.dtype, bounds.low.shape, tuple(strides), bounds, x.base, x.offset + offset)


def _dim(dim: int, rank: int) -> int:
    span = max(rank, 1)
    if not -span <= dim < span:
        raise Invalid(f"dim {dim} of rank {rank}")
    return dim % span


# ---- views


def _permute(x: Value, dims: Shape) -> Value:
    places = [_dim(dim, len(x.shape)) for dim in dims]
    if sorted(places) != list(range(len(x.shape))):
        raise Invalid("no permutation")
    return _look(x, lambda a: a.transpose(places), [x.strides[place] for place in places])


def _transpose(x: Value, dim0: int, dim1: int) -> Value:
    places = list(range(len(x.shape)))
    if places:
        a, b = _dim(dim0, len(places)), _dim(dim1, len(places))
        places[a], places[b] = places[b], places[a]
    return _permute(x, tuple(places))


def _matrix_transpose(x: Value) -> Value:
    if len(x.shape) > 2:
        raise Invalid("t() of more than two dims")
    return _reversed(x)


def _reversed(x: Value) -> Value:
    return _permute(x, tuple(range(len(x.shape)))[::-1])


def _mt(x: Value) -> Value:
    if len(x.shape) < 2:
        raise Invalid("mT of less than two dims")
    return _transpose(x, -2, -1)


def _expand(x: Value, size: Shape) -> Value:
    extra = len(size) - len(x.shape)
    if extra < 0:
        raise Invalid("fewer dims")
    shape, strides = list(size), [0] * extra
    for dim, (old, stride) in enumerate(zip(x.shape, x.strides, strict=True), extra):
        shape[dim] = old if size[dim] == -1 else size[dim]
        if old not in (1, shape[dim]):
            raise Invalid("sizes differ")
        strides.append(stride if old == shape[dim] else 0)
    if any(wanted < 0 for wanted in shape):
        raise Invalid("-1 in a new dim")
    for dim in range(extra)[::-1]:
        # A new dim of size 1 looks as if it had been unsqueezed, but for a 0-dim tensor.
        if shape[dim] == 1 and dim + 1 < len(shape):
            strides[dim] = shape[dim + 1] * strides[dim + 1]
    return _look(x, lambda a: np.broadcast_to(a, shape), strides)


def _squeeze(x: Value, dim: Any = None) -> Value:
    rank = len(x.shape)
    asked = range(rank) if dim is None else (dim,) if isinstance(dim, int) else dim
    gone = {_dim(one, rank) for one in asked} if rank else set[int]()
    gone = {one for one in gone if x.shape[one] == 1}
    strides = [stride for one, stride in enumerate(x.strides) if one not in gone]
    return _look(x, lambda a: np.squeeze(a, tuple(gone)), strides)


def _unsqueeze(x: Value, dim: int) -> Value:
    place = _dim(dim, len(x.shape) + 1)
    stride = x.shape[place] * x.strides[place] if place < len(x.shape) else 1
    strides = [*x.strides[:place], stride, *x.strides[place:]]
    return _look(x, lambda a: np.expand_dims(a, place), strides)


def _select(x: Value, dim: int, index: int) -> Value:
    if not x.shape:
        raise Invalid("select of a 0-dim tensor")
    place = _dim(dim, len(x.shape))
    size = x.shape[place]
    if not -size <= index < size:
        raise Invalid("out of range")
    strides = x.strides[:place] + x.strides[place + 1 :]
    offset = index % size * x.strides[place]
    return _look(x, lambda a: a.take(index % size, place), strides, offset)


def _slice(x: Value, dim: int, part: Any) -> Value:
    place = _dim(dim, len(x.shape))
    first, _, step = part.indices(x.shape[place])
    if step < 1:
        raise Invalid("step")
    key = (slice(None),) * place + (part,)
    strides = list(x.strides)
    strides[place] *= step
    return _look(x, lambda a: a[key], strides, first * x.strides[place])


def _narrow(x: Value, dim: int, start: int, length: int) -> Value:
    if not x.shape:
        raise Invalid("narrow of a 0-dim tensor")
    size = x.shape[_dim(dim, len(x.shape))]
    start = start + size if start < 0 else start
    if not 0 <= start <= size or not 0 <= length <= size - start:
        raise Invalid("out of range")
    return _slice(x, dim, slice(start, start + length))


def _getitem(x: Value, index: tuple[Any, ...]) -> Value:
    items = index_of(index)
    used = sum(item is not None and item is not Ellipsis for item in items)
    if used > len(x.shape) or items.count(Ellipsis) > 1:
        raise Invalid("too many indices")
    rank = len(x.shape)
    dim = 0
    for item in items:
        if item is None:
            x = _unsqueeze(x, dim)
        elif isinstance(item, int):
            x = _select(x, dim, item)
            continue
        elif isinstance(item, slice):
            x = _slice(x, dim, item)
        else:
            dim += rank - used - 1
        dim += 1
    return x


def _inferred(shape: Shape, count: int) -> Shape:
    if shape.count(-1) > 1:
        raise Invalid("two sizes to infer")
    rest = math.prod(size for size in shape if size != -1)
    if -1 in shape:
        if not rest or count % rest:
            raise Invalid("nothing to infer")
        shape = tuple(count // rest if size == -1 else size for size in shape)
    if math.prod(shape) != count:
        raise Invalid("another number of elements")
    return shape


def _view(x: Value, shape: Shape) -> Value:
    target = _inferred(shape, math.prod(x.shape))
    strides = viewed(x.shape, x.strides, target)
    if strides is None:
        raise Invalid("no view")
    return _look(x, lambda a: a.reshape(target), strides)


def _reshape(x: Value, shape: Shape) -> Value:
    target = _inferred(shape, math.prod(x.shape))
    if viewed(x.shape, x.strides, target) is None:
        return fresh(x.dtype, target, x.bounds.map(lambda a: a.reshape(target)))
    return _view(x, target)


def _flatten(x: Value, start_dim: int = 0, end_dim: int = -1) -> Value:
    if not x.shape:
        return _reshape(x, (1,))
    first, last = _dim(start_dim, len(x.shape)), _dim(end_dim, len(x.shape))
    if first > last:
        raise Invalid("end before start")
    if first == last:
        return x
    middle = math.prod(x.shape[first : last + 1])
    return _reshape(x, (*x.shape[:first], middle, *x.shape[last + 1 :]))


def _movedim(x: Value, source: int, destination: int) -> Value:
    places = list(range(len(x.shape)))
    if places:
        moved = places.pop(_dim(source, len(x.shape)))
        places.insert(_dim(destination, len(x.shape)), moved)
    return _permute(x, tuple(places))


def _unfold(x: Value, dimension: int, size: int, step: int) -> Value:
    if not x.shape:
        raise Invalid("unfold of a 0-dim tensor")
    place = _dim(dimension, len(x.shape))
    if not 0 <= size <= x.shape[place] or step < 1:
        raise Invalid("window")
    windows = (x.shape[place] - size) // step + 1
    strides = [*x.strides, x.strides[place]]
    strides[place] *= step

    def move(a: Array) -> Array:
        if not size:
            return np.empty((*a.shape[:place], windows, *a.shape[place + 1 :], 0), a.dtype)
        every = (slice(None),) * place + (slice(None, None, step),)
        return sliding_window_view(a, size, place)[every]

    return _look(x, move, strides)


def _diagonal(x: Value, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Value:
    rank = len(x.shape)
    if rank < 2 or _dim(dim1, rank) == _dim(dim2, rank):
        raise Invalid("diagonal needs two dims")
    a, b = _dim(dim1, rank), _dim(dim2, rank)
    length = min(x.shape[a] + min(offset, 0), x.shape[b] - max(offset, 0))
    strides = [stride for dim, stride in enumerate(x.strides) if dim not in (a, b)]
    start = offset * x.strides[b] if offset >= 0 else -offset * x.strides[a]
    return _look(
        x,
        lambda array: np.diagonal(array, offset, a, b),
        [*strides, x.strides[a] + x.strides[b]],
        start if length > 0 else 0,
    )


# ---- copies


def _clone(x: Value, *, memory_format: str | None = None) -> Value:
    if memory_format in (None, "preserve_format"):
        strides = preserved(x.shape, x.strides)
    else:
        strides = strides_of_format(x.shape, memory_format)
    return fresh(x.dtype, x.shape, x.bounds, strides)


def _contiguous(x: Value, *, memory_format: str = "contiguous_format") -> Value:
    if memory_format == "contiguous_format":
        return x if is_contiguous(x.shape, x.strides) else _clone(x, memory_format=memory_format)
    strides_of_format(x.shape, memory_format)
    if is_channels_last(x.shape, x.strides):
        return x
    return _clone(x, memory_format=memory_format)


def _to(
    x: Value, target: str | None = None, *, copy: bool = False, memory_format: str | None = None
) -> Value:
    result = x if target in (None, x.dtype) else cast(x, target)
    is_kept = result is x and not copy
    if memory_format not in (None, "preserve_format"):
        strides = strides_of_format(x.shape, memory_format)
        # A tensor that looks like the format stays what it is, packed or not.
        is_kept = is_kept and suggested_format(x.shape, x.strides) == memory_format
        return x if is_kept else fresh(result.dtype, x.shape, result.bounds, strides)
    return x if is_kept else _clone(x) if result is x else result


def _cast_to(dtype: str) -> Callable[..., Value]:
    def operation(x: Value) -> Value:
        return _to(x, dtype)

    return operation


# ---- joins


def _cat(tensors: Sequence[Value], dim: int = 0) -> Value:
    if not tensors or any(not x.shape for x in tensors):
        raise Invalid("cat of 0-dim tensors")
    dtype = result_type([(x.dtype, x.kind) for x in tensors])
    shaped = [x for x in tensors if x.shape != (0,)] or [tensors[0]]
    first = shaped[0].shape
    place = _dim(dim, len(first))
    for x in shaped:
        if len(x.shape) != len(first) or any(
            a != b for d, (a, b) in enumerate(zip(x.shape, first, strict=True)) if d != place
        ):
            raise Invalid("sizes differ")
    parts = [converted(x, dtype) for x in shaped]
    bounds = Bounds(*(np.concatenate(arrays, place) for arrays in zip(*parts, strict=True)))
    formats = {suggested_format(x.shape, x.strides) for x in tensors}
    chosen = formats.pop() if len(formats) == 1 else "contiguous_format"
    shape = bounds.low.shape
    return fresh(dtype, shape, bounds, strides_of_format(shape, chosen))


def _stack(tensors: Sequence[Value], dim: int = 0) -> Value:
    first = tensors[0].shape
    if any(x.shape != first for x in tensors):
        raise Invalid("sizes differ")
    place = _dim(dim, len(first) + 1)
    if place == len(first):
        return _cat([_unsqueeze(x, place) for x in tensors], place)
    # PyTorch joins along the dim that is there and splits it by a view.
    joined = _cat(tensors, place)
    return _view(joined, (*first[:place], len(tensors), *first[place:]))


def _pad(x: Value, pad: Shape, mode: str = "constant", value: Any = None) -> Value:
    if len(pad) % 2 or len(pad) > 2 * len(x.shape):
        raise Invalid("length of pad")
    margins = [(0, 0)] * len(x.shape)
    for number in range(len(pad) // 2):
        margins[-1 - number] = (pad[2 * number], pad[2 * number + 1])
    inner = x
    for dim, (before, after) in enumerate(margins):
        size = x.shape[dim]
        if before + size + after < 0 or -before > size or -after > size:
            raise Invalid("more is cut off than there is")
        inner = _slice(inner, dim, slice(max(-before, 0), size - max(-after, 0)))
    if all(margin <= 0 for margin in pad):
        return _clone(inner)
    fill = converted(Weak(0 if value is None else value), x.dtype) if _fits(value, x) else None
    if fill is None:
        raise Invalid("a fill value that the dtype does not hold")
    outer = [(max(before, 0), max(after, 0)) for before, after in margins]
    low, high, known = inner.bounds
    bounds = Bounds(
        np.pad(low, outer, constant_values=fill.low),
        np.pad(high, outer, constant_values=fill.high),
        np.pad(known, outer, constant_values=True),
    )
    shape = bounds.low.shape
    return fresh(
        x.dtype, shape, bounds, strides_of_format(shape, suggested_format(x.shape, x.strides))
    )


def _fits(value: Any, x: Value) -> bool:
    return value is None or not isinstance(value, float) or x.dtype in FLOATS


# ---- creation


def _full(size: Shape, fill_value: Any, *, dtype: str | None = None) -> Value:
    return _filled(size, as_operand(fill_value), dtype)


def _filled(shape: Shape, value: Operand, dtype: str | None, strides: Shape | None = None) -> Value:
    assert isinstance(value, Weak)
    kind = dtype or value.dtype
    if isinstance(value.value, float) and kind not in FLOATS:
        raise Invalid("a float fill of integers")
    number = converted(value, kind)
    bounds = number.map(lambda part: np.broadcast_to(part, shape))
    return fresh(kind, shape, bounds, strides)


def _constant(number: int) -> tuple[Callable[..., Value], Callable[..., Value]]:
    """Return zeros and zeros_like, or ones and ones_like."""

    def make(size: Shape, *, dtype: str | None = None) -> Value:
        return _filled(size, Weak(number), dtype or DEFAULT)

    def like(x: Value, **options: Any) -> Value:
        return _full_like(x, number, **options)

    return make, like


def _full_like(
    x: Value, fill_value: Any, *, dtype: str | None = None, memory_format: str | None = None
) -> Value:
    if memory_format in (None, "preserve_format"):
        strides = preserved(x.shape, x.strides)
    else:
        strides = strides_of_format(x.shape, memory_format)
    return _filled(x.shape, as_operand(fill_value), dtype or x.dtype, strides)


def _arange(start: Any, end: Any = None, step: Any = 1, *, dtype: str | None = None) -> Value:
    if end is None:
        start, end = 0, start
    is_float = any(isinstance(number, float) for number in (start, end, step))
    kind = dtype or (DEFAULT if is_float else "int64")
    if not step or (end - start) * step < 0 or (is_float and kind not in FLOATS):
        raise Invalid("range")
    count = math.ceil((end - start) / step)
    places: Array = np.asarray(range(count), np.int64)
    if kind in INTEGERS:
        return fresh(kind, (count,), exactly(wrap(start + places * step, kind)))
    exact = start + places * float(step)
    if not is_float:
        return fresh(kind, (count,), exactly(round_to(exact, kind)))
    # PyTorch computes start + i * step in its own ways: allow two roundings.
    slack = 2.0 ** (-52 if kind == "float64" else -23) * (abs(exact) + abs(step) * places)
    low, high = round_to(exact - slack, kind), round_to(exact + slack, kind)
    return fresh(kind, (count,), Bounds(low, high, np.ones(count, bool)))


_zeros, _zeros_like = _constant(0)
_ones, _ones_like = _constant(1)

OPERATIONS.update(
    {
        "permute": _permute,
        "transpose": _transpose,
        "t": _matrix_transpose,
        "numpy_T": _reversed,
        "matrix_T": _mt,
        "expand": _expand,
        "squeeze": _squeeze,
        "unsqueeze": _unsqueeze,
        "select": _select,
        "narrow": _narrow,
        "getitem": _getitem,
        "view": _view,
        "reshape": _reshape,
        "flatten": _flatten,
        "movedim": _movedim,
        "unfold": _unfold,
        "diagonal": _diagonal,
        "clone": _clone,
        "contiguous": _contiguous,
        "to": _to,
        "cat": _cat,
        "stack": _stack,
        "pad": _pad,
        "full": _full,
        "zeros": _zeros,
        "ones": _ones,
        "full_like": _full_like,
        "zeros_like": _zeros_like,
        "ones_like": _ones_like,
        "arange": _arange,
        **{
            method: _cast_to(dtype)
            for method, dtype in {
                "float": "float32",
                "double": "float64",
                "half": "float16",
                "bfloat16": "bfloat16",
                "bool": "bool",
                "byte": "uint8",
                "char": "int8",
                "short": "int16",
                "int": "int32",
                "long": "int64",
            }.items()
        },
    }
)
