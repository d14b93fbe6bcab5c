"""Are products of vectors, matrices and batches, and what is added to them, as NumPy has them?"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import trilith as tri

NAN = float("nan")


def made(*shape: int, dtype: str = "float64", seed: int = 1) -> Any:
    """Return an array of small integers, whose products are exact."""
    return np.random.default_rng([seed, *shape]).integers(-4, 5, shape).astype(dtype)


def both_ways(function: Callable[..., Any], *arrays: Any) -> Any:
    """Return what a function gives; compiled, it gives the same, with the same strides."""
    tensors = [tri.from_numpy(array) for array in arrays]
    found, compiled = function(*tensors), tri.compile(function)(*tensors)
    assert found.stride() == compiled.stride()
    np.testing.assert_array_equal(found.numpy(), compiled.numpy())
    return found.numpy()


@pytest.mark.parametrize("dtype", ["float16", "float64", "int32", "complex64"])
def test_what_is_added_to_products(dtype: str):
    a, b, c = made(3, 4, dtype=dtype), made(4, 5, dtype=dtype), made(5, dtype=dtype)
    found = both_ways(partial(tri.addmm, beta=2, alpha=3), c, a, b)
    np.testing.assert_array_equal(found, 2 * c + 3 * (a @ b))
    x, v = made(3, dtype=dtype), made(4, dtype=dtype)
    found = both_ways(partial(tri.addmv, alpha=2), x, a, v)
    np.testing.assert_array_equal(found, x + 2 * (a @ v))
    found = both_ways(partial(tri.addr, beta=2), made(3, 4, dtype=dtype), x, v)
    np.testing.assert_array_equal(found, 2 * made(3, 4, dtype=dtype) + np.outer(x, v))
    p, q = made(2, 3, 4, dtype=dtype), made(2, 4, 5, dtype=dtype)
    np.testing.assert_array_equal(both_ways(tri.baddbmm, c, p, q), c + p @ q)
    np.testing.assert_array_equal(both_ways(tri.addbmm, c, p, q), c + (p @ q).sum(0))


@pytest.mark.parametrize("name", ["addmm", "addmv", "addr", "baddbmm", "addbmm"])
def test_an_input_times_0_is_not_looked_at(name: str):
    shapes = {
        "addmm": ((2, 3), (3, 2)),
        "addmv": ((2, 3), (3,)),
        "addr": ((2,), (2,)),
        "baddbmm": ((2, 2, 3), (2, 3, 2)),
        "addbmm": ((2, 2, 3), (2, 3, 2)),
    }
    factors = [tri.ones(shape) for shape in shapes[name]]
    function: Any = getattr(tri, name)
    result = function(tri.zeros(()), *factors)
    hidden = function(tri.full(result.shape, NAN), *factors, beta=0)
    assert hidden.tolist() == result.tolist()
    assert function(tri.full(result.shape, NAN), *factors).isnan().all()


def test_a_product_times_0_is_left_out_where_blas_leaves_it_out():
    nans, ones = tri.full((2, 2), NAN), tri.ones(2, 2)
    assert tri.addmm(ones, nans, nans, alpha=0).tolist() == ones.tolist()
    assert tri.addmm(ones.half(), nans.half(), nans.half(), alpha=0).isnan().all()
    assert tri.addmm(nans, nans, nans, beta=0, alpha=0).tolist() == [[0, 0], [0, 0]]


def test_narrow_products_are_rounded_once():
    """1024 + 1.5 is no float16; of 1 less it is one again."""
    row, column = tri.tensor([[1024.0, 1.5]]).half(), tri.tensor([[1.0], [1.0]]).half()
    added = tri.tensor([[-1.0]]).half()
    assert tri.addmm(added, row, column).item() == 1024.5 - 0.5
    assert tri.addmm(added, row, column, beta=1024).item() == 1.5


def test_factors_take_the_dtype_of_the_products():
    a = tri.tensor([[3]])
    assert tri.addmm(a, a, a, beta=1.9, alpha=2.9).item() == 3 + 2 * 9

    def added(a: Any, beta: Any) -> Any:
        return tri.addmm(a, a, a, beta=beta)

    scaled = tri.compile(added)
    assert [scaled(a, beta).item() for beta in (1.9, 2.9, 0.0, 3)] == [12, 15, 9, 18]
    with pytest.raises(RuntimeError, match="value cannot be converted to type float without"):
        tri.addmm(tri.ones(1, 1), tri.ones(1, 1), tri.ones(1, 1), beta=1j)


def test_they_write_in_place():
    x = tri.ones(2, 2)
    assert x.addmm_(tri.ones(2, 3), tri.ones(3, 2), beta=2) is x
    assert x.tolist() == [[5, 5], [5, 5]]
    out = tri.empty(0)
    assert tri.mm(x, x, out=out) is out
    assert out.tolist() == [[50, 50], [50, 50]]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: tri.mm(tri.ones(2), tri.ones(2, 2)), "self must be a matrix"),
        (lambda: tri.bmm(tri.ones(2, 2, 2), tri.ones(2, 2)), "batch2 must be a 3D tensor"),
        (
            lambda: tri.mv(tri.ones(2), tri.ones(2)),
            "vector + matrix @ vector expected, got 1, 1, 1",
        ),
        (
            lambda: tri.dot(tri.ones(2, 2), tri.ones(2)),
            "1D tensors expected, but got 2D and 1D tensors",
        ),
        (
            lambda: tri.addmm(tri.ones(2), tri.ones(2, 2), tri.ones(2, 2).double()),
            "self and mat2 must have the same dtype, but got Float and Double",
        ),
        (
            lambda: tri.outer(tri.ones(2, 2), tri.ones(2)),
            "outer: Expected 1-D argument self, but got 2-D",
        ),
        (
            lambda: tri.linalg.multi_dot([tri.ones(2, 3), tri.ones(2, 3)]),
            "multi_dot(): tensors 0 and 1 with shapes [2, 3] and [2, 3] cannot be multiplied",
        ),
    ],
)
def test_refusals(call: Callable[[], Any], text: str):
    with pytest.raises(RuntimeError) as raised:
        call()
    assert getattr(raised.value, "message", "") == text


def test_products_of_vectors():
    x, y = made(5, dtype="complex128") + 1j, made(5, dtype="complex128", seed=2) - 2j
    np.testing.assert_array_equal(both_ways(tri.dot, x, y), np.dot(x, y))
    np.testing.assert_array_equal(both_ways(tri.vdot, x, y), (x.conj() * y).sum())
    a, b = made(2, 3, 5), made(4, 5)
    np.testing.assert_array_equal(both_ways(tri.inner, a, b), np.inner(a, b))
    left, right = made(4, 1, 3), made(5, 3)
    found = both_ways(tri.linalg.cross, left.repeat(5, 1), right[None].repeat(4, 0))
    np.testing.assert_array_equal(found, np.cross(left, right))
    found = both_ways(tri.linalg.vecdot, a, made(3, 5))
    np.testing.assert_array_equal(found, np.vecdot(a, made(3, 5)))


@pytest.mark.parametrize("power", range(7))
def test_powers_of_matrices(power: int):
    a = made(2, 3, 3, dtype="int64")
    found = both_ways(partial(tri.matrix_power, n=power), a)
    np.testing.assert_array_equal(found, np.linalg.matrix_power(a, power))


def test_chains_and_blocks():
    chain: list[Any] = [made(size, step) for size, step in ((3, 20), (20, 2), (2, 30), (30, 4))]

    def multiplied(*parts: Any) -> Any:
        return tri.linalg.multi_dot(parts)

    expected: Any = chain[0] @ chain[1] @ chain[2] @ chain[3]
    found = both_ways(multiplied, *chain)
    np.testing.assert_array_equal(found, expected)
    expected = np.einsum("ab,xcd->xacbd", made(2, 3), made(3, 1, 2)).reshape(3, 2, 6)
    np.testing.assert_array_equal(both_ways(tri.kron, made(2, 3), made(3, 1, 2)), expected)
    blocks = both_ways(tri.block_diag, made(2, 3), made(2), made(1, 1))
    assert blocks.shape == (4, 6)
    assert blocks[:2, :3].tolist() == made(2, 3).tolist()
    assert blocks.sum() == made(2, 3).sum() + made(2).sum() + made(1, 1).sum()
    for increasing in (False, True):
        found = both_ways(partial(tri.vander, N=4, increasing=increasing), made(5))
        np.testing.assert_array_equal(found, np.vander(made(5), 4, increasing))


def nothing(*shape: int, dtype: Any = tri.bool) -> Any:
    return tri.zeros(shape, dtype=dtype)


@pytest.mark.parametrize("dtype", [tri.bool, tri.uint16])
def test_a_product_without_factors_is_zero_of_any_dtype(dtype: Any):
    tall, wide = nothing(2, 0, dtype=dtype), nothing(0, 2, dtype=dtype)
    for found in (
        tall @ wide,
        tall.mm(wide),
        tall.mv(nothing(0, dtype=dtype))[:, None].expand(2, 2),
        nothing(1, 2, 0, dtype=dtype).bmm(nothing(1, 0, 2, dtype=dtype))[0],
        tri.einsum("ij,jk->ik", tall, wide),
        tri.addmm(tri.ones(2, 2, dtype=dtype), tall, wide, beta=0),
    ):
        assert found.dtype is dtype
        assert not found.any()
    assert wide.mm(tri.ones(2, 3, dtype=dtype)).shape == (0, 3)


def test_bools_are_added_to_no_products_but_not_times_a_number():
    whole, tall, wide = tri.ones(2, 2, dtype=tri.bool), nothing(2, 0), nothing(0, 2)
    assert tri.addmm(whole, tall, wide, beta=True).all()
    assert tri.addmv(whole[0], tall, nothing(0), beta=2).all()
    words = "result type Long can't be cast to the desired output type Bool"
    with pytest.raises(RuntimeError, match=words):
        tri.addmm(whole, tall, wide)
    with pytest.raises(RuntimeError, match=words):
        tri.addbmm(whole, tall[None], wide[None])
    with pytest.raises(NotImplementedError, match="\"addmm_impl_cpu_\" not implemented for 'Bool'"):
        tri.addmm(whole, whole, whole)
    with pytest.raises(NotImplementedError, match="\"dot\" not implemented for 'Bool'"):
        nothing(0).dot(nothing(0))


def test_what_no_product_is_added_to_keeps_its_sign():
    added = tri.addmm(tri.full((2, 2), -0.0), tri.ones(2, 0), tri.ones(0, 2))
    assert tri.signbit(added).all()
