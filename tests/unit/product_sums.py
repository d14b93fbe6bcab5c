"""What are the sums of products of float32 in a given order? An oracle for products of matrices."""

from typing import Any

import numpy as np

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
