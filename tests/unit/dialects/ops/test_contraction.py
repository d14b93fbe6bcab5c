"""Which products of matrices PyTorch has for 8-bit floats, and what they come to."""

import numpy as np
import pytest

import trilith as tri


@pytest.mark.parametrize("dtype", ["float8_e4m3fn", "float8_e5m2"])
def test_matrices_of_8_bit_floats(dtype: str):
    """Sums are formed in float32 and rounded once: small integers are exact."""
    a, b = np.arange(6.0).reshape(2, 3) - 2, np.arange(6.0).reshape(3, 2) - 3
    kind = getattr(tri, dtype)
    product = tri.tensor(a.tolist()).to(kind) @ tri.tensor(b.tolist()).to(kind)
    assert product.dtype is kind
    expected = tri.tensor((a @ b).tolist()).to(kind).to(tri.float32)
    assert product.to(tri.float32).tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("left", "right", "kernel"),
    [
        ((3,), (3,), "dot"),
        ((2, 3), (3,), "addmv_impl_cpu"),
        ((4, 2, 3), (4, 3, 2), "bmm"),
        ((3,), (4, 3, 2), "bmm"),
    ],
)
def test_other_products_of_8_bit_floats_are_refused(
    left: tuple[int, ...], right: tuple[int, ...], kernel: str
):
    a, b = (tri.ones(shape).to(tri.float8_e5m2) for shape in (left, right))
    with pytest.raises(NotImplementedError, match=f'"{kernel}" not implemented for \'Float8_e5m2'):
        tri.matmul(a, b)
