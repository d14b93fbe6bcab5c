"""Does a product with a vector add in the order that its shapes say, on every device?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.lowering.product_orders import SHORTEST, is_in_lanes

from ..product_sums import in_lanes, one_by_one

RANDOM = np.random.default_rng(23)
DEVICES = ["cpu", "opencl"] if tri.opencl.is_available() else ["cpu"]


def normal(*shape: int) -> Any:
    return RANDOM.standard_normal(shape, dtype=np.float32)


def laid(x: Any, order: str, device: str) -> tri.Tensor:
    """Return a matrix whose rows lie together, or whose columns do."""
    if order == "rows":
        return tri.tensor(x, device=device)
    return tri.tensor(np.ascontiguousarray(x.T), device=device).t()


#: Sums of a few elements and of several groups of lanes, with and without a rest; two blocks.
SIZES = [(1, 40), (5, 63), (70, 64), (17, 100), (40, 457), (300, 290), (3, 256), (3, 16500)]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("order", ["rows", "columns"])
@pytest.mark.parametrize(("m", "k"), SIZES)
def test_bits_of_products_with_a_vector(m: int, k: int, order: str, device: str):
    x, v = normal(m, k), normal(k)
    is_wide = m == 1 or k >= SHORTEST
    wanted = (in_lanes if is_wide else one_by_one)(x, v)
    matrix, vector = laid(x, order, device), tri.tensor(v, device=device)
    column = tri.compile(lambda x, v: x @ v[:, None])(matrix, vector)
    row = tri.compile(lambda x, v: v[None] @ x.t())(matrix, vector)
    np.testing.assert_array_equal(column[:, 0].cpu().numpy(), wanted)
    np.testing.assert_array_equal(row[0].cpu().numpy(), wanted)
    np.testing.assert_array_equal((matrix @ vector).cpu().numpy(), wanted)
    np.testing.assert_array_equal((vector @ matrix.t()).cpu().numpy(), wanted)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("order", ["rows", "columns"])
@pytest.mark.parametrize("dtype", [tri.float16, tri.bfloat16])
@pytest.mark.parametrize(("m", "k"), [(5, 63), (70, 64), (40, 457), (3, 16500)])
def test_narrow_floats_add_as_float32_does(
    m: int, k: int, dtype: tri.dtype, order: str, device: str
):
    x = tri.tensor(normal(m, k)).to(dtype)
    v = tri.tensor(normal(k)).to(dtype)
    wide_x, wide_v = x.float().numpy(), v.float().numpy()
    sums = (in_lanes if k >= SHORTEST else one_by_one)(wide_x, wide_v)
    wanted = tri.tensor(sums).to(dtype).tolist()
    matrix = laid(wide_x, order, device).to(dtype)
    vector = v.to(device)
    column = tri.compile(lambda x, v: x @ v[:, None])(matrix, vector)
    row = tri.compile(lambda x, v: v[None] @ x.t())(matrix, vector)
    assert column[:, 0].tolist() == row[0].tolist() == wanted
    assert (matrix @ vector).tolist() == (vector @ matrix.t()).tolist() == wanted


def test_the_matrix_of_a_product_with_a_vector_is_not_copied():
    x, w = tri.spec((1, 256), tri.bfloat16), tri.spec((256, 256), tri.bfloat16)

    def along(x: tri.Tensor, w: tri.Tensor) -> tri.Tensor:
        return x @ w

    def across(x: tri.Tensor, w: tri.Tensor) -> tri.Tensor:
        return x @ w.T

    def with_vector(x: tri.Tensor, w: tri.Tensor) -> tri.Tensor:
        return w @ x[0]

    for product in (along, across, with_vector):
        assert len(tri.trace(product, x, w).lower().kernels) == 1


def test_which_products_are_sums_in_lanes():
    def spec(*shape: int, dtype: Any = tri.float32) -> Any:
        return tri.spec(shape, dtype)

    assert is_in_lanes(spec(9), spec(9))
    assert is_in_lanes(spec(4, 1, 90), spec(4, 90, 1))
    assert is_in_lanes(spec(1, 4, 8, 90), spec(90))
    assert is_in_lanes(spec(1, 8, 90), spec(1, 90, 1))
    # Several vectors and one matrix are a product of matrices.
    assert not is_in_lanes(spec(8, 90), spec(4, 90, 1))
    assert not is_in_lanes(spec(4, 1, 90), spec(90, 8))
    assert not is_in_lanes(spec(8, 60), spec(60))
    # All floats add in the same order.
    for dtype in (tri.float16, tri.bfloat16, tri.float64):
        assert is_in_lanes(spec(8, 90, dtype=dtype), spec(90, 1, dtype=dtype))
        assert is_in_lanes(spec(1, 90, dtype=dtype), spec(90, 8, dtype=dtype))
        assert not is_in_lanes(spec(8, 60, dtype=dtype), spec(60, dtype=dtype))
    # Of other numbers, only a vector without a second dim says so.
    assert not is_in_lanes(spec(8, 90, dtype=tri.int64), spec(90, 1, dtype=tri.int64))
    assert is_in_lanes(spec(8, 90, dtype=tri.int64), spec(90, dtype=tri.int64))


@pytest.mark.parametrize(("m", "k"), [(0, 40), (5, 0), (0, 0)])
def test_nothing(m: int, k: int):
    x, v = tri.ones((m, k)), tri.ones(k)
    assert (x @ v).tolist() == (x @ v[:, None])[:, 0].tolist() == [0.0] * m
    assert (v[None] @ x.t())[0].tolist() == [0.0] * m
