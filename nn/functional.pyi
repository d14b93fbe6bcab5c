"""Types of `trilith.nn.functional`, from the table of operations. By `make stubs`."""

import builtins
from collections.abc import Sequence
from types import EllipsisType
from typing import Any, Protocol, TypeAlias

import numpy as np

from ..dialects.attributes.device import Device as device
from ..dialects.attributes.dtype import DType as dtype
from ..runtime.tensors.tensor import Tensor

class _Exporter(Protocol):
    def __dlpack__(self) -> Any: ...

_Array: TypeAlias = Tensor | _Exporter
_Operand: TypeAlias = Tensor | _Exporter | complex | np.generic
_Ints: TypeAlias = builtins.int | Sequence[builtins.int]
_Place: TypeAlias = device | str | builtins.int
_Item: TypeAlias = builtins.int | slice | EllipsisType | _Array | Sequence[Any] | None
_Index: TypeAlias = _Item | tuple[_Item, ...]

def batch_norm(
    input: _Array,
    running_mean: _Array | None,
    running_var: _Array | None,
    weight: _Array | None = None,
    bias: _Array | None = None,
    training: builtins.bool = False,
    momentum: builtins.float = 0.1,
    eps: builtins.float = 1e-05,
) -> Tensor:
    """The elements of each channel less their mean, divided by their standard deviation, then
    scaled and moved; by running statistics if it is no training.
    """

def group_norm(
    input: _Array,
    num_groups: builtins.int,
    weight: _Array | None = None,
    bias: _Array | None = None,
    eps: builtins.float = 1e-05,
) -> Tensor:
    """The elements of each group of channels less their mean, divided by their standard deviation;
    then scaled and moved by parameters of the channels.
    """

def instance_norm(
    input: _Array,
    running_mean: _Array | None = None,
    running_var: _Array | None = None,
    weight: _Array | None = None,
    bias: _Array | None = None,
    use_input_stats: builtins.bool = True,
    momentum: builtins.float = 0.1,
    eps: builtins.float = 1e-05,
) -> Tensor:
    """The elements of each channel of each example less their mean, divided by their standard
    deviation; then scaled and moved.
    """

def layer_norm(
    input: _Array,
    normalized_shape: _Ints,
    weight: _Array | None = None,
    bias: _Array | None = None,
    eps: builtins.float = 1e-05,
    cudnn_enable: builtins.bool = True,
) -> Tensor:
    """The elements of the last dims less their mean, divided by their standard deviation; then
    scaled and moved by parameters.
    """

def log_softmax(
    input: _Array,
    dim: builtins.int | None = None,
    _stacklevel: builtins.int = 3,
    dtype: dtype | None = None,
) -> Tensor:
    """The logarithms of the softmax along a dim."""

def rms_norm(
    input: _Array,
    normalized_shape: _Ints,
    weight: _Array | None = None,
    eps: builtins.float | None = None,
) -> Tensor:
    """The elements of the last dims, divided by the root of the mean of their squares; then
    scaled.
    """

def sigmoid(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """1 / (1 + exp(-input)), elementwise."""

def softmax(
    input: _Array,
    dim: builtins.int | None = None,
    _stacklevel: builtins.int = 3,
    dtype: dtype | None = None,
) -> Tensor:
    """The exponentials of the elements along a dim, divided by their sum."""

def softmin(
    input: _Array,
    dim: builtins.int | None = None,
    _stacklevel: builtins.int = 3,
    dtype: dtype | None = None,
) -> Tensor:
    """The softmax of the negated elements along a dim."""

def tanh(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent, elementwise."""
