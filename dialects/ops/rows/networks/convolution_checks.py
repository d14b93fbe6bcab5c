"""Which numbers and operands does a convolution refuse? PyTorch's checks, in its words."""

from __future__ import annotations

from ....attributes.dtype import (
    DType,
    bfloat16,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int64,
)
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithRuntimeError
from ....records import record
from ...frame.rules import FIELDS, INTEGERS, check_dtype
from ...frame.windows import Ints, span

#: Those that PyTorch multiplies by a library whose errors are its own.
_OF_LIBRARY = frozenset({float32, bfloat16, complex64, complex128})
_LEGACY = {float32: "torch.FloatTensor", float64: "torch.DoubleTensor", float16: "torch.HalfTensor"}


@record
class Settings:
    """The numbers of a convolution, one for each spatial dim; padding before and after."""

    stride: Ints
    padding: tuple[tuple[int, int], ...]
    dilation: Ints
    groups: int
    output_padding: Ints = ()
    is_transposed: bool = False


def _type_name(dtype: DType) -> str:
    """Return what PyTorch calls the type of a tensor on the CPU."""
    if dtype in (bfloat16, complex64, complex128):
        return f"CPU{dtype.c_name}Type"
    return _LEGACY.get(dtype, f"torch.{dtype.c_name}Tensor")


def check_dtypes(input: TensorSpec, weight: TensorSpec, bias: TensorSpec | None) -> None:
    """Refuse operands of different dtypes."""
    for word, other in (("weight", weight), ("bias", bias)):
        if other is None or other.dtype is input.dtype:
            continue
        if input.dtype not in _OF_LIBRARY:
            raise TrilithRuntimeError(
                f"expected scalar type {input.dtype.c_name} but found {other.dtype.c_name}"
            )
        text = (
            f"Input type ({_type_name(input.dtype)}) and {word} type ({_type_name(other.dtype)}) "
            "should be the same"
        )
        if not input.dtype.is_complex:
            text += f" or input should be a MKLDNN tensor and {word} is a dense tensor"
        raise TrilithRuntimeError(text)


def check_kernel(dtype: DType, settings: Settings) -> None:
    """Refuse a dtype that PyTorch's kernel is not made for."""
    dims = len(settings.stride)
    if settings.is_transposed:
        name, accepts = f"slow_conv_transpose{max(dims, 2)}d_out_cpu", FIELDS | {int64}
    elif any(apart != 1 for apart in settings.dilation):
        name, accepts = "slow_conv_dilated<>", FIELDS | {int64}
    else:
        name, accepts = "compute_columns3d" if dims == 3 else "slow_conv2d_cpu", INTEGERS | FIELDS
    check_dtype(name, dtype, accepts)


def check_settings(settings: Settings) -> None:
    """Refuse numbers that no convolution has."""
    if settings.groups <= 0:
        raise TrilithRuntimeError("non-positive groups is not supported")
    if any(amount < 0 for pair in settings.padding for amount in pair):
        raise TrilithRuntimeError("negative padding is not supported")
    if any(amount < 0 for amount in settings.output_padding):
        raise TrilithRuntimeError("negative output_padding is not supported")
    if any(step <= 0 for step in settings.stride):
        raise TrilithRuntimeError("non-positive stride is not supported")


def check_shapes(
    input: TensorSpec, weight: TensorSpec, bias: TensorSpec | None, settings: Settings
) -> None:
    """Refuse channels and kernels that do not fit, in PyTorch's words and order."""
    groups, shape, given = settings.groups, list(weight.shape), list(input.shape)
    if input.rank != weight.rank:
        raise TrilithRuntimeError(
            f"Expected {weight.rank}-dimensional input for {weight.rank}-dimensional weight "
            f"{shape}, but got {input.rank}-dimensional input of size {given} instead"
        )
    if shape[0] < groups:
        raise TrilithRuntimeError(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but "
            f"got weight of size {shape} instead"
        )
    if shape[0] % groups:
        raise TrilithRuntimeError(
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, "
            f"but got weight of size [{shape}] instead"
        )
    transposed = settings.is_transposed
    channels, features = shape[:2] if transposed else (shape[1] * groups, shape[0])
    features = features * groups if transposed else features
    start = "Given transposed=1" if transposed else f"Given groups={groups}"
    if given[1] != channels:
        raise TrilithRuntimeError(
            f"{start}, weight of size {shape}, expected input{given} to have {channels} channels, "
            f"but got {given[1]} channels instead"
        )
    if bias is not None and bias.shape != (features,):
        start = "Given transposed=1, " if transposed else "Given "
        raise TrilithRuntimeError(
            f"{start}weight of size {shape}, expected bias to be 1-dimensional with {features} "
            f"elements, but got bias of size {list(bias.shape)} instead"
        )
    if not transposed:
        _check_reach(input, weight, settings)


def _check_reach(input: TensorSpec, weight: TensorSpec, settings: Settings) -> None:
    """Refuse a kernel that is larger than the padded input."""
    sizes = [size + sum(pair) for size, pair in zip(input.shape[2:], settings.padding, strict=True)]
    kernel = [span(*pair) for pair in zip(weight.shape[2:], settings.dilation, strict=True)]
    if any(apart <= 0 for apart in settings.dilation):
        raise TrilithRuntimeError("non-positive dilation is not supported")
    if any(size < reach for size, reach in zip(sizes, kernel, strict=True)):
        raise TrilithRuntimeError(
            f"Calculated padded input size per channel: ({' x '.join(map(str, sizes))}). "
            f"Kernel size: ({' x '.join(map(str, kernel))}). "
            "Kernel size can't be greater than actual input size"
        )


def check_output_padding(settings: Settings) -> None:
    """Refuse to add more to a side than a step or a tap is wide."""
    limits = zip(settings.output_padding, settings.stride, settings.dilation, strict=True)
    if all(more < step or more < apart for more, step, apart in limits):
        return
    dims = len(settings.stride)
    words = ("depth", "height", "width")[3 - max(dims, 2) :]
    parts: list[str] = []
    for name in ("output_padding", "stride", "dilation"):
        numbers = getattr(settings, name)
        numbers = (1 if name != "output_padding" else 0, *numbers) if dims == 1 else numbers
        parts += (f"{name}_{word}: {number}" for word, number in zip(words, numbers, strict=True))
    raise TrilithRuntimeError(
        "output padding must be smaller than either stride or dilation, but got " + " ".join(parts)
    )
