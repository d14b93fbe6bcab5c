"""Which functions are computed by a recurrence as long as an element says? Orthogonal polynomials.

One step is taken for all elements at once, in their own dtype, as long as any needs it. A
polynomial of a degree below 0 is 0.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .bodies import Array, Arrays

_Of = Callable[[Array], Array]
_Number = Callable[[int], int]

#: By kind: what the polynomial of degree 1 is; what the value of degree k is multiplied by, k times
#: the one before it subtracted from, and what that is divided by, for the value of degree k + 1.
_KINDS: dict[str, tuple[_Of, Callable[[int, Array], Array], _Number, _Number]] = {
    "hermite_h": (lambda x: x + x, lambda k, x: x + x, lambda k: 2 * k, lambda k: 1),
    "hermite_he": (lambda x: x, lambda k, x: x, lambda k: k, lambda k: 1),
    "laguerre_l": (lambda x: 1 - x, lambda k, x: k + k + (1 - x), lambda k: k, lambda k: k + 1),
    "legendre_p": (lambda x: x, lambda k, x: (k + k + 1) * x, lambda k: k, lambda k: k + 1),
}


def polynomial(operands: Arrays, results: Arrays, *, kind: str) -> None:
    """Fill the values of polynomials of a kind, each of the degree that the second operand says."""
    (found,) = results
    x, degrees = np.broadcast_arrays(*operands)
    first, factor, weight, divisor = _KINDS[kind]
    with np.errstate(all="ignore"):
        # What is not finite has no steps to take: NaN as a degree is the least integer in PyTorch.
        steps = np.where(np.isfinite(degrees), np.trunc(degrees), -1)
        before, value = np.ones_like(x), first(x)
        found[...] = np.where(steps < 0, 0, np.where(steps < 1, 1, value))
        if kind.startswith("hermite"):
            is_beyond = steps > (128 if x.dtype == np.float32 else 512)
            found[is_beyond] = np.nan
            steps = np.where(is_beyond, 0, steps)
        for k in range(1, int(steps.max(initial=0))):
            # PyTorch's compiler rounds the first product with the difference.
            product = factor(k, x).astype(np.float64) * value
            following = (product - x.dtype.type(weight(k)) * before).astype(x.dtype)
            before, value = value, following / x.dtype.type(divisor(k))
            np.copyto(found, value, where=steps == k + 1)
        _settle(kind, x, steps, found)


def _settle(kind: str, x: Array, steps: Array, found: Array) -> None:
    """Fill what is known without steps: the values at 0, or at 1 and -1."""
    if kind == "laguerre_l":
        found[(x == 0) & (steps >= 0)] = 1
    if kind == "legendre_p":
        is_end = (np.abs(x) == 1) & (steps >= 0)
        sign = np.where((x < 0) & (steps % 2 == 1), -1, 1)
        np.copyto(found, sign.astype(found.dtype), where=is_end)
