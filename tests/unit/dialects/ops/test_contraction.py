"""In which order are products of matrices summed, and which are there of 8-bit floats?"""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.lowering.product_orders import SHORTEST

from ...fused import fused


def summed_in_order(a: Any, b: Any) -> Any:
    """Return a product of matrices, one step of the inner dim after the other.

    A product of real numbers and the sum that it is added to are rounded once, together.
    """
    total = np.zeros((a.shape[0], b.shape[1]), a.dtype)
    for step in range(a.shape[1]):
        column, row = a[:, step : step + 1], b[step : step + 1]
        if a.dtype.kind == "c":
            total = total + product_of(column, row)
        else:
            total = (fused if a.dtype == np.float32 else fused_doubles)(column, row, total)
    return total


@np.vectorize
def fused_doubles(x: float, y: float, total: float) -> float:
    """Return x * y + total of float64, exact and then rounded once: float() of a fraction is so."""
    return float(Fraction(x) * Fraction(y) + Fraction(total))


def product_of(x: Any, y: Any) -> Any:
    """Return a product; NumPy's of complex numbers rounds differently on different machines."""
    if x.dtype.kind != "c":
        return x * y
    real = x.real * y.real - x.imag * y.imag
    product = np.empty(real.shape, x.dtype)
    product.real, product.imag = real, x.real * y.imag + x.imag * y.real
    return product


@pytest.mark.parametrize("strides", [(90, 1), (1, 64), (1, 8), (2, 128), (0, 1)])
@pytest.mark.parametrize("dtype", [tri.float32, tri.float64, tri.bfloat16])
def test_a_product_with_a_vector_adds_in_one_order(strides: tuple[int, int], dtype: tri.dtype):
    """The 32 lanes of the sum are part of its meaning, wherever the elements lie."""
    tri.manual_seed(7)
    matrix = tri.randn(12000, dtype=dtype).as_strided((33, 90), strides)
    vector = tri.randn(90, dtype=dtype)
    wanted = matrix.clone(memory_format=tri.contiguous_format) @ vector
    found = [matrix @ vector, tri.compile(lambda a, b: (a @ b,))(matrix, vector)[0]]
    if dtype is not tri.bfloat16:  # a row or a column of narrow numbers is a matrix as others
        found += [(matrix @ vector[:, None])[:, 0], (vector[None] @ matrix.t())[0]]
    scaled = tri.compile(lambda a, b: a.mv(b) * 2)(matrix, vector)
    assert all(each.tolist() == wanted.tolist() for each in found)
    assert scaled.tolist() == (wanted * 2).tolist()


@pytest.mark.parametrize(("rows", "columns", "inner"), [(4, 32, 7), (6, 48, 300), (33, 17, 129)])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
def test_the_order_of_the_sums(dtype: str, rows: int, columns: int, inner: int):
    """Products are added in the order of the inner dim: the bits follow from that."""
    generator = np.random.default_rng(5)
    a, b = (
        (generator.standard_normal(shape) + 1j * generator.standard_normal(shape))
        if dtype.startswith("complex")
        else generator.standard_normal(shape)
        for shape in ((rows, inner), (inner, columns))
    )
    a, b = a.astype(dtype), b.astype(dtype)
    wide = np.float32 if dtype == "float16" else a.dtype
    expected = summed_in_order(a.astype(wide), b.astype(wide)).astype(dtype)
    x, y = tri.from_numpy(a), tri.from_numpy(b)
    for product in (x @ y, tri.compile(lambda x, y: x @ y)(x, y)):
        np.testing.assert_array_equal(product.numpy(), expected)


@pytest.mark.parametrize(
    "dtype", [tri.float32, tri.float64, tri.int32, tri.complex64, tri.bfloat16]
)
@pytest.mark.parametrize(
    ("rows", "columns", "inner"),
    [(16, 1, 1), (17, 15, 5), (40, 33, 0), (23, 16, 384), (198, 37, 800), (16, 70, 385)],
)
def test_tiles_change_no_bit(dtype: tri.dtype, rows: int, columns: int, inner: int):
    """Many rows run in tiles and in pieces of the inner dim, a few do not."""
    tri.manual_seed(rows)
    left = tri.randn(3, rows, inner).mul(8).to(dtype)
    right = tri.randn(3, inner, columns).mul(8).to(dtype)
    sheared = left.transpose(1, 2).contiguous().transpose(1, 2)
    turned = right.transpose(1, 2).contiguous().transpose(1, 2)
    few = [tri.matmul(left[:, first : first + 4], right) for first in range(0, rows, 4)]
    expected = bits_of(tri.cat(few, 1))
    for a, b in ((left, right), (sheared, right), (left, turned), (sheared, turned)):
        assert bits_of(a @ b) == expected
        assert bits_of(a[1] @ b[1]) == bits_of(tri.cat(few, 1)[1])
    # One row alone is a sum in lanes if it is long, wherever the elements lie.
    alone = left[:, :1] @ right
    for b in (right, turned):
        assert bits_of(left[:, :2] @ b) == bits_of(few[0][:, :2])
        assert bits_of(left[:, :1] @ b) == bits_of(alone)
        assert bits_of(left[2, 0] @ b[2]) == bits_of(alone[2, 0])
    if inner < SHORTEST:
        assert bits_of(alone) == bits_of(few[0][:, :1])
    strided = tri.zeros(3, rows, 2 * columns, dtype=dtype)[:, :, ::2]
    strided.copy_(right.new_zeros(3, rows, columns))
    tri.matmul(left, right, out=strided)
    assert bits_of(strided.contiguous()) == expected


def bits_of(tensor: tri.Tensor) -> bytes:
    """Return the bytes of the elements."""
    return bytes(tensor.contiguous().view(tri.uint8).numpy().tobytes())


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
