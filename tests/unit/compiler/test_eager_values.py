"""Do operations give PyTorch's values at the corners of every dtype, and the mathematical ones?

`values.json` has PyTorch's own answers (see `record_values.py` beside it). What is exact must be
equal bit for bit, any NaN being equal to any other; a mathematical function may differ from
PyTorch's by its own error bound and PyTorch's. Sweeps over the domain of a row are compared with
mpmath.
"""

import base64
import json
import math
import pathlib
import zlib
from collections.abc import Callable
from typing import Any

import mpmath as untyped  # pyright: ignore[reportMissingTypeStubs] - it has none
import numpy as np
import pytest

import trilith as tri
from trilith.dialects.attributes.dtype import DType, by_name
from trilith.dialects.attributes.spec import TensorSpec
from trilith.dialects.ops.frame.opspec import ElementwiseOp
from trilith.dialects.ops.table import TABLE
from trilith.runtime.tensors.tensor import tensor_from_bytes

DATA = pathlib.Path(__file__).parents[2] / "data" / "torch"
RECORDED: dict[str, Any] = json.loads((DATA / "values.json").read_text(encoding="utf-8"))
Array = np.ndarray[Any, Any]
mpmath: Any = untyped


def gelu_tanh(x: Any) -> Any:
    return tri.gelu(x, approximate="tanh")


def trunc_divide(a: Any, b: Any) -> Any:
    return tri.div(a, b, rounding_mode="trunc")


def add_alpha_3(a: Any, b: Any) -> Any:
    return tri.add(a, b, alpha=3)


def where(a: Any, b: Any) -> Any:
    return tri.where(a != 0, a, b)


def clamp(a: Any, b: Any) -> Any:
    return tri.clamp(a, b, b)


#: The functions behind recorded names that are not a row's own.
CALLS: dict[str, Callable[..., Any]] = {
    function.__name__: function for function in (gelu_tanh, trunc_divide, add_alpha_3, where, clamp)
}


def call_of(name: str) -> Callable[..., Any]:
    return CALLS.get(name) or getattr(tri, name)


def unpack(name: str, data: str) -> tuple[DType, bytes]:
    return by_name(name), zlib.decompress(base64.b64decode(data))


