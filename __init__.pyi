"""Types of what the face makes from the table of operations. Written by `make stubs`."""

import builtins
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import EllipsisType
from typing import Any, ParamSpec, Protocol, TypeAlias, TypeVar, overload

import numpy as np

from . import autograd as autograd
from . import backends as backends
from . import cuda as cuda
from . import fft as fft
from . import func as func
from . import linalg as linalg
from . import nn as nn
from . import sparse as sparse
from . import special as special
from . import testing as testing
from . import utils as utils
from . import version as version
from .compiler.eager.result_types import result_type as result_type
from .compiler.eager.stats import stats as stats
from .compiler.exporting import CompiledProgram as _CompiledProgram
from .compiler.functions.function import CompiledFunction as CompiledFunction
from .compiler.gradients.directions import jvp as jvp
from .compiler.gradients.directions import vjp as vjp
from .compiler.gradients.functional import grad as grad
from .compiler.gradients.functional import value_and_grad as value_and_grad
from .compiler.gradients.jacobians import hessian as hessian
from .compiler.gradients.jacobians import jacfwd as jacfwd
from .compiler.gradients.jacobians import jacrev as jacrev
from .compiler.mapping.vmap import vmap as vmap
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
from .runtime.devices.threads import get_num_threads as get_num_threads
from .runtime.devices.threads import set_num_threads as set_num_threads
from .runtime.execution.allocator import OutOfMemoryError as OutOfMemoryError
from .runtime.execution.storage import UntypedStorage as UntypedStorage
from .runtime.gradients.anomaly import is_anomaly_check_nan_enabled as is_anomaly_check_nan_enabled
from .runtime.gradients.anomaly import is_anomaly_enabled as is_anomaly_enabled
from .runtime.gradients.anomaly import set_anomaly_enabled as set_anomaly_enabled
from .runtime.gradients.modes import enable_grad as enable_grad
from .runtime.gradients.modes import inference_mode as inference_mode
from .runtime.gradients.modes import is_grad_enabled as is_grad_enabled
from .runtime.gradients.modes import is_inference_mode_enabled as is_inference_mode_enabled
from .runtime.gradients.modes import no_grad as no_grad
from .runtime.gradients.modes import set_grad_enabled as set_grad_enabled
from .runtime.opencl import face as _face
from .runtime.programs.program import ExportedProgram as ExportedProgram
from .runtime.programs.program import load_program as load_program
from .runtime.tensors import randomness as _randomness
from .runtime.tensors.determinism import (
    are_deterministic_algorithms_enabled as are_deterministic_algorithms_enabled,
)
from .runtime.tensors.determinism import (
    get_deterministic_debug_mode as get_deterministic_debug_mode,
)
from .runtime.tensors.determinism import (
    get_float32_matmul_precision as get_float32_matmul_precision,
)
from .runtime.tensors.determinism import (
    is_deterministic_algorithms_warn_only_enabled as is_deterministic_algorithms_warn_only_enabled,
)
from .runtime.tensors.determinism import (
    set_deterministic_debug_mode as set_deterministic_debug_mode,
)
from .runtime.tensors.determinism import (
    set_float32_matmul_precision as set_float32_matmul_precision,
)
from .runtime.tensors.determinism import (
    use_deterministic_algorithms as use_deterministic_algorithms,
)
from .runtime.tensors.generators import Generator as Generator
from .runtime.tensors.generators import default_generator as default_generator
from .runtime.tensors.legacy import TensorType as _TensorType
from .runtime.tensors.method_functions import as_strided_ as as_strided_
from .runtime.tensors.method_functions import detach as detach
from .runtime.tensors.method_functions import detach_ as detach_
from .runtime.tensors.method_functions import is_inference as is_inference
from .runtime.tensors.method_functions import resize_as_ as resize_as_
from .runtime.tensors.method_functions import to_dlpack as to_dlpack
from .runtime.tensors.operations import return_types as return_types
from .runtime.tensors.printing import get_printoptions as get_printoptions
from .runtime.tensors.printing import printoptions as printoptions
from .runtime.tensors.printing import set_printoptions as set_printoptions
from .runtime.tensors.process_flags import is_warn_always_enabled as is_warn_always_enabled
from .runtime.tensors.process_flags import set_flush_denormal as set_flush_denormal
from .runtime.tensors.process_flags import set_warn_always as set_warn_always
from .runtime.tensors.queries import get_device as get_device
from .runtime.tensors.queries import is_complex as is_complex
from .runtime.tensors.queries import is_conj as is_conj
from .runtime.tensors.queries import is_distributed as is_distributed
from .runtime.tensors.queries import is_floating_point as is_floating_point
from .runtime.tensors.queries import is_neg as is_neg
from .runtime.tensors.queries import is_nonzero as is_nonzero
from .runtime.tensors.queries import is_same_size as is_same_size
from .runtime.tensors.queries import is_signed as is_signed
from .runtime.tensors.queries import is_storage as is_storage
from .runtime.tensors.queries import is_tensor as is_tensor
from .runtime.tensors.queries import numel as numel
from .runtime.tensors.queries import typename as typename
from .runtime.tensors.randomness import initial_seed as initial_seed
from .runtime.tensors.randomness import manual_seed as manual_seed
from .runtime.tensors.randomness import seed as seed
from .runtime.tensors.randomness import set_rng_state as set_rng_state
from .runtime.tensors.shapes import broadcast_shapes as broadcast_shapes
from .runtime.tensors.size import Size as Size
from .runtime.tensors.sparse import SparseTensor as SparseTensor
from .runtime.tensors.sparse_making import sparse_coo_tensor as sparse_coo_tensor
from .runtime.tensors.tensor import Tensor as Tensor
from .runtime.tensors.tensor_impl import TensorImpl as TensorImpl

__version__: str

device = _Device
dim = _Dim
dtype = _DType
layout = _Layout
memory_format = _MemoryFormat
opencl = _face
random = _randomness

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
newaxis: None
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
_Operand: TypeAlias = Tensor | _Exporter | builtins.complex | np.generic
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
    requires_grad: builtins.bool | None = None,
) -> Tensor:
    """Return `obj` as a tensor; `copy` True asks for memory of its own, False forbids a copy."""

def from_dlpack(
    ext_tensor: Any, *, device: device | str | None = None, copy: builtins.bool | None = None
) -> Tensor:
    """Return a tensor over the memory of any object that speaks DLPack."""

def from_file(
    filename: Any,
    shared: builtins.bool | None = None,
    size: builtins.int = 0,
    *,
    dtype: dtype | None = None,
    device: device | str | None = None,
) -> Tensor:
    """Return a tensor over the elements of a file."""

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

