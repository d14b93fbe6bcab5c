"""Which operations make one element of each window? Pools: the largest, the mean, a norm.

What is around the input is added to a copy; windows are views of that, which one kernel reduces.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ....attributes.dtype import DType, bfloat16, float16, float32, int64
from ....attributes.memory_format import contiguous_format
from ....attributes.spec import TensorSpec
from ....attributes.strides import suggest_memory_format
from ....diagnostics import TrilithRuntimeError
from ...frame.gradients import by_steps
from ...frame.opspec import ReductionOp, composite
from ...frame.reduction_fields import EmptyReduction, JointReduction, Scalars
from ...frame.reduction_rules import reduced_dims, reduced_shape
from ...frame.row import Attributes, OperandSpec, Resolved, TensorLanguage
from ...frame.rules import FLOATS, INTEGERS, check_dtype
from ...frame.view_rows import tensor_of
from ...frame.windows import Ints, as_tuple, padded, windows_of
from ...gradients.pools import OF_LARGEST, of_max_pool
from ...scalars import scalar
from ..reductions.extremes import all_parts, lowest, with_index
from ..reductions.reduction import reduction
from .pool_shapes import Pool, pool_of
from .softmax import in_format

#: What sums of elements of 16 bits are computed in, until they have been divided.
_WIDE = {float16: float32, bfloat16: float32}

ShapeAndStrides: TypeAlias = tuple[Ints, Ints]


# ---- the largest element and where it is


def _from_lowest(dtype: DType) -> tuple[float, ...]:
    """Start from what no element is below, and the first index."""
    return lowest(dtype), 0


def _keep_largest(earlier: Scalars, later: Scalars) -> Scalars:
    """Keep the first of equal elements, but the last NaN, as PyTorch's pools do."""
    wins = (later[0] > earlier[0]) | scalar.isnan(later[0])
    return tuple(scalar.select(wins, b, a) for a, b in zip(earlier, later, strict=True))


def _resolve_largest(
    row: ReductionOp, operands: Sequence[OperandSpec], attributes: Attributes
) -> Resolved:
    (operand,) = operands
    assert isinstance(operand, TensorSpec)
    dims = reduced_dims(attributes["dim"], operand.rank)
    keepdim = bool(attributes["keepdim"])
    check_dtype(row.name, operand.dtype, INTEGERS | FLOATS)
    shape = reduced_shape(operand.shape, dims, keepdim)
    values = TensorSpec.of(shape, operand.dtype, operand.device)
    places = TensorSpec.of(shape, int64, operand.device)
    return Resolved({"dim": dims, "keepdim": keepdim}, (operand.dtype,), values, places)


reduction(
    "largest_of_windows(Tensor input, int[] dim, bool keepdim=False)",
    "The largest element over dims and its number among them; of equal ones that of the first.",
    "tri.nn.functional.max_pool1d(tri.tensor([[1., 5., 5.]]), 3, return_indices=True)"
    "  # (tensor([[5.]]), tensor([[1]]))",
    methods=(),
    is_public=False,
    resolver=_resolve_largest,
    combine="largest_of_windows",
    joint=JointReduction(
        start=_from_lowest,
        enter=with_index,
        merge=_keep_largest,
        finish=all_parts,
        is_indexed=True,
    ),
    empty=EmptyReduction.REFUSE,
    lanes=1,
    block=1,
    has_out=False,
    returns="tuple[Tensor, Tensor]",
    gradient=OF_LARGEST,
)


def in_format_of(
    t: TensorLanguage, source: TensorSpec, value: Any, dims: int, *, is_kept: bool = True
) -> Any:
    """Return a result in the memory format of what it is computed from, if that has a batch.

    It is contiguous if the format is not kept: PyTorch has such kernels for three dims. One dim is
    the last of two, the first of which has one element, as PyTorch computes it.
    """
    is_kept = is_kept and source.rank == dims + 2 and 0 not in source.shape
    if not is_kept:
        return in_format(t, value, contiguous_format)
    if dims > 1:
        return in_format(t, value, suggest_memory_format(source.shape, source.strides))
    memory_format = suggest_memory_format(*with_row_dim(source.shape, source.strides))
    if memory_format is contiguous_format:
        return in_format(t, value, contiguous_format)
    rows = in_format(t, t.call("unsqueeze", value, -2), memory_format)
    return t.call("squeeze", rows, -2)


