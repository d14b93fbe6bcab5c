"""Are the numbers of each distribution its own, and refused where PyTorch refuses?"""

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.eager import operations as eager
from trilith.dialects.ops.frame.opspec import composite
from trilith.dialects.ops.frame.row import OpSpec
from trilith.dialects.ops.table import TABLE

from .test_randomness import COUNT, FAR, distance

F: Any = tri.nn.functional


@pytest.fixture(autouse=True)
def seeded() -> None:
    tri.manual_seed(21)


def near(found: Any, expected: float, deviation: float) -> bool:
    """Whether a mean of `COUNT` numbers is within four of its deviations."""
    mean = float(np.asarray(found, np.float64).mean())
    return abs(mean - expected) < 4 * deviation / math.sqrt(COUNT)


@pytest.mark.parametrize("dtype", [tri.float32, tri.float64])
def test_waiting_times(dtype: tri.dtype):
    x = tri.empty(COUNT, dtype=dtype).exponential_(2)
    assert (x > 0).all()
    assert distance(x, lambda v: -np.expm1(-2 * v)) < FAR
    x = tri.empty(COUNT, dtype=dtype).cauchy_(1, 3)
    assert distance(x, lambda v: np.arctan((v - 1) / 3) / math.pi + 0.5) < FAR


def test_trials():
    x = tri.empty(COUNT, dtype=tri.int64).geometric_(0.2).numpy()
    assert x.min() == 1
    assert near(x, 5, math.sqrt(0.8) / 0.2)
    for number in (1, 2, 7):
        expected = 0.2 * 0.8 ** (number - 1)
        assert near(x == number, expected, math.sqrt(expected))


def test_bernoulli():
    p = tri.tensor([0.0, 0.25, 1.0]).repeat(COUNT, 1)
    x = tri.bernoulli(p).numpy()
    assert not x[:, 0].any()
    assert x[:, 2].all()
    assert near(x[:, 1], 0.25, 0.44)
    assert near(tri.bernoulli(tri.zeros(COUNT, dtype=tri.int32), 0.75).numpy(), 0.75, 0.44)
    assert near(tri.empty(COUNT, dtype=tri.bool).bernoulli_(1e-3).numpy(), 1e-3, 0.032)
    assert tri.bernoulli(tri.zeros(2, 3).t()).stride() == (2, 1)
    with pytest.raises(RuntimeError, match="Expected p_in >= 0 && p_in <= 1 to be true"):
        tri.bernoulli(p + 0.1)


def test_multinomial():
    weights = tri.tensor([1.0, 2.0, 0.0, 7.0])
    found = tri.multinomial(weights, COUNT, True).numpy()
    for place, expected in enumerate((0.1, 0.2, 0.0, 0.7)):
        assert near(found == place, expected, 0.5)
    rows = tri.multinomial(weights.expand(COUNT, 4), 3).numpy()
    assert (np.sort(rows, 1) == [0, 1, 3]).all()
    assert near(rows[:, 0] == 3, 0.7, 0.5)
    # After the 7 has been drawn, 1 and 2 are left.
    after = rows[rows[:, 0] == 3][:, 1]
    assert abs((after == 1).mean() - 2 / 3) < 0.02
    one = tri.multinomial(weights.expand(COUNT, 4), 1).numpy()
    assert near(one == 1, 0.2, 0.4)
    with pytest.raises(RuntimeError, match=r"sum of probabilities <= 0"):
        tri.multinomial(tri.zeros(3), 1)
    with pytest.raises(RuntimeError, match="probability tensor contains either"):
        tri.multinomial(-weights, 1)
    with pytest.raises(RuntimeError, match="encountering probability entry < 0"):
        tri.multinomial(-weights, 2, True)


