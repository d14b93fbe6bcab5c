"""What is a fused multiply-add of float32, by NumPy's float64? An oracle for sums of products."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def fused(x: Any, y: Any, total: Any) -> Any:
    """Return x * y + total of float32, rounded once.

    The product is exact in float64. The sum is rounded to an odd last bit where it is not: then
    rounding it again, to float32, is as rounding it once.
    """
    product, addend = wide(x) * wide(y), wide(total)
    result = product + addend
    back = result - product
    error = (product - (result - back)) + (addend - back)
    is_even = result.view(np.int64) & 1 == 0
    other = np.nextafter(result, np.copysign(np.inf, error))
    return np.where((error != 0) & is_even, other, result).astype(np.float32)


def wide(x: Any) -> NDArray[np.float64]:
    """Return an array as float64."""
    return np.asarray(x, np.float64)