def with_row_dim(shape: Ints, strides: Ints) -> ShapeAndStrides:
    """Return shape and strides with a dim of one element in front of the last, as `unsqueeze`."""
    (*outer, length), (*steps, step) = shape, strides
    return (*outer, 1, length), (*steps, length * step, step)


def _around(t: TensorLanguage, input: Any, pool: Pool, number: Any) -> Any:
    """Return the input with all that windows reach over, and nothing more."""
    for dim, (_, after) in enumerate(pool.margins, -len(pool.sizes)):
        if after < 0:
            input = t.call("narrow", input, dim, 0, tensor_of(t, input).shape[dim] + after)
    return padded(t, input, [(before, max(after, 0)) for before, after in pool.margins], number)


def largest_in_pool(t: TensorLanguage, input: Any, pool: Pool, *, with_places: bool) -> Any:
    """Return the largest element of each window, and where it is in the input if asked."""
    spec, dims = tensor_of(t, input), len(pool.kernel)
    wide = _around(t, input, pool, lowest(spec.dtype))
    seen = windows_of(t, wide, pool.kernel, pool.stride, pool.dilation)
    over = tuple(range(-dims, 0))
    if not with_places:
        # PyTorch has a kernel of its own for one dim without places.
        return in_format_of(t, spec, t.call("amax", seen, over), dims, is_kept=dims > 1)
    values, numbers = t.call("largest_of_windows", seen, over)
    places = _places(t, spec, numbers, pool)
    return tuple(in_format_of(t, spec, part, dims) for part in (values, places))


def _places(t: TensorLanguage, spec: TensorSpec, numbers: Any, pool: Pool) -> Any:
    """Turn the number of an element of each window into its number in the dims of the input.

    The number of an element around the input is 0: nothing is larger than the least there is. Then
    PyTorch says the first element of the window that the input has.
    """
    dims, total, left = len(pool.kernel), None, numbers
    for dim in reversed(range(dims)):
        apart = pool.dilation[dim]
        index = t.call("remainder", left, pool.kernel[dim])
        left = t.call("div", left, pool.kernel[dim], rounding_mode="floor")
        starts = _starts(t, spec, pool, dim)
        place = t.call("add", t.call("mul", index, apart) if apart > 1 else index, starts)
        if pool.padding[dim]:
            inside = t.call("remainder", place, apart)
            place = t.call("where", t.call("lt", place, 0), inside, place)
        step = 1
        for size in pool.sizes[dim + 1 :]:
            step = step * size
        place = t.call("mul", place, step) if dim < dims - 1 else place
        total = place if total is None else t.call("add", total, place)
    return total


def _starts(t: TensorLanguage, spec: TensorSpec, pool: Pool, dim: int) -> Any:
    """Return where the windows of a dim begin, to be broadcast with the result."""
    stride, before = pool.stride[dim], pool.padding[dim]
    numbers = t.call("arange", 0, pool.counts[dim], 1, dtype=int64, device=spec.device)
    starts = t.call("mul", numbers, stride) if stride > 1 else numbers
    starts = t.call("sub", starts, before) if before else starts
    return t.call("view", starts, (-1, *(1,) * (len(pool.sizes) - 1 - dim)))


def _max_pool(dims: int, *, is_flat: bool, with_places: bool = False) -> Callable[..., Any]:
    what = f"max_pool{dims}d"
    kernel_name = "max_pool1d_impl" if dims == 1 else what

    def expand(
        t: TensorLanguage,
        input: Any,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        dilation: Any,
        ceil_mode: bool,
        return_indices: bool = with_places,
    ) -> Any:
        spec = tensor_of(t, input)
        # PyTorch finds places in one dim with the kernel for two.
        name = "max_pool2d" if return_indices and dims == 1 else kernel_name
        pool = pool_of(what, spec, kernel_size, stride, padding, dilation, ceil_mode, dims)
        accepts = FLOATS if name == "max_pool1d_impl" else FLOATS | INTEGERS
        check_dtype(name, spec.dtype, accepts)
        return largest_in_pool(t, input, pool, with_places=return_indices)

    if not is_flat:
        return expand

    def plain(
        t: TensorLanguage,
        input: Any,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        dilation: Any,
        ceil_mode: bool,
    ) -> Any:
        return expand(t, input, kernel_size, stride, padding, dilation, ceil_mode)

    return plain


# ---- means and norms


