"""Complex arithmetic: the same bits from the CPU and the interpreter, and NumPy's numbers."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.interpret.tri import interpret_function

Array = np.ndarray[Any, Any]
UNARY = (
    "neg abs square reciprocal exp exp2 expm1 log log1p log2 sqrt rsqrt sin cos tanh sigmoid sgn "
    "angle isnan isinf isfinite isreal logical_not conj_physical"
).split()
BINARY = "add sub mul true_divide pow eq ne logical_and logical_or logical_xor".split()
DTYPES = {"complex64": np.complex64, "complex128": np.complex128}
CORNERS = [0.0, -0.0, 1.0, -1.0, 1e-30, -2.5, np.inf, -np.inf, np.nan]


def sample(count: int, dtype: Any, seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    made = rng.normal(size=(2, count)) * 3
    return (made[0] + 1j * made[1]).astype(dtype)


def corners(dtype: Any) -> Array:
    grid = np.empty((len(CORNERS), len(CORNERS)), dtype)
    grid.real[...], grid.imag[...] = np.array(CORNERS)[:, None], CORNERS
    return np.concatenate([grid.reshape(-1), sample(23, dtype)])


def bits(array: Array) -> bytes:
    """Return the bytes with one NaN, as what a NaN is made of differs by instruction."""
    flat = np.ascontiguousarray(array).reshape(-1)
    flat = flat.view(np.real(flat).dtype).copy()
    if flat.dtype.kind == "f":
        flat[np.isnan(flat)] = np.nan
    return flat.tobytes()


def run_both_ways(function: Callable[..., Any], *arrays: Array) -> Array:
    """Return the CPU's result, after comparing its bits with those of the interpreted kernels."""
    tensors = [tri.from_numpy(array) for array in arrays]
    traced = tri.trace(function, *[tensor.spec for tensor in tensors])
    lowered = traced.lower()
    (interpreted,) = interpret_function(lowered.module, list(arrays))
    result = tri.compile(function)(*tensors).numpy()
    assert bits(result) == bits(interpreted)
    return result


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", UNARY)
def test_unary_bits(name: str, dtype: str):
    array = corners(DTYPES[dtype])
    result = run_both_ways(getattr(tri, name), array)
    traced = tri.trace(getattr(tri, name), tri.from_numpy(array).spec)
    (direct,) = interpret_function(traced.module, [array])
    assert bits(result) == bits(direct)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", BINARY)
def test_binary_bits(name: str, dtype: str):
    left = corners(DTYPES[dtype])
    right = np.roll(left, 5)
    result = run_both_ways(getattr(tri, name), left, right)
    specs = [tri.from_numpy(array).spec for array in (left, right)]
    traced = tri.trace(getattr(tri, name), *specs)
    (direct,) = interpret_function(traced.module, [left, right])
    assert bits(result) == bits(direct)


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    name: getattr(np, name)
    for name in (
        *("abs", "square", "reciprocal", "exp", "exp2", "expm1", "log", "log1p", "log2"),
        *("sqrt", "sin", "cos", "tanh", "angle"),
    )
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name: str, dtype: str):
    array = sample(300, DTYPES[dtype])
    expected = FUNCTIONS[name](array.astype(np.complex128))
    result = getattr(tri, name)(tri.from_numpy(array)).numpy()
    bound = 3e-7 if dtype == "complex64" else 1e-14
    np.testing.assert_allclose(result, expected, rtol=bound)


REDUCTIONS: dict[str, Callable[[Any], Any]] = {
    "sum": lambda x: x.sum(),
    "sum of rows": lambda x: x.sum(1),
    "sum of columns": lambda x: x.sum(0),
    "mean": lambda x: x.mean(),
    "mean of rows": lambda x: x.mean(1),
    "product of rows": lambda x: x.prod(1),
    "sum of a product": lambda x: (x * x + 1).sum(0),
    "matmul": lambda x: x @ x.T,
    "vector": lambda x: x[0] @ x[1],
}


