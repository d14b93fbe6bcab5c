"""What do convolutions and pools compute? Each result from one window of the padded input.

A window's elements are looked up by their places, so that every kind of step, dilation and padding
is the same table of indices; what lies in the padding counts as a number of its own.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .evaluation import OPERATIONS, Several, Value, fresh
from .intervals import Array, Bounds, exactly, monotone, settled, total
from .products import MOST_PRODUCTS, check_dtypes, contracted, multiplied, scaled_sum
from .reductions import final, place_of
from .semantics import (
    FLOATS,
    Invalid,
    Layout,
    Shape,
    contiguous,
    is_channels_last,
    is_contiguous,
    strides_of_format,
    suggested_format,
)

Ints = tuple[int, ...]


def each(value: Any, dims: int) -> Ints:
    """Return one number for each dim."""
    numbers: Ints = (value,) if isinstance(value, int) else tuple(value)
    return numbers * dims if len(numbers) == 1 else numbers


def _places(starts: Sequence[Array], taps: Sequence[Array], sizes: Shape) -> tuple[Array, Array]:
    """Return [out..., taps] numbers of elements of spatial dims, and which of them there are."""
    dims = len(sizes)
    number: Array = np.zeros((1,) * (2 * dims), np.int64)
    there: Array = np.ones((1,) * (2 * dims), bool)
    for dim in range(dims):
        place = starts[dim][:, None] + taps[dim][None, :]
        shape = [1] * (2 * dims)
        shape[dim], shape[dims + dim] = place.shape
        place = place.reshape(shape)
        inside = (place >= 0) & (place < sizes[dim])
        number = number * sizes[dim] + np.where(inside, place, 0)
        there = there & inside
    out = [len(start) for start in starts]
    count = math.prod(len(tap) for tap in taps)
    there = np.broadcast_to(there, number.shape)
    return number.reshape(*out, count), there.reshape(*out, count)


def _looked_up(x: Bounds, dims: int, number: Array, there: Array, outside: float) -> Bounds:
    """Return [batch, channels, out..., taps] elements; those in the padding are `outside`."""

    def look(part: Array, filling: Any) -> Array:
        flat = part.reshape(*part.shape[: part.ndim - dims], -1)
        if not flat.shape[-1]:
            raise Invalid("no elements to look at")
        return np.where(there, flat[..., number], filling)

    return Bounds(look(x.low, outside), look(x.high, outside), look(x.known, True))


def _batched(x: Value, dims: int) -> tuple[Value, bool]:
    """Return a value with a batch dim in front, and whether it had one."""
    if len(x.shape) == dims + 2:
        return x, True
    if len(x.shape) != dims + 1:
        raise Invalid("ranks")
    found = OPERATIONS["unsqueeze"](x, 0)
    assert isinstance(found, Value)
    return found, False


def _unbatched(x: Value, was_batched: bool) -> Value:
    found = x if was_batched else OPERATIONS["select"](x, 0, 0)
    assert isinstance(found, Value)
    return fresh(found.dtype, found.shape, found.bounds, found.strides)


# ---- convolutions


def _format(x: Value, weight: Value, dims: int) -> str:
    """Return the format of a convolution: that of the input, else that of the weight.

    It is asked again of what was packed in it. One dim is the last of two, in an input that is
    packed and a weight as it is.
    """
    if 0 in x.shape or (dims == 3 and x.dtype in ("float16", "float64")):
        return "contiguous_format"
    layouts = [(x.shape, x.strides), (weight.shape, weight.strides)]
    if dims == 1:
        if not is_contiguous(x.shape, x.strides):
            layouts[0] = (x.shape, contiguous(x.shape))
        layouts = [_with_row(*layout) for layout in layouts]
    first, second = (suggested_format(*layout) for layout in layouts)
    found = second if first == "contiguous_format" else first
    if found == "contiguous_format":
        return found
    if dims == 3 and x.shape[0] == 1:
        raise Invalid("PyTorch keeps channels last here where there is much work")
    packed = [
        (shape, strides if is_channels_last(shape, strides) else strides_of_format(shape, found))
        for shape, strides in layouts
    ]
    is_kept = any(suggested_format(*layout) == found for layout in packed)
    return found if is_kept else "contiguous_format"


def _with_row(shape: Shape, strides: Shape) -> Layout:
    """Return a layout with a dim of one before the last."""
    *outer, inner = strides
    return (*shape[:-1], 1, shape[-1]), (*outer, shape[-1] * inner, inner)


def _packed_in(shape: Shape, memory_format: str, dims: int) -> Shape:
    """Return the strides of a result in a format; of one dim, those of two without the first."""
    if dims > 1:
        return strides_of_format(shape, memory_format)
    *first, _, last = strides_of_format((*shape[:2], 1, shape[2]), memory_format)
    return (*first, last)


def _contracted_windows(windows: Bounds, weight: Bounds, groups: int, dtype: str) -> Bounds:
    """Return sums over the channels of a group and the taps; not rounded."""
    batch, channels, *out, taps = windows.low.shape
    features, inner = weight.low.shape[:2]
    sizes = [batch, groups, 1, inner, *out, taps]
    if math.prod(sizes) * features // groups > MOST_PRODUCTS or channels != inner * groups:
        raise Invalid("channels")
    seen = windows.map(lambda part: part.reshape(sizes))
    shape = [1, groups, features // groups, inner, *[1] * len(out), taps]
    filters = weight.map(lambda part: part.reshape(shape))
    terms = multiplied(seen, filters, dtype)
    # [N, G, F, C, out..., taps]: channels beside the taps
    flat = terms.map(lambda part: np.moveaxis(part, 3, -2))
    joined = flat.map(lambda part: part.reshape(batch, features, *out, inner * taps))
    return contracted(joined, dtype)


def _finite(*operands: Value) -> None:
    """Refuse what would meet the zeros of the padding: PyTorch's kernels differ there."""
    for x in operands:
        if not (np.isfinite(x.bounds.low) & np.isfinite(x.bounds.high)).all():
            raise Invalid("infinities in a convolution")


