"""What is measured? Small programs, written once over a namespace of array functions.

Each peer supplies the namespace: `exp`, `sum(x, axis)`, ... Peers that want source of their own
(numba, numexpr) have it in `peers`.
"""

from __future__ import annotations

import math
import operator
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """A function of `inputs` arrays of one shape and dtype; its result has the same dtype."""

    name: str
    body: Callable[..., Any]
    inputs: int
    #: Shape of the inputs -> elements of the result.
    output: Callable[[Shape], int]
    dtype: type[np.float32 | np.uint8] = np.float32

    def nbytes(self, shape: Shape) -> tuple[int, int]:
        """Return (bytes read, bytes written) if every element moves once."""
        itemsize = np.dtype(self.dtype).itemsize
        return itemsize * self.inputs * count(shape), itemsize * self.output(shape)


def count(shape: Shape) -> int:
    """Return the number of elements of a shape."""
    return int(np.prod(shape, dtype=np.int64))


def channels_last(images: Array) -> Array:
    """Return the same images [N, C, H, W] with the channels last in memory."""
    return np.ascontiguousarray(images.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)


def multiply_add(m: Any, a: Any, b: Any, c: Any) -> Any:
    """Return a*b + c."""
    return a * b + c


def sigmoid_tanh(m: Any, x: Any, y: Any) -> Any:
    """Return x*sigmoid(x) + tanh(y)."""
    return x * m.sigmoid(x) + m.tanh(y)


def gelu(m: Any, x: Any) -> Any:
    """Return gelu in its tanh form."""
    return m.gelu(x)


def sine_cosine(m: Any, x: Any, y: Any) -> Any:
    """Return sin(x)*cos(x) + y, which wants both of one number."""
    return m.sin(x) * m.cos(x) + y


def sine_tangent(m: Any, x: Any, y: Any) -> Any:
    """Return sin(x) + cos(y)*tan(x + y)."""
    return m.sin(x) + m.cos(y) * m.tan(x + y)


def total(m: Any, x: Any) -> Any:
    """Return the sum of all elements."""
    return m.sum(x, None)


def sum_last(m: Any, x: Any) -> Any:
    """Return the sums of the rows."""
    return m.sum(x, -1)


def sum_first(m: Any, x: Any) -> Any:
    """Return the sums of the columns."""
    return m.sum(x, 0)


def max_last(m: Any, x: Any) -> Any:
    """Return the largest elements of the rows."""
    return m.amax(x, -1)


def max_first(m: Any, x: Any) -> Any:
    """Return the largest elements of the columns."""
    return m.amax(x, 0)


def variance_last(m: Any, x: Any) -> Any:
    """Return the variances of the rows."""
    return m.var(x, -1)


def variance_first(m: Any, x: Any) -> Any:
    """Return the variances of the columns."""
    return m.var(x, 0)


def softmax(m: Any, x: Any) -> Any:
    """Return exp(x - max) / sum, by rows."""
    shifted = m.exp(x - m.amax(x, -1))
    return shifted / m.sum(shifted, -1)


def layer_norm(m: Any, x: Any) -> Any:
    """Return (x - mean) / sqrt(variance + 1e-5), by rows."""
    scale = 1.0 / x.shape[-1]
    centred = x - m.sum(x, -1) * scale
    return centred / m.sqrt(m.sum(centred * centred, -1) * scale + 1e-5)


def rms_norm(m: Any, x: Any) -> Any:
    """Return x / sqrt(mean(x*x) + 1e-5), by rows."""
    return x / m.sqrt(m.sum(x * x, -1) * (1.0 / x.shape[-1]) + 1e-5)


def cross_entropy(m: Any, x: Any, y: Any) -> Any:
    """Return what is lost if rows of x are logits and y says how much each class counts."""
    largest = m.amax(x, -1)
    normaliser = m.log(m.sum(m.exp(x - largest), -1)) + largest
    return m.sum((normaliser - x) * y, None) * (1.0 / x.shape[0])


