"""Types of `trilith.linalg`, from the table of operations. By `make stubs`."""

import builtins
from collections.abc import Sequence
from types import EllipsisType
from typing import Any, Protocol, TypeAlias

import numpy as np

from .dialects.attributes.device import Device as device
from .runtime.tensors.tensor import Tensor

class _Exporter(Protocol):
    def __dlpack__(self) -> Any: ...

_Array: TypeAlias = Tensor | _Exporter
_Operand: TypeAlias = Tensor | _Exporter | complex | np.generic
_Ints: TypeAlias = builtins.int | Sequence[builtins.int]
_Place: TypeAlias = device | str | builtins.int
_Item: TypeAlias = builtins.int | slice | EllipsisType | _Array | Sequence[Any] | None
_Index: TypeAlias = _Item | tuple[_Item, ...]

def cross(
    input: _Array, other: _Array, *, dim: builtins.int = -1, out: Tensor | None = None
) -> Tensor:
    """The cross products of vectors of three elements along a dim."""

def diagonal(
    A: _Array, *, offset: builtins.int = 0, dim1: builtins.int = -2, dim2: builtins.int = -1
) -> Tensor:
    """The diagonal of matrices as a view, without a copy."""

def matmul(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """The matrix product [..., M, K] @ [..., K, N] -> [..., M, N]; batch dims broadcast, and a 1-D
    operand stands for a row or a column.
    """

def matrix_power(input: _Array, n: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """Square matrices multiplied by themselves n times; of a negative n, their inverses."""

def multi_dot(tensors: Sequence[_Array], *, out: Tensor | None = None) -> Tensor:
    """The product of a chain of matrices, in the order that takes the fewest multiplications."""

def vander(x: _Array, *, N: builtins.int | None = None) -> Tensor:
    """The powers of elements along a new last dim, the lowest first."""

def vecdot(x: _Array, y: _Array, *, dim: builtins.int = -1, out: Tensor | None = None) -> Tensor:
    """The dot products of vectors along a dim of two tensors, the first of them conjugated."""
