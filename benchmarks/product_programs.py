"""Which products and convolutions are measured? Shapes of networks and of linear algebra."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from array_programs import Array, Shape, channels_last, count
from operation_programs import Operation

_CONV = "t.nn.functional.conv2d"


@dataclass(frozen=True, slots=True)
class Product(Operation):
    """A product of arrays of shapes of its own, and how many multiply-adds it takes."""

    shapes: dict[str, Shape] = field(default_factory=dict[str, Shape])
    steps: int = 0
    dtype: Any = np.float32
    #: Whether the inputs have their channels last in memory.
    is_last: bool = False

    @property
    def inputs(self) -> list[str]:
        """The inputs that the expressions name."""
        return list(self.shapes)

    def make(self, side: int) -> list[Array]:
        """Return the inputs: the same numbers in every process. `side` does not matter."""
        found: list[Array] = []
        for name, shape in self.shapes.items():
            generator = np.random.default_rng(zlib.crc32(name.encode()))
            value = generator.standard_normal(shape).astype(self.dtype)
            if self.is_last and value.ndim == 4:
                value = channels_last(value)
            found.append(value)
        return found


def _matrices(
    m: int, n: int, k: int, text: str = "x @ y", dtype: Callable[..., Any] = np.float32
) -> Product:
    shapes = {"x": (m, k), "y": (k, n)}
    if "x.T" in text:
        shapes["x"] = (k, m)
    if "y.T" in text:
        shapes["y"] = (n, k)
    width = "" if dtype is np.float32 else ", float64"
    return Product(f"{text}, {m} x {n} x {k}{width}", text, text, False, shapes, m * n * k, dtype)


def _convolution(
    name: str, image: Shape, filters: Shape, places: int, options: str, *, is_last: bool
) -> Product:
    shapes = {"x": image, "w": filters}
    steps = image[0] * places * count(filters)
    title = f"{name}, channels last" if is_last else name
    text = f"{_CONV}(x, w, {options})"
    return Product(title, text, None, False, shapes, steps, np.float32, is_last)


def _narrow_matrices(n: int, dtype: str) -> Product:
    """Return a product of squares under autocast: of what is cast before, cast behind."""
    text = f"(x.to(t.{dtype}) @ y.to(t.{dtype})).float()"
    name = f"x @ y, {n} x {n} x {n}, {dtype}"
    return Product(name, text, None, False, {"x": (n, n), "y": (n, n)}, n**3)


def _narrow_convolution(dtype: str, *, is_last: bool) -> Product:
    """Return a convolution under autocast."""
    shapes = {"x": (1, 64, 56, 56), "w": (64, 64, 3, 3), "b": (64,)}
    factors = ", ".join(f"{name}.to(t.{dtype})" for name in shapes)
    name = f"conv 3 x 3 + b, 64 -> 64, 56 x 56, {dtype}"
    title = f"{name}, channels last" if is_last else name
    text = f"{_CONV}({factors}, padding=1).float()"
    steps = 56**2 * count(shapes["w"])
    return Product(title, text, None, False, shapes, steps, np.float32, is_last)


def _batched(count: int, n: int, k: int, text: str = "x @ y") -> Product:
    """Return products of n x k by k x n matrices."""
    torch = text.replace("y.T", "y.mT")
    shapes = {"x": (count, n, k), "y": (count, n, k) if "y.T" in text else (count, k, n)}
    name = f"{text}, {count} times {n} x {n} x {k}"
    numpy = text.replace("y.T", "y.swapaxes(1, 2)")
    return Product(name, torch, numpy, False, shapes, count * n * n * k)


def _layer(m: int, n: int, k: int) -> Product:
    shapes = {"x": (m, k), "y": (k, n), "b": (n,)}
    name, torch = f"relu(x @ y + b), {m} x {n} x {k}", "t.relu(x @ y + b)"
    return Product(name, torch, "np.maximum(x @ y + b, 0)", False, shapes, m * n * k)


def _convolution_layer(*, is_last: bool) -> Product:
    """Return a convolution with what follows in a residual block."""
    shapes = {"x": (1, 64, 56, 56), "w": (64, 64, 3, 3), "b": (64,), "r": (1, 64, 56, 56)}
    name = "relu(conv 3 x 3 + b + r), 64 -> 64, 56 x 56"
    title = f"{name}, channels last" if is_last else name
    text = f"t.relu({_CONV}(x, w, b, padding=1) + r)"
    steps = 56**2 * count(shapes["w"])
    return Product(title, text, None, False, shapes, steps, np.float32, is_last)


_NARROW = ("float16", "bfloat16")

_CONVOLUTIONS = (
    ("conv 3 x 3, 64 -> 64, 56 x 56", (1, 64, 56, 56), (64, 64, 3, 3), 56**2, "padding=1"),
    ("conv 3 x 3, stride 2, 64 -> 128", (1, 64, 56, 56), (128, 64, 3, 3), 28**2,
     "padding=1, stride=2"),
    ("conv 7 x 7, stride 2, 3 -> 64", (1, 3, 112, 112), (64, 3, 7, 7), 56**2,
     "padding=3, stride=2"),
    ("conv 3 x 3, batch of 8, 32 -> 32", (8, 32, 28, 28), (32, 32, 3, 3), 28**2, "padding=1"),
    ("conv 1 x 1, 256 -> 64, 28 x 28", (1, 256, 28, 28), (64, 256, 1, 1), 28**2, "padding=0"),
    ("conv 3 x 3 of each of 64", (1, 64, 56, 56), (64, 1, 3, 3), 56**2, "padding=1, groups=64"),
)  # fmt: skip

#: Products by name; matrices of n x n have a table of their own, with more libraries.
PRODUCTS: dict[str, Product] = {
    product.name: product
    for product in (
        _matrices(1500, 1300, 1100),
        _matrices(257, 259, 255),
        _matrices(64, 1024, 1024),
        _matrices(16, 1024, 1024),
        _matrices(1024, 8, 1024),
        _matrices(1024, 1024, 8),
        _matrices(512, 512, 512, "x @ y.T"),
        _matrices(1024, 1024, 1024, "x @ y.T"),
        _matrices(64, 1024, 1024, "x @ y.T"),
        _matrices(1, 4096, 1024, "x @ y.T"),
        _matrices(512, 512, 512, "x.T @ y"),
        _matrices(512, 512, 512, dtype=np.float64),
        _matrices(1024, 1024, 1024, dtype=np.float64),
        _batched(16, 128, 64),
        _batched(16, 128, 64, "x @ y.T"),
        *(_narrow_matrices(256, dtype) for dtype in _NARROW),
        _layer(256, 512, 512),
        *(
            _convolution(*case, is_last=is_last)
            for case in _CONVOLUTIONS
            for is_last in (False, True)
        ),
        *(_convolution_layer(is_last=is_last) for is_last in (False, True)),
        *(
            _narrow_convolution(dtype, is_last=is_last)
            for dtype in _NARROW
            for is_last in (False, True)
        ),
    )
}
