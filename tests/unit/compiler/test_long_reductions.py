"""Are long reductions what short ones are? They run as two kernels, block by block."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri

#: More than 32 blocks of 16384, and a last one that ends in the midst of the 32 lanes.
COUNT = 33 * 16384 + 1000 + 5
LANES, BLOCK = 32, 16384


def values(dtype: tri.dtype) -> tri.Tensor:
    tri.manual_seed(11)
    found = tri.randn(COUNT, dtype=tri.float32)
    return (found * 50).to(dtype) if not dtype.is_floating_point else found.to(dtype)


REDUCTIONS: dict[str, Callable[[Any, int], Any]] = {
    "sum": lambda x, dim: x.sum(dim),
    "sum of a chain": lambda x, dim: (x * x + 1).sum(dim),
    "mean": lambda x, dim: x.float().mean(dim),
    "var": lambda x, dim: x.float().var(dim),
    "amax": lambda x, dim: x.amax(dim),
    "argmin": lambda x, dim: x.argmin(dim),
    "any": lambda x, dim: (x > 100).any(dim),
    "count": lambda x, dim: x.count_nonzero(dim),
    "norm": lambda x, dim: x.float().norm(dim=dim),
    "with a dot": lambda x, dim: (x * x.flip(-1)).sum(dim),
}


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("dtype", [tri.float32, tri.float64, tri.bfloat16, tri.int8, tri.int64])
def test_one_long_row_is_each_of_many(name: str, dtype: tri.dtype):
    """Of 64 results at once, each is computed by one kernel: bit for bit the same."""
    x, reduce = values(dtype), REDUCTIONS[name]
    found = tri.compile(lambda x: reduce(x, 0))(x)
    many = tri.compile(lambda x: reduce(x, 1))(x.expand(64, COUNT))
    assert many.shape == (64,)
    assert found.view(1).view(tri.uint8).tolist() == many[:1].view(tri.uint8).tolist()


def test_kernels_of_long_and_short_sums():
    def launches(count: int) -> int:
        traced = tri.trace(lambda x: x.sum(), tri.spec((count,)))
        return len(traced.lower().artifact().launches)

    assert launches(32 * BLOCK) == 1
    assert launches(32 * BLOCK + 1) == 2


@pytest.mark.parametrize("count", [COUNT, 40 * BLOCK, 33 * BLOCK + 31])
def test_the_order_of_a_long_sum(count: int):
    """Lanes of blocks, the blocks of a lane, and halves of the lanes: as NumPy adds them so."""
    x = np.random.default_rng(4).standard_normal(count, dtype=np.float32)
    padded = np.zeros(-(-count // BLOCK) * BLOCK, np.float32)
    padded[:count] = x
    rows = padded.reshape(-1, BLOCK // LANES, LANES)
    lanes = np.zeros((len(rows), LANES), np.float32)
    for number in range(BLOCK // LANES):
        lanes = lanes + rows[:, number]
    total = np.zeros(LANES, np.float32)
    for block in lanes:
        total = total + block
    while len(total) > 1:
        total = total[: len(total) // 2] + total[len(total) // 2 :]
    assert tri.from_numpy(x).sum().item() == total[0]


def test_one_plan_for_long_and_one_for_short():
    total = tri.compile(lambda x: x.sum() * 2)
    for count in (10, 700_000, 20, 800_000, 30, 900_001):
        assert total(tri.ones(count)).item() == 2 * count
    assert total.stats().plans <= 3  # the first of them for the first sizes alone
