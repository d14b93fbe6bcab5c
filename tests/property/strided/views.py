"""What does each view see? Sizes, strides and offset, from the specification's section 6."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from .layout import (
    RANKS,
    Sizes,
    contiguous_strides,
    format_strides,
    is_channels_last,
    is_contiguous,
    numel,
    preserved_strides,
    suggested_format,
    viewed_strides,
)
from .model import Model, cast_model, copied
from .values import COMPLEXES, REAL, RefusedError, itemsize

Slice = tuple[str, int | None, int | None, int | None]


def wrap(dim: int, rank: int) -> int:
    bound = max(rank, 1)
    if not -bound <= dim < bound:
        raise RefusedError(IndexError, f"dim {dim} of rank {rank}")
    return dim % bound


def permute(x: Model, dims: Sizes) -> Model:
    if len(dims) != x.rank:
        raise RefusedError(RuntimeError, "number of dims")
    order = [wrap(dim, x.rank) for dim in dims]
    if len(set(order)) != x.rank:
        raise RefusedError(RuntimeError, "duplicate dims")
    return x.seen(tuple(x.sizes[d] for d in order), tuple(x.strides[d] for d in order))


def transpose(x: Model, first: int, second: int) -> Model:
    first, second = wrap(first, x.rank), wrap(second, x.rank)
    order = list(range(x.rank))
    if order:
        order[first], order[second] = second, first
    return permute(x, tuple(order))


def t(x: Model) -> Model:
    if x.rank > 2:
        raise RefusedError(RuntimeError, "t of a rank above 2")
    return transpose(x, 0, 1) if x.rank == 2 else permute(x, tuple(range(x.rank)))


def matrix_transpose(x: Model) -> Model:
    if x.rank < 2:
        raise RefusedError(RuntimeError, "mT of a rank below 2")
    return transpose(x, -2, -1)


def movedim(x: Model, source: int, target: int) -> Model:
    source, target = wrap(source, x.rank), wrap(target, x.rank)
    order = [dim for dim in range(x.rank) if dim != source]
    if x.rank:
        order.insert(target, source)
    return permute(x, tuple(order))


def _inferred(sizes: Sizes, count: int) -> Sizes:
    if sizes.count(-1) > 1:
        raise RefusedError(RuntimeError, "only one dimension can be inferred")
    if any(size < -1 for size in sizes):
        raise RefusedError(RuntimeError, "invalid shape dimension")
    if -1 not in sizes:
        if numel(sizes) != count:
            raise RefusedError(RuntimeError, "shape is invalid for input")
        return sizes
    rest = numel(tuple(size for size in sizes if size != -1))
    if not rest or count % rest:
        raise RefusedError(RuntimeError, "shape is invalid for input")
    return tuple(count // rest if size == -1 else size for size in sizes)


def view(x: Model, sizes: Sizes) -> Model:
    sizes = _inferred(sizes, x.numel)
    strides = viewed_strides(x.sizes, x.strides, sizes)
    if strides is None:
        raise RefusedError(RuntimeError, "view size is not compatible")
    return x.seen(sizes, strides)


def reshape(x: Model, sizes: Sizes) -> Model:
    sizes = _inferred(sizes, x.numel)
    strides = viewed_strides(x.sizes, x.strides, sizes)
    if strides is None:
        return view(copied(x, contiguous_strides(x.sizes)), sizes)
    return x.seen(sizes, strides)


def flatten(x: Model, start: int, end: int) -> Model:
    start, end = wrap(start, x.rank), wrap(end, x.rank)
    if start > end:
        raise RefusedError(RuntimeError, "start_dim after end_dim")
    if not x.rank:
        return reshape(x, (1,))
    if start == end:
        return x
    middle = numel(x.sizes[start : end + 1])
    return reshape(x, (*x.sizes[:start], middle, *x.sizes[end + 1 :]))


def unflatten(x: Model, dim: int, sizes: Sizes) -> Model:
    dim = wrap(dim, x.rank)
    if not x.rank:
        raise RefusedError(IndexError, "unflatten of rank 0")
    found = _inferred(sizes, x.sizes[dim])
    return view(x, (*x.sizes[:dim], *found, *x.sizes[dim + 1 :]))


def expand(x: Model, sizes: Sizes) -> Model:
    missing = len(sizes) - x.rank
    if missing < 0:
        raise RefusedError(RuntimeError, "the number of sizes provided")
    if not x.rank:
        if any(size < 0 for size in sizes):
            raise RefusedError(RuntimeError, "-1 in a leading dim")
        return x.seen(sizes, (0,) * len(sizes))
    result, strides = list(sizes), [0] * len(sizes)
    for dim in range(len(sizes))[::-1]:
        if dim >= missing:
            size, stride = x.sizes[dim - missing], x.strides[dim - missing]
        else:
            size, stride = 1, result[dim + 1] * strides[dim + 1]
        if result[dim] == -1:
            if dim < missing:
                raise RefusedError(RuntimeError, "-1 in a leading dim")
            result[dim] = size
        if result[dim] != size:
            if size != 1 or result[dim] < 0:
                raise RefusedError(RuntimeError, "the expanded size must match")
            stride = 0
        strides[dim] = stride
    return x.seen(tuple(result), tuple(strides))


def select(x: Model, dim: int, index: int) -> Model:
    if not x.rank:
        raise RefusedError(IndexError, "select of rank 0")
    dim = wrap(dim, x.rank)
    size = x.sizes[dim]
    if not -size <= index < size:
        raise RefusedError(IndexError, "index out of range")
    offset = x.offset + index % size * x.strides[dim]
    return x.seen(_without(x.sizes, dim), _without(x.strides, dim), offset)


def _without(values: Sizes, dim: int) -> Sizes:
    return values[:dim] + values[dim + 1 :]


def _with(values: Sizes, dim: int, value: int) -> Sizes:
    return (*values[:dim], value, *values[dim + 1 :])


def slice_dim(x: Model, dim: int, bounds: Slice) -> Model:
    _, start, stop, step = bounds
    step = 1 if step is None else step
    if step < 1:
        raise RefusedError(ValueError, "step must be greater than zero")
    size = x.sizes[dim]
    first, last, _ = slice(start, stop, 1).indices(size)
    count = max(0, -(-(last - first) // step))
    offset = x.offset + first * x.strides[dim]
    strides = _with(x.strides, dim, x.strides[dim] * step)
    return x.seen(_with(x.sizes, dim, count), strides, offset)


def narrow(x: Model, dim: int, start: int, length: int) -> Model:
    if not x.rank:
        raise RefusedError(RuntimeError, "narrow of rank 0")
    if length < 0:
        raise RefusedError(RuntimeError, "length must be non-negative")
    dim = wrap(dim, x.rank)
    size = x.sizes[dim]
    if not -size <= start <= size:
        raise RefusedError(IndexError, "start out of range")
    start = start + size if start < 0 else start
    if start + length > size:
        raise RefusedError(RuntimeError, "start + length exceeds dimension size")
    return slice_dim(x, dim, ("slice", start, start + length, 1))


def diagonal(x: Model, offset: int, first: int, second: int) -> Model:
    if x.rank < 1:
        raise RefusedError(IndexError, "diagonal of rank 0")
    first, second = wrap(first, x.rank), wrap(second, x.rank)
    if first == second:
        raise RefusedError(RuntimeError, "diagonal dimensions cannot be identical")
    rows, columns = x.sizes[first], x.sizes[second]
    count = max(min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns), 0)
    shift = 0
    if count:
        shift = offset * x.strides[second] if offset >= 0 else -offset * x.strides[first]
    kept = [dim for dim in range(x.rank) if dim not in (first, second)]
    sizes = (*(x.sizes[dim] for dim in kept), count)
    strides = (*(x.strides[dim] for dim in kept), x.strides[first] + x.strides[second])
    return x.seen(sizes, strides, x.offset + shift)


def unfold(x: Model, dim: int, size: int, step: int) -> Model:
    dim = wrap(dim, x.rank)
    available = x.sizes[dim] if x.rank else 1
    if size > available:
        raise RefusedError(RuntimeError, "maximum size for tensor at dimension")
    if step < 1:
        raise RefusedError(RuntimeError, "step is 0")
    if not x.rank:
        return x.seen((size,), (1,))
    count = (available - size) // step + 1
    sizes = (*_with(x.sizes, dim, count), size)
    strides = (*_with(x.strides, dim, x.strides[dim] * step), x.strides[dim])
    return x.seen(sizes, strides)


def squeeze(x: Model, dim: int | None = None) -> Model:
    if dim is None:
        kept = [place for place in range(x.rank) if x.sizes[place] != 1]
    else:
        dim = wrap(dim, x.rank)
        kept = [place for place in range(x.rank) if place != dim or x.sizes[place] != 1]
    return x.seen(tuple(x.sizes[d] for d in kept), tuple(x.strides[d] for d in kept))


def unsqueeze(x: Model, dim: int) -> Model:
    dim = wrap(dim, x.rank + 1)
    stride = x.sizes[dim] * x.strides[dim] if dim < x.rank else 1
    sizes = (*x.sizes[:dim], 1, *x.sizes[dim:])
    return x.seen(sizes, (*x.strides[:dim], stride, *x.strides[dim:]))


def as_strided(x: Model, sizes: Sizes, strides: Sizes, offset: int | None = None) -> Model:
    if len(sizes) != len(strides):
        raise RefusedError(RuntimeError, "mismatch in length of strides and shape")
    offset = x.offset if offset is None else offset
    if any(stride < 0 for stride in strides) or offset < 0:
        raise RefusedError(RuntimeError, "negative stride or offset")
    if 0 not in sizes:
        reach = offset + 1 + sum((s - 1) * t for s, t in zip(sizes, strides, strict=True))
        if reach * itemsize(x.dtype) > len(x.memory.data):
            raise RefusedError(RuntimeError, "out of bounds for storage")
    return x.seen(sizes, strides, offset)


def view_dtype(x: Model, dtype: str) -> Model:
    old, new = itemsize(x.dtype), itemsize(dtype)
    if old == new:
        return x.seen(x.sizes, x.strides, dtype=dtype)
    if not x.rank:
        raise RefusedError(RuntimeError, "dim cannot be 0")
    if x.strides[-1] != 1:
        raise RefusedError(RuntimeError, "stride(-1) must be 1")
    if new < old:
        ratio = old // new
        strides = (*(stride * ratio for stride in x.strides[:-1]), 1)
        sizes = (*x.sizes[:-1], x.sizes[-1] * ratio)
        return x.seen(sizes, strides, x.offset * ratio, dtype)
    ratio = new // old
    divided = (x.sizes[-1], x.offset, *x.strides[:-1])
    if any(value % ratio for value in divided):
        raise RefusedError(RuntimeError, "must be divisible")
    strides = (*(stride // ratio for stride in x.strides[:-1]), 1)
    return x.seen((*x.sizes[:-1], x.sizes[-1] // ratio), strides, x.offset // ratio, dtype)


def _part(x: Model, place: int) -> Model:
    strides = tuple(2 * stride for stride in x.strides)
    return x.seen(x.sizes, strides, 2 * x.offset + place, REAL[x.dtype])


def real(x: Model) -> Model:
    return _part(x, 0) if x.dtype in COMPLEXES else x


def imag(x: Model) -> Model:
    if x.dtype not in COMPLEXES:
        raise RefusedError(RuntimeError, "imag is not implemented")
    return _part(x, 1)


def split(x: Model, size: int, dim: int) -> list[Model]:
    if not x.rank:
        raise RefusedError(RuntimeError, "split of rank 0")
    dim = wrap(dim, x.rank)
    length = x.sizes[dim]
    if size < 0 or (not size and length):
        raise RefusedError(RuntimeError, "split_size")
    starts = range(0, length, size) if size and length else [0]
    return [narrow(x, dim, start, min(size, length - start)) for start in starts]


def chunk(x: Model, count: int, dim: int) -> list[Model]:
    if not x.rank:
        raise RefusedError(RuntimeError, "chunk of rank 0")
    if count < 1:
        raise RefusedError(RuntimeError, "chunk expects chunks to be greater than 0")
    dim = wrap(dim, x.rank)
    size = -(-x.sizes[dim] // count)
    if not size:
        return [narrow(x, dim, 0, 0) for _ in range(count)]
    return split(x, size, dim)


def unbind(x: Model, dim: int) -> list[Model]:
    if not x.rank:
        raise RefusedError(IndexError, "unbind of rank 0")
    dim = wrap(dim, x.rank)
    return [select(x, dim, index) for index in range(x.sizes[dim])]


def getitem(x: Model, index: tuple[Any, ...]) -> Model:
    """Index with integers, slices (`("slice", start, stop, step)`), None and Ellipsis."""
    taken = sum(1 for item in index if item is not None and item is not Ellipsis)
    if taken > x.rank:
        raise RefusedError(IndexError, "too many indices")
    dim = 0
    for item in index:
        if item is None:
            x = unsqueeze(x, dim)
            dim += 1
        elif item is Ellipsis:
            rest = index[index.index(Ellipsis) + 1 :]
            dim = x.rank - sum(1 for other in rest if other is not None)
        elif isinstance(item, tuple):
            x = slice_dim(x, dim, cast(Slice, item))
            dim += 1
        else:
            x = select(x, dim, item)
    # Even an index that keeps everything gives another tensor.
    return x.seen(x.sizes, x.strides)


def _check_format(x: Model, form: str) -> None:
    if form in RANKS and RANKS[form] != x.rank:
        raise RefusedError(RuntimeError, f"required rank {RANKS[form]}")


def _strides_in(x: Model, form: str) -> Sizes:
    if form == "preserve_format":
        return preserved_strides(x.sizes, x.strides)
    if form == "contiguous_format":
        return contiguous_strides(x.sizes)
    return format_strides(x.sizes, form)


def clone(x: Model, form: str = "preserve_format") -> Model:
    _check_format(x, form)
    return copied(x, _strides_in(x, form))


def contiguous(x: Model, form: str = "contiguous_format") -> Model:
    if form == "preserve_format":
        raise RefusedError(RuntimeError, "preserve memory format is unsupported by contiguous")
    plain = form == "contiguous_format"
    if is_contiguous(*x.layout) if plain else is_channels_last(*x.layout, form):
        return x
    return clone(x, form)


def to(x: Model, dtype: str, form: str = "preserve_format") -> Model:
    _check_format(x, form)
    if x.dtype == dtype and form in ("preserve_format", suggested_format(*x.layout)):
        return x
    if form == "preserve_format":
        return cast_model(x, dtype)
    return copied(cast_model(x, dtype), _strides_in(x, form))


VIEWS: dict[str, Callable[..., Model | list[Model]]] = {
    "permute": permute,
    "transpose": transpose,
    "t": t,
    "mT": matrix_transpose,
    "movedim": movedim,
    "view": view,
    "reshape": reshape,
    "flatten": flatten,
    "unflatten": unflatten,
    "expand": expand,
    "select": select,
    "narrow": narrow,
    "diagonal": diagonal,
    "unfold": unfold,
    "squeeze": squeeze,
    "unsqueeze": unsqueeze,
    "as_strided": as_strided,
    "view_dtype": view_dtype,
    "real": real,
    "imag": imag,
    "split": split,
    "chunk": chunk,
    "unbind": unbind,
    "getitem": getitem,
    "clone": clone,
    "contiguous": contiguous,
    "to": to,
}
