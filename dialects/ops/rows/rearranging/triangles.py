"""Which operations are about the diagonal of matrices? Triangles and diagonals, as copies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....attributes import views
from ....attributes.dtype import Category, bool_
from ....attributes.memory_format import contiguous_format
from ....attributes.strides import contiguous_strides
from ....attributes.views import Strided, wrap_dim
from ....diagnostics import TrilithRuntimeError
from ...frame.opspec import composite
from ...frame.out_rules import out_tensor_dtype
from ...frame.row import TensorLanguage
from ...frame.rules import ARITHMETIC, COMPLEX, FLOAT8, check_dtype
from ...frame.view_rows import tensor_of
from ...frame.writing import Writing
from ...gradients.joining import OF_DIAG, OF_DIAG_EMBED, OF_TRACE, OF_TRIL, OF_TRIU
from ..indexing.scattering import PUTTABLE


def _triangle(name: str, comparison: str) -> Callable[..., Any]:
    """Return the expansion that keeps the elements whose column - row compares to `diagonal`."""

    def expand(t: TensorLanguage, input: Any, diagonal: Any) -> Any:
        spec = tensor_of(t, input)
        if spec.rank < 2:
            raise TrilithRuntimeError(f"{name}: input tensor must have at least 2 dimensions")
        if not spec.numel:
            return t.call("clone", input, memory_format=contiguous_format)
        rows, columns = spec.shape[-2:]
        down = t.call("unsqueeze", t.call("arange", rows, device=spec.device), 1)
        distance = t.call("sub", t.call("arange", columns, device=spec.device), down)
        check_dtype(name, spec.dtype, PUTTABLE - FLOAT8)
        packed = t.call("clone", input, memory_format=contiguous_format)
        zero = False if spec.dtype.category is Category.BOOLEAN else 0
        return t.call("where", t.call(comparison, distance, diagonal), packed, zero)

    return expand


composite(
    "tril(Tensor input, ScalarInt diagonal=0)",
    "The elements on and below a diagonal of the last two dims, zeros above.",
    "tri.tril(tri.ones(2, 2))  # tensor([[1., 0.],\n#         [1., 1.]])",
    _triangle("tril", "le"),
    has_out=True,
    refuse_out=out_tensor_dtype,
    in_place=("tril_",),
    writing=Writing(read_first=frozenset({"input"}), is_zeroing=True),
    gradient=OF_TRIL,
)
composite(
    "triu(Tensor input, ScalarInt diagonal=0)",
    "The elements on and above a diagonal of the last two dims, zeros below.",
    "tri.triu(tri.ones(2, 2))  # tensor([[1., 1.],\n#         [0., 1.]])",
    _triangle("triu", "ge"),
    has_out=True,
    refuse_out=out_tensor_dtype,
    in_place=("triu_",),
    writing=Writing(read_first=frozenset({"input"}), is_zeroing=True),
    gradient=OF_TRIU,
)


def _diag_embed(t: TensorLanguage, input: Any, offset: int, dim1: int, dim2: int) -> Any:
    """Write the input into a diagonal of zeros."""
    spec = tensor_of(t, input)
    rank = spec.rank + 1
    first, second = wrap_dim(dim1, rank), wrap_dim(dim2, rank)
    if first == second:
        raise TrilithRuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    length = spec.shape[-1] + abs(offset)
    shape = list(spec.shape[:-1])
    for dim in sorted((first, second)):
        shape.insert(dim, length)
    whole = tuple(shape)
    window = views.diagonal(Strided(whole, contiguous_strides(whole)), offset, first, second)
    zeros = t.call("zeros", whole, dtype=spec.dtype, device=spec.device)
    return t.call("put_window", zeros, input, *window)


def _diag(t: TensorLanguage, input: Any, diagonal: int) -> Any:
    rank = tensor_of(t, input).rank
    if rank not in (1, 2):
        raise TrilithRuntimeError(f"diag(): Supports 1D or 2D tensors. Got {rank}D")
    if rank == 1:
        return t.call("diag_embed", input, diagonal)
    found = t.call("diagonal", input, diagonal)
    return t.call("clone", found, memory_format=contiguous_format)


def _diagflat(t: TensorLanguage, input: Any, offset: int) -> Any:
    return t.call("diag_embed", t.call("reshape", input, (-1,)), offset)


def _trace(t: TensorLanguage, input: Any) -> Any:
    spec = tensor_of(t, input)
    if spec.rank != 2:
        raise TrilithRuntimeError(f"trace: expected a matrix, but got tensor with dim {spec.rank}")
    check_dtype("trace", spec.dtype, (ARITHMETIC - {bool_}) | COMPLEX)
    return t.call("sum", t.call("diagonal", input))


composite(
    "trace(Tensor input)",
    "The sum of a matrix's diagonal.",
    "tri.tensor([[1, 2], [3, 4]]).trace()  # tensor(5)",
    _trace,
    is_public=False,
    methods=("trace",),
    gradient=OF_TRACE,
)
composite(
    "diag_embed(Tensor input, SymInt offset=0, int dim1=-2, int dim2=-1)",
    "Matrices of zeros with the last dim of the input on a diagonal.",
    "tri.diag_embed(tri.tensor([1, 2]))  # tensor([[1, 0],\n#         [0, 2]])",
    _diag_embed,
    gradient=OF_DIAG_EMBED,
)
composite(
    "diag(Tensor input, SymInt diagonal=0)",
    "The diagonal of a matrix, as a copy, or the matrix with a vector on a diagonal.",
    "tri.diag(tri.tensor([[1, 2], [3, 4]]))  # tensor([1, 4])",
    _diag,
    has_out=True,
    refuse_out=out_tensor_dtype,
    gradient=OF_DIAG,
)
composite(
    "diagflat(Tensor input, SymInt offset=0)",
    "The matrix with all elements of the input on a diagonal.",
    "tri.diagflat(tri.tensor([[1, 2]]))  # tensor([[1, 0],\n#         [0, 2]])",
    _diagflat,
)