def tensor(name: str, data: str) -> Any:
    dtype, raw = unpack(name, data)
    return tensor_from_bytes(TensorSpec.of((len(raw) // dtype.itemsize,), dtype), raw).to(
        tri.get_default_device()
    )


def elements(x: Any) -> Array:
    return np.asarray(x.numpy(force=True))


def steps(values: Array) -> Array:
    """Return floats as integers whose difference counts units in the last place."""
    bits = values.view(f"i{values.itemsize}").astype(np.int64)
    lowest = -(1 << (8 * values.itemsize - 1))
    return np.where(bits < 0, lowest - bits, bits)


def differences(found: Array, expected: Array, ulp: float) -> Array:
    """Return where found is not within `ulp` of expected; both NaN is equal."""
    if found.dtype.kind in "biu":
        return np.asarray(found != expected)
    both = np.isnan(found.astype(np.float64)) & np.isnan(expected.astype(np.float64))
    if not ulp:
        kind = f"u{found.itemsize}"
        return np.asarray((found.view(kind) != expected.view(kind)) & ~both)
    near = np.abs(steps(found) - steps(expected)) <= ulp
    wide = expected.astype(np.float64)
    special = ~np.isfinite(wide) | (wide == 0)
    equal = found.view(f"u{found.itemsize}") == expected.view(f"u{found.itemsize}")
    return np.asarray(~(both | np.where(special, equal, near)))


# ---- where PyTorch's answer is no rule


def is_zero_of_other_sign(inputs: list[Array], ours: Array, theirs: Array) -> Array:
    return (ours == 0) & (theirs == 0)


def is_flushed(inputs: list[Array], ours: Array, theirs: Array) -> Array:
    tiny = 2 * np.finfo(np.float32).tiny if ours.itemsize < 8 else 1e-80
    return (theirs == 0) & (np.abs(ours.astype(np.float64)) <= tiny)


def is_lost_remainder(inputs: list[Array], ours: Array, theirs: Array) -> Array:
    dividend, divisor = (np.abs(x.astype(np.longdouble)) for x in inputs)
    with np.errstate(all="ignore"):
        is_huge = dividend / divisor > 2.0 ** (24 if ours.itemsize < 8 else 53)
    return np.isnan(theirs) & is_huge & np.isfinite(dividend) & (divisor != 0)


def is_cancelled(inputs: list[Array], ours: Array, theirs: Array) -> Array:
    x, epsilon = inputs[0].astype(np.float64), np.finfo(np.float32).eps
    epsilon = epsilon if ours.itemsize < 8 else np.finfo(np.float64).eps
    with np.errstate(invalid="ignore"):
        distance = np.abs(ours.astype(np.float64) - theirs.astype(np.float64))
    return (distance <= 8 * epsilon * np.abs(x)) | (x > 1e38)


def is_out_of_range(inputs: list[Array], ours: Array, theirs: Array) -> Array:
    x = inputs[0].astype(np.float64)
    return ~((x > -1) & (x < 2.0**32))


Excuse = Callable[[list[Array], Array, Array], Array]

#: Operations, elements that may differ, and why.
EXCUSES: tuple[tuple[frozenset[str], Excuse, str], ...] = (
    (
        frozenset({"maximum", "minimum", "clamp_min", "clamp_max", "clamp"}),
        is_zero_of_other_sign,
        "of two zeros PyTorch takes one or the other by the element's place in the vector",
    ),
    (
        frozenset({"sigmoid", "erf", "gelu", "gelu_tanh", "silu"}),
        is_flushed,
        "PyTorch's intermediate overflows or is flushed where the result is next to nothing",
    ),
    (
        frozenset({"remainder"}),
        is_lost_remainder,
        "the remainder is exact; PyTorch's vectorised loop gives NaN for a huge quotient",
    ),
    (
        frozenset({"gelu", "gelu_tanh"}),
        is_cancelled,
        "PyTorch subtracts nearly equal numbers, and overflows for the largest inputs",
    ),
    (
        frozenset({"uint32"}),
        is_out_of_range,
        "not defined in C++: PyTorch's answers depend on the source dtype",
    ),
)
USED: set[int] = set()


def tolerance(name: str, dtype: str) -> float:
    """Return the units in the last place that an operation may be away from PyTorch's result."""
    row = TABLE.get({"pow": "power", "gelu_tanh": "gelu"}.get(name, name))
    # PyTorch's square root is that of a vector library, which is not correctly rounded.
    bound = 0.5 if name == "sqrt" else row.ulp if isinstance(row, ElementwiseOp) else 0
    if not bound:
        return 0
    return 1 if dtype in {"float16", "bfloat16"} else bound + 1


def check(name: str, found: Any, recorded: list[str], ulp: float, inputs: list[Any]) -> str:
    """Return what differs from a recorded result and has no excuse, or an empty string."""
    dtype, raw = unpack(*recorded)
    if found.dtype is not dtype:
        return f"{found.dtype} instead of {dtype}"
    ours, theirs = elements(found), np.frombuffer(raw, dtype.numpy)
    arrays = [elements(x) if isinstance(x, tri.Tensor) else np.asarray(x) for x in inputs]
    wrong = differences(ours, theirs, ulp)
    for index, (names, excuse, _) in enumerate(EXCUSES):
        if name in names and wrong.any():
            excused = wrong & excuse(arrays, ours, theirs)
            if excused.any():
                USED.add(index)
                wrong = wrong & ~excused
    cases = [
        f"{[array[index] if array.ndim else array[()] for array in arrays]}: "
        f"{ours[index]} instead of {theirs[index]}"
        for index in np.flatnonzero(wrong)[:4]
    ]
    return f"{wrong.sum()} of {len(ours)} elements: {cases}" if cases else ""


def refused(call: Callable[..., Any], *inputs: Any) -> bool:
    try:
        call(*inputs)
    except tri.TrilithError:
        return True
    return False


# ---- corners, as PyTorch has them


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize("name", RECORDED["unary"])
def test_one_operand(name: str):
    wrong: dict[str, str] = {}
    for dtype, recorded in RECORDED["unary"][name].items():
        x = tensor(*RECORDED["inputs"][dtype])
        if recorded is None:
            assert refused(call_of(name), x), f"{name} of {dtype}"
            continue
        found = check(name, call_of(name)(x), recorded, tolerance(name, dtype), [x])
        if found:
            wrong[dtype] = found
    assert not wrong


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize("name", RECORDED["binary"])
def test_two_operands(name: str):
    wrong: dict[str, str] = {}
    for dtype, recorded in RECORDED["binary"][name].items():
        if recorded is None:
            x = tensor(*RECORDED["inputs"][dtype])
            assert refused(call_of(name), x, x), f"{name} of {dtype}"
            continue
        pair = [tensor(dtype, data) for data in recorded[:2]]
        found = check(name, call_of(name)(*pair), recorded[2:], tolerance(name, dtype), pair)
        if found:
            wrong[dtype] = found
    assert not wrong


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize("source", RECORDED["casts"])
def test_casts(source: str):
    x = tensor(*RECORDED["inputs"][source])
    wrong = {
        target: found
        for target, recorded in RECORDED["casts"][source].items()
        if (found := check(target, x.to(by_name(target)), recorded, 0, [x]))
    }
    assert not wrong


NUMBERED: dict[str, list[Any]] = {}
for _row in RECORDED["scalars"]:
    NUMBERED.setdefault(_row[0], []).append(_row[1:])


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize("text", NUMBERED)
def test_python_number(text: str):
    """`text` is an expression of a tensor `x` and a number `s`, in PyTorch's words."""
    wrong: dict[tuple[str, str], str] = {}
    kind = "remainder" if "%" in text else ""
    for dtype, spelled, *recorded in NUMBERED[text]:
        number = eval(spelled, {"inf": math.inf, "nan": math.nan})
        names = {"torch": tri, "s": number}
        if isinstance(recorded[0], str):
            x = tensor(*RECORDED["inputs"][dtype])
            with pytest.raises(tri.TrilithError) as caught:
                eval(text, {**names, "x": x})
            if caught.value.message != recorded[1]:
                wrong[dtype, spelled] = f"{caught.value.message!r} instead of {recorded[1]!r}"
            continue
        x = tensor(*recorded[0])
        ulp = tolerance("pow" if "**" in text else "", dtype)
        inputs = [number, x] if text.index("s") < text.index("x") else [x, number]
        found = check(kind, eval(text, {**names, "x": x}), recorded[1], ulp, inputs)
        if found:
            wrong[dtype, spelled] = found
    assert not wrong


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize("text", ["x // 0", "x % 0", "1 // x", "1 % x", "x // y", "x % y"])
@pytest.mark.parametrize("name", ["uint8", "int8", "int16", "int32", "int64"])
def test_integer_division_by_zero(text: str, name: str):
    x = tri.tensor([3, 0, 5], dtype=by_name(name))
    y = tri.tensor([1, 2, 0], dtype=by_name(name))
    with pytest.raises(RuntimeError, match=r"^ZeroDivisionError"):
        eval(text, {"x": x, "y": y}).tolist()  # a device reports when it is waited for
    with pytest.raises(RuntimeError, match=r"^ZeroDivisionError"):
        tri.compile(lambda x, y: eval(text, {"x": x, "y": y}))(x, y).tolist()


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize("name", ["int8", "int16", "int32", "int64"])
def test_smallest_integer_by_minus_one_wraps(name: str):
    dtype = by_name(name)
    lowest = tri.iinfo(dtype).min
    x = tri.tensor([lowest, lowest + 1], dtype=dtype)
    assert (x // -1).tolist() == [lowest, -lowest - 1]
    assert (x % -1).tolist() == [0, 0]
    assert tri.div(x, -1, rounding_mode="trunc").tolist() == [lowest, -lowest - 1]


def test_every_excuse_is_needed():
    """Runs after the others: an excuse that nothing needs any more must go."""
    if len(USED) < len(EXCUSES) - 1:
        pytest.skip("needs the whole module in one process")
    assert USED == set(range(len(EXCUSES)))


# ---- sweeps, as mathematics has them


def _phi(x: Any) -> Any:
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def _gelu_tanh(x: Any) -> Any:
    inner = mpmath.sqrt(2 / mpmath.pi) * (x + mpmath.mpf("0.044715") * x**3)
    return x / (1 + mpmath.exp(-2 * inner))


EXACT: dict[str, Callable[[Any], Any]] = {
    "exp": mpmath.exp,
    "exp2": lambda x: mpmath.mpf(2) ** x,
    "expm1": mpmath.expm1,
    "log": mpmath.log,
    "log1p": mpmath.log1p,
    "log2": lambda x: mpmath.log(x, 2),
    "sqrt": mpmath.sqrt,
    "rsqrt": lambda x: 1 / mpmath.sqrt(x),
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "tanh": mpmath.tanh,
    "erf": mpmath.erf,
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "gelu": lambda x: x * _phi(x),
    "gelu_tanh": _gelu_tanh,
    "silu": lambda x: x / (1 + mpmath.exp(-x)),
    "reciprocal": lambda x: 1 / x,
    "square": lambda x: x * x,
}


def sweep(name: str, dtype: DType, count: int = 128) -> Array:
    """Return elements of the row's domain: evenly, and towards 0."""
    row = TABLE[{"gelu_tanh": "gelu"}.get(name, name)]
    assert isinstance(row, ElementwiseOp)
    low, high = row.domain
    generator = np.random.default_rng(len(name))
    even = generator.uniform(low, high, count)
    small = 10.0 ** generator.uniform(-5, 0, count) * (np.sign(even) if low < 0 else 1)
    return np.concatenate([even, small]).astype(dtype.numpy)


def ulps_away(found: Array, exact: list[Any], dtype: DType) -> float:
    """Return the largest distance from exact values, in units in the last place of the dtype."""
    worst = 0.0
    limits = tri.finfo(dtype)
    for value, truth in zip(found.astype(np.float64), exact, strict=True):
        if truth == 0 or abs(truth) > limits.max:
            assert value == truth if truth == 0 else math.isinf(value)
            continue
        size = abs(float(truth))
        unit = limits.eps * 2.0 ** math.floor(math.log2(max(size, limits.tiny)))
        worst = max(worst, abs(float((mpmath.mpf(float(value)) - truth) / unit)))
    return worst


def error_bound(name: str, dtype: str) -> float:
    """Return how far a row may be away from the exact value."""
    row = TABLE[name]
    assert isinstance(row, ElementwiseOp)
    # A narrow float is rounded once from float32, whose error is far below its own unit.
    return 0.51 if dtype in {"float16", "bfloat16"} else max(row.ulp, 0.5)


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("name", EXACT)
def test_error_bound(name: str, dtype: str):
    kind = by_name(dtype)
    values = sweep(name, kind)
    x = tensor_from_bytes(TensorSpec.of(values.shape, kind), values.tobytes())
    found = elements(call_of(name)(x.to(tri.get_default_device())))
    with mpmath.workprec(200):
        exact = [EXACT[name](mpmath.mpf(float(value))) for value in values]
        worst = ulps_away(found, exact, kind)
    assert worst <= error_bound({"gelu_tanh": "gelu"}.get(name, name), dtype)


#: Rows of several operands or parts of a loss: `tests/unit/dialects/ops` has their formulas.
COMPARED = {
    *("hypot", "polar", "exponential_unit", "soft_plus", "mish_unit", "log_sigmoid", "gated"),
    *("squared_error", "smooth_error", "huber_error", "cross_entropy_of_two", "self_information"),
    *("add_outer", "erfc"),
}


#: Modules whose rows `tests/accuracy` and the tests of their family sweep.
SWEPT_MODULES = tuple(
    f"elementwise.{name}"
    for name in ("angles", "special_functions", "special_pairs", "polynomials")
)


def test_every_mathematical_row_is_swept():
    inexact = {row.name for row in TABLE.values() if isinstance(row, ElementwiseOp) and row.ulp}
    # Those of a module of their own are swept by tests of their own, over all float32 patterns.
    swept = {name for name in inexact if TABLE.modules[name] in SWEPT_MODULES}
    assert inexact - COMPARED - swept <= {*EXACT, "power"}


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_error_bound_of_powers(dtype: str):
    kind = by_name(dtype)
    generator = np.random.default_rng(1)
    base = generator.uniform(0.01, 20, 200).astype(kind.numpy)
    exponent = generator.uniform(-3, 3, 200).astype(kind.numpy)
    x, y = (tri.from_numpy(part).to(tri.get_default_device()) for part in (base, exponent))
    found = elements(tri.pow(x, y))
    with mpmath.workprec(200):
        exact = [
            mpmath.mpf(float(a)) ** mpmath.mpf(float(b))
            for a, b in zip(base, exponent, strict=True)
        ]
        worst = ulps_away(found, exact, kind)
    assert worst <= error_bound("power", dtype)
