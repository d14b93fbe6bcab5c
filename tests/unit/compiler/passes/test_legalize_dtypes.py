"""Does `kernel-legalize-dtypes` compute exactly what the narrow types mean, with wide ones?"""

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from xdsl.ir import Attribute

from trilith.compiler.interpret.kernel import interpret_kernel
from trilith.compiler.passes.kernels.legalize_dtypes import NARROW, legalize_dtypes
from trilith.dialects.diagnostics import InternalError
from trilith.dialects.kernel.function import FuncOp
from trilith.dialects.kernel.types import BufferType, f16, i1

Parse = Callable[[str], FuncOp]

#: What PyTorch does with each type, by an independent implementation; the 8-bit floats whose
#: overflow differs there are compared with recorded answers in tests/conformance.
NUMPY: dict[str, Any] = {
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
}
CAST = """
kernel.func @f(%n: index, %x: !kernel.buffer<FROM, [1]>, %y: !kernel.buffer<TO, [1]>) {
  kernel.map (%i) to (%n) {
    %0 = kernel.load %x[%i] : FROM
    %1 = arith.WORD %0 : FROM to TO
    kernel.store %1, %y[%i]
  }
}
"""


def cast(word: str, source: str, target: str) -> str:
    return CAST.replace("FROM", source).replace("TO", target).replace("WORD", word)


def types_in(kernel: FuncOp) -> set[Attribute]:
    found: set[Attribute] = set()
    for op in kernel.walk():
        values = [*op.operands, *op.results]
        values += [argument for region in op.regions for argument in region.block.args]
        for value in values:
            type_ = value.type
            found.add(type_.element if isinstance(type_, BufferType) else type_)
            assert not (isinstance(type_, BufferType) and type_.element == i1)
    return found


def legal(kernel: FuncOp, half: bool = False) -> FuncOp:
    legalize_dtypes(kernel, half=half)
    kernel.verify()
    left = types_in(kernel) & set(NARROW)
    assert left <= ({f16} if half else set())
    return kernel


