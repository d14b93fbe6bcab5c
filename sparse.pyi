"""Types of `trilith.sparse`, from the table of operations. By `make stubs`."""

import builtins
from collections.abc import Sequence
from types import EllipsisType
from typing import Any, Protocol, TypeAlias

import numpy as np

from .dialects.attributes.device import Device as device
from .dialects.attributes.dtype import DType as dtype
from .dialects.attributes.layout import Layout as layout
from .runtime.tensors.sparse_checks import check_sparse_tensor_invariants as _Checks
from .runtime.tensors.tensor import Tensor

check_sparse_tensor_invariants = _Checks

class _Exporter(Protocol):
    def __dlpack__(self) -> Any: ...

_Array: TypeAlias = Tensor | _Exporter
_Operand: TypeAlias = Tensor | _Exporter | builtins.complex | np.generic
_Ints: TypeAlias = builtins.int | Sequence[builtins.int]
_Place: TypeAlias = device | str | builtins.int
_Item: TypeAlias = builtins.int | slice | EllipsisType | _Array | Sequence[Any] | None
_Index: TypeAlias = _Item | tuple[_Item, ...]

def addmm(
    input: _Array,
    mat1: _Array,
    mat2: _Array,
    *,
    beta: builtins.complex = 1,
    alpha: builtins.complex = 1,
) -> Tensor:
    """A matrix plus the product of two others, the first of which may be sparse."""

def log_softmax(input: _Array, dim: builtins.int, *, dtype: dtype | None = None) -> Tensor:
    """The log_softmax over a dim of what a sparse tensor specifies."""

def mm(input: _Array, mat2: _Array, reduce: str | None = None) -> Tensor:
    """The product of two matrices, of which one or both may be sparse."""

def sampled_addmm(
    input: _Array,
    mat1: _Array,
    mat2: _Array,
    *,
    beta: builtins.complex = 1,
    alpha: builtins.complex = 1,
) -> Tensor:
    """Refuse: PyTorch offers it for tensors of layout sparse_csr alone."""

def softmax(input: _Array, dim: builtins.int, *, dtype: dtype | None = None) -> Tensor:
    """The softmax over a dim of what a sparse tensor specifies."""

def spdiags(
    diagonals: _Array, offsets: _Array, shape: _Ints, layout: layout | None = None
) -> Tensor:
    """The sparse matrix whose diagonals are the rows of another one, some columns from the main
    one.
    """

def sum(input: _Array, dim: _Ints | None = None, dtype: dtype | None = None) -> Tensor:
    """The sum of a sparse tensor over dims: sparse, unless no sparse dim is left."""
