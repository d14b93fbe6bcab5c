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

def celu(input: _Array, alpha: complex = 1.0, inplace: builtins.bool = False) -> Tensor:
    """`celu`, which may write into its operand."""

def celu_(input: _Array, alpha: complex = 1.0) -> Tensor:
    """`input` above 0, else alpha * expm1(input / alpha), elementwise."""

def elu(input: _Array, alpha: complex = 1.0, inplace: builtins.bool = False) -> Tensor:
    """`input` above 0, else alpha * expm1(input), elementwise."""

def elu_(input: _Array, alpha: complex = 1.0, inplace: builtins.bool = False) -> Tensor:
    """`input` above 0, else alpha * expm1(input), elementwise."""

def gelu(input: _Array, *, approximate: str = "none", out: Tensor | None = None) -> Tensor:
    """`input` * Phi(input), elementwise, Phi being the normal distribution function;
    approximate='tanh' is the usual approximation of it.
    """

def glu(input: _Array, dim: builtins.int = -1) -> Tensor:
    """One half of input times the sigmoid of the other one."""

def hardshrink(input: _Array, lambd: complex = 0.5, *, out: Tensor | None = None) -> Tensor:
    """`input`, but 0 between -lambd and lambd, elementwise."""

def hardsigmoid(input: _Array, inplace: builtins.bool = False) -> Tensor:
    """`input` / 6 + 1 / 2, limited to [0, 1], elementwise."""

def hardswish(input: _Array, inplace: builtins.bool = False) -> Tensor:
    """`input` times its hardsigmoid, elementwise."""

def hardtanh(
    input: _Array, min_val: complex = -1.0, max_val: complex = 1.0, inplace: builtins.bool = False
) -> Tensor:
    """`input` limited to [min_val, max_val], elementwise."""

def hardtanh_(
    input: _Array, min_val: complex = -1.0, max_val: complex = 1.0, inplace: builtins.bool = False
) -> Tensor:
    """`input` limited to [min_val, max_val], elementwise."""

def leaky_relu(
    input: _Array, negative_slope: complex = 0.01, inplace: builtins.bool = False
) -> Tensor:
    """`input` above 0, else input * negative_slope, elementwise."""

def leaky_relu_(
    input: _Array, negative_slope: complex = 0.01, inplace: builtins.bool = False
) -> Tensor:
    """`input` above 0, else input * negative_slope, elementwise."""

def logsigmoid(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the sigmoid, elementwise."""

def mish(input: _Array, inplace: builtins.bool = False) -> Tensor:
    """`input` * tanh(softplus(input)), elementwise."""

def prelu(input: _Array, weight: _Array) -> Tensor:
    """`input` above 0, else input * weight; of several weights each is that of a channel."""

def relu(input: _Array, inplace: builtins.bool = False) -> Tensor:
    """The larger of input and 0, elementwise."""

def relu6(input: _Array, inplace: builtins.bool = False) -> Tensor:
    """`input` limited to [0, 6], elementwise."""

def relu_(input: _Array) -> Tensor:
    """The larger of input and 0, elementwise."""

def rrelu(
    input: _Array,
    lower: complex = 0.125,
    upper: complex = 0.3333333333333333,
    training: builtins.bool = False,
    inplace: builtins.bool = False,
) -> Tensor:
    """`rrelu`, which may write into its operand."""

def rrelu_(
    input: _Array,
    lower: complex = 0.125,
    upper: complex = 0.3333333333333333,
    training: builtins.bool = False,
) -> Tensor:
    """`input` above 0, else input times the mean of lower and upper, elementwise."""

def selu(input: _Array, inplace: builtins.bool = False) -> Tensor:
    """`selu`, which may write into its operand, elementwise."""

def selu_(input: _Array) -> Tensor:
    """1.0507 * elu(input, 1.6733), elementwise: it keeps mean and variance of layers."""

def sigmoid(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """1 / (1 + exp(-input)), elementwise."""

def silu(input: _Array, inplace: builtins.bool = False) -> Tensor:
    """`input` * sigmoid(input), elementwise."""

def softplus(input: _Array, beta: complex = 1, threshold: complex = 20) -> Tensor:
    """`log`(1 + exp(beta * input)) / beta, and input where beta * input is above the threshold."""

def softshrink(input: _Array, lambd: complex = 0.5) -> Tensor:
    """`input` less lambd, or with it added below 0; 0 between -lambd and lambd."""

def softsign(input: _Array) -> Tensor:
    """`input` / (1 + |input|), elementwise."""

def tanh(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent, elementwise."""

def tanhshrink(input: _Array) -> Tensor:
    """`input` - tanh(input), elementwise."""

def threshold(
    input: _Array, threshold: complex, value: complex, inplace: builtins.bool = False
) -> Tensor:
    """`threshold`, which may write into its operand."""

def threshold_(
    input: _Array, threshold: complex, value: complex, *, out: Tensor | None = None
) -> Tensor:
    """`input` above the threshold, else the value, elementwise."""
