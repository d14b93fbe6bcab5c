"""Types of the methods that tensors get from the table of operations. Written by `make stubs`."""

import builtins
from collections.abc import Callable, Iterator, Sequence
from types import EllipsisType
from typing import Any, NamedTuple, Protocol, TypeAlias, overload

import numpy as np

from ...dialects.attributes.device import Device as device
from ...dialects.attributes.dtype import DType as dtype
from ...dialects.attributes.layout import Layout as layout
from ...dialects.attributes.memory_format import MemoryFormat as memory_format
from .generators import Generator
from .tensor import Tensor
from .tensor_impl import TensorImpl

class _Exporter(Protocol):
    def __dlpack__(self) -> Any: ...

_Array: TypeAlias = Tensor | _Exporter
_Operand: TypeAlias = Tensor | _Exporter | builtins.complex | np.generic
_Ints: TypeAlias = builtins.int | Sequence[builtins.int]
_Place: TypeAlias = device | str | builtins.int
_Item: TypeAlias = builtins.int | slice | EllipsisType | _Array | Sequence[Any] | None
_Index: TypeAlias = _Item | tuple[_Item, ...]

class return_types:
    class _lu_with_info(NamedTuple):
        LU: Tensor
        pivots: Tensor
        info: Tensor

    class _lu_with_info_out(NamedTuple):
        LU: Tensor
        pivots: Tensor
        info: Tensor

    class aminmax(NamedTuple):
        min: Tensor
        max: Tensor

    class aminmax_out(NamedTuple):
        min: Tensor
        max: Tensor

    class cummax(NamedTuple):
        values: Tensor
        indices: Tensor

    class cummax_out(NamedTuple):
        values: Tensor
        indices: Tensor

    class cummin(NamedTuple):
        values: Tensor
        indices: Tensor

    class cummin_out(NamedTuple):
        values: Tensor
        indices: Tensor

    class frexp(NamedTuple):
        mantissa: Tensor
        exponent: Tensor

    class frexp_out(NamedTuple):
        mantissa: Tensor
        exponent: Tensor

    class geqrf(NamedTuple):
        a: Tensor
        tau: Tensor

    class geqrf_out(NamedTuple):
        a: Tensor
        tau: Tensor

    class histogram(NamedTuple):
        hist: Tensor
        bin_edges: Tensor

    class histogram_out(NamedTuple):
        hist: Tensor
        bin_edges: Tensor

    class kthvalue(NamedTuple):
        values: Tensor
        indices: Tensor

    class kthvalue_out(NamedTuple):
        values: Tensor
        indices: Tensor

    class linalg_cholesky_ex(NamedTuple):
        L: Tensor
        info: Tensor

    class linalg_cholesky_ex_out(NamedTuple):
        L: Tensor
        info: Tensor

    class linalg_eig(NamedTuple):
        eigenvalues: Tensor
        eigenvectors: Tensor

    class linalg_eig_out(NamedTuple):
        eigenvalues: Tensor
        eigenvectors: Tensor

    class linalg_eigh(NamedTuple):
        eigenvalues: Tensor
        eigenvectors: Tensor

    class linalg_eigh_out(NamedTuple):
        eigenvalues: Tensor
        eigenvectors: Tensor

    class linalg_inv_ex(NamedTuple):
        inverse: Tensor
        info: Tensor

    class linalg_inv_ex_out(NamedTuple):
        inverse: Tensor
        info: Tensor

    class linalg_lstsq(NamedTuple):
        solution: Tensor
        residuals: Tensor
        rank: Tensor
        singular_values: Tensor

    class linalg_lstsq_out(NamedTuple):
        solution: Tensor
        residuals: Tensor
        rank: Tensor
        singular_values: Tensor

    class linalg_lu(NamedTuple):
        P: Tensor
        L: Tensor
        U: Tensor

    class linalg_lu_factor(NamedTuple):
        LU: Tensor
        pivots: Tensor

    class linalg_lu_factor_ex(NamedTuple):
        LU: Tensor
        pivots: Tensor
        info: Tensor

    class linalg_lu_factor_ex_out(NamedTuple):
        LU: Tensor
        pivots: Tensor
        info: Tensor

    class linalg_lu_factor_out(NamedTuple):
        LU: Tensor
        pivots: Tensor

    class linalg_lu_out(NamedTuple):
        P: Tensor
        L: Tensor
        U: Tensor

    class linalg_qr(NamedTuple):
        Q: Tensor
        R: Tensor

    class linalg_qr_out(NamedTuple):
        Q: Tensor
        R: Tensor

    class linalg_slogdet(NamedTuple):
        sign: Tensor
        logabsdet: Tensor

    class linalg_slogdet_out(NamedTuple):
        sign: Tensor
        logabsdet: Tensor

    class linalg_solve_ex(NamedTuple):
        result: Tensor
        info: Tensor

    class linalg_solve_ex_out(NamedTuple):
        result: Tensor
        info: Tensor

    class linalg_svd(NamedTuple):
        U: Tensor
        S: Tensor
        Vh: Tensor

    class linalg_svd_out(NamedTuple):
        U: Tensor
        S: Tensor
        Vh: Tensor

    class lu_unpack(NamedTuple):
        P: Tensor
        L: Tensor
        U: Tensor

    class lu_unpack_out(NamedTuple):
        P: Tensor
        L: Tensor
        U: Tensor

    class max(NamedTuple):
        values: Tensor
        indices: Tensor

    class max_out(NamedTuple):
        values: Tensor
        indices: Tensor

    class median(NamedTuple):
        values: Tensor
        indices: Tensor

    class median_out(NamedTuple):
        values: Tensor
        indices: Tensor

    class min(NamedTuple):
        values: Tensor
        indices: Tensor

    class min_out(NamedTuple):
        values: Tensor
        indices: Tensor

    class mode(NamedTuple):
        values: Tensor
        indices: Tensor

    class mode_out(NamedTuple):
        values: Tensor
        indices: Tensor

    class nanmedian(NamedTuple):
        values: Tensor
        indices: Tensor

    class nanmedian_out(NamedTuple):
        values: Tensor
        indices: Tensor

    class qr(NamedTuple):
        Q: Tensor
        R: Tensor

    class qr_out(NamedTuple):
        Q: Tensor
        R: Tensor

    class slogdet(NamedTuple):
        sign: Tensor
        logabsdet: Tensor

    class slogdet_out(NamedTuple):
        sign: Tensor
        logabsdet: Tensor

    class sort(NamedTuple):
        values: Tensor
        indices: Tensor

    class sort_out(NamedTuple):
        values: Tensor
        indices: Tensor

    class svd(NamedTuple):
        U: Tensor
        S: Tensor
        V: Tensor

    class svd_out(NamedTuple):
        U: Tensor
        S: Tensor
        V: Tensor

    class topk(NamedTuple):
        values: Tensor
        indices: Tensor

    class topk_out(NamedTuple):
        values: Tensor
        indices: Tensor

    class triangular_solve(NamedTuple):
        solution: Tensor
        cloned_coefficient: Tensor

    class triangular_solve_out(NamedTuple):
        solution: Tensor
        cloned_coefficient: Tensor

