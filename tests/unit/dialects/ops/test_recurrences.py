"""Are polynomials by recurrences NumPy's? Its series have a coefficient 1 for one degree."""

from typing import Any

import numpy as np
import pytest

import trilith as tri

special: Any = tri.special
POINTS = np.linspace(-1.5, 2.5, 9)
SERIES: dict[str, Any] = {
    "hermite_polynomial_h": np.polynomial.hermite.hermval,
    "hermite_polynomial_he": np.polynomial.hermite_e.hermeval,
    "laguerre_polynomial_l": np.polynomial.laguerre.lagval,
    "legendre_polynomial_p": np.polynomial.legendre.legval,
}


@pytest.mark.parametrize("name", list(SERIES))
def test_values_are_those_of_series(name: str):
    degrees = np.arange(12)
    expected = [SERIES[name](POINTS, [0] * n + [1]) for n in degrees]
    x, n = tri.tensor(POINTS), tri.tensor(degrees[:, None])
    function = getattr(special, name)
    for of in (function, tri.compile(lambda x, n: function(x, n))):
        np.testing.assert_allclose(of(x, n).numpy(), np.stack(expected), rtol=1e-12, atol=1e-12)
    assert function(x, 3).tolist() == function(x, tri.tensor(3.9)).tolist()
    assert function(2.0, tri.tensor([-1.0, 0.0])).tolist() == [0, 1]


def test_ends_are_known_for_any_degree():
    ends = tri.tensor([1.0, -1.0, -1.0])
    degrees = tri.tensor([10.0**6 + 1, 3.0, 4.0])
    assert special.legendre_polynomial_p(ends, degrees.clamp(max=1000)).tolist() == [1, -1, 1]
    assert special.laguerre_polynomial_l(tri.zeros(1), 900).tolist() == [1]


def test_what_overflows_is_no_number():
    x = tri.full((2,), 0.5, dtype=tri.float64)
    found = special.hermite_polynomial_h(x, tri.tensor([127, 513]))
    assert found[0].item() == pytest.approx(-2.1391e125, rel=1e-4)
    assert found[1].isnan().item()
    with pytest.raises(NotImplementedError, match="hermite_polynomial_h_cpu"):
        special.hermite_polynomial_h(tri.ones(1, dtype=tri.float16), 1)
