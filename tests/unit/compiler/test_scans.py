"""Do cumulative sums and products have PyTorch's bits, dtypes, strides and errors, on all targets?

PyTorch 2.13's CPU kernels go along the dim, one element after the other; they accumulate 16-bit
floats in float32, float32 in float64, complex64 in complex128, and multiply complex numbers with
one fused multiplication and addition for each part.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import trilith as tri
from trilith.compiler.interpret.tri import interpret_function
from trilith.compiler.kernels.counters import KernelCounters
from trilith.compiler.kernels.table import KERNELS

from ..runtime.opencl_support import device_array, runtime

RANDOM = np.random.default_rng(29)

#: By dtype: what NumPy calls it, and what is accumulated in.
DTYPES: dict[str, tuple[Any, Any]] = {
    "float16": (np.float16, np.float32),
    "bfloat16": (ml_dtypes.bfloat16, np.float32),
    "float32": (np.float32, np.float64),
    "float64": (np.float64, np.float64),
    "int8": (np.int8, np.int64),
    "uint8": (np.uint8, np.int64),
    "int32": (np.int32, np.int64),
    "int64": (np.int64, np.int64),
    "bool": (np.bool_, np.int64),
}


def sums(x: Any, dim: int) -> Any:
    return tri.cumsum(x, dim)


def products(x: Any, dim: int) -> Any:
    return tri.cumprod(x, dim)


def values_of(kind: Any, shape: tuple[int, ...]) -> Any:
    """Return elements near 1, with zeros of both signs, infinities and NaN among the floats."""
    if np.dtype(kind).kind in "iub":
        return RANDOM.integers(0, 100, shape).astype(kind)
    values = 1 + RANDOM.standard_normal(shape) / 4
    flat = values.reshape(-1)
    flat[::17] = -0.0
    flat[5::61], flat[40::89] = np.inf, -np.inf
    return values.astype(kind)


def scanned(values: Any, dim: int, wide: Any, function: Callable[..., Any]) -> Any:
    """Return what PyTorch computes: NumPy, one element after the other, in the wide dtype."""
    result = values.dtype if values.dtype.kind not in "iub" else np.dtype(np.int64)
    start = np.moveaxis(values.astype(wide), dim, 0)
    total = np.full(start.shape[1:], 0 if function is sums else 1, wide)
    steps: list[Any] = []
    with np.errstate(all="ignore"):
        for step in start:
            total = total + step if function is sums else total * step
            steps.append(total.astype(result))
    return np.moveaxis(np.stack(steps), 0, dim)


def same(found: Any, expected: Any) -> bool:
    """Whether bits are equal; one NaN is as good as another."""
    found, expected = np.ascontiguousarray(found), np.ascontiguousarray(expected)
    if found.dtype != expected.dtype or found.shape != expected.shape:
        return False
    kind = np.dtype(f"V{found.itemsize}")
    differ = (found.view(kind) != expected.view(kind)).reshape(found.shape)
    return not (differ & ~((found != found) & (expected != expected))).any()


def laid_out(x: Any, layout: str) -> Any:
    """Return the same elements, which lie otherwise."""
    if layout == "transposed":
        return x.transpose(0, 1).contiguous().transpose(0, 1)
    return tri.stack([x, x], -1)[..., 1] if layout == "strided" else x


@pytest.mark.parametrize("layout", ["contiguous", "transposed", "strided"])
@pytest.mark.parametrize("function", [sums, products])
@pytest.mark.parametrize("name", DTYPES)
def test_values(name: str, function: Any, layout: str):
    kind, wide = DTYPES[name]
    compiled: Any = tri.compile(function, static_argnames="dim")
    for shape, dim in (((5, 37), 0), ((5, 37), -1), ((2, 3, 41), 1), ((1, 130), 0)):
        values = values_of(kind, shape)
        expected = scanned(values, dim, wide, function)
        x = laid_out(tri.from_numpy(values), layout)
        for found in (function(x, dim), compiled(x, dim=dim)):
            assert same(found.numpy(), expected), (shape, dim)
            assert found.is_contiguous()


@pytest.mark.parametrize("function", [sums, products])
@pytest.mark.parametrize("name", DTYPES)
def test_opencl(name: str, function: Any):
    runtime()
    kind, wide = DTYPES[name]
    for dim, layout in ((0, "contiguous"), (1, "contiguous"), (1, "transposed")):
        values = values_of(kind, (5, 37))
        found = function(laid_out(tri.from_numpy(values).to("opencl:0"), layout), dim)
        assert same(found.cpu().numpy(), scanned(values, dim, wide, function)), dim


@pytest.mark.parametrize("function", [sums, products])
@pytest.mark.parametrize("name", DTYPES)
def test_interpreters(name: str, function: Any):
    kind, wide = DTYPES[name]
    values = values_of(kind, (3, 23))
    dtype = getattr(tri, name)
    for dim in (0, 1):
        traced = tri.trace(partial(function, dim=dim), tri.spec((3, 23), dtype))
        expected = scanned(values, dim, wide, function)
        for module in (traced.module, traced.lower().module):
            (found,) = interpret_function(module, [values])
            assert same(found, expected), dim


def fused(a: float, b: float, c: float) -> float:
    """Return a * b + c, rounded once."""
    return float(Fraction(a) * Fraction(b) + Fraction(c))


def multiplied(values: Any) -> Any:
    """Return the products of complex numbers as PyTorch's kernels round them."""
    found: list[complex] = []
    total = complex(1)
    for value in values.tolist():
        a, b, c, d = total.real, total.imag, value.real, value.imag
        total = complex(fused(a, c, -(b * d)), fused(a, d, b * c))
        found.append(total)
    return np.array(found).astype(values.dtype)


