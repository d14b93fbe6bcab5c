"""What are the sums of products of float32 in a given order? An oracle."""

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .fused import fused

LANES, BLOCK = 32, 16384


def one_by_one(matrix: Any, vector: Any) -> Any:
    """Return a sum for each row, one element of k after the other."""
    total = np.zeros(len(matrix), np.float32)
    for k in range(len(vector)):
        total = fused(matrix[:, k], vector[k], total)
    return total


def in_lanes(matrix: Any, vector: Any) -> Any:
    """Return a sum for each row: in lanes of blocks, blocks one after the other, then halves."""
    totals = np.zeros((len(matrix), LANES), np.float32)
    for start in range(0, len(vector), BLOCK):
        lanes = np.zeros_like(totals)
        for k in range(start, min(start + BLOCK, len(vector))):
            lane = k % LANES
            lanes[:, lane] = fused(matrix[:, k], vector[k], lanes[:, lane])
        totals = totals + lanes
    while totals.shape[1] > 1:
        half = totals.shape[1] // 2
        totals = totals[:, :half] + totals[:, half:]
    return totals[:, 0]


def product(x: Any, y: Any) -> Any:
    """Return a product of matrices, one element of k after the other."""
    total = np.zeros((x.shape[0], y.shape[1]), np.float32)
    for k in range(x.shape[1]):
        total = fused(x[:, k, None], y[None, k, :], total)
    return total


def convolution(x: Any, w: Any, padding: int, stride: int, groups: int) -> Any:
    """Return a convolution: channels first, then the rows and the columns of a window."""
    size = w.shape[-1]
    wide = np.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    seen = sliding_window_view(wide, (size, size), axis=(2, 3))[:, :, ::stride, ::stride]
    own = w.shape[0] // groups, w.shape[1]
    total = np.zeros((x.shape[0], w.shape[0], *seen.shape[2:4]), np.float32)
    for group in range(groups):
        part = slice(group * own[0], (group + 1) * own[0])
        for c, i, j in np.ndindex(own[1], size, size):
            read = seen[:, None, group * own[1] + c, :, :, i, j]
            factor = w[None, part, None, None, c, i, j]
            total[:, part] = fused(read, factor, total[:, part])
    return total
