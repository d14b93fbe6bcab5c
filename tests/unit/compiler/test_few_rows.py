"""Do short columns, and few of them, come to the same without a table of accumulators?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri

LANES = 32
#: No lane has an element, some have one, all have one, some have two, all have two, and more.
ROWS = [0, 1, 2, 3, 7, 17, 31, 32, 33, 48, 63, 64, 65, 200]
#: Whole vectors of every width and not, whole strips and more than one.
COLUMNS = [1, 32, 64, 100, 128, 192, 200]


def in_lanes(rows: Any, combine: Callable[[Any, Any], Any], start: float) -> Any:
    """Return what rows are combined to in 32 lanes, which are halved at the end."""
    lanes = np.full((LANES, *rows.shape[1:]), start, rows.dtype)
    for number, row in enumerate(rows):
        lanes[number % LANES] = combine(lanes[number % LANES], row)
    while len(lanes) > 1:
        half = len(lanes) // 2
        lanes = combine(lanes[:half], lanes[half:])
    return lanes[0]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("columns", COLUMNS)
def test_sums_and_products_have_the_order_of_lanes(columns: int, dtype: str):
    chance = np.random.default_rng(columns)
    for count in ROWS:
        rows = chance.standard_normal((count, columns)).astype(dtype)
        rows[:, 0] = -0.0
        rows[count // 2 : count // 2 + 1, columns // 2] = np.nan
        x = tri.tensor(rows)
        total, product = in_lanes(rows, np.add, 0), in_lanes(rows, np.multiply, 1)
        assert x.sum(0).numpy().tobytes() == total.tobytes(), count
        assert x.prod(0).numpy().tobytes() == product.tobytes(), count
        if count:
            np.testing.assert_array_equal(x.amax(0).numpy(), rows.max(0))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int8", "uint8"])
@pytest.mark.parametrize("columns", COLUMNS)
def test_the_first_extreme_of_few_columns(columns: int, dtype: str):
    """Elements that are alike, zeros of both signs, and NaN, in columns of any length."""
    chance = np.random.default_rng(columns)
    for count in ROWS[1:]:
        rows = chance.integers(0, 3, (count, columns)).astype(dtype)
        if dtype.startswith("float"):
            special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0]
            rows[:, 1::2] = chance.choice(special, rows[:, 1::2].shape)
            rows[:, 2::5] = -np.inf
        x, numbers = tri.tensor(rows), range(columns)
        for found, places in ((x.max(0), rows.argmax(0)), (x.min(0), rows.argmin(0))):
            values, indices = found
            assert indices.tolist() == places.tolist(), count
            assert values.numpy().tobytes() == rows[places, numbers].tobytes(), count


def test_the_first_extreme_of_a_middle_dim():
    images = np.random.default_rng(0).integers(0, 9, (5, 40, 32)).astype(np.float32)
    assert tri.tensor(images).argmax(1).tolist() == images.argmax(1).tolist()
