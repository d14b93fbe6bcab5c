"""Which operations take images apart into windows and back? unfold, fold, max_unpool, a norm."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ....attributes.dtype import bfloat16, bool_, float16, float32, int64
from ....attributes.memory_format import contiguous_format
from ....attributes.spec import TensorSpec
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithIndexError, TrilithRuntimeError, TrilithValueError
from ...frame.gradients import by_steps
from ...frame.opspec import composite
from ...frame.row import TensorLanguage
from ...frame.rules import FIELDS, FLOATS, check_dtype
from ...frame.schema import Binder, Schema
from ...frame.view_rows import tensor_of
from ...frame.windows import Ints, as_tuple, overlap_add, padded, span, windows_of
from .pooling import in_format_of


def _pair(name: str, numbers: Any) -> Ints:
    given = as_tuple(numbers)
    if len(given) not in (1, 2):
        raise TrilithRuntimeError(f"It is expected {name} equals to 2, but got size {len(given)}")
    return given * 2 if len(given) == 1 else given


def _check_windows(kernel: Ints, dilation: Ints, padding: Ints, stride: Ints) -> None:
    for word, short, numbers, least in (
        ("kernel size", "kernel", kernel, 1),
        ("stride", "stride", stride, 1),
        ("dilation", "dilation", dilation, 1),
        ("padding", "pad", padding, 0),
    ):
        if min(numbers) < least:
            rule = "non-negative" if word == "padding" else "greater than zero"
            raise TrilithRuntimeError(
                f"{word} should be {rule}, but got {short}_height: {numbers[0]} "
                f"{short}_width: {numbers[1]}"
            )


def _counts(sizes: Ints, kernel: Ints, dilation: Ints, padding: Ints, stride: Ints) -> Ints:
    """Return how many windows each dim has."""
    numbers = zip(sizes, kernel, dilation, padding, stride, strict=True)
    return tuple((s + 2 * p - span(k, d)) // step + 1 for s, k, d, p, step in numbers)


def _check_image(spec: TensorSpec) -> None:
    """Refuse what are no images; PyTorch asks for two sizes before it counts the dims."""
    if not spec.rank:
        raise TrilithIndexError("Dimension specified as 1 but tensor has no dimensions")
    if spec.shape[wrap_dim(1, spec.rank)]:
        wrap_dim(2, spec.rank)
    if spec.rank not in (3, 4) or 0 in spec.shape[-3:]:
        raise TrilithRuntimeError(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero "
            f"dimensions for input, but got: {list(spec.shape)}"
        )


def _unfold(
    t: TensorLanguage, input: Any, kernel_size: Any, dilation: Any, padding: Any, stride: Any
) -> Any:
    spec = tensor_of(t, input)
    kernel, apart = _pair("kernel_size", kernel_size), _pair("dilation", dilation)
    around, step = _pair("padding", padding), _pair("stride", stride)
    _check_windows(kernel, apart, around, step)
    _check_image(spec)
    counts = _counts(spec.shape[-2:], kernel, apart, around, step)
    if min(counts) < 1:
        raise TrilithRuntimeError(
            f"Given input with spatial size {spec.shape[-2:]}, kernel_size={kernel}, "
            f"dilation={apart}, padding={around}, calculated shape of the array of sliding blocks "
            f"as {counts}, but its components must be at least one."
        )
    check_dtype("im2col_out_cpu", spec.dtype, FIELDS | {bool_})
    wide = padded(t, input, [(amount, amount) for amount in around], 0)
    seen = windows_of(t, wide, kernel, step, apart)
    lead = spec.rank - 3
    moved = t.call("permute", seen, (*range(lead + 1), lead + 3, lead + 4, lead + 1, lead + 2))
    channels = spec.shape[lead] * kernel[0] * kernel[1]
    shape = (*spec.shape[:lead], channels, counts[0] * counts[1])
    return t.call("reshape", t.call("clone", moved, memory_format=contiguous_format), shape)


def _check_blocks(
    spec: TensorSpec, output: Ints, kernel: Ints, dilation: Ints, padding: Ints, stride: Ints
) -> Ints:
    """Refuse columns that are not those of windows; return how many windows each dim has."""
    if spec.rank not in (2, 3) or 0 in spec.shape[-2:]:
        raise TrilithRuntimeError(
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and "
            f"non-zero dimensions for input, but got: {list(spec.shape)}"
        )
    elements, columns = spec.shape[-2:]
    if elements % (kernel[0] * kernel[1]):
        raise TrilithRuntimeError(
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, "
            f"but got input.size(1)={elements} and kernel_size={kernel}."
        )
    counts = _counts(output, kernel, dilation, padding, stride)
    if columns != counts[0] * counts[1]:
        raise TrilithRuntimeError(
            f"Given output_size={output}, kernel_size={kernel}, dilation={dilation}, "
            f"padding={padding}, stride={stride}, expected size of input's dimension 2 to match "
            f"the calculated number of sliding blocks {counts[0]} * {counts[1]} = "
            f"{counts[0] * counts[1]}, but got input.size(2)={columns}."
        )
    return counts


def _fold(
    t: TensorLanguage,
    input: Any,
    output_size: Any,
    kernel_size: Any,
    dilation: Any,
    padding: Any,
    stride: Any,
) -> Any:
    spec = tensor_of(t, input)
    output, kernel = _pair("output_size", output_size), _pair("kernel_size", kernel_size)
    apart, around = _pair("dilation", dilation), _pair("padding", padding)
    step = _pair("stride", stride)
    _check_windows(kernel, apart, around, step)
    counts = _check_blocks(spec, output, kernel, apart, around, step)
    check_dtype("col2im_out_cpu", spec.dtype, FIELDS | {bool_})
    lead = spec.shape[:-2]
    channels = spec.shape[-2] // (kernel[0] * kernel[1])
    made = t.call("reshape", input, (*lead, channels, *kernel, *counts))
    first = len(lead) + 1
    made = t.call("transpose", made, first + 1, first + 2)
    if spec.dtype in (float16, bfloat16):
        made = t.call("to", made, float32)
    made = overlap_add(t, made, first + 2, step[1], apart[1])
    made = overlap_add(t, made, first, step[0], apart[0])
    margins = [
        (-before, size + before - whole)
        for size, before, whole in zip(output, around, tensor_of(t, made).shape[-2:], strict=True)
    ]
    made = padded(t, made, margins, 0)
    return made if tensor_of(t, made).dtype is spec.dtype else t.call("to", made, spec.dtype)


composite(
    "nn_functional_unfold(Tensor input, SymInt[2] kernel_size, SymInt[2] dilation=1, "
    "SymInt[2] padding=0, int[2] stride=1)",
    "The windows of images as columns: dims (N, C, H, W) become (N, C k, windows).",
    "tri.nn.functional.unfold(tri.arange(4.).reshape(1, 1, 2, 2), (1, 2)).tolist()"
    "  # [[[0.0, 2.0], [1.0, 3.0]]]",
    _unfold,
    methods=(),
    is_public=False,
    places=("nn.functional.unfold",),
    gradient=by_steps("Im2ColBackward0", "input"),
)
composite(
    "fold(Tensor input, SymInt[2] output_size, SymInt[2] kernel_size, SymInt[2] dilation=1, "
    "SymInt[2] padding=0, int[2] stride=1)",
    "Images from the columns that unfold gives, added up where windows overlap.",
    "tri.nn.functional.fold(tri.ones(1, 2, 2), (1, 3), (1, 2)).tolist()  # [[[[1.0, 2.0, 1.0]]]]",
    _fold,
    methods=(),
    is_public=False,
    places=("nn.functional.fold",),
    gradient=by_steps("Col2ImBackward0", "input"),
)


# ---- max_unpool


def _unpooled_size(
    spec: TensorSpec, kernel: Ints, stride: Ints, padding: Ints, output_size: Any
) -> Ints:
    dims = len(kernel)
    if spec.rank < dims or min(len(stride), len(padding)) < dims:
        raise TrilithIndexError("tuple index out of range")  # PyTorch counts in Python
    sizes = spec.shape[-dims:]
    usual = [
        (size - 1) * step + reach - 2 * before
        for size, step, reach, before in zip(sizes, stride, kernel, padding, strict=False)
    ]
    if output_size is None:
        for number, size in enumerate(usual):
            if size < 0:
                raise TrilithValueError(
                    "max_unpooling: output_size must contain non-negative spatial dimensions, but "
                    f"got output_size[{number}]={size}"
                )
        return tuple(usual)
    given = as_tuple(output_size)
    given = given[2:] if len(given) == dims + 2 else given
    if len(given) != dims:
        raise TrilithValueError(
            f"output_size should be a sequence containing {dims} or {dims + 2} elements, but it "
            f"has a length of '{len(given)}'"
        )
    for dim, (size, middle, step) in enumerate(zip(given, usual, stride, strict=True)):
        if not middle - step < size < middle + step:
            raise TrilithValueError(
                f'invalid output_size "{given}" (dim {dim} must be between {middle - step} and '
                f"{middle + step})"
            )
    return given


def _of_each_dim(dims: int) -> Binder:
    """Let a number stand for each dim; a list has one for each."""

    def bind(
        schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
    ) -> dict[str, Any]:
        bound: dict[str, Any] = schema.bind(arguments, keywords)
        given = {**dict(zip(schema.by_name, arguments, strict=False)), **keywords}
        for name in ("kernel_size", "stride", "padding"):
            if bound[name] is not None and not isinstance(given.get(name), (tuple, list)):
                bound[name] = as_tuple(bound[name]) * dims
        return bound

    return bind


#: How many sizes a kernel of PyTorch wants, in words; of one dim it is that of two.
_WANTED = {
    2: "two elements (height, width)",
    3: "three elements (depth, height, width)",
}


def _check_unpooled(
    dims: int, spec: TensorSpec, places: TensorSpec, sizes: Ints, step: Ints
) -> None:
    """Refuse what PyTorch's kernel refuses."""
    if places.dtype is not int64:
        more = f" but got: {places.dtype.c_name}" if dims < 3 else ""
        raise TrilithRuntimeError(f"elements in indices should be type int64{more}")
    if len(sizes) != dims:
        raise TrilithRuntimeError(
            f"There should be exactly {_WANTED[dims]} in output_size, but got {len(sizes)} "
            "elements."
        )
    seen = max(dims, 2)
    if spec.rank not in (dims + 1, dims + 2):
        raise TrilithRuntimeError(
            f"Input to max_unpooling{seen}d should be a {seen + 1}d or {seen + 2}d Tensor, but got "
            f"a tensor with {spec.rank + (dims == 1)} dimensions."
        )
    shapes = [[*each.shape, 1] if dims == 1 else list(each.shape) for each in (spec, places)]
    if shapes[0] != shapes[1]:
        raise TrilithRuntimeError(
            "Expected shape of indices to be same as that of the input tensor "
            f"({shapes[0]}) but got indices tensor with shape: {shapes[1]}"
        )
    for dim in range(1, len(shapes[0])):
        if not shapes[0][dim]:
            raise TrilithRuntimeError(
                f"max_unpooling{seen}d_forward_out_cpu(): Expected input to have non-zero size for "
                f"non-batch dimensions, but got {shapes[0]} with dimension {dim} being empty."
            )
    if dims == 3 and min(step) <= 0:
        raise TrilithRuntimeError(
            f"strides should be greater than zero, but got stride: {list(step)}"
        )


