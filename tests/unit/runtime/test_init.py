"""Do weights get the distributions that PyTorch's formulas say?"""

import math
import re
from typing import Any

import numpy as np
import pytest

import trilith as tri

init: Any = tri.nn.init
#: Weights of 300 outputs, each of 40 * 5 * 5 inputs.
SHAPE = (300, 40, 5, 5)
FAN_IN, FAN_OUT = 40 * 25, 300 * 25


@pytest.fixture(autouse=True)
def a_seed():
    with tri.random.fork_rng():
        tri.manual_seed(5)
        yield


def drawn(name: str, *arguments: Any, shape: Any = SHAPE, **keywords: Any) -> Any:
    w: Any = tri.empty(shape, requires_grad=True)
    assert getattr(init, name)(w, *arguments, **keywords) is w
    assert (w.requires_grad, w.grad_fn) == (True, None)
    return w.detach().numpy().astype(float)


#: A call, and the standard deviation of what it draws.
WIDTHS: dict[str, tuple[Any, float]] = {
    "uniform": (lambda: drawn("uniform_", -3, 3), math.sqrt(3)),
    "normal": (lambda: drawn("normal_", 0.0, 0.5), 0.5),
    "xavier_uniform": (lambda: drawn("xavier_uniform_"), math.sqrt(2 / (FAN_IN + FAN_OUT))),
    "xavier_normal": (lambda: drawn("xavier_normal_", 2), 2 * math.sqrt(2 / (FAN_IN + FAN_OUT))),
    "kaiming_uniform": (lambda: drawn("kaiming_uniform_"), math.sqrt(2 / FAN_IN)),
    "kaiming_slope": (lambda: drawn("kaiming_uniform_", 2.0), math.sqrt(2 / 5 / FAN_IN)),
    "kaiming_normal": (
        lambda: drawn("kaiming_normal_", mode="fan_out", nonlinearity="tanh"),
        5 / 3 / math.sqrt(FAN_OUT),
    ),
    # Of a normal distribution between -2 and 2 standard deviations (scipy.stats.truncnorm).
    "trunc_normal": (lambda: drawn("trunc_normal_", std=0.02, a=-0.04, b=0.04), 0.02 * 0.87962566),
}


@pytest.mark.parametrize("name", WIDTHS)
def test_how_wide_weights_are_spread(name: str):
    draw, width = WIDTHS[name]
    found = draw()
    assert found.std() == pytest.approx(width, rel=0.01)
    assert abs(found.mean()) < width / 100
    if "uniform" in name:
        assert abs(found).max() <= width * math.sqrt(3) * (1 + 1e-6)
        assert abs(found).max() > width * math.sqrt(3) * 0.999


def test_a_tail_of_a_normal_distribution():
    with pytest.warns(UserWarning, match=r"mean is more than 2 std from \[a, b\]"):
        found = drawn("trunc_normal_", 0.0, 1.0, 2.5, 4.0, shape=(100_000,))
    assert (found.min() >= 2.5, found.max() <= 4.0) == (True, True)
    # The mean of that part: (density(2.5) - density(4)) / (its probability).
    density = [math.exp(-x * x / 2) / math.sqrt(2 * math.pi) for x in (2.5, 4.0)]
    part = (math.erf(4 / math.sqrt(2)) - math.erf(2.5 / math.sqrt(2))) / 2
    assert found.mean() == pytest.approx((density[0] - density[1]) / part, rel=0.002)


@pytest.mark.parametrize("shape", [(6, 4), (4, 6), (5, 2, 3)])
def test_rows_or_columns_are_orthogonal(shape: Any):
    w = drawn("orthogonal_", 2, shape=shape).reshape(shape[0], -1)
    products = w @ w.T if w.shape[0] <= w.shape[1] else w.T @ w
    np.testing.assert_allclose(products, 4 * np.eye(len(products)), atol=1e-5)


def test_constants_and_identities():
    assert drawn("constant_", 3, shape=2).tolist() == [3, 3]
    assert drawn("ones_", shape=2).tolist() == [1, 1]
    assert drawn("zeros_", shape=2).tolist() == [0, 0]
    assert drawn("eye_", shape=(3, 2)).tolist() == np.eye(3, 2).tolist()
    found = drawn("dirac_", 2, shape=(4, 2, 3, 3))
    expected = np.zeros((4, 2, 3, 3))
    expected[[0, 1, 2, 3], [0, 1, 0, 1], 1, 1] = 1
    assert found.tolist() == expected.tolist()
    assert (drawn("sparse_", 0.3, shape=(10, 4)) == 0).sum(0).tolist() == [3] * 4


def test_gains_and_refusals():
    names = ("linear", "conv_transpose2d", "sigmoid", "tanh", "relu", "leaky_relu", "selu")
    expected = [1, 1, 1, 5 / 3, math.sqrt(2), math.sqrt(2 / (1 + 0.01**2)), 0.75]
    assert [init.calculate_gain(name) for name in names] == expected
    x = tri.empty(3)
    for call, text in (
        (lambda: init.calculate_gain("swish"), "Unsupported nonlinearity swish"),
        (lambda: init.calculate_gain("leaky_relu", True), "negative_slope True not a valid number"),
        (
            lambda: init.xavier_normal_(x),
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions",
        ),
        (
            lambda: init.kaiming_normal_(tri.empty(2, 2), mode="Fan"),
            "Mode fan not supported, please use one of ['fan_in', 'fan_out']",
        ),
        (lambda: init.eye_(x), "Only tensors with 2 dimensions are supported"),
        (lambda: init.dirac_(x), "Only tensors with 3, 4, or 5 dimensions are supported"),
        (lambda: init.dirac_(tri.empty(3, 1, 1), 2), "dim 0 must be divisible by groups"),
        (lambda: init.orthogonal_(x), "Only tensors with 2 or more dimensions are supported"),
    ):
        with pytest.raises(ValueError, match=re.escape(text)):
            call()


def test_names_of_old_and_nothing_to_fill():
    with pytest.warns(FutureWarning, match=r"`nn\.init\.normal` is now deprecated in favor of"):
        init.normal(tri.empty(2))
    with pytest.warns(UserWarning, match="Initializing zero-element tensors is a no-op"):
        assert init.kaiming_uniform_(tri.empty(0, 3)).shape == (0, 3)
