"""Are softmax, the norms and the losses of classes what their formulas say? NumPy in float64."""

from typing import Any

import numpy as np
import pytest

import trilith as tri

functional = tri.nn.functional
RANDOM = np.random.default_rng(11)
X = RANDOM.standard_normal((4, 6, 5)).astype(np.float32)
#: The relative error of a dtype; the formulas are computed in float32 and rounded once.
CLOSE = {"float32": 2e-6, "float64": 1e-14, "float16": 1e-3, "bfloat16": 8e-3}


def close(found: Any, expected: Any, dtype: str = "float32") -> None:
    np.testing.assert_allclose(
        found.double().numpy(), expected, rtol=CLOSE[dtype], atol=CLOSE[dtype]
    )


def softmax(values: Any, dim: int) -> Any:
    exponentials = np.exp(values - values.max(dim, keepdims=True))
    return exponentials / exponentials.sum(dim, keepdims=True)


def normalised(values: Any, dims: tuple[int, ...], eps: float = 1e-5) -> Any:
    spread = values.var(dims, keepdims=True) + eps
    return (values - values.mean(dims, keepdims=True)) / np.sqrt(spread)


@pytest.mark.parametrize("dtype", CLOSE)
@pytest.mark.parametrize("dim", [0, 1, -1])
def test_softmax(dtype: str, dim: int):
    x = tri.tensor(X).to(getattr(tri, dtype))
    values = x.double().numpy()
    expected = softmax(values, dim)
    close(tri.softmax(x, dim), expected, dtype)
    close(functional.softmin(-x, dim), expected, dtype)
    close(tri.softmax(x, dim, dtype=tri.float64), expected, "float64")
    if dtype in ("float32", "float64"):
        close(tri.log_softmax(x, dim), np.log(expected), dtype)
    assert tri.softmax(x.transpose(0, 2), dim).stride() == (24, 4, 1)


def test_softmax_of_infinities_and_nothing():
    inf = float("inf")
    np.testing.assert_array_equal(
        tri.softmax(tri.tensor([[-inf, 0.0], [-inf, -inf], [inf, 0.0]]), 1).numpy(),
        [[0, 1], [np.nan] * 2, [np.nan] * 2],
    )
    assert tri.softmax(tri.zeros(0, 3), 0).shape == (0, 3)
    assert tri.softmax(tri.tensor(3.0), 0).item() == 1
    with pytest.raises(NotImplementedError, match="softmax_lastdim_kernel_impl"):
        tri.softmax(tri.tensor([1]), 0)
    with pytest.warns(UserWarning, match="Implicit dimension choice for softmax"):
        assert functional.softmax(tri.zeros(2, 4)).sum().item() == 2


@pytest.mark.parametrize("dtype", CLOSE)
def test_norms_of_one_example(dtype: str):
    x = tri.tensor(X).to(getattr(tri, dtype))
    values = x.double().numpy()
    weight = np.linspace(1, 2, 6)
    kind = tri.float64 if dtype == "float64" else tri.float32
    parameter = tri.tensor(weight).to(kind)
    close(functional.layer_norm(x, (6, 5)), normalised(values, (1, 2)), dtype)
    roots = np.sqrt((values**2).mean(2, keepdims=True))
    close(functional.rms_norm(x, (5,), eps=0.0), values / roots, dtype)
    groups = normalised(values.reshape(4, 2, 15), (2,)).reshape(4, 6, 5)
    beside = weight[:, None]
    close(functional.group_norm(x, 2, parameter, parameter), groups * beside + beside, dtype)
    if dtype in ("float32", "float64"):
        close(functional.instance_norm(x), normalised(values, (2,)), dtype)


@pytest.mark.parametrize("is_compiled", [False, True])
def test_running_statistics_are_written_in_place(is_compiled: bool):
    def run(x: Any, mean: Any, variance: Any) -> Any:
        return functional.batch_norm(x, mean, variance, training=True, momentum=0.25)

    program: Any = tri.compile(run) if is_compiled else run
    mean, variance = tri.ones(6), tri.full((6,), 2.0)
    views = mean[:3], variance[:3]
    for times in (1, 2):
        close(program(tri.tensor(X), mean, variance), normalised(X.astype(float), (0, 2)))
        share = 0.75**times
        close(mean, share + (1 - share) * X.astype(float).mean((0, 2)))
        spread = X.astype(float).var((0, 2), ddof=1)
        close(variance, 2 * share + (1 - share) * spread)
    assert views[0].tolist() == mean[:3].tolist()
    used = functional.batch_norm(tri.tensor(X), mean, variance)
    found = mean.double().numpy()[:, None], variance.double().numpy()[:, None]
    close(used, (X - found[0]) / np.sqrt(found[1] + 1e-5))


