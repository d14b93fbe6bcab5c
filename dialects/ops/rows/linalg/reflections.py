"""Which operations keep orthonormal bases as reflections? geqrf takes matrices apart into them.

LAPACK's form: vectors below the diagonal, whose first elements are 1, and a factor for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....attributes.dtype import DType
from ....attributes.memory_format import contiguous_format
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithIndexError, TrilithRuntimeError
from ....frames import warn_once
from ...frame.gradients import by_steps
from ...frame.matrix_rules import PRECISE, check_system
from ...frame.named_results import named_results
from ...frame.opspec import composite
from ...frame.out_rules import out_tensor_dtype, safely_castable
from ...frame.row import Attributes, OperandSpec, Resolved, TensorLanguage
from ...frame.rules import check_dtype
from ...gradients.reflections import OF_GEQRF, OF_HOUSEHOLDER, OF_ORMQR
from .matrices import by_columns, on_host, plain, spec_of, unchanged


def _check_rank(spec: TensorSpec, name: str, argument: str) -> None:
    if spec.rank < 2:
        raise TrilithRuntimeError(f"{name}: {argument} must have at least 2 dimensions.")


# ---- taking apart


def _resolve_geqrf(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    (spec,) = operands
    assert isinstance(spec, TensorSpec)
    _check_rank(spec, "trilith.geqrf", "input")
    check_dtype("geqrf", spec.dtype, PRECISE)
    *batch, rows, columns = spec.shape
    factors = plain(spec, (*batch, min(rows, columns)))
    return unchanged(attributes, spec, by_columns(spec, spec.shape), factors)


on_host(
    "geqrf(Tensor input)",
    "R of matrices above the diagonal, the vectors of reflections below, and their factors.",
    "tri.geqrf(tri.tensor([[2.]])).a  # tensor([[2.]])",
    resolver=_resolve_geqrf,
    body="linear_algebra:reflections",
    gradient=OF_GEQRF,
    methods=("geqrf",),
    is_public=True,
    named_results=named_results("geqrf", "a", "tau"),
    returns="return_types.geqrf",
    has_out=True,
    can_fail=False,
    refuse_outs=(
        safely_castable("trilith.geqrf", "QR"),
        safely_castable("trilith.geqrf", "tau"),
    ),
)

# ---- multiplying


def _check_factors(spec: TensorSpec, factors: TensorSpec, name: str) -> None:
    """Refuse factors that are not those of matrices, by their dims."""
    if factors.rank != spec.rank - 1:
        raise TrilithRuntimeError(
            f"{name}: Expected tau to have one dimension less than input, but got tau.ndim equal "
            f"to {factors.rank} and input.ndim is equal to {spec.rank}"
        )
    if factors.shape[:-1] != spec.shape[:-2]:
        raise TrilithRuntimeError(
            f"{name}: Expected batch dimensions of tau to be equal to input.shape[:-2], but got "
            f"{list(factors.shape[:-1])}"
        )


def _resolve_householder(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    name = "trilith.linalg.householder_product"
    spec, factors = operands
    assert isinstance(spec, TensorSpec)
    assert isinstance(factors, TensorSpec)
    _check_rank(spec, name, "input")
    if spec.shape[-2] < spec.shape[-1]:
        raise TrilithRuntimeError(
            f"{name}: input.shape[-2] must be greater than or equal to input.shape[-1]"
        )
    if factors.rank and spec.shape[-1] < factors.shape[-1]:
        raise TrilithRuntimeError(
            f"{name}: input.shape[-1] must be greater than or equal to tau.shape[-1]"
        )
    _check_factors(spec, factors, name)
    if factors.dtype is not spec.dtype:
        raise TrilithRuntimeError(
            f"{name}: tau dtype {factors.dtype.c_name} does not match input dtype "
            f"{spec.dtype.c_name}"
        )
    check_dtype("orgqr", spec.dtype, PRECISE)
    return Resolved(dict(attributes), (spec.dtype,) * 2, by_columns(spec, spec.shape))


on_host(
    "linalg_householder_product(Tensor input, Tensor tau)",
    "The first columns of a product of reflections, by vectors in columns and their factors.",
    "tri.linalg.householder_product(tri.tensor([[0.]]), tri.tensor([0.]))  # tensor([[1.]])",
    resolver=_resolve_householder,
    body="linear_algebra:householder",
    gradient=OF_HOUSEHOLDER,
    places=("linalg.householder_product",),
    has_out=True,
    can_fail=False,
)


def _orgqr(t: TensorLanguage, input: Any, input2: Any) -> Any:
    return t.call("linalg_householder_product", input, input2)


composite(
    "orgqr(Tensor input, Tensor input2)",
    "The first columns of a product of reflections: `linalg.householder_product`.",
    "tri.orgqr(tri.tensor([[0.]]), tri.tensor([0.]))  # tensor([[1.]])",
    _orgqr,
    has_out=True,
)


def _resolve_ormqr(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    name = "trilith.ormqr"
    spec, factors, other = operands
    assert isinstance(spec, TensorSpec)
    assert isinstance(factors, TensorSpec)
    assert isinstance(other, TensorSpec)
    _check_rank(spec, name, "input")
    _check_rank(other, name, "other")
    dim = -2 if attributes["left"] else -1
    if not factors.rank:
        raise TrilithIndexError("Dimension specified as -1 but tensor has no dimensions")
    if other.shape[dim] != spec.shape[-2]:
        raise TrilithRuntimeError(f"{name}: other.shape[{dim}] must be equal to input.shape[-2]")
    if factors.shape[-1] != min(spec.shape[-1], other.shape[dim]):
        raise TrilithRuntimeError(
            f"{name}: tau.shape[-1] must be equal to min(other.shape[{dim}], input.shape[-1])"
        )
    _check_factors(spec, factors, name)
    if other.rank != spec.rank:
        raise TrilithRuntimeError(
            f"{name}: Expected other to have the same number of dimensions as input, but got "
            f"other.ndim equal to {other.rank} and input.ndim is equal to {spec.rank}"
        )
    if other.shape[:-2] != spec.shape[:-2]:
        raise TrilithRuntimeError(
            f"{name}: Expected batch dimensions of other to be equal to input.shape[:-2], but got "
            f"{list(other.shape[:-2])}"
        )
    for each, word in ((factors, "tau"), (other, "other")):
        if each.dtype is not spec.dtype:
            # The words run together in PyTorch, too.
            raise TrilithRuntimeError(
                f"{name}: Expected input and {word} to have the same dtype, but input has dtype"
                f"{spec.dtype.c_name} and {word} has dtype {each.dtype.c_name}"
            )
    check_dtype("ormqr", spec.dtype, PRECISE)
    return Resolved(dict(attributes), (spec.dtype,) * 3, by_columns(other, other.shape))


def _refuse_other_dtype(result: DType, out: DType) -> None:
    if out is not result:
        raise TrilithRuntimeError(
            "trilith.ormqr: Expected input and result to have the same dtype, but input has dtype"
            f"{result.c_name} and result has dtype {out.c_name}"
        )


on_host(
    "ormqr(Tensor input, Tensor input2, Tensor input3, bool left=True, bool transpose=False)",
    "The product of the basis that reflections make, or of its adjoint, and other matrices.",
    "tri.ormqr(tri.tensor([[0.]]), tri.tensor([2.]), tri.tensor([[3.]]))  # tensor([[-3.]])",
    resolver=_resolve_ormqr,
    body="linear_algebra:reflect",
    refuse_out=_refuse_other_dtype,
    gradient=OF_ORMQR,
    methods=("ormqr",),
    is_public=True,
    has_out=True,
    can_fail=False,
)

# ---- triangular systems, as they were solved


def _triangular_solve(
    t: TensorLanguage, input: Any, A: Any, upper: bool, transpose: bool, unitriangular: bool
) -> tuple[Any, Any]:
    warn_once(_OLD)
    spec, sides = spec_of(t, A), spec_of(t, input)
    for each, word in ((sides, "b"), (spec, "A")):
        if each.rank < 2:
            raise TrilithRuntimeError(
                f"trilith.triangular_solve: Expected {word} to have at least 2 dimensions, but it "
                f"has {each.rank} dimensions instead"
            )
    check_system("triangular_solve", spec, sides)
    turned = t.call("transpose", A, -2, -1) if transpose else A
    solution = t.call(
        "linalg_solve_triangular",
        turned,
        input,
        upper=upper is not transpose,
        unitriangular=unitriangular,
    )
    batch = spec_of(t, solution).shape[:-2]
    whole = t.call("expand", A, (*batch, *spec.shape[-2:]))
    rows = t.call("clone", t.call("transpose", whole, -2, -1), memory_format=contiguous_format)
    return solution, t.call("transpose", rows, -2, -1)


_OLD = (
    "trilith.triangular_solve is deprecated in favor of trilith.linalg.solve_triangularand will be "
    "removed in a future PyTorch release.\n"
    "trilith.linalg.solve_triangular has its arguments reversed and does not return a copy of one "
    "of the inputs.\n"
    "X = trilith.triangular_solve(B, A).solution\n"
    "should be replaced with\n"
    "X = trilith.linalg.solve_triangular(A, B)."
)
composite(
    "triangular_solve(Tensor input, Tensor A, bool upper=True, bool transpose=False, "
    "bool unitriangular=False)",
    "X of A X = input for triangular matrices, and A: `linalg.solve_triangular` as it was.",
    "tri.linalg.solve_triangular(tri.tensor([[2.]]), tri.tensor([[6.]]), upper=True)"
    "  # tensor([[3.]])",
    _triangular_solve,
    named_results=named_results("triangular_solve", "solution", "cloned_coefficient"),
    returns="return_types.triangular_solve",
    gradient=by_steps("TriangularSolveBackward0", "input", "A"),
    has_out=True,
    refuse_outs=out_tensor_dtype,
)

# ---- factors with pivots, as they were


def _lu(t: TensorLanguage, A: Any, pivot: bool, get_infos: bool) -> Any:
    warn_once(_OLD_LU)
    name = "" if get_infos else "trilith.linalg.lu_factor_ex"
    found = t.call("linalg_eliminate", A, pivot, name)
    return _WITH_INFO(*found) if get_infos else found[:2]


_WITH_INFO = named_results("_lu_with_info", "LU", "pivots", "info")
_OLD_LU = (
    "trilith.lu is deprecated in favor of trilith.linalg.lu_factor / trilith.linalg.lu_factor_ex "
    "and will be removed in a future PyTorch release.\n"
    "LU, pivots = trilith.lu(A, compute_pivots)\n"
    "should be replaced with\n"
    "LU, pivots = trilith.linalg.lu_factor(A, compute_pivots)\n"
    "and\n"
    "LU, pivots, info = trilith.lu(A, compute_pivots, get_infos=True)\n"
    "should be replaced with\n"
    "LU, pivots, info = trilith.linalg.lu_factor_ex(A, compute_pivots)"
)
composite(
    "lu(Tensor A, bool pivot=True, bool get_infos=False)",
    "The triangular factors of matrices, in one, and their pivots: `linalg.lu_factor`.",
    "tri.linalg.lu_factor(tri.tensor([[4.]])).LU  # tensor([[4.]])",
    _lu,
    returns="tuple[Tensor, ...]",
)
