"""Types of `trilith.special`, from the table of operations. By `make stubs`."""

import builtins
from collections.abc import Sequence
from types import EllipsisType
from typing import Any, Protocol, TypeAlias

import numpy as np

from .dialects.attributes.device import Device as device
from .dialects.attributes.dtype import DType as dtype
from .runtime.tensors.tensor import Tensor

class _Exporter(Protocol):
    def __dlpack__(self) -> Any: ...

_Array: TypeAlias = Tensor | _Exporter
_Operand: TypeAlias = Tensor | _Exporter | complex | np.generic
_Ints: TypeAlias = builtins.int | Sequence[builtins.int]
_Place: TypeAlias = device | str | builtins.int
_Item: TypeAlias = builtins.int | slice | EllipsisType | _Array | Sequence[Any] | None
_Index: TypeAlias = _Item | tuple[_Item, ...]

def exp2(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """2 to the power of input, elementwise."""

def expit(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """1 / (1 + exp(-input)), elementwise."""

def expm1(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`exp`(input) - 1 without cancellation near 0, elementwise."""

def log1p(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`log`(1 + input) without cancellation near 0, elementwise."""

def log_softmax(input: _Array, dim: builtins.int, *, dtype: dtype | None = None) -> Tensor:
    """The logarithms of the softmax along a dim."""

def softmax(
    input: _Array, dim: builtins.int, dtype: dtype | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The exponentials of the elements along a dim, divided by their sum."""
