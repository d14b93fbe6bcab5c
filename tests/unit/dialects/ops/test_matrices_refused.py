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
