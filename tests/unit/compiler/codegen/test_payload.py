"""Does every payload op compute on vectors, tails and scalars what NumPy computes?"""

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

Array = np.ndarray[Any, Any]
Binary = Callable[[Array, Array], Array]
Unary = Callable[[Array], Array]
FLOATS = [0.0, -0.0, 1.0, -1.5, 2.5, 3.5, -7.25, 1e-40, 1e38, -1e38, np.inf, -np.inf, np.nan]
ELEMENTS = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64, "i8": np.int8}


def floats(dtype: Any) -> Array:
    random: Array = np.random.default_rng(3).standard_normal(30) * 10
    return np.concatenate([FLOATS, random]).astype(dtype)


def integers(dtype: Any) -> Array:
    info = np.iinfo(dtype)
    random = np.random.default_rng(4).integers(int(info.min), int(info.max), 30, np.int64)
    return np.concatenate([[0, 1, -1, 5, info.min, info.max], random]).astype(dtype)


def run(compile_kernel: Any, body: str, result: str, inputs: list[tuple[str, Array]]) -> Array:
    """Apply the text of a body, from %a, %b ... to %r, to arrays of equal length."""
    names = "abc"[: len(inputs)]
    arguments = "".join(
        f"%x{name}: !kernel.buffer<{element}, [1]>, "
        for name, (element, _) in zip(names, inputs, strict=True)
    )
    loads = "".join(
        f"%{name} = kernel.load %x{name}[%i] : {element}\n"
        for name, (element, _) in zip(names, inputs, strict=True)
    )
    kernel = compile_kernel(f"""
    kernel.func @op(%n: index, {arguments} %y: !kernel.buffer<{result}, [1]>) {{
      kernel.map (%i) to (%n) {{
        {loads} {body}
        kernel.store %r, %y[%i]
      }}
    }}""")
    count = len(inputs[0][1])
    y = np.zeros(count, ELEMENTS[result])
    kernel(count, *(array for _, array in inputs), y)
    return y


def equal(got: Array, expected: Array) -> bool:
    """Same bits; any NaN is like any other."""
    expected = expected.astype(got.dtype)
    same = got.view(f"u{got.itemsize}") == expected.view(f"u{got.itemsize}")
    return bool((same | ((got != got) & (expected != expected))).all())


def pairs(values: Array) -> tuple[Array, Array]:
    """Every value with every other."""
    return np.repeat(values, len(values)), np.tile(values, len(values))


def minimum(a: Array, b: Array) -> Array:
    """NaN if either is, and -0 below +0, which np.minimum leaves open."""
    zeros = (a == 0) & (b == 0)
    return np.where(zeros, np.where(np.signbit(a), a, b), np.minimum(a, b))


def maximum(a: Array, b: Array) -> Array:
    return -minimum(-a, -b)


FLOAT_BINARY: dict[str, Binary] = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
    "arith.maximumf": maximum,
    "arith.minimumf": minimum,
    "math.copysign": np.copysign,
    "kernel.fmod": np.fmod,
}
FLOAT_UNARY: dict[str, Unary] = {
    "arith.negf": np.negative,
    "math.sqrt": np.sqrt,
    "math.floor": np.floor,
    "math.ceil": np.ceil,
    "math.trunc": np.trunc,
    "math.roundeven": np.rint,
    "math.absf": np.abs,
}
INTEGER_BINARY: dict[str, Binary] = {
    "arith.addi": np.add,
    "arith.subi": np.subtract,
    "arith.muli": np.multiply,
    "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or,
    "arith.xori": np.bitwise_xor,
    "arith.maxsi": np.maximum,
    "arith.minsi": np.minimum,
    "arith.maxui": lambda a, b: np.maximum(unsigned(a), unsigned(b)).view(a.dtype),
    "arith.minui": lambda a, b: np.minimum(unsigned(a), unsigned(b)).view(a.dtype),
}
DIVISION: dict[str, Binary] = {
    "arith.divsi": lambda a, b: np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b)),
    "arith.remsi": np.fmod,
    "arith.divui": lambda a, b: (unsigned(a) // unsigned(b)).view(a.dtype),
    "arith.remui": lambda a, b: (unsigned(a) % unsigned(b)).view(a.dtype),
}
SHIFTS: dict[str, Binary] = {
    "arith.shli": np.left_shift,
    "arith.shrsi": np.right_shift,
    "arith.shrui": lambda a, b: (unsigned(a) >> unsigned(b)).view(a.dtype),
}
FLOAT_COMPARISONS: dict[str, Binary] = {
    "oeq": np.equal,
    "une": np.not_equal,
    "olt": np.less,
    "ole": np.less_equal,
    "ogt": np.greater,
    "oge": np.greater_equal,
    "uno": lambda a, b: np.isnan(a) | np.isnan(b),
    "ord": lambda a, b: ~(np.isnan(a) | np.isnan(b)),
    "ult": lambda a, b: ~(a >= b),
}
INTEGER_COMPARISONS: dict[str, Binary] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "slt": np.less,
    "sge": np.greater_equal,
    "ult": lambda a, b: unsigned(a) < unsigned(b),
    "uge": lambda a, b: unsigned(a) >= unsigned(b),
}