def test_counts():
    x = tri.poisson(tri.full((COUNT,), 4.0)).numpy()
    assert near(x, 4, 2)
    assert near(x == 0, math.exp(-4), 0.14)
    x = tri.binomial(tri.full((COUNT,), 10.0), tri.tensor(0.3)).numpy()
    assert near(x, 3, math.sqrt(2.1))
    edges = tri.binomial(tri.tensor([3.0, 3.0, -1.0, 5.0]), tri.tensor([0.0, 1.5, 0.5, math.nan]))
    assert edges[:3].tolist() == [0, 3, 0]
    assert math.isnan(float(edges[3]))
    with pytest.raises(RuntimeError, match="invalid Poisson rate"):
        tri.poisson(tri.tensor([-1.0]))


def test_dropout():
    x = tri.ones(COUNT)
    found = F.dropout(x, 0.2).numpy()
    assert set(found.tolist()) == {0.0, 1.25}
    assert near(found, 1, 0.5)
    assert F.dropout(x, 0.5, training=False) is x
    assert tri.dropout(x, 0.0, True) is x
    assert not F.dropout(x, 1.0).any()
    z = tri.randn(COUNT)
    kept = F.alpha_dropout(z, 0.3, True).numpy()
    assert near(kept, 0, 1)
    assert abs(kept.var() - 1) < 0.05
    y = tri.ones(4)
    assert F.dropout(y, 0.5, inplace=True) is y
    assert set(y.tolist()) <= {0.0, 2.0}
    assert tri.dropout_(y, 0.5, True) is y


@pytest.mark.parametrize(
    ("function", "shape"),
    [("dropout1d", (9, 20, 5)), ("dropout2d", (9, 20, 2, 3)), ("dropout3d", (9, 20, 2, 3, 2))],
)
def test_whole_channels_are_dropped(function: str, shape: tuple[int, ...]):
    x = getattr(F, function)(tri.ones(shape), 0.5).numpy().reshape(180, -1)
    assert (x == x[:, :1]).all()
    assert 50 < (x[:, 0] == 0).sum() < 130


def test_native_dropout_says_what_stays():
    x = tri.arange(1.0, 9.0)
    dropped, mask = tri.native_dropout(x, 0.5, True)
    assert mask.dtype is tri.bool
    assert dropped.tolist() == (x * mask * 2).tolist()


def test_random_slopes():
    x = -tri.ones(COUNT)
    slopes = -F.rrelu(x, 0.25, 0.75, True)
    assert distance(slopes, lambda v: (v - 0.25) * 2) < FAR
    assert tri.rrelu(tri.tensor([-1.0, 2.0]), 0.25, 0.75).tolist() == [-0.5, 2.0]


def test_gumbel():
    logits = tri.tensor([0.0, math.log(3)]).expand(COUNT, 2)
    hard = F.gumbel_softmax(logits, hard=True).numpy()
    assert (np.sort(hard, 1) == [0, 1]).all()
    assert near(hard[:, 1], 0.75, 0.44)
    soft = F.gumbel_softmax(logits, tau=0.5, dim=0).numpy()
    np.testing.assert_allclose(soft.sum(0), 1, rtol=1e-4)


def everything(x: tri.Tensor, weights: tri.Tensor) -> tuple[tri.Tensor, ...]:
    """Draw from each distribution."""
    x = F.dropout(x, 0.5)
    planes = F.dropout2d(x.reshape(1, 5, 2, 2), 0.5).sum()
    waiting = tri.bernoulli(tri.sigmoid(x)) + tri.zeros(20, device=x.device).exponential_()
    places = tri.multinomial(weights, 2), tri.multinomial(weights, 5, True)
    counts = tri.poisson(x + 3) + tri.binomial(x + 5, tri.sigmoid(x))
    order = tri.randperm(7)
    written = x.clone()
    written.bernoulli_(0.3)
    written[3:].cauchy_()
    written[:2].normal_(3, 2)
    F.dropout(written, 0.2, inplace=True)
    around = tri.normal(x, 2.0) + tri.normal(1.0, weights.sum().expand(20))
    sloped = tri.rrelu(x - 1, 0.1, 0.3, True) + tri.native_dropout(x, 0.3, True)[0]
    hard = F.gumbel_softmax(x, hard=True) + tri.alpha_dropout(x, 0.4, True)
    return (
        counts,
        order,
        planes,
        waiting,
        *places,
        written,
        around,
        sloped,
        hard,
        tri.randint_like(x, 3),
    )