@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
@pytest.mark.parametrize("smoothing", [0.0, 0.25])
def test_cross_entropy(reduction: str, smoothing: float):
    scores, classes = X[:, :, 0], np.array([0, 5, 2, 2])
    weight = np.linspace(1, 2, 6)
    logs = np.log(softmax(scores.astype(float), 1))
    is_used = classes != 5
    picked = -logs[np.arange(4), classes] * weight[classes] * is_used
    spread = -(logs * weight).sum(1) * is_used
    count = (weight[classes] * is_used).sum()
    losses = (1 - smoothing) * picked + smoothing / 6 * spread
    total = {"none": losses, "sum": losses.sum(), "mean": losses.sum() / count}[reduction]
    found = functional.cross_entropy(
        tri.tensor(scores),
        tri.tensor(classes),
        tri.tensor(weight.astype(np.float32)),
        ignore_index=5,
        reduction=reduction,
        label_smoothing=smoothing,
    )
    close(found, total)
    shares = softmax(X[:, :, 1].astype(float), 1)
    close(
        functional.cross_entropy(tri.tensor(scores), tri.tensor(shares.astype(np.float32))),
        -(logs * shares).sum() / 4,
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: functional.layer_norm(tri.ones(2, 3), (2,)),
            "Given normalized_shape=[2], expected",
        ),
        (lambda: functional.group_norm(tri.ones(2, 3), 2), "Expected number of channels in input"),
        (lambda: functional.batch_norm(tri.ones(1, 3), None, None, training=True), "Expected more"),
        (lambda: functional.batch_norm(tri.ones(2, 3), None, None), "running_mean must be defined"),
        (
            lambda: functional.layer_norm(tri.ones(2).double(), (2,), tri.ones(2)),
            "mixed dtype (CPU): all inputs must share same datatype.",
        ),
        (lambda: functional.nll_loss(tri.ones(2, 3), tri.ones(2)), "expected target dtype to be"),
        (lambda: functional.nll_loss(tri.ones(2, 3), tri.tensor([0])), "Expected input batch_size"),
    ],
)
def test_refusals(call: Any, message: str):
    with pytest.raises(tri.TrilithError) as caught:
        call()
    assert caught.value.message.startswith(message)


def test_tables_of_rows():
    table = tri.tensor([[3.0, 4.0], [0.0, 1.0], [6.0, 8.0]])
    index = tri.tensor([[0, 1], [1, 0]])
    expected = table.numpy()[index.numpy()]
    np.testing.assert_array_equal(functional.embedding(index, table).numpy(), expected)
    functional.embedding(index, table, max_norm=2.5)
    close(table, [[1.5, 2.0], [0, 1], [6, 8]])
    np.testing.assert_array_equal(functional.one_hot(index, 3).numpy(), np.eye(3)[index.numpy()])
    with pytest.raises(RuntimeError, match=r"Class values must be smaller than num_classes\."):
        functional.one_hot(index, 1)


def test_windows_and_copies_of_views():
    x = tri.tensor(X[0])
    expected = X[0].copy()
    expected[:, 2] = 7
    np.testing.assert_array_equal(
        tri.select_scatter(x, tri.full((6,), 7.0), 1, 2).numpy(), expected
    )
    expected = X[0].copy()
    expected[1:5:2] = 0
    np.testing.assert_array_equal(
        tri.slice_scatter(x, tri.zeros(2, 5), 0, 1, 5, 2).numpy(), expected
    )
    for wrap in (False, True):
        expected = np.zeros((7, 3))
        np.fill_diagonal(expected, 4, wrap=wrap)
        found = tri.zeros(7, 3).fill_diagonal_(4, wrap=wrap)
        np.testing.assert_array_equal(found.numpy(), expected)
    for copy, view in (
        (tri.permute_copy(x, (1, 0)), X[0].T),
        (tri.narrow_copy(x, 1, 1, 2), X[0][:, 1:3]),
    ):
        np.testing.assert_array_equal(copy.numpy(), view)
        assert copy.is_contiguous()


def test_rms_norm_keeps_channels_last():
    """PyTorch asks for the format that the strides of the input suggest, and no other order."""
    cases = [
        ((2, 3, 4, 5), (60, 1, 15, 3)),
        ((2, 3, 4, 1), (12, 1, 3, 3)),
        ((2, 3, 1, 5), (15, 1, 15, 3)),
        ((2, 1, 4, 5), (20, 20, 5, 1)),
        ((0, 3, 4, 5), (60, 1, 15, 3)),
    ]
    for shape, strides in cases:
        x = tri.ones(shape).contiguous(memory_format=tri.channels_last)
        for weight in (None, tri.ones(shape[3:])):
            assert functional.rms_norm(x, shape[3:], weight).stride() == strides
            compiled: Any = tri.compile(functional.rms_norm)
            assert compiled(x, shape[3:], weight).stride() == strides
    half = tri.ones(2, 3, 4, 5).half().contiguous(memory_format=tri.channels_last)
    assert functional.rms_norm(half, (5,)).stride() == (60, 1, 15, 3)
    turned = tri.ones(3, 2, 4, 5).transpose(0, 1)
    assert functional.rms_norm(turned, (5,)).stride() == (60, 20, 5, 1)
