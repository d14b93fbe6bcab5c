"""Types of `trilith.nn.functional`, from the table of operations. By `make stubs`."""

import builtins
from collections.abc import Sequence
from types import EllipsisType
from typing import Any, Protocol, TypeAlias

import numpy as np

from ..dialects.attributes.device import Device as device
from ..runtime.tensors.tensor import Tensor

class _Exporter(Protocol):
    def __dlpack__(self) -> Any: ...

_Array: TypeAlias = Tensor | _Exporter
_Operand: TypeAlias = Tensor | _Exporter | complex | np.generic
_Ints: TypeAlias = builtins.int | Sequence[builtins.int]
_Place: TypeAlias = device | str | builtins.int
_Item: TypeAlias = builtins.int | slice | EllipsisType | _Array | Sequence[Any] | None
_Index: TypeAlias = _Item | tuple[_Item, ...]

def adaptive_avg_pool1d(input: _Array, output_size: _Ints) -> Tensor:
    """The means of windows of the last dim, as many as asked for."""

def adaptive_avg_pool2d(
    input: _Array, output_size: builtins.int | None | Sequence[builtins.int | None] | None
) -> Tensor:
    """The means of windows of the last 2 dims, as many as asked for."""

def adaptive_avg_pool3d(
    input: _Array, output_size: builtins.int | None | Sequence[builtins.int | None] | None
) -> Tensor:
    """The means of windows of the last 3 dims, as many as asked for."""

def adaptive_max_pool1d(
    input: _Array, output_size: _Ints, return_indices: builtins.bool = False
) -> Any:
    """The largest elements of windows of the last dim, as many as asked for."""

def adaptive_max_pool1d_with_indices(
    input: _Array, output_size: _Ints, return_indices: builtins.bool = False
) -> tuple[Tensor, Tensor]:
    """The largest elements of windows of the last dim, as many as asked for, and where they are."""

def adaptive_max_pool2d(
    input: _Array,
    output_size: builtins.int | None | Sequence[builtins.int | None] | None,
    return_indices: builtins.bool = False,
) -> Any:
    """The largest elements of windows of the last 2 dims, as many as asked for."""

def adaptive_max_pool2d_with_indices(
    input: _Array,
    output_size: builtins.int | None | Sequence[builtins.int | None] | None,
    return_indices: builtins.bool = False,
) -> tuple[Tensor, Tensor]:
    """The largest elements of windows of the last 2 dims, as many as asked for, and where they
    are.
    """

def adaptive_max_pool3d(
    input: _Array,
    output_size: builtins.int | None | Sequence[builtins.int | None] | None,
    return_indices: builtins.bool = False,
) -> Any:
    """The largest elements of windows of the last 3 dims, as many as asked for."""

def adaptive_max_pool3d_with_indices(
    input: _Array,
    output_size: builtins.int | None | Sequence[builtins.int | None] | None,
    return_indices: builtins.bool = False,
) -> tuple[Tensor, Tensor]:
    """The largest elements of windows of the last 3 dims, as many as asked for, and where they
    are.
    """

def affine_grid(theta: _Array, size: _Ints, align_corners: builtins.bool | None = None) -> Tensor:
    """The grid that affine maps make of the places of an image of that size, for grid_sample."""

def avg_pool1d(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = (),
    padding: _Ints = 0,
    ceil_mode: builtins.bool = False,
    count_include_pad: builtins.bool = True,
) -> Tensor:
    """The mean of each window of the last dim; padding counts as zeros if count_include_pad is
    set.
    """

def avg_pool2d(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = (),
    padding: _Ints = 0,
    ceil_mode: builtins.bool = False,
    count_include_pad: builtins.bool = True,
    divisor_override: builtins.int | None = None,
) -> Tensor:
    """The mean of each window of the last 2 dims; padding counts as zeros if count_include_pad is
    set.
    """

def avg_pool3d(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = (),
    padding: _Ints = 0,
    ceil_mode: builtins.bool = False,
    count_include_pad: builtins.bool = True,
    divisor_override: builtins.int | None = None,
) -> Tensor:
    """The mean of each window of the last 3 dims; padding counts as zeros if count_include_pad is
    set.
    """

def channel_shuffle(input: _Array, groups: builtins.int) -> Tensor:
    """The channels of all groups in turn."""

