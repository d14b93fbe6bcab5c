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

def alpha_dropout(
    input: _Array, p: complex = 0.5, training: builtins.bool = False, inplace: builtins.bool = False
) -> Tensor:
    """The input with elements dropped as selu wants it."""

def dropout(
    input: _Array, p: complex = 0.5, training: builtins.bool = True, inplace: builtins.bool = False
) -> Tensor:
    """The input with elements dropped at random."""

def dropout1d(
    input: _Array, p: complex = 0.5, training: builtins.bool = True, inplace: builtins.bool = False
) -> Tensor:
    """The input with whole rows dropped."""

def dropout2d(
    input: _Array, p: complex = 0.5, training: builtins.bool = True, inplace: builtins.bool = False
) -> Tensor:
    """The input with whole planes dropped."""

def dropout3d(
    input: _Array, p: complex = 0.5, training: builtins.bool = True, inplace: builtins.bool = False
) -> Tensor:
    """The input with whole volumes dropped."""

def feature_alpha_dropout(
    input: _Array, p: complex = 0.5, training: builtins.bool = False, inplace: builtins.bool = False
) -> Tensor:
    """The input with whole channels dropped as selu wants it."""

def gumbel_softmax(
    logits: _Array,
    tau: complex = 1,
    hard: builtins.bool = False,
    eps: builtins.float = 1e-10,
    dim: builtins.int = -1,
) -> Tensor:
    """Samples of the Gumbel-softmax distribution, `hard` ones as one-hot rows."""

def rrelu(
    input: _Array,
    lower: complex = 0.125,
    upper: complex = 0.3333333333333333,
    training: builtins.bool = False,
    inplace: builtins.bool = False,
) -> Tensor:
    """The input, what is negative times a random slope, or their mean without training."""

def sigmoid(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """1 / (1 + exp(-input)), elementwise."""

def tanh(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent, elementwise."""