class Operations:
    def __hash__(self) -> builtins.int: ...
    def __iter__(self) -> Iterator[Tensor]: ...
    def __setitem__(self, index: _Index, value: _Operand) -> None: ...
    @property
    def H(self) -> Tensor:
        """The conjugate transpose of a matrix: the attribute `H`."""
    @property
    def T(self) -> Tensor:
        """The dims in reverse order: the attribute `T`."""
    def __abs__(self) -> Tensor: ...
    def __add__(self, other: _Operand) -> Tensor: ...
    def __and__(self, other: _Operand) -> Tensor: ...
    def __eq__(self, other: _Operand) -> Tensor: ...  # pyright: ignore[reportIncompatibleMethodOverride] - elementwise
    def __floordiv__(self, other: _Operand) -> Tensor: ...
    def __ge__(self, other: _Operand) -> Tensor: ...
    def __getitem__(self, index: _Index) -> Tensor: ...
    def __gt__(self, other: _Operand) -> Tensor: ...
    def __iadd__(self, other: _Operand) -> Tensor: ...
    def __iand__(self, other: _Operand) -> Tensor: ...
    def __ifloordiv__(self, other: _Operand) -> Tensor: ...
    def __ilshift__(self, other: _Operand) -> Tensor: ...
    def __imod__(self, other: _Operand) -> Tensor: ...
    def __imul__(self, other: _Operand) -> Tensor: ...
    def __invert__(self) -> Tensor: ...
    def __ior__(self, other: _Operand) -> Tensor: ...
    def __ipow__(self, other: _Operand) -> Tensor: ...
    def __irshift__(self, other: _Operand) -> Tensor: ...
    def __isub__(self, other: _Operand) -> Tensor: ...
    def __itruediv__(self, other: _Operand) -> Tensor: ...
    def __ixor__(self, other: _Operand) -> Tensor: ...
    def __le__(self, other: _Operand) -> Tensor: ...
    def __lshift__(self, other: _Operand) -> Tensor: ...
    def __lt__(self, other: _Operand) -> Tensor: ...
    def __matmul__(self, other: _Operand) -> Tensor: ...
    def __mod__(self, other: _Operand) -> Tensor: ...
    def __mul__(self, other: _Operand) -> Tensor: ...
    def __ne__(self, other: _Operand) -> Tensor: ...  # pyright: ignore[reportIncompatibleMethodOverride] - elementwise
    def __neg__(self) -> Tensor: ...
    def __or__(self, other: _Operand) -> Tensor: ...
    def __pos__(self) -> Tensor: ...
    def __pow__(self, other: _Operand) -> Tensor: ...
    def __radd__(self, other: _Operand) -> Tensor: ...
    def __rand__(self, other: _Operand) -> Tensor: ...
    def __rdiv__(self, other: _Operand) -> Tensor: ...
    def __rfloordiv__(self, other: _Operand) -> Tensor: ...
    def __rlshift__(self, other: _Operand) -> Tensor: ...
    def __rmatmul__(self, other: _Operand) -> Tensor: ...
    def __rmod__(self, other: _Operand) -> Tensor: ...
    def __rmul__(self, other: _Operand) -> Tensor: ...
    def __ror__(self, other: _Operand) -> Tensor: ...
    def __rpow__(self, other: _Operand) -> Tensor: ...
    def __rrshift__(self, other: _Operand) -> Tensor: ...
    def __rshift__(self, other: _Operand) -> Tensor: ...
    def __rsub__(self, other: _Operand) -> Tensor: ...
    def __rtruediv__(self, other: _Operand) -> Tensor: ...
    def __rxor__(self, other: _Operand) -> Tensor: ...
    def __sub__(self, other: _Operand) -> Tensor: ...
    def __truediv__(self, other: _Operand) -> Tensor: ...
    def __xor__(self, other: _Operand) -> Tensor: ...
    def abs(self) -> Tensor:
        """The absolute value, elementwise; the smallest integer stays itself."""
    def abs_(self) -> Tensor:
        """The absolute value, elementwise; the smallest integer stays itself."""
    def absolute(self) -> Tensor:
        """The absolute value, elementwise; the smallest integer stays itself."""
    def absolute_(self) -> Tensor:
        """The absolute value, elementwise; the smallest integer stays itself."""
    def acos(self) -> Tensor:
        """The angle in radians whose cosine is input, elementwise; NaN beyond -1 and 1."""
    def acos_(self) -> Tensor:
        """The angle in radians whose cosine is input, elementwise; NaN beyond -1 and 1."""
    def acosh(self) -> Tensor:
        """The positive number whose hyperbolic cosine is input, elementwise; NaN below 1."""
    def acosh_(self) -> Tensor:
        """The positive number whose hyperbolic cosine is input, elementwise; NaN below 1."""
    def add(self, other: _Operand, *, alpha: builtins.complex = 1) -> Tensor:
        """`input` + alpha * other, elementwise; for bool the logical or."""
    def add_(self, other: _Operand, *, alpha: builtins.complex = 1) -> Tensor:
        """`input` + alpha * other, elementwise; for bool the logical or."""
    def addbmm(
        self,
        batch1: _Array,
        batch2: _Array,
        *,
        beta: builtins.complex = 1,
        alpha: builtins.complex = 1,
    ) -> Tensor:
        """`beta` * input + alpha * the sum of the products of two batches of matrices."""
    def addbmm_(
        self,
        batch1: _Array,
        batch2: _Array,
        *,
        beta: builtins.complex = 1,
        alpha: builtins.complex = 1,
    ) -> Tensor:
        """`beta` * input + alpha * the sum of the products of two batches of matrices."""
    def addcdiv(self, tensor1: _Array, tensor2: _Array, *, value: builtins.complex = 1) -> Tensor:
        """`input` + value * tensor1 / tensor2, elementwise."""
    def addcdiv_(self, tensor1: _Array, tensor2: _Array, *, value: builtins.complex = 1) -> Tensor:
        """`input` + value * tensor1 / tensor2, elementwise."""
    def addcmul(self, tensor1: _Array, tensor2: _Array, *, value: builtins.complex = 1) -> Tensor:
        """`input` + value * tensor1 * tensor2, elementwise."""
    def addcmul_(self, tensor1: _Array, tensor2: _Array, *, value: builtins.complex = 1) -> Tensor:
        """`input` + value * tensor1 * tensor2, elementwise."""
    def addmm(
        self, mat1: _Array, mat2: _Array, *, beta: builtins.complex = 1, alpha: builtins.complex = 1
    ) -> Tensor:
        """`beta` * input + alpha * the product of two matrices; input broadcasts."""
    def addmm_(
        self, mat1: _Array, mat2: _Array, *, beta: builtins.complex = 1, alpha: builtins.complex = 1
    ) -> Tensor:
        """`beta` * input + alpha * the product of two matrices; input broadcasts."""
    def addmv(
        self, mat: _Array, vec: _Array, *, beta: builtins.complex = 1, alpha: builtins.complex = 1
    ) -> Tensor:
        """`beta` * input + alpha * the product of a matrix and a vector; input broadcasts."""
    def addmv_(
        self, mat: _Array, vec: _Array, *, beta: builtins.complex = 1, alpha: builtins.complex = 1
    ) -> Tensor:
        """`beta` * input + alpha * the product of a matrix and a vector; input broadcasts."""
    def addr(
        self, vec1: _Array, vec2: _Array, *, beta: builtins.complex = 1, alpha: builtins.complex = 1
    ) -> Tensor:
        """`beta` * input + alpha * the outer product of two vectors."""
    def addr_(
        self, vec1: _Array, vec2: _Array, *, beta: builtins.complex = 1, alpha: builtins.complex = 1
    ) -> Tensor:
        """`beta` * input + alpha * the outer product of two vectors."""
    def adjoint(self) -> Tensor:
        """The last two dims exchanged, of conjugates if the numbers are complex."""
    def all(self, dim: _Ints | None = None, keepdim: builtins.bool = False) -> Tensor:
        """Whether every element over dims is not zero; uint8 gives uint8."""
    def allclose(
        self,
        other: _Array,
        rtol: builtins.float = 1e-05,
        atol: builtins.float = 1e-08,
        equal_nan: builtins.bool = False,
    ) -> builtins.bool:
        """Whether |input - other| <= atol + rtol * |other| for all elements, as a bool of
        Python's.
        """
    def amax(self, dim: _Ints | None = (), keepdim: builtins.bool = False) -> Tensor:
        """The largest element over dims; NaN if there is one."""
    def amin(self, dim: _Ints | None = (), keepdim: builtins.bool = False) -> Tensor:
        """The smallest element over dims; NaN if there is one."""
    def aminmax(
        self, *, dim: builtins.int | None = None, keepdim: builtins.bool = False
    ) -> return_types.aminmax:
        """The smallest and the largest element, of all or along dim; NaN if there is one."""
    def angle(self) -> Tensor:
        """The angle of a complex number in radians, elementwise; pi for a negative one that is
        real.
        """
    def any(self, dim: _Ints | None = None, keepdim: builtins.bool = False) -> Tensor:
        """Whether some element over dims is not zero; uint8 gives uint8."""
    def arccos(self) -> Tensor:
        """The angle in radians whose cosine is input, elementwise; NaN beyond -1 and 1."""
    def arccos_(self) -> Tensor:
        """The angle in radians whose cosine is input, elementwise; NaN beyond -1 and 1."""
    def arccosh(self) -> Tensor:
        """The positive number whose hyperbolic cosine is input, elementwise; NaN below 1."""
    def arccosh_(self) -> Tensor:
        """The positive number whose hyperbolic cosine is input, elementwise; NaN below 1."""
    def arcsin(self) -> Tensor:
        """The angle in radians whose sine is input, elementwise; NaN beyond -1 and 1."""
    def arcsin_(self) -> Tensor:
        """The angle in radians whose sine is input, elementwise; NaN beyond -1 and 1."""
    def arcsinh(self) -> Tensor:
        """The number whose hyperbolic sine is input, elementwise."""
    def arcsinh_(self) -> Tensor:
        """The number whose hyperbolic sine is input, elementwise."""
    def arctan(self) -> Tensor:
        """The angle in radians whose tangent is input, elementwise."""
    def arctan2(self, other: _Array) -> Tensor:
        """The angle in radians of the point (other, input), elementwise, in (-pi, pi]."""
    def arctan2_(self, other: _Array) -> Tensor:
        """The angle in radians of the point (other, input), elementwise, in (-pi, pi]."""
    def arctan_(self) -> Tensor:
        """The angle in radians whose tangent is input, elementwise."""
    def arctanh(self) -> Tensor:
        """The number whose hyperbolic tangent is input, elementwise; NaN beyond -1 and 1."""
    def arctanh_(self) -> Tensor:
        """The number whose hyperbolic tangent is input, elementwise; NaN beyond -1 and 1."""
    def argmax(self, dim: builtins.int | None = None, keepdim: builtins.bool = False) -> Tensor:
        """The index of the first largest element along dim, or in the flattened tensor."""
    def argmin(self, dim: builtins.int | None = None, keepdim: builtins.bool = False) -> Tensor:
        """The index of the first smallest element along dim, or in the flattened tensor."""
    @overload
    def argsort(self, dim: builtins.int = -1, descending: builtins.bool = False) -> Tensor:
        """Where each element is in order along dim; equal ones stay in order."""
    @overload
    def argsort(
        self, *, stable: builtins.bool, dim: builtins.int = -1, descending: builtins.bool = False
    ) -> Tensor:
        """Where each element is in order along dim; equal ones stay in order."""
    def argwhere(self) -> Tensor:
        """The positions of the elements that are not zero, one row for each."""
    def as_strided(
        self, size: _Ints, stride: _Ints, storage_offset: builtins.int | None = None
    ) -> Tensor:
        """Any sizes, strides and storage offset on the same storage, if all of it lies inside."""
    def as_strided_(
        self, size: _Ints, stride: _Ints, storage_offset: builtins.int | None = None
    ) -> Tensor:
        """Any sizes, strides and storage offset on the same storage, if all of it lies inside."""
    def as_strided_scatter(
        self, src: _Array, size: _Ints, stride: _Ints, storage_offset: builtins.int | None = None
    ) -> Tensor:
        """A copy of the input in which the elements of a strided window of its storage are those of
        `src`.
        """
    def asin(self) -> Tensor:
        """The angle in radians whose sine is input, elementwise; NaN beyond -1 and 1."""
    def asin_(self) -> Tensor:
        """The angle in radians whose sine is input, elementwise; NaN beyond -1 and 1."""
    def asinh(self) -> Tensor:
        """The number whose hyperbolic sine is input, elementwise."""
    def asinh_(self) -> Tensor:
        """The number whose hyperbolic sine is input, elementwise."""
    def atan(self) -> Tensor:
        """The angle in radians whose tangent is input, elementwise."""
    def atan2(self, other: _Array) -> Tensor:
        """The angle in radians of the point (other, input), elementwise, in (-pi, pi]."""
    def atan2_(self, other: _Array) -> Tensor:
        """The angle in radians of the point (other, input), elementwise, in (-pi, pi]."""
    def atan_(self) -> Tensor:
        """The angle in radians whose tangent is input, elementwise."""
    def atanh(self) -> Tensor:
        """The number whose hyperbolic tangent is input, elementwise; NaN beyond -1 and 1."""
    def atanh_(self) -> Tensor:
        """The number whose hyperbolic tangent is input, elementwise; NaN beyond -1 and 1."""
    def baddbmm(
        self,
        batch1: _Array,
        batch2: _Array,
        *,
        beta: builtins.complex = 1,
        alpha: builtins.complex = 1,
    ) -> Tensor:
        """`beta` * input + alpha * the products of two batches of matrices; input broadcasts."""
    def baddbmm_(
        self,
        batch1: _Array,
        batch2: _Array,
        *,
        beta: builtins.complex = 1,
        alpha: builtins.complex = 1,
    ) -> Tensor:
        """`beta` * input + alpha * the products of two batches of matrices; input broadcasts."""
    def bernoulli(
        self, p: builtins.float | None = None, *, generator: Generator | None = None
    ) -> Tensor:
        """Ones of the probabilities in the input, or of one probability `p`, and zeros."""
    def bernoulli_(self, p: _Operand = 0.5, *, generator: Generator | None = None) -> Tensor:
        """Ones of a probability or of a tensor of them like a tensor: what `bernoulli_` writes."""
    def bfloat16(self, *, memory_format: memory_format | None = None) -> Tensor:
        """The tensor as trilith.bfloat16: `to(trilith.bfloat16)`."""
    def bincount(self, weights: _Array | None = None, minlength: builtins.int = 0) -> Tensor:
        """How often each integer from 0 on occurs, or the sum of its weights."""
    def bitwise_and(self, other: _Operand) -> Tensor:
        """The bits set in both operands; for bool the logical and."""
    def bitwise_and_(self, other: _Operand) -> Tensor:
        """The bits set in both operands; for bool the logical and."""
    def bitwise_left_shift(self, other: _Operand) -> Tensor:
        """`input` shifted left by other bits; 0 where other is negative or not below the width."""
    def bitwise_left_shift_(self, other: _Operand) -> Tensor:
        """`input` shifted left by other bits; 0 where other is negative or not below the width."""
    def bitwise_not(self) -> Tensor:
        """Every bit flipped; for bool the logical not."""
    def bitwise_not_(self) -> Tensor:
        """Every bit flipped; for bool the logical not."""
    def bitwise_or(self, other: _Operand) -> Tensor:
        """The bits set in one of the operands; for bool the logical or."""
    def bitwise_or_(self, other: _Operand) -> Tensor:
        """The bits set in one of the operands; for bool the logical or."""
    def bitwise_right_shift(self, other: _Operand) -> Tensor:
        """`input` shifted right by other bits, filled with the sign where other is out of range."""
    def bitwise_right_shift_(self, other: _Operand) -> Tensor:
        """`input` shifted right by other bits, filled with the sign where other is out of range."""
    def bitwise_xor(self, other: _Operand) -> Tensor:
        """The bits set in exactly one of the operands; for bool the logical xor."""
    def bitwise_xor_(self, other: _Operand) -> Tensor:
        """The bits set in exactly one of the operands; for bool the logical xor."""
    def bmm(self, mat2: _Array) -> Tensor:
        """The products of as many pairs of matrices as two batches hold."""
    def bool(self, *, memory_format: memory_format | None = None) -> Tensor:
        """The tensor as trilith.bool: `to(trilith.bool)`."""
    @overload
    def broadcast_to(self, size: _Ints) -> Tensor:
        """The tensor repeated without a copy to a shape."""
    @overload
    def broadcast_to(self, *size: builtins.int) -> Tensor:
        """The tensor repeated without a copy to a shape."""
    def byte(self, *, memory_format: memory_format | None = None) -> Tensor:
        """The tensor as trilith.uint8: `to(trilith.uint8)`."""
    def cauchy_(
        self,
        median: builtins.float = 0.0,
        sigma: builtins.float = 1.0,
        *,
        generator: Generator | None = None,
    ) -> Tensor:
        """Random numbers of the Cauchy distribution like a tensor: what `cauchy_` writes."""
    def cdouble(self, *, memory_format: memory_format | None = None) -> Tensor:
        """The tensor as trilith.complex128: `to(trilith.complex128)`."""
    def ceil(self) -> Tensor:
        """The smallest integer not below input, elementwise."""
    def ceil_(self) -> Tensor:
        """The smallest integer not below input, elementwise."""
    def cfloat(self, *, memory_format: memory_format | None = None) -> Tensor:
        """The tensor as trilith.complex64: `to(trilith.complex64)`."""
    def chalf(self, *, memory_format: memory_format | None = None) -> Tensor:
        """The tensor as trilith.complex32: `to(trilith.complex32)`."""
    def char(self, *, memory_format: memory_format | None = None) -> Tensor:
        """The tensor as trilith.int8: `to(trilith.int8)`."""
    def cholesky(self, upper: builtins.bool = False) -> Tensor:
        """The triangular factor of positive-definite matrices: `linalg.cholesky`."""
    def cholesky_inverse(self, upper: builtins.bool = False) -> Tensor:
        """The inverse of A, whose factor by Cholesky is input."""
    def cholesky_solve(self, input2: _Array, upper: builtins.bool = False) -> Tensor:
        """X of A X = input, for A whose factor by Cholesky is input2."""
    def chunk(self, chunks: builtins.int, dim: builtins.int = 0) -> tuple[Tensor, ...]:
        """At most `chunks` parts of a dim as views, of equal length but for the last."""
    def clamp(self, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
        """`input` limited to [min, max], elementwise; None is no limit."""
    def clamp_(self, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
        """`input` limited to [min, max], elementwise; None is no limit."""
    def clamp_max(self, max: _Operand) -> Tensor:
        """`input`, but at most max, elementwise."""
    def clamp_max_(self, max: _Operand) -> Tensor:
        """`input`, but at most max, elementwise."""
    def clamp_min(self, min: _Operand) -> Tensor:
        """`input`, but at least min, elementwise."""
    def clamp_min_(self, min: _Operand) -> Tensor:
        """`input`, but at least min, elementwise."""
    def clip(self, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
        """`input` limited to [min, max], elementwise; None is no limit."""
    def clip_(self, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
        """`input` limited to [min, max], elementwise; None is no limit."""
    def clone(self, *, memory_format: memory_format | None = None) -> Tensor:
        """A copy in memory of its own, in the input's layout or in a memory format."""
    def coalesce(self) -> Tensor:
        """The same sparse tensor, its coordinates in order and the values of equal ones added."""
    def conj(self) -> Tensor:
        """The conjugates of a complex tensor, as a view; any other tensor itself."""
    def conj_physical(self) -> Tensor:
        """The conjugate of a complex tensor, elementwise; any other tensor itself."""
    def conj_physical_(self) -> Tensor:
        """The conjugate of a complex tensor, elementwise; any other tensor itself."""
    def contiguous(self, *, memory_format: memory_format | None = None) -> Tensor:
        """The tensor itself if it has the memory format, else a copy that has it."""
    def copy_(self, src: _Operand, non_blocking: builtins.bool = False) -> Tensor:
        """The elements of `src` in the input's dtype, device and shape: what `copy_` writes."""
    def copysign(self, other: _Operand) -> Tensor:
        """The magnitude of input with the sign of other, elementwise."""
    def copysign_(self, other: _Operand) -> Tensor:
        """The magnitude of input with the sign of other, elementwise."""
    def corrcoef(self) -> Tensor:
        """The correlations of variables, the rows: covariances of variables with variance 1."""
    def cos(self) -> Tensor:
        """The cosine of an angle in radians, elementwise."""
    def cos_(self) -> Tensor:
        """The cosine of an angle in radians, elementwise."""
    def cosh(self) -> Tensor:
        """The hyperbolic cosine, elementwise."""
    def cosh_(self) -> Tensor:
        """The hyperbolic cosine, elementwise."""
    def count_nonzero(self, dim: _Ints | None = None) -> Tensor:
        """How many elements over dims are not zero."""
    def cov(
        self,
        *,
        correction: builtins.int = 1,
        fweights: _Array | None = None,
        aweights: _Array | None = None,
    ) -> Tensor:
        """The covariances of variables, the rows, over observations, which may have weights."""
    def cpu(self, *, memory_format: memory_format | None = None) -> Tensor:
        """The tensor in host memory; itself if it is there."""
    def cross(self, other: _Array, dim: builtins.int | None = None) -> Tensor:
        """The cross products of vectors of three elements along a dim, by default the first of size
        3.
        """
    def cuda(
        self,
        device: _Place | None = None,
        non_blocking: builtins.bool = False,
        *,
        memory_format: memory_format | None = None,
    ) -> Tensor:
        """The tensor on a CUDA device, which trilith has not: raises as builds without CUDA do."""
    def cummax(self, dim: builtins.int) -> return_types.cummax:
        """The largest elements up to each one along a dim, and where the last of them are."""
    def cummin(self, dim: builtins.int) -> return_types.cummin:
        """The smallest elements up to each one along a dim, and where the last of them are."""
    def cumprod(self, dim: builtins.int, *, dtype: dtype | None = None) -> Tensor:
        """The products of the elements up to each one along a dim; integers and bool give int64."""
    def cumprod_(self, dim: builtins.int, *, dtype: dtype | None = None) -> Tensor:
        """The products of the elements up to each one along a dim; integers and bool give int64."""
    def cumsum(self, dim: builtins.int, *, dtype: dtype | None = None) -> Tensor:
        """The sums of the elements up to each one along a dim; integers and bool give int64."""
    def cumsum_(self, dim: builtins.int, *, dtype: dtype | None = None) -> Tensor:
        """The sums of the elements up to each one along a dim; integers and bool give int64."""
    def deg2rad(self) -> Tensor:
        """Degrees as radians: input * pi / 180, elementwise."""
    def deg2rad_(self) -> Tensor:
        """Degrees as radians: input * pi / 180, elementwise."""
    def det(self) -> Tensor:
        """The determinants of square matrices."""
    def diag(self, diagonal: builtins.int = 0) -> Tensor:
        """The diagonal of a matrix, as a copy, or the matrix with a vector on a diagonal."""
    def diag_embed(
        self, offset: builtins.int = 0, dim1: builtins.int = -2, dim2: builtins.int = -1
    ) -> Tensor:
        """Matrices of zeros with the last dim of the input on a diagonal."""
    def diagflat(self, offset: builtins.int = 0) -> Tensor:
        """The matrix with all elements of the input on a diagonal."""
    def diagonal(
        self, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1
    ) -> Tensor:
        """The diagonal of two dims, which becomes the last dim."""
    def diagonal_scatter(
        self, src: _Array, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1
    ) -> Tensor:
        """The input with `src` on a diagonal of two dims."""
    def diff(
        self,
        n: builtins.int = 1,
        dim: builtins.int = -1,
        prepend: _Array | None = None,
        append: _Array | None = None,
    ) -> Tensor:
        """The differences of neighbours along a dim, n times; of bools whether they differ."""
    def digamma(self) -> Tensor:
        """The derivative of the logarithm of the gamma function, elementwise."""
    def digamma_(self) -> Tensor:
        """The derivative of the logarithm of the gamma function, elementwise."""
    def dist(self, other: _Array, p: builtins.complex = 2) -> Tensor:
        """The norm of input - other, of all elements."""
    def div(self, other: _Operand, *, rounding_mode: str | None = None) -> Tensor:
        """`input` / other, elementwise; rounding_mode 'trunc' or 'floor' rounds the quotient."""
    def div_(self, other: _Operand, *, rounding_mode: str | None = None) -> Tensor:
        """`input` / other, elementwise; rounding_mode 'trunc' or 'floor' rounds the quotient."""
    def divide(self, other: _Operand, *, rounding_mode: str | None = None) -> Tensor:
        """`input` / other, elementwise; rounding_mode 'trunc' or 'floor' rounds the quotient."""
    def divide_(self, other: _Operand, *, rounding_mode: str | None = None) -> Tensor:
        """`input` / other, elementwise; rounding_mode 'trunc' or 'floor' rounds the quotient."""
    def dot(self, tensor: _Array) -> Tensor:
        """The sum of the products of the elements of two vectors."""
    def double(self, *, memory_format: memory_format | None = None) -> Tensor:
        """The tensor as trilith.float64: `to(trilith.float64)`."""
    def dsplit(self, indices_or_sections: _Ints) -> tuple[Tensor, ...]:
        """Parts of the third dim as views: so many of equal length, or cut at the places given."""
    def eq(self, other: _Operand) -> Tensor:
        """Whether input is equal to other, elementwise."""
    def eq_(self, other: _Operand) -> Tensor:
        """Whether input is equal to other, elementwise."""
    def equal(self, other: _Array) -> builtins.bool:
        """Whether two tensors have the same shape and elements, as a bool of Python's."""
    def erf(self) -> Tensor:
        """The error function, elementwise."""
    def erf_(self) -> Tensor:
        """The error function, elementwise."""
    def erfc(self) -> Tensor:
        """1 - erf(input) without cancellation for large input, elementwise."""
    def erfc_(self) -> Tensor:
        """1 - erf(input) without cancellation for large input, elementwise."""
    def erfinv(self) -> Tensor:
        """The number whose error function is input, elementwise; NaN beyond -1 and 1."""
    def erfinv_(self) -> Tensor:
        """The number whose error function is input, elementwise; NaN beyond -1 and 1."""
    def exp(self) -> Tensor:
        """`e` to the power of input, elementwise."""
    def exp2(self) -> Tensor:
        """2 to the power of input, elementwise."""
    def exp2_(self) -> Tensor:
        """2 to the power of input, elementwise."""
    def exp_(self) -> Tensor:
        """`e` to the power of input, elementwise."""
    @overload
    def expand(self, size: _Ints) -> Tensor:
        """Dims of size 1 (and new ones on the left) repeated without a copy; -1 keeps a size."""
    @overload
    def expand(self, *size: builtins.int) -> Tensor:
        """Dims of size 1 (and new ones on the left) repeated without a copy; -1 keeps a size."""
    def expand_as(self, other: _Array) -> Tensor:
        """The tensor repeated without a copy to the shape of another one."""
    def expm1(self) -> Tensor:
        """`exp`(input) - 1 without cancellation near 0, elementwise."""
    def expm1_(self) -> Tensor:
        """`exp`(input) - 1 without cancellation near 0, elementwise."""
    def exponential_(
        self, lambd: builtins.float = 1.0, *, generator: Generator | None = None
    ) -> Tensor:
        """Waiting times of a rate `lambd` like a tensor: what `exponential_` writes."""
    def fill_(self, value: _Operand) -> Tensor:
        """A tensor like the input, filled with a number or a 0-dim tensor."""
    def fill_diagonal_(self, fill_value: builtins.complex, wrap: builtins.bool = False) -> Tensor:
        """The input with one number on its main diagonal: what `fill_diagonal_` writes."""
    def fix(self) -> Tensor:
        """`input` without its fraction, elementwise."""
    def fix_(self) -> Tensor:
        """`input` without its fraction, elementwise."""
    def flatten(self, start_dim: builtins.int = 0, end_dim: builtins.int = -1) -> Tensor:
        """The dims from start_dim to end_dim as one."""
    @overload
    def flip(self, dims: _Ints) -> Tensor:
        """The order of the indices of some dims reversed, as a copy."""
    @overload
    def flip(self, *dims: builtins.int) -> Tensor:
        """The order of the indices of some dims reversed, as a copy."""
    def fliplr(self) -> Tensor:
        """The columns in reverse order, as a copy."""
    def flipud(self) -> Tensor:
        """The rows in reverse order, as a copy."""
    def float(self, *, memory_format: memory_format | None = None) -> Tensor:
        """The tensor as trilith.float32: `to(trilith.float32)`."""
    def float_power(self, exponent: _Operand) -> Tensor:
        """`input` to the power of exponent, elementwise, in float64 or complex128."""
    def float_power_(self, exponent: _Operand) -> Tensor:
        """`input` to the power of exponent, elementwise, in float64 or complex128."""
    def floor(self) -> Tensor:
        """The largest integer not above input, elementwise."""
    def floor_(self) -> Tensor:
        """The largest integer not above input, elementwise."""
    def floor_divide(self, other: _Operand) -> Tensor:
        """`input` / other rounded towards minus infinity, elementwise."""
    def floor_divide_(self, other: _Operand) -> Tensor:
        """`input` / other rounded towards minus infinity, elementwise."""
    def fmax(self, other: _Array) -> Tensor:
        """The larger of input and other, elementwise; the other one if one is NaN."""
    def fmin(self, other: _Array) -> Tensor:
        """The smaller of input and other, elementwise; the other one if one is NaN."""
    def fmod(self, other: _Operand) -> Tensor:
        """The remainder of input / other with the sign of input, elementwise."""
    def fmod_(self, other: _Operand) -> Tensor:
        """The remainder of input / other with the sign of input, elementwise."""
    def frac(self) -> Tensor:
        """The fraction of input, with its sign: input - trunc(input), elementwise."""
    def frac_(self) -> Tensor:
        """The fraction of input, with its sign: input - trunc(input), elementwise."""
    def frexp(self) -> return_types.frexp:
        """The mantissa in [0.5, 1) and the exponent of two of each number, as int32."""
    def gather(
        self, dim: builtins.int, index: _Array, *, sparse_grad: builtins.bool = False
    ) -> Tensor:
        """For each element of index the element of input at its own position, but at that index
        along dim.
        """
    def gcd(self, other: _Array) -> Tensor:
        """The greatest common divisor of integers, elementwise."""
    def gcd_(self, other: _Array) -> Tensor:
        """The greatest common divisor of integers, elementwise."""
    def ge(self, other: _Operand) -> Tensor:
        """Whether input is at least other, elementwise."""
    def ge_(self, other: _Operand) -> Tensor:
        """Whether input is at least other, elementwise."""
    def geometric_(self, p: builtins.float, *, generator: Generator | None = None) -> Tensor:
        """Numbers of trials until the first success like a tensor: what `geometric_` writes."""
    def geqrf(self) -> return_types.geqrf:
        """R of matrices above the diagonal, the vectors of reflections below, and their factors."""
    def ger(self, vec2: _Array) -> Tensor:
        """The products of all pairs of elements of two vectors, as a matrix."""
    def greater(self, other: _Operand) -> Tensor:
        """Whether input is greater than other, elementwise."""
    def greater_(self, other: _Operand) -> Tensor:
        """Whether input is greater than other, elementwise."""
    def greater_equal(self, other: _Operand) -> Tensor:
        """Whether input is at least other, elementwise."""
    def greater_equal_(self, other: _Operand) -> Tensor:
        """Whether input is at least other, elementwise."""
    def gt(self, other: _Operand) -> Tensor:
        """Whether input is greater than other, elementwise."""
    def gt_(self, other: _Operand) -> Tensor:
        """Whether input is greater than other, elementwise."""
    def half(self, *, memory_format: memory_format | None = None) -> Tensor:
        """The tensor as trilith.float16: `to(trilith.float16)`."""
    def hardshrink(self, lambd: builtins.complex = 0.5) -> Tensor:
        """`input`, but 0 between -lambd and lambd, elementwise."""
    def hardshrink_(self, lambd: builtins.complex = 0.5) -> Tensor:
        """`input`, but 0 between -lambd and lambd, elementwise."""
    def heaviside(self, values: _Array) -> Tensor:
        """0 below zero and 1 above, elementwise; at zero that of values."""
    def heaviside_(self, values: _Array) -> Tensor:
        """0 below zero and 1 above, elementwise; at zero that of values."""
    def histc(
        self, bins: builtins.int = 100, min: builtins.complex = 0, max: builtins.complex = 0
    ) -> Tensor:
        """How many elements lie in each of so many equal parts between min and max, or of all."""
    @overload
    def histogram(
        self, bins: _Array, *, weight: _Array | None = None, density: builtins.bool = False
    ) -> return_types.histogram:
        """How many elements, or what weights, lie between edges; the edges, if there are none, are
        those of so many equal ranges.
        """
    @overload
    def histogram(
        self,
        bins: builtins.int = 100,
        *,
        range: Sequence[builtins.float] | None = None,
        weight: _Array | None = None,
        density: builtins.bool = False,
    ) -> return_types.histogram:
        """How many elements, or what weights, lie between edges; the edges, if there are none, are
        those of so many equal ranges.
        """
    def hsplit(self, indices_or_sections: _Ints) -> tuple[Tensor, ...]:
        """Parts of the second dim, of vectors of the first, as views: so many of equal length, or
        cut at the places given.
        """
    def hypot(self, other: _Array) -> Tensor:
        """`sqrt`(input^2 + other^2) without overflow on the way, elementwise."""
    def hypot_(self, other: _Array) -> Tensor:
        """`sqrt`(input^2 + other^2) without overflow on the way, elementwise."""
    def i0(self) -> Tensor:
        """The modified Bessel function of the first kind of order 0, elementwise."""
    def i0_(self) -> Tensor:
        """The modified Bessel function of the first kind of order 0, elementwise."""
    @property
    def imag(self) -> Tensor:
        """The imaginary parts, as a view; of a tensor that is conj in memory of their own."""
    @imag.setter
    def imag(self, value: _Operand) -> None: ...
    def index_add(
        self, dim: builtins.int, index: _Array, source: _Array, *, alpha: builtins.complex = 1
    ) -> Tensor:
        """The input plus alpha times the slices of source at those that a vector names."""
    def index_add_(
        self, dim: builtins.int, index: _Array, source: _Array, *, alpha: builtins.complex = 1
    ) -> Tensor:
        """The input plus alpha times the slices of source at those that a vector names."""
    def index_copy(self, dim: builtins.int, index: _Array, source: _Array) -> Tensor:
        """The input with the slices of source in place of those that a vector names."""
    def index_copy_(self, dim: builtins.int, index: _Array, source: _Array) -> Tensor:
        """The input with the slices of source in place of those that a vector names."""
    def index_fill(self, dim: builtins.int, index: _Array, value: _Operand) -> Tensor:
        """The input with one number in the slices along dim that a vector names."""
    def index_fill_(self, dim: builtins.int, index: _Array, value: _Operand) -> Tensor:
        """The input with one number in the slices along dim that a vector names."""
    def index_put(
        self, indices: Sequence[_Array], values: _Array, accumulate: builtins.bool = False
    ) -> Tensor:
        """The input with values at the elements that index tensors and masks name."""
    def index_put_(
        self, indices: Sequence[_Array], values: _Array, accumulate: builtins.bool = False
    ) -> Tensor:
        """The input with values at the elements that index tensors and masks name."""
    def index_reduce(
        self,
        dim: builtins.int,
        index: _Array,
        source: _Array,
        reduce: str,
        *,
        include_self: builtins.bool = True,
    ) -> Tensor:
        """The input in which slices that a vector names are reduced with the slices of source."""
    def index_reduce_(
        self,
        dim: builtins.int,
        index: _Array,
        source: _Array,
        reduce: str,
        *,
        include_self: builtins.bool = True,
    ) -> Tensor:
        """The input in which slices that a vector names are reduced with the slices of source."""
    def index_select(self, dim: builtins.int, index: _Array) -> Tensor:
        """The slices along dim that a vector of indices names, one after the other."""
    def inner(self, other: _Array) -> Tensor:
        """The sums of products along the last dims of two tensors, for all pairs of what is
        before.
        """
    def int(self, *, memory_format: memory_format | None = None) -> Tensor:
        """The tensor as trilith.int32: `to(trilith.int32)`."""
    def inverse(self) -> Tensor:
        """The inverses of square matrices."""
    def isclose(
        self,
        other: _Array,
        rtol: builtins.float = 1e-05,
        atol: builtins.float = 1e-08,
        equal_nan: builtins.bool = False,
    ) -> Tensor:
        """Whether |input - other| <= atol + rtol * |other|, elementwise."""
    def isfinite(self) -> Tensor:
        """Whether input is neither infinite nor NaN, elementwise."""
    def isinf(self) -> Tensor:
        """Whether input is an infinity, or has an infinite part, elementwise."""
    def isnan(self) -> Tensor:
        """Whether input is NaN, elementwise."""
    def isneginf(self) -> Tensor:
        """Whether input is minus infinity, elementwise."""
    def isposinf(self) -> Tensor:
        """Whether input is plus infinity, elementwise."""
    def isreal(self) -> Tensor:
        """Whether the imaginary part of input is zero, elementwise."""
    def istft(
        self,
        n_fft: builtins.int,
        hop_length: builtins.int | None = None,
        win_length: builtins.int | None = None,
        window: _Array | None = None,
        center: builtins.bool = True,
        normalized: builtins.bool = False,
        onesided: builtins.bool | None = None,
        length: builtins.int | None = None,
        return_complex: builtins.bool = False,
    ) -> Tensor:
        """The signal that `stft` gave windows' transforms of, by its least squares."""
    def kron(self, other: _Array) -> Tensor:
        """The Kronecker product: each element of the first tensor times the whole second one."""
    def kthvalue(
        self, k: builtins.int, dim: builtins.int = -1, keepdim: builtins.bool = False
    ) -> return_types.kthvalue:
        """The k-th smallest element along dim, counted from 1, and where it is."""
    def lcm(self, other: _Array) -> Tensor:
        """The least common multiple of integers, elementwise; it wraps."""
    def lcm_(self, other: _Array) -> Tensor:
        """The least common multiple of integers, elementwise; it wraps."""
    def ldexp(self, other: _Array) -> Tensor:
        """`input` * 2^other, elementwise, as a power and a product."""
    def ldexp_(self, other: _Array) -> Tensor:
        """`input` * 2^other, elementwise, as a power and a product."""
    def le(self, other: _Operand) -> Tensor:
        """Whether input is at most other, elementwise."""
    def le_(self, other: _Operand) -> Tensor:
        """Whether input is at most other, elementwise."""
    def lerp(self, end: _Array, weight: _Operand) -> Tensor:
        """`input` + weight * (end - input), elementwise."""
    def lerp_(self, end: _Array, weight: _Operand) -> Tensor:
        """`input` + weight * (end - input), elementwise."""
    def less(self, other: _Operand) -> Tensor:
        """Whether input is less than other, elementwise."""
    def less_(self, other: _Operand) -> Tensor:
        """Whether input is less than other, elementwise."""
    def less_equal(self, other: _Operand) -> Tensor:
        """Whether input is at most other, elementwise."""
    def less_equal_(self, other: _Operand) -> Tensor:
        """Whether input is at most other, elementwise."""
    def lgamma(self) -> Tensor:
        """The logarithm of the absolute value of the gamma function, elementwise."""
    def lgamma_(self) -> Tensor:
        """The logarithm of the absolute value of the gamma function, elementwise."""
    def log(self) -> Tensor:
        """The natural logarithm, elementwise."""
    def log10(self) -> Tensor:
        """The logarithm to base 10, elementwise."""
    def log10_(self) -> Tensor:
        """The logarithm to base 10, elementwise."""
    def log1p(self) -> Tensor:
        """`log`(1 + input) without cancellation near 0, elementwise."""
    def log1p_(self) -> Tensor:
        """`log`(1 + input) without cancellation near 0, elementwise."""
    def log2(self) -> Tensor:
        """The logarithm to base 2, elementwise."""
    def log2_(self) -> Tensor:
        """The logarithm to base 2, elementwise."""
    def log_(self) -> Tensor:
        """The natural logarithm, elementwise."""
    def log_normal_(
        self,
        mean: builtins.float = 1.0,
        std: builtins.float = 2.0,
        *,
        generator: Generator | None = None,
    ) -> Tensor:
        """Random numbers whose logarithms are normal, like a tensor: what `log_normal_` writes."""
    def log_softmax(self, dim: builtins.int, dtype: dtype | None = None) -> Tensor:
        """The logarithms of the softmax along a dim."""
    def logaddexp(self, other: _Array) -> Tensor:
        """`log`(exp(input) + exp(other)), elementwise, without overflow."""
    def logaddexp2(self, other: _Array) -> Tensor:
        """`log2`(2 ** input + 2 ** other), elementwise, without overflow."""
    def logcumsumexp(self, dim: builtins.int) -> Tensor:
        """The logarithms of the sums of exponentials up to each element along a dim."""
    def logdet(self) -> Tensor:
        """The logarithms of the determinants of square matrices; NaN of negative ones."""
    def logical_and(self, other: _Array) -> Tensor:
        """Whether both operands are not zero, elementwise."""
    def logical_and_(self, other: _Array) -> Tensor:
        """Whether both operands are not zero, elementwise."""
    def logical_not(self) -> Tensor:
        """Whether input is zero, elementwise."""
    def logical_not_(self) -> Tensor:
        """Whether input is zero, elementwise."""
    def logical_or(self, other: _Array) -> Tensor:
        """Whether one of the operands is not zero, elementwise."""
    def logical_or_(self, other: _Array) -> Tensor:
        """Whether one of the operands is not zero, elementwise."""
    def logical_xor(self, other: _Array) -> Tensor:
        """Whether exactly one of the operands is not zero, elementwise."""
    def logical_xor_(self, other: _Array) -> Tensor:
        """Whether exactly one of the operands is not zero, elementwise."""
    def logit(self, eps: builtins.float | None = None) -> Tensor:
        """`log`(input / (1 - input)), elementwise; eps keeps input between eps and 1 - eps."""
    def logit_(self, eps: builtins.float | None = None) -> Tensor:
        """`log`(input / (1 - input)), elementwise; eps keeps input between eps and 1 - eps."""
    def logsumexp(self, dim: _Ints, keepdim: builtins.bool = False) -> Tensor:
        """The logarithm of the sum of exponentials over dims, without overflow."""
    def long(self, *, memory_format: memory_format | None = None) -> Tensor:
        """The tensor as trilith.int64: `to(trilith.int64)`."""
    def lt(self, other: _Operand) -> Tensor:
        """Whether input is less than other, elementwise."""
    def lt_(self, other: _Operand) -> Tensor:
        """Whether input is less than other, elementwise."""
    def lu(
        self, pivot: builtins.bool = True, get_infos: builtins.bool = False
    ) -> tuple[Tensor, ...]:
        """The triangular factors of matrices, in one, and their pivots: `linalg.lu_factor`."""
    def lu_solve(self, LU_data: _Array, LU_pivots: _Array) -> Tensor:
        """X of A X = input, for A whose factors `linalg.lu_factor` gave."""
    @property
    def mH(self) -> Tensor:
        """The conjugate transposes of a batch of matrices: the attribute `mH`."""
    @property
    def mT(self) -> Tensor:
        """The last two dims exchanged: the attribute `mT`."""
    def masked_fill(self, mask: _Array, value: _Operand) -> Tensor:
        """The input with one number where mask holds; the result is contiguous."""
    def masked_fill_(self, mask: _Array, value: _Operand) -> Tensor:
        """The input with one number where mask holds; the result is contiguous."""
    def masked_scatter(self, mask: _Array, source: _Array) -> Tensor:
        """The input with the first elements of source, in order, where mask holds."""
    def masked_scatter_(self, mask: _Array, source: _Array) -> Tensor:
        """The input with the first elements of source, in order, where mask holds."""
    def masked_select(self, mask: _Array) -> Tensor:
        """The elements where mask holds, in one row."""
    def matmul(self, other: _Array) -> Tensor:
        """The matrix product [..., M, K] @ [..., K, N] -> [..., M, N]; batch dims broadcast, and a
        1-D operand stands for a row or a column.
        """
    def matrix_exp(self) -> Tensor:
        """The exponentials of square matrices: `linalg.matrix_exp`."""
    def matrix_power(self, n: builtins.int) -> Tensor:
        """Square matrices multiplied by themselves n times; of a negative n, their inverses."""
    @overload
    def max(self) -> Tensor:
        """The largest element; along dim with its index; or, of two tensors, maximum."""
    @overload
    def max(self, other: _Array) -> Tensor:
        """The largest element; along dim with its index; or, of two tensors, maximum."""
    @overload
    def max(self, dim: builtins.int, keepdim: builtins.bool = False) -> return_types.max:
        """The largest element; along dim with its index; or, of two tensors, maximum."""
    def maximum(self, other: _Array) -> Tensor:
        """The larger of input and other, elementwise; NaN if either is NaN."""
    def mean(
        self,
        dim: _Ints | None = None,
        keepdim: builtins.bool = False,
        *,
        dtype: dtype | None = None,
    ) -> Tensor:
        """The sum over dims divided by the number of elements."""
    @overload
    def median(self) -> Tensor:
        """The lower of the middle elements, NaN if there is one; along dim with its index."""
    @overload
    def median(self, dim: builtins.int, keepdim: builtins.bool = False) -> return_types.median:
        """The lower of the middle elements, NaN if there is one; along dim with its index."""
    @overload
    def min(self) -> Tensor:
        """The smallest element; along dim with its index; or, of two tensors, minimum."""
    @overload
    def min(self, other: _Array) -> Tensor:
        """The smallest element; along dim with its index; or, of two tensors, minimum."""
    @overload
    def min(self, dim: builtins.int, keepdim: builtins.bool = False) -> return_types.min:
        """The smallest element; along dim with its index; or, of two tensors, minimum."""
    def minimum(self, other: _Array) -> Tensor:
        """The smaller of input and other, elementwise; NaN if either is NaN."""
    def mm(self, mat2: _Array) -> Tensor:
        """The product of two matrices."""
    def mode(self, dim: builtins.int = -1, keepdim: builtins.bool = False) -> return_types.mode:
        """The most frequent element along dim, of several the smallest, and where it is the last
        time.
        """
    def moveaxis(self, source: _Ints, destination: _Ints) -> Tensor:
        """Dims moved to other places, the rest in their order."""
    def movedim(self, source: _Ints, destination: _Ints) -> Tensor:
        """Dims moved to other places, the rest in their order."""
    def msort(self) -> Tensor:
        """The elements in order along the first dim."""
    def mul(self, other: _Operand) -> Tensor:
        """`input` * other, elementwise; for bool the logical and."""
    def mul_(self, other: _Operand) -> Tensor:
        """`input` * other, elementwise; for bool the logical and."""
    def multinomial(
        self,
        num_samples: builtins.int,
        replacement: builtins.bool = False,
        *,
        generator: Generator | None = None,
    ) -> Tensor:
        """Places in the rows of the input, drawn by the probabilities that stand there."""
    def multiply(self, other: _Operand) -> Tensor:
        """`input` * other, elementwise; for bool the logical and."""
    def multiply_(self, other: _Operand) -> Tensor:
        """`input` * other, elementwise; for bool the logical and."""
    def mv(self, vec: _Array) -> Tensor:
        """The product of a matrix and a vector."""
    def mvlgamma(self, p: builtins.int) -> Tensor:
        """The logarithm of the gamma function of p variables, elementwise."""
    def mvlgamma_(self, p: builtins.int) -> Tensor:
        """The logarithm of the gamma function of p variables, elementwise."""
    def nan_to_num(
        self,
        nan: builtins.float | None = None,
        posinf: builtins.float | None = None,
        neginf: builtins.float | None = None,
    ) -> Tensor:
        """`input` with 0, the largest and the smallest number, or others, for NaN and
        infinities.
        """
    def nan_to_num_(
        self,
        nan: builtins.float | None = None,
        posinf: builtins.float | None = None,
        neginf: builtins.float | None = None,
    ) -> Tensor:
        """`input` with 0, the largest and the smallest number, or others, for NaN and
        infinities.
        """
    def nanmean(
        self,
        dim: _Ints | None = None,
        keepdim: builtins.bool = False,
        *,
        dtype: dtype | None = None,
    ) -> Tensor:
        """The mean over dims of what is not NaN."""
    @overload
    def nanmedian(self) -> Tensor:
        """The lower of the middle elements that are not NaN; along dim with its index."""
    @overload
    def nanmedian(
        self, dim: builtins.int, keepdim: builtins.bool = False
    ) -> return_types.nanmedian:
        """The lower of the middle elements that are not NaN; along dim with its index."""
    def nanquantile(
        self,
        q: _Operand,
        dim: builtins.int | None = None,
        keepdim: builtins.bool = False,
        *,
        interpolation: str = "linear",
    ) -> Tensor:
        """What the part q of the elements along dim that are not NaN lies below; each of several q
        has its place in a first dim.
        """
    def nansum(
        self,
        dim: _Ints | None = None,
        keepdim: builtins.bool = False,
        *,
        dtype: dtype | None = None,
    ) -> Tensor:
        """The sum over dims of what is not NaN; integers and bool give int64."""
    def narrow(self, dim: builtins.int, start: builtins.int, length: builtins.int) -> Tensor:
        """`length` indices of a dim from `start` on."""
    def narrow_copy(self, dim: builtins.int, start: builtins.int, length: builtins.int) -> Tensor:
        """What `narrow` shows, as a copy."""
    def ne(self, other: _Operand) -> Tensor:
        """Whether input is not equal to other, elementwise."""
    def ne_(self, other: _Operand) -> Tensor:
        """Whether input is not equal to other, elementwise."""
    def neg(self) -> Tensor:
        """-input, elementwise."""
    def neg_(self) -> Tensor:
        """-input, elementwise."""
    def negative(self) -> Tensor:
        """-input, elementwise."""
    def negative_(self) -> Tensor:
        """-input, elementwise."""
    @overload
    def new_empty(
        self,
        size: _Ints,
        *,
        dtype: dtype | None = None,
        layout: layout | None = None,
        device: _Place | None = None,
        pin_memory: builtins.bool | None = None,
        requires_grad: builtins.bool | None = False,
    ) -> Tensor:
        """Uninitialised elements with the dtype and device of this tensor."""
    @overload
    def new_empty(
        self,
        *size: builtins.int,
        dtype: dtype | None = None,
        layout: layout | None = None,
        device: _Place | None = None,
        pin_memory: builtins.bool | None = None,
        requires_grad: builtins.bool | None = False,
    ) -> Tensor:
        """Uninitialised elements with the dtype and device of this tensor."""
    def new_empty_strided(
        self,
        size: _Ints,
        stride: _Ints,
        *,
        dtype: dtype | None = None,
        layout: layout | None = None,
        device: _Place | None = None,
        pin_memory: builtins.bool | None = None,
        requires_grad: builtins.bool | None = False,
    ) -> Tensor:
        """Uninitialised elements with given strides, and the dtype and device of this tensor."""
    def new_full(
        self,
        size: _Ints,
        fill_value: _Operand,
        *,
        dtype: dtype | None = None,
        layout: layout | None = None,
        device: _Place | None = None,
        pin_memory: builtins.bool | None = None,
        requires_grad: builtins.bool | None = False,
    ) -> Tensor:
        """A tensor of one value, with the dtype and device of this one."""
    @overload
    def new_ones(
        self,
        size: _Ints,
        *,
        dtype: dtype | None = None,
        layout: layout | None = None,
        device: _Place | None = None,
        pin_memory: builtins.bool | None = None,
        requires_grad: builtins.bool | None = False,
    ) -> Tensor:
        """Ones with the dtype and device of this tensor."""
    @overload
    def new_ones(
        self,
        *size: builtins.int,
        dtype: dtype | None = None,
        layout: layout | None = None,
        device: _Place | None = None,
        pin_memory: builtins.bool | None = None,
        requires_grad: builtins.bool | None = False,
    ) -> Tensor:
        """Ones with the dtype and device of this tensor."""
    @overload
    def new_zeros(
        self,
        size: _Ints,
        *,
        dtype: dtype | None = None,
        layout: layout | None = None,
        device: _Place | None = None,
        pin_memory: builtins.bool | None = None,
        requires_grad: builtins.bool | None = False,
    ) -> Tensor:
        """Zeros with the dtype and device of this tensor."""
    @overload
    def new_zeros(
        self,
        *size: builtins.int,
        dtype: dtype | None = None,
        layout: layout | None = None,
        device: _Place | None = None,
        pin_memory: builtins.bool | None = None,
        requires_grad: builtins.bool | None = False,
    ) -> Tensor:
        """Zeros with the dtype and device of this tensor."""
    def nextafter(self, other: _Array) -> Tensor:
        """The number beside input on the way to other, elementwise."""
    def nextafter_(self, other: _Array) -> Tensor:
        """The number beside input on the way to other, elementwise."""
    def nonzero(self, *, as_tuple: builtins.bool = False) -> Tensor:
        """The positions of the elements that are not zero, one row for each."""
    def nonzero_static(self, *, size: builtins.int, fill_value: builtins.int = -1) -> Tensor:
        """The positions of the first elements that are not zero, so many rows; others hold a
        number.
        """
    def norm(
        self,
        p: builtins.complex | str | None = "fro",
        dim: _Ints | None = None,
        keepdim: builtins.bool = False,
        dtype: dtype | None = None,
    ) -> Tensor:
        """The norm over dims, of vectors unless p is 'nuc'."""
    def normal_(
        self,
        mean: builtins.float = 0.0,
        std: builtins.float = 1.0,
        *,
        generator: Generator | None = None,
    ) -> Tensor:
        """Normal random numbers like a tensor: what `normal_` writes."""
    def not_equal(self, other: _Operand) -> Tensor:
        """Whether input is not equal to other, elementwise."""
    def not_equal_(self, other: _Operand) -> Tensor:
        """Whether input is not equal to other, elementwise."""
    def orgqr(self, input2: _Array) -> Tensor:
        """The first columns of a product of reflections: `linalg.householder_product`."""
    def ormqr(
        self,
        input2: _Array,
        input3: _Array,
        left: builtins.bool = True,
        transpose: builtins.bool = False,
    ) -> Tensor:
        """The product of the basis that reflections make, or of its adjoint, and other matrices."""
    def outer(self, vec2: _Array) -> Tensor:
        """The products of all pairs of elements of two vectors, as a matrix."""
    @overload
    def permute(self, dims: _Ints) -> Tensor:
        """The dims in another order."""
    @overload
    def permute(self, *dims: builtins.int) -> Tensor:
        """The dims in another order."""
    def pin_memory(self, device: _Place | None = None) -> Tensor:
        """A copy in memory that an accelerator reads fast, which is any; raises if there is
        none.
        """
    def pinverse(self, rcond: builtins.float = 1e-15) -> Tensor:
        """The Moore-Penrose inverses of matrices: `linalg.pinv`."""
    def polygamma(self, n: builtins.int) -> Tensor:
        """The derivative of order n of digamma, elementwise: what `polygamma` means."""
    def polygamma_(self, n: builtins.int) -> Tensor:
        """The derivative of order n of digamma, elementwise: what `polygamma` means."""
    def positive(self) -> Tensor:
        """The tensor itself: what `+x` is."""
    def pow(self, exponent: _Operand) -> Tensor:
        """`input` to the power of exponent, elementwise."""
    def pow_(self, exponent: _Operand) -> Tensor:
        """`input` to the power of exponent, elementwise."""
    def prelu(self, weight: _Array) -> Tensor:
        """`input` above 0, else input * weight; of several weights each is that of a channel."""
    def prod(
        self, dim: builtins.int = ..., keepdim: builtins.bool = False, *, dtype: dtype | None = None
    ) -> Tensor:
        """The product over one dim, or over all; integers and bool give int64."""
    def put(self, index: _Array, source: _Array, accumulate: builtins.bool = False) -> Tensor:
        """The input with source at the elements that index names, counted row by row."""
    def put_(self, index: _Array, source: _Array, accumulate: builtins.bool = False) -> Tensor:
        """The input with source at the elements that index names, counted row by row."""
    def qr(self, some: builtins.bool = True) -> return_types.qr:
        """Q, whose columns are orthonormal, and an upper triangular R: `linalg.qr`."""
    def quantile(
        self,
        q: _Operand,
        dim: builtins.int | None = None,
        keepdim: builtins.bool = False,
        *,
        interpolation: str = "linear",
    ) -> Tensor:
        """What the part q of the elements along dim lies below; each of several q has its place in
        a first dim.
        """
    def rad2deg(self) -> Tensor:
        """Radians as degrees: input * 180 / pi, elementwise."""
    def rad2deg_(self) -> Tensor:
        """Radians as degrees: input * 180 / pi, elementwise."""
    @overload
    def random_(self, *, generator: Generator | None = None) -> Tensor:
        """Random integers in [from, to) like a tensor: what `random_` writes."""
    @overload
    def random_(self, to: builtins.int | None, *, generator: Generator | None = None) -> Tensor:
        """Random integers in [from, to) like a tensor: what `random_` writes."""
    @overload
    def random_(
        self,
        from_: builtins.int | None,
        to: builtins.int | None,
        *,
        generator: Generator | None = None,
    ) -> Tensor:
        """Random integers in [from, to) like a tensor: what `random_` writes."""
    def ravel(self) -> Tensor:
        """All elements in one dim: a view of a contiguous tensor, else a copy."""
    @property
    def real(self) -> Tensor:
        """The real parts, as a view; a tensor of real numbers itself."""
    @real.setter
    def real(self, value: _Operand) -> None: ...
    def reciprocal(self) -> Tensor:
        """1 / input, elementwise; integers give the default dtype."""
    def reciprocal_(self) -> Tensor:
        """1 / input, elementwise; integers give the default dtype."""
    def relu(self) -> Tensor:
        """The larger of input and 0, elementwise."""
    def relu_(self) -> Tensor:
        """The larger of input and 0, elementwise."""
    def remainder(self, other: _Operand) -> Tensor:
        """The remainder of input / other with the sign of other, elementwise."""
    def remainder_(self, other: _Operand) -> Tensor:
        """The remainder of input / other with the sign of other, elementwise."""
    def renorm(self, p: builtins.complex, dim: builtins.int, maxnorm: builtins.complex) -> Tensor:
        """The slices along a dim, those whose p-norm is above maxnorm brought down to it."""
    def renorm_(self, p: builtins.complex, dim: builtins.int, maxnorm: builtins.complex) -> Tensor:
        """The slices along a dim, those whose p-norm is above maxnorm brought down to it."""
    @overload
    def repeat(self, repeats: _Ints) -> Tensor:
        """The tensor repeated along its dims, and new ones on the left, as a copy."""
    @overload
    def repeat(self, *repeats: builtins.int) -> Tensor:
        """The tensor repeated along its dims, and new ones on the left, as a copy."""
    def repeat_interleave(
        self,
        repeats: _Operand,
        dim: builtins.int | None = None,
        *,
        output_size: builtins.int | None = None,
    ) -> Tensor:
        """Each index of a dim so many times in a row, or as a tensor says for each; without a dim
        each element.
        """
    @overload
    def reshape(self, shape: _Ints) -> Tensor:
        """The same elements in another shape: a view if there is one, else a copy."""
    @overload
    def reshape(self, *shape: builtins.int) -> Tensor:
        """The same elements in another shape: a view if there is one, else a copy."""
    def reshape_as(self, other: _Array) -> Tensor:
        """The same elements in the shape of another tensor: a view if there is one, else a copy."""
    def resolve_conj(self) -> Tensor:
        """A copy of a tensor whose memory holds the conjugates of its elements; any other
        itself.
        """
    def resolve_neg(self) -> Tensor:
        """The tensor itself: negations are carried out at once."""
    def roll(self, shifts: _Ints, dims: _Ints | None = ()) -> Tensor:
        """The elements moved along dims, those that fall off come in at the other end, as a
        copy.
        """
    def rot90(self, k: builtins.int = 1, dims: _Ints = (0, 1)) -> Tensor:
        """Rotated by 90 degrees in the plane of two dims, k times, as a copy."""
    def round(self, *, decimals: builtins.int | None = None) -> Tensor:
        """The nearest integer, or the nearest number of some decimals; halves to even."""
    def round_(self, *, decimals: builtins.int | None = None) -> Tensor:
        """The nearest integer, or the nearest number of some decimals; halves to even."""
    def rsqrt(self) -> Tensor:
        """1 / sqrt(input), elementwise."""
    def rsqrt_(self) -> Tensor:
        """1 / sqrt(input), elementwise."""
    def scatter(
        self,
        dim: builtins.int,
        index: _Array,
        src: _Operand | None = None,
        *,
        value: _Operand | None = None,
        reduce: str | None = None,
    ) -> Tensor:
        """The input with each element of src, or one number, at its own position, but at index
        along dim.
        """
    def scatter_(
        self,
        dim: builtins.int,
        index: _Array,
        src: _Operand | None = None,
        *,
        value: _Operand | None = None,
        reduce: str | None = None,
    ) -> Tensor:
        """The input with each element of src, or one number, at its own position, but at index
        along dim.
        """
    def scatter_add(self, dim: builtins.int, index: _Array, src: _Array) -> Tensor:
        """The input plus each element of src at its own position, but at index along dim."""
    def scatter_add_(self, dim: builtins.int, index: _Array, src: _Array) -> Tensor:
        """The input plus each element of src at its own position, but at index along dim."""
    def scatter_reduce(
        self,
        dim: builtins.int,
        index: _Array,
        src: _Array,
        reduce: str,
        *,
        include_self: builtins.bool = True,
    ) -> Tensor:
        """Each element of the input reduced with those of src that an index along dim brings to
        it.
        """
    def scatter_reduce_(
        self,
        dim: builtins.int,
        index: _Array,
        src: _Array,
        reduce: str,
        *,
        include_self: builtins.bool = True,
    ) -> Tensor:
        """Each element of the input reduced with those of src that an index along dim brings to
        it.
        """
    def select(self, dim: builtins.int, index: builtins.int) -> Tensor:
        """One index of a dim, which goes away."""
    def select_scatter(self, src: _Array, dim: builtins.int, index: builtins.int) -> Tensor:
        """The input with `src` at one index of a dim."""
    def sgn(self) -> Tensor:
        """`input` / abs(input), elementwise, and 0 for 0: `sign` for complex numbers too."""
    def sgn_(self) -> Tensor:
        """`input` / abs(input), elementwise, and 0 for 0: `sign` for complex numbers too."""
    def short(self, *, memory_format: memory_format | None = None) -> Tensor:
        """The tensor as trilith.int16: `to(trilith.int16)`."""
    def sigmoid(self) -> Tensor:
        """1 / (1 + exp(-input)), elementwise."""
    def sigmoid_(self) -> Tensor:
        """1 / (1 + exp(-input)), elementwise."""
    def sign(self) -> Tensor:
        """-1, 0 or 1 by the sign of input, elementwise."""
    def sign_(self) -> Tensor:
        """-1, 0 or 1 by the sign of input, elementwise."""
    def signbit(self) -> Tensor:
        """Whether the sign bit of input is set, elementwise; that of -0.0 is."""
    def sin(self) -> Tensor:
        """The sine of an angle in radians, elementwise."""
    def sin_(self) -> Tensor:
        """The sine of an angle in radians, elementwise."""
    def sinc(self) -> Tensor:
        """`sin`(pi input) / (pi input), elementwise, and 1 for 0."""
    def sinc_(self) -> Tensor:
        """`sin`(pi input) / (pi input), elementwise, and 1 for 0."""
    def sinh(self) -> Tensor:
        """The hyperbolic sine, elementwise."""
    def sinh_(self) -> Tensor:
        """The hyperbolic sine, elementwise."""
    def slice_scatter(
        self,
        src: _Array,
        dim: builtins.int = 0,
        start: builtins.int | None = None,
        end: builtins.int | None = None,
        step: builtins.int = 1,
    ) -> Tensor:
        """The input with `src` in a slice of a dim."""
    def slogdet(self) -> return_types.slogdet:
        """The signs of determinants, and the logarithms of their absolute values."""
    def smm(self, mat2: _Array) -> Tensor:
        """The product of a sparse matrix and a dense one, sparse."""
    def softmax(self, dim: builtins.int, dtype: dtype | None = None) -> Tensor:
        """The exponentials of the elements along a dim, divided by their sum."""
    @overload
    def sort(self, dim: builtins.int = -1, descending: builtins.bool = False) -> return_types.sort:
        """The elements in order along dim, and where each of them was; equal ones stay in order."""
    @overload
    def sort(
        self,
        *,
        stable: builtins.bool | None,
        dim: builtins.int = -1,
        descending: builtins.bool = False,
    ) -> return_types.sort:
        """The elements in order along dim, and where each of them was; equal ones stay in order."""
    def sparse_mask(self, mask: _Array) -> Tensor:
        """The elements at the places that a sparse tensor specifies."""
    @overload
    def split(self, split_size: _Ints, dim: builtins.int = 0) -> tuple[Tensor, ...]:
        """Parts of a dim as views, of one length or of the lengths given."""
    @overload
    def split(self, split_size_or_sections: _Ints, dim: builtins.int = 0) -> tuple[Tensor, ...]:
        """Parts of a dim as views, of one length or of the lengths given."""
    def split_with_sizes(self, split_sizes: _Ints, dim: builtins.int = 0) -> tuple[Tensor, ...]:
        """Parts of a dim as views, of the lengths given."""
    def sqrt(self) -> Tensor:
        """The square root, elementwise; correctly rounded, NaN below 0."""
    def sqrt_(self) -> Tensor:
        """The square root, elementwise; correctly rounded, NaN below 0."""
    def square(self) -> Tensor:
        """`input` * input, elementwise; bool gives int64."""
    def square_(self) -> Tensor:
        """`input` * input, elementwise; bool gives int64."""
    def squeeze(self, dim: _Ints = ...) -> Tensor:
        """Without the dims of size 1, or without those named."""
    def squeeze_(self, dim: _Ints = ...) -> Tensor:
        """Without the dims of size 1, or without those named."""
    def sspaddmm(
        self, mat1: _Array, mat2: _Array, *, beta: builtins.complex = 1, alpha: builtins.complex = 1
    ) -> Tensor:
        """A sparse matrix plus the product of another one and a dense one, sparse."""
    @overload
    def std(
        self,
        dim: _Ints | None = None,
        *,
        correction: builtins.complex | None = None,
        keepdim: builtins.bool = False,
    ) -> Tensor:
        """The standard deviation over dims; the squared distances are divided by the number of
        elements less the correction, which is 1 by default.
        """
    @overload
    def std(
        self, dim: _Ints | None, unbiased: builtins.bool = True, keepdim: builtins.bool = False
    ) -> Tensor:
        """The standard deviation over dims; the squared distances are divided by the number of
        elements less the correction, which is 1 by default.
        """
    @overload
    def std(self, unbiased: builtins.bool = True) -> Tensor:
        """The standard deviation over dims; the squared distances are divided by the number of
        elements less the correction, which is 1 by default.
        """
    def stft(
        self,
        n_fft: builtins.int,
        hop_length: builtins.int | None = None,
        win_length: builtins.int | None = None,
        window: _Array | None = None,
        center: builtins.bool = True,
        pad_mode: str = "reflect",
        normalized: builtins.bool = False,
        onesided: builtins.bool | None = None,
        return_complex: builtins.bool | None = None,
        align_to_window: builtins.bool | None = None,
    ) -> Tensor:
        """The Fourier transforms of windows of a signal: frequencies in rows, windows in
        columns.
        """
    def sub(self, other: _Operand, *, alpha: builtins.complex = 1) -> Tensor:
        """`input` - alpha * other, elementwise."""
    def sub_(self, other: _Operand, *, alpha: builtins.complex = 1) -> Tensor:
        """`input` - alpha * other, elementwise."""
    def subtract(self, other: _Operand, *, alpha: builtins.complex = 1) -> Tensor:
        """`input` - alpha * other, elementwise."""
    def subtract_(self, other: _Operand, *, alpha: builtins.complex = 1) -> Tensor:
        """`input` - alpha * other, elementwise."""
    def sum(
        self,
        dim: _Ints | None = None,
        keepdim: builtins.bool = False,
        *,
        dtype: dtype | None = None,
    ) -> Tensor:
        """The sum over dims; integers and bool give int64."""
    @overload
    def sum_to_size(self, size: _Ints) -> Tensor:
        """The sums over all dims that a tensor of the given size would be repeated along."""
    @overload
    def sum_to_size(self, *size: builtins.int) -> Tensor:
        """The sums over all dims that a tensor of the given size would be repeated along."""
    def svd(self, some: builtins.bool = True, compute_uv: builtins.bool = True) -> return_types.svd:
        """U, S and V with input = U diag(S) V^H: `linalg.svd` gives V^H."""
    def swapaxes(self, axis0: builtins.int, axis1: builtins.int) -> Tensor:
        """Two dims exchanged: transpose by NumPy's name."""
    def swapaxes_(self, axis0: builtins.int, axis1: builtins.int) -> Tensor:
        """Two dims exchanged: transpose by NumPy's name."""
    def swapdims(self, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        """Two dims exchanged."""
    def swapdims_(self, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        """Two dims exchanged."""
    def t(self) -> Tensor:
        """The transpose of a matrix; vectors and 0-dim tensors as they are."""
    def t_(self) -> Tensor:
        """The transpose of a matrix; vectors and 0-dim tensors as they are."""
    def take(self, index: _Array) -> Tensor:
        """The elements that index names, counted row by row, in the shape of index."""
    def take_along_dim(self, indices: _Array, dim: builtins.int | None = None) -> Tensor:
        """For each element of indices, which is broadcast, the element of input along dim."""
    def tan(self) -> Tensor:
        """The tangent of an angle in radians, elementwise."""
    def tan_(self) -> Tensor:
        """The tangent of an angle in radians, elementwise."""
    def tanh(self) -> Tensor:
        """The hyperbolic tangent, elementwise."""
    def tanh_(self) -> Tensor:
        """The hyperbolic tangent, elementwise."""
    def tensor_split(self, indices_or_sections: _Ints, dim: builtins.int = 0) -> tuple[Tensor, ...]:
        """Parts of a dim as views: so many, or cut at the places given."""
    @overload
    def tile(self, dims: _Ints) -> Tensor:
        """The tensor repeated along its last dims, as a copy."""
    @overload
    def tile(self, *dims: builtins.int) -> Tensor:
        """The tensor repeated along its last dims, as a copy."""
    def to(
        self,
        target: dtype | _Place | Tensor | None = None,
        dtype: dtype | None = None,
        non_blocking: builtins.bool = False,
        copy: builtins.bool = False,
        *,
        device: _Place | None = None,
        memory_format: memory_format | None = None,
    ) -> Tensor:
        """The tensor with another dtype, device or memory format; itself where nothing changes."""
    def to_dense(
        self, dtype: dtype | None = None, *, masked_grad: builtins.bool | None = None
    ) -> Tensor:
        """The strided tensor with the same elements: itself, if it is strided."""
    def to_sparse(
        self,
        sparse_dim: builtins.int | None = None,
        *,
        layout: layout | None = None,
        blocksize: _Ints | None = None,
        dense_dim: builtins.int | None = None,
    ) -> Tensor:
        """The elements that are not zero as a coalesced sparse tensor."""
    def to_sparse_coo(
        self,
        sparse_dim: builtins.int | None = None,
        *,
        layout: layout | None = None,
        blocksize: _Ints | None = None,
        dense_dim: builtins.int | None = None,
    ) -> Tensor:
        """The elements that are not zero as a coalesced sparse tensor."""
    def topk(
        self,
        k: builtins.int,
        dim: builtins.int = -1,
        largest: builtins.bool = True,
        sorted: builtins.bool = True,
    ) -> return_types.topk:
        """The k largest elements along dim in order, or the smallest, and where they are."""
    def trace(self) -> Tensor:
        """The sum of a matrix's diagonal."""
    def transpose(self, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        """Two dims exchanged."""
    def transpose_(self, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        """Two dims exchanged."""
    def triangular_solve(
        self,
        A: _Array,
        upper: builtins.bool = True,
        transpose: builtins.bool = False,
        unitriangular: builtins.bool = False,
    ) -> return_types.triangular_solve:
        """X of A X = input for triangular matrices, and A: `linalg.solve_triangular` as it was."""
    def tril(self, diagonal: builtins.int = 0) -> Tensor:
        """The elements on and below a diagonal of the last two dims, zeros above."""
    def tril_(self, diagonal: builtins.int = 0) -> Tensor:
        """The elements on and below a diagonal of the last two dims, zeros above."""
    def triu(self, diagonal: builtins.int = 0) -> Tensor:
        """The elements on and above a diagonal of the last two dims, zeros below."""
    def triu_(self, diagonal: builtins.int = 0) -> Tensor:
        """The elements on and above a diagonal of the last two dims, zeros below."""
    def true_divide(self, other: _Operand) -> Tensor:
        """`input` / other, elementwise; integers give the default dtype."""
    def true_divide_(self, other: _Operand) -> Tensor:
        """`input` / other, elementwise; integers give the default dtype."""
    def trunc(self) -> Tensor:
        """`input` without its fraction, elementwise."""
    def trunc_(self) -> Tensor:
        """`input` without its fraction, elementwise."""
    def type_as(self, other: _Array) -> Tensor:
        """The tensor with the dtype and device of another."""
    def unbind(self, dim: builtins.int = 0) -> tuple[Tensor, ...]:
        """The views at every index of a dim."""
    def unflatten(self, dim: builtins.int, sizes: _Ints) -> Tensor:
        """One dim as several; -1 is inferred."""
    def unfold(self, dimension: builtins.int, size: builtins.int, step: builtins.int) -> Tensor:
        """Windows of `size` indices of a dim, every `step`; the window becomes the last dim."""
    def uniform_(
        self,
        from_: builtins.float = 0.0,
        to: builtins.float = 1.0,
        *,
        generator: Generator | None = None,
    ) -> Tensor:
        """Uniform random numbers in [from, to) like a tensor: what `uniform_` writes."""
    def unique(
        self,
        sorted: builtins.bool = True,
        return_inverse: builtins.bool = False,
        return_counts: builtins.bool = False,
        dim: builtins.int | None = None,
    ) -> Any:
        """The different elements in order, or slices along dim, with where each went, and how often
        each is there.
        """
    def unique_consecutive(
        self,
        return_inverse: builtins.bool = False,
        return_counts: builtins.bool = False,
        dim: builtins.int | None = None,
    ) -> Any:
        """The elements, or slices along dim, that differ from the one before."""
    def unsafe_chunk(self, chunks: builtins.int, dim: builtins.int = 0) -> tuple[Tensor, ...]:
        """At most `chunks` parts of a dim as views, of equal length but for the last."""
    @overload
    def unsafe_split(self, split_size: _Ints, dim: builtins.int = 0) -> tuple[Tensor, ...]:
        """Parts of a dim as views, of one length or of the lengths given."""
    @overload
    def unsafe_split(
        self, split_size_or_sections: _Ints, dim: builtins.int = 0
    ) -> tuple[Tensor, ...]:
        """Parts of a dim as views, of one length or of the lengths given."""
    def unsafe_split_with_sizes(
        self, split_sizes: _Ints, dim: builtins.int = 0
    ) -> tuple[Tensor, ...]:
        """Parts of a dim as views, of the lengths given."""
    def unsqueeze(self, dim: builtins.int) -> Tensor:
        """With a dim of size 1 inserted."""
    def unsqueeze_(self, dim: builtins.int) -> Tensor:
        """With a dim of size 1 inserted."""
    @overload
    def var(
        self,
        dim: _Ints | None = None,
        *,
        correction: builtins.complex | None = None,
        keepdim: builtins.bool = False,
    ) -> Tensor:
        """The variance over dims; the squared distances are divided by the number of elements less
        the correction, which is 1 by default.
        """
    @overload
    def var(
        self, dim: _Ints | None, unbiased: builtins.bool = True, keepdim: builtins.bool = False
    ) -> Tensor:
        """The variance over dims; the squared distances are divided by the number of elements less
        the correction, which is 1 by default.
        """
    @overload
    def var(self, unbiased: builtins.bool = True) -> Tensor:
        """The variance over dims; the squared distances are divided by the number of elements less
        the correction, which is 1 by default.
        """
    def vdot(self, other: _Array) -> Tensor:
        """The dot product of two vectors, the first of them conjugated."""
    @overload
    def view(self, size: _Ints) -> Tensor:
        """The same elements in another shape, or the same bytes as another dtype, without a
        copy.
        """
    @overload
    def view(self, *size: builtins.int) -> Tensor:
        """The same elements in another shape, or the same bytes as another dtype, without a
        copy.
        """
    @overload
    def view(self, dtype: dtype) -> Tensor:
        """The same elements in another shape, or the same bytes as another dtype, without a
        copy.
        """
    def view_as(self, other: _Array) -> Tensor:
        """The same elements in the shape of another tensor, without a copy."""
    def vsplit(self, indices_or_sections: _Ints) -> tuple[Tensor, ...]:
        """Parts of the first dim as views: so many of equal length, or cut at the places given."""
    def where(self, condition: _Array, other: _Operand) -> Tensor:
        """`input` where condition holds, else other: the method `x.where(condition, other)`."""
    def xlogy(self, other: _Operand) -> Tensor:
        """`input` log(other), elementwise; 0 where input is 0 and other a number."""
    def xlogy_(self, other: _Operand) -> Tensor:
        """`input` log(other), elementwise; 0 where input is 0 and other a number."""
    def zero_(self) -> Tensor:
        """Zeros like the input: what `zero_` writes."""
    def apply_(self, callable: Callable[[Any], Any]) -> Any:
        """Write what a function of Python gives for each element in its place, one by one."""
    def indices(self) -> Tensor:
        """Return the coordinates of a coalesced tensor, sparse_dim x nnz."""
    def is_coalesced(self) -> builtins.bool:
        """Tell whether the coordinates are sorted and all different."""
    def is_nonzero(self) -> builtins.bool:
        """Tell whether the only element is not zero."""
    def new(self, *arguments: Any, device: Any = None, **keywords: Any) -> Any:
        """Return a tensor of this one's dtype, of sizes or of data; `new_empty` and `new_tensor`
        are.
        """
    def new_tensor(
        self,
        data: Any,
        *,
        dtype: Any = None,
        device: device | str | builtins.int | None = None,
        requires_grad: builtins.bool = False,
        pin_memory: builtins.bool = False,
    ) -> Tensor:
        """Return a tensor with a copy of `data`, by default with the dtype and device of this
        one.
        """
    def sparse_resize_(
        self, size: Sequence[builtins.int], sparse_dim: builtins.int, dense_dim: builtins.int
    ) -> Tensor:
        """Change the shape, in which entries stay where they are, and return self."""
    def sparse_resize_and_clear_(
        self, size: Sequence[builtins.int], sparse_dim: builtins.int, dense_dim: builtins.int
    ) -> Tensor:
        """Change the shape, drop all entries, and return self."""
    def type(self, dtype: Any = None, non_blocking: builtins.bool = False) -> Any:
        """Return the name of the tensor's legacy type, or the tensor converted to another type."""
    def unsafeGetTensorImpl(self) -> TensorImpl:
        """Return a handle on a tensor: what changes through it changes the tensor."""
    def values(self) -> Tensor:
        """Return the values of a coalesced tensor, nnz x dense dims."""