def conv1d(
    input: _Array,
    weight: _Array,
    bias: _Array | None = None,
    stride: _Ints = 1,
    padding: _Ints | str = 0,
    dilation: _Ints = 1,
    groups: builtins.int = 1,
) -> Tensor:
    """The sums of products of a weight with all windows of the last dim of the input, for each pair
    of channels; 'same' pads so that sizes stay, 'valid' not at all.
    """

def conv2d(
    input: _Array,
    weight: _Array,
    bias: _Array | None = None,
    stride: _Ints = 1,
    padding: _Ints | str = 0,
    dilation: _Ints = 1,
    groups: builtins.int = 1,
) -> Tensor:
    """The sums of products of a weight with all windows of the last 2 dims of the input, for each
    pair of channels; 'same' pads so that sizes stay, 'valid' not at all.
    """

def conv3d(
    input: _Array,
    weight: _Array,
    bias: _Array | None = None,
    stride: _Ints = 1,
    padding: _Ints | str = 0,
    dilation: _Ints = 1,
    groups: builtins.int = 1,
) -> Tensor:
    """The sums of products of a weight with all windows of the last 3 dims of the input, for each
    pair of channels; 'same' pads so that sizes stay, 'valid' not at all.
    """

def conv_tbc(input: _Array, weight: _Array, bias: _Array, pad: builtins.int = 0) -> Tensor:
    """A convolution over the first dim, of tensors of (time, batch, channel)."""

def conv_transpose1d(
    input: _Array,
    weight: _Array,
    bias: _Array | None = None,
    stride: _Ints = 1,
    padding: _Ints = 0,
    output_padding: _Ints = 0,
    groups: builtins.int = 1,
    dilation: _Ints = 1,
) -> Tensor:
    """What goes back from a result of conv1d to its input: each element times the weight, added up
    where windows overlap.
    """

def conv_transpose2d(
    input: _Array,
    weight: _Array,
    bias: _Array | None = None,
    stride: _Ints = 1,
    padding: _Ints = 0,
    output_padding: _Ints = 0,
    groups: builtins.int = 1,
    dilation: _Ints = 1,
) -> Tensor:
    """What goes back from a result of conv2d to its input: each element times the weight, added up
    where windows overlap.
    """

def conv_transpose3d(
    input: _Array,
    weight: _Array,
    bias: _Array | None = None,
    stride: _Ints = 1,
    padding: _Ints = 0,
    output_padding: _Ints = 0,
    groups: builtins.int = 1,
    dilation: _Ints = 1,
) -> Tensor:
    """What goes back from a result of conv3d to its input: each element times the weight, added up
    where windows overlap.
    """

def fold(
    input: _Array,
    output_size: _Ints,
    kernel_size: _Ints,
    dilation: _Ints = 1,
    padding: _Ints = 0,
    stride: _Ints = 1,
) -> Tensor:
    """Images from the columns that unfold gives, added up where windows overlap."""

def grid_sample(
    input: _Array,
    grid: _Array,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: builtins.bool | None = None,
) -> Tensor:
    """An image looked up at the places of a grid, between -1 and 1 along each dim."""

def interpolate(
    input: _Array,
    size: _Ints | None = None,
    scale_factor: builtins.float | Sequence[builtins.float] | None = None,
    mode: str = "nearest",
    align_corners: builtins.bool | None = None,
    recompute_scale_factor: builtins.bool | None = None,
    antialias: builtins.bool = False,
) -> Tensor:
    """The tensor resampled to another size of the dims behind the first two, by mode: nearest,
    nearest-exact, linear, bilinear, trilinear, bicubic, lanczos or area.
    """

def local_response_norm(
    input: _Array,
    size: builtins.int,
    alpha: builtins.float = 0.0001,
    beta: builtins.float = 0.75,
    k: builtins.float = 1.0,
) -> Tensor:
    """The tensor divided by a power of the mean square of neighbouring channels."""

def lp_pool1d(
    input: _Array,
    norm_type: builtins.float,
    kernel_size: _Ints,
    stride: _Ints | None = None,
    ceil_mode: builtins.bool = False,
) -> Tensor:
    """The norm of each window of the last dim: the root of the sum of powers."""

def lp_pool2d(
    input: _Array,
    norm_type: builtins.float,
    kernel_size: _Ints,
    stride: _Ints | None = None,
    ceil_mode: builtins.bool = False,
) -> Tensor:
    """The norm of each window of the last 2 dims: the root of the sum of powers."""

def lp_pool3d(
    input: _Array,
    norm_type: builtins.float,
    kernel_size: _Ints,
    stride: _Ints | None = None,
    ceil_mode: builtins.bool = False,
) -> Tensor:
    """The norm of each window of the last 3 dims: the root of the sum of powers."""