def _max_unpool(dims: int) -> Callable[..., Any]:
    def expand(
        t: TensorLanguage,
        input: Any,
        indices: Any,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        output_size: Any,
    ) -> Any:
        spec, places = tensor_of(t, input), tensor_of(t, indices)
        kernel, around = as_tuple(kernel_size), as_tuple(padding)
        step = kernel if stride is None else as_tuple(stride)
        sizes = _unpooled_size(spec, kernel, step, around, output_size)
        _check_unpooled(dims, spec, places, sizes, step)
        check_dtype(f"max_unpool{max(dims, 2)}d", spec.dtype, FLOATS)
        lead, whole = spec.shape[:-dims], 1
        for size in sizes:
            whole = whole * size
        memory = t.call("zeros", (*lead, whole), dtype=spec.dtype, device=spec.device)
        flat = (*lead, -1) if spec.numel else (*lead, 0)
        values, numbers = (t.call("reshape", value, flat) for value in (input, indices))
        made = t.call("scatter", memory, -1, numbers, values)
        made = t.call("view", made, (*lead, *sizes))
        return in_format_of(t, spec, made, dims) if dims == 2 else made

    return expand


for _dims in (1, 2, 3):
    composite(
        f"max_unpool{_dims}d(Tensor input, Tensor indices, int[{_dims}] kernel_size, "
        f"int[{_dims}]? stride=None, int[{_dims}] padding=0, int[{_dims}]? output_size=None)",
        f"What goes back from a result of max_pool{_dims}d: its elements where they were, else 0.",
        f"tri.nn.functional.max_unpool{_dims}d(tri.ones(1{', 1' * _dims}), "
        f"tri.zeros(1{', 1' * _dims}, dtype=tri.int64), 2).sum()  # tensor(1.)",
        _max_unpool(_dims),
        methods=(),
        is_public=False,
        binder=_of_each_dim(_dims),
        places=(f"nn.functional.max_unpool{_dims}d",),
        gradient=by_steps(
            "SqueezeBackward1" if _dims == 1 else f"MaxUnpool{_dims}DBackward0", "input"
        ),
    )


