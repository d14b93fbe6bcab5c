"""What do joins give, copies in another order, and complex numbers seen as pairs? Bit for bit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .layout import (
    Sizes,
    contiguous_strides,
    format_strides,
    preserved_strides,
    suggested_format,
)
from .model import Model, copied, new
from .values import (
    COMPLEXES,
    REAL,
    RefusedError,
    UndefinedError,
    cast,
    result_type,
)
from .views import unsqueeze, view, wrap

_COMPLEX_OF = {real: whole for whole, real in REAL.items()}


def cat(first: Model, second: Model, dim: int) -> Model:
    """Join along a dim, in the format that both seem to have."""
    if not first.rank or not second.rank:
        raise RefusedError(RuntimeError, "zero-dimensional tensor cannot be concatenated")
    if (0,) in (first.sizes, second.sizes):
        raise UndefinedError("a tensor of one empty dim fits beside any other")
    dim = wrap(dim, first.rank)
    sizes = [_without(x.sizes, dim) for x in (first, second)]
    if first.rank != second.rank or sizes[0] != sizes[1]:
        raise RefusedError(RuntimeError, "sizes of tensors must match")
    dtype = result_type([(x.dtype, x.rank) for x in (first, second)])
    parts = [cast(x.array(), x.dtype, dtype) for x in (first, second)]
    joined = np.concatenate(parts, dim)
    formats = {suggested_format(*x.layout) for x in (first, second)}
    form = formats.pop() if len(formats) == 1 else "contiguous_format"
    plain = form == "contiguous_format"
    strides = contiguous_strides(joined.shape) if plain else format_strides(joined.shape, form)
    return new(joined, dtype, joined.shape, strides)


def stack(first: Model, second: Model, dim: int) -> Model:
    """Join along a new dim: PyTorch joins along the one that is there, and splits it."""
    if first.sizes != second.sizes:
        raise RefusedError(RuntimeError, "stack expects each tensor to be equal size")
    dim = wrap(dim, first.rank + 1)
    if dim == first.rank:
        return cat(unsqueeze(first, dim), unsqueeze(second, dim), dim)
    joined = cat(first, second, dim)
    return view(joined, (*first.sizes[:dim], 2, *first.sizes[dim:]))


def _without(values: Sizes, dim: int) -> Sizes:
    return values[:dim] + values[dim + 1 :]


def flip(x: Model, dims: Sizes) -> Model:
    """Return the elements in reverse along dims."""
    places = [wrap(dim, x.rank) for dim in dims]
    if len(set(places)) < len(places):
        raise RefusedError(RuntimeError, "dim appears multiple times in the list of dims")
    turned = np.flip(x.array(), tuple(places)) if x.rank else x.array()
    return new(turned, x.dtype, x.sizes, preserved_strides(*x.layout))


def conj(x: Model) -> Model:
    """Return the conjugates, computed: a tensor of real numbers is itself."""
    if x.dtype not in COMPLEXES:
        return x
    found = copied(x, preserved_strides(*x.layout))
    found.array()[...] = np.conj(found.array())
    return found


def view_as_real(x: Model) -> Model:
    """See each complex number as a pair."""
    if x.dtype not in COMPLEXES:
        raise RefusedError(RuntimeError, "view_as_real is only supported for complex tensors")
    strides = (*(2 * stride for stride in x.strides), 1)
    return x.seen((*x.sizes, 2), strides, 2 * x.offset, REAL[x.dtype])


def view_as_complex(x: Model) -> Model:
    """See pairs as complex numbers."""
    if x.dtype in ("float16", "bfloat16"):
        raise UndefinedError("complex numbers of halves are no dtype of these programs")
    if x.dtype not in _COMPLEX_OF:
        raise RefusedError(RuntimeError, "view_as_complex is only supported for floats")
    if not x.rank or x.sizes[-1] != 2 or x.strides[-1] != 1:
        raise RefusedError(RuntimeError, "tensor must have a last dimension of size and stride")
    steps = [step for size, step in zip(x.sizes[:-1], x.strides, strict=False) if size != 1]
    if x.offset % 2 or any(step % 2 for step in steps):
        raise RefusedError(RuntimeError, "tensor must be divisible by two")
    strides = tuple(stride // 2 for stride in x.strides[:-1])
    return x.seen(x.sizes[:-1], strides, x.offset // 2, _COMPLEX_OF[x.dtype])


MOVES: dict[str, Callable[..., Model]] = {
    "cat": cat,
    "stack": stack,
    "flip": flip,
    "conj": conj,
    "conj_physical": conj,
    "view_as_real": view_as_real,
    "view_as_complex": view_as_complex,
}