def _biased(sums: Bounds, bias: Value | None, dtype: str, dims: int) -> Bounds:
    if bias is None:
        return final(sums, dtype)
    shift = bias.bounds.map(lambda part: part.reshape(-1, *[1] * dims))
    once = scaled_sum(shift, sums, dtype)
    twice = scaled_sum(shift, final(sums, dtype), dtype)
    low, high = np.minimum(once.low, twice.low), np.maximum(once.high, twice.high)
    return settled(low, high, once.known & twice.known)


def _margins(padding: Any, kernel: Shape, dilation: Ints) -> list[tuple[int, int]]:
    if padding == "valid":
        return [(0, 0)] * len(kernel)
    if padding == "same":
        totals = [apart * (size - 1) for apart, size in zip(dilation, kernel, strict=True)]
        return [(total // 2, total - total // 2) for total in totals]
    return [(amount, amount) for amount in each(padding, len(kernel))]


def _convolution(dims: int) -> Callable[..., Value]:
    def operation(
        x: Value,
        weight: Value,
        bias: Value | None = None,
        *,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
    ) -> Value:
        given = () if bias is None else (bias,)
        dtype = check_dtypes(x, weight, *given, dtypes=FLOATS)
        _finite(x, weight, *given)
        whole, was_batched = _batched(x, dims)
        sizes, kernel = whole.shape[2:], weight.shape[2:]
        steps, apart = each(stride, dims), each(dilation, dims)
        starts: list[Array] = []
        for dim, (before, after) in enumerate(_margins(padding, kernel, apart)):
            last = sizes[dim] + after - apart[dim] * (kernel[dim] - 1)
            if last + before <= 0 or not kernel[dim]:
                raise Invalid("the kernel is larger than the input")
            starts.append(np.asarray(range(-before, last, steps[dim]), np.int64))
        taps = [
            np.asarray(range(size), np.int64) * a for size, a in zip(kernel, apart, strict=True)
        ]
        number, there = _places(starts, taps, sizes)
        windows = _looked_up(whole.bounds, dims, number, there, 0.0)
        sums = _contracted_windows(windows, weight.bounds, groups, dtype)
        bounds = _biased(sums, bias, dtype, dims)
        shape = bounds.low.shape
        strides = _packed_in(shape, _format(whole, weight, dims), dims)
        return _unbatched(fresh(dtype, shape, bounds, strides), was_batched)

    return operation


def _transposed_convolution(dims: int) -> Callable[..., Value]:
    """Return a convolution with turned kernels of an input that is spread by the stride."""

    def operation(
        x: Value,
        weight: Value,
        bias: Value | None = None,
        *,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        dilation: Any = 1,
    ) -> Value:
        given = () if bias is None else (bias,)
        dtype = check_dtypes(x, weight, *given, dtypes=("float32", "float64"))
        _finite(x, weight, *given)
        whole, was_batched = _batched(x, dims)
        steps, apart = each(stride, dims), each(dilation, dims)
        margins, more = each(padding, dims), each(output_padding, dims)
        sizes, kernel = whole.shape[2:], weight.shape[2:]
        if any(e >= s and e >= a for e, s, a in zip(more, steps, apart, strict=True)):
            raise Invalid("output_padding")
        number, there = np.zeros((), np.int64), np.ones((), bool)
        for dim, size in enumerate(sizes):
            out = (size - 1) * steps[dim] - 2 * margins[dim] + apart[dim] * (kernel[dim] - 1)
            out += more[dim] + 1
            if out <= 0:
                raise Invalid("nothing is left")
            reach = np.asarray(range(out))[:, None] + margins[dim]
            reach = reach - apart[dim] * np.asarray(range(kernel[dim]))[None, :]
            fits = (reach % steps[dim] == 0) & (reach >= 0) & (reach // steps[dim] < size)
            shape = [1] * (2 * dims)
            shape[dim], shape[dims + dim] = reach.shape
            place = np.where(fits, reach // steps[dim], 0).reshape(shape)
            number, there = number * size + place, there & fits.reshape(shape)
        there = np.broadcast_to(there, number.shape)
        flat = (*number.shape[:dims], math.prod(kernel))
        windows = _looked_up(whole.bounds, dims, number.reshape(flat), there.reshape(flat), 0.0)
        inner, features = weight.shape[0] // groups, weight.shape[1]

        def turned(part: Array) -> Array:
            parts = part.reshape(groups, inner, features, *kernel).swapaxes(1, 2)
            return parts.reshape(groups * features, inner, *kernel)

        sums = _contracted_windows(windows, weight.bounds.map(turned), groups, dtype)
        bounds = _biased(sums, bias, dtype, dims)
        strides = _packed_in(bounds.low.shape, _format(whole, weight, dims), dims)
        return _unbatched(fresh(dtype, bounds.low.shape, bounds, strides), was_batched)

    return operation


# ---- pools


def _pooled_size(size: int, kernel: int, step: int, margin: int, apart: int, ceil: bool) -> int:
    reach = size + 2 * margin - apart * (kernel - 1) - 1
    count = -(-reach // step) + 1 if ceil else reach // step + 1
    # The last window begins in the input or in the padding before it.
    return count - 1 if ceil and (count - 1) * step >= size + margin else count


def _pool_windows(
    x: Value, dims: int, kernel: Any, stride: Any, padding: Any, dilation: Any, ceil: bool
) -> tuple[list[Array], list[Array]]:
    sizes, kernel = x.shape[-dims:], each(kernel, dims)
    steps = kernel if stride is None else each(stride, dims)
    margins, apart = each(padding, dims), each(dilation, dims)
    starts: list[Array] = []
    for dim in range(dims):
        numbers = (kernel[dim], steps[dim], margins[dim], apart[dim])
        if steps[dim] < 1:
            raise Invalid("a stride of nothing")
        count = _pooled_size(sizes[dim], *numbers, ceil)
        if count < 1 or 2 * margins[dim] > kernel[dim] or not sizes[dim]:
            raise Invalid("nothing to pool")
        starts.append(np.asarray(range(count), np.int64) * steps[dim] - margins[dim])
    return starts, [np.asarray(range(k), np.int64) * a for k, a in zip(kernel, apart, strict=True)]


def _strides(x: Value, shape: Shape, dims: int) -> Shape | None:
    """Return the strides of a pool: its input's format, if it has a batch.

    A pool over one dim is one over two, of which the first has a single place. Plain averages
    over three dims are contiguous.
    """
    if len(x.shape) != dims + 2:
        return None
    layout = _with_row(x.shape, x.strides) if dims == 1 else (x.shape, x.strides)
    return _packed_in(shape, suggested_format(*layout), dims)


def _max_pool(dims: int, with_indices: bool) -> Callable[..., Any]:
    def operation(
        x: Value,
        kernel_size: Any,
        *,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        ceil_mode: bool = False,
        return_indices: bool = True,
    ) -> Value | Several:
        check_dtypes(x, dtypes=FLOATS)
        _batched(x, dims)
        places = _pool_windows(x, dims, kernel_size, stride, padding, dilation, ceil_mode)
        number, there = _places(*places, x.shape[-dims:])
        if not there.any(-1).all():
            raise Invalid("a window of padding")
        terms = _looked_up(x.bounds, dims, number, there, -np.inf)
        if np.isneginf(x.bounds.low).any():
            raise Invalid("padding that looks like an element")
        low, high = terms.low.max(-1), terms.high.max(-1)
        zero = (low == 0) & (high == 0)
        low, high = np.where(zero, -0.0, low), np.where(zero, 0.0, high)
        known = np.asarray(terms.known.all(-1))
        # Without indices a pool over one dim has a kernel of its own, whose result is contiguous.
        strides = _strides(x, low.shape, dims) if with_indices or dims > 1 else None
        values = fresh(x.dtype, low.shape, settled(low, high, known), strides)
        if not with_indices:
            return values
        best = place_of(terms, x.dtype, is_max=True)
        whole = np.broadcast_to(number, terms.low.shape)
        found = np.take_along_axis(whole, best.low[..., None], -1)[..., 0]
        indices = Bounds(found, found, best.known)
        return Several((values, fresh("int64", low.shape, indices, strides)))

    return operation


def _counts(
    places: tuple[list[Array], list[Array]], sizes: Shape, padding: Ints, with_padding: bool
) -> Array:
    """Return by how much each window of an average is divided: by no more than there is."""
    count: Array = np.ones((1,) * len(sizes))
    for dim, (start, taps) in enumerate(zip(*places, strict=True)):
        margin = padding[dim] if with_padding else 0
        last = np.minimum(start + len(taps), sizes[dim] + margin)
        first = start if with_padding else np.maximum(start, 0)
        shape = [1] * len(sizes)
        shape[dim] = len(start)
        count = count * (last - first).reshape(shape)
    return count


def _average_pool(dims: int) -> Callable[..., Value]:
    def operation(
        x: Value,
        kernel_size: Any,
        *,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> Value:
        dtype = check_dtypes(x, dtypes=("float32", "float64"))
        _batched(x, dims)
        _finite(x)
        places = _pool_windows(x, dims, kernel_size, stride, padding, 1, ceil_mode)
        sizes = x.shape[-dims:]
        number, there = _places(*places, sizes)
        terms = _looked_up(x.bounds, dims, number, there, 0.0)
        counts = _counts(places, sizes, each(padding, dims), count_include_pad)
        if divisor_override is not None:
            counts = np.full(counts.shape, float(divisor_override))
        if (counts <= 0).any():
            raise Invalid("a window of nothing")
        sums = final(total(terms, dtype, terms.low.shape[-1]), dtype)
        bounds = _divided(sums, counts, dtype)
        strides = None if dims == 3 else _strides(x, bounds.low.shape, dims)
        return fresh(dtype, bounds.low.shape, bounds, strides)

    return operation


def _divided(sums: Bounds, counts: Array, dtype: str) -> Bounds:
    """Return quotients, or products with a reciprocal: two roundings."""
    found = monotone(np.divide, (sums, exactly(np.broadcast_to(counts, sums.low.shape))), dtype, 1)
    zero = (found.low == 0) & (found.high == 0)
    return Bounds(np.where(zero, -0.0, found.low), np.where(zero, 0.0, found.high), found.known)


def _adaptive_bounds(size: int, wanted: int) -> list[tuple[int, int]]:
    return [(n * size // wanted, -(-(n + 1) * size // wanted)) for n in range(wanted)]


def _adaptive(dims: int, is_max: bool) -> Callable[..., Any]:
    def operation(x: Value, output_size: Any, *, return_indices: bool = True) -> Value | Several:
        dtype = check_dtypes(x, dtypes=FLOATS if is_max else ("float32", "float64"))
        _batched(x, dims)
        if 0 in x.shape:
            raise Invalid("nothing to pool")
        wanted = each(output_size, dims)
        ends = [_adaptive_bounds(s, w) for s, w in zip(x.shape[-dims:], wanted, strict=True)]
        flat = np.arange(math.prod(x.shape[-dims:])).reshape(x.shape[-dims:])
        shape = (*x.shape[: len(x.shape) - dims], *wanted)
        low, high = np.zeros(shape), np.zeros(shape)
        known, found = np.ones(shape, bool), np.zeros(shape, np.int64)
        decided = known.copy()
        for place in itertools.product(*map(range, wanted)):
            bounds = [ends[dim][n] for dim, n in enumerate(place)]
            box = tuple(slice(first, last) for first, last in bounds)
            rows = x.bounds.map(lambda part, b=box: part[(..., *b)].reshape(*shape[:-dims], -1))
            at = (..., *place)
            if is_max:
                best = place_of(rows, dtype, is_max=True)
                low[at], high[at] = rows.low.max(-1), rows.high.max(-1)
                known[at], decided[at] = rows.known.all(-1), best.known
                found[at] = flat[box].reshape(-1)[best.low]
            else:
                count = rows.low.shape[-1]
                sums = final(total(rows, dtype, count), dtype)
                low[at], high[at], known[at] = _divided(sums, np.asarray(float(count)), dtype)
        is_kept = dims < 3 or (not is_max and set(wanted) == {1})
        strides = _strides(x, shape, dims) if is_kept else None
        zero = (low == 0) & (high == 0)
        low, high = np.where(zero, -0.0, low), np.where(zero, 0.0, high)
        values = fresh(dtype, shape, settled(low, high, known), strides)
        if not is_max:
            return values
        return Several((values, fresh("int64", shape, Bounds(found, found, decided), strides)))

    return operation


OPERATIONS.update(
    {
        **{f"conv{dims}d": _convolution(dims) for dims in (1, 2, 3)},
        **{f"conv_transpose{dims}d": _transposed_convolution(dims) for dims in (1, 2, 3)},
        **{f"avg_pool{dims}d": _average_pool(dims) for dims in (1, 2, 3)},
        **{f"max_pool{dims}d": _max_pool(dims, with_indices=False) for dims in (1, 2, 3)},
        **{
            f"nn_functional_max_pool{dims}d": _max_pool(dims, with_indices=True)
            for dims in (1, 2, 3)
        },
        **{f"adaptive_avg_pool{dims}d": _adaptive(dims, is_max=False) for dims in (1, 2, 3)},
        **{
            f"nn_functional_adaptive_max_pool{dims}d": _adaptive(dims, is_max=True)
            for dims in (1, 2, 3)
        },
    }
)
