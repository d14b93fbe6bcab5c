"""Does every operation give PyTorch 2.13's dtype, or refuse in its words, for every dtype?

The operands are 2 x 2 (vectors for dot products), or 0-dim, or Python numbers. Nothing is compiled:
an operation that is recorded in a trace already knows the dtype of its result.
"""

import json
import pathlib
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from trilith.compiler.trace.tracer import Trace
from trilith.dialects.attributes.device import get_default_device
from trilith.dialects.attributes.dtype import DType, bool_, by_name, complex64, float32
from trilith.dialects.attributes.spec import TensorSpec
from trilith.dialects.diagnostics import TrilithError

from .device_names import on_cpu

#: Warnings that come once in a process, in whatever test is first.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Casting complex values to real"),
    pytest.mark.filterwarnings("ignore:ComplexHalf support is experimental"),
]

DATA = pathlib.Path(__file__).parents[1] / "data" / "torch"
GOLDEN: dict[str, Any] = json.loads((DATA / "op_dtypes.json").read_text(encoding="utf-8"))
DTYPES = [by_name(name) for name in GOLDEN["dtypes"]]
STANDARD = [by_name(name) for name in GOLDEN["std"]]
SCALARS: list[Any] = [True, 2, 2.0, 2j]
TEMPLATES: list[str] = GOLDEN["error_templates"]

#: An operand: a dtype (2 x 2), a 0-dim one, or a Python number.
Call = Callable[[Trace, Any, Any], Any]


def rows(*names: str) -> dict[str, Call]:
    """Return rows that are called as the record names them."""
    return {name: lambda t, a, b, name=name: t.call(name, *_given(a, b)) for name in names}


def _given(a: Any, b: Any) -> tuple[Any, ...]:
    return (a,) if b is None else (a, b)


def tensor(t: Trace, dtype: DType, shape: tuple[int, ...] = (2, 2)) -> Any:
    return t.tensor_argument(TensorSpec.of(shape, dtype, get_default_device()))


def mask(t: Trace) -> Any:
    return tensor(t, bool_)


