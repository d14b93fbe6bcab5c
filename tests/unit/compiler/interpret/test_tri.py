"""Does interpreting tensor operations follow types, rows and views, at every stage of lowering?"""

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from trilith.compiler.interpret.kernel import Fault
from trilith.compiler.interpret.tri import interpret_function
from trilith.compiler.pipeline import Runner
from trilith.compiler.targets.cpu import CPU
from trilith.compiler.targets.steps import Step
from trilith.dialects.diagnostics import InternalError, TrilithRuntimeError

Parse = Callable[[str], ModuleOp]
Array = np.ndarray[Any, Any]


def function(arguments: str, results: str, body: str) -> str:
    return f"func.func @f({arguments}) -> ({results}) {{\n{body}\n}}"


def unary(op: str, source: str, result: str) -> str:
    """A function of one op on one tensor; `op` may hold attributes after its name."""
    body = f"%0 = tri.{op.replace(' ', ' %x ', 1) if ' ' in op else op + ' %x'} : {source} -> "
    return function(f"%x: {source}", result, f"{body}{result}\nfunc.return %0 : {result}")


def run_unary(parse: Parse, op: str, source: str, result: str, x: Array) -> Array:
    (answer,) = interpret_function(parse(unary(op, source, result)), [x])
    return answer


MIXED = function(
    "%i: !tri.tensor<2x3xsi32>, %h: !tri.tensor<3xf16>, %s: !tri.scalar<float>",
    "!tri.tensor<2x3xf16>, !tri.tensor<2x3xi1>",
    """
    %0 = tri.add %i, %h : !tri.tensor<2x3xsi32>, !tri.tensor<3xf16> -> !tri.tensor<2x3xf16>
    %1 = tri.mul %0, %s : !tri.tensor<2x3xf16>, !tri.scalar<float> -> !tri.tensor<2x3xf16>
    %2 = tri.gt %1, %i : !tri.tensor<2x3xf16>, !tri.tensor<2x3xsi32> -> !tri.tensor<2x3xi1>
    func.return %1, %2 : !tri.tensor<2x3xf16>, !tri.tensor<2x3xi1>
    """,
)


@pytest.mark.parametrize("promoted", [False, True])
def test_types_decide_not_numpy(parse_module: Parse, promoted: bool):
    """int32 with float16 is float16 (NumPy: float64), and each operation rounds to it."""
    module = parse_module(MIXED)
    if promoted:
        Runner().run(module, [Step("tri-promote-types")])
    i = np.array([[1, 2049, -3], [0, 7, 70000]], np.int32)
    h = np.array([0.1, 1, -0.5], np.float16)
    product, greater = interpret_function(module, [i, h], [3.0])
    with np.errstate(over="ignore"):
        half = i.astype(np.float16)
    total = (half.astype(np.float32) + h).astype(np.float16)
    expected = (total.astype(np.float32) * 3).astype(np.float16)
    assert product.dtype == np.float16
    np.testing.assert_array_equal(product, expected)
    np.testing.assert_array_equal(greater, expected > half)


