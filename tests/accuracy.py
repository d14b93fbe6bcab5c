"""How far from the exact values are the functions of one float32? Over all 2^32 of them, if asked.

    python -m tests.accuracy                            # every 4099th pattern, all functions
    python -m tests.accuracy --stride 1 lgamma tan      # each of the 2^32

A function's float64 results, which are held to mpmath in `tests/unit/dialects/ops/expansions`, are
the exact values here: of functions that compute float32 in float64, with fewer terms, and round
once. Printed are the largest error in units in the last place, where it is, and the row's bound.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import trilith as tri
from trilith.dialects.ops.frame.opspec import ElementwiseOp
from trilith.dialects.ops.table import TABLE, public_functions

#: The functions whose float32 is float64 rounded once, by their names below `trilith`.
FUNCTIONS = (
    *("tan", "asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh", "log10"),
    *("lgamma", "digamma", "sinc", "erfinv", "i0", "logit", "special.entr", "special.erfcx"),
    *("special.ndtr", "special.ndtri", "special.log_ndtr", "special.i0e", "special.i1"),
    *("special.i1e", "special.bessel_j0", "special.bessel_j1", "special.bessel_y0"),
    *("special.bessel_y1", "special.modified_bessel_k0", "special.modified_bessel_k1"),
    *("special.scaled_modified_bessel_k0", "special.scaled_modified_bessel_k1"),
    *("special.spherical_bessel_j0", "special.airy_ai"),
)
_BLOCK = 1 << 22


def errors_in_ulp(got: Any, exact: Any) -> Any:
    """Return |got - exact| in units of float32's last place; where only one is NaN, infinity."""
    with np.errstate(all="ignore"):
        rounded = exact.astype(np.float32)
        unit = np.ldexp(1.0, np.clip(np.frexp(exact)[1] - 1, -126, 127) - 23)
        error = np.abs(got.astype(np.float64) - exact) / unit
    is_same = (got == rounded) | (np.isnan(got) & np.isnan(rounded))
    error = np.where(is_same & ~np.isfinite(rounded), 0.0, error)
    return np.where(np.isnan(error), np.inf, error)


def worst(name: str, stride: int) -> tuple[float, float]:
    """Return the largest error of a function over every so many-th bit pattern, and its place."""
    function: Any = tri
    for part in name.split("."):
        function = getattr(function, part)
    largest, place = 0.0, 0.0
    for start in range(0, 1 << 32, stride * _BLOCK):
        stop = min(start + stride * _BLOCK, 1 << 32)
        x: Any = np.arange(start, stop, stride).astype(np.uint32).view(np.float32)
        with np.errstate(all="ignore"):
            wide = x.astype(np.float64)
        errors = errors_in_ulp(
            function(tri.from_numpy(x)).numpy(), function(tri.from_numpy(wide)).numpy()
        )
        at = int(errors.argmax())
        if errors[at] > largest:
            largest, place = float(errors[at]), float(x[at])
    return largest, place


def bound_of(name: str) -> float:
    """Return the bound that the row of a function states."""
    row = public_functions()[name]
    if not isinstance(row, ElementwiseOp):
        row = TABLE[{"logit": "logit_of_wide", "special.ndtr": "normal_probability"}[name]]
    assert isinstance(row, ElementwiseOp)
    return row.ulp


def main() -> None:
    """Measure the functions that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=FUNCTIONS)
    parser.add_argument("--stride", type=int, default=4099)
    options = parser.parse_args()
    for name in options.names:
        error, place = worst(name, options.stride)
        print(f"{name:36} {error:8.4f} ULP at {place!r:24} bound {bound_of(name)}", flush=True)


if __name__ == "__main__":
    main()