@pytest.mark.parametrize("device", ["cpu", "opencl:0"])
@pytest.mark.parametrize("kind", [np.complex64, np.complex128])
def test_complex_numbers(kind: Any, device: str):
    if device != "cpu":
        runtime()
    values = (1 + (RANDOM.standard_normal(60) + 1j * RANDOM.standard_normal(60)) / 5).astype(kind)
    values[3] = 1 + 1j  # the square of its product has a real part that is nearly nothing
    x = tri.from_numpy(values).to(device)
    assert same(x.cumprod(0).cpu().numpy(), multiplied(values))
    assert same(x.conj().cumprod(0).cpu().numpy(), multiplied(values.conj()))
    expected = np.cumsum(values.astype(np.complex128)).astype(kind)
    assert same(x.cumsum(0).cpu().numpy(), expected)
    traced = tri.trace(lambda x: products(x, 0), tri.spec((60,), x.dtype))
    for module in (traced.module, traced.lower().module):
        assert same(interpret_function(module, [values])[0], multiplied(values))


def test_accumulation():
    """What is lost in float32 stays lost for 16-bit floats, and is kept for float32."""
    for dtype, last in ((tri.float16, 0.0), (tri.bfloat16, 0.0), (tri.float32, 2**-10)):
        x = tri.tensor([2.0**15, 2**-10, -(2.0**15)], dtype=dtype)
        assert x.cumsum(0)[2].item() == last
    assert str(tri.tensor([-0.0, -0.0]).cumsum(0)) == "tensor([0., 0.])"
    assert str(tri.tensor([-0.0, -0.0]).cumprod(0)) == "tensor([-0., 0.])"
    whole = tri.tensor([complex(np.inf, 0)])
    assert str(whole.cumprod(0)) == "tensor([inf+nanj])"


def test_one_element_and_none():
    """A tensor of no dims is copied, whatever its dtype; nothing is computed from no elements."""
    assert tri.tensor(3).cumsum(-1).dtype is tri.int64
    assert str(tri.tensor(-0.0).cumsum(0)) == "tensor(-0.)"
    assert str(tri.tensor(complex(np.inf, 0)).cumprod(0)) == "tensor(inf+0.j)"
    for dtype in (tri.float8_e5m2, tri.complex32):
        assert tri.ones((), dtype=tri.float32).to(dtype).cumprod(0).dtype is dtype
    for shape in ((0,), (2, 0), (0, 3)):
        for dim in range(len(shape)):
            empty = tri.ones(shape).cumsum(dim)
            assert (tuple(empty.shape), empty.dtype) == (shape, tri.float32)


def test_dtypes():
    x = tri.tensor([200, 100], dtype=tri.uint8)
    assert x.cumsum(0).tolist() == [200, 300]
    assert x.cumsum(0, dtype=tri.uint8).tolist() == [200, 44]
    assert tri.tensor([1.7, 1.7]).cumsum(0, dtype=tri.int32).tolist() == [1, 2]
    flags: Any = tri.tensor([True, False])
    assert flags.cumprod(axis=0).tolist() == [1, 0]
    out: Any = tri.empty(5, dtype=tri.int8)
    with pytest.warns(UserWarning, match="An output with one or more elements was resized"):
        assert tri.cumsum(x, 0, out=out) is out
    assert out.tolist() == [-56, 44]


VIEWS: list[tuple[Callable[[Any], Any], int]] = [
    (lambda x: x, 0),
    (lambda x: x.t(), 0),
    (lambda x: x[::2], 1),
]


@pytest.mark.parametrize("device", ["cpu", "opencl:0"])
def test_in_place(device: str):
    """The dtype is that of the memory, which the kernel writes where it reads."""
    if device != "cpu":
        runtime()
    values = RANDOM.standard_normal((6, 5)).astype(np.float32)
    for view, axis in VIEWS:
        part = view(tri.from_numpy(values.copy()).to(device))
        wanted = np.cumsum(part.cpu().numpy().astype(np.float64), axis).astype(np.float32)
        assert part.cumsum_(axis) is part
        assert same(part.cpu().numpy(), wanted)
    small: Any = tri.tensor([100, 100, 100], dtype=tri.int8, device=device)
    assert small.cumsum_(0).tolist() == [100, -56, 44]
    assert small.cumprod_(0, dtype=tri.int8).tolist() == [100, 32, -128]


