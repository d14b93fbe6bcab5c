"""Types of what the face makes from the table of operations. Written by `make stubs`."""

import builtins
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import EllipsisType
from typing import Any, Protocol, TypeAlias, overload

import numpy as np

from .compiler.driver import Traced as _Traced
from .compiler.eager import result_type as result_type
from .compiler.function import CompiledFunction as CompiledFunction
from .compiler.trace.leaves import spec as spec
from .dialects.attributes.device import Device as _Device
from .dialects.attributes.device import get_default_device as get_default_device
from .dialects.attributes.device import set_default_device as set_default_device
from .dialects.attributes.dtype import DType as _DType
from .dialects.attributes.dtype import get_default_dtype as get_default_dtype
from .dialects.attributes.dtype import set_default_dtype as set_default_dtype
from .dialects.attributes.layout import Layout as _Layout
from .dialects.attributes.layout import sparse_coo as sparse_coo
from .dialects.attributes.layout import strided as strided
from .dialects.attributes.limits import finfo as finfo
from .dialects.attributes.limits import iinfo as iinfo
from .dialects.attributes.memory_format import MemoryFormat as _MemoryFormat
from .dialects.attributes.memory_format import channels_last as channels_last
from .dialects.attributes.memory_format import channels_last_3d as channels_last_3d
from .dialects.attributes.memory_format import contiguous_format as contiguous_format
from .dialects.attributes.memory_format import preserve_format as preserve_format
from .dialects.attributes.promotion import can_cast as can_cast
from .dialects.attributes.promotion import promote_types as promote_types
from .dialects.attributes.spec import ScalarSpec as ScalarSpec
from .dialects.attributes.spec import TensorSpec as TensorSpec
from .dialects.diagnostics import InternalError as InternalError
from .dialects.diagnostics import Location as Location
from .dialects.diagnostics import TrilithError as TrilithError
from .runtime.printing import get_printoptions as get_printoptions
from .runtime.printing import printoptions as printoptions
from .runtime.printing import set_printoptions as set_printoptions
from .runtime.tensor import Size as Size
from .runtime.tensor import Tensor as _Tensor

__version__: str

device = _Device
dtype = _DType
layout = _Layout
memory_format = _MemoryFormat

bfloat16: dtype
bool: dtype
cdouble: dtype
cfloat: dtype
chalf: dtype
complex128: dtype
complex32: dtype
complex64: dtype
double: dtype
float: dtype
float16: dtype
float32: dtype
float4_e2m1fn_x2: dtype
float64: dtype
float8_e4m3fn: dtype
float8_e4m3fnuz: dtype
float8_e5m2: dtype
float8_e5m2fnuz: dtype
float8_e8m0fnu: dtype
half: dtype
int: dtype
int16: dtype
int32: dtype
int64: dtype
int8: dtype
long: dtype
short: dtype
uint16: dtype
uint32: dtype
uint64: dtype
uint8: dtype

class _Exporter(Protocol):
    def __dlpack__(self) -> Any: ...

_Array: TypeAlias = Tensor | _Exporter
_Operand: TypeAlias = Tensor | _Exporter | complex | np.generic
_Ints: TypeAlias = builtins.int | Sequence[builtins.int]
_Place: TypeAlias = device | str | builtins.int
_Item: TypeAlias = builtins.int | slice | EllipsisType | None
_Index: TypeAlias = _Item | tuple[_Item, ...]

