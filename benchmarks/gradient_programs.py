"""Of which losses are gradients measured? Steps of training, over a namespace of functions."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from array_programs import Array, Shape, count

#: How many classes the labels are of.
CLASSES = 10


@dataclass(frozen=True, slots=True)
class Loss:
    """A scalar function; its gradient is that of all inputs whose names begin with w or z.

    `labels`, if there is such an input, are classes, as many as the rows of another input.
    """

    name: str
    body: Callable[..., Any]
    shapes: Mapping[str, Shape]

    @property
    def differentiated(self) -> tuple[int, ...]:
        """The numbers of the inputs that get gradients."""
        return tuple(index for index, name in enumerate(self.shapes) if name[0] in "wz")

    def make(self) -> list[Array]:
        """Return the inputs, the same numbers in every process."""
        found: list[Array] = []
        for name, shape in self.shapes.items():
            generator = np.random.default_rng(zlib.crc32(name.encode()))
            if name == "labels":
                found.append(generator.integers(0, CLASSES, shape))
                continue
            value = generator.standard_normal(shape, np.float32)
            if name.startswith("w"):
                value /= np.float32(count(shape[1:]) ** 0.5)
            found.append(value)
        return found


def perceptron(m: Any, x: Any, labels: Any, w1: Any, wb1: Any, w2: Any, wb2: Any, w3: Any) -> Any:
    """Return the loss of a perceptron with two hidden layers."""
    x = m.relu(m.linear(x, w1, wb1))
    x = m.relu(m.linear(x, w2, wb2))
    return m.cross_entropy(m.linear(x, w3, None), labels)


def cross_entropy(m: Any, z: Any, labels: Any) -> Any:
    """Return the loss of logits."""
    return m.cross_entropy(z, labels)


def transformer_block(
    m: Any, x: Any, wg: Any, wb: Any, w1: Any, w2: Any, wh: Any, wc: Any, w3: Any, w4: Any
) -> Any:
    """Return the mean square of what a block of a transformer gives: eight heads, then a layer."""
    tokens, width, heads = x.shape[0], x.shape[1], 8
    y = m.linear(m.layer_norm(x, wg, wb), w1, None)

    def part(number: int) -> Any:
        own = y[:, number * width : (number + 1) * width]
        return own.reshape(tokens, heads, width // heads).swapaxes(0, 1)

    scores = m.softmax(part(0) @ part(1).swapaxes(1, 2) * (width // heads) ** -0.5)
    x = x + m.linear((scores @ part(2)).swapaxes(0, 1).reshape(tokens, width), w2, None)
    x = x + m.linear(m.relu(m.linear(m.layer_norm(x, wh, wc), w3, None)), w4, None)
    return (x * x).mean()


def _perceptron(rows: int) -> Loss:
    shapes: dict[str, Shape] = {"x": (rows, 784), "labels": (rows,)}
    shapes |= {"w1": (512, 784), "wb1": (512,), "w2": (512, 512), "wb2": (512,)}
    shapes |= {"w3": (CLASSES, 512)}
    return Loss(f"perceptron, 784-512-512-10, {rows} rows", perceptron, shapes)


def _block(tokens: int, width: int) -> Loss:
    shapes: dict[str, Shape] = {"x": (tokens, width), "wg": (width,), "wb": (width,)}
    shapes |= {"w1": (3 * width, width), "w2": (width, width), "wh": (width,), "wc": (width,)}
    shapes |= {"w3": (4 * width, width), "w4": (width, 4 * width)}
    return Loss(f"transformer block, {tokens} tokens of {width}", transformer_block, shapes)


#: Losses by name.
LOSSES: dict[str, Loss] = {
    loss.name: loss
    for loss in (
        _perceptron(256),
        _block(128, 256),
        Loss("cross-entropy, 8192 x 10", cross_entropy, {"z": (8192, CLASSES), "labels": (8192,)}),
        Loss("cross-entropy, 512 x 1000", cross_entropy, {"z": (512, 1000), "labels": (512,)}),
    )
}