def _avg_pool(dims: int) -> Callable[..., Any]:
    what = f"avg_pool{dims}d"
    kernel_name = "avg_pool3d_out_frame" if dims == 3 else "avg_pool2d"
    accepts = FLOATS | {int64}

    def expand(
        t: TensorLanguage,
        input: Any,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        ceil_mode: bool,
        count_include_pad: bool,
        divisor_override: int | None = None,
    ) -> Any:
        spec = tensor_of(t, input)
        pool = pool_of(what, spec, kernel_size, stride, padding, 1, ceil_mode, dims)
        if divisor_override == 0:
            raise TrilithRuntimeError("divisor must be not zero")
        check_dtype(kernel_name, spec.dtype, accepts - set(_WIDE) if dims == 3 else accepts)
        wide = _WIDE.get(spec.dtype, spec.dtype)
        total = sums_in_pool(t, input, pool, wide)
        divisor = divisor_override
        if divisor is None:
            divisor = _divisor(t, spec, pool, count_include_pad)
        mean = _divided(t, total, divisor, spec.dtype)
        # In three dims PyTorch's kernel makes what is contiguous.
        return in_format_of(t, spec, mean, dims, is_kept=dims < 3)

    return expand


def sums_in_pool(t: TensorLanguage, input: Any, pool: Pool, dtype: DType) -> Any:
    """Return the sum of each window; what is around the input is 0."""
    around = _around(t, input, pool, 0)
    seen = windows_of(t, around, pool.kernel, pool.stride, pool.dilation)
    return t.call("sum", seen, tuple(range(-len(pool.kernel), 0)), dtype=dtype)


def _divided(t: TensorLanguage, total: Any, divisor: Any, dtype: DType) -> Any:
    if dtype is int64:
        return t.call("div", total, divisor, rounding_mode="trunc")
    mean = t.call("div", total, divisor)
    return mean if tensor_of(t, mean).dtype is dtype else t.call("to", mean, dtype)


def _divisor(t: TensorLanguage, spec: TensorSpec, pool: Pool, counts_padding: bool) -> Any:
    """Return how many elements each window has: one number if all have as many.

    What ceil_mode adds behind the padding counts as little as padding that does not count.
    """
    number, varying = 1, None
    for dim, (size, before) in enumerate(zip(pool.sizes, pool.padding, strict=True)):
        margin = before if counts_padding else 0
        after = pool.margins[dim][1]
        if after <= margin and before <= margin:
            number *= pool.kernel[dim]
            continue
        starts = _starts(t, spec, pool, dim)
        ends = t.call("clamp_max", t.call("add", starts, pool.kernel[dim]), size + margin)
        counts = t.call("sub", ends, t.call("clamp_min", starts, -margin))
        varying = counts if varying is None else t.call("mul", varying, counts)
    if varying is None:
        return number
    return varying if number == 1 else t.call("mul", varying, number)


def _lp_pool(dims: int) -> Callable[..., Any]:
    def expand(
        t: TensorLanguage,
        input: Any,
        norm_type: Any,
        kernel_size: Any,
        stride: Any,
        ceil_mode: bool,
    ) -> Any:
        numbers = kernel_size, kernel_size if stride is None else stride, 0
        if norm_type in (math.inf, -math.inf):
            return _extreme_pool(t, input, dims, numbers, ceil_mode, is_largest=norm_type > 0)
        mean = t.call(f"avg_pool{dims}d", t.call("pow", input, norm_type), *numbers, ceil_mode)
        sizes = as_tuple(kernel_size)
        count = math.prod(sizes if len(sizes) == dims else sizes * dims)
        signed = t.call("mul", t.call("sign", mean), t.call("relu", t.call("abs", mean)))
        return t.call("pow", t.call("mul", signed, count), 1.0 / norm_type)

    return expand


def _extreme_pool(
    t: TensorLanguage,
    input: Any,
    dims: int,
    numbers: tuple[Any, Any, int],
    ceil_mode: bool,
    *,
    is_largest: bool,
) -> Any:
    """Return the norm of each window whose order is infinite: an extreme of the magnitudes."""
    name, sizes = f"nn_functional_max_pool{dims}d", t.call("abs", input)
    if is_largest:
        return t.call(name, sizes, *numbers, 1, ceil_mode)
    return t.call("neg", t.call(name, t.call("neg", sizes), *numbers, 1, ceil_mode))


def _with_places(dims: int) -> Callable[..., Any]:
    both = _max_pool(dims, is_flat=False)

    def expand(t: TensorLanguage, **arguments: Any) -> Any:
        return both(t, **{**arguments, "return_indices": True})

    return expand