def test_in_place_makes_no_copy():
    traced = tri.trace(lambda x: x.cumsum_(1), tri.spec((4, 3), tri.float32))
    text = traced.lower().as_text("kernel")
    assert text.count("tri.launch") == 1
    assert "tri.empty" not in text
    shifted = tri.trace(lambda x: x.copy_(x.t().cumsum(1)), tri.spec((3, 3), tri.float32))
    assert "tri.empty" in shifted.lower().as_text("kernel")


@pytest.mark.parametrize("dim", [0, 1])
def test_the_schedule_of_gpus(dim: int):
    device = runtime()
    traced = tri.trace(lambda x: x.cumsum(dim), tri.spec((2, 3), tri.float32))
    (kernel,) = traced.lower().kernels
    launch = device.load(KERNELS.get(kernel, KernelCounters(), "opencl-gpu"))
    values = RANDOM.standard_normal((9, 130)).astype(np.float32)
    x, out = device_array(values.reshape(-1)), tri.zeros(9 * 130, device="opencl:0")
    sizes = (9, 130) if dim else (130, 9)
    strides = (130,)
    launch(x.memory.pointer, out.memory.pointer, *sizes, 0, *strides, 0, *strides)
    found = out.cpu().numpy().reshape(9, 130)
    assert same(found, np.cumsum(values.astype(np.float64), dim).astype(np.float32))


REFUSED: list[tuple[Callable[[Any], Any], type[Exception], str]] = [
    (
        lambda x: x.cumsum(2),
        IndexError,
        "Dimension out of range (expected to be in range of [-2, 1], but got 2)",
    ),
    (
        lambda x: tri.tensor(1.0).cumsum(1),
        IndexError,
        "Dimension out of range (expected to be in range of [-1, 0], but got 1)",
    ),
    (lambda x: x.cumsum(), TypeError, 'cumsum() missing 1 required positional arguments: "dim"'),
    (
        lambda x: x.cumsum(0, dtype=tri.bool),
        NotImplementedError,
        "\"cumsum_out_cpu\" not implemented for 'Bool'",
    ),
    (
        lambda x: x.to(tri.bool).cumprod_(0),
        NotImplementedError,
        "\"cumprod_out_cpu\" not implemented for 'Bool'",
    ),
    (
        lambda x: x.to(tri.complex32).cumsum(0),
        NotImplementedError,
        "\"cumsum_out_cpu\" not implemented for 'ComplexHalf'",
    ),
    (
        lambda x: tri.cumsum(x, 0, dtype=tri.float64, out=tri.empty(2, 3)),
        RuntimeError,
        "Expected out tensor to have dtype double, but got float instead",
    ),
    (
        lambda x: x.cumsum_(0, dtype=tri.float64),
        RuntimeError,
        "Bad in-place call: input tensor dtype float and output tensor dtype double should match",
    ),
    (
        lambda x: tri.cumsum(x.view(6)[:-1], 0, out=x.view(6)[1:]),
        RuntimeError,
        "unsupported operation: some elements of the input tensor and the written-to tensor refer "
        "to a single memory location. Please clone() the tensor before performing the operation.",
    ),
    (
        lambda x: x[:1].expand(2, 3).cumsum_(0),
        RuntimeError,
        "unsupported operation: more than one element of the written-to tensor refers to a single "
        "memory location. Please clone() the tensor before performing the operation.",
    ),
]


@pytest.mark.parametrize(("call", "kind", "words"), REFUSED)
def test_refusals(call: Callable[[Any], Any], kind: type[Exception], words: str):
    with pytest.raises(kind) as caught:
        call(tri.ones(2, 3))
    assert isinstance(caught.value, tri.TrilithError)
    assert caught.value.message == words


@pytest.mark.parametrize("rows", [0, 1, 3, 4, 5, 8, 11])
@pytest.mark.parametrize("name", ["cumsum", "cumprod", "cummax", "logcumsumexp"])
def test_rows_side_by_side(name: str, rows: int):
    """Several rows run at once, the rest of them alone: each is as it is by itself."""
    x = tri.randn(2, rows, 37)
    function: Any = getattr(tri, name)
    alone = [function(row, 0) for row in x.reshape(-1, 37)]
    if name == "cummax":
        for part in ("values", "indices"):
            found = getattr(function(x, 2), part).reshape(-1, 37)
            assert found.tolist() == [getattr(each, part).tolist() for each in alone]
    else:
        assert function(x, 2).reshape(-1, 37).tolist() == [each.tolist() for each in alone]
