"""Types of `trilith.linalg`, from the table of operations. By `make stubs`."""

import builtins
from collections.abc import Sequence
from types import EllipsisType
from typing import Any, Protocol, TypeAlias, overload

import numpy as np

from .dialects.attributes.device import Device as device
from .dialects.attributes.dtype import DType as dtype
from .dialects.diagnostics import TrilithLinAlgError as _LinAlgError
from .runtime.tensors.operations import return_types
from .runtime.tensors.tensor import Tensor

LinAlgError = _LinAlgError

class _Exporter(Protocol):
    def __dlpack__(self) -> Any: ...

_Array: TypeAlias = Tensor | _Exporter
_Operand: TypeAlias = Tensor | _Exporter | builtins.complex | np.generic
_Ints: TypeAlias = builtins.int | Sequence[builtins.int]
_Place: TypeAlias = device | str | builtins.int
_Item: TypeAlias = builtins.int | slice | EllipsisType | _Array | Sequence[Any] | None
_Index: TypeAlias = _Item | tuple[_Item, ...]

def cholesky(input: _Array, *, upper: builtins.bool = False, out: Tensor | None = None) -> Tensor:
    """The lower triangular L of L L^H, or the upper U of U^H U, for positive-definite matrices."""

def cholesky_ex(
    input: _Array,
    *,
    upper: builtins.bool = False,
    check_errors: builtins.bool = False,
    out: Sequence[Tensor] | None = None,
) -> return_types.linalg_cholesky_ex:
    """The triangular factors of matrices, and for each 0, or which minor is not positive."""