def copied(m: Any, x: Any) -> Any:
    """Return a copy."""
    return m.contiguous(x)


def transposed(m: Any, x: Any) -> Any:
    """Return a copy of x.T."""
    return m.contiguous(x.T)


def joined(m: Any, x: Any, y: Any) -> Any:
    """Return the rows of x, with those of y at their ends."""
    return m.cat((x, y), 1)


def photo(m: Any, x: Any) -> Any:
    """Return a photograph [H, W, C] of uint8, sharpened and lightened: as examples/photo.py."""
    height, width = x.shape[0] - 2, x.shape[1] - 2
    image = m.to_float32(x) / 255.0
    blur = 0.0
    for row, weights in enumerate(((1, 2, 1), (2, 4, 2), (1, 2, 1))):
        for column, weight in enumerate(weights):
            shifted = image[row : row + height, column : column + width]
            blur = blur + shifted * (weight / 16)
    center = image[1:-1, 1:-1]
    light = m.clip(center + 1.0 * (center - blur), 0.0, 1.0) ** 2.2
    lifted = (1 - m.exp(-1.2 * light)) / (1 - math.exp(-1.2))
    return m.to_uint8(m.clip(m.round(lifted ** (1 / 2.2) * 255.0), 0, 255))


def twenty(m: Any, a: Any, b: Any, c: Any) -> Any:
    """Return the result of 20 arithmetic operations."""
    x = a
    for _ in range(5):
        x = (x * b + c) * a - b
    return x


def ten(m: Any, x: Any) -> Any:
    """Return the result of 10 operations, three of them functions."""
    return m.tanh(x * 2 + 1) * m.exp(x * -0.5) + m.sqrt(x * x + 1)


def hundred(m: Any, a: Any, b: Any) -> Any:
    """Return the result of 100 arithmetic operations, which stays small."""
    x = a
    for _ in range(25):
        x = (x * 0.5 + a) * 0.5 - b
    return x


def matmul(m: Any, a: Any, b: Any) -> Any:
    """Return a matrix product."""
    return a @ b


def rest(m: Any, x: Any) -> Any:
    """Return a view."""
    return x[1:]


def method_sum(m: Any, x: Any) -> Any:
    """Return the sum of all elements, by the method."""
    return x.sum()


def set_item(m: Any, x: Any) -> Any:
    """Assign to an element."""
    x[3] = 1.0
    return x


def tanh_exp(m: Any, x: Any, y: Any) -> Any:
    """Return tanh(2x + y)*exp(-y*y) + x."""
    return m.tanh(2 * x + y) * m.exp(-(y * y)) + x


def add_transposed(m: Any, x: Any, y: Any) -> Any:
    """Return x.T + y."""
    return x.T + y


def normalisations(m: Any, x: Any) -> Any:
    """Return x after what rows and columns have in common is taken out, in ten kernels or so.

    Each step needs sums or maxima over the whole matrix before it, and no two are alike.
    """
    x = x - m.sum(x, 0) * (1.0 / x.shape[0])
    x = x / (m.amax(m.tanh(x), -1) + 2.0)
    x = m.exp(x - m.sum(x * x, 0) * 0.01)
    x = x / m.sum(x, -1)
    x = x * m.tanh(m.sum(m.exp(x) * x, 0))
    return m.amax(x - m.sum(m.tanh(x * 3.0) + x, -1) * 0.1, -1) * 100.0


