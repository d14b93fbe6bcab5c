"""Which tensors does a strided program begin with? Layouts of every kind, some in one memory."""

from __future__ import annotations

from random import Random

import numpy as np

from .layout import ORDERS, RANKS, Sizes, contiguous_strides, numel, packed
from .model import Memory, Model
from .program import Input
from .values import COMPLEXES, FLOATS, INTEGERS, NUMPY, Array, category, itemsize
from .views import as_strided

MOST_ELEMENTS = 120


def draw_inputs(random: Random, palette: list[str]) -> tuple[tuple[bytes, ...], dict[str, Input]]:
    """Return the bytes of the memories, and the tensors that look at them."""
    memories: list[bytes] = []
    inputs: dict[str, Input] = {}
    for number in range(random.choice((1, 1, 2, 2, 3))):
        dtype = random.choice(palette)
        sizes = _draw_sizes(random)
        strides = _draw_strides(random, sizes)
        offset = random.choice((0, 0, 0, 1, 5))
        reach = 0
        if 0 not in sizes:
            reach = 1 + sum((s - 1) * t for s, t in zip(sizes, strides, strict=True))
        count = offset + reach + random.choice((0, 0, 3))
        memories.append(_draw_bytes(random, dtype, count))
        first = Input(number, dtype, sizes, strides, offset)
        inputs[f"x{len(inputs)}"] = first
        while random.random() < 0.2:
            inputs[f"x{len(inputs)}"] = _draw_sharing(random, first, memories[-1], palette)
    return tuple(memories), inputs


def _draw_sizes(random: Random) -> Sizes:
    if random.random() < 0.08:
        # Long enough for lanes, and for what is left after them.
        return (*random.choice(((), (1,), (2,))), random.randint(9, 50))
    while True:
        rank = random.choice((0, 1, 2, 2, 3, 3, 4, 4, 5))
        sizes = tuple(
            random.choices((0, 1, 2, 3, 4, 5), (1, 6, 10, 10, 5, 3))[0] for _ in range(rank)
        )
        if numel(sizes) <= MOST_ELEMENTS:
            return sizes


def _draw_strides(random: Random, sizes: Sizes) -> Sizes:
    """Return strides that are dense in some order, with gaps, or with elements that are shared."""
    rank = len(sizes)
    kind = random.random()
    formats = [form for form, wanted in RANKS.items() if wanted == rank]
    if kind < 0.35:
        strides = contiguous_strides(sizes)
    elif formats and kind < 0.7:
        strides = packed(sizes, ORDERS[formats[0]])
    else:
        strides = packed(sizes, random.sample(range(rank), rank))
    if rank and random.random() < 0.15:
        # A gap: as if every second element of a dim, or some at its end, were left out.
        order = sorted(range(rank), key=lambda dim: strides[dim])
        start = random.randrange(rank)
        factor = random.choice((2, 3))
        wider = set(order[start:])
        strides = tuple(s * factor if dim in wider else s for dim, s in enumerate(strides))
    if rank and random.random() < 0.1:
        dim = random.randrange(rank)
        strides = (*strides[:dim], 0, *strides[dim + 1 :])
    return strides


def _draw_values(random: Random, dtype: str, count: int) -> Array:
    if dtype == "bool":
        return np.array([random.random() < 0.5 for _ in range(count)], NUMPY[dtype])
    if dtype in INTEGERS:
        low, high = (0, 255) if dtype == "uint8" else (-9, 9)
        values = [random.randint(low, high) for _ in range(count)]
        if dtype != "uint8" and random.random() < 0.3:
            info = np.iinfo(NUMPY[dtype])
            values = [random.choice((v, int(info.min), int(info.max))) for v in values]
        return np.array(values, NUMPY[dtype])
    steps = [random.randint(-24, 24) / 4 for _ in range(count)]
    if dtype in FLOATS and random.random() < 0.15:
        special = (0.1, -0.0, float("inf"), float("-inf"), float("nan"), 1e5, -3e9)
        steps = [random.choice(special) if random.random() < 0.3 else value for value in steps]
    with np.errstate(all="ignore"):
        if dtype in COMPLEXES:
            imaginary = np.array([random.randint(-24, 24) / 4 for _ in range(count)])
            return (np.array(steps) + 1j * imaginary).astype(NUMPY[dtype])
        return np.array(steps).astype(NUMPY[dtype])


def _draw_bytes(random: Random, dtype: str, count: int) -> bytes:
    """Return memory for so many elements; its length suits every dtype."""
    data = _draw_values(random, dtype, count).tobytes()
    return data + bytes(-len(data) % 16 or (0 if data else 16))


def _draw_sharing(random: Random, first: Input, data: bytes, palette: list[str]) -> Input:
    """Return another tensor in the memory of one: the same, a part, an order, another dtype."""
    kind = random.random()
    if kind < 0.25:
        return first
    if kind < 0.5 and len(first.sizes) > 1:
        order = random.sample(range(len(first.sizes)), len(first.sizes))
        sizes = tuple(first.sizes[dim] for dim in order)
        return Input(
            first.memory, first.dtype, sizes, tuple(first.strides[d] for d in order), first.offset
        )
    dtype = first.dtype
    if kind > 0.85 and dtype != "bool":
        dtype = random.choice([other for other in palette if other != "bool"])
    available = len(data) // itemsize(dtype)
    whole = Model(Memory(bytearray(data)), dtype, (available,), (1,), 0)
    sizes = tuple(random.randint(1, 3) for _ in range(random.randint(0, 2)))
    strides = contiguous_strides(sizes)
    offset = random.randint(0, max(0, available - max(numel(sizes), 1)))
    if numel(sizes) > available:
        sizes, strides, offset = (), (), 0
    found = as_strided(whole, sizes, strides, offset)
    if category(dtype) >= 2 and dtype != first.dtype:
        with np.errstate(all="ignore"):
            if np.isnan(found.array().astype(np.complex128)).any():
                return first
    return Input(first.memory, dtype, found.sizes, found.strides, found.offset)
