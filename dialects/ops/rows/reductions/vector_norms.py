"""Which operations measure how large vectors and matrices are? Norms, and the distance by one.

A norm of vectors is a sum of powers of magnitudes, or the largest or smallest magnitude; it becomes
one kernel by fusion. Narrow floats are added up in float32 and rounded once. Norms of matrices are
norms of their rows, columns, elements or singular values.
"""

from __future__ import annotations

import math
from typing import Any

from ....attributes.dtype import Category, DType
from ....attributes.promotion import promote_types
from ....attributes.spec import TensorSpec
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithRuntimeError
from ...frame.matrix_rules import check_precise, matrix
from ...frame.opspec import composite
from ...frame.out_rules import expected_dtype, out_tensor_dtype
from ...frame.reduction_rules import reduced_dims, reduced_shape
from ...frame.row import TensorLanguage
from ...frame.rules import ALL_COMPLEX, FLOATS, check_dtype, compute_dtype
from ...frame.view_rows import tensor_of
from ...gradients.norms import OF_DIST, OF_VECTOR_NORM

# ---- vectors


def _vector_norm(
    t: TensorLanguage,
    input: Any,
    ord: complex,
    dim: tuple[int, ...] | None,
    keepdim: bool,
    dtype: DType | None,
) -> Any:
    spec = tensor_of(t, input)
    _check_dtypes("linalg.vector_norm", spec.dtype, dtype)
    order = _real_order("linalg.vector_norm", ord)
    if order < 0 or order == math.inf:
        _refuse_empty(spec, order, dim)
    dims = reduced_dims(dim, spec.rank)
    asked = dtype or spec.dtype
    check_dtype("linalg_vector_norm", asked, FLOATS | ALL_COMPLEX)
    wide = compute_dtype(asked)
    cast = t.call("to", input, wide)
    if not spec.numel:
        shape = reduced_shape(spec.shape, dims, keepdim)
        return t.call("full", shape, 0, dtype=asked.to_real(), device=spec.device)
    if all(spec.shape[each] == 1 for each in dims) and order:
        # The magnitude of one element is its norm of any order, without a rounding.
        norm = t.call("amax", t.call("abs", cast), dims, keepdim)
    else:
        norm = _summed(t, cast, order, dims, keepdim, wide.to_real())
    return t.call("to", norm, asked.to_real())


def _summed(
    t: TensorLanguage, x: Any, order: float, dims: tuple[int, ...], keepdim: bool, dtype: DType
) -> Any:
    """Return the norm of elements of a wide dtype, of which there are some."""
    if not order:
        return t.call("sum", t.call("ne", x, 0), dims, keepdim, dtype=dtype)
    if order == 2 and not tensor_of(t, x).dtype.is_complex:
        return t.call("sqrt", t.call("sum", t.call("mul", x, x), dims, keepdim))
    sizes = t.call("abs", x)
    if order in (math.inf, -math.inf):
        return t.call("amax" if order > 0 else "amin", sizes, dims, keepdim)
    if order == 1:
        return t.call("sum", sizes, dims, keepdim)
    return t.call("pow", t.call("sum", t.call("pow", sizes, order), dims, keepdim), 1 / order)


def _check_dtypes(name: str, given: DType, asked: DType | None) -> None:
    """Refuse what has no norm, and a `dtype=` that would lose some of it."""
    if given.category < Category.FLOATING:
        raise TrilithRuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got {given.c_name}"
        )
    if asked is None:
        return
    if asked.category < Category.FLOATING:
        raise TrilithRuntimeError(
            f"{name}: dtype should be floating point or complex, but got {asked.c_name}"
        )
    if given.is_complex is not asked.is_complex:
        kind = "complex" if given.is_complex else "real"
        raise TrilithRuntimeError(
            f"{name}: dtype should be {kind} for {kind} inputs, but got {asked.c_name}"
        )
    if promote_types(given, asked) is not asked:
        raise TrilithRuntimeError(
            f"{name}: the dtype of the input ({given.c_name}) should be convertible without "
            f"narrowing to the specified dtype ({asked.c_name})"
        )