def unsigned(array: Array) -> Array:
    return array.view(f"u{array.itemsize}")


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("op", FLOAT_BINARY)
def test_float_binary(compile_kernel: Any, op: str, element: str):
    a, b = pairs(floats(ELEMENTS[element]))
    got = run(
        compile_kernel, f"%r = {op} %a, %b : {element}", element, [(element, a), (element, b)]
    )
    with np.errstate(all="ignore"):
        assert equal(got, FLOAT_BINARY[op](a, b))


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("op", FLOAT_UNARY)
def test_float_unary(compile_kernel: Any, op: str, element: str):
    a = floats(ELEMENTS[element])
    got = run(compile_kernel, f"%r = {op} %a : {element}", element, [(element, a)])
    with np.errstate(all="ignore"):
        assert equal(got, FLOAT_UNARY[op](a))


def test_fma_rounds_once(compile_kernel: Any):
    random = np.random.default_rng(5)
    a, b, c = (random.standard_normal(1000, dtype=np.float32) for _ in range(3))
    inputs = [("f32", a), ("f32", b), ("f32", c)]
    got = run(compile_kernel, "%r = math.fma %a, %b, %c : f32", "f32", inputs)
    # The product of two float32 is exact in float64; the sum may still round twice, so allow that.
    exact = a.astype(np.float64) * b + c
    assert np.mean(got == exact.astype(np.float32)) > 0.999
    twice = run(
        compile_kernel, "%p = arith.mulf %a, %b : f32 %r = arith.addf %p, %c : f32", "f32", inputs
    )
    assert equal(twice, a * b + c)
    assert (twice != got).any()


@pytest.mark.parametrize("element", ["i8", "i32", "i64"])
@pytest.mark.parametrize("op", INTEGER_BINARY)
def test_integer_binary(compile_kernel: Any, op: str, element: str):
    a, b = pairs(integers(ELEMENTS[element]))
    got = run(
        compile_kernel, f"%r = {op} %a, %b : {element}", element, [(element, a), (element, b)]
    )
    with np.errstate(over="ignore"):
        assert equal(got, INTEGER_BINARY[op](a, b))


@pytest.mark.parametrize("element", ["i8", "i32", "i64"])
@pytest.mark.parametrize("op", DIVISION)
def test_division(compile_kernel: Any, op: str, element: str):
    a, b = pairs(integers(ELEMENTS[element]))
    keep = (b != 0) & ~((a == np.iinfo(a.dtype).min) | (b == np.iinfo(b.dtype).min))
    a, b = a[keep], b[keep]
    body = f"""%zero = arith.constant 0 : {element} %one = arith.constant 1 : {element}
        %none = arith.cmpi eq, %b, %zero : {element}
        %d = arith.select %none, %one, %b : {element} %r = {op} %a, %d : {element}"""
    got = run(compile_kernel, body, element, [(element, a), (element, b)])
    assert equal(got, DIVISION[op](a, b))


@pytest.mark.parametrize("element", ["i8", "i32", "i64"])
@pytest.mark.parametrize("op", SHIFTS)
def test_shifts(compile_kernel: Any, op: str, element: str):
    a = integers(ELEMENTS[element])
    b = (np.arange(len(a)) % (8 * a.itemsize)).astype(a.dtype)
    got = run(
        compile_kernel, f"%r = {op} %a, %b : {element}", element, [(element, a), (element, b)]
    )
    assert equal(got, SHIFTS[op](a, b))


def test_absolute_value_of_an_integer(compile_kernel: Any):
    a = integers(np.int32)
    got = run(compile_kernel, "%r = math.absi %a : i32", "i32", [("i32", a)])
    assert equal(got, np.abs(a))


@pytest.mark.parametrize("predicate", FLOAT_COMPARISONS)
def test_float_comparison(compile_kernel: Any, predicate: str):
    a, b = pairs(floats(np.float32))
    body = f"%c = arith.cmpf {predicate}, %a, %b : f32 %r = arith.extui %c : i1 to i32"
    got = run(compile_kernel, body, "i32", [("f32", a), ("f32", b)])
    assert equal(got, FLOAT_COMPARISONS[predicate](a, b))


