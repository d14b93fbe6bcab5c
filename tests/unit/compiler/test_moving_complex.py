"""Complex tensors are moved bit by bit: copied, joined, reshaped."""

from typing import Any

import numpy as np
import pytest

import trilith as tri


@pytest.mark.parametrize("dtype", ["c8", "c16"])
def test_movement_keeps_every_bit(dtype: str) -> None:
    parts = np.random.default_rng(0).integers(0, 256, 35 * np.dtype(dtype).itemsize, np.uint8)
    array: Any = parts.view(dtype).reshape(5, 7)
    x = tri.from_numpy(array)
    for result, expected in (
        (x.t().clone(), array.T),
        (x.t().contiguous(), array.T),
        (x.t().reshape(35), array.T.reshape(35)),
        (tri.cat([x, x[:, ::2]], 1), np.concatenate([array, array[:, ::2]], 1)),
        (tri.stack([x, x]), np.stack([array, array])),
        (tri.compile(lambda x: x[1:].clone())(x), array[1:]),
    ):
        assert result.dtype is x.dtype
        assert result.numpy().tobytes() == np.ascontiguousarray(expected).tobytes()
