"""Types of `trilith.linalg`, from the table of operations. By `make stubs`."""

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

def matrix_norm(
    input: _Array,
    ord: complex | str = "fro",
    dim: _Ints = (-2, -1),
    keepdim: builtins.bool = False,
    *,
    dtype: dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The norm of matrices in two dims: by their elements, columns, rows or singular values."""

def norm(
    input: _Array,
    ord: complex | str | None = None,
    dim: _Ints | None = None,
    keepdim: builtins.bool = False,
    *,
    dtype: dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The norm of vectors, or of matrices if there are two dims and an order."""

def vector_norm(
    input: _Array,
    ord: complex = 2,
    dim: _Ints | None = None,
    keepdim: builtins.bool = False,
    *,
    dtype: dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The norm of vectors over dims: the root of the sum of powers of the magnitudes."""