# ---- local_response_norm


def _local_response_norm(
    t: TensorLanguage, input: Any, size: int, alpha: float, beta: float, k: float
) -> Any:
    spec = tensor_of(t, input)
    if spec.rank < 3:
        raise TrilithValueError(
            "Expected 3D or higher dimensionality                          input "
            f"(got {spec.rank} dimensions)"
        )
    if not spec.numel:
        return input
    square = t.call("unsqueeze", t.call("mul", input, input), 1)
    if spec.rank == 3:
        square = padded(t, square, [(size // 2, (size - 1) // 2), (0, 0)], 0)
        mean = t.call("avg_pool2d", square, (size, 1), 1)
    else:
        batch, channels, height = spec.shape[:3]
        square = t.call("reshape", square, (batch, 1, channels, height, -1))
        square = padded(t, square, [(size // 2, (size - 1) // 2), (0, 0), (0, 0)], 0)
        mean = t.call("avg_pool3d", square, (size, 1, 1), 1)
    mean = t.call("view", t.call("squeeze", mean, 1), spec.shape)
    scale = t.call("pow", t.call("add", t.call("mul", mean, alpha), k), beta)
    return t.call("div", input, scale)


composite(
    "local_response_norm(Tensor input, int size, float alpha=0.0001, float beta=0.75, float k=1.0)",
    "The tensor divided by a power of the mean square of neighbouring channels.",
    "tri.nn.functional.local_response_norm(tri.ones(1, 1, 1), 1, 3.0, 0.5).tolist()  # [[[0.5]]]",
    _local_response_norm,
    methods=(),
    is_public=False,
    places=("nn.functional.local_response_norm",),
)