#: What the signatures of pools over so many dims begin with, and go on with after a stride.
_START = {dims: f"Tensor input, int[{dims}] kernel_size, int[{dims}]? stride" for dims in (1, 2, 3)}
_NUMBERS = {
    dims: f"int[{dims}] padding=0, int[{dims}] dilation=1, bool ceil_mode=False"
    for dims in (1, 2, 3)
}


def over_last(dims: int) -> str:
    """Return how docs call so many dims.

    >>> over_last(1), over_last(2)
    ('the last dim', 'the last 2 dims')
    """
    return "the last dim" if dims == 1 else f"the last {dims} dims"


def ones_of(dims: int, size: int) -> str:
    """Return the input of an example.

    >>> ones_of(2, 4)
    'ones(1, 4, 4)'
    """
    return f"ones({', '.join(['1', *[str(size)] * dims])})"


def nested(dims: int, element: object) -> str:
    """Return the one element of an example's result, in lists.

    >>> nested(2, 0)
    '[[[0]]]'
    """
    return f"{'[' * (dims + 1)}{element}{']' * (dims + 1)}"


def _register_largest(dims: int) -> None:
    """Register pools of the largest; PyTorch's flat functions know no return_indices."""
    start, numbers = _START[dims], _NUMBERS[dims]
    what, ones = over_last(dims), ones_of(dims, 2)
    composite(
        f"max_pool{dims}d({start}=(), {numbers})",
        f"The largest element of each window of {what}.",
        f"tri.max_pool{dims}d(tri.{ones}, 2).tolist()  # {nested(dims, '1.0')}",
        _max_pool(dims, is_flat=True),
        methods=(),
        gradient=of_max_pool(dims),
    )
    composite(
        f"max_pool{dims}d_with_indices({start}={'()' if dims == 1 else 'None'}, {numbers}"
        f"{'' if dims == 1 else ', bool return_indices=False'})",
        f"The largest element of each window of {what}, and its number in these dims.",
        f"tri.nn.functional.max_pool{dims}d_with_indices(tri.{ones}, 2)[1].tolist()"
        f"  # {nested(dims, '0')}",
        _with_places(dims),
        methods=(),
        is_public=dims == 1,
        places=(f"nn.functional.max_pool{dims}d_with_indices",),
        returns="tuple[Tensor, Tensor]",
        gradient=of_max_pool(dims),
    )
    composite(
        f"nn_functional_max_pool{dims}d({start}=None, {numbers}, bool return_indices=False)",
        f"The largest element of each window of {what}; with its number if return_indices is set.",
        f"tri.nn.functional.max_pool{dims}d(tri.{ones}, 2).tolist()  # {nested(dims, '1.0')}",
        _max_pool(dims, is_flat=False),
        methods=(),
        is_public=False,
        places=(f"nn.functional.max_pool{dims}d",),
        returns="Any",
        gradient=of_max_pool(dims),
    )


def _register_mean(dims: int) -> None:
    start, what, ones = _START[dims], over_last(dims), ones_of(dims, 2)
    more = ", int? divisor_override=None" if dims > 1 else ""
    composite(
        f"avg_pool{dims}d({start}=(), int[{dims}] padding=0, "
        f"bool ceil_mode=False, bool count_include_pad=True{more})",
        f"The mean of each window of {what}; padding counts as zeros if count_include_pad is set.",
        f"tri.nn.functional.avg_pool{dims}d(tri.{ones}, 2).tolist()  # {nested(dims, '1.0')}",
        _avg_pool(dims),
        methods=(),
        is_public=dims == 1,
        has_out=dims > 1,
        places=(f"nn.functional.avg_pool{dims}d",),
        gradient=by_steps("SqueezeBackward1" if dims == 1 else f"AvgPool{dims}DBackward0", "input"),
    )


def _register_norm(dims: int) -> None:
    what, ones = over_last(dims), ones_of(dims, 2)
    composite(
        f"lp_pool{dims}d(Tensor input, Number norm_type, int[{dims}] kernel_size, "
        f"int[{dims}]? stride=None, bool ceil_mode=False)",
        f"The norm of each window of {what}: the root of the sum of powers.",
        f"tri.nn.functional.lp_pool{dims}d(tri.{ones}, 1.0, 2).tolist()"
        f"  # {nested(dims, 2.0**dims)}",
        _lp_pool(dims),
        methods=(),
        is_public=False,
        places=(f"nn.functional.lp_pool{dims}d",),
    )


for _dims in (1, 2, 3):
    _register_largest(_dims)
    _register_mean(_dims)
    _register_norm(_dims)