def _real_order(name: str, order: complex) -> float:
    if isinstance(order, complex):
        raise TrilithRuntimeError(f"{name}: Expected a non-complex scalar as the order of norm.")
    return float(order)


def _refuse_empty(spec: TensorSpec, order: float, dim: tuple[int, ...] | None) -> None:
    """Refuse the largest or smallest of no elements."""
    word = f"linalg.vector_norm cannot compute the {order:g} norm on"
    reason = "because the operation does not have an identity"
    if not dim:
        if not spec.numel:
            raise TrilithRuntimeError(f"{word} an empty tensor {reason}")
        return
    for each in dim if spec.rank else ():
        if not spec.shape[wrap_dim(each, spec.rank)]:
            # The words run together in PyTorch, too.
            raise TrilithRuntimeError(
                f"{word} the dimension {each}because this dimension is empty and the operation "
                "does not have an identity"
            )


composite(
    "linalg_vector_norm(Tensor input, Number ord=2, int[]? dim=None, bool keepdim=False, *, "
    "dtype? dtype=None)",
    "The norm of vectors over dims: the root of the sum of powers of the magnitudes.",
    "tri.linalg.vector_norm(tri.tensor([3., 4.]))  # tensor(5.)",
    _vector_norm,
    methods=(),
    is_public=False,
    places=("linalg.vector_norm",),
    has_out=True,
    refuse_out=out_tensor_dtype,
    gradient=OF_VECTOR_NORM,
)

# ---- matrices


def _matrix_norm(
    t: TensorLanguage,
    input: Any,
    ord: complex | str,
    dim: tuple[int, ...],
    keepdim: bool,
    dtype: DType | None,
) -> Any:
    spec = tensor_of(t, input)
    name = "linalg.matrix_norm"
    order = ord if isinstance(ord, str) else _real_order(name, ord)
    known: tuple[object, ...] = ("fro", "nuc") if isinstance(order, str) else _ORDERS
    if order not in known:
        shown = order if isinstance(order, str) else f"{order:g}"
        raise TrilithRuntimeError(f"{name}: Order {shown} not supported.")
    _check_matrix(name, spec, dim, dtype, takes_low=order not in ("nuc", 2, -2))
    first, second = (wrap_dim(each, spec.rank) for each in dim)
    if first == second:
        raise TrilithRuntimeError(
            f"{name}: dims must be different. Got ({', '.join(map(str, dim))})"
        )
    if order == "fro":
        return t.call("linalg_vector_norm", input, 2, dim, keepdim, dtype=dtype)
    cast = t.call("to", input, dtype) if dtype is not None else input
    if isinstance(order, str) or abs(order) == 2:
        return _of_singular_values(t, cast, order, (first, second), keepdim)
    if abs(order) == math.inf:
        first, second = second, first
    sums = t.call("linalg_vector_norm", cast, 1, first, keepdim)
    if second > first and not keepdim:
        second -= 1
    if order > 0 and not tensor_of(t, sums).shape[second]:
        return t.call("sum", sums, second, keepdim)
    return t.call("amax" if order > 0 else "amin", sums, second, keepdim)


_ORDERS = (1.0, -1.0, 2.0, -2.0, math.inf, -math.inf)


def _check_matrix(
    name: str, spec: TensorSpec, dim: tuple[int, ...], dtype: DType | None, *, takes_low: bool
) -> None:
    check_precise(matrix(spec, name).dtype, name, takes_low=takes_low)
    if len(dim) != 2:
        raise TrilithRuntimeError(f"{name}: dim must be a 2-tuple. Got {' '.join(map(str, dim))}")
    _check_dtypes(name, spec.dtype, dtype)


def _of_singular_values(
    t: TensorLanguage, x: Any, order: float | str, dims: tuple[int, int], keepdim: bool
) -> Any:
    """Return the sum, or the largest or smallest, of the singular values."""
    values = t.call("linalg_svdvals", t.call("movedim", x, dims, (-2, -1)))
    is_empty = not tensor_of(t, values).shape[-1]
    if isinstance(order, str) or (order > 0 and is_empty):
        norm = t.call("sum", values, -1, keepdim)
    else:
        norm = t.call("amax" if order > 0 else "amin", values, -1, keepdim)
    return t.call("movedim", t.call("unsqueeze", norm, -1), (-2, -1), dims) if keepdim else norm


