"""What does linear algebra write into `out=`, and which dtypes does it refuse? As PyTorch does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri

L: Any = tri.linalg
MATRIX = tri.tensor([[4.0, 2.0], [2.0, 5.0]])
PIVOTS = tri.tensor([1, 2], dtype=tri.int32)

F, INT, C = tri.float32, tri.int32, tri.complex64
#: Functions of several results, and the dtypes of these.
SEVERAL: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (L.svd, (F, F, F)),
    (L.eigh, (F, F)),
    (L.eig, (C, C)),
    (L.qr, (F, F)),
    (L.slogdet, (F, F)),
    (L.lu, (F, F, F)),
    (L.lu_factor, (F, INT)),
    (L.lu_factor_ex, (F, INT, INT)),
    (L.cholesky_ex, (F, INT)),
    (L.inv_ex, (F, INT)),
    (tri.svd, (F, F, F)),
    (tri.qr, (F, F)),
    (tri.slogdet, (F, F)),
    (tri.geqrf, (F, F)),
    (tri.histogram, (F, F)),
]


def of_one(function: Callable[..., Any]) -> tuple[Any, ...]:
    return (MATRIX, 3) if function is tri.histogram else (MATRIX,)


@pytest.mark.filterwarnings("ignore:trilith.qr is deprecated")
@pytest.mark.parametrize(("function", "dtypes"), SEVERAL)
def test_several_results_are_written_into_several_tensors(
    function: Callable[..., Any], dtypes: tuple[Any, ...]
):
    expected = function(*of_one(function))
    outs = tuple(tri.empty(0, dtype=dtype) for dtype in dtypes)
    found = function(*of_one(function), out=outs)
    assert type(found).__name__ == f"{type(expected).__name__}_out"
    for out, one, result in zip(outs, found, expected, strict=True):
        assert one is out
        assert (out.tolist(), out.stride()) == (result.tolist(), result.stride())


@pytest.mark.filterwarnings("ignore:trilith.qr is deprecated")
@pytest.mark.parametrize(
    ("function", "dtypes"), [each for each in SEVERAL if each[0] is not tri.histogram]
)
def test_compiled_they_are_written_into_several_tensors(
    function: Callable[..., Any], dtypes: tuple[Any, ...]
):
    expected = function(MATRIX)
    outs = [tri.empty(one.shape, dtype=one.dtype) for one in expected]

    @tri.compile
    def written(x: Any, outs: Any) -> Any:
        return function(x, out=outs)

    written(MATRIX, outs)
    for out, result in zip(outs, expected, strict=True):
        assert (out.tolist(), out.dtype) == (result.tolist(), result.dtype)


def double(*sizes: int) -> Any:
    return tri.empty(sizes, dtype=tri.float64)


def long() -> Any:
    return tri.empty(0, dtype=tri.int64)


OTHER = "Expected out tensor to have dtype float, but got double instead"
REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: L.inv(MATRIX, out=double(0)), OTHER),
    (lambda: tri.inverse(MATRIX, out=double(0)), OTHER),
    (lambda: L.det(MATRIX, out=double()), OTHER),
    (lambda: L.solve(MATRIX, MATRIX, out=double(2, 2)), OTHER),
    (lambda: L.cholesky(MATRIX, out=double(2, 2)), OTHER),
    (lambda: L.svdvals(MATRIX, out=double(2)), OTHER),
    (lambda: L.eigvalsh(MATRIX, out=double(2)), OTHER),
    (lambda: L.vector_norm(MATRIX, out=double()), OTHER),
    (lambda: tri.norm(MATRIX, out=double()), OTHER),
    (lambda: tri.norm(MATRIX, 2, 0, out=double(2)), OTHER),
    (lambda: tri.softmax(MATRIX, 0, out=double(2, 2)), OTHER),
    (lambda: L.lu_solve(MATRIX, PIVOTS, MATRIX, out=double(2, 2)), OTHER),
    (
        lambda: L.norm(MATRIX, out=double()),
        "linalg.norm expected out tensor dtype Float but got: Double",
    ),
    (
        lambda: L.matrix_norm(MATRIX, out=double()),
        "linalg.matrix_norm expected out tensor dtype Float but got: Double",
    ),
    (
        lambda: L.inv(MATRIX, out=long()),
        "Expected out tensor to have dtype float, but got long int instead",
    ),
    (
        lambda: L.solve_triangular(MATRIX, MATRIX, upper=True, out=double(2, 2)),
        "expected scalar type Float but found Double",
    ),
    (
        lambda: tri.ormqr(MATRIX, tri.ones(2), MATRIX, out=double(2, 2)),
        "trilith.ormqr: Expected input and result to have the same dtype, but input has dtypeFloat "
        "and result has dtype Double",
    ),
    (
        lambda: L.eigvals(MATRIX, out=double(2)),
        "torch.linalg.eigvals: Expected eigenvalues to be safely castable from ComplexFloat dtype, "
        "but got eigenvalues with dtype Double",
    ),
    (
        lambda: L.pinv(MATRIX, out=long()),
        "linalg.pinv: Expected result to be safely castable from Float dtype, but got result with "
        "dtype Long",
    ),
    (lambda: L.svd(MATRIX, out=(tri.empty(0), tri.empty(0), double(0))), OTHER),
    (lambda: L.slogdet(MATRIX, out=(double(), tri.empty(()))), OTHER),
    (
        lambda: L.lu_factor(MATRIX, out=(tri.empty(0), long())),
        "Expected out tensor to have dtype int, but got long int instead",
    ),
    (
        lambda: L.eig(MATRIX, out=(tri.empty(0, dtype=C), double(0))),
        "torch.linalg.eig: Expected eigenvectors to be safely castable from ComplexFloat dtype, "
        "but got eigenvectors with dtype Double",
    ),
    (
        lambda: tri.histogram(MATRIX, 2, out=(tri.empty(0), double(0))),
        "torch.histogram: input tensor and bin_edges tensor should have the same dtype, but got "
        "input float and bin_edges double for dimension 0",
    ),
]


@pytest.mark.parametrize(("call", "text"), REFUSED, ids=map(str, range(len(REFUSED))))
def test_other_dtypes_are_refused(call: Callable[[], Any], text: str):
    for run in (call, tri.compile(call)):
        with pytest.raises(RuntimeError) as caught:
            run()
        assert str(caught.value).split("\n  -->")[0] == text


def test_what_is_cast_is_cast():
    wide = L.eig(MATRIX, out=(tri.empty(0, dtype=tri.complex128), tri.empty(0, dtype=C)))
    assert [each.dtype for each in wide] == [tri.complex128, C]
    assert L.vector_norm(MATRIX, dtype=tri.float64, out=double()).item() == 7.0
    assert L.pinv(tri.eye(2), out=double(0)).dtype is tri.float64


def test_as_many_tensors_as_results():
    with pytest.raises(TypeError, match="expected tuple of 3 elements but got 2"):
        L.svd(MATRIX, out=(tri.empty(0), tri.empty(0)))
    with pytest.raises(TypeError, match="argument 'out' must be tuple of Tensors, not Tensor"):
        L.svd(MATRIX, out=tri.empty(0))
