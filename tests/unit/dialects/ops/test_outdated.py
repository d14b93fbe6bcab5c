"""Are calls taken whose numbers stand among tensors? With PyTorch's warning, and its meaning.

The texts are those of torch 2.13, with trilith for torch.
"""

import warnings
from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri
from trilith.dialects import frames
from trilith.dialects.diagnostics import TrilithTypeError

face: Any = tri


@pytest.fixture(autouse=True)
def nothing_was_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "WARNED", set[str]())


def said(call: Callable[[], Any]) -> tuple[Any, str]:
    """Return what a call gives and the one warning of it."""
    with warnings.catch_warnings(record=True, action="always") as caught:
        result = call()
    (warning,) = caught
    return result, str(warning.message)


def square() -> Any:
    return tri.tensor([[0.0, 1.0], [2.0, 3.0]])


ONES: Any = tri.ones(2, 2)
VECTOR: Any = tri.tensor([1.0, 2.0])
ADD = """\
This overload of add is deprecated:
\tadd(Tensor input, Number alpha, Tensor other, *, Tensor out = None)
Consider using one of the following signatures instead:
\tadd(Tensor input, Tensor other, *, Number alpha = 1, Tensor out = None)"""
SUB_ = """\
This overload of sub_ is deprecated:
\tsub_(Number alpha, Tensor other)
Consider using one of the following signatures instead:
\tsub_(Tensor other, *, Number alpha = 1)"""
ADDMM = """\
This overload of addmm is deprecated:
\taddmm(Number beta, Tensor input, Number alpha, Tensor mat1, Tensor mat2, *, Tensor out = None)
Consider using one of the following signatures instead:
\taddmm(Tensor input, Tensor mat1, Tensor mat2, *, Number beta = 1, Number alpha = 1, \
Tensor out = None)
\taddmm(Tensor input, Tensor mat1, Tensor mat2, trilith.dtype out_dtype, *, Number beta = 1, \
Number alpha = 1, Tensor out = None)"""
ADDMV = """\
This overload of addmv is deprecated:
\taddmv(Number beta, Tensor mat, Tensor vec)
Consider using one of the following signatures instead:
\taddmv(Tensor mat, Tensor vec, *, Number beta = 1, Number alpha = 1)"""
ADDMV_ = """\
This overload of addmv_ is deprecated:
\taddmv_(Number beta, Tensor input, Number alpha, Tensor mat, Tensor vec)
Consider using one of the following signatures instead:
\taddmv_(Tensor input, Tensor mat, Tensor vec, *, Number beta = 1, Number alpha = 1)"""
ADDCMUL = """\
This overload of addcmul is deprecated:
\taddcmul(Tensor input, Number value, Tensor tensor1, Tensor tensor2, *, Tensor out = None)
Consider using one of the following signatures instead:
\taddcmul(Tensor input, Tensor tensor1, Tensor tensor2, *, Number value = 1, Tensor out = None)"""


@pytest.mark.parametrize(
    ("call", "text", "result"),
    [
        (lambda: face.add(square(), 2, ONES), ADD, [[2, 3], [4, 5]]),
        (lambda: face.add(square(), 2, other=ONES), ADD, [[2, 3], [4, 5]]),
        (lambda: face.add(square(), 2, ONES, out=tri.empty(2, 2)), ADD, [[2, 3], [4, 5]]),
        (lambda: face.add(1, 2, 3), ADD, 7),
        (lambda: square().sub_(2, ONES), SUB_, [[-2, -1], [0, 1]]),
        (lambda: face.addmm(2, square(), 3, ONES, ONES), ADDMM, [[6, 8], [10, 12]]),
        (lambda: VECTOR.addmv(2, square(), VECTOR), ADDMV, [4, 12]),
        (lambda: face.addmv_(2, VECTOR.clone(), 3, square(), VECTOR), ADDMV_, [8, 28]),
        (lambda: face.addcmul(square(), 2, ONES, ONES), ADDCMUL, [[2, 3], [4, 5]]),
    ],
)
def test_numbers_stand_among_tensors(call: Callable[[], Any], text: str, result: object):
    found, words = said(call)
    assert words == text
    assert found.tolist() == result


def test_a_call_of_fewer_arguments_is_another():
    x: Any = square()
    assert (x.add(1)).tolist() == [[1, 2], [3, 4]]
    for _ in range(100):  # as often as native code learns a call
        assert said_at_most_once(lambda: x.add(1, ONES)).tolist() == [[1, 2], [3, 4]]
    assert (x.add(1)).tolist() == [[1, 2], [3, 4]]
    assert x.add(ONES, alpha=3).tolist() == [[3, 4], [5, 6]]