composite(
    "linalg_matrix_norm(Tensor input, Order ord='fro', int[] dim=(-2,-1), bool keepdim=False, *, "
    "dtype? dtype=None)",
    "The norm of matrices in two dims: by their elements, columns, rows or singular values.",
    "tri.linalg.matrix_norm(tri.tensor([[3., 0.], [0., 4.]]))  # tensor(5.)",
    _matrix_norm,
    methods=(),
    is_public=False,
    places=("linalg.matrix_norm",),
    has_out=True,
    refuse_out=expected_dtype("linalg.matrix_norm"),
)

# ---- either


def _linalg_norm(
    t: TensorLanguage,
    input: Any,
    ord: complex | str | None,
    dim: tuple[int, ...] | None,
    keepdim: bool,
    dtype: DType | None,
) -> Any:
    rank = tensor_of(t, input).rank
    if dim is not None and len(dim) not in (1, 2):
        raise TrilithRuntimeError(
            "linalg.norm: If dim is specified, it must be of length 1 or 2. Got "
            f"[{', '.join(map(str, dim))}]"
        )
    if dim is None and ord is not None and rank not in (1, 2):
        raise TrilithRuntimeError(
            "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got "
            f"{rank}D."
        )
    is_matrix = isinstance(ord, str) or len(dim or range(rank)) == 2
    if ord is not None and is_matrix:
        dims = tuple(range(rank)) if dim is None else dim
        return t.call("linalg_matrix_norm", input, ord, dims, keepdim, dtype=dtype)
    order = 2 if ord is None else ord
    return t.call("linalg_vector_norm", input, order, dim, keepdim, dtype=dtype)


composite(
    "linalg_norm(Tensor input, Order? ord=None, int[]? dim=None, bool keepdim=False, *, "
    "dtype? dtype=None)",
    "The norm of vectors, or of matrices if there are two dims and an order.",
    "tri.linalg.norm(tri.tensor([3., 4.]))  # tensor(5.)",
    _linalg_norm,
    methods=(),
    is_public=False,
    places=("linalg.norm",),
    has_out=True,
    refuse_out=expected_dtype("linalg.norm"),
)


def _norm(
    t: TensorLanguage,
    input: Any,
    p: complex | str | None,
    dim: tuple[int, ...] | None,
    keepdim: bool,
    dtype: DType | None,
) -> Any:
    is_elementwise = p == "fro" and (dim is None or len(dim) <= 2)
    if isinstance(p, str) and not is_elementwise:
        dims = tuple(range(tensor_of(t, input).rank)) if dim is None else dim
        return t.call("linalg_matrix_norm", input, p, dims, keepdim, dtype=dtype)
    order = 2 if p is None or isinstance(p, str) else p
    return t.call("linalg_vector_norm", input, order, dim, keepdim, dtype=dtype)


composite(
    "norm(Tensor input, Order? p='fro', int[]? dim=None, bool keepdim=False, dtype? dtype=None)",
    "The norm over dims, of vectors unless p is 'nuc'.",
    "tri.norm(tri.tensor([3., 4.]))  # tensor(5.)",
    _norm,
    has_out=True,
    refuse_out=out_tensor_dtype,
)


def _distance(t: TensorLanguage, input: Any, other: Any, p: complex) -> Any:
    difference = t.call("sub", input, other)
    dtype = tensor_of(t, difference).dtype
    if dtype.category < Category.FLOATING:
        raise TrilithRuntimeError(
            "norm(): input dtype should be either floating point or complex. Got "
            f"{dtype.c_name} instead."
        )
    return t.call("linalg_vector_norm", difference, p)


composite(
    "dist(Tensor input, Tensor other, Number p=2)",
    "The norm of input - other, of all elements.",
    "tri.dist(tri.tensor([1., 2.]), tri.tensor([4., 6.]))  # tensor(5.)",
    _distance,
    gradient=OF_DIST,
)
