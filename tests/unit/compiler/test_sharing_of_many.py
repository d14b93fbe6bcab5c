"""Borrowed memory that overlaps what is written, among many arguments."""

import random

import numpy as np

import trilith as tri
from trilith.compiler.functions.sharing import sharing_of


def test_random_windows_of_arrays() -> None:
    draw = random.Random(1)
    for _ in range(300):
        array = np.zeros(100, np.uint8)
        spans = [(start := draw.randrange(100), draw.randrange(start, 101)) for _ in range(6)]
        tensors = [tri.from_numpy(array[start:end]) for start, end in spans]
        written = [place for place in range(6) if draw.random() < 0.3]
        met = any(
            place != other and max(spans[place][0], start) < min(spans[place][1], end)
            for place in written
            for other, (start, end) in enumerate(spans)
        )
        assert sharing_of(tensors, written) == ((), not met)
