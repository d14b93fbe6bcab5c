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
from trilith.dialects.attributes.dtype import DType, bool_, by_name, float32
from trilith.dialects.attributes.spec import TensorSpec
from trilith.dialects.diagnostics import TrilithError

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


def mask(t: Trace) -> Any:
    return t.tensor_argument(TensorSpec.of((2, 2), bool_))


def to(t: Trace, shape: tuple[int, ...], source: DType, target: DType) -> Any:
    return t.call("to", t.tensor_argument(TensorSpec.of(shape, source)), target)


UNARY: dict[str, Call] = {
    **rows("neg", "abs", "sign", "square", "reciprocal", "sqrt", "rsqrt", "exp", "exp2", "expm1"),
    **rows("log", "log2", "log1p", "sin", "cos", "tanh", "sigmoid", "erf", "relu", "gelu", "silu"),
    **rows("floor", "ceil", "round", "trunc", "isnan", "logical_not", "bitwise_not", "clone"),
    **rows("zeros_like", "ones_like", "sum", "prod", "mean", "amax", "amin", "argmax"),
    **rows("all", "any"),
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
    "from_float32": lambda t, a, _: to(t, (2, 2), float32, a.dtype),
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


def tensor(t: Trace, dtype: DType, shape: tuple[int, ...] = (2, 2)) -> Any:
    return t.tensor_argument(TensorSpec.of(shape, dtype))


def answer(call: Call, operands: Callable[[Trace], tuple[Any, Any]]) -> str:
    """Return the name of the result's dtype, or the error as `Type: message`."""
    trace = Trace("f")
    try:
        return call(trace, *operands(trace)).dtype.name
    except TrilithError as error:
        names = [kind.__name__ for kind in type(error).__mro__]
        return f"{names[2]}: {error.message}"


REAL = frozenset(by_name(name) for name in "bool uint8 int8 int16 int32 int64".split()) | frozenset(
    by_name(name) for name in "float16 bfloat16 float32 float64".split()
)
OVERLOADS = "received an invalid combination of arguments"

#: Where trilith answers otherwise, and why: (operations, start of PyTorch's answer, start of ours,
#: reason). An answer is a dtype ("*": any) or an error. None of them is about real dtypes, but for
#: the first.
DIFFERENCES: tuple[tuple[frozenset[str] | None, str, str, str], ...] = (
    (None, OVERLOADS, "TypeError: ", "PyTorch lists its C++ overloads; trilith names the argument"),
    (None, "*", "NotImplementedError: * is not offered yet", "complex arithmetic; float8 matmul"),
    (
        frozenset({"zeros_like"}),
        "float4_e2m1fn_x2",
        'NotImplementedError: "fill_cpu"',
        "float4 is two elements in a byte; trilith has no arithmetic on it",
    ),
    (
        frozenset({"to_bool", "to_int64"}),
        'NotImplementedError: "copy_" not implemented for',
        'NotImplementedError: "copy_kernel" not implemented for',
        "one kernel converts to all dtypes, so it has one name",
    ),
    (
        frozenset({"mul"}),
        'NotImplementedError: "mul_cpu_reduced_float"',
        "*",
        "PyTorch's float8 product fails for one element alone; trilith's does not",
    ),
    (
        frozenset({"div", "div_floor", "div_trunc", "floor_divide", "sigmoid"}),
        'NotImplementedError: "*_reduced_float" not implemented for',
        'NotImplementedError: "',
        "the same refusal of float8; PyTorch's kernel has another name for narrow floats",
    ),
    (
        frozenset({"clamp_min_t", "clamp_minmax_t"}),
        "RuntimeError: value cannot be converted to type double without overflow",
        "RuntimeError: Unknown Complex ScalarType for Float8",
        "both refuse a complex bound of a float8 tensor; trilith promotes first",
    ),
)


def matches(pattern: str, text: str) -> bool:
    """Whether a text begins as a pattern does; `*` stands for any word or words."""
    if pattern == "*":
        return ":" not in text
    return re.match(re.escape(pattern).replace(r"\*", ".*"), text) is not None


def is_recorded(recorded: str, found: str) -> bool:
    """Whether an answer is the recorded one; `{dt}` stands for PyTorch's name of a dtype."""
    pattern = re.escape(recorded).replace(re.escape("{dt}"), r"(c10::)?\w+")
    return re.fullmatch(pattern, found, re.DOTALL) is not None


def explains(name: str, recorded: str, found: str, dtypes: list[DType]) -> int | None:
    """Return the number of the difference that an answer is an instance of."""
    for index, (operations, theirs, ours, _) in enumerate(DIFFERENCES):
        if operations is not None and name not in operations:
            continue
        is_overload = theirs is OVERLOADS and OVERLOADS in recorded
        if not (is_overload or matches(theirs, recorded)) or not matches(ours, found):
            continue
        if index and all(dtype in REAL for dtype in dtypes):
            continue
        return index
    return None


#: Cells that were compared, cells that are equal, and uses of each difference.
COUNTS: Counter[object] = Counter()


def compare(
    name: str,
    call: Call,
    operands: Callable[[Trace], tuple[Any, Any]],
    dtypes: list[DType],
    code: int,
) -> str | None:
    """Return how the answer differs from the recorded one, or None."""
    recorded: str = TEMPLATES[-code - 1] if code < 0 else GOLDEN["dtypes"][code]
    found = answer(call, operands)
    COUNTS["cells"] += 1
    if is_recorded(recorded, found):
        COUNTS["equal"] += 1
        return None
    index = explains(name, recorded, found, dtypes)
    if index is None:
        return f"{[dtype.name for dtype in dtypes]}: {found!r} instead of {recorded!r}"
    COUNTS[index] += 1
    return None


@pytest.mark.parametrize("name", UNARY)
def test_one_operand(name: str):
    codes: list[int] = GOLDEN["unary_and_reduction"][name]
    wrong = [
        compare(name, UNARY[name], lambda t, d=dtype: (tensor(t, d), None), [dtype], code)
        for dtype, code in zip(DTYPES, codes, strict=True)
    ]
    assert not [line for line in wrong if line]


@pytest.mark.parametrize("name", BINARY)
def test_two_tensors(name: str):
    table: list[list[int]] = GOLDEN["binary"][name]
    wrong = [
        compare(name, BINARY[name], lambda t, a=a, b=b: (tensor(t, a), tensor(t, b)), [a, b], code)
        for a, codes in zip(STANDARD, table, strict=True)
        for b, code in zip(STANDARD, codes, strict=True)
    ]
    assert not [line for line in wrong if line]


@pytest.mark.parametrize("name", [name for name in BINARY if name in GOLDEN["binary_scalar"]])
def test_zero_dim_tensor(name: str):
    table: list[list[int]] = GOLDEN["binary_scalar"][name]["zerodim"]
    wrong = [
        compare(
            name, BINARY[name], lambda t, a=a, b=b: (tensor(t, a), tensor(t, b, ())), [a, b], code
        )
        for a, codes in zip(STANDARD, table, strict=True)
        for b, code in zip(STANDARD, codes, strict=True)
    ]
    assert not [line for line in wrong if line]


#: What a Python number brings to promotion; it decides whether a cell is about real dtypes.
KIND = {bool: bool_, int: by_name("int64"), float: float32, complex: by_name("complex64")}


def number_cells(name: str, key: str) -> list[tuple[DType, Any, int]]:
    table: list[list[int]] | None = GOLDEN["binary_scalar"][name][key]
    return [
        (dtype, number, code)
        for dtype, codes in zip(STANDARD, table or [], strict=bool(table))
        for number, code in zip(SCALARS, codes, strict=True)
    ]


@pytest.mark.parametrize("name", [name for name in BINARY if name in GOLDEN["binary_scalar"]])
def test_python_number_on_the_right(name: str):
    wrong = [
        compare(
            name,
            BINARY[name],
            lambda t, d=dtype, n=number: (tensor(t, d), n),
            [dtype, KIND[type(number)]],
            code,
        )
        for dtype, number, code in number_cells(name, "tensor_scalar")
    ]
    assert not [line for line in wrong if line]


# `rsub` is recorded as a function; here it is the operator, whose left operand may be a number.
@pytest.mark.parametrize(
    "name", [name for name in BINARY if name in GOLDEN["binary_scalar"] and name != "rsub"]
)
def test_python_number_on_the_left(name: str):
    wrong = [
        compare(
            name,
            BINARY[name],
            lambda t, d=dtype, n=number: (n, tensor(t, d)),
            [dtype, KIND[type(number)]],
            code,
        )
        for dtype, number, code in number_cells(name, "scalar_tensor")
    ]
    assert not [line for line in wrong if line]


def test_every_difference_is_needed():
    """Runs last: a difference that explains nothing any more must go."""
    if COUNTS["cells"] < 20_000:
        pytest.skip("needs the whole module in one process")
    unused = [row for index, row in enumerate(DIFFERENCES) if not COUNTS[index]]
    assert not unused
    print(f"{COUNTS['equal']} of {COUNTS['cells']} cells equal PyTorch's record")