UNARY: dict[str, Call] = {
    **rows("neg", "abs", "sign", "square", "reciprocal", "sqrt", "rsqrt", "exp", "exp2", "expm1"),
    **rows("log", "log2", "log1p", "sin", "cos", "tanh", "sigmoid", "erf", "relu", "gelu", "silu"),
    **rows("floor", "ceil", "round", "trunc", "isnan", "logical_not", "bitwise_not", "clone"),
    **rows("zeros_like", "ones_like", "sum", "prod", "mean", "amax", "amin", "argmax"),
    **rows(
        "all", "any", "sgn", "angle", "isinf", "isfinite", "conj", "conj_physical", "empty_like"
    ),
    "cat": lambda t, a, _: t.call("cat", [a, a]),
    "stack": lambda t, a, _: t.call("stack", [a, a]),
    "view": lambda t, a, _: t.call("view", a, (4,)),
    "reshape": lambda t, a, _: t.call("reshape", a, (4,)),
    "transpose": lambda t, a, _: t.call("transpose", a, 0, 1),
    "permute": lambda t, a, _: t.call("permute", a, (1, 0)),
    "expand": lambda t, a, _: t.call("expand", a, (3, 2, 2)),
    "contiguous_of_t": lambda t, a, _: t.call("contiguous", t.call("t", a)),
    "where_self": lambda t, a, _: t.call("where", mask(t), a, a),
    "to_float32": lambda t, a, _: t.call("to", a, float32),
    "from_float32": lambda t, a, _: t.call("to", tensor(t, float32), a.dtype),
    "to_complex64": lambda t, a, _: t.call("to", a, complex64),
    "to_bool": lambda t, a, _: t.call("to", a, bool_),
    "to_int64": lambda t, a, _: t.call("long", a),
    "matmul": lambda t, a, _: t.call("matmul", a, a),
    "sum_dim": lambda t, a, _: t.call("sum", a, 0),
    "sum_dtype_f32": lambda t, a, _: t.call("sum", a, dtype=float32),
}
BINARY: dict[str, Call] = {
    **rows("add", "sub", "mul", "div", "floor_divide", "remainder", "pow", "maximum", "minimum"),
    **rows("eq", "ne", "lt", "le", "gt", "ge", "logical_and", "logical_or", "logical_xor"),
    **rows("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "matmul"),
    **rows("bitwise_right_shift"),
    "div_floor": lambda t, a, b: t.call("div", a, b, rounding_mode="floor"),
    "div_trunc": lambda t, a, b: t.call("div", a, b, rounding_mode="trunc"),
    "where": lambda t, a, b: t.call("where", mask(t), a, b),
    "cat": lambda t, a, b: t.call("cat", [a, b]),
    "stack": lambda t, a, b: t.call("stack", [a, b]),
    "rsub": lambda t, a, b: t.call("sub", b, a),
    "clamp_min_t": lambda t, a, b: t.call("clamp", a, min=b),
    "clamp_minmax_t": lambda t, a, b: t.call("clamp", a, min=b, max=b),
}


def answer(call: Call, operands: Callable[[Trace], tuple[Any, Any]]) -> str:
    """Return the name of the result's dtype, or the error as `Type: message`."""
    trace = Trace("f")
    try:
        return call(trace, *operands(trace)).dtype.name
    except TrilithError as error:
        kinds = (kind for kind in type(error).__mro__ if kind.__module__ == "builtins")
        return f"{next(kinds).__name__}: {error.message}"


#: The one difference: where Python arguments fit no overload, PyTorch lists those of its C++
#: functions and trilith names the argument.
OVERLOADS = re.compile(r"TypeError: \w+\(\) received an invalid combination of arguments")


def is_recorded(recorded: str, found: str) -> bool:
    """Whether an answer is the recorded one; `{dt}` stands for PyTorch's name of a dtype."""
    pattern = re.escape(recorded).replace(re.escape("{dt}"), r"(c10::)?\w+(<[\w:]+>)?")
    return re.fullmatch(pattern, found, re.DOTALL) is not None


#: Cells that were compared, equal, and different in the words about overloads.
COUNTS: Counter[str] = Counter()
#: All that were recorded.
CELLS = 20_650


def compare(
    name: str, call: Call, operands: Callable[[Trace], tuple[Any, Any]], what: object, code: int
) -> str | None:
    """Return how the answer differs from the recorded one, or None."""
    recorded: str = TEMPLATES[-code - 1] if code < 0 else GOLDEN["dtypes"][code]
    found, device = answer(call, operands), get_default_device().type
    if device != "cpu":
        recorded, found = on_cpu(recorded), on_cpu(found)
    COUNTS["cells"] += 1
    if is_recorded(recorded, found):
        COUNTS["equal"] += 1
        return None
    if OVERLOADS.match(recorded) and found.startswith("TypeError: "):
        COUNTS["overloads"] += 1
        return None
    return f"{name} of {what}: {found!r} instead of {recorded!r}"


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize("name", UNARY)
def test_one_operand(name: str):
    codes: list[int] = GOLDEN["unary_and_reduction"][name]
    wrong = [
        compare(name, UNARY[name], lambda t, d=dtype: (tensor(t, d), None), dtype, code)
        for dtype, code in zip(DTYPES, codes, strict=True)
    ]
    assert not [line for line in wrong if line]


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize("name", BINARY)
def test_two_tensors(name: str):
    table: list[list[int]] = GOLDEN["binary"][name]
    wrong = [
        compare(name, BINARY[name], lambda t, a=a, b=b: (tensor(t, a), tensor(t, b)), (a, b), code)
        for a, codes in zip(STANDARD, table, strict=True)
        for b, code in zip(STANDARD, codes, strict=True)
    ]
    assert not [line for line in wrong if line]


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize("name", [name for name in BINARY if name in GOLDEN["binary_scalar"]])
def test_zero_dim_tensor(name: str):
    table: list[list[int]] = GOLDEN["binary_scalar"][name]["zerodim"]
    wrong = [
        compare(
            name, BINARY[name], lambda t, a=a, b=b: (tensor(t, a), tensor(t, b, ())), (a, b), code
        )
        for a, codes in zip(STANDARD, table, strict=True)
        for b, code in zip(STANDARD, codes, strict=True)
    ]
    assert not [line for line in wrong if line]


def number_cells(name: str, key: str) -> list[tuple[DType, Any, int]]:
    table: list[list[int]] | None = GOLDEN["binary_scalar"][name][key]
    return [
        (dtype, number, code)
        for dtype, codes in zip(STANDARD, table or [], strict=bool(table))
        for number, code in zip(SCALARS, codes, strict=True)
    ]


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize("name", [name for name in BINARY if name in GOLDEN["binary_scalar"]])
def test_python_number_on_the_right(name: str):
    wrong = [
        compare(
            name,
            BINARY[name],
            lambda t, d=dtype, n=number: (tensor(t, d), n),
            (dtype, number),
            code,
        )
        for dtype, number, code in number_cells(name, "tensor_scalar")
    ]
    assert not [line for line in wrong if line]


# `rsub` is recorded as a function; here it is the operator, whose left operand may be a number.
@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize(
    "name", [name for name in BINARY if name in GOLDEN["binary_scalar"] and name != "rsub"]
)
def test_python_number_on_the_left(name: str):
    wrong = [
        compare(
            name,
            BINARY[name],
            lambda t, d=dtype, n=number: (n, tensor(t, d)),
            (dtype, number),
            code,
        )
        for dtype, number, code in number_cells(name, "scalar_tensor")
    ]
    assert not [line for line in wrong if line]


@pytest.mark.usefixtures("tested_device")
def test_all_cells():
    """Nearly all cells are equal, and the rest are refused with the same type."""
    COUNTS.clear()
    scalars = GOLDEN["binary_scalar"]
    for name in UNARY:
        test_one_operand(name)
    for name in BINARY:
        test_two_tensors(name)
    for name in [name for name in BINARY if name in scalars]:
        test_zero_dim_tensor(name)
        test_python_number_on_the_right(name)
        if name != "rsub":
            test_python_number_on_the_left(name)
    assert COUNTS["cells"] == CELLS
    assert COUNTS["overloads"] == 512
    assert COUNTS["equal"] == CELLS - 512
