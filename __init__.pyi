"""Types of what the face makes from the table of operations. Written by `make stubs`."""

import builtins
from collections.abc import Callable, Iterable, Sequence
from types import EllipsisType
from typing import Any, ParamSpec, Protocol, TypeAlias, TypeVar, overload

import numpy as np

from . import fft as fft
from . import linalg as linalg
from . import nn as nn
from . import special as special
from .compiler.eager.result_types import result_type as result_type
from .compiler.eager.stats import stats as stats
from .compiler.exporting import CompiledProgram as _CompiledProgram
from .compiler.functions.function import CompiledFunction as CompiledFunction
from .compiler.tools.explain import explain as explain
from .compiler.trace.leaves import spec as spec
from .compiler.tracing import Traced as _Traced
from .dialects.attributes.default_dtype import get_default_dtype as get_default_dtype
from .dialects.attributes.default_dtype import set_default_dtype as set_default_dtype
from .dialects.attributes.device import Device as _Device
from .dialects.attributes.device import get_default_device as get_default_device
from .dialects.attributes.device import set_default_device as set_default_device
from .dialects.attributes.dims import Dim as _Dim
from .dialects.attributes.dtype import DType as _DType
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
from .dialects.attributes.promotion import get_promotion_mode as get_promotion_mode
from .dialects.attributes.promotion import promote_types as promote_types
from .dialects.attributes.promotion import set_promotion_mode as set_promotion_mode
from .dialects.attributes.spec import ScalarSpec as ScalarSpec
from .dialects.attributes.spec import TensorSpec as TensorSpec
from .dialects.diagnostics import InternalError as InternalError
from .dialects.diagnostics import Location as Location
from .dialects.diagnostics import TrilithError as TrilithError
from .dialects.diagnostics import TrilithWarning as TrilithWarning
from .runtime import accelerator as accelerator
from .runtime.execution.allocator import OutOfMemoryError as OutOfMemoryError
from .runtime.execution.storage import UntypedStorage as UntypedStorage
from .runtime.opencl import face as _face
from .runtime.programs.program import ExportedProgram as ExportedProgram
from .runtime.programs.program import load_program as load_program
from .runtime.tensors.legacy import TensorType as _TensorType
from .runtime.tensors.legacy import cuda as cuda
from .runtime.tensors.operations import return_types as return_types
from .runtime.tensors.printing import get_printoptions as get_printoptions
from .runtime.tensors.printing import printoptions as printoptions
from .runtime.tensors.printing import set_printoptions as set_printoptions
from .runtime.tensors.queries import get_device as get_device
from .runtime.tensors.queries import is_complex as is_complex
from .runtime.tensors.queries import is_conj as is_conj
from .runtime.tensors.queries import is_floating_point as is_floating_point
from .runtime.tensors.queries import is_neg as is_neg
from .runtime.tensors.queries import is_nonzero as is_nonzero
from .runtime.tensors.queries import is_same_size as is_same_size
from .runtime.tensors.queries import is_signed as is_signed
from .runtime.tensors.queries import is_tensor as is_tensor
from .runtime.tensors.queries import numel as numel
from .runtime.tensors.randomness import Generator as Generator
from .runtime.tensors.randomness import default_generator as default_generator
from .runtime.tensors.randomness import initial_seed as initial_seed
from .runtime.tensors.randomness import manual_seed as manual_seed
from .runtime.tensors.shapes import broadcast_shapes as broadcast_shapes
from .runtime.tensors.size import Size as Size
from .runtime.tensors.sparse import SparseTensor as SparseTensor
from .runtime.tensors.sparse import sparse_coo_tensor as sparse_coo_tensor
from .runtime.tensors.tensor import Tensor as Tensor
from .runtime.tensors.tensor_impl import TensorImpl as TensorImpl

__version__: str

device = _Device
dim = _Dim
dtype = _DType
layout = _Layout
memory_format = _MemoryFormat
opencl = _face

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
e: builtins.float
inf: builtins.float
nan: builtins.float
pi: builtins.float
BFloat16Tensor: _TensorType
BoolTensor: _TensorType
ByteTensor: _TensorType
CharTensor: _TensorType
DoubleTensor: _TensorType
FloatTensor: _TensorType
HalfTensor: _TensorType
IntTensor: _TensorType
LongTensor: _TensorType
ShortTensor: _TensorType

class _Exporter(Protocol):
    def __dlpack__(self) -> Any: ...

_Array: TypeAlias = Tensor | _Exporter
_Operand: TypeAlias = Tensor | _Exporter | complex | np.generic
_Ints: TypeAlias = builtins.int | Sequence[builtins.int]
_Place: TypeAlias = device | str | builtins.int
_Item: TypeAlias = builtins.int | slice | EllipsisType | _Array | Sequence[Any] | None
_Index: TypeAlias = _Item | tuple[_Item, ...]
_P = ParamSpec("_P")
_R = TypeVar("_R", covariant=True)

class _OfOne(Protocol[_R]):
    def __call__(self, x: Tensor | Any, /) -> _R: ...

class _OfTwo(Protocol[_R]):
    def __call__(self, x: Tensor | Any, y: Tensor | Any, /) -> _R: ...

