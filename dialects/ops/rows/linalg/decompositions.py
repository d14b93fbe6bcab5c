"""Which operations take matrices apart? Orthonormal bases, singular values, eigenvalues, exp."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....attributes.dtype import int64
from ....attributes.limits import finfo
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithNotImplementedError, TrilithRuntimeError
from ...frame.named_results import named_results
from ...frame.opspec import composite
from ...frame.row import Attributes, OperandSpec, Resolved, TensorLanguage
from ...frame.rules import check_dtype
from .matrices import (
    PRECISE,
    becoming,
    by_columns,
    check_precise,
    in_others,
    matrix,
    on_host,
    plain,
    spec_of,
    square,
    unchanged,
)
from .tolerances import tolerance, with_one_tolerance

# ---- orthonormal bases


def _resolve_qr(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    spec, mode = matrix(operands[0], "linalg.qr"), attributes["mode"]
    check_precise(spec.dtype, "linalg.qr")
    if mode not in ("reduced", "r", "complete"):
        raise TrilithRuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', "
            "or 'complete'"
        )
    *batch, rows, columns = spec.shape
    count = rows if mode == "complete" else min(rows, columns)
    rest = by_columns(spec, (*batch, count, columns))
    if mode == "r":
        return unchanged(attributes, spec, plain(spec, (0,)), rest)
    return unchanged(attributes, spec, by_columns(spec, (*batch, rows, count)), rest)


on_host(
    "linalg_qr(Tensor A, str mode='reduced')",
    "Q, whose columns are orthonormal, and an upper triangular R, of which A is the product.",
    "tri.linalg.qr(tri.tensor([[-2.]])).R  # tensor([[-2.]])",
    resolver=_resolve_qr,
    body="linear_algebra:qr",
    places=("linalg.qr",),
    named_results=named_results("linalg_qr", "Q", "R"),
    returns="return_types.linalg_qr",
    can_fail=False,
)


def _old_qr(t: TensorLanguage, input: Any, some: bool) -> Any:
    return t.call("linalg_qr", input, "reduced" if some else "complete")


composite(
    "qr(Tensor input, bool some=True)",
    "Q, whose columns are orthonormal, and an upper triangular R: `linalg.qr`.",
    "tri.qr(tri.tensor([[-2.]])).R  # tensor([[-2.]])",
    _old_qr,
    named_results=named_results("qr", "Q", "R"),
    returns="return_types.qr",
)

# ---- singular values


def _resolve_svd(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    spec = matrix(operands[0], "linalg.svd")
    check_precise(spec.dtype, "linalg.svd", takes_low=True)
    check_dtype("linalg_svd", spec.dtype, PRECISE)
    *batch, rows, columns = spec.shape
    count = min(rows, columns)
    is_full = bool(attributes["full_matrices"])
    left = by_columns(spec, (*batch, rows, rows if is_full else count))
    values = plain(spec, (*batch, count), spec.dtype.to_real())
    right = by_columns(spec, (*batch, columns if is_full else count, columns))
    return unchanged(attributes, spec, left, values, right)


def _resolve_values(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    spec = matrix(operands[0], "linalg.svd")
    check_precise(spec.dtype, "linalg.svd", takes_low=True)
    check_dtype("linalg_svd", spec.dtype, PRECISE)
    *batch, rows, columns = spec.shape
    values = plain(spec, (*batch, min(rows, columns)), spec.dtype.to_real())
    return unchanged(attributes, spec, values)


on_host(
    "linalg_singular(Tensor A, bool full_matrices)",
    "Singular vectors and values of matrices: what `linalg.svd` becomes.",
    "tri.linalg.svd(tri.tensor([[2.]])).S  # tensor([2.])",
    resolver=_resolve_svd,
    body="linear_algebra:svd",
    has_out=False,
)
on_host(
    "linalg_singular_values(Tensor A)",
    "The singular values of matrices, the largest first: what `linalg.svdvals` becomes.",
    "tri.linalg.svdvals(tri.tensor([[2.]]))  # tensor([2.])",
    resolver=_resolve_values,
    body="linear_algebra:singular_values",
    has_out=False,
)


def _refuse_driver(driver: str | None) -> None:
    if driver is not None:
        raise TrilithRuntimeError(
            "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with "
            "cuSOLVER backend."
        )


def _svd(t: TensorLanguage, A: Any, full_matrices: bool, driver: str | None) -> Any:
    _refuse_driver(driver)
    return t.call("linalg_singular", A, full_matrices)


def _svdvals(t: TensorLanguage, A: Any, driver: str | None) -> Any:
    _refuse_driver(driver)
    return t.call("linalg_singular_values", A)


in_others(
    "linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None)",
    "U, S and V^H with A = U diag(S) V^H: singular vectors and values, the largest first.",
    "tri.linalg.svd(tri.tensor([[2.]])).S  # tensor([2.])",
    _svd,
    places=("linalg.svd",),
    named_results=named_results("linalg_svd", "U", "S", "Vh"),
    returns="return_types.linalg_svd",
    has_out=False,
)
in_others(
    "linalg_svdvals(Tensor A, *, str? driver=None)",
    "The singular values of matrices, the largest first.",
    "tri.linalg.svdvals(tri.tensor([[3., 0.], [0., 4.]]))  # tensor([4., 3.])",
    _svdvals,
    places=("linalg.svdvals",),
)


def _old_svd(t: TensorLanguage, input: Any, some: bool, compute_uv: bool) -> Any:
    left, values, right = t.call("linalg_singular", input, not some)
    if compute_uv:
        return left, values, t.call("conj", t.call("transpose", right, -2, -1))
    spec = spec_of(t, input)
    *batch, rows, columns = spec.shape
    zeros = [
        t.call("zeros", (*batch, size, size), dtype=spec.dtype, device=spec.device)
        for size in (rows, columns)
    ]
    return zeros[0], values, zeros[1]


composite(
    "svd(Tensor input, bool some=True, bool compute_uv=True)",
    "U, S and V with input = U diag(S) V^H: `linalg.svd` gives V^H.",
    "tri.svd(tri.tensor([[2.]])).S  # tensor([2.])",
    _old_svd,
    named_results=named_results("svd", "U", "S", "V"),
    returns="return_types.svd",
)

# ---- eigenvalues


def _lower(text: str) -> bool:
    if text.upper() not in ("L", "U"):
        raise TrilithRuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {text}")
    return text.upper() == "L"


def _hermitian(operand: OperandSpec) -> TensorSpec:
    spec = square(operand, "linalg.eigh")
    if spec.dtype not in PRECISE:
        raise TrilithNotImplementedError(
            f"\"linalg_eigh_cpu\" not implemented for '{spec.dtype.c_name}'"
        )
    return spec


def _resolve_eigh(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    spec = _hermitian(operands[0])
    values = plain(spec, spec.shape[:-1], spec.dtype.to_real())
    return unchanged(attributes, spec, values, by_columns(spec, spec.shape))


def _resolve_eigvalsh(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    spec = _hermitian(operands[0])
    return unchanged(attributes, spec, plain(spec, spec.shape[:-1], spec.dtype.to_real()))


def _complex(operand: OperandSpec, name: str) -> TensorSpec:
    spec = square(operand, name)
    if spec.dtype not in PRECISE:
        if not spec.dtype.is_floating_point:
            raise TrilithRuntimeError(f"Unknown Complex ScalarType for {spec.dtype.c_name}")
        raise TrilithNotImplementedError(
            f"\"linalg_eig_out\" not implemented for '{spec.dtype.c_name}'"
        )
    return spec


def _resolve_eig(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    spec = _complex(operands[0], "linalg.eig")
    dtype = spec.dtype.to_complex()
    values = plain(spec, spec.shape[:-1], dtype)
    return unchanged(attributes, spec, values, by_columns(spec, spec.shape, dtype))


def _resolve_eigvals(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    spec = _complex(operands[0], "linalg.eigvals")
    return unchanged(attributes, spec, plain(spec, spec.shape[:-1], spec.dtype.to_complex()))


on_host(
    "linalg_hermitian(Tensor input, bool lower)",
    "Eigenvalues and vectors of Hermitian matrices: what `linalg.eigh` becomes.",
    "tri.linalg.eigh(tri.tensor([[2.]])).eigenvalues  # tensor([2.])",
    resolver=_resolve_eigh,
    body="linear_algebra:eigh",
    has_out=False,
)
on_host(
    "linalg_hermitian_values(Tensor input, bool lower)",
    "Eigenvalues of Hermitian matrices: what `linalg.eigvalsh` becomes.",
    "tri.linalg.eigvalsh(tri.tensor([[2.]]))  # tensor([2.])",
    resolver=_resolve_eigvalsh,
    body="linear_algebra:eigvalsh",
    has_out=False,
)


def _eigh(t: TensorLanguage, input: Any, UPLO: str) -> Any:
    return t.call("linalg_hermitian", input, _lower(UPLO))


def _eigvalsh(t: TensorLanguage, input: Any, UPLO: str) -> Any:
    return t.call("linalg_hermitian_values", input, _lower(UPLO))


in_others(
    "linalg_eigh(Tensor input, str UPLO='L')",
    "Eigenvalues, the smallest first, and eigenvectors of symmetric or Hermitian matrices.",
    "tri.linalg.eigh(tri.tensor([[2.]])).eigenvalues  # tensor([2.])",
    _eigh,
    places=("linalg.eigh",),
    named_results=named_results("linalg_eigh", "eigenvalues", "eigenvectors"),
    returns="return_types.linalg_eigh",
    has_out=False,
)
in_others(
    "linalg_eigvalsh(Tensor input, str UPLO='L')",
    "The eigenvalues of symmetric or Hermitian matrices, the smallest first.",
    "tri.linalg.eigvalsh(tri.tensor([[2.]]))  # tensor([2.])",
    _eigvalsh,
    places=("linalg.eigvalsh",),
)
on_host(
    "linalg_eig(Tensor input)",
    "Eigenvalues and eigenvectors of square matrices, which are complex numbers.",
    "tri.linalg.eig(tri.tensor([[2.]])).eigenvalues  # tensor([2.+0.j])",
    resolver=_resolve_eig,
    body="linear_algebra:eig",
    places=("linalg.eig",),
    named_results=named_results("linalg_eig", "eigenvalues", "eigenvectors"),
    returns="return_types.linalg_eig",
)
on_host(
    "linalg_eigvals(Tensor input)",
    "The eigenvalues of square matrices, which are complex numbers.",
    "tri.linalg.eigvals(tri.tensor([[2.]]))  # tensor([2.+0.j])",
    resolver=_resolve_eigvals,
    body="linear_algebra:eigvals",
    places=("linalg.eigvals",),
)

# ---- ranks, conditions and generalised inverses


def _check_rank_dtype(spec: TensorSpec) -> None:
    if spec.dtype not in PRECISE:
        raise TrilithRuntimeError("This function doesn't handle types other than float and double")


def _matrix_rank(t: TensorLanguage, input: Any, atol: Any, rtol: Any, hermitian: bool) -> Any:
    spec = matrix(t.spec(input), "linalg.matrix_rank", argument="input")
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
    binder=with_one_tolerance("rcond", "rtol"),
    forms=(
        "linalg_pinv(Tensor input, *, Operand? atol=None, Operand? rtol=None, "
        "bool hermitian=False)",
        "linalg_pinv(Tensor input, Operand rcond, bool hermitian=False)",
    ),
)


def _pinverse(t: TensorLanguage, input: Any, rcond: float) -> Any:
    return _pinv(t, input, 0.0, rcond, False)


composite(
    "pinverse(Tensor input, float rcond=1e-15)",
    "The Moore-Penrose inverses of matrices: `linalg.pinv`.",
    "tri.pinverse(tri.tensor([[2.]]))  # tensor([[0.5000]])",
    _pinverse,
)

# ---- least squares and exponentials


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
    _check_rank_dtype(spec)
    if spec.rank < 2:
        raise TrilithRuntimeError(f"{name}: input must have at least 2 dimensions.")
    if sides.rank < 1:
        raise TrilithRuntimeError(f"{name}: other must have at least 1 dimension.")
    if driver is not None and driver not in _DRIVERS:
        raise TrilithRuntimeError(
            f"{name}: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)"
        )
    is_vector = spec.rank == sides.rank + 1 and sides.shape == spec.shape[:-1]
    if is_vector:
        b = t.call("unsqueeze", b, -1)
        sides = spec_of(t, b)
    if sides.rank < 2 or sides.shape[-2] != spec.shape[-2]:
        raise TrilithRuntimeError(f"{name}: input.size(-2) should match other.size(-2)")
    if sides.dtype is not spec.dtype:
        raise TrilithRuntimeError(f"{name}: Expected input and other to have the same dtype")
    *batch, rows, columns = spec.shape
    if tuple(batch) != sides.shape[:-2]:
        b = t.call("expand", b, (*batch, *sides.shape[-2:]))
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
    named_results=named_results("linalg_lstsq", "solution", "residuals", "rank", "singular_values"),
    returns="return_types.linalg_lstsq",
    has_out=False,
)


def _resolve_exponential(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    spec = square(operands[0], "linalg.matrix_exp")
    check_precise(spec.dtype, "linalg.matrix_exp", takes_low=True)
    return unchanged(attributes, spec, plain(spec, spec.shape))


on_host(
    "linalg_matrix_exp(Tensor input)",
    "The exponentials of square matrices, of which exp(A + A) is exp(A) exp(A).",
    "tri.linalg.matrix_exp(tri.zeros(1, 1))  # tensor([[1.]])",
    resolver=_resolve_exponential,
    body="linear_algebra:exponential",
    places=("linalg.matrix_exp",),
    has_out=False,
    can_fail=False,
)
composite(
    "matrix_exp(Tensor input)",
    "The exponentials of square matrices: `linalg.matrix_exp`.",
    "tri.matrix_exp(tri.zeros(1, 1))  # tensor([[1.]])",
    becoming("linalg_matrix_exp"),
)