@pytest.mark.parametrize("predicate", INTEGER_COMPARISONS)
def test_integer_comparison_and_select(compile_kernel: Any, predicate: str):
    a, b = pairs(integers(np.int64))
    body = f"%c = arith.cmpi {predicate}, %a, %b : i64 %r = arith.select %c, %a, %b : i64"
    got = run(compile_kernel, body, "i64", [("i64", a), ("i64", b)])
    assert equal(got, np.where(INTEGER_COMPARISONS[predicate](a, b), a, b))


CASTS: list[tuple[str, str, str, Unary]] = [
    ("arith.extf", "f32", "f64", lambda a: a.astype(np.float64)),
    ("arith.truncf", "f64", "f32", lambda a: a.astype(np.float32)),
    ("arith.sitofp", "i64", "f32", lambda a: a.astype(np.float32)),
    ("arith.uitofp", "i32", "f64", lambda a: unsigned(a).astype(np.float64)),
    ("arith.uitofp", "i64", "f32", lambda a: unsigned(a).astype(np.float32)),
    ("arith.extsi", "i8", "i64", lambda a: a.astype(np.int64)),
    ("arith.extui", "i8", "i32", lambda a: unsigned(a).astype(np.int32)),
    ("arith.trunci", "i64", "i8", lambda a: a.astype(np.int8)),
    ("arith.bitcast", "f32", "i32", lambda a: a.view(np.int32)),
    ("arith.bitcast", "i64", "f64", lambda a: a.view(np.float64)),
]


@pytest.mark.parametrize(("op", "source", "target", "expected"), CASTS)
def test_casts(compile_kernel: Any, op: str, source: str, target: str, expected: Unary):
    make = floats if source[0] == "f" else integers
    a = make(ELEMENTS[source])
    got = run(compile_kernel, f"%r = {op} %a : {source} to {target}", target, [(source, a)])
    with np.errstate(all="ignore"):
        assert equal(got, expected(a))


def test_float_to_integer_in_range(compile_kernel: Any):
    a = np.array([0, -0.75, 1.5, -2.5, 123456.9, 2147483520, -2147483648], np.float32)
    got = run(compile_kernel, "%r = arith.fptosi %a : f32 to i32", "i32", [("f32", a)])
    assert equal(got, np.trunc(a).astype(np.int32))
    got = run(compile_kernel, "%r = arith.fptoui %a : f32 to i32", "i32", [("f32", np.abs(a))])
    assert equal(got, np.trunc(np.abs(a)).astype(np.uint32).view(np.int32))


@pytest.mark.parametrize(("element", "dtype"), [("f16", np.float16), ("bf16", ml_dtypes.bfloat16)])
def test_every_16_bit_float(compile_kernel: Any, element: str, dtype: Any):
    kernel = compile_kernel(f"""
    kernel.func @halves(%n: index, %x: !kernel.buffer<{element}, [1]>,
        %y: !kernel.buffer<{element}, [1]>, %w: !kernel.buffer<f32, [1]>) {{
      kernel.map (%i) to (%n) {{
        %v = kernel.load %x[%i] : {element}
        %f = arith.extf %v : {element} to f32
        kernel.store %f, %w[%i]
        %q = arith.mulf %f, %f : f32
        %r = arith.truncf %q : f32 to {element}
        kernel.store %r, %y[%i]
      }}
    }}""")
    x = np.arange(1 << 16, dtype=np.uint16).view(dtype)
    y, w = np.zeros_like(x), np.zeros(1 << 16, np.float32)
    kernel(1 << 16, x, y, w)
    with np.errstate(all="ignore"):
        assert equal(w, x.astype(np.float32))
        expected = np.square(x.astype(np.float32)).astype(dtype)
    is_nan = np.isnan(expected.astype(np.float32))
    assert (np.isnan(y.astype(np.float32)) == is_nan).all()
    assert (y.view(np.uint16) == expected.view(np.uint16))[~is_nan].all()


@pytest.mark.parametrize("value", [0.1, -0.0, float("inf"), float("nan"), 1e-45, 3.4028235e38])
def test_float_constants_are_exact(compile_kernel: Any, value: float):
    bits = int(np.float32(value).view(np.uint32))
    a = np.zeros(9, np.float32)
    body = f"%z = arith.constant 0x{bits:08X} : f32 %r = math.copysign %z, %z : f32"
    assert equal(run(compile_kernel, body, "f32", [("f32", a)]), np.full(9, value, np.float32))
