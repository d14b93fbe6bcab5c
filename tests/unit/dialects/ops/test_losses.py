"""Are losses and distances what their formulas say, however they are reduced?"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import trilith as tri

F: Any = tri.nn.functional
GENERATOR = np.random.default_rng(11)
X, Y = GENERATOR.normal(size=(2, 6, 5))
P, Q = GENERATOR.uniform(0.05, 0.95, size=(2, 6, 5))
SIGNS = np.sign(GENERATOR.normal(size=(6, 5)))


def huber(x: Any, delta: float) -> Any:
    near = abs(x) <= delta
    return near * x * x / 2 + ~near * delta * (abs(x) - delta / 2)


def entropy(p: Any, y: Any) -> Any:
    return -(y * np.log(p) + (1 - y) * np.log(1 - p))


LOGISTIC = 1 / (1 + np.exp(-X))
#: Name, operands, other arguments, losses of elements.
ELEMENTWISE: list[tuple[str, tuple[Any, ...], dict[str, Any], Any]] = [
    ("mse_loss", (X, Y), {}, (X - Y) ** 2),
    ("l1_loss", (X, Y), {}, abs(X - Y)),
    ("huber_loss", (X, Y), {"delta": 0.7}, huber(X - Y, 0.7)),
    ("smooth_l1_loss", (X, Y), {"beta": 0.7}, huber(X - Y, 0.7) / 0.7),
    ("binary_cross_entropy", (P, Q), {}, entropy(P, Q)),
    ("binary_cross_entropy_with_logits", (X, Q), {}, entropy(LOGISTIC, Q)),
    ("kl_div", (X, P), {}, P * (np.log(P) - X)),
    ("kl_div", (X, Y), {"log_target": True}, np.exp(Y) * (Y - X)),
    ("poisson_nll_loss", (X, P), {}, np.exp(X) - P * X),
    ("soft_margin_loss", (X, SIGNS), {}, np.log1p(np.exp(-SIGNS * X))),
    ("hinge_embedding_loss", (X, SIGNS), {}, np.where(SIGNS == 1, X, np.maximum(0, 1 - X))),
    ("margin_ranking_loss", (X, Y, SIGNS), {}, np.maximum(0, -SIGNS * (X - Y))),
    (
        "gaussian_nll_loss",
        (X, Y, P),
        {"full": True},
        (np.log(P) + (X - Y) ** 2 / P + math.log(2 * math.pi)) / 2,
    ),
]


@pytest.mark.parametrize(
    ("name", "operands", "others", "losses"),
    ELEMENTWISE,
    ids=[" ".join([row[0], *row[2]]) for row in ELEMENTWISE],
)
@pytest.mark.filterwarnings("ignore:reduction. 'mean' divides")
def test_loss_of_elements_is_reduced(name: str, operands: Any, others: Any, losses: Any):
    function = getattr(F, name)
    for reduction, expected in (("none", losses), ("mean", losses.mean()), ("sum", losses.sum())):

        def call(*tensors: Any, reduction: str = reduction) -> Any:
            return function(*tensors, reduction=reduction, **others)

        wide = [tri.from_numpy(operand) for operand in operands]
        np.testing.assert_allclose(call(*wide).numpy(), expected, rtol=1e-13, atol=1e-13)
        single = [tensor.float() for tensor in wide]
        found = call(*single)
        np.testing.assert_allclose(found.numpy(), expected, rtol=2e-5, atol=2e-6)
        assert tri.compile(call)(*single).numpy().tobytes() == found.numpy().tobytes()


def test_outdated_words_of_a_reduction():
    x, y = tri.from_numpy(X), tri.from_numpy(Y)
    with pytest.warns(UserWarning, match="please use reduction='sum' instead"):
        total = F.mse_loss(x, y, size_average=False)
    assert total.item() == F.mse_loss(x, y, reduction="sum").item()
    with pytest.raises(ValueError, match="some is not a valid value for reduction"):
        F.l1_loss(x, y, reduction="some")
    with pytest.warns(UserWarning, match="different to the input size"):
        F.mse_loss(x, y[0])


def test_numbers_stand_for_reductions_in_flat_functions():
    x, y, signs = (tri.from_numpy(array) for array in (X, Y, SIGNS))
    for number, word in enumerate(("none", "mean", "sum")):
        flat = tri.hinge_embedding_loss(x, signs, 0.5, number)
        assert flat.tolist() == F.hinge_embedding_loss(x, signs, 0.5, reduction=word).tolist()
        flat = tri.margin_ranking_loss(x, y, signs, 0.5, number)
        assert flat.tolist() == F.margin_ranking_loss(x, y, signs, 0.5, reduction=word).tolist()


def test_weights():
    x, y, w = (tri.from_numpy(array) for array in (X, Y, P))
    found = F.mse_loss(x, y, weight=w).item()
    assert found == pytest.approx((P * (X - Y) ** 2).sum() / P.sum())
    found = F.binary_cross_entropy_with_logits(x, w, pos_weight=tri.tensor(3.0)).item()
    expected = -(3 * P * np.log(LOGISTIC) + (1 - P) * np.log(1 - LOGISTIC)).mean()
    assert found == pytest.approx(expected)


def test_what_is_no_probability_or_variance():
    x = tri.from_numpy(X)
    with pytest.raises(RuntimeError, match="all elements of input should be between 0 and 1"):
        F.binary_cross_entropy(x, x)
    with pytest.raises(ValueError, match="var has negative entry/entries"):
        F.gaussian_nll_loss(x, x, x)
    ends = F.binary_cross_entropy(tri.tensor([0.0, 1.0]), tri.tensor([1.0, 0.0]), reduction="none")
    assert ends.tolist() == [100.0, 100.0]
    assert F.kl_div(tri.zeros(1), tri.zeros(1), reduction="sum").item() == 0


@pytest.mark.parametrize("p", [0.0, 1.0, 2.0, 3.5, math.inf])
def test_distances_and_directions(p: float):
    x, y = tri.from_numpy(X), tri.from_numpy(Y)
    expected = np.linalg.norm(X - Y + 1e-6, p, axis=-1)
    np.testing.assert_allclose(F.pairwise_distance(x, y, p).numpy(), expected, rtol=1e-12)
    if p:
        lengths = np.linalg.norm(X, p, axis=0, keepdims=True)
        np.testing.assert_allclose(F.normalize(x, p, dim=0).numpy(), X / lengths, rtol=1e-12)


def test_normalize_takes_several_dims():
    x = tri.arange(12.0, dtype=tri.float64).reshape(2, 3, 2)
    length = [220.0**0.5, 286.0**0.5]  # of the even numbers below 12, and of the odd ones
    expected = x.numpy() / length
    compiled: Any = tri.compile(F.normalize)
    for function in (F.normalize, compiled):
        np.testing.assert_allclose(function(x, dim=(0, 1)).numpy(), expected, rtol=1e-14)
        np.testing.assert_allclose(function(x, dim=[1, -3]).numpy(), expected, rtol=1e-14)
    assert F.normalize(x, dim=()).equal(F.normalize(x, dim=None))
    with pytest.raises(RuntimeError, match="dim 0 appears multiple times in the list of dims"):
        F.normalize(x, dim=(0, 0))


def test_similarity_of_large_and_of_no_vectors():
    x, y = tri.from_numpy(X), tri.from_numpy(Y)
    lengths = np.linalg.norm(X, axis=1) * np.linalg.norm(Y, axis=1)
    expected = (X * Y).sum(1) / lengths
    np.testing.assert_allclose(F.cosine_similarity(x, y).numpy(), expected, rtol=1e-12)
    assert F.cosine_similarity(tri.zeros(1, 3), tri.ones(1, 3)).item() == 0
    labels = np.sign(expected)
    found = F.cosine_embedding_loss(x, y, tri.from_numpy(labels), reduction="none").numpy()
    alike = labels == 1
    np.testing.assert_allclose(found[alike], 1 - expected[alike], rtol=1e-10)
    np.testing.assert_allclose(found[~alike], expected[~alike].clip(0), rtol=1e-10)


def test_triplets():
    x, y, z = (tri.from_numpy(array) for array in (X, Y, P))
    near = np.linalg.norm(X - Y + 1e-6, axis=1)
    far = np.minimum(np.linalg.norm(X - P + 1e-6, axis=1), np.linalg.norm(Y - P + 1e-6, axis=1))
    expected = np.maximum(near - far + 1, 0)
    found = F.triplet_margin_loss(x, y, z, swap=True, reduction="none")
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12)

    def distance(first: Any, second: Any) -> Any:
        return F.pairwise_distance(first, second)

    def loss(*tensors: Any) -> Any:
        return F.triplet_margin_with_distance_loss(
            *tensors, distance_function=distance, swap=True, reduction="none"
        )

    assert loss(x, y, z).tolist() == found.tolist()
    assert tri.compile(loss)(x, y, z).tolist() == found.tolist()


@pytest.mark.parametrize("p", [1, 2])
def test_margins_of_classes(p: int):
    places = [0, 4, 2, 1, 3, 0]
    expected = [
        sum(max(0, 0.5 + row[i] - row[place]) ** p for i in range(5) if i != place) / 5
        for row, place in zip(X, places, strict=True)
    ]
    x = tri.from_numpy(X)
    found = F.multi_margin_loss(x, tri.tensor(places), p, margin=0.5, reduction="none")
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12)


def test_margins_of_labels():
    labels = [[0, 3, -1, 2, 1], [-1, 0, 0, 0, 0], [4, 3, 2, 1, 0], [2, 2, -1, -1, -1]]
    expected: list[float] = []
    for row, named in zip(X, labels, strict=False):
        right = named[: named.index(-1)] if -1 in named else named
        others = [i for i in range(5) if i not in right]
        expected.append(sum(max(0, 1 - (row[j] - row[i])) for j in right for i in others) / 5)
    x = tri.from_numpy(X[:4])
    found = F.multilabel_margin_loss(x, tri.tensor(labels), reduction="none")
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12)
    found = F.multilabel_soft_margin_loss(x, tri.from_numpy(P[:4]), reduction="none")
    np.testing.assert_allclose(found.numpy(), entropy(LOGISTIC, P)[:4].mean(1), rtol=1e-12)


def test_flat_functions_reduce_when_they_are_told_to():
    losses = [-1.0, -1.0 - 1.0]
    x = tri.tensor([1.0, 2.0])
    for reduction, expected in ((0, losses), (1, -1.5), (2, -3.0)):
        assert tri.kl_div(x, tri.ones(2), reduction).tolist() == expected
    assert tri.kl_div(x, tri.ones(2)).tolist() == losses
    assert tri.hinge_embedding_loss(x, tri.ones(2)).tolist() == [1, 2]
    assert tri.margin_ranking_loss(x, x, tri.ones(2), 0.5).tolist() == [0.5, 0.5]


def test_a_number_as_variance():
    x, y = tri.tensor([1.0, 2.0]), tri.tensor([2.0, 4.0])
    expected = F.gaussian_nll_loss(x, y, tri.full((2,), 0.5))
    runs: list[Any] = [F.gaussian_nll_loss, tri.compile(F.gaussian_nll_loss)]
    for run in runs:
        assert run(x, y, 0.5).tolist() == expected.tolist()
        with pytest.raises(ValueError, match="var has negative entry/entries"):
            run(x, y, -0.5)
        with pytest.raises(TypeError, match="must be Tensor or float, not int"):
            run(x, y, 1)


@pytest.mark.parametrize("bad", [-1, 5, 11])
def test_targets_out_of_bounds(bad: int):
    x, weight = tri.from_numpy(X), tri.ones(5, dtype=tri.float64)
    target = tri.tensor([0, 1, bad, 2, 3, 4])
    losses: list[Any] = [F.nll_loss, F.cross_entropy, tri.compile(F.cross_entropy)]
    for loss in losses:
        with pytest.raises(IndexError, match=rf"Target {bad} is out of bounds\."):
            loss(x, target)
        with pytest.raises(IndexError, match=rf"Target {bad} is out of bounds\."):
            loss(x[0], target[2], weight)


#: What PyTorch 2.13 says of targets that a loss does not take.
REFUSED: Sequence[tuple[Any, type[Exception], str]] = [
    (
        lambda dtype=dtype: F.binary_cross_entropy(tri.ones(3), tri.ones(3, dtype=dtype)),
        RuntimeError,
        f"Found dtype {word} but expected Float",
    )
    for dtype, word in (
        (tri.int64, "Long"),
        (tri.float64, "Double"),
        (tri.bool, "Bool"),
        (tri.complex64, "ComplexFloat"),
    )
] + [
    (
        lambda: F.hinge_embedding_loss(tri.tensor([0, 3]), tri.ones(2)),
        RuntimeError,
        "mean(): could not infer output dtype. Input dtype must be either a floating point or "
        "complex dtype. Got: Long",
    ),
    (
        lambda: F.nll_loss(tri.ones(4), tri.tensor([1, 2])),
        ValueError,
        "For 1D input, 1D target must have size 1, but got target size: 2",
    ),
    (
        lambda: F.cross_entropy(tri.ones(4), tri.tensor([1, 2])),
        ValueError,
        "For 1D input, 1D target must have size 1, but got target size: 2",
    ),
    (
        lambda: F.cross_entropy(tri.ones(4), tri.tensor([1.0, 2.0])),
        RuntimeError,
        "expected target dtype to be Long or Byte, but got Float",
    ),
    (
        lambda: F.nll_loss(tri.ones(0, 4), tri.tensor(1)),
        IndexError,
        "Dimension specified as 0 but tensor has no dimensions",
    ),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_targets_of_other_dtypes_and_sizes(number: int):
    call, kind, text = REFUSED[number]
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value).split("\n")[0] == text


def test_margins_of_integers_are_integers():
    """As in PyTorch, where the margin less a tensor is computed in the tensor's dtype."""
    x, target = tri.tensor([0, 1, 3]), tri.tensor([0.0, 1.0, -1.0])
    found = F.hinge_embedding_loss(x, target, margin=2.5, reduction="none")
    assert found.dtype is tri.int64
    assert found.tolist() == [2, 1, 0]


def test_classes_that_are_not_there():
    x, labels = tri.ones(2, 3), tri.ones(1, 2)
    one, several = F.multi_margin_loss, F.multilabel_margin_loss
    compiled_one: Any = tri.compile(one)
    compiled_several: Any = tri.compile(several)
    for function in (one, compiled_one):
        for target in ([0, 3], [-1, 0]):
            with pytest.raises(RuntimeError, match="target out of range"):
                function(x, tri.tensor(target))
        with pytest.raises(RuntimeError, match="expected scalar type Long but found Int"):
            function(x, tri.tensor([0, 1], dtype=tri.int32))
    for function in (several, compiled_several):
        for target in ([0, 2], [-2, 0], [-1, 5]):
            with pytest.raises(RuntimeError, match="argument #2 'target' is out of range"):
                function(labels, tri.tensor([target]))
        assert function(labels, tri.tensor([[0, -1]])).item() == 0.5