def max_pool1d(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = None,
    padding: _Ints = 0,
    dilation: _Ints = 1,
    ceil_mode: builtins.bool = False,
    return_indices: builtins.bool = False,
) -> Any:
    """The largest element of each window of the last dim; with its number if return_indices is
    set.
    """

def max_pool1d_with_indices(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = (),
    padding: _Ints = 0,
    dilation: _Ints = 1,
    ceil_mode: builtins.bool = False,
) -> tuple[Tensor, Tensor]:
    """The largest element of each window of the last dim, and its number in these dims."""

def max_pool2d(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = None,
    padding: _Ints = 0,
    dilation: _Ints = 1,
    ceil_mode: builtins.bool = False,
    return_indices: builtins.bool = False,
) -> Any:
    """The largest element of each window of the last 2 dims; with its number if return_indices is
    set.
    """

def max_pool2d_with_indices(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = None,
    padding: _Ints = 0,
    dilation: _Ints = 1,
    ceil_mode: builtins.bool = False,
    return_indices: builtins.bool = False,
) -> tuple[Tensor, Tensor]:
    """The largest element of each window of the last 2 dims, and its number in these dims."""

def max_pool3d(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = None,
    padding: _Ints = 0,
    dilation: _Ints = 1,
    ceil_mode: builtins.bool = False,
    return_indices: builtins.bool = False,
) -> Any:
    """The largest element of each window of the last 3 dims; with its number if return_indices is
    set.
    """

def max_pool3d_with_indices(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = None,
    padding: _Ints = 0,
    dilation: _Ints = 1,
    ceil_mode: builtins.bool = False,
    return_indices: builtins.bool = False,
) -> tuple[Tensor, Tensor]:
    """The largest element of each window of the last 3 dims, and its number in these dims."""

def max_unpool1d(
    input: _Array,
    indices: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = None,
    padding: _Ints = 0,
    output_size: _Ints | None = None,
) -> Tensor:
    """What goes back from a result of max_pool1d: its elements where they were, else 0."""

def max_unpool2d(
    input: _Array,
    indices: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = None,
    padding: _Ints = 0,
    output_size: _Ints | None = None,
) -> Tensor:
    """What goes back from a result of max_pool2d: its elements where they were, else 0."""

def max_unpool3d(
    input: _Array,
    indices: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = None,
    padding: _Ints = 0,
    output_size: _Ints | None = None,
) -> Tensor:
    """What goes back from a result of max_pool3d: its elements where they were, else 0."""

def native_channel_shuffle(input: _Array, groups: builtins.int) -> Tensor:
    """The same as channel_shuffle."""

def pad(input: _Array, pad: _Ints, mode: str = "constant", value: complex | None = None) -> Tensor:
    """Margins around the last dims, (left, right, top, bottom, ...), of one value or, in modes
    reflect, replicate and circular, of elements; negative ones cut off.
    """

def pixel_shuffle(input: _Array, upscale_factor: builtins.int) -> Tensor:
    """Squares of channels as squares of pixels: dims (C r^2, H, W) become (C, H r, W r)."""

def pixel_unshuffle(input: _Array, downscale_factor: builtins.int) -> Tensor:
    """Squares of pixels as channels: dims (C, H r, W r) become (C r^2, H, W)."""

def sigmoid(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """1 / (1 + exp(-input)), elementwise."""

def tanh(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent, elementwise."""

def unfold(
    input: _Array, kernel_size: _Ints, dilation: _Ints = 1, padding: _Ints = 0, stride: _Ints = 1
) -> Tensor:
    """The windows of images as columns: dims (N, C, H, W) become (N, C k, windows)."""

def upsample(
    input: _Array,
    size: _Ints | None = None,
    scale_factor: builtins.float | Sequence[builtins.float] | None = None,
    mode: str = "nearest",
    align_corners: builtins.bool | None = None,
) -> Tensor:
    """The same as interpolate, which has taken its place."""

def upsample_bilinear(
    input: _Array,
    size: _Ints | None = None,
    scale_factor: builtins.float | Sequence[builtins.float] | None = None,
) -> Tensor:
    """The same as interpolate in its mode bilinear with align_corners set."""

def upsample_nearest(
    input: _Array,
    size: _Ints | None = None,
    scale_factor: builtins.float | Sequence[builtins.float] | None = None,
) -> Tensor:
    """The same as interpolate in its mode nearest, which has taken its place."""