def said_at_most_once(call: Callable[[], Any]) -> Any:
    with warnings.catch_warnings(record=True, action="always"):
        return call()


def test_compiled_functions_mean_the_same():
    def f(x: Any, n: Any, y: Any) -> Any:
        return x.add(n, y).addcmul_(2, y, y)

    with warnings.catch_warnings(record=True, action="always") as caught:
        found = tri.compile(f)(square(), 3.0, ONES)
    assert found.tolist() == [[5, 6], [7, 8]]
    assert len(caught) == 2


def test_what_is_no_such_call_is_refused_as_before():
    x: Any = square()
    for call in (
        lambda: face.add(x, ONES, 2),
        lambda: face.add(x, "a", ONES),
        lambda: face.add(x, 2, ONES, 4),
        lambda: face.mul(x, 2, ONES),
    ):
        with pytest.raises(TrilithTypeError, match="takes 2 positional arguments but"):
            call()
    with (
        pytest.warns(UserWarning, match="This overload of add is deprecated"),
        pytest.raises(RuntimeError, match="Boolean alpha only supported for Boolean results"),
    ):
        face.add(x, True, ONES)


_CHOLESKY = """\
trilith.cholesky is deprecated in favor of trilith.linalg.cholesky and will be removed in a \
future PyTorch release.
L = trilith.cholesky(A)
should be replaced with
L = trilith.linalg.cholesky(A)
and
U = trilith.cholesky(A, upper=True)
should be replaced with
U = trilith.linalg.cholesky(A).mH
This transform will produce equivalent results for all valid (symmetric positive definite) \
inputs."""
_QR = """\
trilith.qr is deprecated in favor of trilith.linalg.qr and will be removed in a future PyTorch \
release.
The boolean parameter 'some' has been replaced with a string parameter 'mode'.
Q, R = trilith.qr(A, some)
should be replaced with
Q, R = trilith.linalg.qr(A, 'reduced' if some else 'complete')"""
_LU_SOLVE = """\
trilith.lu_solve is deprecated in favor of trilith.linalg.lu_solveand will be removed in a future \
PyTorch release.
Note that trilith.linalg.lu_solve has its arguments reversed.
X = trilith.lu_solve(B, LU, pivots)
should be replaced with
X = trilith.linalg.lu_solve(LU, pivots, B)"""
_UPSAMPLE = "`nn.functional.upsample{}` is deprecated. Use `nn.functional.interpolate` instead."
_IMAGE: Any = tri.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
_OUTDATED: dict[str, tuple[Callable[[], Any], Any, str]] = {
    "cholesky": (lambda: tri.cholesky(4 * tri.eye(2)), [[2, 0], [0, 2]], _CHOLESKY),
    "cholesky of a method": (lambda: (4 * tri.eye(2)).cholesky(), [[2, 0], [0, 2]], _CHOLESKY),
    "qr": (lambda: face.qr(-tri.eye(1), some=False)[1], [[-1]], _QR),
    "lu_solve": (
        lambda: tri.lu_solve(tri.ones(1, 1), *tri.linalg.lu_factor(2 * tri.eye(1))),
        [[0.5]],
        _LU_SOLVE,
    ),
    "upsample": (
        lambda: face.nn.functional.upsample(_IMAGE[0], 4),
        [[[1, 1, 2, 2], [3, 3, 4, 4]]],
        _UPSAMPLE.format(""),
    ),
    "upsample_nearest": (
        lambda: face.nn.functional.upsample_nearest(_IMAGE, (2, 1)),
        [[[[1], [3]]]],
        _UPSAMPLE.format("_nearest"),
    ),
    "upsample_bilinear": (
        lambda: face.nn.functional.upsample_bilinear(_IMAGE, (2, 3)),
        [[[[1, 1.5, 2], [3, 3.5, 4]]]],
        _UPSAMPLE.format("_bilinear"),
    ),
}


@pytest.mark.parametrize("name", _OUTDATED)
def test_functions_that_others_have_taken_the_place_of(name: str):
    call, values, words = _OUTDATED[name]
    # A plan is made anew: in this process the function may have been called before.
    result, found = said(lambda: tri.compile(call)())
    assert (result.tolist(), found) == (values, words)