def _operator(function: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def body(m: Any, a: Any, b: Any) -> Any:
        return function(a, b)

    return body


def _divide(a: Any, b: Any) -> Any:
    return a / b


def _named(name: str, operands: int) -> Callable[..., Any]:
    def body(m: Any, *inputs: Any) -> Any:
        return getattr(m, name)(*inputs[:operands])

    return body


ONE_OPS: dict[str, Callable[..., Any]] = {
    "add": _operator(operator.add),
    "sub": _operator(operator.sub),
    "mul": _operator(operator.mul),
    "div": _operator(_divide),
    "maximum": _named("maximum", 2),
    "minimum": _named("minimum", 2),
    "less": _operator(operator.lt),
    "exp": _named("exp", 1),
    "tanh": _named("tanh", 1),
    "sigmoid": _named("sigmoid", 1),
}


def _same(shape: Shape) -> int:
    return count(shape)


def _inside(shape: Shape) -> int:
    return (shape[0] - 2) * (shape[1] - 2) * shape[2]


PROGRAMS: dict[str, Program] = {
    program.name: program
    for program in (
        Program("a*b + c", multiply_add, 3, _same),
        Program("x*sigmoid(x) + tanh(y)", sigmoid_tanh, 2, _same),
        Program("gelu", gelu, 1, _same),
        Program("sin(x)*cos(x) + y", sine_cosine, 2, _same),
        Program("sin(x) + cos(y)*tan(x + y)", sine_tangent, 2, _same),
        Program("sum of all", total, 1, lambda shape: 1),
        Program("sum, last axis", sum_last, 1, lambda shape: shape[0]),
        Program("sum, first axis", sum_first, 1, lambda shape: shape[-1]),
        Program("max, last axis", max_last, 1, lambda shape: shape[0]),
        Program("max, first axis", max_first, 1, lambda shape: shape[-1]),
        Program("variance, last axis", variance_last, 1, lambda shape: shape[0]),
        Program("variance, first axis", variance_first, 1, lambda shape: shape[-1]),
        Program("softmax", softmax, 1, _same),
        Program("layer norm", layer_norm, 1, _same),
        Program("rms norm", rms_norm, 1, _same),
        Program("cross-entropy", cross_entropy, 2, lambda shape: 1),
        Program("a copy", copied, 1, _same),
        Program("x.T, copied", transposed, 1, _same),
        Program("cat of columns", joined, 2, lambda shape: 2 * count(shape)),
        Program("photo", photo, 1, _inside, np.uint8),
        Program("20 operations", twenty, 3, _same),
        Program("10 operations", ten, 1, _same),
        Program("100 operations", hundred, 2, _same),
        Program("matmul", matmul, 2, _same),
        Program("x[1:]", rest, 1, lambda shape: count(shape) - 1),
        Program("x.sum()", method_sum, 1, lambda shape: 1),
        Program("x[i] = 1.", set_item, 1, _same),
        Program("tanh(2x + y)*exp(-y*y) + x", tanh_exp, 2, _same),
        Program("x.T + y", add_transposed, 2, _same),
        Program("normalisations", normalisations, 1, lambda shape: shape[0]),
        *(Program(name, body, 2, _same) for name, body in ONE_OPS.items()),
    )
}


def make_inputs(name: str, shape: Shape) -> list[Array]:
    """Return the inputs of a program: the same numbers in every process."""
    generator = np.random.default_rng(zlib.crc32(f"{name} {shape}".encode()))
    program = PROGRAMS[name]
    if program.dtype is np.uint8:
        return [generator.integers(0, 256, shape, np.uint8) for _ in range(program.inputs)]
    return [generator.standard_normal(shape, np.float32) for _ in range(program.inputs)]


def fingerprint(result: Any) -> tuple[float, ...]:
    """Return sums that tell results of different processes apart, also by where an element lies.

    They are the sum, the sum of absolute values, and a sum with weights from 0 to 1.
    """
    values = np.asarray(result, dtype=np.float64).ravel()
    weights = np.arange(values.size) % 97 / 97
    return float(values.sum()), float(np.abs(values).sum()), float(values @ weights)


def agree(found: Sequence[float], expected: Sequence[float]) -> bool:
    """Whether two fingerprints are of the same result, to float32's accuracy or so."""
    tolerance = 1e-4 * max(expected[1], 1.0)
    return all(abs(a - b) <= tolerance for a, b in zip(found, expected, strict=True))
