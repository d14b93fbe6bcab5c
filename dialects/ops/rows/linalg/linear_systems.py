"""Which operations solve linear systems? Inverses, solutions, determinants and their factors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....attributes.broadcast import broadcast_shapes
from ....attributes.dtype import int32
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithNotImplementedError, TrilithRuntimeError
from ...frame.mapped import MappedCall, operands_of
from ...frame.matrix_rules import (
    PRECISE,
    at_least_matrix,
    check_precise,
    check_same,
    check_sides,
    matrix,
    square,
)
from ...frame.named_results import named_results
from ...frame.opspec import composite
from ...frame.out_rules import expected_scalar_type, out_tensor_dtype, safely_castable
from ...frame.row import Attributes, OperandSpec, Resolved, TensorLanguage
from ...frame.rules import check_dtype
from ...gradients.determinants import OF_DETERMINANT, OF_LOG_DETERMINANT
from ...gradients.linear_systems import (
    OF_CHOLESKY,
    OF_ELIMINATION,
    OF_INVERSE,
    OF_SOLUTION,
    OF_TRIANGULAR,
)
from .matrices import becoming, by_columns, in_others, on_host, plain, spec_of, unchanged

# ---- inverses


def _resolve_inverse(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    spec = square(operands[0], "linalg.inv")
    check_precise(spec.dtype, "linalg.inv")
    infos = plain(spec, spec.shape[:-2], int32)
    return unchanged(attributes, spec, by_columns(spec, spec.shape), infos)


on_host(
    "linalg_inverse(Tensor A, str name)",
    "The inverses of matrices, and 0, or which pivot is 0: what `linalg.inv` becomes.",
    "tri.linalg.inv(tri.tensor([[2.]]))  # tensor([[0.5000]])",
    resolver=_resolve_inverse,
    body="linear_algebra:inverse",
    gradient=OF_INVERSE,
    has_out=False,
)


def _inverse(t: TensorLanguage, A: Any) -> Any:
    return t.call("linalg_inverse", A, "linalg.inv")[0]


in_others(
    "linalg_inv(Tensor A)",
    "The inverses of square matrices.",
    "tri.linalg.inv(tri.tensor([[2.]]))  # tensor([[0.5000]])",
    _inverse,
    places=("linalg.inv",),
    refuse_out=out_tensor_dtype,
)
composite(
    "inverse(Tensor input)",
    "The inverses of square matrices.",
    "tri.inverse(tri.tensor([[2.]]))  # tensor([[0.5000]])",
    becoming("linalg_inv"),
    has_out=True,
    refuse_out=out_tensor_dtype,
)


def _inverse_and_info(t: TensorLanguage, A: Any, check_errors: bool) -> Any:
    return t.call("linalg_inverse", A, "linalg.inv_ex" if check_errors else "")


in_others(
    "linalg_inv_ex(Tensor A, *, bool check_errors=False)",
    "The inverses of square matrices, and for each 0, or which pivot is 0.",
    "tri.linalg.inv_ex(tri.tensor([[2.]])).info  # tensor(0, dtype=trilith.int32)",
    _inverse_and_info,
    places=("linalg.inv_ex",),
    named_results=named_results("linalg_inv_ex", "inverse", "info"),
    returns="return_types.linalg_inv_ex",
    refuse_outs=out_tensor_dtype,
)

# ---- solutions


def _is_vector(first: TensorSpec, second: TensorSpec) -> bool:
    """Whether the right sides are one vector for each matrix."""
    return second.rank == 1 or (first.rank - 1 == second.rank and second.shape == first.shape[:-1])


def _resolve_solve(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    first, second = operands
    assert isinstance(first, TensorSpec)
    assert isinstance(second, TensorSpec)
    check_precise(first.dtype, "linalg.solve", takes_low=True)
    spec = square(first, "linalg.solve")
    check_same("linalg.solve", spec, second)
    left = bool(attributes["left"])
    if attributes["is_vector"]:
        check_sides("linalg.solve", spec, plain(second, (*second.shape, 1)), left=left)
        if not left:
            raise TrilithRuntimeError(
                "linalg.solve: Vector broadcasting of the left hand side is not supported for "
                "left=False. In this case linalg.solve is equivalent to B / A.squeeze(-1)"
            )
        batch = broadcast_shapes(second.shape[:-1], spec.shape[:-2])
        columns = by_columns(spec, (*batch, spec.shape[-1], 1))
        solution = TensorSpec.of(columns.shape[:-1], spec.dtype, spec.device, columns.strides[:-1])
        if batch:
            solution = _columns_of_batch(spec, (*batch, spec.shape[-1]))
    else:
        second = matrix(second, "linalg.solve", argument="B")
        check_sides("linalg.solve", spec, second, left=left)
        batch = broadcast_shapes(second.shape[:-2], spec.shape[:-2])
        shape = (*batch, *second.shape[-2:])
        solution = by_columns(spec, shape) if left else plain(spec, shape)
    check_dtype("lu_cpu", spec.dtype, PRECISE)
    infos = plain(spec, spec.shape[:-2], int32)
    return Resolved(dict(attributes), (spec.dtype, spec.dtype), solution, infos)


def _columns_of_batch(spec: TensorSpec, shape: tuple[int, ...]) -> TensorSpec:
    """Return the spec of vectors, which lie as the last two dims of matrices by columns do."""
    return by_columns(spec, shape)


def _of_examples(call: MappedCall, *, is_vector: bool) -> tuple[Any, Any, int]:
    """Return A and B of all examples with as many dims in front, and how many A was given."""
    t = call.t
    first, second = operands_of(list(call.bound.values()))
    matrices, sides = call.in_front(first), call.in_front(second)
    if is_vector:
        sides = t.call("unsqueeze", sides, -1)
    missing = first.spec.rank - second.spec.rank - is_vector
    for _ in range(missing):
        sides = t.call("unsqueeze", sides, 1)
    for _ in range(-missing):
        matrices = t.call("unsqueeze", matrices, 1)
    return matrices, sides, max(-missing, 0)


def _solutions_of_examples(call: MappedCall) -> Any:
    t, rest = call.t, call.attributes
    is_vector = bool(rest.pop("is_vector"))
    matrices, sides, added = _of_examples(call, is_vector=is_vector)
    solutions, infos = t.call("linalg_solution", matrices, sides, is_vector=False, **rest)
    for _ in range(added):
        infos = t.call("squeeze", infos, 1)
    return call.row.packed([t.call("squeeze", solutions, -1) if is_vector else solutions, infos])


def _triangular_of_examples(call: MappedCall) -> Any:
    matrices, sides, _ = _of_examples(call, is_vector=False)
    return call.t.call("linalg_solve_triangular", matrices, sides, **call.attributes)


on_host(
    "linalg_solution(Tensor A, Tensor B, bool left, bool is_vector, str name)",
    "X of A X = B, or X A = B, and 0, or which pivot is 0: what `linalg.solve` becomes.",
    "tri.linalg.solve(tri.tensor([[2.]]), tri.tensor([6.]))  # tensor([3.])",
    resolver=_resolve_solve,
    body="linear_algebra:solve",
    gradient=OF_SOLUTION,
    mapping=_solutions_of_examples,
    has_out=False,
)


def _solution(t: TensorLanguage, A: Any, B: Any, left: bool, name: str) -> Any:
    first, second = spec_of(t, A), spec_of(t, B)
    return t.call("linalg_solution", A, B, left, _is_vector(first, second), name)


def _solve(t: TensorLanguage, A: Any, B: Any, left: bool) -> Any:
    return _solution(t, A, B, left, "torch.linalg.solve")[0]


def _solve_and_info(t: TensorLanguage, A: Any, B: Any, left: bool, check_errors: bool) -> Any:
    return _solution(t, A, B, left, "linalg.solve_ex" if check_errors else "")


in_others(
    "linalg_solve(Tensor A, Tensor B, *, bool left=True)",
    "X of A X = B, for square matrices A; with left=False X of X A = B.",
    "tri.linalg.solve(tri.tensor([[2.]]), tri.tensor([[6.]]))  # tensor([[3.]])",
    _solve,
    places=("linalg.solve",),
    refuse_out=out_tensor_dtype,
)
in_others(
    "linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False)",
    "X of A X = B, and for each matrix 0, or which pivot is 0.",
    "tri.linalg.solve_ex(tri.tensor([[2.]]), tri.tensor([[6.]])).result  # tensor([[3.]])",
    _solve_and_info,
    places=("linalg.solve_ex",),
    named_results=named_results("linalg_solve_ex", "result", "info"),
    returns="return_types.linalg_solve_ex",
    refuse_outs=out_tensor_dtype,
)


def _resolve_triangular(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    name = "linalg.solve_triangular"
    spec, second = square(operands[0], name), matrix(operands[1], name, argument="B")
    left = bool(attributes["left"])
    check_same(name, spec, second)
    check_sides(name, spec, second, left=left)
    if spec.dtype not in PRECISE:
        raise TrilithNotImplementedError(
            f"\"triangular_solve_cpu\" not implemented for '{spec.dtype.c_name}'"
        )
    batch = broadcast_shapes(spec.shape[:-2], second.shape[:-2])
    shape = (*batch, *second.shape[-2:])
    # Conjugates that lie by columns are read as they are, and then PyTorch writes row by row.
    whole = by_columns(spec, (*batch, *spec.shape[-2:]))
    is_read = spec.is_conj and (spec.shape, spec.strides) == (whole.shape, whole.strides)
    solution = plain(spec, shape) if is_read else by_columns(spec, shape)
    return Resolved(dict(attributes), (spec.dtype, spec.dtype), solution)


on_host(
    "linalg_solve_triangular(Tensor input, Tensor B, *, bool upper, bool left=True, "
    "bool unitriangular=False)",
    "X of A X = B, or of X A = B, for triangular matrices A.",
    "tri.linalg.solve_triangular(tri.tensor([[2.]]), tri.tensor([[6.]]), upper=True)"
    "  # tensor([[3.]])",
    resolver=_resolve_triangular,
    body="linear_algebra:solve_triangular",
    gradient=OF_TRIANGULAR,
    mapping=_triangular_of_examples,
    places=("linalg.solve_triangular",),
    refuse_out=expected_scalar_type,
    can_fail=False,
)

# ---- positive matrices


def _resolve_cholesky(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    spec = square(operands[0], "linalg.cholesky")
    check_precise(spec.dtype, "linalg.cholesky", takes_low=True)
    check_dtype("cholesky_cpu", spec.dtype, PRECISE)
    infos = plain(spec, spec.shape[:-2], int32)
    return unchanged(attributes, spec, by_columns(spec, spec.shape), infos)


on_host(
    "linalg_factor(Tensor input, bool upper, str name)",
    "The triangular factor of positive matrices, and 0 if they are: what `cholesky` becomes.",
    "tri.linalg.cholesky(tri.tensor([[4.]]))  # tensor([[2.]])",
    resolver=_resolve_cholesky,
    body="linear_algebra:cholesky",
    gradient=OF_CHOLESKY,
    has_out=False,
)


def _cholesky(t: TensorLanguage, input: Any, upper: bool) -> Any:
    return t.call("linalg_factor", input, upper, "linalg.cholesky")[0]


def _cholesky_and_info(t: TensorLanguage, input: Any, upper: bool, check_errors: bool) -> Any:
    return t.call("linalg_factor", input, upper, "linalg.cholesky_ex" if check_errors else "")


in_others(
    "linalg_cholesky(Tensor input, *, bool upper=False)",
    "The lower triangular L of L L^H, or the upper U of U^H U, for positive-definite matrices.",
    "tri.linalg.cholesky(tri.tensor([[4.]]))  # tensor([[2.]])",
    _cholesky,
    places=("linalg.cholesky",),
    refuse_out=out_tensor_dtype,
)
in_others(
    "linalg_cholesky_ex(Tensor input, *, bool upper=False, bool check_errors=False)",
    "The triangular factors of matrices, and for each 0, or which minor is not positive.",
    "tri.linalg.cholesky_ex(tri.tensor([[4.]])).L  # tensor([[2.]])",
    _cholesky_and_info,
    places=("linalg.cholesky_ex",),
    named_results=named_results("linalg_cholesky_ex", "L", "info"),
    returns="return_types.linalg_cholesky_ex",
    refuse_outs=out_tensor_dtype,
)

# ---- determinants


def _resolve_determinant(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    spec = square(operands[0], "linalg.det")
    check_precise(spec.dtype, "linalg.det", takes_low=True)
    check_dtype("lu_cpu", spec.dtype, PRECISE)
    return unchanged(attributes, spec, plain(spec, spec.shape[:-2]))


def _resolve_logarithm(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    spec = square(operands[0], "linalg.slogdet")
    check_precise(spec.dtype, "linalg.slogdet")
    shape = spec.shape[:-2]
    logarithm = plain(spec, shape, spec.dtype.to_real())
    return unchanged(attributes, spec, plain(spec, shape), logarithm)


on_host(
    "linalg_det(Tensor A)",
    "The determinants of square matrices.",
    "tri.linalg.det(tri.tensor([[2., 0.], [0., 3.]]))  # tensor(6.)",
    resolver=_resolve_determinant,
    body="linear_algebra:determinant",
    gradient=OF_DETERMINANT,
    places=("linalg.det",),
    can_fail=False,
    refuse_out=out_tensor_dtype,
)
on_host(
    "linalg_slogdet(Tensor A)",
    "The signs of determinants, and the logarithms of their absolute values.",
    "tri.linalg.slogdet(tri.tensor([[1.]])).logabsdet  # tensor(0.)",
    resolver=_resolve_logarithm,
    body="linear_algebra:log_determinant",
    gradient=OF_LOG_DETERMINANT,
    places=("linalg.slogdet",),
    named_results=named_results("linalg_slogdet", "sign", "logabsdet"),
    returns="return_types.linalg_slogdet",
    can_fail=False,
    refuse_outs=out_tensor_dtype,
)
composite(
    "det(Tensor input)",
    "The determinants of square matrices.",
    "tri.det(tri.tensor([[2., 0.], [0., 3.]]))  # tensor(6.)",
    becoming("linalg_det"),
)
composite(
    "slogdet(Tensor input)",
    "The signs of determinants, and the logarithms of their absolute values.",
    "tri.slogdet(tri.tensor([[1.]])).sign  # tensor(1.)",
    becoming("linalg_slogdet"),
    named_results=named_results("slogdet", "sign", "logabsdet"),
    returns="return_types.slogdet",
    has_out=True,
    refuse_outs=out_tensor_dtype,
)


def _logdet(t: TensorLanguage, input: Any) -> Any:
    spec = square(t.spec(input), "logdet")
    check_precise(spec.dtype, "logdet")
    sign, logarithm = t.call("linalg_slogdet", input)
    if spec.dtype.is_complex:
        return t.call("add", logarithm, t.call("log", sign))
    return t.call("where", t.call("eq", sign, -1), float("nan"), logarithm)


composite(
    "logdet(Tensor input)",
    "The logarithms of the determinants of square matrices; NaN of negative ones.",
    "tri.logdet(tri.tensor([[1.]]))  # tensor(0.)",
    _logdet,
)

# ---- factors with pivots


def _resolve_lu(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    spec = at_least_matrix(operands[0], "torch.lu_factor")
    check_dtype("lu_cpu", spec.dtype, PRECISE)
    if spec.numel and not attributes["pivot"]:
        raise TrilithRuntimeError(
            "linalg.lu_factor: LU without pivoting is not implemented on the CPU"
        )
    *batch, rows, columns = spec.shape
    pivots = plain(spec, (*batch, min(rows, columns)), int32)
    infos = plain(spec, tuple(batch), int32)
    return unchanged(attributes, spec, by_columns(spec, spec.shape), pivots, infos)


on_host(
    "linalg_eliminate(Tensor A, bool pivot, str name)",
    "Both factors in one matrix, the rows that changed places, and 0: what `lu_factor` becomes.",
    "tri.linalg.lu_factor(tri.tensor([[4.]])).LU  # tensor([[4.]])",
    resolver=_resolve_lu,
    body="linear_algebra:lu_factor",
    gradient=OF_ELIMINATION,
    has_out=False,
)


def _lu_factor(t: TensorLanguage, A: Any, pivot: bool) -> Any:
    return t.call("linalg_eliminate", A, pivot, "torch.linalg.lu_factor")[:2]


def _lu_factor_and_info(t: TensorLanguage, A: Any, pivot: bool, check_errors: bool) -> Any:
    name = "torch.linalg.lu_factor_ex" if check_errors else ""
    return t.call("linalg_eliminate", A, pivot, name)


in_others(
    "linalg_lu_factor(Tensor A, *, bool pivot=True)",
    "The triangular factors of matrices, in one, and which rows changed places.",
    "tri.linalg.lu_factor(tri.tensor([[4.]])).pivots  # tensor([1], dtype=trilith.int32)",
    _lu_factor,
    places=("linalg.lu_factor",),
    named_results=named_results("linalg_lu_factor", "LU", "pivots"),
    returns="return_types.linalg_lu_factor",
    refuse_outs=out_tensor_dtype,
)
in_others(
    "linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False)",
    "The triangular factors of matrices, in one, their pivots, and 0, or which pivot is 0.",
    "tri.linalg.lu_factor_ex(tri.tensor([[4.]])).info  # tensor(0, dtype=trilith.int32)",
    _lu_factor_and_info,
    places=("linalg.lu_factor_ex",),
    named_results=named_results("linalg_lu_factor_ex", "LU", "pivots", "info"),
    returns="return_types.linalg_lu_factor_ex",
    refuse_outs=out_tensor_dtype,
)


def _tensor_inverse(t: TensorLanguage, input: Any, ind: int) -> Any:
    shape = spec_of(t, input).shape
    if ind <= 0:
        raise TrilithRuntimeError("Expected a strictly positive integer for 'ind'")
    first, second = shape[:ind], shape[ind:]
    rows, columns = _product(first), _product(second)
    if rows != columns:
        raise TrilithRuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[ind:]) == "
            f"prod(self.shape[:ind]), but got {columns} != {rows}"
        )
    inverse = _inverse(t, t.call("reshape", input, (columns, rows)))
    return t.call("reshape", inverse, (*second, *first))


def _product(sizes: Sequence[int]) -> int:
    found = 1
    for size in sizes:
        found *= size
    return found


in_others(
    "linalg_tensorinv(Tensor input, int ind=2)",
    "The inverse for `tensordot` of a tensor whose first dims are as many rows as columns.",
    "tri.linalg.tensorinv(tri.ones(1, 1)).shape  # trilith.Size([1, 1])",
    _tensor_inverse,
    places=("linalg.tensorinv",),
)


def _tensor_solve(t: TensorLanguage, input: Any, other: Any, dims: Any) -> Any:
    if dims is not None:
        rank = spec_of(t, input).rank
        ends = tuple(range(rank - len(dims), rank))
        input = t.call("movedim", input, tuple(dims), ends)
    shape = spec_of(t, input).shape
    sides = spec_of(t, other)
    size = _product(sides.shape)
    if size * size != _product(shape):
        raise TrilithRuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == "
            f"prod(self.shape[:other.ndim]), but got {_product(shape[sides.rank :])} != {size}"
        )
    square_one = t.call("reshape", input, (size, size))
    found = _solve(t, square_one, t.call("flatten", other), True)
    return t.call("reshape", found, shape[sides.rank :])


in_others(
    "linalg_tensorsolve(Tensor input, Tensor other, int[]? dims=None)",
    "X of tensordot(input, X) = other.",
    "tri.linalg.tensorsolve(tri.full((1, 1), 2.), tri.tensor([6.]))  # tensor([3.])",
    _tensor_solve,
    places=("linalg.tensorsolve",),
    refuse_out=safely_castable("tensorsolve"),
)