class Tensor(_Tensor):
    def __hash__(self) -> builtins.int: ...
    def __iter__(self) -> Iterator[Tensor]: ...
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
    def __invert__(self) -> Tensor: ...
    def __le__(self, other: _Operand) -> Tensor: ...
    def __lshift__(self, other: _Operand) -> Tensor: ...
    def __lt__(self, other: _Operand) -> Tensor: ...
    def __matmul__(self, other: _Operand) -> Tensor: ...
    def __mod__(self, other: _Operand) -> Tensor: ...
    def __mul__(self, other: _Operand) -> Tensor: ...
    def __ne__(self, other: _Operand) -> Tensor: ...  # pyright: ignore[reportIncompatibleMethodOverride] - elementwise
    def __neg__(self) -> Tensor: ...
    def __or__(self, other: _Operand) -> Tensor: ...
    def __pow__(self, other: _Operand) -> Tensor: ...
    def __radd__(self, other: _Operand) -> Tensor: ...
    def __rand__(self, other: _Operand) -> Tensor: ...
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
    def absolute(self) -> Tensor:
        """The absolute value, elementwise; the smallest integer stays itself."""
    def add(self, other: _Operand, *, alpha: complex = 1) -> Tensor:
        """`input` + alpha * other, elementwise; for bool the logical or."""
    def all(self, dim: _Ints | None = None, keepdim: builtins.bool = False) -> Tensor:
        """Whether every element over dims is not zero; uint8 gives uint8."""
    def amax(self, dim: _Ints = (), keepdim: builtins.bool = False) -> Tensor:
        """The largest element over dims; NaN if there is one."""
    def amin(self, dim: _Ints = (), keepdim: builtins.bool = False) -> Tensor:
        """The smallest element over dims; NaN if there is one."""
    def any(self, dim: _Ints | None = None, keepdim: builtins.bool = False) -> Tensor:
        """Whether some element over dims is not zero; uint8 gives uint8."""
    def argmax(self, dim: builtins.int | None = None, keepdim: builtins.bool = False) -> Tensor:
        """The index of the first largest element along dim, or in the flattened tensor."""
    def bfloat16(self) -> Tensor:
        """The tensor as trilith.bfloat16: `to(trilith.bfloat16)`."""
    def bitwise_and(self, other: _Operand) -> Tensor:
        """The bits set in both operands; for bool the logical and."""
    def bitwise_left_shift(self, other: _Operand) -> Tensor:
        """`input` shifted left by other bits; 0 where other is negative or not below the width."""
    def bitwise_not(self) -> Tensor:
        """Every bit flipped; for bool the logical not."""
    def bitwise_or(self, other: _Operand) -> Tensor:
        """The bits set in one of the operands; for bool the logical or."""
    def bitwise_right_shift(self, other: _Operand) -> Tensor:
        """`input` shifted right by other bits, filled with the sign where other is out of range."""
    def bitwise_xor(self, other: _Operand) -> Tensor:
        """The bits set in exactly one of the operands; for bool the logical xor."""
    def bool(self) -> Tensor:
        """The tensor as trilith.bool: `to(trilith.bool)`."""
    def byte(self) -> Tensor:
        """The tensor as trilith.uint8: `to(trilith.uint8)`."""
    def ceil(self) -> Tensor:
        """The smallest integer not below input, elementwise."""
    def char(self) -> Tensor:
        """The tensor as trilith.int8: `to(trilith.int8)`."""
    def clamp(self, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
        """`input` limited to [min, max], elementwise; None is no limit."""
    def clamp_max(self, max: _Operand) -> Tensor:
        """`input`, but at most max, elementwise."""
    def clamp_min(self, min: _Operand) -> Tensor:
        """`input`, but at least min, elementwise."""
    def clip(self, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
        """`input` limited to [min, max], elementwise; None is no limit."""
    def clone(self, *, memory_format: memory_format | None = None) -> Tensor:
        """A copy in memory of its own, in the input's layout or in a memory format."""
    def contiguous(self, *, memory_format: memory_format | None = None) -> Tensor:
        """The tensor itself if it has the memory format, else a copy that has it."""
    def cos(self) -> Tensor:
        """The cosine of an angle in radians, elementwise."""
    def diagonal(
        self, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1
    ) -> Tensor:
        """The diagonal of two dims, which becomes the last dim."""
    def div(self, other: _Operand, *, rounding_mode: str | None = None) -> Tensor:
        """`input` / other, elementwise; rounding_mode 'trunc' or 'floor' rounds the quotient."""
    def divide(self, other: _Operand, *, rounding_mode: str | None = None) -> Tensor:
        """`input` / other, elementwise; rounding_mode 'trunc' or 'floor' rounds the quotient."""
    def double(self) -> Tensor:
        """The tensor as trilith.float64: `to(trilith.float64)`."""
    def eq(self, other: _Operand) -> Tensor:
        """Whether input is equal to other, elementwise."""
    def erf(self) -> Tensor:
        """The error function, elementwise."""
    def exp(self) -> Tensor:
        """`e` to the power of input, elementwise."""
    def exp2(self) -> Tensor:
        """2 to the power of input, elementwise."""
    @overload
    def expand(self, size: _Ints) -> Tensor:
        """Dims of size 1 (and new ones on the left) repeated without a copy; -1 keeps a size."""
    @overload
    def expand(self, *size: builtins.int) -> Tensor:
        """Dims of size 1 (and new ones on the left) repeated without a copy; -1 keeps a size."""
    def expm1(self) -> Tensor:
        """`exp`(input) - 1 without cancellation near 0, elementwise."""
    def flatten(self, start_dim: builtins.int = 0, end_dim: builtins.int = -1) -> Tensor:
        """The dims from start_dim to end_dim as one."""
    def float(self) -> Tensor:
        """The tensor as trilith.float32: `to(trilith.float32)`."""
    def floor(self) -> Tensor:
        """The largest integer not above input, elementwise."""
    def floor_divide(self, other: _Operand) -> Tensor:
        """`input` / other rounded towards minus infinity, elementwise."""
    def ge(self, other: _Operand) -> Tensor:
        """Whether input is at least other, elementwise."""
    def gt(self, other: _Operand) -> Tensor:
        """Whether input is greater than other, elementwise."""
    def half(self) -> Tensor:
        """The tensor as trilith.float16: `to(trilith.float16)`."""
    def int(self) -> Tensor:
        """The tensor as trilith.int32: `to(trilith.int32)`."""
    def isnan(self) -> Tensor:
        """Whether input is NaN, elementwise."""
    def le(self, other: _Operand) -> Tensor:
        """Whether input is at most other, elementwise."""
    def log(self) -> Tensor:
        """The natural logarithm, elementwise."""
    def log1p(self) -> Tensor:
        """`log`(1 + input) without cancellation near 0, elementwise."""
    def log2(self) -> Tensor:
        """The logarithm to base 2, elementwise."""
    def logical_and(self, other: _Array) -> Tensor:
        """Whether both operands are not zero, elementwise."""
    def logical_not(self) -> Tensor:
        """Whether input is zero, elementwise."""
    def logical_or(self, other: _Array) -> Tensor:
        """Whether one of the operands is not zero, elementwise."""
    def logical_xor(self, other: _Array) -> Tensor:
        """Whether exactly one of the operands is not zero, elementwise."""
    def long(self) -> Tensor:
        """The tensor as trilith.int64: `to(trilith.int64)`."""
    def lt(self, other: _Operand) -> Tensor:
        """Whether input is less than other, elementwise."""
    @property
    def mT(self) -> Tensor:
        """The last two dims exchanged: the attribute `mT`."""
    def matmul(self, other: _Array) -> Tensor:
        """The matrix product [..., M, K] @ [..., K, N] -> [..., M, N]; batch dims broadcast, and a
        1-D operand stands for a row or a column.
        """
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
    def minimum(self, other: _Array) -> Tensor:
        """The smaller of input and other, elementwise; NaN if either is NaN."""
    def moveaxis(self, source: _Ints, destination: _Ints) -> Tensor:
        """Dims moved to other places, the rest in their order."""
    def movedim(self, source: _Ints, destination: _Ints) -> Tensor:
        """Dims moved to other places, the rest in their order."""
    def mul(self, other: _Operand) -> Tensor:
        """`input` * other, elementwise; for bool the logical and."""
    def multiply(self, other: _Operand) -> Tensor:
        """`input` * other, elementwise; for bool the logical and."""
    def narrow(self, dim: builtins.int, start: builtins.int, length: builtins.int) -> Tensor:
        """`length` indices of a dim from `start` on."""
    def ne(self, other: _Operand) -> Tensor:
        """Whether input is not equal to other, elementwise."""
    def neg(self) -> Tensor:
        """-input, elementwise."""
    def negative(self) -> Tensor:
        """-input, elementwise."""
    @overload
    def permute(self, dims: _Ints) -> Tensor:
        """The dims in another order."""
    @overload
    def permute(self, *dims: builtins.int) -> Tensor:
        """The dims in another order."""
    def pow(self, exponent: _Operand) -> Tensor:
        """`input` to the power of exponent, elementwise."""
    def prod(
        self,
        dim: builtins.int | None = None,
        keepdim: builtins.bool = False,
        *,
        dtype: dtype | None = None,
    ) -> Tensor:
        """The product over one dim, or over all; integers and bool give int64."""
    def reciprocal(self) -> Tensor:
        """1 / input, elementwise; integers give the default dtype."""
    def relu(self) -> Tensor:
        """The larger of input and 0, elementwise."""
    def remainder(self, other: _Operand) -> Tensor:
        """The remainder of input / other with the sign of other, elementwise."""
    @overload
    def reshape(self, shape: _Ints) -> Tensor:
        """The same elements in another shape: a view if there is one, else a copy."""
    @overload
    def reshape(self, *shape: builtins.int) -> Tensor:
        """The same elements in another shape: a view if there is one, else a copy."""
    def round(self) -> Tensor:
        """The nearest integer, halves to even, elementwise."""
    def rsqrt(self) -> Tensor:
        """1 / sqrt(input), elementwise."""
    def select(self, dim: builtins.int, index: builtins.int) -> Tensor:
        """One index of a dim, which goes away."""
    def short(self) -> Tensor:
        """The tensor as trilith.int16: `to(trilith.int16)`."""
    def sigmoid(self) -> Tensor:
        """1 / (1 + exp(-input)), elementwise."""
    def sign(self) -> Tensor:
        """-1, 0 or 1 by the sign of input, elementwise."""
    def sin(self) -> Tensor:
        """The sine of an angle in radians, elementwise."""
    def sqrt(self) -> Tensor:
        """The square root, elementwise; correctly rounded, NaN below 0."""
    def square(self) -> Tensor:
        """`input` * input, elementwise; bool gives int64."""
    def squeeze(self, dim: _Ints | None = None) -> Tensor:
        """Without the dims of size 1, or without those named."""
    def sub(self, other: _Operand, *, alpha: complex = 1) -> Tensor:
        """`input` - alpha * other, elementwise."""
    def subtract(self, other: _Operand, *, alpha: complex = 1) -> Tensor:
        """`input` - alpha * other, elementwise."""
    def sum(
        self,
        dim: _Ints | None = None,
        keepdim: builtins.bool = False,
        *,
        dtype: dtype | None = None,
    ) -> Tensor:
        """The sum over dims; integers and bool give int64."""
    def swapaxes(self, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        """Two dims exchanged."""
    def swapdims(self, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        """Two dims exchanged."""
    def t(self) -> Tensor:
        """The transpose of a matrix; vectors and 0-dim tensors as they are."""
    def tanh(self) -> Tensor:
        """The hyperbolic tangent, elementwise."""
    def to(
        self,
        target: dtype | _Place | None = None,
        dtype: dtype | None = None,
        non_blocking: builtins.bool = False,
        copy: builtins.bool = False,
        *,
        device: _Place | None = None,
        memory_format: memory_format | None = None,
    ) -> Tensor:
        """The tensor with another dtype, device or memory format; itself where nothing changes."""
    def transpose(self, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        """Two dims exchanged."""
    def true_divide(self, other: _Operand) -> Tensor:
        """`input` / other, elementwise; integers give the default dtype."""
    def trunc(self) -> Tensor:
        """`input` without its fraction, elementwise."""
    def unfold(self, dimension: builtins.int, size: builtins.int, step: builtins.int) -> Tensor:
        """Windows of `size` indices of a dim, every `step`; the window becomes the last dim."""
    def unsqueeze(self, dim: builtins.int) -> Tensor:
        """With a dim of size 1 inserted."""
    @overload
    def view(self, size: _Ints) -> Tensor:
        """The same elements in another shape, without a copy; -1 is inferred."""
    @overload
    def view(self, *size: builtins.int) -> Tensor:
        """The same elements in another shape, without a copy; -1 is inferred."""
    def where(self, condition: _Array, other: _Operand) -> Tensor:
        """`input` where condition holds, else other: the method `x.where(condition, other)`."""

def as_tensor(
    data: Any, dtype: dtype | None = None, device: device | str | builtins.int | None = None
) -> Tensor:
    """Return `data` as a tensor, sharing its memory where dtype and device allow it."""

def from_dlpack(
    ext_tensor: Any, *, device: device | str | None = None, copy: builtins.bool | None = None
) -> Tensor:
    """Return a tensor over the memory of any object that speaks DLPack."""

def from_numpy(array: Any) -> Tensor:
    """Return a tensor over the memory of an array: writing to either changes both."""

def tensor(
    data: Any, *, dtype: Any = None, device: device | str | builtins.int | None = None
) -> Tensor:
    """Return a new tensor with a copy of `data`: a number, nested sequences, an array, a tensor."""

@overload
def compile(
    function: Callable[[Tensor], Any],
    *,
    device: str = "cpu",
    static_argnames: str | Iterable[str] = (),
) -> CompiledFunction: ...
@overload
def compile(
    function: Callable[[Tensor, Tensor], Any],
    *,
    device: str = "cpu",
    static_argnames: str | Iterable[str] = (),
) -> CompiledFunction: ...
@overload
def compile(
    function: Callable[[Tensor, Tensor, Tensor], Any],
    *,
    device: str = "cpu",
    static_argnames: str | Iterable[str] = (),
) -> CompiledFunction: ...
@overload
def compile(
    function: Callable[..., Any], *, device: str = "cpu", static_argnames: str | Iterable[str] = ()
) -> CompiledFunction: ...
@overload
def compile(
    function: None = None, *, device: str = "cpu", static_argnames: str | Iterable[str] = ()
) -> Callable[[Callable[..., Any]], CompiledFunction]: ...
@overload
def trace(function: Callable[[Tensor], Any], *arguments: Any, **keywords: Any) -> _Traced: ...
@overload
def trace(
    function: Callable[[Tensor, Tensor], Any], *arguments: Any, **keywords: Any
) -> _Traced: ...
@overload
def trace(
    function: Callable[[Tensor, Tensor, Tensor], Any], *arguments: Any, **keywords: Any
) -> _Traced: ...
@overload
def trace(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> _Traced: ...
def abs(input: _Array) -> Tensor:
    """The absolute value, elementwise; the smallest integer stays itself."""

def absolute(input: _Array) -> Tensor:
    """The absolute value, elementwise; the smallest integer stays itself."""

def add(input: _Operand, other: _Operand, *, alpha: complex = 1) -> Tensor:
    """`input` + alpha * other, elementwise; for bool the logical or."""

def all(input: _Array, dim: _Ints | None = None, keepdim: builtins.bool = False) -> Tensor:
    """Whether every element over dims is not zero; uint8 gives uint8."""

def amax(input: _Array, dim: _Ints = (), keepdim: builtins.bool = False) -> Tensor:
    """The largest element over dims; NaN if there is one."""

def amin(input: _Array, dim: _Ints = (), keepdim: builtins.bool = False) -> Tensor:
    """The smallest element over dims; NaN if there is one."""

def any(input: _Array, dim: _Ints | None = None, keepdim: builtins.bool = False) -> Tensor:
    """Whether some element over dims is not zero; uint8 gives uint8."""

def arange(
    start: complex,
    end: complex | None = None,
    step: complex = 1,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
) -> Tensor:
    """`start`, start + step, ... below end; `arange(end)` starts at 0."""

def argmax(
    input: _Array, dim: builtins.int | None = None, keepdim: builtins.bool = False
) -> Tensor:
    """The index of the first largest element along dim, or in the flattened tensor."""

def bitwise_and(input: _Operand, other: _Operand) -> Tensor:
    """The bits set in both operands; for bool the logical and."""

def bitwise_left_shift(input: _Operand, other: _Operand) -> Tensor:
    """`input` shifted left by other bits; 0 where other is negative or not below the width."""

def bitwise_not(input: _Array) -> Tensor:
    """Every bit flipped; for bool the logical not."""

def bitwise_or(input: _Operand, other: _Operand) -> Tensor:
    """The bits set in one of the operands; for bool the logical or."""

def bitwise_right_shift(input: _Operand, other: _Operand) -> Tensor:
    """`input` shifted right by other bits, filled with the sign where other is out of range."""

def bitwise_xor(input: _Operand, other: _Operand) -> Tensor:
    """The bits set in exactly one of the operands; for bool the logical xor."""

def cat(tensors: Sequence[_Array], dim: builtins.int = 0) -> Tensor:
    """The tensors one after the other along a dim that they have."""

def ceil(input: _Array) -> Tensor:
    """The smallest integer not below input, elementwise."""

def clamp(input: _Array, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
    """`input` limited to [min, max], elementwise; None is no limit."""

def clamp_max(input: _Array, max: _Operand) -> Tensor:
    """`input`, but at most max, elementwise."""

def clamp_min(input: _Array, min: _Operand) -> Tensor:
    """`input`, but at least min, elementwise."""

def clip(input: _Array, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
    """`input` limited to [min, max], elementwise; None is no limit."""

def clone(input: _Array, *, memory_format: memory_format | None = None) -> Tensor:
    """A copy in memory of its own, in the input's layout or in a memory format."""

def cos(input: _Array) -> Tensor:
    """The cosine of an angle in radians, elementwise."""

def diagonal(
    input: _Array, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1
) -> Tensor:
    """The diagonal of two dims, which becomes the last dim."""

def div(input: _Operand, other: _Operand, *, rounding_mode: str | None = None) -> Tensor:
    """`input` / other, elementwise; rounding_mode 'trunc' or 'floor' rounds the quotient."""

def divide(input: _Operand, other: _Operand, *, rounding_mode: str | None = None) -> Tensor:
    """`input` / other, elementwise; rounding_mode 'trunc' or 'floor' rounds the quotient."""

def eq(input: _Array, other: _Operand) -> Tensor:
    """Whether input is equal to other, elementwise."""

def erf(input: _Array) -> Tensor:
    """The error function, elementwise."""

def exp(input: _Array) -> Tensor:
    """`e` to the power of input, elementwise."""

def exp2(input: _Array) -> Tensor:
    """2 to the power of input, elementwise."""

def expm1(input: _Array) -> Tensor:
    """`exp`(input) - 1 without cancellation near 0, elementwise."""

def flatten(input: _Array, start_dim: builtins.int = 0, end_dim: builtins.int = -1) -> Tensor:
    """The dims from start_dim to end_dim as one."""

def floor(input: _Array) -> Tensor:
    """The largest integer not above input, elementwise."""

def floor_divide(input: _Operand, other: _Operand) -> Tensor:
    """`input` / other rounded towards minus infinity, elementwise."""

def full(
    size: _Ints,
    fill_value: _Operand,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
) -> Tensor:
    """A tensor of one value; the dtype follows the value."""

def full_like(
    input: _Array,
    fill_value: _Operand,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    memory_format: memory_format | None = None,
) -> Tensor:
    """A tensor of one value with the shape, dtype, device and layout of another."""

def ge(input: _Array, other: _Operand) -> Tensor:
    """Whether input is at least other, elementwise."""

def gelu(input: _Array, *, approximate: str = "none") -> Tensor:
    """`input` * Phi(input), elementwise, Phi being the normal distribution function;
    approximate='tanh' is the usual approximation of it.
    """

def gt(input: _Array, other: _Operand) -> Tensor:
    """Whether input is greater than other, elementwise."""

def isnan(input: _Array) -> Tensor:
    """Whether input is NaN, elementwise."""

def le(input: _Array, other: _Operand) -> Tensor:
    """Whether input is at most other, elementwise."""

def log(input: _Array) -> Tensor:
    """The natural logarithm, elementwise."""

def log1p(input: _Array) -> Tensor:
    """`log`(1 + input) without cancellation near 0, elementwise."""

def log2(input: _Array) -> Tensor:
    """The logarithm to base 2, elementwise."""

def logical_and(input: _Array, other: _Array) -> Tensor:
    """Whether both operands are not zero, elementwise."""

def logical_not(input: _Array) -> Tensor:
    """Whether input is zero, elementwise."""

def logical_or(input: _Array, other: _Array) -> Tensor:
    """Whether one of the operands is not zero, elementwise."""

def logical_xor(input: _Array, other: _Array) -> Tensor:
    """Whether exactly one of the operands is not zero, elementwise."""

def lt(input: _Array, other: _Operand) -> Tensor:
    """Whether input is less than other, elementwise."""

def matmul(input: _Array, other: _Array) -> Tensor:
    """The matrix product [..., M, K] @ [..., K, N] -> [..., M, N]; batch dims broadcast, and a 1-D
    operand stands for a row or a column.
    """

def maximum(input: _Array, other: _Array) -> Tensor:
    """The larger of input and other, elementwise; NaN if either is NaN."""

def mean(
    input: _Array,
    dim: _Ints | None = None,
    keepdim: builtins.bool = False,
    *,
    dtype: dtype | None = None,
) -> Tensor:
    """The sum over dims divided by the number of elements."""

def minimum(input: _Array, other: _Array) -> Tensor:
    """The smaller of input and other, elementwise; NaN if either is NaN."""

def moveaxis(input: _Array, source: _Ints, destination: _Ints) -> Tensor:
    """Dims moved to other places, the rest in their order."""

def movedim(input: _Array, source: _Ints, destination: _Ints) -> Tensor:
    """Dims moved to other places, the rest in their order."""

def mul(input: _Operand, other: _Operand) -> Tensor:
    """`input` * other, elementwise; for bool the logical and."""

def multiply(input: _Operand, other: _Operand) -> Tensor:
    """`input` * other, elementwise; for bool the logical and."""

def narrow(input: _Array, dim: builtins.int, start: builtins.int, length: builtins.int) -> Tensor:
    """`length` indices of a dim from `start` on."""

def ne(input: _Array, other: _Operand) -> Tensor:
    """Whether input is not equal to other, elementwise."""

def neg(input: _Array) -> Tensor:
    """-input, elementwise."""

def negative(input: _Array) -> Tensor:
    """-input, elementwise."""

@overload
def ones(
    size: _Ints,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
) -> Tensor:
    """A tensor of ones."""

@overload
def ones(
    *size: builtins.int,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
) -> Tensor:
    """A tensor of ones."""

def ones_like(
    input: _Array,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    memory_format: memory_format | None = None,
) -> Tensor:
    """Ones with the shape, dtype, device and layout of another tensor."""

def pad(input: _Array, pad: _Ints, mode: str = "constant", value: complex | None = None) -> Tensor:
    """Margins of one value around the last dims: (left, right, top, bottom, ...); negative ones cut
    off.
    """

@overload
def permute(input: _Array, dims: _Ints) -> Tensor:
    """The dims in another order."""

@overload
def permute(input: _Array, *dims: builtins.int) -> Tensor:
    """The dims in another order."""

def pow(input: _Operand, exponent: _Operand) -> Tensor:
    """`input` to the power of exponent, elementwise."""

def prod(
    input: _Array,
    dim: builtins.int | None = None,
    keepdim: builtins.bool = False,
    *,
    dtype: dtype | None = None,
) -> Tensor:
    """The product over one dim, or over all; integers and bool give int64."""

def reciprocal(input: _Array) -> Tensor:
    """1 / input, elementwise; integers give the default dtype."""

def relu(input: _Array) -> Tensor:
    """The larger of input and 0, elementwise."""

def remainder(input: _Operand, other: _Operand) -> Tensor:
    """The remainder of input / other with the sign of other, elementwise."""

@overload
def reshape(input: _Array, shape: _Ints) -> Tensor:
    """The same elements in another shape: a view if there is one, else a copy."""

@overload
def reshape(input: _Array, *shape: builtins.int) -> Tensor:
    """The same elements in another shape: a view if there is one, else a copy."""

def round(input: _Array) -> Tensor:
    """The nearest integer, halves to even, elementwise."""

def rsqrt(input: _Array) -> Tensor:
    """1 / sqrt(input), elementwise."""

def select(input: _Array, dim: builtins.int, index: builtins.int) -> Tensor:
    """One index of a dim, which goes away."""

def sigmoid(input: _Array) -> Tensor:
    """1 / (1 + exp(-input)), elementwise."""

def sign(input: _Array) -> Tensor:
    """-1, 0 or 1 by the sign of input, elementwise."""

def silu(input: _Array) -> Tensor:
    """`input` * sigmoid(input), elementwise."""

def sin(input: _Array) -> Tensor:
    """The sine of an angle in radians, elementwise."""

def sqrt(input: _Array) -> Tensor:
    """The square root, elementwise; correctly rounded, NaN below 0."""

def square(input: _Array) -> Tensor:
    """`input` * input, elementwise; bool gives int64."""

def squeeze(input: _Array, dim: _Ints | None = None) -> Tensor:
    """Without the dims of size 1, or without those named."""

def stack(tensors: Sequence[_Array], dim: builtins.int = 0) -> Tensor:
    """The tensors one after the other along a new dim."""

def sub(input: _Operand, other: _Operand, *, alpha: complex = 1) -> Tensor:
    """`input` - alpha * other, elementwise."""

def subtract(input: _Operand, other: _Operand, *, alpha: complex = 1) -> Tensor:
    """`input` - alpha * other, elementwise."""

def sum(
    input: _Array,
    dim: _Ints | None = None,
    keepdim: builtins.bool = False,
    *,
    dtype: dtype | None = None,
) -> Tensor:
    """The sum over dims; integers and bool give int64."""

def swapaxes(input: _Array, dim0: builtins.int, dim1: builtins.int) -> Tensor:
    """Two dims exchanged."""

def swapdims(input: _Array, dim0: builtins.int, dim1: builtins.int) -> Tensor:
    """Two dims exchanged."""

def t(input: _Array) -> Tensor:
    """The transpose of a matrix; vectors and 0-dim tensors as they are."""

def tanh(input: _Array) -> Tensor:
    """The hyperbolic tangent, elementwise."""

def transpose(input: _Array, dim0: builtins.int, dim1: builtins.int) -> Tensor:
    """Two dims exchanged."""

def true_divide(input: _Operand, other: _Operand) -> Tensor:
    """`input` / other, elementwise; integers give the default dtype."""

def trunc(input: _Array) -> Tensor:
    """`input` without its fraction, elementwise."""

def unsqueeze(input: _Array, dim: builtins.int) -> Tensor:
    """With a dim of size 1 inserted."""

def where(condition: _Array, input: _Operand, other: _Operand) -> Tensor:
    """`input` where condition holds, else other."""

@overload
def zeros(
    size: _Ints,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
) -> Tensor:
    """A tensor of zeros."""

@overload
def zeros(
    *size: builtins.int,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
) -> Tensor:
    """A tensor of zeros."""

def zeros_like(
    input: _Array,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    memory_format: memory_format | None = None,
) -> Tensor:
    """Zeros with the shape, dtype, device and layout of another tensor."""
