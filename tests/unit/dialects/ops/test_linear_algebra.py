"""Does linear algebra give back what it took apart, and refuse what cannot be?"""

from __future__ import annotations

import math
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


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(100, 70), (70, 130), (2, 60, 60), (50, 8, 5)])
def test_factors_of_several_blocks(shape: tuple[int, ...], dtype: Any):
    a = matrices(*shape, dtype=dtype)
    places, low, up = tri.linalg.lu(a)
    close(places @ low @ up, a)
    assert np.abs(low.numpy()).max() <= (1 if np.dtype(dtype).kind == "f" else 1.5)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("upper", [False, True])
def test_triangular_systems_of_several_blocks(upper: bool, dtype: Any):
    a, b = matrices(2, 150, 150, dtype=dtype) / 150, matrices(2, 150, 3, dtype=dtype)
    one = tri.eye(150, dtype=a.dtype)
    # What lies beyond the diagonal is not read: here it is NaN.
    beyond = (one + 1 == 1).tril() if upper else (one + 1 == 1).triu()
    held = (a + one).masked_fill(beyond, float("nan"))
    part = (a + one).triu() if upper else (a + one).tril()
    close(part @ tri.linalg.solve_triangular(held, b, upper=upper), b)
    ones = part.masked_fill(one.bool(), 1)
    found = tri.linalg.solve_triangular(held, b, upper=upper, unitriangular=True)
    close(ones @ found, b)


def test_a_zero_on_the_diagonal_reaches_only_rows_that_depend_on_it():
    a = tri.tensor([[2.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 1.0]])
    found = tri.linalg.solve_triangular(a, tri.ones(3, 1), upper=False).flatten()
    assert found[0].item() == 0.5
    assert found[1].isinf().item()


def test_reflections_of_several_blocks():
    vectors, factors = matrices(2, 80, 70) / 80, matrices(2, 70)
    expected = np.broadcast_to(np.eye(80), (2, 80, 80))
    for step in range(70):
        vector = np.tril(vectors.numpy(), -1)[..., step, None]
        vector[..., step, 0] = 1
        factor = factors.numpy()[..., step, None, None]
        expected = expected - factor * (expected @ vector) @ np.swapaxes(vector, -1, -2)
    found = tri.linalg.householder_product(vectors, factors)
    np.testing.assert_allclose(found.numpy(), expected[..., :70], atol=1e-10)


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


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("is_of_matrix", [True, False])
def test_least_squares_of_what_is_not_finite_end(value: float, is_of_matrix: bool):
    a, b = tri.eye(3), tri.ones(3, 2)
    (a if is_of_matrix else b)[0, 0] = value
    with pytest.raises(RuntimeError, match="non-finite values"):
        tri.linalg.lstsq(a, b)


SINGULAR = tri.tensor([[1.0, 2.0], [2.0, 4.0]])
BATCH = tri.stack([tri.eye(2), SINGULAR])
REFUSED: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: tri.linalg.householder_product(tri.eye(3), tri.eye(3)),
        "trilith.linalg.householder_product: Expected tau to have one dimension less than input, "
        "but got tau.ndim equal to 2 and input.ndim is equal to 2",
    ),
    (
        lambda: tri.linalg.householder_product(tri.ones(2, 3, 3), tri.ones(3, 3)),
        "trilith.linalg.householder_product: Expected batch dimensions of tau to be equal to "
        "input.shape[:-2], but got [3]",
    ),
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


def test_one_tolerance_as_in_older_programs():
    a = tri.tensor([[4.0, 0.0], [0.0, 1.0]])
    for tolerance in (0.5, tri.tensor(0.5)):
        assert tri.linalg.pinv(a, tolerance).tolist() == [[0.25, 0], [0, 0]]
        assert tri.linalg.pinv(a, rcond=tolerance).tolist() == [[0.25, 0], [0, 0]]
        assert tri.linalg.matrix_rank(a, tolerance).item() == 2
        assert tri.linalg.pinv(a, atol=tolerance).tolist() == [[0.25, 0], [0, 1]]
    assert tri.linalg.matrix_rank(a, 2.0, True).item() == 1
    rank: Any = tri.compile(tri.linalg.matrix_rank)
    assert [rank(a, tolerance).item() for tolerance in (0.5, 2.0, 8.0)] == [2, 1, 0]


@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (2, 0, 4), (0, 4, 4), (0, 0)])
def test_factors_of_nothing(shape: tuple[int, ...]):
    *batch, rows, columns = shape
    left, middle, right = tri.linalg.lu(tri.empty(shape))
    assert left.tolist() == tri.eye(rows).expand(*batch, rows, rows).tolist()
    inner = min(rows, columns)
    assert (middle.shape, right.shape) == ((*batch, rows, inner), (*batch, inner, columns))
    factors, pivots, info = tri.linalg.lu_factor_ex(tri.empty(shape))
    assert (factors.shape, pivots.shape) == (shape, (*batch, inner))
    assert info.tolist() == np.zeros(batch).tolist()


@pytest.mark.filterwarnings("error")
def test_numpy_warns_nobody():
    found = tri.linalg.solve_triangular(tri.eye(3) * 1e-30, tri.ones(3, 1) * 1e20, upper=True)
    assert found[-1].tolist() == [math.inf]


def test_triangular_systems_of_adjoints_are_solved_row_by_row():
    # PyTorch reads conjugates that lie by columns as they are.
    triangle = tri.tensor([[2.0, 1.0], [0.0, 4.0]]) + 0j
    sides = tri.ones(2, 3, dtype=tri.complex64)
    for matrix, strides in ((triangle.mH, (3, 1)), (triangle.conj(), (1, 2)), (triangle, (1, 2))):
        solution = tri.linalg.solve_triangular(matrix, sides, upper=True)
        assert solution.stride() == strides


def test_solutions_by_complex_factors_lie_column_by_column():
    sides, factor = tri.ones(3, 3, dtype=tri.complex64), tri.eye(3, dtype=tri.complex64)
    for upper in (False, True):
        assert tri.cholesky_solve(sides, factor, upper).stride() == (1, 3)
        assert tri.cholesky_inverse(factor, upper).stride() == (1, 3)


def test_singular_vectors_that_are_not_computed_lie_as_those_that_are():
    left, _, right = tri.svd(tri.ones(2, 3), compute_uv=False)
    assert (left.stride(), right.stride()) == ((2, 1), (1, 3))
    assert not tri.cat([left.flatten(), right.flatten()]).any()


def test_the_sign_of_nan_is_zero():
    both = tri.stack([tri.eye(2) * math.nan, -tri.eye(2), tri.zeros(2, 2)])
    sign, logarithm = tri.linalg.slogdet(both)
    assert sign.tolist() == [0, 1, 0]
    assert logarithm.isnan().tolist() == [True, False, False]


def test_factors_of_nothing_need_no_pivots():
    places, lower, upper = tri.linalg.lu(tri.zeros(0, 3, 3), pivot=False)
    assert (places.shape, lower.shape, upper.shape) == ((0,), (0, 3, 3), (0, 3, 3))
    assert tri.linalg.lu_factor(tri.zeros(0, 3), pivot=False).pivots.shape == (0,)


def test_powers_of_short_integers_are_long():
    found = tri.linalg.vander(tri.tensor([2, 3], dtype=tri.uint16), N=3)
    assert (found.dtype, found.tolist()) == (tri.int64, [[1, 2, 4], [1, 3, 9]])