class _OfThree(Protocol[_R]):
    def __call__(self, x: Tensor | Any, y: Tensor | Any, z: Tensor | Any, /) -> _R: ...

def as_tensor(
    data: Any, dtype: Any = None, device: device | str | builtins.int | None = None
) -> Tensor:
    """Return `data` as a tensor, sharing its memory where dtype and device allow it."""

def asarray(
    obj: Any,
    *,
    dtype: Any = None,
    device: device | str | builtins.int | None = None,
    copy: builtins.bool | None = None,
    requires_grad: builtins.bool = False,
) -> Tensor:
    """Return `obj` as a tensor; `copy` True asks for memory of its own, False forbids a copy."""

def from_dlpack(
    ext_tensor: Any, *, device: device | str | None = None, copy: builtins.bool | None = None
) -> Tensor:
    """Return a tensor over the memory of any object that speaks DLPack."""

def from_numpy(array: Any) -> Tensor:
    """Return a tensor over the memory of an array: writing to either changes both."""

def frombuffer(
    buffer: Any,
    *,
    dtype: Any,
    count: builtins.int = -1,
    offset: builtins.int = 0,
    requires_grad: builtins.bool = False,
) -> Tensor:
    """Return a tensor over the memory of a buffer (bytes, bytearray, memoryview, mmap), read-only
    if the buffer is; `offset` is in bytes, `count` in elements (-1: all that follow).
    """

def rand(*size: Any, generator: Generator | None = None, **options: Any) -> Tensor:
    """Return uniform random numbers in [0, 1); sizes are integers or one sequence."""

def rand_like(input: Any, **options: Any) -> Tensor:
    """Return uniform random numbers with the shape, dtype, device and layout of another tensor."""

def randint(*arguments: Any, generator: Generator | None = None, **options: Any) -> Tensor:
    """Return random integers in [low, high): `randint(high, size)` or `randint(low, high,
    size)`.
    """

def randn(*size: Any, generator: Generator | None = None, **options: Any) -> Tensor:
    """Return random numbers of the normal distribution of mean 0 and variance 1."""

def randn_like(input: Any, **options: Any) -> Tensor:
    """Return normal random numbers with the shape, dtype, device and layout of another tensor."""

def randperm(n: builtins.int, *, generator: Generator | None = None, **options: Any) -> Tensor:
    """Return the integers below n in a random order."""

def tensor(
    data: Any,
    *,
    dtype: Any = None,
    device: device | str | builtins.int | None = None,
    requires_grad: builtins.bool = False,
    pin_memory: builtins.bool = False,
) -> Tensor:
    """Return a new tensor with a copy of `data`: a number, nested sequences, an array, a tensor."""