@pytest.mark.parametrize("shape", [(2, 3), (5, 131), (40, 40)])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name: str, dtype: str, shape: tuple[int, int]):
    array = (sample(shape[0] * shape[1], DTYPES[dtype]) * 0.3).reshape(shape)
    result = run_both_ways(REDUCTIONS[name], array)
    expected = REDUCTIONS[name](array.astype(np.complex128))
    bound = 2e-6 if dtype == "complex64" else 1e-13
    np.testing.assert_allclose(result, expected, rtol=bound, atol=bound * 10)


def test_reductions_of_nothing():
    empty = tri.zeros(0, 3).to(tri.complex64)
    assert empty.sum().item() == 0
    assert empty.prod().item() == 1
    assert empty.sum(0).tolist() == [0, 0, 0]


def test_numbers_and_promotion():
    z = tri.tensor([1 + 2j, 3])
    assert (z + 1).tolist() == [2 + 2j, 4]
    assert (2j * z).tolist() == [-4 + 2j, 6j]
    assert (1 - z).tolist() == [-2j, -2]
    assert (tri.tensor([1, 2]) + 1j).dtype is tri.complex64
    assert (z + tri.tensor([1.0, 2.0], dtype=tri.float64)).dtype is tri.complex128
    assert tri.add(z, z, alpha=2j).tolist() == [-3 + 4j, 3 + 6j]
    assert (z == tri.tensor([1 + 2j, 4])).tolist() == [True, False]
    assert tri.where(tri.tensor([True, False]), z, 0).tolist() == [1 + 2j, 0]
    assert abs(tri.tensor([3 + 4j])).dtype is tri.float32


def test_powers():
    z = np.array([1 + 2j, -3 + 0.5j, 0.25j], np.complex128)
    x = tri.from_numpy(z)
    for exponent in (0, 1, 2, 3, -1, -2, 0.5, -0.5, 2.5, 1 + 1j, 2 + 0j):
        np.testing.assert_allclose((x**exponent).numpy(), z**exponent, rtol=1e-13)
    np.testing.assert_allclose((2**x).numpy(), 2**z, rtol=1e-13)


def test_complex32():
    with warnings.catch_warnings():
        # Once in a process, by whoever is first.
        warnings.simplefilter("ignore", UserWarning)
        x = tri.tensor([1 + 2j, 3 - 1j]).to(tri.complex32)
    for result, expected in (
        (x + x, [2 + 4j, 6 - 2j]),
        (x - 1, [2j, 2 - 1j]),
        (x * x, [-3 + 4j, 8 - 6j]),
        (-x, [-1 - 2j, -3 + 1j]),
    ):
        assert result.dtype is tri.complex32
        assert result.to(tri.complex64).tolist() == expected
    assert abs(tri.tensor([3 + 4j]).to(tri.complex32)).dtype is tri.float16
    assert (x == x).tolist() == [True, True]
    for name in ("sum", "exp", "sqrt"):
        with pytest.raises(NotImplementedError, match="not implemented for 'ComplexHalf'"):
            getattr(tri, name)(x)


def test_conjugates():
    z = tri.tensor([1 + 2j])
    assert z.conj().tolist() == [1 - 2j]
    assert tri.conj_physical(z).tolist() == [1 - 2j]
    x = tri.tensor([1.0])
    assert x.conj() is x


def test_a_product_with_one_is_not_dropped():
    """(inf + 0j) * (1 + 0j) has a NaN part, as in PyTorch."""
    product = tri.compile(lambda z: z * (1 + 0j))(tri.tensor([complex(np.inf, 0)]))
    assert np.isnan(product.item().imag)


def test_powers_of_the_number_one_are_one():
    """PyTorch fills with ones for the numbers 1, 1.0 and 1+0j, and does not for True."""
    exponents = tri.tensor([complex("inf"), complex("nan+1j"), 1 + 2j, complex(0, float("inf"))])
    for one in (1, 1.0, 1 + 0j):
        assert tri.pow(one, exponents).tolist() == [1, 1, 1, 1]
        assert (one ** exponents.to(tri.complex128)).tolist() == [1, 1, 1, 1]
    of_bool: Any = True**exponents
    assert of_bool.isnan().tolist() == [True, True, False, True]
    power = tri.compile(lambda n, x: n**x)
    assert power(1, exponents).tolist() == [1, 1, 1, 1]
    assert power(2, exponents).isnan().tolist() == [True, True, False, True]
