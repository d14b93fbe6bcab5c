"""What is measured? Small programs, written once over a namespace of array functions.

A peer supplies the namespace (`exp`, `tanh`, `sigmoid`, `gelu`, `sum(x, axis)`, `amax(x, axis)`);
the last two keep the axis. Peers that want source of their own (numba, numexpr) have it in
`peers`.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """A function of `inputs` arrays of one shape, and what it must at least read and write."""

    name: str
    body: Callable[..., Any]
    inputs: int
    #: Shape of the inputs -> elements of the output.
    output: Callable[[Shape], int]

    def nbytes(self, shape: Shape) -> tuple[int, int]:
        """Return (bytes read, bytes written) if every element moves once, as float32."""
        return 4 * self.inputs * count(shape), 4 * self.output(shape)


def count(shape: Shape) -> int:
    """Return the number of elements of a shape."""
    return int(np.prod(shape, dtype=np.int64))


def multiply_add(m: Any, a: Any, b: Any, c: Any) -> Any:
    """Return a*b + c."""
    return a * b + c


def sigmoid_tanh(m: Any, x: Any, y: Any) -> Any:
    """Return x*sigmoid(x) + tanh(y)."""
    return x * m.sigmoid(x) + m.tanh(y)


def gelu(m: Any, x: Any) -> Any:
    """Return gelu in its tanh form."""
    return m.gelu(x)


def total(m: Any, x: Any) -> Any:
    """Return the sum of all elements."""
    return m.sum(x, None)


def sum_last(m: Any, x: Any) -> Any:
    """Return the sums of the rows."""
    return m.sum(x, -1)


def sum_first(m: Any, x: Any) -> Any:
    """Return the sums of the columns."""
    return m.sum(x, 0)


def softmax(m: Any, x: Any) -> Any:
    """Return exp(x - max) / sum, by rows."""
    shifted = m.exp(x - m.amax(x, -1))
    return shifted / m.sum(shifted, -1)


def layer_norm(m: Any, x: Any) -> Any:
    """Return (x - mean) / sqrt(variance + 1e-5), by rows."""
    scale = 1.0 / x.shape[-1]
    centred = x - m.sum(x, -1) * scale
    return centred / m.sqrt(m.sum(centred * centred, -1) * scale + 1e-5)


def twenty(m: Any, a: Any, b: Any, c: Any) -> Any:
    """Return the result of 20 arithmetic operations."""
    x = a
    for _ in range(5):
        x = (x * b + c) * a - b
    return x


ONE_OPS: dict[str, Callable[..., Any]] = {
    "add": lambda m, a, b: a + b,
    "sub": lambda m, a, b: a - b,
    "mul": lambda m, a, b: a * b,
    "div": lambda m, a, b: a / b,
    "maximum": lambda m, a, b: m.maximum(a, b),
    "minimum": lambda m, a, b: m.minimum(a, b),
    "less": lambda m, a, b: a < b,
    "exp": lambda m, a, b: m.exp(a),
    "tanh": lambda m, a, b: m.tanh(a),
    "sigmoid": lambda m, a, b: m.sigmoid(a),
}


def _same(shape: Shape) -> int:
    return count(shape)


PROGRAMS: dict[str, Program] = {
    program.name: program
    for program in (
        Program("a*b + c", multiply_add, 3, _same),
        Program("x*sigmoid(x) + tanh(y)", sigmoid_tanh, 2, _same),
        Program("gelu", gelu, 1, _same),
        Program("sum of all", total, 1, lambda shape: 1),
        Program("sum, last axis", sum_last, 1, lambda shape: shape[0]),
        Program("sum, first axis", sum_first, 1, lambda shape: shape[-1]),
        Program("softmax", softmax, 1, _same),
        Program("layer norm", layer_norm, 1, _same),
        Program("20 operations", twenty, 3, _same),
        *(Program(name, body, 2, _same) for name, body in ONE_OPS.items()),
    )
}


def make_inputs(name: str, shape: Shape) -> list[Floats]:
    """Return the inputs of a program: the same numbers in every process."""
    generator = np.random.default_rng(zlib.crc32(f"{name} {shape}".encode()))
    inputs = PROGRAMS[name].inputs
    return [generator.standard_normal(shape, np.float32) for _ in range(inputs)]


def fingerprint(result: Any) -> tuple[float, float]:
    """Return the sum and the sum of absolute values, to compare results between processes."""
    values = np.asarray(result, dtype=np.float64)
    return float(values.sum()), float(np.abs(values).sum())


def agree(found: tuple[float, float], expected: tuple[float, float]) -> bool:
    """Whether two fingerprints are of the same result, to float32's accuracy or so."""
    tolerance = 1e-4 * max(expected[1], 1.0)
    return all(abs(a - b) <= tolerance for a, b in zip(found, expected, strict=True))
