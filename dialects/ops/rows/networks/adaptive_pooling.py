"""Which pools are told how many windows there shall be? The adaptive ones, whose windows vary.

Window number i of n over s elements begins at floor(i s / n) and ends before ceil((i + 1) s / n).
Where n divides s all windows are equal, and views; else their elements are gathered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from ....attributes.dtype import DType, bfloat16, float16, float32, int64
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithRuntimeError, TrilithTypeError, TrilithValueError
from ....records import record
from ...frame.gradients import NodeName, by_steps
from ...frame.opspec import composite
from ...frame.row import TensorLanguage
from ...frame.rules import FLOATS, check_dtype
from ...frame.schema import Schema
from ...frame.view_rows import tensor_of
from ...frame.windows import Ints
from ...gradients.pools import of_adaptive_max_pool
from ..reductions.extremes import lowest
from .pool_shapes import Pool
from .pooling import in_format_of, largest_in_pool, nested, ones_of, over_last, sums_in_pool

#: What sums of elements of 16 bits are computed in, until they have been divided.
_WIDE = {float16: float32, bfloat16: float32}


@record
class _Windows:
    """The windows of one dim as tensors: where they begin, how long they are, all their indices.

    `index` has a row for each window, longer than it may be; `inside` says what belongs to it.
    """

    starts: Any
    lengths: Any
    index: Any
    inside: Any


def _windows(t: TensorLanguage, like: TensorSpec, size: int, count: int) -> _Windows:
    def numbers(length: int) -> Any:
        return t.call("arange", 0, length, 1, dtype=int64, device=like.device)

    def divided(value: Any, by: int) -> Any:
        return t.call("div", value, by, rounding_mode="floor")

    own = numbers(count)
    starts = divided(t.call("mul", own, size), count)
    after = t.call("mul", t.call("add", own, 1), size)
    lengths = t.call("sub", divided(t.call("add", after, count - 1), count), starts)
    # Where n does not divide s, no window is longer: it begins and ends within an element's reach.
    along = numbers(size // count + 2)
    index = t.call("clamp_max", t.call("add", t.call("unsqueeze", starts, 1), along), size - 1)
    inside = t.call("lt", along, t.call("unsqueeze", lengths, 1))
    return _Windows(starts, lengths, index, inside)


def _placed(t: TensorLanguage, value: Any, dims: int, number: int) -> Any:
    """Return a tensor of (windows, ...) of one dim so that it broadcasts with those of all."""
    spec = tensor_of(t, value)
    behind = (dims - 1 - number) * spec.rank
    return t.call("view", value, (*spec.shape, *(1,) * behind))


def _gathered(
    t: TensorLanguage, input: Any, counts: Ints, outside: Any
) -> tuple[Any, list[_Windows], Ints]:
    """Return all elements of all windows, the windows, and the dims of their elements."""
    spec, dims = tensor_of(t, input), len(counts)
    first = spec.rank - dims
    found = [
        _windows(t, spec, size, count)
        for size, count in zip(spec.shape[first:], counts, strict=True)
    ]
    places = [_placed(t, dim.index, dims, number) for number, dim in enumerate(found)]
    taken = t.call("take_at", input, places, tuple(range(first, spec.rank)), wrap=False)
    inside = None
    for number, dim in enumerate(found):
        here = _placed(t, dim.inside, dims, number)
        inside = here if inside is None else t.call("logical_and", inside, here)
    over = tuple(first + 1 + 2 * number for number in range(dims))
    return t.call("where", inside, taken, outside), found, over


def _sums(t: TensorLanguage, input: Any, counts: Ints, dtype: DType) -> tuple[Any, Any]:
    """Return the sums of all windows, and how many elements each has.

    It is done dim by dim: sums of rows are read along the next one, and of all dims but the last
    whole rows lie side by side.
    """
    spec, dims = tensor_of(t, input), len(counts)
    total, elements = input, None
    for number, count in enumerate(counts):
        dim = spec.rank - dims + number
        found = _windows(t, spec, spec.shape[dim], count)
        ones = (1,) * (dims - 1 - number)
        taken = t.call("take_at", total, [found.index], (dim,), wrap=False)
        inside = t.call("view", found.inside, (*tensor_of(t, found.inside).shape, *ones))
        kept = t.call("where", inside, taken, 0.0)
        total = t.call("sum", kept, (dim + 1,), dtype=dtype)
        lengths = t.call("view", found.lengths, (count, *ones))
        elements = lengths if elements is None else t.call("mul", elements, lengths)
    return total, elements


def _equal_pool(spec: TensorSpec, counts: Ints) -> Pool | None:
    """Return the plain pool that has the same windows, if there is one."""
    sizes = spec.shape[-len(counts) :]
    if any(count == 0 or size % count for size, count in zip(sizes, counts, strict=True)):
        return None
    kernel = tuple(size // count for size, count in zip(sizes, counts, strict=True))
    zeros, ones = (0,) * len(counts), (1,) * len(counts)
    return Pool(kernel, kernel, zeros, ones, sizes, counts)


def _counts(what: str, spec: TensorSpec, output_size: Any, dims: int) -> Ints:
    """Return how many windows each dim shall have; None: as many as it has elements."""
    if output_size is None:
        raise TrilithTypeError(
            f"{what}(): output_size must be an integer, or a tuple of {dims} integers (or None "
            "for a dim that shall keep its size), but it is None"
        )
    given: Any = output_size
    if dims == 1 and len(given) != 1:
        raise TrilithRuntimeError(
            f"{what}() argument 'output_size' should contain one int (got {len(given)})"
        )
    if len(given) != dims:
        start = f"{what}():" if "max" in what else f"{what}:"
        text = "internal error: output_size.size()" if "max" in what else "output_size"
        raise TrilithRuntimeError(f"{start} {text} must be {dims}")
    sizes = spec.shape[-dims:] if spec.rank >= dims else (0,) * dims
    return tuple(
        size if number is None else number for number, size in zip(given, sizes, strict=True)
    )


def _check(what: str, spec: TensorSpec, counts: Ints) -> None:
    """Refuse shapes as PyTorch does."""
    dims = len(counts)
    is_max = "max" in what
    if spec.rank not in (dims + 1, dims + 2):
        if dims == 1:
            raise TrilithRuntimeError(
                f"Expected 2 to 3 dimensions, but got {spec.rank}-dimensional tensor for argument "
                f"#1 'self' (while checking arguments for {what})"
            )
        colon = ":" if is_max else ""
        raise TrilithRuntimeError(
            f"{what}(): Expected {dims + 1}D or {dims + 2}D tensor, but got{colon} "
            f"{list(spec.shape)}"
        )
    shape, name = spec.shape, what
    if dims == 1 and not is_max:
        shape, name = (*spec.shape[:-1], 1, spec.shape[-1]), "adaptive_avg_pool2d"
    first = len(shape) - max(dims, 2 if not is_max else 1)
    # A mean over no channels is nothing; 3-D kernels and the largest want some.
    first -= is_max or dims == 3
    for dim in range(first, len(shape)):
        if not shape[dim]:
            raise TrilithRuntimeError(
                f"{name}(): Expected input to have non-zero size for non-batch dimensions, but "
                f"input has sizes {list(shape)} with dimension {dim} being empty"
            )
    if min(counts) < 0 and not is_max:
        shown = f"{{1, {counts[0]}}}" if dims == 1 else "{" + ", ".join(map(str, counts)) + "}"
        if dims == 3:
            shown = "{" + f"{counts[0]}, {counts[1]},{counts[2]}" + "}"
        raise TrilithRuntimeError(
            f"{name}: elements of output_size must be greater than or equal to 0 but received "
            f"{shown}"
        )
    if min(counts) < 0:
        made = (*spec.shape[:-dims], *((1,) if dims == 1 else ()), *counts)
        raise TrilithRuntimeError(
            f"Trying to create tensor with negative dimension {min(counts)}: {list(made)}"
        )


def _nothing(t: TensorLanguage, spec: TensorSpec, counts: Ints, dtype: Any) -> Any:
    dims = len(counts)
    shape = (*spec.shape[:-dims], *counts)
    made = t.call("empty", shape, dtype=dtype, device=spec.device)
    return in_format_of(t, spec, made, dims, is_kept=dims < 3)


def _avg_pool(dims: int) -> Callable[..., Any]:
    what = f"adaptive_avg_pool{dims}d"
    kernel = "adaptive_avg_pool3d_cpu" if dims == 3 else "adaptive_avg_pool2d"

    def expand(t: TensorLanguage, input: Any, output_size: Any) -> Any:
        spec = tensor_of(t, input)
        counts = _counts(what, spec, output_size, dims)
        if dims > 1 and set(counts) == {1} and spec.rank not in (dims + 1, dims + 2):
            # PyTorch computes the mean of all elements before it looks at the number of dims.
            return t.call("mean", input, tuple(range(-dims, 0)), True)
        _check(what, spec, counts)
        if not spec.numel:
            made = t.call("reshape", input, (*spec.shape[:-dims], *counts))
            return in_format_of(t, spec, made, dims, is_kept=dims < 3)
        if 0 in counts:
            return _nothing(t, spec, counts, spec.dtype)
        check_dtype(kernel, spec.dtype, FLOATS)
        wide = _WIDE.get(spec.dtype, spec.dtype)
        pool = _equal_pool(spec, counts)
        if pool is not None:
            divisor: Any = 1
            for size in pool.kernel:
                divisor = divisor * size
            total = sums_in_pool(t, input, pool, wide)
        else:
            total, divisor = _sums(t, input, counts, wide)
        mean = t.call("div", total, divisor)
        mean = mean if tensor_of(t, mean).dtype is spec.dtype else t.call("to", mean, spec.dtype)
        # A mean over all elements has no kernel of its own.
        return in_format_of(t, spec, mean, dims, is_kept=dims < 3 or set(counts) == {1})

    return expand


def _max_pool(dims: int) -> Callable[..., Any]:
    what = f"adaptive_max_pool{dims}d"
    kernel = "adaptive_max_pool3d_cpu" if dims == 3 else "adaptive_max_pool2d"

    def expand(t: TensorLanguage, input: Any, output_size: Any, return_indices: bool = True) -> Any:
        spec = tensor_of(t, input)
        counts = _counts(what, spec, output_size, dims)
        _check(what, spec, counts)
        if 0 in counts or not spec.numel:
            parts = tuple(_nothing(t, spec, counts, dtype) for dtype in (spec.dtype, int64))
            return parts if return_indices else parts[0]
        check_dtype(kernel, spec.dtype, FLOATS)
        pool = _equal_pool(spec, counts)
        if pool is not None:
            made = largest_in_pool(t, input, pool, with_places=return_indices)
            parts = made if return_indices else (made,)
        else:
            elements, found, over = _gathered(t, input, counts, lowest(spec.dtype))
            if return_indices:
                values, numbers = t.call("largest_of_windows", elements, over)
                parts = (values, _places(t, spec, numbers, found))
            else:
                parts = (t.call("amax", elements, over),)
        parts = tuple(in_format_of(t, spec, part, dims, is_kept=dims < 3) for part in parts)
        return parts if return_indices else parts[0]

    return expand


def _places(t: TensorLanguage, spec: TensorSpec, numbers: Any, found: list[_Windows]) -> Any:
    """Turn the number of an element of each window into its number in the dims of the input."""
    dims, total, left = len(found), None, numbers
    step = 1
    for number in reversed(range(dims)):
        longest = tensor_of(t, found[number].index).shape[1]
        index = t.call("remainder", left, longest)
        left = t.call("div", left, longest, rounding_mode="floor")
        place = t.call("add", index, _placed(t, found[number].starts, dims, number))
        place = t.call("mul", place, step) if number < dims - 1 else place
        total = place if total is None else t.call("add", total, place)
        step = step * spec.shape[spec.rank - dims + number]
    return total


def _one_for_all(dims: int) -> Callable[..., dict[str, Any]]:
    """Return a binder that spreads one integer; a sequence of one is refused, as in PyTorch."""

    def bind(
        schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
    ) -> dict[str, Any]:
        bound = schema.bind(arguments, keywords)
        image: Any = bound["input"]
        given = arguments[1] if len(arguments) > 1 else keywords.get("output_size")
        if given is not None and not isinstance(given, (tuple, list)):
            bound["output_size"] = (given,) * dims
        elif given is not None and len(cast("Ints", given)) >= len(image.shape):
            least = len(cast("Ints", given)) + 1
            raise TrilithValueError(f"Input dimension should be at least {least}")
        return bound

    return bind


def _name_of_mean(dims: int) -> NodeName:
    """Return what names the node of an adaptive mean: one of all elements is that of `mean`."""

    def choose(bound: Mapping[str, Any]) -> str:
        if dims > 1 and set(bound["output_size"]) == {1}:
            return "MeanBackward1"
        return "SqueezeBackward1" if dims == 1 else f"AdaptiveAvgPool{dims}DBackward0"

    return choose


def _always(expand: Callable[..., Any]) -> Callable[..., Any]:
    def with_places(t: TensorLanguage, input: Any, output_size: Any, return_indices: bool) -> Any:
        return expand(t, input, output_size)

    return with_places


#: How the sizes of the result are given, for so many dims, and what spreads one of them.
_SIZES = {
    1: "SymInt[1] output_size",
    2: "int?[2] output_size",
    3: "int?[3] output_size",
}
_BINDERS = {1: None, 2: _one_for_all(2), 3: _one_for_all(3)}


def _register_mean(dims: int) -> None:
    size, what, ones = _SIZES[dims], over_last(dims), ones_of(dims, 4)
    composite(
        f"adaptive_avg_pool{dims}d(Tensor input, {size})",
        f"The means of windows of {what}, as many as asked for.",
        f"tri.nn.functional.adaptive_avg_pool{dims}d(tri.{ones}, 1).tolist()"
        f"  # {nested(dims, '1.0')}",
        _avg_pool(dims),
        methods=(),
        is_public=dims == 1,
        places=(f"nn.functional.adaptive_avg_pool{dims}d",),
        binder=_BINDERS[dims],
        opens_integers=True,
        gradient=by_steps(_name_of_mean(dims), "input"),
    )


def _register_largest(dims: int) -> None:
    size, what, ones = _SIZES[dims], over_last(dims), ones_of(dims, 4)
    with_indices = f"adaptive_max_pool{dims}d_with_indices"
    composite(
        f"{with_indices}(Tensor input, {size}, bool return_indices=False)",
        f"The largest elements of windows of {what}, as many as asked for, and where they are.",
        f"tri.nn.functional.{with_indices}(tri.{ones}, 1)[1].tolist()  # {nested(dims, '0')}",
        _always(_max_pool(dims)),
        methods=(),
        is_public=False,
        places=(f"nn.functional.{with_indices}",),
        binder=_BINDERS[dims],
        opens_integers=True,
        returns="tuple[Tensor, Tensor]",
        gradient=of_adaptive_max_pool(dims),
    )
    composite(
        f"nn_functional_adaptive_max_pool{dims}d(Tensor input, {size}, bool return_indices=False)",
        f"The largest elements of windows of {what}, as many as asked for.",
        f"tri.nn.functional.adaptive_max_pool{dims}d(tri.{ones}, 1).tolist()"
        f"  # {nested(dims, '1.0')}",
        _max_pool(dims),
        methods=(),
        is_public=False,
        places=(f"nn.functional.adaptive_max_pool{dims}d",),
        binder=_BINDERS[dims],
        opens_integers=True,
        returns="Any",
        gradient=of_adaptive_max_pool(dims),
    )


for _dims in (1, 2, 3):
    _register_mean(_dims)
    _register_largest(_dims)
composite(
    "adaptive_max_pool1d(Tensor input, SymInt[1] output_size)",
    "The largest elements of windows of the last dim, as many as asked for, and where they are.",
    "tri.adaptive_max_pool1d(tri.tensor([[1., 5., 3.]]), 1)  # (tensor([[5.]]), tensor([[1]]))",
    _max_pool(1),
    methods=(),
    gradient=of_adaptive_max_pool(1),
    returns="tuple[Tensor, Tensor]",
)
