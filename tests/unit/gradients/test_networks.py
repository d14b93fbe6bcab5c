"""Are gradients of networks' layers those of differences, and where do they go at ties?"""

# Lambdas have no types of their own.
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri

F = tri.nn.functional
RANDOM = np.random.default_rng(0)


def array(*shape: int) -> Any:
    return RANDOM.standard_normal(shape)


LAYERS: dict[str, tuple[Callable[..., Any], list[Any], str]] = {
    "strided convolution": (
        lambda x, w, b: F.conv2d(x, w, b, stride=(2, 1), padding=1, dilation=(1, 2), groups=2),
        [array(1, 4, 5, 6), array(2, 2, 3, 2), array(2)],
        "ConvolutionBackward0",
    ),
    "transposed convolution": (
        lambda x, w: F.conv_transpose1d(x, w, stride=2, padding=1, output_padding=1),
        [array(1, 2, 4), array(2, 3, 3)],
        "ConvolutionBackward0",
    ),
    "pool": (
        lambda x: F.max_pool2d(x, 3, 2, 1),
        [array(1, 2, 5, 6)],
        "MaxPool2DWithIndicesBackward0",
    ),
    "softmax": (lambda x: F.softmax(x, 1), [array(2, 4)], "SoftmaxBackward0"),
    "classes": (
        lambda x: F.cross_entropy(x, tri.tensor([1, 3]), reduction="sum"),
        [array(2, 4)],
        "NllLossBackward0",
    ),
    "layer norm": (
        lambda x, w, b: F.layer_norm(x, (4,), w, b),
        [array(2, 4), array(4), array(4)],
        "NativeLayerNormBackward0",
    ),
    "distances": (lambda x, y: tri.cdist(x, y, 3.0), [array(3, 2), array(2, 2)], "CdistBackward0"),
}


@pytest.mark.parametrize("name", LAYERS)
def test_gradients_are_those_of_differences(name: str) -> None:
    layer, arrays, node = LAYERS[name]
    operands = [tri.tensor(each).requires_grad_() for each in arrays]
    result = layer(*operands)
    assert result.grad_fn.name() == node
    weights = tri.tensor(np.asarray(RANDOM.standard_normal(tuple(result.shape))))
    found = tri.autograd.grad(result, operands, weights)

    def value(*given: Any) -> float:
        return float((layer(*map(tri.tensor, given)) * weights).sum())

    for number, gradient in enumerate(found):
        direction = RANDOM.standard_normal(arrays[number].shape)
        moved = [
            [
                each + step * direction if place == number else each
                for place, each in enumerate(arrays)
            ]
            for step in (1e-6, -1e-6)
        ]
        slope = (value(*moved[0]) - value(*moved[1])) / 2e-6
        assert np.isclose((gradient.numpy() * direction).sum(), slope, rtol=1e-5, atol=1e-7)


def test_of_equal_elements_a_pool_takes_the_first() -> None:
    x = tri.tensor([[1.0, 5.0, 5.0, 5.0]]).requires_grad_()
    F.max_pool1d(x, 2).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [[0.0, 1.0, 1.0, 0.0]]


def test_rows_that_are_padding_have_no_gradient() -> None:
    table = tri.ones(3, 1).requires_grad_()
    F.embedding(tri.tensor([0, 0, 1, 2]), table, padding_idx=-1).sum().backward()
    assert table.grad is not None
    assert table.grad.tolist() == [[2.0], [1.0], [0.0]]


def test_points_that_are_one_have_no_gradient() -> None:
    x = tri.tensor([[1.0, 2.0], [4.0, 6.0]]).requires_grad_()
    tri.cdist(x, x.detach()).sum().backward()
    assert x.grad is not None
    assert np.allclose(x.grad.numpy(), [[-0.6, -0.8], [0.6, 0.8]])


def test_an_operand_that_no_step_computes_with_has_zeros() -> None:
    """The nearest pixel stays the nearest: a point's gradient is zero, and there, as PyTorch's."""
    image = tri.rand(1, 2, 3, 3, requires_grad=True)
    points = tri.rand(1, 2, 2, 2, dtype=tri.float32).requires_grad_()
    F.grid_sample(image, points, mode="nearest", align_corners=False).sum().backward()
    assert tri.equal(points.grad, tri.zeros(1, 2, 2, 2))
    assert float(image.grad.sum()) == 8.0


def test_a_layer_norm_of_nothing_leads_to_its_operands() -> None:
    x, weight = tri.rand(0, 3, requires_grad=True), tri.rand(3, requires_grad=True)
    result: Any = F.layer_norm(x, (3,), weight)
    assert result.grad_fn.name() == "NativeLayerNormBackward0"
    result.sum().backward()
    assert x.grad.shape == (0, 3)
    assert weight.grad.tolist() == [0.0, 0.0, 0.0]


def test_statistics_of_norms_have_no_gradient() -> None:
    x = tri.rand(2, 3, 4, requires_grad=True)
    for results in (
        tri.native_layer_norm(x, (4,), None, None, 1e-5),
        tri.native_batch_norm(x, None, None, None, None, True, 0.1, 1e-5),
    ):
        assert [each.requires_grad for each in results] == [True, False, False]
        assert results[1].grad_fn is None


@pytest.mark.parametrize("ranks", [(1, 1, 1), (3, 1, 3), (0, 2, 2)])
def test_attention_of_vectors_is_refused(ranks: tuple[int, ...]) -> None:
    query, key, value = (tri.rand((4,) * rank, requires_grad=True) for rank in ranks)
    with pytest.raises(RuntimeError, match="to all be  at least 2 dimensional"):
        F.scaled_dot_product_attention(query, key, value)
