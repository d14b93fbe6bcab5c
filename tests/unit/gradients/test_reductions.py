"""Gradients of reductions and scans: differences, zeros, ties and degrees of freedom."""

# Lambdas have no types of their own.
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
import trilith.autograd

from .slopes import check, drawn

nan, inf = float("nan"), float("inf")

SMOOTH: dict[str, Callable[[Any], Any]] = {
    "prod": lambda x: x.prod(),
    "prod of dim": lambda x: x.prod(1, keepdim=True),
    "amax": lambda x: x.amax((0, 1)),
    "amin": lambda x: x.amin(-1),
    "max": lambda x: x.max(),
    "max of dim": lambda x: x.max(0)[0],
    "min of dim": lambda x: x.min(1, keepdim=True)[0],
    "aminmax": lambda x: sum(tri.aminmax(x, dim=0)),
    "var": lambda x: x.var(),
    "var of dim": lambda x: x.var(1, correction=0),
    "std": lambda x: x.std((0, 1), keepdim=True),
    "var and mean": lambda x: sum(tri.var_mean(x, 1)),
    "std and mean": lambda x: tri.std_mean(x, 0)[1] * tri.std_mean(x, 0)[0],
    "logsumexp": lambda x: x.logsumexp((0, 1)),
    "nansum": lambda x: x.nansum(1),
    "median": lambda x: x.median(),
    "median of dim": lambda x: x.median(1)[0],
    "kthvalue": lambda x: x.kthvalue(2, 1)[0],
    "sort": lambda x: x.sort(1, descending=True)[0] * x,
    "topk": lambda x: x.topk(2, 1)[0],
    "quantile": lambda x: x.quantile(0.3, 1),
    "norm": lambda x: x.norm(),
    "norm of order 3": lambda x: x.norm(3, 1),
    "norm of order 1/2": lambda x: x.norm(0.5, 1),
    "norm of order 3/2": lambda x: x.norm(1.5, 0, keepdim=True),
    "largest": lambda x: x.norm(inf, 1),
    "dist": lambda x: tri.dist(x, x * x),
    "cumsum": lambda x: x.cumsum(1) * x,
    "cumprod": lambda x: x.cumprod(1),
    "cumprod of rows": lambda x: x.cumprod(0),
    "cummax": lambda x: x.cummax(1)[0],
    "cummin": lambda x: x.cummin(0)[0],
    "logcumsumexp": lambda x: x.logcumsumexp(1),
}
#: Those of which a compiled function is made, too.
COMPILED = ("prod", "amax", "std", "logsumexp", "sort", "cumprod")


@pytest.mark.parametrize("name", SMOOTH)
def test_as_differences_say(name: str) -> None:
    check(SMOOTH[name], drawn(1, 2, 3), is_compiled=name in COMPILED)


@pytest.mark.parametrize("zeros", [(1,), (0, 2), (0, 1, 3)])
def test_products_with_zeros(zeros: tuple[int, ...]) -> None:
    numbers = drawn(2, 4)
    numbers[list(zeros)] = 0
    check(lambda x: x.prod(), numbers)
    check(lambda x: x.cumprod(0), numbers)


def gradient(function: Callable[..., Any], numbers: Any) -> Any:
    x = tri.tensor(numbers, dtype=tri.float64).requires_grad_()
    return trilith.autograd.grad(function(x).sum(), x)[0].numpy()


KINKS: list[tuple[Callable[[Any], Any], Any, Any]] = [
    (lambda x: x.amax(0), [1.0, 3.0, 3.0], [0, 0.5, 0.5]),
    (lambda x: x.max(0)[0], [1.0, 3.0, 3.0], [0, 1, 0]),
    (lambda x: x.max(), [nan, 1.0, nan], [0.5, 0, 0.5]),
    (lambda x: x.amax(), [nan, 1.0], [nan, nan]),
    (lambda x: x.median(), [2.0, 2.0, 2.0], [1 / 3] * 3),
    (lambda x: x.cummax(0)[0], [1.0, 3.0, 3.0, 2.0], [1, 1, 2, 0]),
    (lambda x: x.std(), [1.0, 1.0, 1.0], [0, 0, 0]),
    (lambda x: x.std(), [2.0], [nan]),
    (lambda x: x.var(correction=0), [2.0], [0]),
    (lambda x: x.norm(), [0.0, 0.0], [0, 0]),
    (lambda x: x.norm(-inf), [1.0, -1.0, 3.0], [0.5, -0.5, 0]),
    (lambda x: x.logsumexp(0), [-inf, -inf], [nan, nan]),
    (lambda x: x.logcumsumexp(0), [-inf, 0.0, 1.0], [nan, 1.2689414214, 0.7310585786]),
    (lambda x: x.nansum(), [nan, 1.0], [0, 1]),
    (lambda x: x.nanmean(), [nan, 1.0, 3.0], [0, 0.5, 0.5]),
]


@pytest.mark.parametrize("number", range(len(KINKS)))
def test_kinks_are_those_of_pytorch(number: int) -> None:
    function, numbers, wanted = KINKS[number]
    np.testing.assert_allclose(gradient(function, numbers), wanted, rtol=1e-7)


def test_indices_have_no_gradient() -> None:
    values, indices = tri.ones(3).requires_grad_().max(0)
    assert values.requires_grad
    assert not indices.requires_grad
    assert not tri.ones(3).requires_grad_().argmax().requires_grad


def test_unique_has_no_derivative() -> None:
    x = tri.tensor([1.0, 1.0, 2.0]).requires_grad_()
    with pytest.raises(
        NotImplementedError, match="the derivative for '_unique2' is not implemented"
    ):
        x.unique().sum().backward()


def test_rows_of_several_dims_share_what_is_cheap():
    """One fusion computes again what was the other's, which then has nothing left to do with it."""

    def loss(x: Any) -> Any:
        return tri.amax(x).sum() + tri.amax(x, dim=(-1, 2, -3)).sum()

    x = tri.ones(1, 2, 1, 1, dtype=tri.float64)
    assert tri.compile(tri.grad(loss))(x).tolist() == tri.grad(loss)(x).tolist()
