"""Which operations slide a small tensor over a large one? Convolutions, also transposed ones.

Written in contractions of windows: what is around the input is added to it in a copy, windows are
views of that, and one kernel sums the products. A transposed convolution contracts the channels and
adds up the windows.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from ....attributes.c_types import c_type
from ....attributes.dtype import (
    bfloat16,
    complex64,
    float16,
    float32,
)
from ....attributes.memory_format import MemoryFormat, contiguous_format
from ....attributes.spec import TensorSpec
from ....attributes.strides import is_contiguous, strides_for, suggest_memory_format
from ....diagnostics import TrilithRuntimeError
from ....frames import warn_once
from ...frame.gradients import by_steps
from ...frame.opspec import composite
from ...frame.row import TensorLanguage
from ...frame.view_rows import tensor_of
from ...frame.windows import Ints, for_each_dim, overlap_add, padded, windows_of
from ...gradients.contractions import OF_CONVOLUTION
from .convolution_checks import (
    Settings,
    check_dtypes,
    check_kernel,
    check_output_padding,
    check_settings,
    check_shapes,
)
from .pooling import ShapeAndStrides, with_row_dim
from .softmax import in_format

#: 3-D convolutions in these dtypes have a kernel of PyTorch's own that keeps channels last.
_KEPT_IN_3D = frozenset({float32, bfloat16, complex64})
#: Of so many rows of one example the others are taken, too.
_MUCH_IN_3D = 20480
#: What windows of elements of 16 bits are added up in.
_WIDE = {float16: float32, bfloat16: float32}


def _format_of(input: TensorSpec, weight: TensorSpec, groups: int) -> MemoryFormat:
    """Return the format of the result: channels last if one operand has them last.

    PyTorch packs both in the format that it finds, and asks once more: packed channels that are one
    may lie both ways. One dim is the last of two; such an input is packed before.
    """
    if 0 in input.shape or (input.rank == 5 and not _is_kept_in_3d(input, weight, groups)):
        return contiguous_format
    layouts = [(spec.shape, spec.strides) for spec in (input, weight)]
    if input.rank == 3:
        layouts[0] = _packed(layouts[0], contiguous_format)
        layouts = [with_row_dim(*layout) for layout in layouts]
    found = _last_in_one_of(layouts)
    return _last_in_one_of([_packed(layout, found) for layout in layouts])


def _packed(layout: ShapeAndStrides, memory_format: MemoryFormat) -> ShapeAndStrides:
    shape, strides = layout
    if is_contiguous(shape, strides, memory_format):
        return layout
    return shape, strides_for(shape, memory_format)


def _last_in_one_of(layouts: list[ShapeAndStrides]) -> MemoryFormat:
    first, second = (suggest_memory_format(*layout) for layout in layouts)
    return second if first is contiguous_format else first


def _is_kept_in_3d(input: TensorSpec, weight: TensorSpec, groups: int) -> bool:
    """Whether PyTorch takes the kernel that keeps channels last; for little work it does not."""
    if input.dtype not in _KEPT_IN_3D or input.dtype is bfloat16:
        return input.dtype is bfloat16
    if groups > 1 or input.shape[0] > 1 or min(weight.shape[-2:]) > 3:
        return True
    return prod(input.shape[:4]) > _MUCH_IN_3D


def _order(memory_format: MemoryFormat, lead: int, dims: int) -> Ints:
    """Return the dims (batch, the others of `lead`, the places) from the outermost in memory."""
    places = tuple(range(lead, lead + dims))
    if memory_format is contiguous_format:
        return (*range(lead), *places)
    return (0, *places, *range(1, lead))


def _convolved(
    t: TensorLanguage, input: Any, weight: Any, settings: Settings, memory_format: MemoryFormat
) -> Any:
    """Contract the windows of the input with the weight.

    Only several groups of several channels have a dim of their own.
    """
    groups, (features, inner, *_) = settings.groups, tensor_of(t, weight).shape
    kernel = tensor_of(t, weight).shape[2:]
    dims = len(kernel)
    wide = padded(t, input, settings.padding, 0)
    seen = windows_of(t, wide, kernel, settings.stride, settings.dilation)
    shape = tensor_of(t, seen).shape
    is_of_each = groups > 1 and features == groups and inner == 1
    is_grouped = groups > 1 and not is_of_each
    lead = 3 if is_grouped else 2
    places = range(lead, lead + dims)
    sums = () if is_of_each else (lead + dims,)
    taps = range(lead + dims + len(sums), lead + 2 * dims + len(sums))
    batch, group, made = (0,), (1,) if is_grouped or is_of_each else (), (lead - 1,)
    if is_grouped:
        seen = t.call("view", seen, (shape[0], groups, inner, *shape[2:]))
        weight = t.call("reshape", weight, (groups, features // groups, inner, *kernel))
    elif is_of_each:
        weight, made = t.call("squeeze", weight, 1), ()
    found = t.call(
        "contract",
        seen,
        weight,
        (*batch, *group, *sums, *places, *taps),
        (*group, *made, *sums, *taps),
        _order(memory_format, lead, dims),
    )
    if not is_grouped:
        return found
    return t.call("view", found, (shape[0], features, *tensor_of(t, found).shape[3:]))


def _transposed(t: TensorLanguage, input: Any, weight: Any, settings: Settings) -> Any:
    """Contract the channels, add up the windows, and cut off the padding."""
    groups = settings.groups
    batch, channels, *sizes = tensor_of(t, input).shape
    _, features, *kernel = tensor_of(t, weight).shape
    dims, inner = len(sizes), channels // groups
    places = [(3 + 2 * number, 4 + 2 * number) for number in range(dims)]
    channel = 3 + 2 * dims
    made = t.call(
        "contract",
        t.call("view", input, (batch, groups, inner, *sizes)),
        t.call("reshape", weight, (groups, inner, features, *kernel)),
        (0, 1, channel, *(window for _, window in places)),
        (1, channel, 2, *(tap for tap, _ in places)),
        tuple(range(channel)),
    )
    for number in reversed(range(dims)):
        made = overlap_add(t, made, 3 + 2 * number, settings.stride[number],
                           settings.dilation[number])  # fmt: skip
    made = t.call("reshape", made, (batch, groups * features, *tensor_of(t, made).shape[3:]))
    margins = [
        (-before, more - after)
        for (before, after), more in zip(settings.padding, settings.output_padding, strict=True)
    ]
    return padded(t, made, margins, 0)


def _apply(t: TensorLanguage, input: Any, weight: Any, bias: Any, settings: Settings) -> Any:
    """Convolve batched operands, once everything about them has been checked."""
    specs = tensor_of(t, input), tensor_of(t, weight)
    shift = None if bias is None else tensor_of(t, bias)
    check_settings(settings)
    check_shapes(*specs, shift, settings)
    check_dtypes(*specs, shift)
    check_kernel(specs[0].dtype, settings)
    memory_format = _format_of(*specs, settings.groups)
    if not specs[0].shape[1]:
        # As in PyTorch: nothing in, nothing out.
        weight, bias = t.call("narrow", weight, 0, 0, 0), None
    wide = _WIDE.get(specs[0].dtype)
    if settings.is_transposed:
        check_output_padding(settings)
        if wide is not None:
            # Windows are added up dim by dim: the sums are rounded once.
            input, weight = (t.call("to", value, wide) for value in (input, weight))
        made = _transposed(t, input, weight, settings)
    else:
        made = _convolved(t, input, weight, settings, memory_format)
    if bias is not None:
        made = t.call("add", made, t.call("reshape", bias, (-1, *(1,) * len(settings.stride))))
    found = tensor_of(t, made)
    if found.dtype is not specs[0].dtype:
        made = t.call("to", made, specs[0].dtype)
    if found.rank > 3 or memory_format is contiguous_format:
        return in_format(t, made, memory_format)
    return t.call("squeeze", in_format(t, t.call("unsqueeze", made, 2), memory_format), 2)


def _batched(t: TensorLanguage, name: str, input: Any, dims: int) -> tuple[Any, bool]:
    """Return the input with a batch, and whether it had one."""
    spec = tensor_of(t, input)
    if spec.rank == dims + 2:
        return input, True
    if spec.rank != dims + 1:
        raise TrilithRuntimeError(
            f"Expected {dims + 1}D (unbatched) or {dims + 2}D (batched) input to {name}, but got "
            f"input of size: {list(spec.shape)}"
        )
    return t.call("unsqueeze", input, 0), False


def _margins(padding: Any, kernel: Ints, stride: Ints, dilation: Ints) -> Any:
    """Return how much stands before and after each dim; a word says what the result shall be."""
    dims = len(stride)
    if not isinstance(padding, str):
        return tuple((amount, amount) for amount in for_each_dim("padding", padding, dims))
    if padding == "valid":
        return ((0, 0),) * dims
    if padding != "same":
        raise TrilithRuntimeError(f"Invalid padding string: '{padding}'")
    if any(step != 1 for step in stride):
        raise TrilithRuntimeError("padding='same' is not supported for strided convolutions")
    totals = [reach * (size - 1) for reach, size in zip(dilation, kernel, strict=True)]
    if any(total % 2 for total in totals):
        warn_once(
            "Using padding='same' with even kernel lengths and odd dilation may require a "
            "zero-padded copy of the input be created"
        )
    return tuple((total // 2, total - total // 2) for total in totals)


def _check_bias_first(t: TensorLanguage, input: Any, bias: Any) -> None:
    if bias is None:
        return
    given, found = tensor_of(t, input).dtype, tensor_of(t, bias).dtype
    if given is not found:
        raise TrilithRuntimeError(
            f"Input type ({c_type(given)}) and bias type ({c_type(found)}) should be the same"
        )


def _spatial(t: TensorLanguage, weight: Any, numbers: dict[str, Any]) -> dict[str, Ints]:
    """Return each list of numbers with one for each spatial dim of the weight."""
    dims = tensor_of(t, weight).rank - 2
    if dims <= 0:
        raise TrilithRuntimeError("weight should have at least three dimensions")
    return {name: for_each_dim(name, value, dims) for name, value in numbers.items()}


def _forward(dims: int) -> Callable[..., Any]:
    name = f"conv{dims}d"

    def expand(
        t: TensorLanguage,
        input: Any,
        weight: Any,
        bias: Any,
        stride: Any,
        padding: Any,
        dilation: Any,
        groups: int,
    ) -> Any:
        _check_bias_first(t, input, bias)
        whole, was_batched = _batched(t, name, input, dims)
        if isinstance(padding, str) and tensor_of(t, whole).rank != tensor_of(t, weight).rank:
            rank = tensor_of(t, weight).rank
            raise TrilithRuntimeError(
                f"Expected {rank}-dimensional input for {rank}-dimensional weight"
                f"{list(tensor_of(t, weight).shape)}, but got {dims + 2}-dimensional input of size "
                f"{list(tensor_of(t, whole).shape)} instead"
            )
        kernel = tensor_of(t, weight).shape[2:]
        lists = _spatial(t, weight, {"stride": stride, "dilation": dilation})
        margins = _margins(padding, kernel, lists["stride"], lists["dilation"])
        if any(before != after for before, after in margins):
            whole, margins = padded(t, whole, margins, 0), ((0, 0),) * dims
        around = tuple(before for before, _ in margins)
        steps, apart, none = lists["stride"], lists["dilation"], (0,) * dims
        made = t.call(
            *("convolution", whole, weight, bias, steps, around, apart, False, none, groups)
        )
        return made if was_batched else t.call("squeeze", made, 0)

    return expand


def _backward(dims: int) -> Callable[..., Any]:
    name = f"conv_transpose{dims}d"

    def expand(
        t: TensorLanguage,
        input: Any,
        weight: Any,
        bias: Any,
        stride: Any,
        padding: Any,
        output_padding: Any,
        groups: int,
        dilation: Any,
    ) -> Any:
        whole, was_batched = _batched(t, name, input, dims)
        numbers = {"stride": stride, "padding": padding, "dilation": dilation}
        lists = _spatial(t, weight, {**numbers, "output_padding": output_padding})
        steps, around, apart, more = (lists[name] for name in (*numbers, "output_padding"))
        made = t.call(
            *("convolution", whole, weight, bias, steps, around, apart, True, more, groups)
        )
        return made if was_batched else t.call("squeeze", made, 0)

    return expand


def _convolution(
    t: TensorLanguage,
    input: Any,
    weight: Any,
    bias: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: bool,
    output_padding: Any,
    groups: int,
) -> Any:
    numbers = {"stride": stride, "padding": padding, "dilation": dilation}
    lists = _spatial(t, weight, {**numbers, "output_padding": output_padding})
    margins = tuple((amount, amount) for amount in lists["padding"])
    more = lists["output_padding"] if transposed else ()
    settings = Settings(lists["stride"], margins, lists["dilation"], groups, more, transposed)
    return _apply(t, input, weight, bias, settings)


def _conv_tbc(t: TensorLanguage, input: Any, weight: Any, bias: Any, pad: int) -> Any:
    given, filters, shift = (tensor_of(t, value) for value in (input, weight, bias))
    if given.rank != 3:
        raise TrilithRuntimeError("Input must have 3 dims: time, batch, in_channel")
    if filters.rank != 3:
        raise TrilithRuntimeError(
            "Weight tensor must have 3 dims: kernel_width, in_channels, out_channels."
        )
    if shift.rank != 1:
        raise TrilithRuntimeError("Bias must be 1-D")
    if given.shape[2] != filters.shape[1]:
        raise TrilithRuntimeError(
            "Input dim 2 (input channels) is not == dim 1 in the weight tensor"
        )
    if filters.shape[2] != shift.shape[0]:
        raise TrilithRuntimeError(
            "Bias size must equal dim 2 in the weight tensor (output channels)."
        )
    if given.dtype is not filters.dtype:
        raise TrilithRuntimeError(
            "self and mat2 must have the same dtype, but got "
            f"{given.dtype.c_name} and {filters.dtype.c_name}"
        )
    wide = padded(t, input, [(pad, pad), (0, 0), (0, 0)], 0)
    if tensor_of(t, wide).shape[0] < filters.shape[0]:
        shape = (0, given.shape[1], filters.shape[2])
        return t.call("empty", shape, dtype=given.dtype, device=given.device)
    seen = t.call("unfold", wide, 0, filters.shape[0], 1)
    made = t.call("contract", seen, weight, (0, 1, 4, 3), (3, 4, 2), (0, 1, 2))
    return t.call("add", made, bias)


_AROUND = "'same' pads so that sizes stay, 'valid' not at all"


def _register(dims: int, shown: str, shown_transposed: str) -> None:
    """Register the convolution over so many dims, and the transposed one."""
    ones = ", ".join(["1", "1", *["2"] * dims])
    composite(
        f"conv{dims}d(Tensor input, Tensor weight, Tensor? bias=None, int[{dims}] stride=1, "
        f"Padding padding=0, int[{dims}] dilation=1, int groups=1)",
        f"The sums of products of a weight with all windows of the last {dims} dims of the "
        f"input, for each pair of channels; {_AROUND}."
        if dims > 1
        else "The sums of products of a weight with all windows of the last dim of the input, for "
        f"each pair of channels; {_AROUND}.",
        f"tri.conv{dims}d(tri.ones({ones}), tri.ones({ones})).tolist()  # {shown}",
        _forward(dims),
        methods=(),
        places=(f"nn.functional.conv{dims}d",),
    )
    composite(
        f"conv_transpose{dims}d(Tensor input, Tensor weight, Tensor? bias=None, "
        f"int[{dims}] stride=1, int[{dims}] padding=0, int[{dims}] output_padding=0, "
        f"int groups=1, int[{dims}] dilation=1)",
        f"What goes back from a result of conv{dims}d to its input: each element times the "
        "weight, added up where windows overlap.",
        f"tri.conv_transpose{dims}d(tri.ones({ones}), tri.ones({ones})).shape"
        f"  # {shown_transposed}",
        _backward(dims),
        methods=(),
        places=(f"nn.functional.conv_transpose{dims}d",),
    )


_register(1, "[[[2.0]]]", "trilith.Size([1, 1, 3])")
_register(2, "[[[[4.0]]]]", "trilith.Size([1, 1, 3, 3])")
_register(3, "[[[[[8.0]]]]]", "trilith.Size([1, 1, 3, 3, 3])")
composite(
    "convolution(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, "
    "int[] dilation, bool transposed, int[] output_padding, int groups)",
    "Any convolution of a batch, plain or transposed, with every setting given.",
    "tri.convolution(tri.ones(1, 1, 4), tri.ones(1, 1, 3), None, (1,), (0,), (1,), False, (0,), 1)"
    ".tolist()  # [[[3.0, 3.0]]]",
    _convolution,
    methods=(),
    gradient=OF_CONVOLUTION,
)
composite(
    "conv_tbc(Tensor input, Tensor weight, Tensor bias, int pad=0)",
    "A convolution over the first dim, of tensors of (time, batch, channel).",
    "tri.conv_tbc(tri.ones(3, 1, 2), tri.ones(2, 2, 1), tri.zeros(1)).tolist()"
    "  # [[[4.0]], [[4.0]]]",
    _conv_tbc,
    methods=(),
    gradient=by_steps("ConvTbcBackward0", "input", "weight", "bias"),
    places=("nn.functional.conv_tbc",),
)
