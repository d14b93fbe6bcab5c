"""Which operations use the factors of matrices? Solutions by Cholesky's or with pivots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....attributes.dtype import int32
from ....attributes.memory_format import contiguous_format
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithRuntimeError
from ....frames import warn_once
from ...frame.gradients import CONSTANT, by_steps
from ...frame.matrix_rules import (
    PRECISE,
    at_least_matrix,
    check_precise,
    check_same,
    check_sides,
    check_system,
    matrix,
    square,
)
from ...frame.named_results import named_results
from ...frame.opspec import composite
from ...frame.out_rules import out_tensor_dtype, safely_castable
from ...frame.row import Attributes, OperandSpec, Resolved, TensorLanguage
from ...frame.rules import check_dtype
from ...gradients.linear_systems import OF_CHOLESKY_INVERSE, OF_CHOLESKY_SOLVE
from .matrices import in_others, on_host, plain, spec_of

# ---- of positive matrices


_OLD_CHOLESKY = (
    "trilith.cholesky is deprecated in favor of trilith.linalg.cholesky and will be removed in a "
    "future PyTorch release.\n"
    "L = trilith.cholesky(A)\n"
    "should be replaced with\n"
    "L = trilith.linalg.cholesky(A)\n"
    "and\n"
    "U = trilith.cholesky(A, upper=True)\n"
    "should be replaced with\n"
    "U = trilith.linalg.cholesky(A).mH\n"
    "This transform will produce equivalent results for all valid (symmetric positive definite) "
    "inputs."
)


def _cholesky(t: TensorLanguage, input: Any, upper: bool) -> Any:
    warn_once(_OLD_CHOLESKY)
    square(t.spec(input), "cholesky")
    factor = t.call("linalg_factor", input, upper, "cholesky")[0]
    if 0 in spec_of(t, factor).shape:  # LAPACK has not written it column by column
        return t.call("clone", factor, memory_format=contiguous_format)
    return factor


def _cholesky_solve(t: TensorLanguage, input: Any, input2: Any, upper: bool) -> Any:
    sides, factor = spec_of(t, input), spec_of(t, input2)
    for spec, word in ((sides, "b"), (factor, "u")):
        if spec.rank < 2:
            raise TrilithRuntimeError(
                f"{word} should have at least 2 dimensions, but has {spec.rank} dimensions instead"
            )
    check_system("cholesky_solve", factor, sides)
    check_dtype("cholesky_solve_cpu", factor.dtype, PRECISE)
    # Of a view of conjugates the solution would lie row by row.
    adjoint = t.call("conj_physical", t.call("transpose", input2, -2, -1))
    first, second = (adjoint, input2) if upper else (input2, adjoint)
    half = t.call("linalg_solve_triangular", first, input, upper=False)
    return t.call("linalg_solve_triangular", second, half, upper=True)


def _cholesky_inverse(t: TensorLanguage, input: Any, upper: bool) -> Any:
    spec = square(t.spec(input), "cholesky_inverse")
    check_dtype("cholesky_inverse_out_cpu", spec.dtype, PRECISE)
    ones = t.call("eye", spec.shape[-1], dtype=spec.dtype, device=spec.device)
    return _cholesky_solve(t, ones, input, upper)


composite(
    "cholesky(Tensor input, bool upper=False)",
    "The triangular factor of positive-definite matrices: `linalg.cholesky`.",
    "tri.linalg.cholesky(tri.tensor([[4.]]))  # tensor([[2.]])",
    _cholesky,
    has_out=True,
    gradient=by_steps("CholeskyBackward0", "input"),
    refuse_out=safely_castable("cholesky"),
)
composite(
    "cholesky_solve(Tensor input, Tensor input2, bool upper=False)",
    "X of A X = input, for A whose factor by Cholesky is input2.",
    "tri.cholesky_solve(tri.tensor([[8.]]), tri.tensor([[2.]]))  # tensor([[2.]])",
    _cholesky_solve,
    has_out=True,
    gradient=OF_CHOLESKY_SOLVE,
)
composite(
    "cholesky_inverse(Tensor input, bool upper=False)",
    "The inverse of A, whose factor by Cholesky is input.",
    "tri.cholesky_inverse(tri.tensor([[2.]]))  # tensor([[0.2500]])",
    _cholesky_inverse,
    has_out=True,
    gradient=OF_CHOLESKY_INVERSE,
)

# ---- with pivots


def _resolve_permutation(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    pivots, like = operands
    assert isinstance(pivots, TensorSpec)
    assert isinstance(like, TensorSpec)
    if pivots.dtype is not int32:
        raise TrilithRuntimeError(
            "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype."
            "\nNote: this function is intended to be used with the output produced by "
            "torch.linalg.lu_factor"
        )
    expected = [*like.shape[:-2], min(like.shape[-2:])]
    if list(pivots.shape) != expected:
        # PyTorch reads what lies behind them.
        raise TrilithRuntimeError(
            f"torch.lu_unpack: LU_pivots is expected to be of shape {expected}, but got "
            f"{list(pivots.shape)}"
        )
    rows = like.shape[-2]
    matrices = plain(like, (*like.shape[:-2], rows, rows))
    return Resolved(dict(attributes), (pivots.dtype, like.dtype), matrices)


on_host(
    "linalg_permutation(Tensor pivots, Tensor LU, str name='')",
    "The matrix that puts rows back which changed places: a result of `lu_unpack`.",
    "tri.linalg.lu(tri.tensor([[4.]])).P  # tensor([[1.]])",
    resolver=_resolve_permutation,
    body="linear_algebra:permutation",
    gradient=CONSTANT,
    has_out=False,
)


def _triangles(t: TensorLanguage, factors: Any) -> tuple[Any, Any]:
    """Return L, whose diagonal is 1, and U."""
    spec = spec_of(t, factors)
    *_, rows, columns = spec.shape
    count = min(rows, columns)
    ones = t.call("eye", rows, count, dtype=spec.dtype, device=spec.device)
    below = t.call("tril", t.call("narrow", factors, -1, 0, count), -1)
    return t.call("add", below, ones), t.call("triu", t.call("narrow", factors, -2, 0, count))


def _lu(t: TensorLanguage, A: Any, pivot: bool) -> Any:
    spec = at_least_matrix(t.spec(A), "linalg.lu")
    factors, pivots, _ = t.call("linalg_eliminate", A, pivot, "")
    if pivot:
        places = t.call("linalg_permutation", pivots, factors)
    else:
        places = t.call("empty", (0,), dtype=spec.dtype, device=spec.device)
    return places, *_triangles(t, factors)


def _lu_unpack(
    t: TensorLanguage, LU_data: Any, LU_pivots: Any, unpack_data: bool, unpack_pivots: bool
) -> Any:
    spec = at_least_matrix(t.spec(LU_data), "torch.lu_unpack")
    nothing = t.call("empty", (0,), dtype=spec.dtype, device=spec.device)
    places = nothing
    if unpack_pivots:
        places = t.call("linalg_permutation", LU_pivots, LU_data, "lu_unpack")
    lower, upper = _triangles(t, LU_data) if unpack_data else (nothing, nothing)
    return places, lower, upper


in_others(
    "linalg_lu(Tensor A, *, bool pivot=True)",
    "P, L and U with A = P L U: rows change places, L is lower and U upper triangular.",
    "tri.linalg.lu(tri.tensor([[4.]])).U  # tensor([[4.]])",
    _lu,
    places=("linalg.lu",),
    named_results=named_results("linalg_lu", "P", "L", "U"),
    returns="return_types.linalg_lu",
    gradient=by_steps("LinalgLuBackward0", "A"),
    refuse_outs=out_tensor_dtype,
)
composite(
    "lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True)",
    "P, L and U from what `linalg.lu_factor` gives.",
    "tri.lu_unpack(*tri.linalg.lu_factor(tri.tensor([[4.]]))).U  # tensor([[4.]])",
    _lu_unpack,
    methods=(),
    named_results=named_results("lu_unpack", "P", "L", "U"),
    returns="return_types.lu_unpack",
    gradient=by_steps("LuUnpackBackward0", "LU_data"),
    has_out=True,
    refuse_outs=out_tensor_dtype,
)


def _check_factors(spec: TensorSpec, pivots: TensorSpec, sides: TensorSpec, *, left: bool) -> None:
    """Refuse factors that right sides cannot be solved with."""
    name = "linalg.lu_solve"
    check_precise(spec.dtype, f"torch.{name}", takes_low=True)
    check_same(name, spec, sides, argument="LU")
    if pivots.dtype is not int32:
        raise TrilithRuntimeError(f"{name}: pivots should be a Tensor of scalar type torch.int32")
    square(spec, f"torch.{name}")
    check_sides(name, spec, matrix(sides, name, argument="B"), left=left)
    if pivots.shape[-1:] != spec.shape[-1:]:
        raise TrilithRuntimeError(
            f"{name}: Number of pivots per batch should be same as the dimension of the matrix"
        )
    if pivots.shape != spec.shape[:-1]:
        raise TrilithRuntimeError(
            f"{name}: Expected LU.shape[:-1] and pivots.shape to be the same, but got pivots with "
            f"shape {list(pivots.shape)} instead"
        )
    check_dtype(f"{name}_cpu", spec.dtype, PRECISE)


def _lu_solve(t: TensorLanguage, LU: Any, pivots: Any, B: Any, left: bool, adjoint: bool) -> Any:
    _check_factors(spec_of(t, LU), spec_of(t, pivots), spec_of(t, B), left=left)
    places = t.call("linalg_permutation", pivots, LU, "lu_solve")
    lower, upper = _triangles(t, LU)
    whole = t.call("matmul", places, t.call("matmul", lower, upper))
    if adjoint:
        whole = t.call("conj", t.call("transpose", whole, -2, -1))
    return t.call("linalg_solution", whole, B, left, False, "")[0]


in_others(
    "linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False)",
    "X of A X = B, for A whose factors `linalg.lu_factor` gave.",
    "tri.linalg.lu_solve(*tri.linalg.lu_factor(tri.tensor([[2.]])), tri.tensor([[6.]]))"
    "  # tensor([[3.]])",
    _lu_solve,
    places=("linalg.lu_solve",),
    gradient=by_steps("LinalgLuSolveBackward0", "LU", "B"),
    refuse_out=out_tensor_dtype,
)


_OLD_LU_SOLVE = (
    "trilith.lu_solve is deprecated in favor of trilith.linalg.lu_solveand will be removed in a "
    "future PyTorch release.\n"
    "Note that trilith.linalg.lu_solve has its arguments reversed.\n"
    "X = trilith.lu_solve(B, LU, pivots)\n"
    "should be replaced with\n"
    "X = trilith.linalg.lu_solve(LU, pivots, B)"
)


def _old_lu_solve(t: TensorLanguage, input: Any, LU_data: Any, LU_pivots: Any) -> Any:
    warn_once(_OLD_LU_SOLVE)
    return _lu_solve(t, LU_data, LU_pivots, input, True, False)


composite(
    "lu_solve(Tensor input, Tensor LU_data, Tensor LU_pivots)",
    "X of A X = input, for A whose factors `linalg.lu_factor` gave.",
    "tri.linalg.lu_solve(*tri.linalg.lu_factor(tri.tensor([[2.]])), tri.tensor([[6.]]))"
    "  # tensor([[3.]])",
    _old_lu_solve,
    has_out=True,
    gradient=by_steps("LinalgLuSolveBackward0", "LU_data", "input"),
    refuse_out=out_tensor_dtype,
)
