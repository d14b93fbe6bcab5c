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

def sigmoid(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """1 / (1 + exp(-input)), elementwise."""

def tanh(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent, elementwise."""
