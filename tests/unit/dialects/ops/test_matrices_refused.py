"""What does linear algebra say of matrices that have no answer? The texts are PyTorch's."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri

ONES, EYE = tri.ones, tri.eye
L: Any = tri.linalg
NAN = tri.full((3, 3), math.nan)
#: Of which the leading minor of order 2 is not positive.
MIXED = [[4.0, 2.0, 2.0], [2.0, -5.0, 3.0], [2.0, 3.0, 7.0]]

NO_MINOR = (
    "The factorization could not be completed because the input is not positive-definite (the "
    "leading minor of order {} is not positive-definite)."
)
NO_EIGENVALUES = (
    "The algorithm failed to converge because the input matrix is ill-conditioned or has too many "
    "repeated eigenvalues (error code: {})."
)
SIDES = "linalg.solve: Incompatible shapes of A and B for the equation {} = B ({})"

Case = tuple[Callable[[], Any], type[Exception], str]


def refuses(cases: list[Case]) -> Any:
    """Run a test for each of some calls, and what PyTorch says of it."""
    numbers = [str(number) for number in range(len(cases))]
    return pytest.mark.parametrize(("call", "error", "text"), cases, ids=numbers)


def check(call: Callable[[], Any], error: type[Exception], text: str) -> None:
    """Compare what a call says, as it is and compiled, with what PyTorch says."""
    for run in (call, tri.compile(call)):
        with pytest.raises(error) as caught:
            run()
        assert str(caught.value).split("\n  -->")[0] == text


SYSTEMS: list[Case] = [
    (lambda: L.solve(EYE(3), ONES(2)), RuntimeError, SIDES.format("AX", "3x3 and 2x1")),
    (lambda: L.solve_ex(EYE(3), ONES(2)), RuntimeError, SIDES.format("AX", "3x3 and 2x1")),
    (lambda: L.solve(ONES(0, 4, 4), ONES(2)), RuntimeError, SIDES.format("AX", "4x4 and 2x1")),
    (
        lambda: L.solve(EYE(3), ONES(3), left=False),
        RuntimeError,
        SIDES.format("XA", "3x3 and 3x1"),
    ),
    (
        lambda: L.solve(EYE(3).expand(2, 3, 3), ONES(4, 3, 3)),
        RuntimeError,
        "The size of tensor a (4) must match the size of tensor b (2) at non-singleton dimension 0",
    ),
]


@refuses(SYSTEMS)
def test_systems(call: Callable[[], Any], error: type[Exception], text: str):
    check(call, error, text)


HERMITIAN: list[Case] = [
    (lambda: L.eigh(NAN), L.LinAlgError, f"linalg.eigh: {NO_EIGENVALUES.format(2)}"),
    (lambda: L.eigvalsh(NAN), L.LinAlgError, f"linalg.eigh: {NO_EIGENVALUES.format(1)}"),
    (
        lambda: L.eigh(tri.stack([EYE(3), NAN])),
        L.LinAlgError,
        f"linalg.eigh: (Batch element 1): {NO_EIGENVALUES.format(2)}",
    ),
    (
        lambda: L.matrix_rank(NAN, hermitian=True),
        L.LinAlgError,
        f"linalg.eigh: {NO_EIGENVALUES.format(1)}",
    ),
    (
        lambda: L.pinv(NAN, hermitian=True),
        L.LinAlgError,
        f"linalg.eigh: {NO_EIGENVALUES.format(2)}",
    ),
]


@refuses(HERMITIAN)
def test_hermitian_matrices(call: Callable[[], Any], error: type[Exception], text: str):
    check(call, error, text)


POSITIVE: list[Case] = [
    (lambda: L.cholesky(NAN), L.LinAlgError, f"linalg.cholesky: {NO_MINOR.format(1)}"),
    (lambda: tri.cholesky(NAN), L.LinAlgError, f"cholesky: {NO_MINOR.format(1)}"),
    (
        lambda: L.cholesky(tri.tensor(MIXED)),
        L.LinAlgError,
        f"linalg.cholesky: {NO_MINOR.format(2)}",
    ),
    (
        lambda: L.cholesky(tri.stack([EYE(3), NAN])),
        L.LinAlgError,
        f"linalg.cholesky: (Batch element 1): {NO_MINOR.format(1)}",
    ),
]


@refuses(POSITIVE)
@pytest.mark.filterwarnings("ignore:trilith.cholesky is deprecated")
def test_positive_matrices(call: Callable[[], Any], error: type[Exception], text: str):
    check(call, error, text)


def pivots(*rows: Any) -> Any:
    return tri.tensor(rows, dtype=tri.int32)


LOW = (
    "Pivots given to lu_solve must all be greater or equal to 1. Did you properly pass the result "
    "of lu_factor?"
)
HIGH = (
    "Pivots given to lu_solve must all be smaller or equal to LU.size(-2). Did you properly pass "
    "the result of lu_factor?"
)
UNPACKED = (
    "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive.Did you properly pass "
    "the result of lu_factor?"
)
PIVOTS: list[Case] = [
    (lambda: L.lu_solve(EYE(2), pivots(0, 3), EYE(2)), RuntimeError, LOW),
    (lambda: L.lu_solve(EYE(2), pivots(1, 3), EYE(2)), RuntimeError, HIGH),
    (lambda: tri.lu_solve(EYE(2), EYE(2), pivots(1, -3)), RuntimeError, LOW),
    (lambda: tri.lu_unpack(EYE(2), pivots(0, 2)), RuntimeError, UNPACKED),
    (
        lambda: tri.lu_unpack(EYE(2).expand(2, 2, 2), pivots([1, 2], [1, 3])),
        RuntimeError,
        UNPACKED,
    ),
    (
        lambda: tri.lu_unpack(ONES(2), pivots(1, 2)),
        RuntimeError,
        "torch.lu_unpack: Expected tensor with 2 or more dimensions. Got size: [2] instead",
    ),
    (
        lambda: L.lu_solve(EYE(2), tri.tensor([1, 1]), EYE(2)),
        RuntimeError,
        "linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32",
    ),
    (
        lambda: L.lu_solve(EYE(2), pivots(1), EYE(2)),
        RuntimeError,
        "linalg.lu_solve: Number of pivots per batch should be same as the dimension of the matrix",
    ),
    (
        lambda: L.lu_solve(EYE(2), pivots([1, 2]), EYE(2)),
        RuntimeError,
        "linalg.lu_solve: Expected LU.shape[:-1] and pivots.shape to be the same, but got pivots "
        "with shape [1, 2] instead",
    ),
    (
        lambda: L.lu_solve(EYE(2), pivots(1, 2), EYE(2).double()),
        RuntimeError,
        "linalg.lu_solve: Expected LU and B to have the same dtype, but found LU of type Float and "
        "B of type Double instead",
    ),
    (
        lambda: L.lu_solve(EYE(2), pivots(1, 2), ONES(2)),
        RuntimeError,
        "linalg.lu_solve: The input tensor B must have at least 2 dimensions.",
    ),
    (
        lambda: L.lu_solve(EYE(2).half(), pivots(1, 2), EYE(2).half()),
        NotImplementedError,
        "\"linalg.lu_solve_cpu\" not implemented for 'Half'",
    ),
    (
        lambda: L.lu_solve(ONES(2, 3), pivots(1, 2), EYE(2)),
        RuntimeError,
        "torch.linalg.lu_solve: A must be batches of square matrices, but they are 2 by 3 matrices",
    ),
]


@refuses(PIVOTS)
@pytest.mark.filterwarnings("ignore:trilith.lu_solve is deprecated")
def test_pivots(call: Callable[[], Any], error: type[Exception], text: str):
    check(call, error, text)


def half(*sizes: int) -> Any:
    return tri.ones(sizes, dtype=tri.float16)


LOW_PRECISION = "Low precision dtypes not supported. Got Half"
KERNELS = [
    ("lu_cpu", lambda: L.solve(half(2, 2), half(2, 2))),
    ("lu_cpu", lambda: L.solve_ex(half(2, 2), half(2))),
    ("lu_cpu", lambda: L.tensorsolve(half(2, 2), half(2))),
    ("lu_cpu", lambda: L.det(half(2, 2))),
    ("lu_cpu", lambda: L.lu_factor(half(2, 2), pivot=False)),
    ("cholesky_cpu", lambda: L.cholesky(half(2, 2))),
    ("cholesky_cpu", lambda: L.cholesky_ex(half(2, 2))),
    ("cholesky_solve_cpu", lambda: tri.cholesky_solve(half(2, 2), half(2, 2))),
    ("cholesky_inverse_out_cpu", lambda: tri.cholesky_inverse(half(2, 2))),
    ("geqrf_cpu", lambda: L.qr(half(2, 2))),
    ("linalg_eig_out_cpu", lambda: L.eig(half(2, 2))),
    ("linalg_eig_out_cpu", lambda: L.eigvals(half(2, 2))),
    ("linalg_svd_cpu", lambda: L.cond(half(2, 2), "nuc")),
]
NARROW: list[Case] = [
    *(
        (call, NotImplementedError, f"\"{name}\" not implemented for 'Half'")
        for name, call in KERNELS
    ),
    (
        lambda: L.matrix_norm(half(2, 2), "nuc"),
        RuntimeError,
        f"linalg.matrix_norm: {LOW_PRECISION}",
    ),
    (lambda: L.norm(half(2, 2), 2), RuntimeError, f"linalg.matrix_norm: {LOW_PRECISION}"),
    (lambda: tri.norm(half(2, 2), "nuc"), RuntimeError, f"linalg.matrix_norm: {LOW_PRECISION}"),
    (
        lambda: L.matrix_norm(half(2, 2), -2, dtype=tri.float32),
        RuntimeError,
        f"linalg.matrix_norm: {LOW_PRECISION}",
    ),
    (lambda: L.inv(half(2, 2)), RuntimeError, f"linalg.inv: {LOW_PRECISION}"),
    (lambda: tri.logdet(half(2, 2)), RuntimeError, f"logdet: {LOW_PRECISION}"),
    (
        lambda: L.vander(half(2)),
        RuntimeError,
        "linalg.vander supports floating point, complex, and integer tensors, but got Half",
    ),
]


@refuses(NARROW)
def test_narrow_floats(call: Callable[[], Any], error: type[Exception], text: str):
    check(call, error, text)


AT_LEAST = "The input tensor {} must have at least 2 dimensions."
SQUARE = "A must be batches of square matrices, but they are 2 by 3 matrices"
SHAPES: list[Case] = [
    (lambda: tri.logdet(ONES(2)), RuntimeError, f"logdet: {AT_LEAST.format('A')}"),
    (lambda: tri.logdet(ONES(2, 3)), RuntimeError, f"logdet: {SQUARE}"),
    (lambda: tri.cholesky(ONES(2, 3)), RuntimeError, f"cholesky: {SQUARE}"),
    (lambda: tri.cholesky_solve(ONES(2, 2), ONES(2, 3)), RuntimeError, SQUARE),
    (
        lambda: L.lu(ONES(2)),
        RuntimeError,
        "linalg.lu: Expected tensor with 2 or more dimensions. Got size: [2] instead",
    ),
    (
        lambda: L.lu_factor(ONES(2)),
        RuntimeError,
        "torch.lu_factor: Expected tensor with 2 or more dimensions. Got size: [2] instead",
    ),
    (
        lambda: L.matrix_rank(ONES(2)),
        RuntimeError,
        f"torch.linalg.matrix_rank: {AT_LEAST.format('input')}",
    ),
    (
        lambda: L.matrix_norm(tri.ones(2, dtype=tri.int64)),
        RuntimeError,
        f"linalg.matrix_norm: {AT_LEAST.format('A')}",
    ),
    (lambda: L.cond(ONES(2), "fro"), RuntimeError, f"linalg.cond(ord=fro): {AT_LEAST.format('A')}"),
    (lambda: L.cond(tri.ones(2, 3), "nuc"), RuntimeError, f"linalg.cond(ord=nuc): {SQUARE}"),
    (
        lambda: L.cond(ONES(2), 1),
        RuntimeError,
        "linalg.cond: The input tensor must have at least 2 dimensions.",
    ),
    (
        lambda: tri.svd(ONES(2)),
        RuntimeError,
        "linalg.svd: input should have at least 2 dimensions, but has 1 dimensions instead",
    ),
    (
        lambda: tri.cholesky_solve(ONES(2), EYE(2)),
        RuntimeError,
        "b should have at least 2 dimensions, but has 1 dimensions instead",
    ),
    (
        lambda: tri.cholesky_solve(ONES(2, 2), ONES(2)),
        RuntimeError,
        "u should have at least 2 dimensions, but has 1 dimensions instead",
    ),
    (
        lambda: tri.cholesky_solve(ONES(2, 2), EYE(2).double()),
        RuntimeError,
        "Expected b and A to have the same dtype, but found b of type Float and A of type Double "
        "instead.",
    ),
    (
        lambda: tri.ormqr(ONES(2, 2), ONES(3), ONES(2, 2)),
        RuntimeError,
        "trilith.ormqr: tau.shape[-1] must be equal to min(other.shape[-2], input.shape[-1])",
    ),
    (
        lambda: tri.ormqr(ONES(2, 2), tri.tensor(1.0), ONES(2, 2)),
        IndexError,
        "Dimension specified as -1 but tensor has no dimensions",
    ),
    (
        lambda: L.lstsq(ONES(3, 2), ONES(2)),
        RuntimeError,
        "torch.linalg.lstsq: input.size(-2) should match other.size(-1)",
    ),
    (
        lambda: L.lstsq(ONES(2, 3, 2), ONES(3)),
        RuntimeError,
        "torch.linalg.lstsq: input.dim() must be greater or equal to other.dim() and (input.dim() "
        "- other.dim()) <= 1",
    ),
    (
        lambda: L.lstsq(ONES(3, 2), ONES(3).double()),
        RuntimeError,
        "torch.linalg.lstsq: Expected input and other to have the same dtype, but got input's "
        "dtype Float and other's dtype Double",
    ),
    (
        lambda: L.lstsq(ONES(2, 3, 2), ONES(3, 3)),
        RuntimeError,
        "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0",
    ),
]


@refuses(SHAPES)
@pytest.mark.filterwarnings("ignore:trilith.cholesky is deprecated")
def test_shapes(call: Callable[[], Any], error: type[Exception], text: str):
    check(call, error, text)


def test_pivots_of_other_matrices_are_refused():
    # PyTorch reads what lies behind them.
    with pytest.raises(RuntimeError, match=r"LU_pivots is expected to be of shape \[2\]"):
        tri.lu_unpack(EYE(2), pivots(1))


@pytest.mark.parametrize(
    ("rows", "order", "factor"),
    [
        (MIXED, 2, [[2.0, 0.0, 0.0], [1.0, -6.0, 0.0], [1.0, 3.0, 7.0]]),
        (
            [[4.0, 2.0, 2.0], [2.0, 5.0, 3.0], [2.0, 3.0, -7.0]],
            3,
            [[2.0, 0.0, 0.0], [1.0, 2.0, 0.0], [1.0, 1.0, -9.0]],
        ),
        ([[-1.0, 0.5], [0.5, 1.0]], 1, [[-1.0, 0.0], [0.5, 1.0]]),
        ([[4.0, math.nan], [2.0, 5.0]], 0, [[2.0, 0.0], [1.0, 2.0]]),
    ],
)
def test_factors_are_left_as_far_as_they_were_found(rows: Any, order: int, factor: Any):
    found = L.cholesky_ex(tri.tensor(rows))
    assert (found.L.tolist(), found.info.item()) == (factor, order)
    found = L.cholesky_ex(tri.tensor(rows).mT, upper=True)
    assert (found.L.mT.tolist(), found.info.item()) == (factor, order)


def test_nan_is_not_positive():
    found = L.cholesky_ex(tri.stack([EYE(2), EYE(2) * math.nan]))
    assert found.info.tolist() == [0, 1]
    assert found.L[0].tolist() == [[1.0, 0.0], [0.0, 1.0]]
