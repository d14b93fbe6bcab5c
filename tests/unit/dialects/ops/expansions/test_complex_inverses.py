"""Inverse and hyperbolic functions of complex numbers against NumPy: zeros, infinities, cuts."""

import math
from typing import Any

import numpy as np
import pytest

from trilith.dialects.attributes.dtype import float64
from trilith.dialects.ops.scalars.complexes import complex_of
from trilith.dialects.ops.scalars.expansions.complex_registry import COMPLEX_FUNCTIONS
from trilith.dialects.ops.scalars.reference import NumpyLanguage

FUNCTIONS: dict[str, Any] = {
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
    "sinh": np.sinh, "cosh": np.cosh, "tan": np.tan, "log10": np.log10,
}  # fmt: skip
PARTS = [0.0, -0.0, 1, -1, 0.5, -2, math.inf, -math.inf, math.nan, 1e200, 1e-300, 1e-9]


def evaluate(name: str, z: Any) -> Any:
    language = NumpyLanguage()
    real, imag = (language.array(part.copy(), float64) for part in (z.real, z.imag))
    parts = COMPLEX_FUNCTIONS[name](complex_of(real, imag)).value
    return [np.broadcast_to(part.value, z.shape) for part in (parts.real, parts.imag)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_as_numpy(name: str) -> None:
    rng = np.random.default_rng(3)
    # The sums would lose the signs of zeros.
    edges = np.array([complex(real, imag) for real in PARTS for imag in PARTS])
    plain = rng.standard_normal(400) + 1j * rng.standard_normal(400)
    z = np.concatenate([edges, plain * 10.0 ** rng.uniform(-2, 2, 400)])
    with np.errstate(all="ignore"):
        exact = FUNCTIONS[name](z)
    for got, expected in zip(evaluate(name, z), (exact.real, exact.imag), strict=True):
        np.testing.assert_allclose(got, expected, rtol=4e-14, atol=0.0)
        zeros = expected == 0
        np.testing.assert_array_equal(np.signbit(got[zeros]), np.signbit(expected[zeros]))