@pytest.mark.parametrize(
    ("source", "result", "values", "expected"),
    [
        ("f32", "si32", [1.7, -1.7, np.nan, 3e9], [1, -1, -(2**31), -(2**31)]),
        ("f32", "ui8", [300, -1, np.nan, 1.9], [44, 255, 0, 1]),
        ("si64", "i1", [0, 2, -1, 0], [False, True, True, False]),
        ("f64", "bf16", [1 + 2.0**-8 + 2.0**-40, 1e300, 0, -0.5], [1, np.inf, 0, -0.5]),
        ("si32", "f16", [2049, 2051, 70000, -1], [2048, 2052, np.inf, -1]),
    ],
)
def test_casts(parse_module: Parse, source: str, result: str, values: Any, expected: Any):
    types = {"si": "i", "ui": "u", "f": "f", "i": "?"}
    kind = types[source.rstrip("0123456789")] + str(int(source.lstrip("suif")) // 8)
    text = unary(
        f"cast {{dtype = {result}}}", f"!tri.tensor<4x{source}>", f"!tri.tensor<4x{result}>"
    )
    (answer,) = interpret_function(parse_module(text), [np.array(values, kind)])
    assert answer.astype(object).tolist() == expected


def test_views_share_and_keep_strides(parse_module: Parse):
    source, middle = "!tri.tensor<3x4xf32>", "!tri.tensor<4x3xf32, layout=strided<[1, 4]>>"
    result = "!tri.tensor<2x3xf32, layout=strided<[2, 4]>>"
    text = function(
        f"%x: {source}",
        result,
        f"""
        %0 = tri.transpose %x {{dim0 = 0, dim1 = 1}} : {source} -> {middle}
        %1 = tri.slice %0 {{dim = 0, start = 1, end = 4, step = 2}} : {middle} -> {result}
        func.return %1 : {result}
        """,
    )
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    (answer,) = interpret_function(parse_module(text), [x])
    np.testing.assert_array_equal(answer, x.T[1:4:2])
    assert answer.strides == (8, 16)


def test_arguments_take_the_strides_of_their_type(parse_module: Parse):
    layout = "!tri.tensor<2x3xf32, layout=strided<[1, 2]>>"
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    answer = run_unary(parse_module, "neg", layout, layout, x)
    np.testing.assert_array_equal(answer, -x)
    assert answer.strides == (4, 8)


REDUCTIONS: list[tuple[str, str, str, Callable[[Array], Any]]] = [
    ("sum {dim = array<i64: 0>}", "2x3xf32", "3xf32", lambda x: x.sum(0)),
    ("sum {dim = array<i64: 0, 1>}", "2x3xui8", "si64", lambda x: x.sum()),
    ("mean {dim = array<i64: 1>, keepdim = #tri.number<true>}", "2x3xf64", "2x1xf64",
     lambda x: x.mean(1, keepdims=True)),
    ("prod {dim = array<i64: 1>}", "2x3xsi32", "2xsi64", lambda x: x.prod(1)),
    ("amax {dim = array<i64: 0>}", "2x3xf32", "3xf32", lambda x: x.max(0)),
    ("amin {dim = array<i64: 1>}", "2x3xsi32", "2xsi32", lambda x: x.min(1)),
    ("all {dim = array<i64: 1>}", "2x3xf32", "2xi1", lambda x: (x != 0).all(1)),
    ("any {dim = array<i64: 0, 1>}", "2x3xui8", "ui8", lambda x: np.uint8((x != 0).any())),
    ("argmax {dim = array<i64: 1>}", "2x3xsi32", "2xsi64", lambda x: x.argmax(1)),
    ("argmax {dim = array<i64: 0, 1>}", "2x3xf32", "si64", lambda x: x.argmax()),
]  # fmt: skip
NUMPY = {"f32": "f4", "f64": "f8", "ui8": "u1", "si32": "i4"}


@pytest.mark.parametrize(("op", "source", "result", "oracle"), REDUCTIONS)
def test_reductions(parse_module: Parse, op: str, source: str, result: str, oracle: Any):
    x = np.random.default_rng(7).integers(0, 5, (2, 3)).astype(NUMPY[source.split("x")[-1]])
    answer = run_unary(parse_module, op, f"!tri.tensor<{source}>", f"!tri.tensor<{result}>", x)
    expected = np.asarray(oracle(x))
    assert answer.shape == expected.shape
    np.testing.assert_array_equal(answer, expected)


@pytest.mark.parametrize(
    ("op", "values", "expected"),
    [
        ("amax", [-0.0, 0.0], 0.0),
        ("amin", [0.0, -0.0], -0.0),
        ("amax", [-0.0, -0.0], -0.0),
        ("amax", [np.nan, 5], np.nan),
        ("sum", [1e8, 1], 1e8 + 1),
    ],
)
def test_reductions_at_the_corners(
    parse_module: Parse, op: str, values: list[float], expected: float
):
    x = np.array(values, np.float32)
    text = f"{op} {{dim = array<i64: 0>}}"
    answer = run_unary(parse_module, text, "!tri.tensor<2xf32>", "!tri.tensor<f32>", x)
    assert repr(float(answer)) == repr(float(np.float32(expected)))


def test_empty_sums_and_products(parse_module: Parse):
    x = np.zeros((2, 0), np.float32)
    for op, expected in (("sum", 0), ("prod", 1)):
        text = f"{op} {{dim = array<i64: 1>}}"
        answer = run_unary(parse_module, text, "!tri.tensor<2x0xf32>", "!tri.tensor<2xf32>", x)
        assert answer.tolist() == [expected, expected]


def test_matmul_broadcasts_batches_and_wraps(parse_module: Parse):
    left, right = "!tri.tensor<2x3x4xsi8>", "!tri.tensor<4x2xsi8>"
    result = "!tri.tensor<2x3x2xsi8>"
    text = function(
        f"%a: {left}, %b: {right}",
        result,
        f"%0 = tri.matmul %a, %b : {left}, {right} -> {result}\nfunc.return %0 : {result}",
    )
    generator = np.random.default_rng(8)
    a, b = (generator.integers(-128, 128, s).astype(np.int8) for s in ((2, 3, 4), (4, 2)))
    (answer,) = interpret_function(parse_module(text), [a, b])
    np.testing.assert_array_equal(answer, (a.astype(int) @ b.astype(int)).astype(np.int8))


def test_joins_and_creation(parse_module: Parse):
    text = function(
        "%a: !tri.tensor<1x2xf32>, %b: !tri.tensor<2x2xsi32>",
        "!tri.tensor<3x2xf32>, !tri.tensor<4xf32>, !tri.tensor<3xsi64>, !tri.tensor<2xbf16>",
        """
        %0 = tri.cat %a, %b {dim = 0} : !tri.tensor<1x2xf32>, !tri.tensor<2x2xsi32> -> !tri.tensor<3x2xf32>
        %1 = tri.select %a {dim = 0, index = 0} : !tri.tensor<1x2xf32> -> !tri.tensor<2xf32>
        %h = tri.constant 0.5 : !tri.scalar<float>
        %2 = tri.constant_pad %1, %h {pad = array<i64: 1, 1>} : !tri.tensor<2xf32>, !tri.scalar<float> -> !tri.tensor<4xf32>
        %3 = tri.range_of {start = 1, end = 7, step = 2, dtype = si64} : -> !tri.tensor<3xsi64>
        %c = tri.constant 0.1 : !tri.scalar<float>
        %4 = tri.full_strided %c {size = array<i64: 2>, dtype = bf16} : !tri.scalar<float> -> !tri.tensor<2xbf16>
        func.return %0, %2, %3, %4 : !tri.tensor<3x2xf32>, !tri.tensor<4xf32>, !tri.tensor<3xsi64>, !tri.tensor<2xbf16>
        """,  # noqa: E501 - one op a line
    )
    a, b = np.array([[1, 2]], np.float32), np.array([[3, 4], [5, 6]], np.int32)
    joined, padded, counted, filled = interpret_function(parse_module(text), [a, b])
    assert joined.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert padded.tolist() == [0.5, 1, 2, 0.5]
    assert counted.tolist() == [1, 3, 5]
    assert filled.tolist() == [ml_dtypes.bfloat16(0.1)] * 2


WHOLE = function(
    "%i: !tri.tensor<4x3xsi32>, %x: !tri.tensor<4x3xbf16>, %w: !tri.scalar<float>, "
    "%z: !tri.tensor<3x4xf32, layout=strided<[1, 3]>>",
    "!tri.tensor<4x3xf32>, !tri.tensor<4xf32>, !tri.tensor<4xsi64>, !tri.tensor<4x3xi1>, "
    "!tri.tensor<3x4xbf16, layout=strided<[1, 3]>>, !tri.tensor<5xf32>",
    """
    %c = tri.constant 2 : !tri.scalar<int>
    %0 = tri.add %i, %x : !tri.tensor<4x3xsi32>, !tri.tensor<4x3xbf16> -> !tri.tensor<4x3xbf16>
    %1 = tri.mul %0, %c : !tri.tensor<4x3xbf16>, !tri.scalar<int> -> !tri.tensor<4x3xbf16>
    %t = tri.transpose %1 {dim0 = 0, dim1 = 1} : !tri.tensor<4x3xbf16> -> !tri.tensor<3x4xbf16, layout=strided<[1, 3]>>
    %2 = tri.transpose %z {dim0 = 0, dim1 = 1} : !tri.tensor<3x4xf32, layout=strided<[1, 3]>> -> !tri.tensor<4x3xf32>
    %3 = tri.tanh %2 : !tri.tensor<4x3xf32> -> !tri.tensor<4x3xf32>
    %4 = tri.mul %3, %w : !tri.tensor<4x3xf32>, !tri.scalar<float> -> !tri.tensor<4x3xf32>
    %5 = tri.add %4, %1 : !tri.tensor<4x3xf32>, !tri.tensor<4x3xbf16> -> !tri.tensor<4x3xf32>
    %6 = tri.sum %5 {dim = array<i64: 1>} : !tri.tensor<4x3xf32> -> !tri.tensor<4xf32>
    %7 = tri.argmax %5 {dim = array<i64: 1>} : !tri.tensor<4x3xf32> -> !tri.tensor<4xsi64>
    %8 = tri.gt %5, %c : !tri.tensor<4x3xf32>, !tri.scalar<int> -> !tri.tensor<4x3xi1>
    %9 = tri.range_of {start = #tri.number<0.5>, end = 5, step = 1, dtype = f32} : -> !tri.tensor<5xf32>
    func.return %5, %6, %7, %8, %t, %9 : !tri.tensor<4x3xf32>, !tri.tensor<4xf32>, !tri.tensor<4xsi64>, !tri.tensor<4x3xi1>, !tri.tensor<3x4xbf16, layout=strided<[1, 3]>>, !tri.tensor<5xf32>
    """,  # noqa: E501 - one op a line
)


def test_every_pass_keeps_the_results(parse_module: Parse):
    """From the traced form to scheduled kernels; only the sum's order is the kernel's own."""
    generator = np.random.default_rng(9)
    arrays = [
        generator.integers(-5, 5, (4, 3)).astype(np.int32),
        generator.normal(size=(4, 3)).astype(ml_dtypes.bfloat16),
        generator.normal(size=(3, 4)).astype(np.float32),
    ]
    module = parse_module(WHOLE)
    expected = interpret_function(module, arrays, [1.5])
    seen: list[str] = []

    def compare(step: Step, module: ModuleOp) -> None:
        seen.append(step.name)
        results = interpret_function(module, arrays, [1.5])
        for number, (result, answer) in enumerate(zip(results, expected, strict=True)):
            assert result.dtype == answer.dtype
            assert result.strides == answer.strides
            if number == 1:
                np.testing.assert_allclose(result, answer, rtol=1e-6, err_msg=str(step))
            else:
                np.testing.assert_array_equal(result, answer, err_msg=str(step))

    pipeline = CPU
    Runner(observers=[compare]).run(module, [*pipeline.function, *pipeline.kernel_steps()])
    assert {"tri-promote-types", "tri-fuse", "tri-lower-to-kernel", "kernel-schedule"} <= set(seen)


DIVIDE = function(
    "%x: !tri.tensor<3xsi32>, %y: !tri.tensor<3xsi32>",
    "!tri.tensor<3xsi32>",
    "%0 = tri.remainder %x, %y : !tri.tensor<3xsi32>, !tri.tensor<3xsi32> -> !tri.tensor<3xsi32>\n"
    "func.return %0 : !tri.tensor<3xsi32>",
)


@pytest.mark.parametrize("lowered", [False, True])
def test_faults(parse_module: Parse, lowered: bool):
    module = parse_module(DIVIDE)
    if lowered:
        Runner().run(module, CPU.function)
    x, y = np.array([7, -7, 5], np.int32), np.array([3, 3, 0], np.int32)
    with pytest.raises(TrilithRuntimeError, match="ZeroDivisionError"):
        interpret_function(module, [x, y])
    faults: list[Fault] = []
    (answer,) = interpret_function(module, [x, y], faults=faults)
    assert [fault.code for fault in faults] == ["ZeroDivisionError"]
    assert answer.tolist()[:2] == [1, 2]


def test_arguments_are_checked(parse_module: Parse):
    module = parse_module(DIVIDE)
    wrong = np.zeros(3, np.int64)
    with pytest.raises(InternalError, match=r"expected TensorSpec\(\(3,\), trilith.int32\), got"):
        interpret_function(module, [wrong, wrong])