def get_rng_state() -> Tensor:
    """Return the state of the default generator, as bytes."""

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
    fullgraph: builtins.bool = False,
    dynamic: builtins.bool | None = None,
    backend: str = "inductor",
    mode: str | None = None,
    options: Mapping[str, Any] | None = None,
    disable: builtins.bool = False,
) -> CompiledFunction[_P, _R]: ...
@overload
def compile(
    function: None = None,
    *,
    device: str | None = None,
    static_argnames: str | Iterable[str] = (),
    static_shapes: builtins.bool = False,
    fullgraph: builtins.bool = False,
    dynamic: builtins.bool | None = None,
    backend: str = "inductor",
    mode: str | None = None,
    options: Mapping[str, Any] | None = None,
    disable: builtins.bool = False,
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

def acos(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The angle in radians whose cosine is input, elementwise; NaN beyond -1 and 1."""

def acos_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The angle in radians whose cosine is input, elementwise; NaN beyond -1 and 1."""

def acosh(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The positive number whose hyperbolic cosine is input, elementwise; NaN below 1."""

def acosh_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The positive number whose hyperbolic cosine is input, elementwise; NaN below 1."""

def adaptive_avg_pool1d(input: _Array, output_size: _Ints) -> Tensor:
    """The means of windows of the last dim, as many as asked for."""

def adaptive_max_pool1d(input: _Array, output_size: _Ints) -> tuple[Tensor, Tensor]:
    """The largest elements of windows of the last dim, as many as asked for, and where they are."""

def add(
    input: _Operand, other: _Operand, *, alpha: builtins.complex = 1, out: Tensor | None = None
) -> Tensor:
    """`input` + alpha * other, elementwise; for bool the logical or."""

def addbmm(
    input: _Array,
    batch1: _Array,
    batch2: _Array,
    *,
    beta: builtins.complex = 1,
    alpha: builtins.complex = 1,
    out: Tensor | None = None,
) -> Tensor:
    """`beta` * input + alpha * the sum of the products of two batches of matrices."""

def addcdiv(
    input: _Array,
    tensor1: _Array,
    tensor2: _Array,
    *,
    value: builtins.complex = 1,
    out: Tensor | None = None,
) -> Tensor:
    """`input` + value * tensor1 / tensor2, elementwise."""

def addcmul(
    input: _Array,
    tensor1: _Array,
    tensor2: _Array,
    *,
    value: builtins.complex = 1,
    out: Tensor | None = None,
) -> Tensor:
    """`input` + value * tensor1 * tensor2, elementwise."""

def addmm(
    input: _Array,
    mat1: _Array,
    mat2: _Array,
    *,
    beta: builtins.complex = 1,
    alpha: builtins.complex = 1,
    out: Tensor | None = None,
) -> Tensor:
    """`beta` * input + alpha * the product of two matrices; input broadcasts."""

def addmv(
    input: _Array,
    mat: _Array,
    vec: _Array,
    *,
    beta: builtins.complex = 1,
    alpha: builtins.complex = 1,
    out: Tensor | None = None,
) -> Tensor:
    """`beta` * input + alpha * the product of a matrix and a vector; input broadcasts."""

def addmv_(
    input: _Array,
    mat: _Array,
    vec: _Array,
    *,
    beta: builtins.complex = 1,
    alpha: builtins.complex = 1,
    out: Tensor | None = None,
) -> Tensor:
    """`beta` * input + alpha * the product of a matrix and a vector; input broadcasts."""

def addr(
    input: _Array,
    vec1: _Array,
    vec2: _Array,
    *,
    beta: builtins.complex = 1,
    alpha: builtins.complex = 1,
    out: Tensor | None = None,
) -> Tensor:
    """`beta` * input + alpha * the outer product of two vectors."""

def adjoint(input: _Array) -> Tensor:
    """The last two dims exchanged, of conjugates if the numbers are complex."""

def affine_grid_generator(theta: _Array, size: _Ints, align_corners: builtins.bool) -> Tensor:
    """The grid that affine maps make of the places of an image of that size."""

def alias_copy(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """A contiguous copy."""

def all(
    input: _Array,
    dim: _Ints | None = None,
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether every element over dims is not zero; uint8 gives uint8."""

def allclose(
    input: _Array,
    other: _Array,
    rtol: builtins.float = 1e-05,
    atol: builtins.float = 1e-08,
    equal_nan: builtins.bool = False,
) -> builtins.bool:
    """Whether |input - other| <= atol + rtol * |other| for all elements, as a bool of Python's."""

def alpha_dropout(input: _Array, p: builtins.float, train: builtins.bool) -> Tensor:
    """The input with elements dropped as selu wants it."""

def alpha_dropout_(input: _Array, p: builtins.float, train: builtins.bool) -> Tensor:
    """The input with elements dropped as selu wants it, in its own memory."""

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
    start: builtins.complex,
    end: builtins.complex | None = None,
    step: builtins.complex = 1,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    out: Tensor | None = None,
) -> Tensor:
    """`start`, start + step, ... below end; `arange(end)` starts at 0."""

def arccos(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The angle in radians whose cosine is input, elementwise; NaN beyond -1 and 1."""

def arccos_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The angle in radians whose cosine is input, elementwise; NaN beyond -1 and 1."""

def arccosh(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The positive number whose hyperbolic cosine is input, elementwise; NaN below 1."""

def arccosh_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The positive number whose hyperbolic cosine is input, elementwise; NaN below 1."""

def arcsin(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The angle in radians whose sine is input, elementwise; NaN beyond -1 and 1."""

def arcsin_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The angle in radians whose sine is input, elementwise; NaN beyond -1 and 1."""

def arcsinh(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The number whose hyperbolic sine is input, elementwise."""

def arcsinh_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The number whose hyperbolic sine is input, elementwise."""

def arctan(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The angle in radians whose tangent is input, elementwise."""

def arctan2(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """The angle in radians of the point (other, input), elementwise, in (-pi, pi]."""

def arctan_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The angle in radians whose tangent is input, elementwise."""

def arctanh(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The number whose hyperbolic tangent is input, elementwise; NaN beyond -1 and 1."""

def arctanh_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The number whose hyperbolic tangent is input, elementwise; NaN beyond -1 and 1."""

def argmax(
    input: _Array,
    dim: builtins.int | None = None,
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The index of the first largest element along dim, or in the flattened tensor."""

def argmin(
    input: _Array,
    dim: builtins.int | None = None,
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The index of the first smallest element along dim, or in the flattened tensor."""

@overload
def argsort(input: _Array, dim: builtins.int = -1, descending: builtins.bool = False) -> Tensor:
    """Where each element is in order along dim; equal ones stay in order."""

@overload
def argsort(
    input: _Array,
    *,
    stable: builtins.bool,
    dim: builtins.int = -1,
    descending: builtins.bool = False,
) -> Tensor:
    """Where each element is in order along dim; equal ones stay in order."""

def argwhere(input: _Array) -> Tensor:
    """The positions of the elements that are not zero, one row for each."""

def as_strided(
    input: _Array, size: _Ints, stride: _Ints, storage_offset: builtins.int | None = None
) -> Tensor:
    """Any sizes, strides and storage offset on the same storage, if all of it lies inside."""

def as_strided_copy(
    input: _Array,
    size: _Ints,
    stride: _Ints,
    storage_offset: builtins.int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """What `as_strided` shows, as a copy."""

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

def asin(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The angle in radians whose sine is input, elementwise; NaN beyond -1 and 1."""

def asin_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The angle in radians whose sine is input, elementwise; NaN beyond -1 and 1."""

def asinh(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The number whose hyperbolic sine is input, elementwise."""

def asinh_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The number whose hyperbolic sine is input, elementwise."""

def atan(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The angle in radians whose tangent is input, elementwise."""

def atan2(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """The angle in radians of the point (other, input), elementwise, in (-pi, pi]."""

def atan_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The angle in radians whose tangent is input, elementwise."""

def atanh(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The number whose hyperbolic tangent is input, elementwise; NaN beyond -1 and 1."""

def atanh_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The number whose hyperbolic tangent is input, elementwise; NaN beyond -1 and 1."""

def atleast_1d(tensors: Sequence[_Array], *, is_single: builtins.bool = False) -> Any:
    """The tensor with dims of size 1 added until it has 1; several as a tuple."""

def atleast_2d(tensors: Sequence[_Array], *, is_single: builtins.bool = False) -> Any:
    """The tensor with dims of size 1 added until it has 2; several as a tuple."""

def atleast_3d(tensors: Sequence[_Array], *, is_single: builtins.bool = False) -> Any:
    """The tensor with dims of size 1 added until it has 3; several as a tuple."""

def avg_pool1d(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = (),
    padding: _Ints = 0,
    ceil_mode: builtins.bool = False,
    count_include_pad: builtins.bool = True,
) -> Tensor:
    """The mean of each window of the last dim; padding counts as zeros if count_include_pad is
    set.
    """

def baddbmm(
    input: _Array,
    batch1: _Array,
    batch2: _Array,
    *,
    beta: builtins.complex = 1,
    alpha: builtins.complex = 1,
    out: Tensor | None = None,
) -> Tensor:
    """`beta` * input + alpha * the products of two batches of matrices; input broadcasts."""

def bartlett_window(
    window_length: builtins.int,
    periodic: builtins.bool = True,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
) -> Tensor:
    """Bartlett's window: a triangle."""

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

def bernoulli(
    input: _Array,
    p: builtins.float | None = None,
    *,
    generator: Generator | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Ones of the probabilities in the input, or of one probability `p`, and zeros."""

def bilinear(input1: _Array, input2: _Array, weight: _Array, bias: _Array | None = None) -> Tensor:
    """The products of two inputs with a matrix for each output: input1 @ weight[i] @ input2."""

def binary_cross_entropy_with_logits(
    input: _Array,
    target: _Array,
    weight: _Array | None = None,
    pos_weight: _Array | None = None,
    reduction: builtins.int = 0,
) -> Tensor:
    """The binary cross entropy of sigmoid(input), reduced."""

def bincount(input: _Array, weights: _Array | None = None, minlength: builtins.int = 0) -> Tensor:
    """How often each integer from 0 on occurs, or the sum of its weights."""

def binomial(count: _Array, prob: _Array, generator: Generator | None = None) -> Tensor:
    """How often something of a probability happens in so many trials."""

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

def blackman_window(
    window_length: builtins.int,
    periodic: builtins.bool = True,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
) -> Tensor:
    """Blackman's window: two cosines."""

@overload
def block_diag(tensors: Sequence[_Array]) -> Tensor:
    """Matrices along the diagonal of one of zeros; a vector is a row."""

@overload
def block_diag(*tensors: _Array) -> Tensor:
    """Matrices along the diagonal of one of zeros; a vector is a row."""

def bmm(input: _Array, mat2: _Array, *, out: Tensor | None = None) -> Tensor:
    """The products of as many pairs of matrices as two batches hold."""

def broadcast_tensors(tensors: Sequence[_Array]) -> tuple[Tensor, ...]:
    """The tensors repeated without a copy to their common shape."""

@overload
def broadcast_to(input: _Array, size: _Ints) -> Tensor:
    """The tensor repeated without a copy to a shape."""

@overload
def broadcast_to(input: _Array, *size: builtins.int) -> Tensor:
    """The tensor repeated without a copy to a shape."""

def bucketize(
    input: _Operand,
    boundaries: _Array,
    *,
    out_int32: builtins.bool = False,
    right: builtins.bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Between which of the sorted boundaries each element lies."""

@overload
def cartesian_prod(tensors: Sequence[_Array]) -> Tensor:
    """All combinations of one element of each vector, as rows."""

@overload
def cartesian_prod(*tensors: _Array) -> Tensor:
    """All combinations of one element of each vector, as rows."""

def cat(tensors: Sequence[_Array], dim: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
    """The tensors one after the other along a dim that they have."""

def cdist(
    x1: _Array,
    x2: _Array,
    p: builtins.float = 2.0,
    compute_mode: str = "use_mm_for_euclid_dist_if_necessary",
) -> Tensor:
    """The distances of all rows of x1 from all rows of x2, in the p-norm."""

def ceil(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The smallest integer not below input, elementwise."""

def ceil_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The smallest integer not below input, elementwise."""

def celu(input: _Array, alpha: builtins.complex = 1.0) -> Tensor:
    """`input` above 0, else alpha * expm1(input / alpha), elementwise."""

def celu_(input: _Array, alpha: builtins.complex = 1.0) -> Tensor:
    """`input` above 0, else alpha * expm1(input / alpha), elementwise."""

@overload
def chain_matmul(matrices: Sequence[_Array], *, out: Tensor | None = None) -> Tensor:
    """The product of a chain of matrices: linalg.multi_dot by an older name."""

@overload
def chain_matmul(*matrices: _Array, out: Tensor | None = None) -> Tensor:
    """The product of a chain of matrices: linalg.multi_dot by an older name."""

def channel_shuffle(input: _Array, groups: builtins.int) -> Tensor:
    """The channels of all groups in turn."""

def cholesky(input: _Array, upper: builtins.bool = False, *, out: Tensor | None = None) -> Tensor:
    """The triangular factor of positive-definite matrices: `linalg.cholesky`."""

def cholesky_inverse(
    input: _Array, upper: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """The inverse of A, whose factor by Cholesky is input."""

def cholesky_solve(
    input: _Array, input2: _Array, upper: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """X of A X = input, for A whose factor by Cholesky is input2."""

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

def combinations(
    input: _Array, r: builtins.int = 2, with_replacement: builtins.bool = False
) -> Tensor:
    """All choices of r elements of a vector, as rows."""

def complex(real: _Array, imag: _Array, *, out: Tensor | None = None) -> Tensor:
    """The complex numbers of two parts, elementwise."""

def concat(
    tensors: Sequence[_Array], dim: builtins.int = 0, *, out: Tensor | None = None
) -> Tensor:
    """The tensors one behind the other along a dim: `cat`."""

def concatenate(
    tensors: Sequence[_Array], dim: builtins.int = 0, *, out: Tensor | None = None
) -> Tensor:
    """The tensors one behind the other along a dim: `cat`."""

def conj(input: _Array) -> Tensor:
    """The conjugates of a complex tensor, as a view; any other tensor itself."""

def conj_physical(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The conjugate of a complex tensor, elementwise; any other tensor itself."""

def conj_physical_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The conjugate of a complex tensor, elementwise; any other tensor itself."""

def constant_pad_nd(input: _Array, pad: _Ints, value: builtins.complex = 0) -> Tensor:
    """The tensor with margins of one number: `nn.functional.pad`."""

def conv1d(
    input: _Array,
    weight: _Array,
    bias: _Array | None = None,
    stride: _Ints = 1,
    padding: _Ints | str = 0,
    dilation: _Ints = 1,
    groups: builtins.int = 1,
) -> Tensor:
    """The sums of products of a weight with all windows of the last dim of the input, for each pair
    of channels; 'same' pads so that sizes stay, 'valid' not at all.
    """

def conv2d(
    input: _Array,
    weight: _Array,
    bias: _Array | None = None,
    stride: _Ints = 1,
    padding: _Ints | str = 0,
    dilation: _Ints = 1,
    groups: builtins.int = 1,
) -> Tensor:
    """The sums of products of a weight with all windows of the last 2 dims of the input, for each
    pair of channels; 'same' pads so that sizes stay, 'valid' not at all.
    """

def conv3d(
    input: _Array,
    weight: _Array,
    bias: _Array | None = None,
    stride: _Ints = 1,
    padding: _Ints | str = 0,
    dilation: _Ints = 1,
    groups: builtins.int = 1,
) -> Tensor:
    """The sums of products of a weight with all windows of the last 3 dims of the input, for each
    pair of channels; 'same' pads so that sizes stay, 'valid' not at all.
    """

def conv_tbc(input: _Array, weight: _Array, bias: _Array, pad: builtins.int = 0) -> Tensor:
    """A convolution over the first dim, of tensors of (time, batch, channel)."""

def conv_transpose1d(
    input: _Array,
    weight: _Array,
    bias: _Array | None = None,
    stride: _Ints = 1,
    padding: _Ints = 0,
    output_padding: _Ints = 0,
    groups: builtins.int = 1,
    dilation: _Ints = 1,
) -> Tensor:
    """What goes back from a result of conv1d to its input: each element times the weight, added up
    where windows overlap.
    """

def conv_transpose2d(
    input: _Array,
    weight: _Array,
    bias: _Array | None = None,
    stride: _Ints = 1,
    padding: _Ints = 0,
    output_padding: _Ints = 0,
    groups: builtins.int = 1,
    dilation: _Ints = 1,
) -> Tensor:
    """What goes back from a result of conv2d to its input: each element times the weight, added up
    where windows overlap.
    """

def conv_transpose3d(
    input: _Array,
    weight: _Array,
    bias: _Array | None = None,
    stride: _Ints = 1,
    padding: _Ints = 0,
    output_padding: _Ints = 0,
    groups: builtins.int = 1,
    dilation: _Ints = 1,
) -> Tensor:
    """What goes back from a result of conv3d to its input: each element times the weight, added up
    where windows overlap.
    """

def convolution(
    input: _Array,
    weight: _Array,
    bias: _Array | None,
    stride: _Ints,
    padding: _Ints,
    dilation: _Ints,
    transposed: builtins.bool,
    output_padding: _Ints,
    groups: builtins.int,
) -> Tensor:
    """Any convolution of a batch, plain or transposed, with every setting given."""

def copysign(input: _Array, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The magnitude of input with the sign of other, elementwise."""

def corrcoef(input: _Array) -> Tensor:
    """The correlations of variables, the rows: covariances of variables with variance 1."""

def cos(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The cosine of an angle in radians, elementwise."""

def cos_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The cosine of an angle in radians, elementwise."""

def cosh(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic cosine, elementwise."""

def cosh_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic cosine, elementwise."""

def cosine_embedding_loss(
    input1: _Array,
    input2: _Array,
    target: _Array,
    margin: builtins.float = 0.0,
    reduction: builtins.int = 0,
) -> Tensor:
    """1 less the cosine where target is 1, and the cosine beyond a margin where it is -1,
    reduced.
    """

def cosine_similarity(
    x1: _Array, x2: _Array, dim: builtins.int = 1, eps: builtins.float = 1e-08
) -> Tensor:
    """The cosine of the angle between vectors along a dim."""

def count_nonzero(input: _Array, dim: _Ints | None = None) -> Tensor:
    """How many elements over dims are not zero."""

def cov(
    input: _Array,
    *,
    correction: builtins.int = 1,
    fweights: _Array | None = None,
    aweights: _Array | None = None,
) -> Tensor:
    """The covariances of variables, the rows, over observations, which may have weights."""

def cross(
    input: _Array, other: _Array, dim: builtins.int | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The cross products of vectors of three elements along a dim, by default the first of size
    3.
    """

@overload
def ctc_loss(
    log_probs: _Array,
    targets: _Array,
    input_lengths: _Array,
    target_lengths: _Array,
    blank: builtins.int = 0,
    reduction: builtins.int = 0,
    zero_infinity: builtins.bool = False,
) -> Tensor:
    """The negated logarithms of the probabilities that moments spell labels, with blanks between
    and repeated as they like, reduced.
    """

@overload
def ctc_loss(
    log_probs: _Array,
    targets: _Array,
    input_lengths: _Ints,
    target_lengths: _Ints,
    blank: builtins.int = 0,
    reduction: builtins.int = 0,
    zero_infinity: builtins.bool = False,
) -> Tensor:
    """The negated logarithms of the probabilities that moments spell labels, with blanks between
    and repeated as they like, reduced.
    """

def cummax(
    input: _Array, dim: builtins.int, *, out: Sequence[Tensor] | None = None
) -> return_types.cummax:
    """The largest elements up to each one along a dim, and where the last of them are."""

def cummin(
    input: _Array, dim: builtins.int, *, out: Sequence[Tensor] | None = None
) -> return_types.cummin:
    """The smallest elements up to each one along a dim, and where the last of them are."""

def cumprod(
    input: _Array, dim: builtins.int, *, dtype: dtype | None = None, out: Tensor | None = None
) -> Tensor:
    """The products of the elements up to each one along a dim; integers and bool give int64."""

def cumsum(
    input: _Array, dim: builtins.int, *, dtype: dtype | None = None, out: Tensor | None = None
) -> Tensor:
    """The sums of the elements up to each one along a dim; integers and bool give int64."""

@overload
def cumulative_trapezoid(y: _Array, x: _Array, *, dim: builtins.int = -1) -> Tensor:
    """The areas under samples up to each one but the first along a dim."""

@overload
def cumulative_trapezoid(y: _Array, *, dx: builtins.complex = 1, dim: builtins.int = -1) -> Tensor:
    """The areas under samples up to each one but the first along a dim."""

def deg2rad(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """Degrees as radians: input * pi / 180, elementwise."""

def deg2rad_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """Degrees as radians: input * pi / 180, elementwise."""

def det(input: _Array) -> Tensor:
    """The determinants of square matrices."""

def detach_copy(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """A contiguous copy."""

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

def diagonal_copy(
    input: _Array,
    offset: builtins.int = 0,
    dim1: builtins.int = 0,
    dim2: builtins.int = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """What `diagonal` shows, as a copy."""

def diagonal_scatter(
    input: _Array,
    src: _Array,
    offset: builtins.int = 0,
    dim1: builtins.int = 0,
    dim2: builtins.int = 1,
) -> Tensor:
    """The input with `src` on a diagonal of two dims."""

def diff(
    input: _Array,
    n: builtins.int = 1,
    dim: builtins.int = -1,
    prepend: _Array | None = None,
    append: _Array | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The differences of neighbours along a dim, n times; of bools whether they differ."""

def digamma(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The derivative of the logarithm of the gamma function, elementwise."""

def dist(input: _Array, other: _Array, p: builtins.complex = 2) -> Tensor:
    """The norm of input - other, of all elements."""

def div(
    input: _Operand, other: _Operand, *, rounding_mode: str | None = None, out: Tensor | None = None
) -> Tensor:
    """`input` / other, elementwise; rounding_mode 'trunc' or 'floor' rounds the quotient."""

def divide(
    input: _Operand, other: _Operand, *, rounding_mode: str | None = None, out: Tensor | None = None
) -> Tensor:
    """`input` / other, elementwise; rounding_mode 'trunc' or 'floor' rounds the quotient."""

def dot(input: _Array, tensor: _Array, *, out: Tensor | None = None) -> Tensor:
    """The sum of the products of the elements of two vectors."""

def dropout(input: _Array, p: builtins.float, train: builtins.bool) -> Tensor:
    """The input with elements dropped at random, and the others scaled up."""

def dropout_(input: _Array, p: builtins.float, train: builtins.bool) -> Tensor:
    """The input with elements dropped at random, and the others scaled up, in its own memory."""

def dsmm(input: _Array, mat2: _Array) -> Tensor:
    """The product of two matrices: `mm`, as it was called for sparse ones."""

def dsplit(input: _Array, indices_or_sections: _Ints) -> tuple[Tensor, ...]:
    """Parts of the third dim as views: so many of equal length, or cut at the places given."""

def dstack(tensors: Sequence[_Array], *, out: Tensor | None = None) -> Tensor:
    """The tensors one behind the other, along dim 2."""

@overload
def einsum(equation: str, tensors: Sequence[_Array]) -> Tensor:
    """Sums of products of tensors' elements, over the subscripts of an equation that its output
    lacks; subscripts may also be given as lists of numbers.
    """

@overload
def einsum(equation: str, *tensors: _Array) -> Tensor:
    """Sums of products of tensors' elements, over the subscripts of an equation that its output
    lacks; subscripts may also be given as lists of numbers.
    """

@overload
def einsum(equation: str, tensors: Sequence[_Array], *, path: _Ints | None = None) -> Tensor:
    """Sums of products of tensors' elements, over the subscripts of an equation that its output
    lacks; subscripts may also be given as lists of numbers.
    """

def embedding(
    weight: _Array,
    indices: _Array,
    padding_idx: builtins.int = -1,
    scale_grad_by_freq: builtins.bool = False,
    sparse: builtins.bool = False,
) -> Tensor:
    """The rows of a table at indices."""

def embedding_bag(
    weight: _Array,
    indices: _Array,
    offsets: _Array,
    scale_grad_by_freq: builtins.bool = False,
    mode: builtins.int = 0,
    sparse: builtins.bool = False,
    per_sample_weights: _Array | None = None,
    include_last_offset: builtins.bool = False,
    padding_idx: builtins.int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The sums (mode 0), means (1) or largest elements (2) of bags of rows at indices; then the bag
    of each index, the sizes of bags, and which rows had the largest elements.
    """

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

def equal(input: _Array, other: _Array) -> builtins.bool:
    """Whether two tensors have the same shape and elements, as a bool of Python's."""

def erf(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The error function, elementwise."""

def erf_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The error function, elementwise."""

def erfc(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """1 - erf(input) without cancellation for large input, elementwise."""

def erfc_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """1 - erf(input) without cancellation for large input, elementwise."""

def erfinv(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The number whose error function is input, elementwise; NaN beyond -1 and 1."""

def exp(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`e` to the power of input, elementwise."""

def exp2(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """2 to the power of input, elementwise."""

def exp2_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """2 to the power of input, elementwise."""

def exp_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`e` to the power of input, elementwise."""

def expand_copy(input: _Array, size: _Ints, *, out: Tensor | None = None) -> Tensor:
    """What `expand` shows, as a copy."""

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

def feature_alpha_dropout(input: _Array, p: builtins.float, train: builtins.bool) -> Tensor:
    """The input with whole channels dropped as selu wants it."""

def feature_alpha_dropout_(input: _Array, p: builtins.float, train: builtins.bool) -> Tensor:
    """The input with whole channels dropped as selu wants it, in its own memory."""

def feature_dropout(input: _Array, p: builtins.float, train: builtins.bool) -> Tensor:
    """The input with whole channels dropped at random."""

def feature_dropout_(input: _Array, p: builtins.float, train: builtins.bool) -> Tensor:
    """The input with whole channels dropped at random, in its own memory."""

def fill(input: _Array, value: _Operand) -> Tensor:
    """A tensor like the input, filled with a number or a 0-dim tensor."""

def fill_(input: _Array, value: _Operand) -> Tensor:
    """A tensor like the input, filled with a number or a 0-dim tensor."""

def fix(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`input` without its fraction, elementwise."""

def fix_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`input` without its fraction, elementwise."""

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

def float_power(input: _Operand, exponent: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`input` to the power of exponent, elementwise, in float64 or complex128."""

def floor(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The largest integer not above input, elementwise."""

def floor_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The largest integer not above input, elementwise."""

def floor_divide(input: _Operand, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`input` / other rounded towards minus infinity, elementwise."""

def fmax(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """The larger of input and other, elementwise; the other one if one is NaN."""

def fmin(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """The smaller of input and other, elementwise; the other one if one is NaN."""

def fmod(input: _Array, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The remainder of input / other with the sign of input, elementwise."""

def frac(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The fraction of input, with its sign: input - trunc(input), elementwise."""

def frac_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The fraction of input, with its sign: input - trunc(input), elementwise."""

def frexp(input: _Array, *, out: Sequence[Tensor] | None = None) -> return_types.frexp:
    """The mantissa in [0.5, 1) and the exponent of two of each number, as int32."""

def frobenius_norm(
    input: _Array, dim: _Ints, keepdim: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """The roots of the sums of squares over dims."""

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

def gcd(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """The greatest common divisor of integers, elementwise."""

def gcd_(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """The greatest common divisor of integers, elementwise."""

def ge(input: _Array, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether input is at least other, elementwise."""

def gelu(input: _Array, *, approximate: str = "none", out: Tensor | None = None) -> Tensor:
    """`input` * Phi(input), elementwise, Phi being the normal distribution function;
    approximate='tanh' is the usual approximation of it.
    """

def geqrf(input: _Array, *, out: Sequence[Tensor] | None = None) -> return_types.geqrf:
    """R of matrices above the diagonal, the vectors of reflections below, and their factors."""

def ger(input: _Array, vec2: _Array, *, out: Tensor | None = None) -> Tensor:
    """The products of all pairs of elements of two vectors, as a matrix."""

@overload
def gradient(
    input: _Array,
    *,
    spacing: builtins.complex | None = None,
    dim: _Ints | None = None,
    edge_order: builtins.int = 1,
) -> tuple[Tensor, ...]:
    """The slopes of samples along dims, a tensor for each: spacing is how far apart they are, or
    how far in each dim, or where those of each dim lie.
    """

@overload
def gradient(
    input: _Array,
    *,
    spacing: Sequence[builtins.complex],
    dim: _Ints | None = None,
    edge_order: builtins.int = 1,
) -> tuple[Tensor, ...]:
    """The slopes of samples along dims, a tensor for each: spacing is how far apart they are, or
    how far in each dim, or where those of each dim lie.
    """

@overload
def gradient(
    input: _Array,
    *,
    spacing: Sequence[_Array],
    dim: _Ints | None = None,
    edge_order: builtins.int = 1,
) -> tuple[Tensor, ...]:
    """The slopes of samples along dims, a tensor for each: spacing is how far apart they are, or
    how far in each dim, or where those of each dim lie.
    """

@overload
def gradient(
    input: _Array,
    *,
    places: Sequence[_Array],
    dim: _Ints | None = None,
    edge_order: builtins.int = 1,
) -> tuple[Tensor, ...]:
    """The slopes of samples along dims, a tensor for each: spacing is how far apart they are, or
    how far in each dim, or where those of each dim lie.
    """

def greater(input: _Array, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether input is greater than other, elementwise."""

def greater_equal(input: _Array, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether input is at least other, elementwise."""

def grid_sampler(
    input: _Array,
    grid: _Array,
    interpolation_mode: builtins.int,
    padding_mode: builtins.int,
    align_corners: builtins.bool,
) -> Tensor:
    """An image looked up at the places of a grid; modes are numbers, in the order of those of
    grid_sample.
    """

def grid_sampler_2d(
    input: _Array,
    grid: _Array,
    interpolation_mode: builtins.int,
    padding_mode: builtins.int,
    align_corners: builtins.bool,
) -> Tensor:
    """An image looked up at the places of a grid; modes are numbers, in the order of those of
    grid_sample.
    """

def grid_sampler_3d(
    input: _Array,
    grid: _Array,
    interpolation_mode: builtins.int,
    padding_mode: builtins.int,
    align_corners: builtins.bool,
) -> Tensor:
    """An image looked up at the places of a grid; modes are numbers, in the order of those of
    grid_sample.
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

def hamming_window(
    window_length: builtins.int,
    periodic: builtins.bool = True,
    alpha: builtins.float = 0.54,
    beta: builtins.float = 0.46,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
) -> Tensor:
    """Hamming's window: alpha less beta times a cosine."""

def hann_window(
    window_length: builtins.int,
    periodic: builtins.bool = True,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
) -> Tensor:
    """Hann's window: half a cosine's wave more, from 0 over 1 to 0."""

def hardshrink(
    input: _Array, lambd: builtins.complex = 0.5, *, out: Tensor | None = None
) -> Tensor:
    """`input`, but 0 between -lambd and lambd, elementwise."""

def heaviside(input: _Array, values: _Array, *, out: Tensor | None = None) -> Tensor:
    """0 below zero and 1 above, elementwise; at zero that of values."""

def hinge_embedding_loss(
    input: _Array, target: _Array, margin: builtins.float = 1.0, reduction: builtins.int = 0
) -> Tensor:
    """`input` where target is 1, and what it lacks to a margin where that is -1, reduced."""

def histc(
    input: _Array,
    bins: builtins.int = 100,
    min: builtins.complex = 0,
    max: builtins.complex = 0,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """How many elements lie in each of so many equal parts between min and max, or of all."""

@overload
def histogram(
    input: _Array,
    bins: _Array,
    *,
    weight: _Array | None = None,
    density: builtins.bool = False,
    out: Sequence[Tensor] | None = None,
) -> return_types.histogram:
    """How many elements, or what weights, lie between edges; the edges, if there are none, are
    those of so many equal ranges.
    """

@overload
def histogram(
    input: _Array,
    bins: builtins.int = 100,
    *,
    range: Sequence[builtins.float] | None = None,
    weight: _Array | None = None,
    density: builtins.bool = False,
    out: Sequence[Tensor] | None = None,
) -> return_types.histogram:
    """How many elements, or what weights, lie between edges; the edges, if there are none, are
    those of so many equal ranges.
    """

def hsplit(input: _Array, indices_or_sections: _Ints) -> tuple[Tensor, ...]:
    """Parts of the second dim, of vectors of the first, as views: so many of equal length, or cut
    at the places given.
    """

def hspmm(mat1: _Array, mat2: _Array) -> Tensor:
    """The product of a sparse matrix and a dense one, with a sparse dim and a dense one."""

def hstack(tensors: Sequence[_Array], *, out: Tensor | None = None) -> Tensor:
    """The tensors side by side: vectors one after the other, others along dim 1."""

def hypot(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """`sqrt`(input^2 + other^2) without overflow on the way, elementwise."""

def i0(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 0, elementwise."""

def i0_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 0, elementwise."""

def imag(input: _Array) -> Tensor:
    """The imaginary parts, as a view; of a tensor that is conj in memory of their own."""

def index_add(
    input: _Array,
    dim: builtins.int,
    index: _Array,
    source: _Array,
    *,
    alpha: builtins.complex = 1,
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

def index_reduce(
    input: _Array,
    dim: builtins.int,
    index: _Array,
    source: _Array,
    reduce: str,
    *,
    include_self: builtins.bool = True,
    out: Tensor | None = None,
) -> Tensor:
    """The input in which slices that a vector names are reduced with the slices of source."""

def index_select(
    input: _Array, dim: builtins.int, index: _Array, *, out: Tensor | None = None
) -> Tensor:
    """The slices along dim that a vector of indices names, one after the other."""

def inner(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """The sums of products along the last dims of two tensors, for all pairs of what is before."""

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

def inverse(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The inverses of square matrices."""

def isclose(
    input: _Array,
    other: _Array,
    rtol: builtins.float = 1e-05,
    atol: builtins.float = 1e-08,
    equal_nan: builtins.bool = False,
) -> Tensor:
    """Whether |input - other| <= atol + rtol * |other|, elementwise."""

def isfinite(input: _Array) -> Tensor:
    """Whether input is neither infinite nor NaN, elementwise."""

def isin(
    elements: _Operand,
    test_elements: _Operand,
    *,
    assume_unique: builtins.bool = False,
    invert: builtins.bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Whether each element is among the others; either may be a number."""

def isinf(input: _Array) -> Tensor:
    """Whether input is an infinity, or has an infinite part, elementwise."""

def isnan(input: _Array) -> Tensor:
    """Whether input is NaN, elementwise."""

def isneginf(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """Whether input is minus infinity, elementwise."""

def isposinf(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """Whether input is plus infinity, elementwise."""

def isreal(input: _Array) -> Tensor:
    """Whether the imaginary part of input is zero, elementwise."""

def istft(
    input: _Array,
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

def kaiser_window(
    window_length: builtins.int,
    periodic: builtins.bool = True,
    beta: builtins.float = 12.0,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
) -> Tensor:
    """Kaiser's window, which is narrower the larger beta is."""

def kl_div(
    input: _Array, target: _Array, reduction: builtins.int = 0, *, log_target: builtins.bool = False
) -> Tensor:
    """The divergence of Kullback and Leibler, of logarithms from probabilities, reduced."""

def kron(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """The Kronecker product: each element of the first tensor times the whole second one."""

def kthvalue(
    input: _Array,
    k: builtins.int,
    dim: builtins.int = -1,
    keepdim: builtins.bool = False,
    *,
    out: Sequence[Tensor] | None = None,
) -> return_types.kthvalue:
    """The k-th smallest element along dim, counted from 1, and where it is."""

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

def lcm(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """The least common multiple of integers, elementwise; it wraps."""

def lcm_(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """The least common multiple of integers, elementwise; it wraps."""

def ldexp(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """`input` * 2^other, elementwise, as a power and a product."""

def ldexp_(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """`input` * 2^other, elementwise, as a power and a product."""

def le(input: _Array, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether input is at most other, elementwise."""

def lerp(input: _Array, end: _Array, weight: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`input` + weight * (end - input), elementwise."""

def less(input: _Array, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether input is less than other, elementwise."""

def less_equal(input: _Array, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether input is at most other, elementwise."""

def lgamma(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the absolute value of the gamma function, elementwise."""

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

def log10(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 10, elementwise."""

def log10_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 10, elementwise."""

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

def logaddexp(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """`log`(exp(input) + exp(other)), elementwise, without overflow."""

def logaddexp2(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """`log2`(2 ** input + 2 ** other), elementwise, without overflow."""

def logcumsumexp(input: _Array, dim: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """The logarithms of the sums of exponentials up to each element along a dim."""

def logdet(input: _Array) -> Tensor:
    """The logarithms of the determinants of square matrices; NaN of negative ones."""

def logical_and(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """Whether both operands are not zero, elementwise."""

def logical_not(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """Whether input is zero, elementwise."""

def logical_or(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """Whether one of the operands is not zero, elementwise."""

def logical_xor(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """Whether exactly one of the operands is not zero, elementwise."""

def logit(input: _Array, eps: builtins.float | None = None, *, out: Tensor | None = None) -> Tensor:
    """`log`(input / (1 - input)), elementwise; eps keeps input between eps and 1 - eps."""

def logit_(
    input: _Array, eps: builtins.float | None = None, *, out: Tensor | None = None
) -> Tensor:
    """`log`(input / (1 - input)), elementwise; eps keeps input between eps and 1 - eps."""

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

def logsumexp(
    input: _Array, dim: _Ints, keepdim: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """The logarithm of the sum of exponentials over dims, without overflow."""

def lt(input: _Array, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether input is less than other, elementwise."""

def lu(
    A: _Array, pivot: builtins.bool = True, get_infos: builtins.bool = False
) -> tuple[Tensor, ...]:
    """The triangular factors of matrices, in one, and their pivots: `linalg.lu_factor`."""

def lu_solve(
    input: _Array, LU_data: _Array, LU_pivots: _Array, *, out: Tensor | None = None
) -> Tensor:
    """X of A X = input, for A whose factors `linalg.lu_factor` gave."""

def lu_unpack(
    LU_data: _Array,
    LU_pivots: _Array,
    unpack_data: builtins.bool = True,
    unpack_pivots: builtins.bool = True,
    *,
    out: Sequence[Tensor] | None = None,
) -> return_types.lu_unpack:
    """P, L and U from what `linalg.lu_factor` gives."""

def margin_ranking_loss(
    input1: _Array,
    input2: _Array,
    target: _Array,
    margin: builtins.float = 0.0,
    reduction: builtins.int = 0,
) -> Tensor:
    """By how much, and a margin, the wrong one of two inputs is larger, reduced."""

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

def matrix_exp(input: _Array) -> Tensor:
    """The exponentials of square matrices: `linalg.matrix_exp`."""

def matrix_power(input: _Array, n: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """Square matrices multiplied by themselves n times; of a negative n, their inverses."""

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

def max_pool1d(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = (),
    padding: _Ints = 0,
    dilation: _Ints = 1,
    ceil_mode: builtins.bool = False,
) -> Tensor:
    """The largest element of each window of the last dim."""

def max_pool1d_with_indices(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = (),
    padding: _Ints = 0,
    dilation: _Ints = 1,
    ceil_mode: builtins.bool = False,
) -> tuple[Tensor, Tensor]:
    """The largest element of each window of the last dim, and its number in these dims."""

def max_pool2d(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = (),
    padding: _Ints = 0,
    dilation: _Ints = 1,
    ceil_mode: builtins.bool = False,
) -> Tensor:
    """The largest element of each window of the last 2 dims."""

def max_pool3d(
    input: _Array,
    kernel_size: _Ints,
    stride: _Ints | None = (),
    padding: _Ints = 0,
    dilation: _Ints = 1,
    ceil_mode: builtins.bool = False,
) -> Tensor:
    """The largest element of each window of the last 3 dims."""

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
def median(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The lower of the middle elements, NaN if there is one; along dim with its index."""

@overload
def median(
    input: _Array,
    dim: builtins.int,
    keepdim: builtins.bool = False,
    *,
    out: Sequence[Tensor] | None = None,
) -> return_types.median:
    """The lower of the middle elements, NaN if there is one; along dim with its index."""

@overload
def meshgrid(tensors: Sequence[_Array], *, indexing: str | None = None) -> tuple[Tensor, ...]:
    """For each vector a view that repeats it along the dims of the others; with indexing 'xy' the
    first two dims change places.
    """

@overload
def meshgrid(*tensors: _Array, indexing: str | None = None) -> tuple[Tensor, ...]:
    """For each vector a view that repeats it along the dims of the others; with indexing 'xy' the
    first two dims change places.
    """

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

def mm(input: _Array, mat2: _Array, *, out: Tensor | None = None) -> Tensor:
    """The product of two matrices."""

def mode(
    input: _Array,
    dim: builtins.int = -1,
    keepdim: builtins.bool = False,
    *,
    out: Sequence[Tensor] | None = None,
) -> return_types.mode:
    """The most frequent element along dim, of several the smallest, and where it is the last
    time.
    """

def moveaxis(input: _Array, source: _Ints, destination: _Ints) -> Tensor:
    """Dims moved to other places, the rest in their order."""

def movedim(input: _Array, source: _Ints, destination: _Ints) -> Tensor:
    """Dims moved to other places, the rest in their order."""

def msort(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The elements in order along the first dim."""

def mul(input: _Operand, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`input` * other, elementwise; for bool the logical and."""

def multinomial(
    input: _Array,
    num_samples: builtins.int,
    replacement: builtins.bool = False,
    *,
    generator: Generator | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Places in the rows of the input, drawn by the probabilities that stand there."""

def multiply(input: _Operand, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`input` * other, elementwise; for bool the logical and."""

def mv(input: _Array, vec: _Array, *, out: Tensor | None = None) -> Tensor:
    """The product of a matrix and a vector."""

def mvlgamma(input: _Array, p: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the gamma function of p variables, elementwise."""

def nan_to_num(
    input: _Array,
    nan: builtins.float | None = None,
    posinf: builtins.float | None = None,
    neginf: builtins.float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`input` with 0, the largest and the smallest number, or others, for NaN and infinities."""

def nan_to_num_(
    input: _Array,
    nan: builtins.float | None = None,
    posinf: builtins.float | None = None,
    neginf: builtins.float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`input` with 0, the largest and the smallest number, or others, for NaN and infinities."""

def nanmean(
    input: _Array,
    dim: _Ints | None = None,
    keepdim: builtins.bool = False,
    *,
    dtype: dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The mean over dims of what is not NaN."""

@overload
def nanmedian(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The lower of the middle elements that are not NaN; along dim with its index."""

@overload
def nanmedian(
    input: _Array,
    dim: builtins.int,
    keepdim: builtins.bool = False,
    *,
    out: Sequence[Tensor] | None = None,
) -> return_types.nanmedian:
    """The lower of the middle elements that are not NaN; along dim with its index."""

def nanquantile(
    input: _Array,
    q: _Operand,
    dim: builtins.int | None = None,
    keepdim: builtins.bool = False,
    *,
    interpolation: str = "linear",
    out: Tensor | None = None,
) -> Tensor:
    """What the part q of the elements along dim that are not NaN lies below; each of several q has
    its place in a first dim.
    """

def nansum(
    input: _Array,
    dim: _Ints | None = None,
    keepdim: builtins.bool = False,
    *,
    dtype: dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The sum over dims of what is not NaN; integers and bool give int64."""

def narrow(input: _Array, dim: builtins.int, start: builtins.int, length: builtins.int) -> Tensor:
    """`length` indices of a dim from `start` on."""

def narrow_copy(
    input: _Array,
    dim: builtins.int,
    start: builtins.int,
    length: builtins.int,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """What `narrow` shows, as a copy."""

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

def native_channel_shuffle(input: _Array, groups: builtins.int) -> Tensor:
    """The same as channel_shuffle."""

def native_dropout(
    input: _Array, p: builtins.float, train: builtins.bool | None
) -> tuple[Tensor, Tensor]:
    """The input with elements dropped at random, and which ones stay."""

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

def nextafter(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """The number beside input on the way to other, elementwise."""

def nonzero(input: _Array, *, as_tuple: builtins.bool = False, out: Tensor | None = None) -> Tensor:
    """The positions of the elements that are not zero, one row for each."""

def nonzero_static(
    input: _Array, *, size: builtins.int, fill_value: builtins.int = -1, out: Tensor | None = None
) -> Tensor:
    """The positions of the first elements that are not zero, so many rows; others hold a number."""

def norm(
    input: _Array,
    p: builtins.complex | str | None = "fro",
    dim: _Ints | None = None,
    keepdim: builtins.bool = False,
    dtype: dtype | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The norm over dims, of vectors unless p is 'nuc'."""

def normal(
    mean: _Operand,
    std: _Operand = 1,
    size: _Ints | None = None,
    *,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    out: Tensor | None = None,
) -> Tensor:
    """Normal random numbers of given means and deviations, which may be tensors."""

def not_equal(input: _Array, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether input is not equal to other, elementwise."""

@overload
def nuclear_norm(
    input: _Array, dim: _Ints, keepdim: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """The sums of the singular values of matrices."""

@overload
def nuclear_norm(
    input: _Array, keepdim: builtins.bool = False, *, out: Tensor | None = None
) -> Tensor:
    """The sums of the singular values of matrices."""

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

def orgqr(input: _Array, input2: _Array, *, out: Tensor | None = None) -> Tensor:
    """The first columns of a product of reflections: `linalg.householder_product`."""

def ormqr(
    input: _Array,
    input2: _Array,
    input3: _Array,
    left: builtins.bool = True,
    transpose: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The product of the basis that reflections make, or of its adjoint, and other matrices."""

def outer(input: _Array, vec2: _Array, *, out: Tensor | None = None) -> Tensor:
    """The products of all pairs of elements of two vectors, as a matrix."""

def pad(
    input: _Array, pad: _Ints, mode: str = "constant", value: builtins.complex | None = None
) -> Tensor:
    """Margins around the last dims, (left, right, top, bottom, ...), of one value or, in modes
    reflect, replicate and circular, of elements; negative ones cut off.
    """

def pairwise_distance(
    x1: _Array,
    x2: _Array,
    p: builtins.float = 2.0,
    eps: builtins.float = 1e-06,
    keepdim: builtins.bool = False,
) -> Tensor:
    """The p-norm of x1 - x2 + eps along the last dim."""

def pdist(input: _Array, p: builtins.float = 2.0) -> Tensor:
    """The distances of all pairs of rows of a matrix, in the p-norm."""

@overload
def permute(input: _Array, dims: _Ints) -> Tensor:
    """The dims in another order."""

@overload
def permute(input: _Array, *dims: builtins.int) -> Tensor:
    """The dims in another order."""

def permute_copy(input: _Array, dims: _Ints, *, out: Tensor | None = None) -> Tensor:
    """What `permute` shows, as a copy."""

def pinverse(input: _Array, rcond: builtins.float = 1e-15) -> Tensor:
    """The Moore-Penrose inverses of matrices: `linalg.pinv`."""

def pixel_shuffle(input: _Array, upscale_factor: builtins.int) -> Tensor:
    """Squares of channels as squares of pixels: dims (C r^2, H, W) become (C, H r, W r)."""

def pixel_unshuffle(input: _Array, downscale_factor: builtins.int) -> Tensor:
    """Squares of pixels as channels: dims (C, H r, W r) become (C r^2, H, W)."""

def poisson(input: _Array, generator: Generator | None = None) -> Tensor:
    """Numbers of events, whose means are the input: of the Poisson distribution."""

def poisson_nll_loss(
    input: _Array,
    target: _Array,
    log_input: builtins.bool,
    full: builtins.bool,
    eps: builtins.float,
    reduction: builtins.int,
) -> Tensor:
    """The negative logarithm of the likelihood of counts by Poisson's distribution, reduced."""

def polar(abs: _Array, angle: _Array, *, out: Tensor | None = None) -> Tensor:
    """The complex numbers of a magnitude and an angle in radians, elementwise."""

def polygamma(n: builtins.int, input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The derivative of order n of digamma, elementwise."""

def positive(input: _Array) -> Tensor:
    """The tensor itself: what `+x` is."""

def pow(input: _Operand, exponent: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`input` to the power of exponent, elementwise."""

def prelu(input: _Array, weight: _Array) -> Tensor:
    """`input` above 0, else input * weight; of several weights each is that of a channel."""

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

def qr(
    input: _Array, some: builtins.bool = True, *, out: Sequence[Tensor] | None = None
) -> return_types.qr:
    """Q, whose columns are orthonormal, and an upper triangular R: `linalg.qr`."""

def quantile(
    input: _Array,
    q: _Operand,
    dim: builtins.int | None = None,
    keepdim: builtins.bool = False,
    *,
    interpolation: str = "linear",
    out: Tensor | None = None,
) -> Tensor:
    """What the part q of the elements along dim lies below; each of several q has its place in a
    first dim.
    """

def rad2deg(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """Radians as degrees: input * 180 / pi, elementwise."""

def rad2deg_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """Radians as degrees: input * 180 / pi, elementwise."""

@overload
def rand(
    size: _Ints,
    *,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    out: Tensor | None = None,
) -> Tensor:
    """Uniform random numbers in [0, 1)."""

@overload
def rand(
    *size: builtins.int,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    out: Tensor | None = None,
) -> Tensor:
    """Uniform random numbers in [0, 1)."""

def rand_like(
    input: _Array,
    *,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    memory_format: memory_format | None = None,
) -> Tensor:
    """Uniform random numbers in [0, 1) with the shape, dtype, device and layout of a tensor."""

@overload
def randint(
    high: builtins.int,
    size: _Ints,
    *,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    out: Tensor | None = None,
) -> Tensor:
    """Random integers in [low, high): `randint(high, size)` or `randint(low, high, size)`."""

@overload
def randint(
    low: builtins.int,
    high: builtins.int,
    size: _Ints,
    *,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    out: Tensor | None = None,
) -> Tensor:
    """Random integers in [low, high): `randint(high, size)` or `randint(low, high, size)`."""

@overload
def randint_like(
    input: _Array,
    high: builtins.int,
    *,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    memory_format: memory_format | None = None,
) -> Tensor:
    """Random integers in [low, high) with the shape, dtype, device and layout of a tensor."""

@overload
def randint_like(
    input: _Array,
    low: builtins.int,
    high: builtins.int,
    *,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    memory_format: memory_format | None = None,
) -> Tensor:
    """Random integers in [low, high) with the shape, dtype, device and layout of a tensor."""

@overload
def randn(
    size: _Ints,
    *,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    out: Tensor | None = None,
) -> Tensor:
    """Random numbers of the normal distribution of mean 0 and variance 1."""

@overload
def randn(
    *size: builtins.int,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    out: Tensor | None = None,
) -> Tensor:
    """Random numbers of the normal distribution of mean 0 and variance 1."""

def randn_like(
    input: _Array,
    *,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    memory_format: memory_format | None = None,
) -> Tensor:
    """Normal random numbers with the shape, dtype, device and layout of a tensor."""

def randperm(
    n: builtins.int,
    *,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    out: Tensor | None = None,
) -> Tensor:
    """The integers below n in a random order."""

def range(
    start: builtins.complex,
    end: builtins.complex,
    step: builtins.complex = 1,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    out: Tensor | None = None,
) -> Tensor:
    """`start`, start + step, ... up to end, which is one of them: what arange was."""

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

def renorm(
    input: _Array,
    p: builtins.complex,
    dim: builtins.int,
    maxnorm: builtins.complex,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The slices along a dim, those whose p-norm is above maxnorm brought down to it."""

@overload
def repeat_interleave(repeats: _Array, *, output_size: builtins.int | None = None) -> Tensor:
    """Each index as many times in a row as a tensor says for it."""

@overload
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

def rrelu(
    input: _Array,
    lower: builtins.complex = 0.125,
    upper: builtins.complex = 0.3333333333333333,
    training: builtins.bool = False,
    generator: Generator | None = None,
) -> Tensor:
    """`input` above 0, else input times the mean of lower and upper, or random slopes in
    training.
    """

def rrelu_(
    input: _Array,
    lower: builtins.complex = 0.125,
    upper: builtins.complex = 0.3333333333333333,
    training: builtins.bool = False,
    generator: Generator | None = None,
) -> Tensor:
    """`input` above 0, else input times the mean of lower and upper, or random slopes in
    training.
    """

def rsqrt(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """1 / sqrt(input), elementwise."""

def rsqrt_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """1 / sqrt(input), elementwise."""

def rsub(input: _Array, other: _Operand, *, alpha: builtins.complex = 1) -> Tensor:
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

def searchsorted(
    sorted_sequence: _Array,
    input: _Operand,
    *,
    out_int32: builtins.bool = False,
    right: builtins.bool = False,
    side: str | None = None,
    sorter: _Array | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Where each element would be put into the sorted sequence of its row."""

def select(input: _Array, dim: builtins.int, index: builtins.int) -> Tensor:
    """One index of a dim, which goes away."""

def select_copy(
    input: _Array, dim: builtins.int, index: builtins.int, *, out: Tensor | None = None
) -> Tensor:
    """What `select` shows, as a copy."""

def select_scatter(input: _Array, src: _Array, dim: builtins.int, index: builtins.int) -> Tensor:
    """The input with `src` at one index of a dim."""

def selu(input: _Array) -> Tensor:
    """1.0507 * elu(input, 1.6733), elementwise: it keeps mean and variance of layers."""

def selu_(input: _Array) -> Tensor:
    """1.0507 * elu(input, 1.6733), elementwise: it keeps mean and variance of layers."""

def sgn(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`input` / abs(input), elementwise, and 0 for 0: `sign` for complex numbers too."""

def sigmoid(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """1 / (1 + exp(-input)), elementwise."""

def sigmoid_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """1 / (1 + exp(-input)), elementwise."""

def sign(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """-1, 0 or 1 by the sign of input, elementwise."""

def signbit(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """Whether the sign bit of input is set, elementwise; that of -0.0 is."""

def silu(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`input` * sigmoid(input), elementwise."""

def sin(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The sine of an angle in radians, elementwise."""

def sin_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The sine of an angle in radians, elementwise."""

def sinc(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`sin`(pi input) / (pi input), elementwise, and 1 for 0."""

def sinc_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`sin`(pi input) / (pi input), elementwise, and 1 for 0."""

def sinh(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic sine, elementwise."""

def sinh_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic sine, elementwise."""

def slice_copy(
    input: _Array,
    dim: builtins.int = 0,
    start: builtins.int | None = None,
    end: builtins.int | None = None,
    step: builtins.int = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """What `slice` shows, as a copy."""

def slice_scatter(
    input: _Array,
    src: _Array,
    dim: builtins.int = 0,
    start: builtins.int | None = None,
    end: builtins.int | None = None,
    step: builtins.int = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The input with `src` in a slice of a dim."""

def slogdet(input: _Array, *, out: Sequence[Tensor] | None = None) -> return_types.slogdet:
    """The signs of determinants, and the logarithms of their absolute values."""

def smm(input: _Array, mat2: _Array) -> Tensor:
    """The product of a sparse matrix and a dense one, sparse."""

def softmax(
    input: _Array, dim: builtins.int, dtype: dtype | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The exponentials of the elements along a dim, divided by their sum."""

@overload
def sort(
    input: _Array,
    dim: builtins.int = -1,
    descending: builtins.bool = False,
    *,
    out: Sequence[Tensor] | None = None,
) -> return_types.sort:
    """The elements in order along dim, and where each of them was; equal ones stay in order."""

@overload
def sort(
    input: _Array,
    *,
    stable: builtins.bool | None,
    dim: builtins.int = -1,
    descending: builtins.bool = False,
    out: Sequence[Tensor] | None = None,
) -> return_types.sort:
    """The elements in order along dim, and where each of them was; equal ones stay in order."""

@overload
def split(tensor: _Array, split_size: _Ints, dim: builtins.int = 0) -> tuple[Tensor, ...]:
    """Parts of a dim as views, of one length or of the lengths given."""

@overload
def split(
    tensor: _Array, split_size_or_sections: _Ints, dim: builtins.int = 0
) -> tuple[Tensor, ...]:
    """Parts of a dim as views, of one length or of the lengths given."""

def split_copy(
    input: _Array, split_size: builtins.int, dim: builtins.int = 0
) -> tuple[Tensor, ...]:
    """What `split` shows, as copies."""

def split_with_sizes(
    input: _Array, split_sizes: _Ints, dim: builtins.int = 0
) -> tuple[Tensor, ...]:
    """Parts of a dim as views, of the lengths given."""

def split_with_sizes_copy(
    input: _Array, split_sizes: _Ints, dim: builtins.int = 0
) -> tuple[Tensor, ...]:
    """What `split_with_sizes` shows, as copies."""

def spmm(input: _Array, mat2: _Array, *, out: Tensor | None = None) -> Tensor:
    """The product of two matrices: `mm`, as it was called for sparse ones."""

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

def squeeze_copy(input: _Array, dim: _Ints = ..., *, out: Tensor | None = None) -> Tensor:
    """What `squeeze` shows, as a copy."""

def sspaddmm(
    input: _Array,
    mat1: _Array,
    mat2: _Array,
    *,
    beta: builtins.complex = 1,
    alpha: builtins.complex = 1,
) -> Tensor:
    """A sparse matrix plus the product of another one and a dense one, sparse."""

def stack(tensors: Sequence[_Array], dim: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
    """The tensors one after the other along a new dim."""

@overload
def std(
    input: _Array,
    dim: _Ints | None = None,
    *,
    correction: builtins.complex | None = None,
    keepdim: builtins.bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The standard deviation over dims; the squared distances are divided by the number of elements
    less the correction, which is 1 by default.
    """

@overload
def std(
    input: _Array,
    dim: _Ints | None,
    unbiased: builtins.bool = True,
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The standard deviation over dims; the squared distances are divided by the number of elements
    less the correction, which is 1 by default.
    """

@overload
def std(input: _Array, unbiased: builtins.bool = True, *, out: Tensor | None = None) -> Tensor:
    """The standard deviation over dims; the squared distances are divided by the number of elements
    less the correction, which is 1 by default.
    """

@overload
def std_mean(
    input: _Array,
    dim: _Ints | None = None,
    *,
    correction: builtins.complex | None = None,
    keepdim: builtins.bool = False,
) -> tuple[Tensor, Tensor]:
    """Standard deviation and mean over dims; the squared distances are divided by the number of
    elements less the correction, which is 1 by default.
    """

@overload
def std_mean(
    input: _Array, dim: _Ints | None, unbiased: builtins.bool = True, keepdim: builtins.bool = False
) -> tuple[Tensor, Tensor]:
    """Standard deviation and mean over dims; the squared distances are divided by the number of
    elements less the correction, which is 1 by default.
    """

@overload
def std_mean(input: _Array, unbiased: builtins.bool = True) -> tuple[Tensor, Tensor]:
    """Standard deviation and mean over dims; the squared distances are divided by the number of
    elements less the correction, which is 1 by default.
    """

def stft(
    input: _Array,
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
    """The Fourier transforms of windows of a signal: frequencies in rows, windows in columns."""

def sub(
    input: _Operand, other: _Operand, *, alpha: builtins.complex = 1, out: Tensor | None = None
) -> Tensor:
    """`input` - alpha * other, elementwise."""

def subtract(
    input: _Operand, other: _Operand, *, alpha: builtins.complex = 1, out: Tensor | None = None
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

def svd(
    input: _Array,
    some: builtins.bool = True,
    compute_uv: builtins.bool = True,
    *,
    out: Sequence[Tensor] | None = None,
) -> return_types.svd:
    """U, S and V with input = U diag(S) V^H: `linalg.svd` gives V^H."""

def swapaxes(input: _Array, axis0: builtins.int, axis1: builtins.int) -> Tensor:
    """Two dims exchanged: transpose by NumPy's name."""

def swapdims(input: _Array, dim0: builtins.int, dim1: builtins.int) -> Tensor:
    """Two dims exchanged."""

def t(input: _Array) -> Tensor:
    """The transpose of a matrix; vectors and 0-dim tensors as they are."""

def t_copy(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """What `t` shows, as a copy."""

def take(input: _Array, index: _Array, *, out: Tensor | None = None) -> Tensor:
    """The elements that index names, counted row by row, in the shape of index."""

def take_along_dim(
    input: _Array, indices: _Array, dim: builtins.int | None = None, *, out: Tensor | None = None
) -> Tensor:
    """For each element of indices, which is broadcast, the element of input along dim."""

def tan(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The tangent of an angle in radians, elementwise."""

def tan_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The tangent of an angle in radians, elementwise."""

def tanh(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent, elementwise."""

def tanh_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent, elementwise."""

def tensor_split(
    input: _Array, indices_or_sections: _Ints, dim: builtins.int = 0
) -> tuple[Tensor, ...]:
    """Parts of a dim as views: so many, or cut at the places given."""

@overload
def tensordot(
    input: _Array, other: _Array, dims_self: _Ints, dims_other: _Ints, *, out: Tensor | None = None
) -> Tensor:
    """The sums of products over some dims of two tensors, for all pairs of the others; dims says
    how many of the last and first dims these are, or which.
    """

@overload
def tensordot(a: _Array, b: _Array, dims: builtins.int = 2, *, out: Tensor | None = None) -> Tensor:
    """The sums of products over some dims of two tensors, for all pairs of the others; dims says
    how many of the last and first dims these are, or which.
    """

@overload
def tensordot(a: _Array, b: _Array, dims: _Ints, *, out: Tensor | None = None) -> Tensor:
    """The sums of products over some dims of two tensors, for all pairs of the others; dims says
    how many of the last and first dims these are, or which.
    """

def threshold(
    input: _Array,
    threshold: builtins.complex,
    value: builtins.complex,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`input` above the threshold, else the value, elementwise."""

def threshold_(
    input: _Array,
    threshold: builtins.complex,
    value: builtins.complex,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`input` above the threshold, else the value, elementwise."""

@overload
def tile(input: _Array, dims: _Ints) -> Tensor:
    """The tensor repeated along its last dims, as a copy."""

@overload
def tile(input: _Array, *dims: builtins.int) -> Tensor:
    """The tensor repeated along its last dims, as a copy."""

def topk(
    input: _Array,
    k: builtins.int,
    dim: builtins.int = -1,
    largest: builtins.bool = True,
    sorted: builtins.bool = True,
    *,
    out: Sequence[Tensor] | None = None,
) -> return_types.topk:
    """The k largest elements along dim in order, or the smallest, and where they are."""

def transpose(input: _Array, dim0: builtins.int, dim1: builtins.int) -> Tensor:
    """Two dims exchanged."""

def transpose_copy(
    input: _Array, dim0: builtins.int, dim1: builtins.int, *, out: Tensor | None = None
) -> Tensor:
    """What `transpose` shows, as a copy."""

@overload
def trapezoid(y: _Array, x: _Array, *, dim: builtins.int = -1) -> Tensor:
    """The area under samples along a dim, by the trapezoids between neighbours."""

@overload
def trapezoid(y: _Array, *, dx: builtins.complex = 1, dim: builtins.int = -1) -> Tensor:
    """The area under samples along a dim, by the trapezoids between neighbours."""

@overload
def trapz(y: _Array, x: _Array, *, dim: builtins.int = -1) -> Tensor:
    """The area under samples along a dim: trapezoid by another name."""

@overload
def trapz(y: _Array, *, dx: builtins.complex = 1, dim: builtins.int = -1) -> Tensor:
    """The area under samples along a dim: trapezoid by another name."""

def triangular_solve(
    input: _Array,
    A: _Array,
    upper: builtins.bool = True,
    transpose: builtins.bool = False,
    unitriangular: builtins.bool = False,
    *,
    out: Sequence[Tensor] | None = None,
) -> return_types.triangular_solve:
    """X of A X = input for triangular matrices, and A: `linalg.solve_triangular` as it was."""

def tril(input: _Array, diagonal: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
    """The elements on and below a diagonal of the last two dims, zeros above."""

def tril_indices(
    row: builtins.int,
    col: builtins.int,
    offset: builtins.int = 0,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
) -> Tensor:
    """The places of a matrix on and below a diagonal: their rows, and below these their columns."""

def triplet_margin_loss(
    anchor: _Array,
    positive: _Array,
    negative: _Array,
    margin: builtins.float = 1.0,
    p: builtins.float = 2.0,
    eps: builtins.float = 1e-06,
    swap: builtins.bool = False,
    reduction: builtins.int = 0,
) -> Tensor:
    """How much nearer than negative ones, by a margin, positive ones should be, reduced."""

def triu(input: _Array, diagonal: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
    """The elements on and above a diagonal of the last two dims, zeros below."""

def triu_indices(
    row: builtins.int,
    col: builtins.int,
    offset: builtins.int = 0,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
) -> Tensor:
    """The places of a matrix on and above a diagonal: their rows, and below these their columns."""

def true_divide(input: _Operand, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`input` / other, elementwise; integers give the default dtype."""

def trunc(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`input` without its fraction, elementwise."""

def trunc_(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """`input` without its fraction, elementwise."""

def unbind(input: _Array, dim: builtins.int = 0) -> tuple[Tensor, ...]:
    """The views at every index of a dim."""

def unbind_copy(input: _Array, dim: builtins.int = 0) -> tuple[Tensor, ...]:
    """What `unbind` shows, as copies."""

def unflatten(input: _Array, dim: builtins.int, sizes: _Ints) -> Tensor:
    """One dim as several; -1 is inferred."""

def unfold_copy(
    input: _Array,
    dimension: builtins.int,
    size: builtins.int,
    step: builtins.int,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """What `unfold` shows, as a copy."""

def unique(
    input: _Array,
    sorted: builtins.bool = True,
    return_inverse: builtins.bool = False,
    return_counts: builtins.bool = False,
    dim: builtins.int | None = None,
) -> Any:
    """The different elements in order, or slices along dim, with where each went, and how often
    each is there.
    """

def unique_consecutive(
    input: _Array,
    return_inverse: builtins.bool = False,
    return_counts: builtins.bool = False,
    dim: builtins.int | None = None,
) -> Any:
    """The elements, or slices along dim, that differ from the one before."""

def unravel_index(indices: _Array, shape: _Ints) -> tuple[Tensor, ...]:
    """Where flat indices lie in a shape: for each dim a tensor of indices."""

def unsafe_chunk(input: _Array, chunks: builtins.int, dim: builtins.int = 0) -> tuple[Tensor, ...]:
    """At most `chunks` parts of a dim as views, of equal length but for the last."""

@overload
def unsafe_split(tensor: _Array, split_size: _Ints, dim: builtins.int = 0) -> tuple[Tensor, ...]:
    """Parts of a dim as views, of one length or of the lengths given."""

@overload
def unsafe_split(
    tensor: _Array, split_size_or_sections: _Ints, dim: builtins.int = 0
) -> tuple[Tensor, ...]:
    """Parts of a dim as views, of one length or of the lengths given."""

def unsafe_split_with_sizes(
    input: _Array, split_sizes: _Ints, dim: builtins.int = 0
) -> tuple[Tensor, ...]:
    """Parts of a dim as views, of the lengths given."""

def unsqueeze(input: _Array, dim: builtins.int) -> Tensor:
    """With a dim of size 1 inserted."""

def unsqueeze_copy(input: _Array, dim: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """What `unsqueeze` shows, as a copy."""

def vander(x: _Array, N: builtins.int | None = None, increasing: builtins.bool = False) -> Tensor:
    """The powers of a vector's elements as the columns of a matrix, the highest first."""

@overload
def var(
    input: _Array,
    dim: _Ints | None = None,
    *,
    correction: builtins.complex | None = None,
    keepdim: builtins.bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The variance over dims; the squared distances are divided by the number of elements less the
    correction, which is 1 by default.
    """

@overload
def var(
    input: _Array,
    dim: _Ints | None,
    unbiased: builtins.bool = True,
    keepdim: builtins.bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The variance over dims; the squared distances are divided by the number of elements less the
    correction, which is 1 by default.
    """

@overload
def var(input: _Array, unbiased: builtins.bool = True, *, out: Tensor | None = None) -> Tensor:
    """The variance over dims; the squared distances are divided by the number of elements less the
    correction, which is 1 by default.
    """

@overload
def var_mean(
    input: _Array,
    dim: _Ints | None = None,
    *,
    correction: builtins.complex | None = None,
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

def vdot(input: _Array, other: _Array, *, out: Tensor | None = None) -> Tensor:
    """The dot product of two vectors, the first of them conjugated."""

def view_as_complex(input: _Array) -> Tensor:
    """Pairs of real numbers in the last dim as complex ones."""

def view_as_complex_copy(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """What `view_as_complex` shows, as a copy."""

def view_as_real(input: _Array) -> Tensor:
    """Complex numbers as pairs of real ones in a new last dim."""

def view_as_real_copy(input: _Array, *, out: Tensor | None = None) -> Tensor:
    """What `view_as_real` shows, as a copy."""

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

def xlogy(input: _Operand, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`input` log(other), elementwise; 0 where input is 0 and other a number."""

def xlogy_(input: _Operand, other: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`input` log(other), elementwise; 0 where input is 0 and other a number."""

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
