"""What is written for OpenCL? Text alone: no device is needed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri
from trilith.compiler.codegen.opencl.kernel import emit_kernel
from trilith.compiler.kernels.counters import KernelCounters
from trilith.compiler.kernels.table import KERNELS, kernel_key, kernel_text
from trilith.dialects.diagnostics import InternalError

from .conftest import ReadKernel

#: Names of OpenCL's built-in functions that a kernel must not call, beyond conversions of bits.
ALLOWED = {"get_global_id", "atomic_cmpxchg"}


def lines_of(read_kernel: ReadKernel, body: str, inputs: str, result: str) -> list[str]:
    """Return the lines between load and store of an elementwise kernel."""
    names = "abc"
    types = inputs.split()
    buffers = "".join(
        f", %{name}s: !kernel.buffer<{type_}, [1]>"
        for name, type_ in zip(names, types, strict=False)
    )
    loads = "\n".join(
        f"%{name} = kernel.load %{name}s[%i] : {type_}"
        for name, type_ in zip(names, types, strict=False)
    )
    text = f"""
    kernel.func @f(%n: index{buffers}, %y: !kernel.buffer<{result}, [1]>) {{
      kernel.map (%i) to (%n) {{
        {loads}
        {body}
        kernel.store %r, %y[%i]
      }}
    }}"""
    emitted = kernel_text(read_kernel(text), "opencl", "opencl-gpu")
    inside = emitted.partition("if (i")[2].splitlines()[1:-3]
    found = [line.strip() for line in inside[len(types) :]]
    for number, name in enumerate(names[: len(types)]):
        loaded = re.search(r"(v\d+) = ", inside[number])
        assert loaded is not None
        found = [re.sub(rf"\b{loaded[1]}\b", name, line) for line in found]
    return [re.sub(r"const \w+ v\d+ = ", "", line) for line in found]


@pytest.mark.parametrize(
    ("op", "type_", "expected"),
    [
        ("arith.addi", "i32", "a + b;"),
        ("arith.addi", "i8", "(uchar)((uint)a + (uint)b);"),
        # A product of two ushort would overflow the int that C computes in.
        ("arith.muli", "i16", "(ushort)((uint)a * (uint)b);"),
        ("arith.divsi", "i64", "(ulong)(as_long(a) / as_long(b));"),
        ("arith.remsi", "i8", "(uchar)(as_char(a) % as_char(b));"),
        ("arith.divui", "i16", "(ushort)((uint)a / (uint)b);"),
        ("arith.shrsi", "i32", "(uint)(as_int(a) >> b);"),
        ("arith.shrui", "i8", "(uchar)((uint)a >> (uint)b);"),
        ("arith.shli", "i64", "a << b;"),
        ("arith.maxsi", "i16", "as_short(a) > as_short(b) ? a : b;"),
        ("arith.minui", "i8", "(uint)a < (uint)b ? a : b;"),
        ("arith.xori", "i32", "a ^ b;"),
        ("arith.addf", "f32", "a + b;"),
        ("arith.divf", "f64", "a / b;"),
        ("arith.maximumf", "f32", "tri_maximum32(a, b);"),
        ("arith.minnumf", "f64", "tri_minnum64(a, b);"),
        ("math.copysign", "f32", "tri_copysign32(a, b);"),
        ("kernel.fmod", "f64", "TRI_FMOD64(a, b);"),
    ],
)
def test_two_operands(read_kernel: ReadKernel, op: str, type_: str, expected: str) -> None:
    body = f"%r = {op} %a, %b : {type_}"
    assert lines_of(read_kernel, body, f"{type_} {type_}", type_) == [expected]


@pytest.mark.parametrize(
    ("body", "source", "target", "expected"),
    [
        ("math.sqrt %a : f32", "f32", "f32", "TRI_SQRT32(a);"),
        ("math.roundeven %a : f64", "f64", "f64", "TRI_RINT64(a);"),
        ("math.absi %a : i8", "i8", "i8", "as_char(a) < 0 ? (uchar)(0 - (uint)a) : a;"),
        ("arith.negf %a : f32", "f32", "f32", "-a;"),
        ("arith.bitcast %a : f32 to i32", "f32", "i32", "as_uint(a);"),
        ("arith.extsi %a : i8 to i32", "i8", "i32", "(uint)as_char(a);"),
        ("arith.extui %a : i8 to i64", "i8", "i64", "(ulong)a;"),
        ("arith.trunci %a : i32 to i8", "i32", "i8", "(uchar)a;"),
        ("arith.sitofp %a : i64 to f32", "i64", "f32", "(float)as_long(a);"),
        ("arith.uitofp %a : i64 to f64", "i64", "f64", "(double)a;"),
        ("arith.truncf %a : f64 to f32", "f64", "f32", "(float)a;"),
        ("kernel.part %a, 1 : i64 -> f32", "i64", "f32", "as_float((uint)(a >> 32));"),
        # Conversions are defined for every operand.
        (
            *("arith.fptosi %a : f64 to i32", "f64", "i32"),
            "(a > -0x1.0000000200000p+31 && a < 0x1.0000000000000p+31) ? (uint)((int)a) : (uint)0;",
        ),
        (
            *("arith.fptosi %a : f32 to i64", "f32", "i64"),
            "(a >= -0x1.0000000000000p+63f && a < 0x1.0000000000000p+63f)"
            " ? (ulong)((long)a) : (ulong)0;",
        ),
        (
            *("arith.fptoui %a : f32 to i8", "f32", "i8"),
            "(a > -0x1.0000000000000p+0f && a < 0x1.0000000000000p+8f) ? (uchar)(a) : (uchar)0;",
        ),
    ],
)
def test_one_operand(
    read_kernel: ReadKernel, body: str, source: str, target: str, expected: str
) -> None:
    assert lines_of(read_kernel, f"%r = {body}", source, target) == [expected]


def test_every_row_of_float32_is_spelled_without_built_in_functions() -> None:
    x = tri.spec((100,), tri.float32)
    functions = (tri.exp, tri.log, tri.tanh, tri.sin, tri.erf, tri.sqrt, tri.floor, tri.expm1)
    for function in functions:
        (kernel,) = tri.trace(function, x).lower().kernels
        text = kernel_text(kernel, "opencl")
        inside = text.partition("__kernel")[2].partition("{")[2]
        code = re.sub(r"#pragma.*", "", inside)
        calls = set(re.findall(r"\b([a-z]\w*)\(", code)) - {"if", "for"}
        assert all(name in ALLOWED or name.startswith(("as_", "tri_")) for name in calls), calls


def test_loops_of_much_arithmetic_ask_for_the_widest_vectors() -> None:
    def hints(function: Callable[[tri.Tensor], tri.Tensor], dtype: tri.dtype) -> list[str]:
        x = tri.spec((100,), dtype)
        (kernel,) = tri.trace(function, x).lower().kernels
        return re.findall(r"#ifdef __AVX512F__\n *#pragma (.*)\n", kernel_text(kernel, "opencl"))

    assert hints(lambda x: tri.exp(x) + x, tri.float32) == ["clang loop vectorize_width(16)"]
    assert hints(lambda x: tri.exp(x) + x, tri.float64) == ["clang loop vectorize_width(8)"]
    assert hints(lambda x: x * 2 + x, tri.float32) == []
    # Inside a reduction the loop carries its order.
    assert hints(lambda x: tri.exp(x).sum(), tri.float32) == []


def geometry(text: str) -> dict[str, Any]:
    """Return what the first line says."""
    return json.loads(text.partition("\n")[0].removeprefix("// trilith: "))


def test_the_first_line_is_the_launch_geometry() -> None:
    x = tri.spec((100, 70), tri.float32)
    (kernel,) = tri.trace(lambda x: x.T + x[0, 0], x).lower().kernels
    assert geometry(kernel_text(kernel, "opencl"))["local"] == [1]
    assert geometry(kernel_text(kernel, "opencl", "opencl-gpu"))["local"] == [256]
    (kernel,) = tri.trace(lambda x: x.sum(), x).lower().kernels
    assert geometry(kernel_text(kernel, "opencl")) == {"local": [1], "global": []}


def test_groups_are_counted_and_hold_memory_at_the_level_of_the_function() -> None:
    x = tri.spec((100, 70), tri.float32)
    (kernel,) = tri.trace(lambda x: x.sum(1), x).lower().kernels
    text = kernel_text(kernel, "opencl", "opencl-gpu")
    assert geometry(text) == {"local": [128], "groups": [[0, 4]]}
    head, *lines = text.partition("__kernel ")[2].splitlines()
    assert head.startswith("__attribute__((reqd_work_group_size(128, 1, 1))) void ")
    assert re.fullmatch(r"  __local float s\d+\[128\];", lines[0])
    assert text.count("barrier(CLK_LOCAL_MEM_FENCE);") == 2


def test_memory_of_a_group_needs_a_group(read_kernel: ReadKernel) -> None:
    kernel = read_kernel("""
    kernel.func @f(%n: index) {
      %a = kernel.alloc [4] : !kernel.buffer<f32, [1], local>
    }""")
    with pytest.raises(InternalError, match=r"outside of kernel\.parallel groups"):
        emit_kernel(kernel)


def test_positions_are_divided_in_32_bits_where_they_fit() -> None:
    x = tri.spec((100, 70), tri.float32)
    (kernel,) = tri.trace(lambda x: x[:, :35] + 1, x).lower().kernels
    assert "tri_divide(i" in kernel_text(kernel, "opencl", "opencl-gpu")
    assert "tri_divide" not in kernel_text(kernel, "opencl")


def test_a_kernel_has_a_code_for_each_target() -> None:
    (kernel,) = tri.trace(lambda x: x * 3 - 1, tri.spec((10,), tri.float32)).lower().kernels
    keys = {kernel_key(kernel, target) for target in ("cpu", "opencl-cpu", "opencl-gpu")}
    assert len(keys) == 3
    counters = KernelCounters()
    code = KERNELS.get(kernel, counters, "opencl-cpu")
    assert (code.target, code.pointers, code.can_fail) == ("opencl", 2, False)
    assert f"__kernel void {code.name}(".encode() in code.code
    assert KERNELS.get(kernel, counters, "opencl-cpu") is code


def test_the_level_opencl_shows_the_text() -> None:
    lowered = tri.trace(lambda x: x + 1, tri.spec((10,), tri.bfloat16)).lower()
    text = lowered.as_text("opencl")
    assert "__global const ushort *" in text
    assert "__kernel void add_0(" in text


def test_half_precision_is_arithmetic_of_integers() -> None:
    (kernel,) = tri.trace(lambda x: x * 2, tri.spec((10,), tri.float16)).lower().kernels
    text = kernel_text(kernel, "opencl")
    assert "half" not in text
    assert "__global const ushort *" in text


def test_what_precedes_lanes(read_kernel: ReadKernel) -> None:
    text = kernel_text(
        read_kernel("""
    kernel.func @f(%x: !kernel.buffer<f32, [1]>, %y: !kernel.buffer<f32, [1]>) {
      %zero = arith.constant 0 : index
      %v = kernel.load %x[%zero] : vector<8xf32>
      %w = kernel.preceding %v by 2 : vector<8xf32>
      kernel.store %w, %y[%zero]
    }"""),
        "opencl",
    )
    assert re.search(r"float8 v\d+ = v\d+\.s01114555;", text)


@pytest.mark.parametrize(("rows", "lanes"), [(2, 2), (8, 8), (2, 8), (8, 2), (4, 16)])
def test_rows_become_columns(read_kernel: ReadKernel, rows: int, lanes: int) -> None:
    loads = "\n".join(f"%a{n} = kernel.load %x[%c{n}] : vector<{lanes}xf32>" for n in range(rows))
    values = ", ".join(f"%a{n}" for n in range(rows))
    columns = ", ".join(f"%b{n}" for n in range(lanes))
    stores = "\n".join(f"kernel.store %b{n}, %y[%c{n}]" for n in range(lanes))
    constants = "\n".join(f"%c{n} = arith.constant {n} : index" for n in range(max(rows, lanes)))
    text = kernel_text(
        read_kernel(f"""
    kernel.func @f(%x: !kernel.buffer<f32, [1]>, %y: !kernel.buffer<f32, [1]>) {{
      {constants}
      {loads}
      {columns} = kernel.transpose({values}) : vector<{lanes}xf32>
      {stores}
    }}"""),
        "opencl",
    )
    # What the text says is done by hand: lane c of row r is the number 16 * r + c.
    known: dict[str, list[int]] = {}
    stored: list[list[int]] = []
    for line in text.splitlines():
        if found := re.search(r"(v\d+) = vload", line):
            known[found[1]] = [16 * len(known) + lane for lane in range(lanes)]
        elif found := re.search(r"const float\d+ (v\d+) = \(float\d+\)\((.*)\);", line):
            parts = [part.partition(".s") for part in found[2].split(", ")]
            known[found[1]] = [
                lane
                for name, _, picked in parts
                for lane in ([known[name][int(at, 16)] for at in picked] or known[name])
            ]
        elif found := re.search(r"vstore\d+\((v\d+),", line):
            stored.append(known[found[1]])
    assert stored == [[16 * row + lane for row in range(rows)] for lane in range(lanes)]