def cond(
    input: _Array, p: builtins.complex | str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The condition numbers of matrices by a norm: that of the matrix times that of its inverse."""

def cross(
    input: _Array, other: _Array, *, dim: builtins.int = -1, out: Tensor | None = None
) -> Tensor:
    """The cross products of vectors of three elements along a dim."""

def det(A: _Array, *, out: Tensor | None = None) -> Tensor:
    """The determinants of square matrices."""

def diagonal(
    A: _Array, *, offset: builtins.int = 0, dim1: builtins.int = -2, dim2: builtins.int = -1
) -> Tensor:
    """The diagonal of matrices as a view, without a copy."""

def eig(input: _Array, *, out: Sequence[Tensor] | None = None) -> return_types.linalg_eig:
    """Eigenvalues and eigenvectors of square matrices, which are complex numbers."""

def eigh(
    input: _Array, UPLO: str = "L", *, out: Sequence[Tensor] | None = None
) -> return_types.linalg_eigh:
    """Eigenvalues, the smallest first, and eigenvectors of symmetric or Hermitian matrices."""

def eigvals(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The eigenvalues of square matrices, which are complex numbers."""

def eigvalsh(input: _Array, UPLO: str = "L", *, out: Tensor | None = None) -> Tensor:
    """The eigenvalues of symmetric or Hermitian matrices, the smallest first."""

def householder_product(input: _Array, tau: _Array, *, out: Tensor | None = None) -> Tensor:
    """The first columns of a product of reflections, by vectors in columns and their factors."""

def inv(A: _Array, *, out: Tensor | None = None) -> Tensor:
    """The inverses of square matrices."""

def inv_ex(
    A: _Array, *, check_errors: builtins.bool = False, out: Sequence[Tensor] | None = None
) -> return_types.linalg_inv_ex:
    """The inverses of square matrices, and for each 0, or which pivot is 0."""

def lstsq(
    input: _Array,
    b: _Array,
    rcond: builtins.float | None = None,
    *,
    driver: str | None = None,
    out: Sequence[Tensor] | None = None,
) -> return_types.linalg_lstsq:
    """X for which the columns of A X - B are least, the squares of what is left, and the rank of
    A.
    """

def lu(
    A: _Array, *, pivot: builtins.bool = True, out: Sequence[Tensor] | None = None
) -> return_types.linalg_lu:
    """P, L and U with A = P L U: rows change places, L is lower and U upper triangular."""

def lu_factor(
    A: _Array, *, pivot: builtins.bool = True, out: Sequence[Tensor] | None = None
) -> return_types.linalg_lu_factor:
    """The triangular factors of matrices, in one, and which rows changed places."""

def lu_factor_ex(
    A: _Array,
    *,
    pivot: builtins.bool = True,
    check_errors: builtins.bool = False,
    out: Sequence[Tensor] | None = None,
) -> return_types.linalg_lu_factor_ex:
    """The triangular factors of matrices, in one, their pivots, and 0, or which pivot is 0."""

def lu_solve(
    LU: _Array,
    pivots: _Array,
    B: _Array,
    *,
    left: builtins.bool = True,
    adjoint: builtins.bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """X of A X = B, for A whose factors `linalg.lu_factor` gave."""

def matmul(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """The matrix product [..., M, K] @ [..., K, N] -> [..., M, N]; batch dims broadcast, and a 1-D
    operand stands for a row or a column.
    """

def matrix_exp(input: _Array) -> Tensor:
    """The exponentials of square matrices, of which exp(A + A) is exp(A) exp(A)."""

def matrix_norm(
    input: _Array,
    ord: builtins.complex | str = "fro",
    dim: _Ints = (-2, -1),
    keepdim: builtins.bool = False,
    *,
    dtype: dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The norm of matrices in two dims: by their elements, columns, rows or singular values."""

def matrix_power(input: _Array, n: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """Square matrices multiplied by themselves n times; of a negative n, their inverses."""

@overload
def matrix_rank(
    input: _Array,
    *,
    atol: _Operand | None = None,
    rtol: _Operand | None = None,
    hermitian: builtins.bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """How many singular values of matrices are more than atol and more than rtol of the largest."""

@overload
def matrix_rank(
    input: _Array, tol: _Operand, hermitian: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """How many singular values of matrices are more than atol and more than rtol of the largest."""

def multi_dot(tensors: Sequence[_Array], *, out: Tensor | None = None) -> Tensor:
    """The product of a chain of matrices, in the order that takes the fewest multiplications."""

def norm(
    input: _Array,
    ord: builtins.complex | str | None = None,
    dim: _Ints | None = None,
    keepdim: builtins.bool = False,
    *,
    dtype: dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The norm of vectors, or of matrices if there are two dims and an order."""

@overload
def pinv(
    input: _Array,
    *,
    atol: _Operand | None = None,
    rtol: _Operand | None = None,
    hermitian: builtins.bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The Moore-Penrose inverses of matrices, in which small singular values count as 0."""

@overload
def pinv(
    input: _Array, rcond: _Operand, hermitian: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """The Moore-Penrose inverses of matrices, in which small singular values count as 0."""

def qr(
    A: _Array, mode: str = "reduced", *, out: Sequence[Tensor] | None = None
) -> return_types.linalg_qr:
    """Q, whose columns are orthonormal, and an upper triangular R, of which A is the product."""

def slogdet(A: _Array, *, out: Sequence[Tensor] | None = None) -> return_types.linalg_slogdet:
    """The signs of determinants, and the logarithms of their absolute values."""

def solve(A: _Array, B: _Array, *, left: builtins.bool = True, out: Tensor | None = None) -> Tensor:
    """X of A X = B, for square matrices A; with left=False X of X A = B."""

def solve_ex(
    A: _Array,
    B: _Array,
    *,
    left: builtins.bool = True,
    check_errors: builtins.bool = False,
    out: Sequence[Tensor] | None = None,
) -> return_types.linalg_solve_ex:
    """X of A X = B, and for each matrix 0, or which pivot is 0."""

def solve_triangular(
    input: _Array,
    B: _Array,
    *,
    upper: builtins.bool,
    left: builtins.bool = True,
    unitriangular: builtins.bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """X of A X = B, or of X A = B, for triangular matrices A."""

def svd(
    A: _Array,
    full_matrices: builtins.bool = True,
    *,
    driver: str | None = None,
    out: Sequence[Tensor] | None = None,
) -> return_types.linalg_svd:
    """U, S and V^H with A = U diag(S) V^H: singular vectors and values, the largest first."""

def svdvals(A: _Array, *, driver: str | None = None, out: Tensor | None = None) -> Tensor:
    """The singular values of matrices, the largest first."""

def tensorinv(input: _Array, ind: builtins.int = 2, *, out: Tensor | None = None) -> Tensor:
    """The inverse for `tensordot` of a tensor whose first dims are as many rows as columns."""

def tensorsolve(
    input: _Array, other: _Array, dims: _Ints | None = None, *, out: Tensor | None = None
) -> Tensor:
    """X of tensordot(input, X) = other."""

def vander(x: _Array, *, N: builtins.int | None = None) -> Tensor:
    """The powers of elements along a new last dim, the lowest first."""

def vecdot(x: _Array, y: _Array, *, dim: builtins.int = -1, out: Tensor | None = None) -> Tensor:
    """The dot products of vectors along a dim of two tensors, the first of them conjugated."""

def vector_norm(
    input: _Array,
    ord: builtins.complex = 2,
    dim: _Ints | None = None,
    keepdim: builtins.bool = False,
    *,
    dtype: dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The norm of vectors over dims: the root of the sum of powers of the magnitudes."""
