"""Which networks are measured? Blocks that models are made of, over a namespace of functions.

Weights are inputs, as they are where a model is trained; none is folded into another before.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from array_programs import Array, Shape, channels_last, count
from layers import LAYERS


@dataclass(frozen=True, slots=True)
class Model:
    """A function of inputs of shapes of their own, and how many multiply-adds its products take."""

    name: str
    body: Callable[..., Any]
    shapes: Mapping[str, Shape]
    steps: int
    #: Whether images have their channels last in memory.
    is_last: bool = False

    @property
    def layers(self) -> list[str]:
        """The layers that the body names; not every library has all of them."""
        return [name for name in LAYERS if name in self.body.__code__.co_names]

    def make(self) -> list[Array]:
        """Return the inputs, the same numbers in every process: weights keep what passes small."""
        found: list[Array] = []
        for name, shape in self.shapes.items():
            generator = np.random.default_rng(zlib.crc32(name.encode()))
            value = generator.standard_normal(shape, np.float32)
            if name.startswith("w"):
                value /= np.float32(count(shape[1:]) ** 0.5)
            if self.is_last and len(shape) == 4:
                value = channels_last(value)
            found.append(value)
        return found


def perceptron(m: Any, x: Any, w1: Any, b1: Any, w2: Any, b2: Any, w3: Any, b3: Any) -> Any:
    """Return the logits of a perceptron with two hidden layers."""
    x = m.relu(m.linear(x, w1, b1))
    x = m.relu(m.linear(x, w2, b2))
    return m.linear(x, w3, b3)


def residual_block(m: Any, x: Any, w1: Any, g1: Any, b1: Any, w2: Any, g2: Any, b2: Any) -> Any:
    """Return a basic block of a ResNet: norms are what they are after training, g*x + b."""
    y = m.relu(m.conv(x, w1) * g1 + b1)
    return m.relu(m.conv(y, w2) * g2 + b2 + x)


def attention(m: Any, x: Any, g: Any, b: Any, w1: Any, w2: Any) -> Any:
    """Return x and what its tokens attend to: norm, eight heads, projection."""
    tokens, width, heads = x.shape[0], x.shape[1], 8
    y = m.linear(m.layer_norm(x, g, b), w1, None)

    def part(number: int) -> Any:
        """Return queries, keys or values (heads, tokens, width of a head)."""
        own = y[:, number * width : (number + 1) * width]
        return own.reshape(tokens, heads, width // heads).swapaxes(0, 1)

    scores = m.softmax(part(0) @ part(1).swapaxes(1, 2) * (width // heads) ** -0.5)
    found = (scores @ part(2)).swapaxes(0, 1).reshape(tokens, width)
    return x + m.linear(found, w2, None)


def lstm_cell(m: Any, x: Any, h: Any, c: Any, w1: Any, w2: Any, b: Any) -> Any:
    """Return the next hidden state of an LSTM."""
    width = h.shape[1]
    gates = m.linear(x, w1, b) + m.linear(h, w2, None)
    i, f, g, o = [gates[:, number * width : (number + 1) * width] for number in range(4)]
    return m.sigmoid(o) * m.tanh(m.sigmoid(f) * c + m.sigmoid(i) * m.tanh(g))


def _block(title: str, image: Shape, *, is_last: bool) -> Model:
    channels, places = image[1], image[0] * image[2] * image[3]
    filters, scale = (channels, channels, 3, 3), (channels, 1, 1)
    shapes = {"x": image, "w1": filters, "g1": scale, "b1": scale}
    shapes |= {"w2": filters, "g2": scale, "b2": scale}
    steps = 2 * places * count(filters)
    return Model(title, residual_block, shapes, steps, is_last)


def _perceptron(rows: int, *sizes: int) -> Model:
    shapes: dict[str, Shape] = {"x": (rows, sizes[0])}
    for number, (before, after) in enumerate(pairwise(sizes), 1):
        shapes |= {f"w{number}": (after, before), f"b{number}": (after,)}
    steps = rows * sum(before * after for before, after in pairwise(sizes))
    title = f"perceptron, {'-'.join(map(str, sizes))}, {rows} rows"
    return Model(title, perceptron, shapes, steps)


def _attention(tokens: int, width: int) -> Model:
    shapes = {"x": (tokens, width), "g": (width,), "b": (width,)}
    shapes |= {"w1": (3 * width, width), "w2": (width, width)}
    steps = tokens * width * (4 * width + 2 * tokens)
    return Model(f"attention, {tokens} tokens of {width}", attention, shapes, steps)


def _lstm(rows: int, width: int) -> Model:
    shapes = {name: (rows, width) for name in ("x", "h", "c")}
    shapes |= {"w1": (4 * width, width), "w2": (4 * width, width), "b": (4 * width,)}
    return Model(f"LSTM cell, {rows} x {width}", lstm_cell, shapes, 8 * rows * width**2)


#: Models by name.
MODELS: dict[str, Model] = {
    model.name: model
    for model in (
        _perceptron(256, 784, 512, 512, 10),
        _perceptron(1, 784, 512, 512, 10),
        _block("ResNet block, 64 x 56 x 56", (1, 64, 56, 56), is_last=False),
        _block("ResNet block, 64 x 56 x 56, channels last", (1, 64, 56, 56), is_last=True),
        _block("ResNet block, 256 x 14 x 14, batch of 4", (4, 256, 14, 14), is_last=False),
        _attention(128, 512),
        _lstm(64, 512),
        _lstm(1, 512),
    )
}
