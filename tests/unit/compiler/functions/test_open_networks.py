"""Do functions of many parameters have one plan for the sizes that vary, and soon?"""

from typing import Any

import numpy as np

import trilith as tri

F = tri.nn.functional


def _parameters(layers: int, width: int) -> list[tuple[Any, Any]]:
    weight = tri.arange(width * width).reshape(width, width) / width**2
    return [(weight + layer, weight[0] - layer) for layer in range(layers)]


def _perceptron(x: Any, parameters: Any) -> Any:
    for weight, bias in parameters:
        x = tri.tanh(F.linear(x, weight, bias))
    return x


def _split(x: Any, parameters: Any) -> Any:
    """Ask in how many parts rows are cut: no plan can be for all sizes."""
    for weight, bias in parameters:
        first, second = F.linear(x, weight, bias).split(x.shape[1] // 2, dim=1)
        x = tri.cat((second, first), 1)
    return x


def _pyramid(x: Any, filters: Any) -> Any:
    x = F.conv2d(x, filters, padding=1)
    for _ in range(5):
        x = F.relu(F.conv2d(x, filters, stride=2, padding=1))
        x = x + F.conv2d(x, filters, padding=1)
    return x


def test_the_size_that_varies_is_open() -> None:
    compiled, parameters = tri.compile(_perceptron), _parameters(12, 6)
    for rows in (4, 7, 9, 5):
        x = tri.arange(rows * 6).reshape(rows, 6) / 10
        found, expected = compiled(x, parameters), _perceptron(x, parameters)
        np.testing.assert_array_equal(found.numpy(), expected.numpy())
    assert compiled.stats().traces == 2


def test_what_varies_later_is_opened_then() -> None:
    compiled = tri.compile(_perceptron)
    for rows, width in ((4, 6), (7, 6), (7, 5), (4, 5), (3, 8), (9, 7), (2, 3)):
        x, parameters = tri.ones(rows, width), _parameters(12, width)
        found, expected = compiled(x, parameters), _perceptron(x, parameters)
        np.testing.assert_array_equal(found.numpy(), expected.numpy())
    # For the first sizes, for all rows, for all rows and widths.
    assert compiled.stats().traces == 3


def test_sizes_that_are_asked_for_stay_numbers() -> None:
    compiled, parameters = tri.compile(_split), _parameters(2, 6)
    for rows in (4, 7, 9, 5):
        x = tri.arange(rows * 6).reshape(rows, 6) / 10
        found, expected = compiled(x, parameters), _split(x, parameters)
        np.testing.assert_array_equal(found.numpy(), expected.numpy())
    assert compiled.stats().traces == 2


def test_convolutions_halve_sizes_again_and_again() -> None:
    compiled = tri.compile(_pyramid)
    filters = tri.arange(36).reshape(2, 2, 3, 3) / 36 - 0.5
    for height, width in ((40, 64), (48, 80), (64, 40), (50, 71), (101, 99)):
        x = tri.arange(2 * height * width).reshape(1, 2, height, width) / 1000
        found, expected = compiled(x, filters), _pyramid(x, filters)
        assert found.stride() == expected.stride()
        np.testing.assert_array_equal(found.numpy(), expected.numpy())
    assert compiled.stats().traces == 2