def drawn(function: Callable[..., Any], *arguments: tri.Tensor) -> list[Any]:
    tri.manual_seed(3)
    return [part.tolist() for _ in range(2) for part in function(*arguments)]


def test_compiled_functions_draw_what_eager_ones_do():
    compiled = tri.compile(everything)
    given = tri.ones(20), tri.tensor([1.0, 2.0, 3.0])
    assert drawn(compiled, *given) == drawn(everything, *given)
    assert compiled.stats().eager_calls == 0


def test_refusals():
    x, whole = tri.zeros(3), tri.zeros(3, dtype=tri.int64)
    for draw, error, words in (
        (lambda: x.uniform_(1, 0), RuntimeError, r"found from=1 > to=0"),
        (lambda: x.uniform_(-1e39, 1), RuntimeError, "from is out of bounds for float"),
        (lambda: x.normal_(0, -1), RuntimeError, r"normal expects std >= 0.0, but found std -1"),
        (lambda: x.exponential_(0), RuntimeError, r"expects lambda > 0.0, but found lambda=0"),
        (lambda: whole.exponential_(), RuntimeError, "floating point but you specified Long"),
        (lambda: whole.cauchy_(), RuntimeError, "floating point but you specified long int"),
        (lambda: x.geometric_(1), RuntimeError, r"expects p to be in \(0, 1\), but got p=1"),
        (lambda: x.log_normal_(0, 0), RuntimeError, r"log_normal_ expects std > 0.0"),
        (lambda: x.bernoulli_(1.5), RuntimeError, r"bernoulli_ expects p to be in \[0, 1\]"),
        (lambda: tri.multinomial(x, 4), RuntimeError, r"n_sample > prob_dist.size\(-1\) samples"),
        (lambda: tri.binomial(whole, x), ValueError, "floating-point dtypes for count, got: Long"),
        (lambda: tri.dropout(x, 1.5, True), RuntimeError, "between 0 and 1, but got 1.5"),
        (lambda: F.dropout(x, 2), ValueError, "between 0 and 1, but got 2"),
        (lambda: F.dropout(whole, 0.5), RuntimeError, "can't be cast to the desired output type"),
        (lambda: F.dropout1d(x), RuntimeError, "Expected 2D or 3D input, but received a 1D input"),
        (lambda: tri.feature_dropout(x, 0.5, True), RuntimeError, "at least 2 dimensions"),
        (lambda: tri.rrelu(x, 0.5, 0.2), RuntimeError, "less than or equal to the upper bound"),
        (lambda: F.gumbel_softmax(whole), RuntimeError, "Exponential distribution is a continuous"),
    ):
        with pytest.raises(error, match=words):
            draw()


def noisy_body(t: Any, input: Any, p: float) -> Any:
    return t.call("add", t.call("nn_functional_dropout", input, p), t.call("rand_like", input))


@pytest.fixture
def noisy() -> Iterator[OpSpec]:
    """A composite over rows that draw, as others may write one."""
    composite(
        "noisy(Tensor input, float p=0.5)",
        "A tensor with noise.",
        "tri.noisy(tri.ones(1))  # tensor([1.])",
        noisy_body,
    )
    eager.install()
    yield TABLE["noisy"]
    del TABLE["noisy"]
    delattr(tri.Tensor, "noisy")
    if "noisy" in vars(tri):
        delattr(tri, "noisy")
    eager.forget_plans()


def test_composites_over_rows_that_draw_draw_anew(noisy: OpSpec):
    function: Any = getattr(tri, noisy.name)
    compiled = tri.compile(lambda x: (function(x),))

    def run(x: tri.Tensor) -> tuple[tri.Tensor]:
        return (function(x),)

    found = drawn(run, tri.ones(9))
    assert found[0] != found[1]
    assert drawn(compiled, tri.ones(9)) == found
    assert compiled.stats().eager_calls == 0
