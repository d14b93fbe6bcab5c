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

def bilinear(input1: _Array, input2: _Array, weight: _Array, bias: _Array | None = None) -> Tensor:
    """The products of two inputs with a matrix for each output: input1 @ weight[i] @ input2."""

def linear(input: _Array, weight: _Array, bias: _Array | None = None) -> Tensor:
    """The product of the last dim with a matrix of weights, and a bias added: input @ weight.T +
    bias.
    """

def pdist(input: _Array, p: builtins.float = 2.0) -> Tensor:
    """The distances of all pairs of rows of a matrix, in the p-norm."""

def scaled_dot_product_attention(
    query: _Array,
    key: _Array,
    value: _Array,
    attn_mask: _Array | None = None,
    dropout_p: builtins.float = 0.0,
    is_causal: builtins.bool = False,
    *,
    scale: builtins.float | None = None,
    enable_gqa: builtins.bool = False,
) -> Tensor:
    """`softmax`(query @ key.T * scale + attn_mask) @ value: each query's mean of the values,
    weighted by how its key answers it.
    """

def sigmoid(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """1 / (1 + exp(-input)), elementwise."""

def tanh(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent, elementwise."""
