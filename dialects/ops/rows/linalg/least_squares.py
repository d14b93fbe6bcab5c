"""How much of space do matrices reach? Ranks, generalised inverses and least squares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....attributes.broadcast import broadcast_shapes
from ....attributes.dtype import int64
from ....attributes.limits import finfo
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithRuntimeError
from ...frame.matrix_rules import PRECISE, matrix
from ...frame.named_results import named_results
from ...frame.opspec import composite
from ...frame.out_rules import safely_castable
from ...frame.row import Attributes, OperandSpec, Resolved, TensorLanguage
from ...gradients.linear_systems import OF_LEAST_SQUARES, OF_PSEUDOINVERSE
from .matrices import by_columns, in_others, on_host, plain, spec_of
from .tolerances import tolerance, with_one_tolerance

# ---- ranks and generalised inverses


def _check_rank_dtype(spec: TensorSpec) -> None:
    if spec.dtype not in PRECISE:
        raise TrilithRuntimeError("This function doesn't handle types other than float and double")


def _matrix_rank(t: TensorLanguage, input: Any, atol: Any, rtol: Any, hermitian: bool) -> Any:
    spec = matrix(t.spec(input), "torch.linalg.matrix_rank", argument="input")
    _check_rank_dtype(spec)
    shape = spec.shape[:-2]
    if 0 in spec.shape[-2:]:
        return t.call("zeros", shape, dtype=int64, device=spec.device)
    if hermitian:
        values = t.call("abs", t.call("linalg_hermitian_values", input, True))
    else:
        values = t.call("linalg_singular_values", input)
    counted = t.call("gt", values, tolerance(t, values, spec, atol, rtol))
    return t.call("sum", counted, (-1,))


in_others(
    "linalg_matrix_rank(Tensor input, *, Operand? atol=None, Operand? rtol=None, "
    "bool hermitian=False)",
    "How many singular values of matrices are more than atol and more than rtol of the largest.",
    "tri.linalg.matrix_rank(tri.tensor([[1., 1.], [1., 1.]]))  # tensor(1)",
    _matrix_rank,
    places=("linalg.matrix_rank",),
    binder=with_one_tolerance("tol", "atol"),
    forms=(
        "linalg_matrix_rank(Tensor input, *, Operand? atol=None, Operand? rtol=None, "
        "bool hermitian=False)",
        "linalg_matrix_rank(Tensor input, Operand tol, bool hermitian=False)",
    ),
)


def _pinv(t: TensorLanguage, input: Any, atol: Any, rtol: Any, hermitian: bool) -> Any:
    spec = t.spec(input)
    assert isinstance(spec, TensorSpec)
    if spec.rank < 2 or spec.dtype not in PRECISE:
        sizes = ", ".join(map(str, spec.shape))
        raise TrilithRuntimeError(
            f"linalg.pinv({spec.dtype.c_name}{{[{sizes}]}}): expected a tensor with 2 or more "
            "dimensions of float, double, cfloat or cdouble types"
        )
    *batch, rows, columns = spec.shape
    if 0 in (rows, columns):
        return t.call("empty", (*batch, columns, rows), dtype=spec.dtype, device=spec.device)
    if hermitian:
        values, left = t.call("linalg_hermitian", input, True)
        sizes = t.call("abs", values)
        right = left
    else:
        left, values, transposed = t.call("linalg_singular", input, False)
        sizes = values
        right = t.call("conj", t.call("transpose", transposed, -2, -1))
    is_kept = t.call("gt", sizes, tolerance(t, sizes, spec, atol, rtol))
    inverted = t.call("where", is_kept, t.call("reciprocal", values), t.call("zeros_like", values))
    scaled = t.call("mul", right, t.call("unsqueeze", inverted, -2))
    return t.call("matmul", scaled, t.call("conj", t.call("transpose", left, -2, -1)))


in_others(
    "linalg_pinv(Tensor input, *, Operand? atol=None, Operand? rtol=None, bool hermitian=False)",
    "The Moore-Penrose inverses of matrices, in which small singular values count as 0.",
    "tri.linalg.pinv(tri.tensor([[2.]]))  # tensor([[0.5000]])",
    _pinv,
    places=("linalg.pinv",),
    gradient=OF_PSEUDOINVERSE,
    binder=with_one_tolerance("rcond", "rtol"),
    forms=(
        "linalg_pinv(Tensor input, *, Operand? atol=None, Operand? rtol=None, "
        "bool hermitian=False)",
        "linalg_pinv(Tensor input, Operand rcond, bool hermitian=False)",
    ),
    refuse_out=safely_castable("linalg.pinv"),
)


def _pinverse(t: TensorLanguage, input: Any, rcond: float) -> Any:
    return t.call("linalg_pinv", input, atol=0.0, rtol=rcond)


composite(
    "pinverse(Tensor input, float rcond=1e-15)",
    "The Moore-Penrose inverses of matrices: `linalg.pinv`.",
    "tri.pinverse(tri.tensor([[2.]]))  # tensor([[0.5000]])",
    _pinverse,
)

# ---- least squares


def _resolve_lstsq(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    spec, sides = (matrix(item, "torch.linalg.lstsq", argument="input") for item in operands)
    *batch, rows, columns = spec.shape
    # LAPACK writes the solutions where the right sides were, and may need fewer rows for them.
    held = by_columns(spec, (*batch, max(rows, columns), sides.shape[-1]))
    shape = (*batch, columns, sides.shape[-1])
    solution = TensorSpec.of(shape, spec.dtype, spec.device, held.strides)
    ranks = plain(spec, tuple(batch), int64)
    values = plain(spec, (*batch, min(rows, columns)), spec.dtype.to_real())
    return Resolved(dict(attributes), (spec.dtype, spec.dtype), solution, ranks, values)


on_host(
    "linalg_least_squares(Tensor input, Tensor b, float? rcond)",
    "The solutions of least squares, ranks and singular values: what `linalg.lstsq` becomes.",
    "tri.linalg.lstsq(tri.tensor([[2.]]), tri.tensor([[6.]])).solution  # tensor([[3.]])",
    resolver=_resolve_lstsq,
    body="linear_algebra:lstsq",
    has_out=False,
)

_DRIVERS = ("gels", "gelsy", "gelsd", "gelss")


def _lstsq(t: TensorLanguage, input: Any, b: Any, rcond: float | None, driver: str | None) -> Any:
    spec, sides = spec_of(t, input), spec_of(t, b)
    name = "torch.linalg.lstsq"
    if spec.rank < 2:
        raise TrilithRuntimeError(f"{name}: input must have at least 2 dimensions.")
    if sides.rank < 1:
        raise TrilithRuntimeError(f"{name}: other must have at least 1 dimension.")
    if sides.dtype is not spec.dtype:
        raise TrilithRuntimeError(
            f"{name}: Expected input and other to have the same dtype, but got input's dtype "
            f"{spec.dtype.c_name} and other's dtype {sides.dtype.c_name}"
        )
    if spec.rank - sides.rank not in (0, 1):
        raise TrilithRuntimeError(
            f"{name}: input.dim() must be greater or equal to other.dim() and (input.dim() - "
            "other.dim()) <= 1"
        )
    is_vector = sides.rank == 1 or sides.shape == spec.shape[:-1]
    if sides.rank < spec.rank:
        b = t.call("unsqueeze", b, -1)
        sides = spec_of(t, b)
    if sides.shape[-2] != spec.shape[-2]:
        dim = -1 if is_vector else -2
        raise TrilithRuntimeError(f"{name}: input.size(-2) should match other.size({dim})")
    _check_rank_dtype(spec)
    if driver is not None and driver not in _DRIVERS:
        raise TrilithRuntimeError(
            f"{name}: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)"
        )
    rows, columns = spec.shape[-2:]
    batch = broadcast_shapes(spec.shape[:-2], sides.shape[:-2])
    input, b = (
        t.call("expand", each, (*batch, *spec_of(t, each).shape[-2:])) for each in (input, b)
    )
    cut = finfo(spec.dtype).eps * max(rows, columns) if rcond is None else rcond
    solution, ranks, values = t.call("linalg_least_squares", input, b, cut)
    real = {"dtype": spec.dtype.to_real(), "device": spec.device}
    chosen = driver or "gelsy"
    residuals = t.call("empty", (0,), **real)
    if rows > columns and chosen != "gelsy":
        rest = t.call("sub", t.call("matmul", input, solution), b)
        residuals = t.call("sum", t.call("pow", t.call("abs", rest), 2), (-2,))
    if is_vector:
        solution = t.call("squeeze", solution, -1)
    found = ranks if chosen != "gels" else t.call("empty", (0,), dtype=int64, device=spec.device)
    singular = values if chosen in ("gelsd", "gelss") else t.call("empty", (0,), **real)
    return solution, residuals, found, singular


in_others(
    "linalg_lstsq(Tensor input, Tensor b, float? rcond=None, *, str? driver=None)",
    "X for which the columns of A X - B are least, the squares of what is left, and the rank of A.",
    "tri.linalg.lstsq(tri.tensor([[2.]]), tri.tensor([[6.]])).solution  # tensor([[3.]])",
    _lstsq,
    places=("linalg.lstsq",),
    gradient=OF_LEAST_SQUARES,
    named_results=named_results("linalg_lstsq", "solution", "residuals", "rank", "singular_values"),
    returns="return_types.linalg_lstsq",
    refuse_outs=tuple(
        safely_castable("torch.linalg.lstsq", name)
        for name in ("solution", "residuals", "rank", "singular_values")
    ),
)