@overload
def compile(
    function: Callable[_P, _R] | _OfOne[_R] | _OfTwo[_R] | _OfThree[_R],
    *,
    device: str | None = None,
    static_argnames: str | Iterable[str] = (),
    static_shapes: builtins.bool = False,
) -> CompiledFunction[_P, _R]: ...
@overload
def compile(
    function: None = None,
    *,
    device: str | None = None,
    static_argnames: str | Iterable[str] = (),
    static_shapes: builtins.bool = False,
) -> Callable[[Callable[_P, _R]], CompiledFunction[_P, _R]]: ...
def export(
    function: Callable[_P, _R] | _OfOne[_R] | _OfTwo[_R] | _OfThree[_R],
    *arguments: Any,
    max_plans: builtins.int = 16,
    **keywords: Any,
) -> _CompiledProgram: ...
def trace(
    function: Callable[_P, _R] | _OfOne[_R] | _OfTwo[_R] | _OfThree[_R],
    *arguments: Any,
    static_shapes: builtins.bool | None = None,
    **keywords: Any,
) -> _Traced: ...
def abs(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The absolute value, elementwise; the smallest integer stays itself."""

def abs_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The absolute value, elementwise; the smallest integer stays itself."""

def absolute(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The absolute value, elementwise; the smallest integer stays itself."""

def add(
    input: _Operand, other: _Operand, *, alpha: complex = 1, out: Tensor | None = None
) -> Tensor:
    """`input` + alpha * other, elementwise; for bool the logical or."""

def adjoint(input: _Array) -> Tensor:
    """The last two dims exchanged, of conjugates if the numbers are complex."""

def all(
    input: _Array,
    dim: _Ints | None = None,
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether every element over dims is not zero; uint8 gives uint8."""

def amax(
    input: _Array,
    dim: _Ints | None = (),
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The largest element over dims; NaN if there is one."""

def amin(
    input: _Array,
    dim: _Ints | None = (),
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The smallest element over dims; NaN if there is one."""

def aminmax(
    input: _Array,
    *,
    dim: builtins.int | None = None,
    keepdim: builtins.bool = False,
    out: Sequence[Tensor] | None = None,
) -> return_types.aminmax:
    """The smallest and the largest element, of all or along dim; NaN if there is one."""

def angle(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The angle of a complex number in radians, elementwise; pi for a negative one that is real."""

def any(
    input: _Array,
    dim: _Ints | None = None,
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether some element over dims is not zero; uint8 gives uint8."""

def arange(
    start: complex,
    end: complex | None = None,
    step: complex = 1,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    out: Tensor | None = None,
) -> Tensor:
    """`start`, start + step, ... below end; `arange(end)` starts at 0."""

def argmax(
    input: _Array,
    dim: builtins.int | None = None,
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The index of the first largest element along dim, or in the flattened tensor."""

def argwhere(input: _Array) -> Tensor:
    """The positions of the elements that are not zero, one row for each."""

def as_strided(
    input: _Array, size: _Ints, stride: _Ints, storage_offset: builtins.int | None = None
) -> Tensor:
    """Any sizes, strides and storage offset on the same storage, if all of it lies inside."""

def as_strided_scatter(
    input: _Array,
    src: _Array,
    size: _Ints,
    stride: _Ints,
    storage_offset: builtins.int | None = None,
) -> Tensor:
    """A copy of the input in which the elements of a strided window of its storage are those of
    `src`.
    """

def atleast_1d(tensors: Sequence[_Array], *, is_single: builtins.bool = False) -> Any:
    """The tensor with dims of size 1 added until it has 1; several as a tuple."""

def atleast_2d(tensors: Sequence[_Array], *, is_single: builtins.bool = False) -> Any:
    """The tensor with dims of size 1 added until it has 2; several as a tuple."""

def atleast_3d(tensors: Sequence[_Array], *, is_single: builtins.bool = False) -> Any:
    """The tensor with dims of size 1 added until it has 3; several as a tuple."""

def batch_norm(
    input: _Array,
    weight: _Array | None,
    bias: _Array | None,
    running_mean: _Array | None,
    running_var: _Array | None,
    training: builtins.bool,
    momentum: builtins.float,
    eps: builtins.float,
    cudnn_enabled: builtins.bool,
) -> Tensor:
    """The elements of each channel less their mean, divided by their standard deviation, then
    scaled and moved; by running statistics if it is no training.
    """

def bitwise_and(input: _Operand, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The bits set in both operands; for bool the logical and."""

def bitwise_left_shift(input: _Operand, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`input` shifted left by other bits; 0 where other is negative or not below the width."""

def bitwise_not(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """Every bit flipped; for bool the logical not."""

def bitwise_or(input: _Operand, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The bits set in one of the operands; for bool the logical or."""

def bitwise_right_shift(input: _Operand, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`input` shifted right by other bits, filled with the sign where other is out of range."""

def bitwise_xor(input: _Operand, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The bits set in exactly one of the operands; for bool the logical xor."""

def broadcast_tensors(tensors: Sequence[_Array]) -> tuple[Tensor, ...]:
    """The tensors repeated without a copy to their common shape."""

@overload
def broadcast_to(input: _Array, size: _Ints) -> Tensor:
    """The tensor repeated without a copy to a shape."""

@overload
def broadcast_to(input: _Array, *size: builtins.int) -> Tensor:
    """The tensor repeated without a copy to a shape."""

def cat(tensors: Sequence[_Array], dim: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
    """The tensors one after the other along a dim that they have."""

def ceil(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The smallest integer not below input, elementwise."""

def ceil_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The smallest integer not below input, elementwise."""

def chunk(input: _Array, chunks: builtins.int, dim: builtins.int = 0) -> tuple[Tensor, ...]:
    """At most `chunks` parts of a dim as views, of equal length but for the last."""

def clamp(
    input: _Array,
    min: _Operand | None = None,
    max: _Operand | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`input` limited to [min, max], elementwise; None is no limit."""

def clamp_(
    input: _Array,
    min: _Operand | None = None,
    max: _Operand | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`input` limited to [min, max], elementwise; None is no limit."""

def clamp_max(input: _Array, max: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`input`, but at most max, elementwise."""

def clamp_max_(input: _Array, max: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`input`, but at most max, elementwise."""

def clamp_min(input: _Array, min: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`input`, but at least min, elementwise."""

def clamp_min_(input: _Array, min: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`input`, but at least min, elementwise."""

def clip(
    input: _Array,
    min: _Operand | None = None,
    max: _Operand | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`input` limited to [min, max], elementwise; None is no limit."""

def clip_(
    input: _Array,
    min: _Operand | None = None,
    max: _Operand | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`input` limited to [min, max], elementwise; None is no limit."""

def clone(input: _Array, *, memory_format: memory_format | None = None) -> Tensor:
    """A copy in memory of its own, in the input's layout or in a memory format."""

def column_stack(tensors: Sequence[_Array], *, out: Tensor | None = None) -> Tensor:
    """The tensors side by side, vectors as columns."""

def conj(input: _Array) -> Tensor:
    """The conjugates of a complex tensor, as a view; any other tensor itself."""

def conj_physical(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The conjugate of a complex tensor, elementwise; any other tensor itself."""

def conj_physical_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The conjugate of a complex tensor, elementwise; any other tensor itself."""

def cos(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The cosine of an angle in radians, elementwise."""

def cos_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The cosine of an angle in radians, elementwise."""

def cumprod(
    input: _Array, dim: builtins.int, *, dtype: dtype | None = None, out: Tensor | None = None
) -> Tensor:
    """The products of the elements up to each one along a dim; integers and bool give int64."""

def cumsum(
    input: _Array, dim: builtins.int, *, dtype: dtype | None = None, out: Tensor | None = None
) -> Tensor:
    """The sums of the elements up to each one along a dim; integers and bool give int64."""

def diag(input: _Array, diagonal: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
    """The diagonal of a matrix, as a copy, or the matrix with a vector on a diagonal."""

def diag_embed(
    input: _Array, offset: builtins.int = 0, dim1: builtins.int = -2, dim2: builtins.int = -1
) -> Tensor:
    """Matrices of zeros with the last dim of the input on a diagonal."""

def diagflat(input: _Array, offset: builtins.int = 0) -> Tensor:
    """The matrix with all elements of the input on a diagonal."""

def diagonal(
    input: _Array, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1
) -> Tensor:
    """The diagonal of two dims, which becomes the last dim."""

def div(
    input: _Operand, other: _Operand, *, rounding_mode: str | None = None, out: Tensor | None = None
) -> Tensor:
    """`input` / other, elementwise; rounding_mode 'trunc' or 'floor' rounds the quotient."""

def divide(
    input: _Operand, other: _Operand, *, rounding_mode: str | None = None, out: Tensor | None = None
) -> Tensor:
    """`input` / other, elementwise; rounding_mode 'trunc' or 'floor' rounds the quotient."""

def dsplit(input: _Array, indices_or_sections: _Ints) -> tuple[Tensor, ...]:
    """Parts of the third dim as views: so many of equal length, or cut at the places given."""

def dstack(tensors: Sequence[_Array], *, out: Tensor | None = None) -> Tensor:
    """The tensors one behind the other, along dim 2."""

@overload
def empty(
    size: _Ints,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    memory_format: memory_format | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """A tensor with uninitialised elements: whatever the memory holds."""

@overload
def empty(
    *size: builtins.int,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    memory_format: memory_format | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """A tensor with uninitialised elements: whatever the memory holds."""

def empty_like(
    input: _Array,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    memory_format: memory_format | None = None,
) -> Tensor:
    """Uninitialised elements with the shape, dtype, device and layout of another tensor."""

def empty_permuted(
    size: _Ints,
    physical_layout: _Ints,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
) -> Tensor:
    """Uninitialised elements that lie in memory in the order of the dims given."""

def empty_strided(
    size: _Ints,
    stride: _Ints,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
) -> Tensor:
    """A tensor with uninitialised elements and given strides."""

def eq(input: _Array, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether input is equal to other, elementwise."""

def erf(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The error function, elementwise."""

def erf_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The error function, elementwise."""

def exp(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`e` to the power of input, elementwise."""

def exp2(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """2 to the power of input, elementwise."""

def exp2_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """2 to the power of input, elementwise."""

def exp_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`e` to the power of input, elementwise."""

def expm1(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`exp`(input) - 1 without cancellation near 0, elementwise."""

def expm1_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`exp`(input) - 1 without cancellation near 0, elementwise."""

def eye(
    n: builtins.int,
    m: builtins.int | None = None,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    out: Tensor | None = None,
) -> Tensor:
    """Ones on the diagonal of an n x m matrix of zeros."""

def fill(input: _Array, value: _Operand) -> Tensor:
    """A tensor like the input, filled with a number or a 0-dim tensor."""

def fill_(input: _Array, value: _Operand) -> Tensor:
    """A tensor like the input, filled with a number or a 0-dim tensor."""

def flatten(input: _Array, start_dim: builtins.int = 0, end_dim: builtins.int = -1) -> Tensor:
    """The dims from start_dim to end_dim as one."""

@overload
def flip(input: _Array, dims: _Ints) -> Tensor:
    """The order of the indices of some dims reversed, as a copy."""

@overload
def flip(input: _Array, *dims: builtins.int) -> Tensor:
    """The order of the indices of some dims reversed, as a copy."""

def fliplr(input: _Array) -> Tensor:
    """The columns in reverse order, as a copy."""

def flipud(input: _Array) -> Tensor:
    """The rows in reverse order, as a copy."""

def floor(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The largest integer not above input, elementwise."""

def floor_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The largest integer not above input, elementwise."""

def floor_divide(input: _Operand, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`input` / other rounded towards minus infinity, elementwise."""

def frexp(input: _Array, *, out: Sequence[Tensor] | None = None) -> return_types.frexp:
    """The mantissa in [0.5, 1) and the exponent of two of each number, as int32."""

def full(
    size: _Ints,
    fill_value: _Operand,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    out: Tensor | None = None,
) -> Tensor:
    """A tensor of one value; the dtype follows the value."""

def full_like(
    input: _Array,
    fill_value: _Operand,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    memory_format: memory_format | None = None,
) -> Tensor:
    """A tensor of one value with the shape, dtype, device and layout of another."""

def gather(
    input: _Array,
    dim: builtins.int,
    index: _Array,
    *,
    sparse_grad: builtins.bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """For each element of index the element of input at its own position, but at that index along
    dim.
    """

def ge(input: _Array, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether input is at least other, elementwise."""

def gelu(input: _Array, *, approximate: str = "none", out: Tensor | None = None) -> Tensor:
    """`input` * Phi(input), elementwise, Phi being the normal distribution function;
    approximate='tanh' is the usual approximation of it.
    """

def group_norm(
    input: _Array,
    num_groups: builtins.int,
    weight: _Array | None = None,
    bias: _Array | None = None,
    eps: builtins.float = 1e-05,
    cudnn_enabled: builtins.bool = True,
) -> Tensor:
    """The elements of each group of channels less their mean, divided by their standard deviation;
    then scaled and moved by parameters of the channels.
    """

def gt(input: _Array, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether input is greater than other, elementwise."""

def hsplit(input: _Array, indices_or_sections: _Ints) -> tuple[Tensor, ...]:
    """Parts of the second dim, of vectors of the first, as views: so many of equal length, or cut
    at the places given.
    """

def hstack(tensors: Sequence[_Array], *, out: Tensor | None = None) -> Tensor:
    """The tensors side by side: vectors one after the other, others along dim 1."""

def imag(input: _Array) -> Tensor:
    """The imaginary parts, as a view; of a tensor that is conj in memory of their own."""

def index_add(
    input: _Array,
    dim: builtins.int,
    index: _Array,
    source: _Array,
    *,
    alpha: complex = 1,
    out: Tensor | None = None,
) -> Tensor:
    """The input plus alpha times the slices of source at those that a vector names."""

def index_copy(
    input: _Array, dim: builtins.int, index: _Array, source: _Array, *, out: Tensor | None = None
) -> Tensor:
    """The input with the slices of source in place of those that a vector names."""

def index_fill(input: _Array, dim: builtins.int, index: _Array, value: _Operand) -> Tensor:
    """The input with one number in the slices along dim that a vector names."""

def index_put(
    input: _Array, indices: Sequence[_Array], values: _Array, accumulate: builtins.bool = False
) -> Tensor:
    """The input with values at the elements that index tensors and masks name."""

def index_put_(
    input: _Array, indices: Sequence[_Array], values: _Array, accumulate: builtins.bool = False
) -> Tensor:
    """The input with values at the elements that index tensors and masks name."""

def index_select(
    input: _Array, dim: builtins.int, index: _Array, *, out: Tensor | None = None
) -> Tensor:
    """The slices along dim that a vector of indices names, one after the other."""

def instance_norm(
    input: _Array,
    weight: _Array | None,
    bias: _Array | None,
    running_mean: _Array | None,
    running_var: _Array | None,
    use_input_stats: builtins.bool,
    momentum: builtins.float,
    eps: builtins.float,
    cudnn_enabled: builtins.bool,
) -> Tensor:
    """The elements of each channel of each example less their mean, divided by their standard
    deviation; then scaled and moved.
    """

def isfinite(input: _Array) -> Tensor:
    """Whether input is neither infinite nor NaN, elementwise."""

def isinf(input: _Array) -> Tensor:
    """Whether input is an infinity, or has an infinite part, elementwise."""

def isnan(input: _Array) -> Tensor:
    """Whether input is NaN, elementwise."""

def isreal(input: _Array) -> Tensor:
    """Whether the imaginary part of input is zero, elementwise."""

def layer_norm(
    input: _Array,
    normalized_shape: _Ints,
    weight: _Array | None = None,
    bias: _Array | None = None,
    eps: builtins.float = 1e-05,
    cudnn_enable: builtins.bool = True,
) -> Tensor:
    """The elements of the last dims less their mean, divided by their standard deviation; then
    scaled and moved by parameters.
    """

def le(input: _Array, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether input is at most other, elementwise."""

def linspace(
    start: _Operand,
    end: _Operand,
    steps: builtins.int,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    out: Tensor | None = None,
) -> Tensor:
    """`steps` numbers at equal distances from start to end, both included."""

def log(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The natural logarithm, elementwise."""

def log1p(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`log`(1 + input) without cancellation near 0, elementwise."""

def log1p_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`log`(1 + input) without cancellation near 0, elementwise."""

def log2(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 2, elementwise."""

def log2_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 2, elementwise."""

def log_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The natural logarithm, elementwise."""

def log_softmax(
    input: _Array, dim: builtins.int, dtype: dtype | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The logarithms of the softmax along a dim."""

def logical_and(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """Whether both operands are not zero, elementwise."""

def logical_not(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """Whether input is zero, elementwise."""

def logical_or(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """Whether one of the operands is not zero, elementwise."""

def logical_xor(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """Whether exactly one of the operands is not zero, elementwise."""

def logspace(
    start: _Operand,
    end: _Operand,
    steps: builtins.int,
    base: builtins.float = 10.0,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    out: Tensor | None = None,
) -> Tensor:
    """Powers of `base` whose exponents are at equal distances from start to end."""

def lt(input: _Array, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether input is less than other, elementwise."""

def masked_fill(input: _Array, mask: _Array, value: _Operand) -> Tensor:
    """The input with one number where mask holds; the result is contiguous."""

def masked_scatter(input: _Array, mask: _Array, source: _Array) -> Tensor:
    """The input with the first elements of source, in order, where mask holds."""

def masked_select(input: _Array, mask: _Array, *, out: Tensor | None = None) -> Tensor:
    """The elements where mask holds, in one row."""

def matmul(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """The matrix product [..., M, K] @ [..., K, N] -> [..., M, N]; batch dims broadcast, and a 1-D
    operand stands for a row or a column.
    """

@overload
def max(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The largest element; along dim with its index; or, of two tensors, maximum."""

@overload
def max(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """The largest element; along dim with its index; or, of two tensors, maximum."""

@overload
def max(
    input: _Array,
    dim: builtins.int,
    keepdim: builtins.bool = False,
    *,
    out: Sequence[Tensor] | None = None,
) -> return_types.max:
    """The largest element; along dim with its index; or, of two tensors, maximum."""

def maximum(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """The larger of input and other, elementwise; NaN if either is NaN."""

def mean(
    input: _Array,
    dim: _Ints | None = None,
    keepdim: builtins.bool = False,
    *,
    dtype: dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The sum over dims divided by the number of elements."""

@overload
def min(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The smallest element; along dim with its index; or, of two tensors, minimum."""

@overload
def min(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """The smallest element; along dim with its index; or, of two tensors, minimum."""

@overload
def min(
    input: _Array,
    dim: builtins.int,
    keepdim: builtins.bool = False,
    *,
    out: Sequence[Tensor] | None = None,
) -> return_types.min:
    """The smallest element; along dim with its index; or, of two tensors, minimum."""

def minimum(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """The smaller of input and other, elementwise; NaN if either is NaN."""

def moveaxis(input: _Array, source: _Ints, destination: _Ints) -> Tensor:
    """Dims moved to other places, the rest in their order."""

def movedim(input: _Array, source: _Ints, destination: _Ints) -> Tensor:
    """Dims moved to other places, the rest in their order."""

def mul(input: _Operand, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`input` * other, elementwise; for bool the logical and."""

def multiply(input: _Operand, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`input` * other, elementwise; for bool the logical and."""

def narrow(input: _Array, dim: builtins.int, start: builtins.int, length: builtins.int) -> Tensor:
    """`length` indices of a dim from `start` on."""

def native_batch_norm(
    input: _Array,
    weight: _Array | None,
    bias: _Array | None,
    running_mean: _Array | None,
    running_var: _Array | None,
    training: builtins.bool,
    momentum: builtins.float,
    eps: builtins.float,
) -> tuple[Tensor, ...]:
    """The batch norm, the means, and what the distances were multiplied by."""

def native_group_norm(
    input: _Array,
    weight: _Array | None,
    bias: _Array | None,
    N: builtins.int,
    C: builtins.int,
    HxW: builtins.int,
    group: builtins.int,
    eps: builtins.float,
    *,
    out: Sequence[Tensor] | None = None,
) -> tuple[Tensor, ...]:
    """The group norm of N * C * HxW elements, the means, and what the distances were multiplied
    by.
    """

def native_layer_norm(
    input: _Array,
    normalized_shape: _Ints,
    weight: _Array | None,
    bias: _Array | None,
    eps: builtins.float,
    *,
    out: Sequence[Tensor] | None = None,
) -> tuple[Tensor, ...]:
    """The layer norm, the means, and what the distances were multiplied by."""

def ne(input: _Array, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether input is not equal to other, elementwise."""

def neg(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """-input, elementwise."""

def neg_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """-input, elementwise."""

def negative(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """-input, elementwise."""

def negative_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """-input, elementwise."""

def nonzero(input: _Array, *, as_tuple: builtins.bool = False, out: Tensor | None = None) -> Tensor:
    """The positions of the elements that are not zero, one row for each."""

@overload
def ones(
    size: _Ints,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    out: Tensor | None = None,
) -> Tensor:
    """A tensor of ones."""

@overload
def ones(
    *size: builtins.int,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    out: Tensor | None = None,
) -> Tensor:
    """A tensor of ones."""

def ones_like(
    input: _Array,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    memory_format: memory_format | None = None,
) -> Tensor:
    """Ones with the shape, dtype, device and layout of another tensor."""

def pad(input: _Array, pad: _Ints, mode: str = "constant", value: complex | None = None) -> Tensor:
    """Margins around the last dims, (left, right, top, bottom, ...), of one value or, in modes
    reflect, replicate and circular, of elements; negative ones cut off.
    """

@overload
def permute(input: _Array, dims: _Ints) -> Tensor:
    """The dims in another order."""

@overload
def permute(input: _Array, *dims: builtins.int) -> Tensor:
    """The dims in another order."""

def positive(input: _Array) -> Tensor:
    """The tensor itself: what `+x` is."""

def pow(input: _Operand, exponent: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`input` to the power of exponent, elementwise."""

def prod(
    input: _Array,
    dim: builtins.int = ...,
    keepdim: builtins.bool = False,
    *,
    dtype: dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The product over one dim, or over all; integers and bool give int64."""

def put(input: _Array, index: _Array, source: _Array, accumulate: builtins.bool = False) -> Tensor:
    """The input with source at the elements that index names, counted row by row."""

def ravel(input: _Array) -> Tensor:
    """All elements in one dim: a view of a contiguous tensor, else a copy."""

def real(input: _Array) -> Tensor:
    """The real parts, as a view; a tensor of real numbers itself."""

def reciprocal(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """1 / input, elementwise; integers give the default dtype."""

def reciprocal_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """1 / input, elementwise; integers give the default dtype."""

def relu(input: _Array) -> Tensor:
    """The larger of input and 0, elementwise."""

def relu_(input: _Array) -> Tensor:
    """The larger of input and 0, elementwise."""

def remainder(input: _Operand, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The remainder of input / other with the sign of other, elementwise."""

def repeat_interleave(
    input: _Array,
    repeats: _Operand,
    dim: builtins.int | None = None,
    *,
    output_size: builtins.int | None = None,
) -> Tensor:
    """Each index of a dim so many times in a row, or as a tensor says for each; without a dim each
    element.
    """

@overload
def reshape(input: _Array, shape: _Ints) -> Tensor:
    """The same elements in another shape: a view if there is one, else a copy."""

@overload
def reshape(input: _Array, *shape: builtins.int) -> Tensor:
    """The same elements in another shape: a view if there is one, else a copy."""

def resolve_conj(input: _Array) -> Tensor:
    """A copy of a tensor whose memory holds the conjugates of its elements; any other itself."""

def resolve_neg(input: _Array) -> Tensor:
    """The tensor itself: negations are carried out at once."""

def rms_norm(
    input: _Array,
    normalized_shape: _Ints,
    weight: _Array | None = None,
    eps: builtins.float | None = None,
) -> Tensor:
    """The elements of the last dims, divided by the root of the mean of their squares; then
    scaled.
    """

def roll(input: _Array, shifts: _Ints, dims: _Ints | None = ()) -> Tensor:
    """The elements moved along dims, those that fall off come in at the other end, as a copy."""

def rot90(input: _Array, k: builtins.int = 1, dims: _Ints = (0, 1)) -> Tensor:
    """Rotated by 90 degrees in the plane of two dims, k times, as a copy."""

def round(
    input: _Array, *, decimals: builtins.int | None = None, out: Tensor | None = None
) -> Tensor:
    """The nearest integer, or the nearest number of some decimals; halves to even."""

def round_(
    input: _Array, *, decimals: builtins.int | None = None, out: Tensor | None = None
) -> Tensor:
    """The nearest integer, or the nearest number of some decimals; halves to even."""

def row_stack(tensors: Sequence[_Array], *, out: Tensor | None = None) -> Tensor:
    """The tensors one below the other: vstack by another name."""

def rsqrt(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """1 / sqrt(input), elementwise."""

def rsqrt_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """1 / sqrt(input), elementwise."""

def rsub(input: _Array, other: _Operand, *, alpha: complex = 1) -> Tensor:
    """`other` - alpha * input, elementwise."""

def scalar_tensor(
    s: _Operand,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
) -> Tensor:
    """A number as a 0-dim tensor, of the default dtype if none is given."""

def scatter(
    input: _Array,
    dim: builtins.int,
    index: _Array,
    src: _Operand | None = None,
    *,
    value: _Operand | None = None,
    reduce: str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The input with each element of src, or one number, at its own position, but at index along
    dim.
    """

def scatter_add(
    input: _Array, dim: builtins.int, index: _Array, src: _Array, *, out: Tensor | None = None
) -> Tensor:
    """The input plus each element of src at its own position, but at index along dim."""

def scatter_reduce(
    input: _Array,
    dim: builtins.int,
    index: _Array,
    src: _Array,
    reduce: str,
    *,
    include_self: builtins.bool = True,
    out: Tensor | None = None,
) -> Tensor:
    """Each element of the input reduced with those of src that an index along dim brings to it."""

def select(input: _Array, dim: builtins.int, index: builtins.int) -> Tensor:
    """One index of a dim, which goes away."""

def sgn(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`input` / abs(input), elementwise, and 0 for 0: `sign` for complex numbers too."""

def sigmoid(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """1 / (1 + exp(-input)), elementwise."""

def sigmoid_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """1 / (1 + exp(-input)), elementwise."""

def sign(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """-1, 0 or 1 by the sign of input, elementwise."""

def silu(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`input` * sigmoid(input), elementwise."""

def sin(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The sine of an angle in radians, elementwise."""

def sin_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The sine of an angle in radians, elementwise."""

def softmax(
    input: _Array, dim: builtins.int, dtype: dtype | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The exponentials of the elements along a dim, divided by their sum."""

@overload
def split(tensor: _Array, split_size: _Ints, dim: builtins.int = 0) -> tuple[Tensor, ...]:
    """Parts of a dim as views, of one length or of the lengths given."""

@overload
def split(
    tensor: _Array, split_size_or_sections: _Ints, dim: builtins.int = 0
) -> tuple[Tensor, ...]:
    """Parts of a dim as views, of one length or of the lengths given."""

def split_with_sizes(
    input: _Array, split_sizes: _Ints, dim: builtins.int = 0
) -> tuple[Tensor, ...]:
    """Parts of a dim as views, of the lengths given."""

def sqrt(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The square root, elementwise; correctly rounded, NaN below 0."""

def sqrt_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The square root, elementwise; correctly rounded, NaN below 0."""

def square(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`input` * input, elementwise; bool gives int64."""

def square_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`input` * input, elementwise; bool gives int64."""

def squeeze(input: _Array, dim: _Ints = ...) -> Tensor:
    """Without the dims of size 1, or without those named."""

def stack(tensors: Sequence[_Array], dim: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
    """The tensors one after the other along a new dim."""

def sub(
    input: _Operand, other: _Operand, *, alpha: complex = 1, out: Tensor | None = None
) -> Tensor:
    """`input` - alpha * other, elementwise."""

def subtract(
    input: _Operand, other: _Operand, *, alpha: complex = 1, out: Tensor | None = None
) -> Tensor:
    """`input` - alpha * other, elementwise."""

def sum(
    input: _Array,
    dim: _Ints | None = None,
    keepdim: builtins.bool = False,
    *,
    dtype: dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The sum over dims; integers and bool give int64."""

def swapaxes(input: _Array, axis0: builtins.int, axis1: builtins.int) -> Tensor:
    """Two dims exchanged: transpose by NumPy's name."""

def swapdims(input: _Array, dim0: builtins.int, dim1: builtins.int) -> Tensor:
    """Two dims exchanged."""

def t(input: _Array) -> Tensor:
    """The transpose of a matrix; vectors and 0-dim tensors as they are."""

def take(input: _Array, index: _Array, *, out: Tensor | None = None) -> Tensor:
    """The elements that index names, counted row by row, in the shape of index."""

def take_along_dim(
    input: _Array, indices: _Array, dim: builtins.int | None = None, *, out: Tensor | None = None
) -> Tensor:
    """For each element of indices, which is broadcast, the element of input along dim."""

def tanh(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent, elementwise."""

def tanh_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent, elementwise."""

def tensor_split(
    input: _Array, indices_or_sections: _Ints, dim: builtins.int = 0
) -> tuple[Tensor, ...]:
    """Parts of a dim as views: so many, or cut at the places given."""

@overload
def tile(input: _Array, dims: _Ints) -> Tensor:
    """The tensor repeated along its last dims, as a copy."""

@overload
def tile(input: _Array, *dims: builtins.int) -> Tensor:
    """The tensor repeated along its last dims, as a copy."""

def transpose(input: _Array, dim0: builtins.int, dim1: builtins.int) -> Tensor:
    """Two dims exchanged."""

def tril(input: _Array, diagonal: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
    """The elements on and below a diagonal of the last two dims, zeros above."""

def triu(input: _Array, diagonal: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
    """The elements on and above a diagonal of the last two dims, zeros below."""

def true_divide(input: _Operand, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`input` / other, elementwise; integers give the default dtype."""

def trunc(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`input` without its fraction, elementwise."""

def trunc_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`input` without its fraction, elementwise."""

def unbind(input: _Array, dim: builtins.int = 0) -> tuple[Tensor, ...]:
    """The views at every index of a dim."""

def unflatten(input: _Array, dim: builtins.int, sizes: _Ints) -> Tensor:
    """One dim as several; -1 is inferred."""

def unsqueeze(input: _Array, dim: builtins.int) -> Tensor:
    """With a dim of size 1 inserted."""

@overload
def var_mean(
    input: _Array,
    dim: _Ints | None = None,
    *,
    correction: complex | None = None,
    keepdim: builtins.bool = False,
) -> tuple[Tensor, Tensor]:
    """Variance and mean over dims; the squared distances are divided by the number of elements less
    the correction, which is 1 by default.
    """

@overload
def var_mean(
    input: _Array, dim: _Ints | None, unbiased: builtins.bool = True, keepdim: builtins.bool = False
) -> tuple[Tensor, Tensor]:
    """Variance and mean over dims; the squared distances are divided by the number of elements less
    the correction, which is 1 by default.
    """

@overload
def var_mean(input: _Array, unbiased: builtins.bool = True) -> tuple[Tensor, Tensor]:
    """Variance and mean over dims; the squared distances are divided by the number of elements less
    the correction, which is 1 by default.
    """

def view_as_complex(input: _Array) -> Tensor:
    """Pairs of real numbers in the last dim as complex ones."""

def view_as_real(input: _Array) -> Tensor:
    """Complex numbers as pairs of real ones in a new last dim."""

def view_copy(input: _Array, size: _Ints | None, dtype: dtype | None = None) -> Tensor:
    """What `view` shows, as a copy."""

def vsplit(input: _Array, indices_or_sections: _Ints) -> tuple[Tensor, ...]:
    """Parts of the first dim as views: so many of equal length, or cut at the places given."""

def vstack(tensors: Sequence[_Array], *, out: Tensor | None = None) -> Tensor:
    """The tensors one below the other, vectors as rows."""

@overload
def where(condition: _Array) -> tuple[Tensor, ...]:
    """The positions where a condition holds, one tensor for each dim: `where` alone."""

@overload
def where(
    condition: _Array, input: _Operand, other: _Operand, *, out: Tensor | None = None
) -> Tensor:
    """`input` where condition holds, else other."""

def zero_(input: _Array) -> Tensor:
    """Zeros like the input: what `zero_` writes."""

@overload
def zeros(
    size: _Ints,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    out: Tensor | None = None,
) -> Tensor:
    """A tensor of zeros."""

@overload
def zeros(
    *size: builtins.int,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    out: Tensor | None = None,
) -> Tensor:
    """A tensor of zeros."""

def zeros_like(
    input: _Array,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    memory_format: memory_format | None = None,
) -> Tensor:
    """Zeros with the shape, dtype, device and layout of another tensor."""
