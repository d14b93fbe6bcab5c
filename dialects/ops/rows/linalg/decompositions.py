"""Which operations take matrices apart? Orthonormal bases, singular values, eigenvalues, exp."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithNotImplementedError, TrilithRuntimeError
from ....frames import warn_once
from ...frame.gradients import by_steps
from ...frame.matrix_rules import PRECISE, check_precise, matrix, square
from ...frame.named_results import named_results
from ...frame.opspec import composite
from ...frame.out_rules import out_tensor_dtype, safely_castable
from ...frame.row import Attributes, OperandSpec, Resolved, TensorLanguage
from ...frame.rules import check_dtype
from ...gradients.decompositions import (
    OF_EIGENVECTORS,
    OF_EXPONENTIAL,
    OF_HERMITIAN,
    OF_QR,
    OF_SINGULAR,
)
from .matrices import becoming, by_columns, in_others, on_host, plain, spec_of, unchanged

# ---- orthonormal bases


def _resolve_qr(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    spec, mode = matrix(operands[0], "linalg.qr"), attributes["mode"]
    check_precise(spec.dtype, "linalg.qr", takes_low=True)
    if mode not in ("reduced", "r", "complete"):
        raise TrilithRuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', "
            "or 'complete'"
        )
    check_dtype("geqrf", spec.dtype, PRECISE)
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
    gradient=OF_QR,
    places=("linalg.qr",),
    named_results=named_results("linalg_qr", "Q", "R"),
    returns="return_types.linalg_qr",
    can_fail=False,
    refuse_outs=out_tensor_dtype,
)


_OLD_QR = (
    "trilith.qr is deprecated in favor of trilith.linalg.qr and will be removed in a future "
    "PyTorch release.\n"
    "The boolean parameter 'some' has been replaced with a string parameter 'mode'.\n"
    "Q, R = trilith.qr(A, some)\n"
    "should be replaced with\n"
    "Q, R = trilith.linalg.qr(A, 'reduced' if some else 'complete')"
)


def _old_qr(t: TensorLanguage, input: Any, some: bool) -> Any:
    warn_once(_OLD_QR)
    return t.call("linalg_qr", input, "reduced" if some else "complete")


composite(
    "qr(Tensor input, bool some=True)",
    "Q, whose columns are orthonormal, and an upper triangular R: `linalg.qr`.",
    "tri.linalg.qr(tri.tensor([[-2.]])).R  # tensor([[-2.]])",
    _old_qr,
    named_results=named_results("qr", "Q", "R"),
    returns="return_types.qr",
    has_out=True,
    refuse_outs=out_tensor_dtype,
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
    gradient=OF_SINGULAR,
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


def _svdvals_with_vectors(t: TensorLanguage, A: Any, driver: str | None) -> Any:
    return _svd(t, A, False, driver)[1]


in_others(
    "linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None)",
    "U, S and V^H with A = U diag(S) V^H: singular vectors and values, the largest first.",
    "tri.linalg.svd(tri.tensor([[2.]])).S  # tensor([2.])",
    _svd,
    places=("linalg.svd",),
    named_results=named_results("linalg_svd", "U", "S", "Vh"),
    returns="return_types.linalg_svd",
    refuse_outs=out_tensor_dtype,
)
in_others(
    "linalg_svdvals(Tensor A, *, str? driver=None)",
    "The singular values of matrices, the largest first.",
    "tri.linalg.svdvals(tri.tensor([[3., 0.], [0., 4.]]))  # tensor([4., 3.])",
    _svdvals,
    places=("linalg.svdvals",),
    gradient=by_steps("LinalgSvdBackward0", "A", expand=_svdvals_with_vectors),
    refuse_out=out_tensor_dtype,
)


def _old_svd(t: TensorLanguage, input: Any, some: bool, compute_uv: bool) -> Any:
    spec = spec_of(t, input)
    if spec.rank < 2:
        raise TrilithRuntimeError(
            "linalg.svd: input should have at least 2 dimensions, but has "
            f"{spec.rank} dimensions instead"
        )
    left, values, right = t.call("linalg_singular", input, not some)
    if not compute_uv:
        *batch, rows, columns = spec.shape
        left, right = (
            t.call("zeros", (*batch, size, size), dtype=spec.dtype, device=spec.device)
            for size in (rows, columns)
        )
    return left, values, t.call("conj", t.call("transpose", right, -2, -1))


composite(
    "svd(Tensor input, bool some=True, bool compute_uv=True)",
    "U, S and V with input = U diag(S) V^H: `linalg.svd` gives V^H.",
    "tri.svd(tri.tensor([[2.]])).S  # tensor([2.])",
    _old_svd,
    named_results=named_results("svd", "U", "S", "V"),
    returns="return_types.svd",
    has_out=True,
    refuse_outs=out_tensor_dtype,
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
            f"\"linalg_eig_out_cpu\" not implemented for '{spec.dtype.c_name}'"
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
    gradient=OF_HERMITIAN,
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


def _eigvalsh_with_vectors(t: TensorLanguage, input: Any, UPLO: str) -> Any:
    return _eigh(t, input, UPLO)[0]


in_others(
    "linalg_eigh(Tensor input, str UPLO='L')",
    "Eigenvalues, the smallest first, and eigenvectors of symmetric or Hermitian matrices.",
    "tri.linalg.eigh(tri.tensor([[2.]])).eigenvalues  # tensor([2.])",
    _eigh,
    places=("linalg.eigh",),
    named_results=named_results("linalg_eigh", "eigenvalues", "eigenvectors"),
    returns="return_types.linalg_eigh",
    refuse_outs=out_tensor_dtype,
)
in_others(
    "linalg_eigvalsh(Tensor input, str UPLO='L')",
    "The eigenvalues of symmetric or Hermitian matrices, the smallest first.",
    "tri.linalg.eigvalsh(tri.tensor([[2.]]))  # tensor([2.])",
    _eigvalsh,
    places=("linalg.eigvalsh",),
    gradient=by_steps("LinalgEighBackward0", "input", expand=_eigvalsh_with_vectors),
    refuse_out=out_tensor_dtype,
)
on_host(
    "linalg_eig(Tensor input)",
    "Eigenvalues and eigenvectors of square matrices, which are complex numbers.",
    "tri.linalg.eig(tri.tensor([[2.]])).eigenvalues  # tensor([2.+0.j])",
    resolver=_resolve_eig,
    body="linear_algebra:eig",
    gradient=OF_EIGENVECTORS,
    places=("linalg.eig",),
    named_results=named_results("linalg_eig", "eigenvalues", "eigenvectors"),
    returns="return_types.linalg_eig",
    refuse_outs=(
        safely_castable("torch.linalg.eig", "eigenvalues"),
        safely_castable("torch.linalg.eig", "eigenvectors"),
    ),
)
on_host(
    "linalg_general_values(Tensor input)",
    "The eigenvalues of square matrices: what `linalg.eigvals` becomes.",
    "tri.linalg.eigvals(tri.tensor([[2.]]))  # tensor([2.+0.j])",
    resolver=_resolve_eigvals,
    body="linear_algebra:eigvals",
    has_out=False,
)


def _eigvals_with_vectors(t: TensorLanguage, input: Any) -> Any:
    return t.call("linalg_eig", input)[0]


in_others(
    "linalg_eigvals(Tensor input)",
    "The eigenvalues of square matrices, which are complex numbers.",
    "tri.linalg.eigvals(tri.tensor([[2.]]))  # tensor([2.+0.j])",
    becoming("linalg_general_values"),
    places=("linalg.eigvals",),
    gradient=by_steps("LinalgEigBackward0", "input", expand=_eigvals_with_vectors),
    refuse_out=safely_castable("torch.linalg.eigvals", "eigenvalues"),
)

# ---- exponentials


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
    gradient=OF_EXPONENTIAL,
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
