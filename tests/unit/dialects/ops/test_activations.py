"""Are activations what their formulas say, and do they write where they are told to?"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri

F: Any = tri.nn.functional
Array = np.ndarray[Any, Any]


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def elu(x: Array, alpha: float = 1.0) -> Array:
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))


#: In float64, over numbers that are not large.
FORMULAS: dict[str, Callable[[Array], Array]] = {
    "relu": lambda x: np.maximum(x, 0),
    "relu6": lambda x: np.clip(x, 0, 6),
    "elu": elu,
    "celu": elu,
    "selu": lambda x: 1.0507009873554805 * elu(x, 1.6732632423543772),
    "leaky_relu": lambda x: np.where(x > 0, x, 0.01 * x),
    "silu": lambda x: x * sigmoid(x),
    "mish": lambda x: x * np.tanh(np.log1p(np.exp(x))),
    "hardtanh": lambda x: np.clip(x, -1, 1),
    "hardswish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "hardsigmoid": lambda x: np.clip(x + 3, 0, 6) / 6,
    "rrelu": lambda x: np.where(x > 0, x, x * (0.125 + 1 / 3) / 2),
    "hardshrink": lambda x: np.where(abs(x) > 0.5, x, 0),
    "softshrink": lambda x: np.sign(x) * np.maximum(abs(x) - 0.5, 0),
    "logsigmoid": lambda x: -np.log1p(np.exp(-x)),
    "softplus": lambda x: np.where(x > 20, x, np.log1p(np.exp(np.minimum(x, 20)))),
    "softsign": lambda x: x / (1 + abs(x)),
    "tanhshrink": lambda x: x - np.tanh(x),
}
WRITING = (
    *("relu", "relu6", "elu", "celu", "selu", "leaky_relu", "silu", "mish", "hardtanh"),
    *("hardswish", "hardsigmoid", "rrelu"),
)


@pytest.mark.parametrize("name", FORMULAS)
def test_activation_is_its_formula(name: str):
    values = np.concatenate([np.linspace(-30, 30, 4001), [0.0, 0.5, -0.5]])
    function = getattr(F, name)
    for dtype, tolerance in ((np.float32, 2e-6), (np.float64, 4e-15)):
        x = values.astype(dtype)
        found = function(tri.from_numpy(x)).numpy()
        assert found.dtype == dtype
        expected = FORMULAS[name](x.astype(np.float64))
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)
        compiled: Any = tri.compile(function)
        assert compiled(tri.from_numpy(x)).numpy().tobytes() == found.tobytes()
    narrow = function(tri.from_numpy(values.astype(np.float16))).double().numpy()
    expected = FORMULAS[name](values.astype(np.float16).astype(np.float64))
    np.testing.assert_allclose(narrow, expected, rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("name", WRITING)
def test_activation_writes_if_it_is_told_to(name: str):
    function = getattr(F, name)
    values = tri.tensor([[-2.0, 0.5], [1.0, -0.25]])
    expected = function(values)
    assert values.tolist() == [[-2.0, 0.5], [1.0, -0.25]]

    def write(x: Any) -> Any:
        return function(x, inplace=True)

    calls: list[Any] = [write, tri.compile(write)]
    for call in calls:
        x = values.clone()
        part = x[:, 0]
        result = call(x)
        assert x.tolist() == expected.tolist()
        assert result.data_ptr() == x.data_ptr()
        assert part.tolist() == expected[:, 0].tolist()


def test_functions_that_write():
    for name in ("relu_", "elu_", "selu_", "celu_", "leaky_relu_", "hardtanh_", "rrelu_"):
        x = tri.tensor([-2.0, 0.5])
        expected = getattr(F, name[:-1])(x)
        assert getattr(F, name)(x) is x
        assert x.tolist() == expected.tolist()
    x = tri.tensor([1.0, 3.0])
    assert tri.threshold_(x, 2, 7) is x
    assert x.tolist() == [7.0, 3.0]


def test_numbers_that_are_infinite_or_none():
    x = tri.tensor([math.inf, -math.inf, math.nan])
    for name, low in (("relu", 0), ("elu", -1), ("softplus", 0), ("hardsigmoid", 0), ("relu6", 0)):
        found = getattr(F, name)(x).tolist()
        assert found[0] in (math.inf, 1, 6)
        assert found[1] == low
        assert math.isnan(found[2])
    assert F.mish(tri.tensor([200.0, -200.0])).tolist() == [200.0, -0.0]
    assert F.logsigmoid(tri.tensor([-1e4, 1e4])).tolist() == [-1e4, 0.0]


def test_weights_belong_to_channels():
    x = -tri.ones(2, 3, 2)
    found = tri.prelu(x, tri.tensor([0.25, 0.5, 1.0]))
    assert found[0, :, 0].tolist() == [-0.25, -0.5, -1.0]
    with pytest.raises(RuntimeError, match="Mismatch of parameter numbers and input channel size"):
        F.prelu(x, tri.ones(2))


def test_halves_gate_each_other():
    x = tri.arange(8.0).reshape(2, 4)
    value, gate = x[:, :2].numpy(), x[:, 2:].numpy()
    np.testing.assert_allclose(F.glu(x).numpy(), value * sigmoid(gate), rtol=1e-6)
    with pytest.raises(RuntimeError, match="Halving dimension must be even"):
        F.glu(tri.ones(3))


def test_refusals():
    x = tri.tensor([1.0])
    with pytest.raises(ValueError, match="min_val cannot be greater than max_val"):
        F.hardtanh(x, 2, 1)
    with pytest.raises(RuntimeError, match="cannot do hardtanh on an unsigned type"):
        F.hardtanh(tri.tensor([1], dtype=tri.uint8))
    with pytest.raises(RuntimeError, match="alpha cannot be 0 for CELU"):
        tri.celu(x, 0)
    with pytest.raises(RuntimeError, match=r"lambda must be in range \[0, 3.40282e\+38\]"):
        F.softshrink(x, -1)
    with pytest.raises(NotImplementedError, match="\"leaky_relu_cpu\" not implemented for 'Long'"):
        F.leaky_relu(tri.tensor([1]))