def same(left: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> bool:
    """Equal bits, but any NaN equals any NaN."""
    bits = f"u{left.dtype.itemsize}"
    both_nan = np.isnan(left) & np.isnan(right)
    return bool(np.all((left.view(bits) == right.view(bits)) | both_nan))


def interesting() -> np.ndarray[Any, Any]:
    """Floats near every kind of boundary: codes of bfloat16 and a little more or less."""
    high = np.arange(1 << 16, dtype=np.uint32) << 16
    low = (0, 1, 0x0FFF, 0x1000, 0x1001, 0x7FFF, 0x8000, 0x8001, 0xFFFF)
    return np.concatenate([high | part for part in low]).view(np.float32)


@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize("name", NUMPY)
def test_rounding(parse_kernel: Parse, name: str, half: bool):
    kernel = legal(parse_kernel(cast("truncf", "f32", name)), half)
    x = interesting()
    y = np.zeros(len(x), NUMPY[name])
    interpret_kernel(kernel, [x, y], [len(x), 0, 0])
    with np.errstate(all="ignore"):
        assert same(y, x.astype(NUMPY[name]))


@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize("name", NUMPY)
def test_widening(parse_kernel: Parse, name: str, half: bool):
    kernel = legal(parse_kernel(cast("extf", name, "f64")), half)
    dtype = np.dtype(NUMPY[name])
    x = np.arange(1 << 8 * dtype.itemsize, dtype=f"u{dtype.itemsize}").view(dtype)
    y = np.zeros(len(x))
    interpret_kernel(kernel, [x, y], [len(x), 0, 0])
    with np.errstate(all="ignore"):
        assert same(y, x.astype(np.float64))


@pytest.mark.parametrize("name", ["bf16", "f16"])
@pytest.mark.parametrize("half", [False, True])
def test_float64_rounds_by_way_of_float32(parse_kernel: Parse, name: str, half: bool):
    """As PyTorch does: 1 + 2**-8 + 2**-40 is a tie in float32, which goes to the even 1."""
    kernel = legal(parse_kernel(cast("truncf", "f64", name)), half)
    last = {"bf16": -8, "f16": -11}[name]
    x = np.array([1 + 2.0**last + 2.0**-40, 1 + 3 * 2.0**last - 2.0**-40])
    y = np.zeros(2, NUMPY[name])
    interpret_kernel(kernel, [x, y], [2, 0, 0])
    assert y.astype(np.float64).tolist() == [1, 1 + 4 * 2.0**last]


@pytest.mark.parametrize("half", [False, True])
def test_integers(parse_kernel: Parse, half: bool):
    to_half = legal(parse_kernel(cast("sitofp", "i64", "f16")), half)
    x, y = np.array([-3, 2049, 2051, 70000]), np.zeros(4, np.float16)
    interpret_kernel(to_half, [x, y], [4, 0, 0])
    assert y.tolist() == [-3, 2048, 2052, np.inf]
    from_half = legal(parse_kernel(cast("fptosi", "f16", "i64")), half)
    x, y = np.array([-2.75, 2.75, 1000], np.float16), np.zeros(3, np.int64)
    interpret_kernel(from_half, [x, y], [3, 0, 0])
    assert y.tolist() == [-2, 2, 1000]


BOOL = """
kernel.func @f(%n: index, %x: !kernel.buffer<i1, [1]>, %s: i1, %b: bf16,
    %y: !kernel.buffer<bf16, [1]>, %z: !kernel.buffer<i1, [1]>) {
  kernel.map (%i) to (%n) {
    %0 = kernel.load %x[%i] : i1
    %c = arith.constant -0.5 : bf16
    %1 = arith.select %0, %b, %c : bf16
    kernel.store %1, %y[%i]
    %2 = arith.xori %0, %s : i1
    kernel.store %2, %z[%i]
  }
}
"""


@pytest.mark.parametrize("flag", [0, 1])
def test_bool_and_scalar_arguments(parse_kernel: Parse, flag: int):
    kernel = legal(parse_kernel(BOOL))
    # Bytes that are neither 0 nor 1 are true as well.
    x = np.array([0, 1, 2, 255], np.uint8)
    y, z = np.zeros(4, ml_dtypes.bfloat16), np.full(4, 9, np.uint8)
    bits = int(np.array(3.0, ml_dtypes.bfloat16).view(np.uint16))
    interpret_kernel(kernel, [x, y, z], [4, 0, flag, bits, 0, 0])
    assert y.astype(float).tolist() == [-0.5, 3, 3, 3]
    assert z.tolist() == [flag, 1 - flag, 1 - flag, 1 - flag]


COPY = """
kernel.func @f(%n: index, %x: !kernel.buffer<TYPE, [1]>, %y: !kernel.buffer<TYPE, [1]>) {
  kernel.map (%i) to (%n) {
    %0 = kernel.load %x[%i] : TYPE
    kernel.store %0, %y[%i]
  }
}
"""


@pytest.mark.parametrize("name", ["bf16", "f16", "f8E4M3FN", "f8E8M0FNU"])
def test_a_copy_keeps_all_bits(parse_kernel: Parse, name: str):
    kernel = legal(parse_kernel(COPY.replace("TYPE", name)))
    assert len(list(kernel.walk())) == len(list(parse_kernel(COPY.replace("TYPE", name)).walk()))
    width = np.uint8 if name.startswith("f8") else np.uint16
    x = np.arange(np.iinfo(width).max + 1, dtype=width)
    y = np.zeros_like(x)
    interpret_kernel(kernel, [x, y], [len(x), 0, 0])
    np.testing.assert_array_equal(x, y)


FIRST_OF = """
kernel.func @f(%n: index, %x: !kernel.buffer<bf16, [1]>, %y: !kernel.buffer<bf16, []>) {
  %low = arith.constant 0xFF80 : bf16
  %r = kernel.reduce custom (%i) to (%n) {lanes = 1, block = 0} init (%low) : bf16 {
    %0 = kernel.load %x[%i] : bf16
    kernel.yield %0 : bf16
  } combine (%a, %b) {
    %1 = arith.extf %a : bf16 to f32
    %2 = arith.extf %b : bf16 to f32
    %3 = arith.cmpf olt, %1, %2 : f32
    %4 = arith.select %3, %b, %a : bf16
    kernel.yield %4 : bf16
  }
  kernel.store %r, %y[]
}
"""


def test_values_of_a_custom_reduction_become_integers(parse_kernel: Parse):
    kernel = legal(parse_kernel(FIRST_OF))
    x, y = np.array([-3, 2, 1], ml_dtypes.bfloat16), np.zeros(1, ml_dtypes.bfloat16)
    interpret_kernel(kernel, [x, y], [3, 0, 0])
    assert float(y[0]) == 2


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("%1 = arith.addf %0, %0 : f16", r"arith\.addf on f16"),
        ("%2 = arith.cmpf olt, %0, %0 : f16", r"arith\.cmpf on f16"),
        ("%2 = math.sqrt %0 : f16", r"math\.sqrt on f16"),
        (
            "%2 = kernel.reduce add (%j) to (%n) {lanes = 1, block = 0} : f16 {"
            " kernel.yield %0 : f16 }",
            r"kernel\.reduce on f16",
        ),
    ],
)
def test_arithmetic_on_narrow_floats_is_refused(parse_kernel: Parse, body: str, message: str):
    text = COPY.replace("TYPE", "f16").replace("kernel.map", "kernel.parallel")
    kernel = parse_kernel(text.replace("kernel.store", f"{body}\nkernel.store"))
    with pytest.raises(InternalError, match=message):
        legalize_dtypes(kernel)
