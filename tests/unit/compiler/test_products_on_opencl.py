"""Are products and convolutions on an OpenCL device, bit for bit, those of the CPU?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri

pytestmark = pytest.mark.skipif(not tri.opencl.is_available(), reason="there is no OpenCL device")
RANDOM = np.random.default_rng(31)
DTYPES = [np.float32, np.float64]


def normal(shape: tuple[int, ...], dtype: Any) -> Any:
    return RANDOM.standard_normal(shape).astype(dtype)


def laid(x: Any, device: str, *, is_last: bool) -> tri.Tensor:
    """Return an image, or filters, with or without the channels last."""
    if not is_last:
        return tri.tensor(x, device=device)
    last = tri.tensor(np.ascontiguousarray(x.transpose(0, 2, 3, 1)), device=device)
    return last.permute(0, 3, 1, 2)


Function = Callable[[tri.Tensor, tri.Tensor], tri.Tensor]
Make = Callable[[str], tuple[tri.Tensor, tri.Tensor]]


def compare(function: Function, make: Make) -> None:
    """Compare what a function gives on both devices; `make` makes the arguments on one."""
    wanted = tri.compile(function)(*make("cpu"))
    found = tri.compile(function)(*make("opencl"))
    assert found.device.type == "opencl"
    np.testing.assert_array_equal(found.cpu().numpy(), wanted.numpy())


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("is_last", [False, True])
@pytest.mark.parametrize(
    ("image", "filters", "groups"),
    [
        ((2, 20, 13, 11), (20, 1, 3, 3), 20),  # a filter for each channel
        ((1, 40, 31, 9), (80, 1, 3, 2), 40),  # two for each
        ((1, 48, 30, 44), (48, 1, 3, 3), 48),
        ((1, 6, 9, 35), (34, 3, 3, 3), 2),
        ((2, 9, 17, 10), (37, 9, 3, 3), 1),
        ((1, 140, 7, 7), (33, 140, 3, 3), 1),  # sums of more products than a piece has
    ],
)
def test_convolutions(image: Any, filters: Any, groups: int, is_last: bool, dtype: Any) -> None:
    x, w = normal(image, dtype), normal(filters, dtype)

    def convolved(x: tri.Tensor, w: tri.Tensor) -> tri.Tensor:
        return tri.nn.functional.conv2d(x, w, padding=1, groups=groups)

    def arguments(device: str) -> tuple[tri.Tensor, tri.Tensor]:
        return laid(x, device, is_last=is_last), laid(w, device, is_last=is_last)

    compare(convolved, arguments)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("sizes", [(40, 500, 70), (129, 17, 257), (9, 30, 300), (200, 385, 33)])
@pytest.mark.parametrize("across", ["", "x", "y", "xy"])
def test_products(sizes: tuple[int, int, int], across: str, dtype: Any) -> None:
    m, k, n = sizes
    x, y = normal((m, k), dtype), normal((k, n), dtype)

    def product(x: tri.Tensor, y: tri.Tensor) -> tri.Tensor:
        return x @ y

    def factor(name: str, value: Any, device: str) -> tri.Tensor:
        if name not in across:
            return tri.tensor(value, device=device)
        return tri.tensor(np.ascontiguousarray(value.T), device=device).t()

    compare(product, lambda device: (factor("x", x, device), factor("y", y, device)))
