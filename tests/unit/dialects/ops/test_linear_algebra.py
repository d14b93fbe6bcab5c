"""Does linear algebra give back what it took apart, and refuse what cannot be?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri

#: What says what comes out.
NUMPY: Any = np.linalg
RANDOM = np.random.default_rng(2)
DTYPES = [np.float32, np.float64, np.complex64, np.complex128]


def matrices(*shape: int, dtype: Any = np.float64) -> Any:
    found = RANDOM.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        found = found + 1j * RANDOM.standard_normal(shape)
    return tri.tensor(found.astype(dtype))


def positive(*shape: int, dtype: Any = np.float64) -> Any:
    found = matrices(*shape, dtype=dtype)
    return found @ found.mH + tri.eye(shape[-1], dtype=found.dtype)


def close(found: Any, expected: Any) -> None:
    kind = found.resolve_conj().numpy()
    tolerance = 2e-4 if kind.dtype in (np.float32, np.complex64) else 1e-10
    np.testing.assert_allclose(
        kind, expected.resolve_conj().numpy(), atol=tolerance, rtol=tolerance
    )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("batch", [(), (3,), (2, 3)])
def test_what_is_taken_apart_is_put_together(batch: tuple[int, ...], dtype: Any):
    a, p = matrices(*batch, 4, 4, dtype=dtype), positive(*batch, 4, 4, dtype=dtype)
    tall, b = matrices(*batch, 5, 3, dtype=dtype), matrices(*batch, 4, 2, dtype=dtype)
    one = tri.eye(4, dtype=a.dtype)
    close(a @ tri.linalg.inv(a), one.expand(a.shape))
    close(a @ tri.linalg.solve(a, b), b)
    close(tri.linalg.solve(a, b.mT, left=False) @ a, b.mT)
    lower, upper = tri.linalg.cholesky(p), tri.linalg.cholesky(p, upper=True)
    close(lower @ lower.mH, p)
    close(upper.mH @ upper, p)
    close(p @ tri.cholesky_solve(b, lower), b)
    close(p @ tri.cholesky_inverse(upper, upper=True), one.expand(p.shape))
    close(lower @ tri.linalg.solve_triangular(lower, b, upper=False), b)
    q, r = tri.linalg.qr(tall)
    close(q @ r, tall)
    u, s, vh = tri.linalg.svd(tall, full_matrices=False)
    close((u * s.unsqueeze(-2)) @ vh, tall)
    close(tri.linalg.svdvals(tall), s)
    values, vectors = tri.linalg.eigh(p)
    close((vectors * values.unsqueeze(-2)) @ vectors.mH, p)
    close(tri.linalg.eigvalsh(p), values)
    values, vectors = tri.linalg.eig(a)
    close(a.to(vectors.dtype) @ vectors, vectors * values.unsqueeze(-2))
    places, low, up = tri.linalg.lu(tall)
    close(places @ low @ up, tall)
    close(a @ tri.linalg.lu_solve(*tri.linalg.lu_factor(a), b), b)
    close(tall @ tri.linalg.pinv(tall) @ tall, tall)
    sign, logarithm = tri.linalg.slogdet(a)
    close(sign * logarithm.exp(), tri.linalg.det(a))


def test_compiled_they_are_calls_between_kernels():
    @tri.compile
    def both(a: Any, b: Any) -> Any:
        return tri.linalg.solve(a @ a.mT + tri.eye(3, dtype=a.dtype), b).sum(0)

    for columns in (2, 5, 7):
        a, b = matrices(3, 3), matrices(3, columns)
        expected: Any = NUMPY.solve((a @ a.mT).numpy() + np.eye(3), b.numpy())
        np.testing.assert_allclose(both(a, b).numpy(), expected.sum(0))
    assert both.stats().eager_calls == 0


def test_exponentials():
    turn = tri.tensor([[0.0, -1.0], [1.0, 0.0]], dtype=tri.float64)
    for angle in (1e-9, 0.3, 2.0, 40.0):
        expected = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        np.testing.assert_allclose(
            tri.linalg.matrix_exp(turn * angle).numpy(), expected, atol=1e-12
        )


def test_ranks_and_least_squares():
    a = matrices(2, 6, 3)
    assert tri.linalg.matrix_rank(tri.cat([a, a], -1)).tolist() == [3, 3]
    assert tri.linalg.matrix_rank(tri.zeros(4, 0)).item() == 0
    b = matrices(2, 6, 2)
    found = tri.linalg.lstsq(a, b, driver="gelsd")
    for index in range(2):
        expected: Any = NUMPY.lstsq(a[index].numpy(), b[index].numpy(), None)
        for part, known in zip(found, expected, strict=True):
            np.testing.assert_allclose(part[index].numpy(), known)


SINGULAR = tri.tensor([[1.0, 2.0], [2.0, 4.0]])
BATCH = tri.stack([tri.eye(2), SINGULAR])
REFUSED: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: tri.linalg.inv(SINGULAR),
        "linalg.inv: The diagonal element 2 is zero, the inversion could not be completed because "
        "the input matrix is singular.",
    ),
    (
        lambda: tri.linalg.solve(BATCH, tri.ones(2, 2, 1)),
        "torch.linalg.solve: (Batch element 1): The solver failed because the input matrix is "
        "singular.",
    ),
    (
        lambda: tri.linalg.cholesky(-tri.eye(2)),
        "linalg.cholesky: The factorization could not be completed because the input is not "
        "positive-definite (the leading minor of order 1 is not positive-definite).",
    ),
    (
        lambda: tri.linalg.det(tri.ones(2, 3)),
        "linalg.det: A must be batches of square matrices, but they are 2 by 3 matrices",
    ),
    (
        lambda: tri.linalg.inv(tri.ones(2, 2, dtype=tri.int64)),
        "linalg.inv: Expected a floating point or complex tensor as input. Got Long",
    ),
]


@pytest.mark.parametrize(("call", "text"), REFUSED)
def test_refusals(call: Callable[[], Any], text: str):
    with pytest.raises(RuntimeError) as caught:
        call()
    assert str(caught.value).splitlines()[0] == text
    assert f"  --> {__file__}:" in str(caught.value)


def test_an_error_in_a_compiled_function_leaves_nothing_behind():
    @tri.compile
    def inverted(a: Any) -> Any:
        return tri.linalg.inv(a) * 2

    assert inverted(tri.eye(2)).tolist() == [[2, 0], [0, 2]]
    with pytest.raises(tri.linalg.LinAlgError):
        inverted(SINGULAR)
    assert inverted(tri.eye(2)).tolist() == [[2, 0], [0, 2]]
    assert tri.linalg.inv_ex(BATCH).info.tolist() == [0, 2]
