"""Do loads, stores, checks and scalar arguments go where the kernel says?"""

from typing import Any

import numpy as np
import pytest

from trilith.compiler.codegen.llvm.kernel import emit_kernel
from trilith.compiler.codegen.llvm.objects import assembly_of
from trilith.compiler.codegen.llvm.target import CpuTarget
from trilith.compiler.codegen.llvm.texts import cpu_named

RANDOM = np.random.default_rng(13)
COUNTS = [0, 1, 7, 8, 9, 40]


@pytest.mark.parametrize("count", COUNTS)
def test_nothing_is_written_past_the_end(compile_kernel: Any, count: int):
    kernel = compile_kernel("""
    kernel.func @copy(%n: index, %x: !kernel.buffer<f32, [1]>, %y: !kernel.buffer<f32, [1]>) {
      kernel.map (%i) to (%n) {
        %v = kernel.load %x[%i] : f32
        kernel.store %v, %y[%i]
      }
    }""")
    x, y = RANDOM.standard_normal(count + 16, np.float32), np.full(count + 16, 7, np.float32)
    kernel(count, x, y)
    assert (y[:count] == x[:count]).all()
    assert (y[count:] == 7).all()


@pytest.mark.parametrize("strides", ["[?, ?]", "[?, 1]", "[?, 0]", "[0, 1]", "[3, 2]"])
def test_strides(compile_kernel: Any, strides: str):
    kernel = compile_kernel(f"""
    kernel.func @copy(%n: index, %m: index, %x: !kernel.buffer<f32, {strides}>,
        %y: !kernel.buffer<f32, [?, ?]>) {{
      kernel.map (%i, %j) to (%n, %m) {{
        %v = kernel.load %x[%i, %j] : f32
        kernel.store %v, %y[%i, %j]
      }}
    }}""")
    memory = RANDOM.standard_normal(400, np.float32)
    numbers = [
        {"?": 40, "0": 0, "1": 1, "2": 2, "3": 3}[word] for word in strides[1:-1].split(", ")
    ]
    numbers[1] = 3 if strides == "[?, ?]" else numbers[1]
    x = np.lib.stride_tricks.as_strided(memory, (5, 11), [4 * number for number in numbers])
    y = np.full((10, 22), 7, np.float32)
    kernel(5, 11, x, y[::2, ::2])
    assert (y[::2, ::2] == x).all()
    assert (y[1::2] == 7).all()
    assert (y[:, 1::2] == 7).all()


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("written", ["1", "-1"])
def test_memory_that_is_walked_backwards(compile_kernel: Any, count: int, written: str):
    kernel = compile_kernel(f"""
    kernel.func @reverse(%n: index, %x: !kernel.buffer<f32, [-1]>,
        %y: !kernel.buffer<f32, [{written}]>) {{
      kernel.map (%i) to (%n) {{
        %v = kernel.load %x[%i] : f32
        kernel.store %v, %y[%i]
      }}
    }}""")
    x, y = RANDOM.standard_normal(count + 16, np.float32), np.full(count + 16, 7, np.float32)
    inside = slice(8, 8 + count)
    step = int(written)
    kernel(count, x[inside][::-1], y[inside][::step])
    assert (y[inside] == x[inside][::-step]).all()
    assert (y[:8] == 7).all()
    assert (y[8 + count :] == 7).all()


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (3, 40), (32, 32), (33, 65), (70, 9)])
@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.float64])
def test_an_operand_that_lies_across(compile_kernel: Any, rows: int, columns: int, dtype: Any):
    element = {"float32": "f32", "int8": "i8", "float64": "f64"}[np.dtype(dtype).name]
    kernel = compile_kernel(f"""
    kernel.func @across(%k: index, %n: index, %m: index,
        %x: !kernel.buffer<{element}, [?, 1, ?]> {{kernel.access = "read"}},
        %y: !kernel.buffer<{element}, [?, ?, 1]> {{kernel.access = "write", kernel.noalias}}) {{
      kernel.map (%h, %i, %j) to (%k, %n, %m) {{
        %v = kernel.load %x[%h, %i, %j] : {element}
        kernel.store %v, %y[%h, %i, %j]
      }}
    }}""")
    x = RANDOM.integers(-99, 99, (2, columns, rows)).astype(dtype)
    y = np.full((2, rows + 1, columns + 1), 7, dtype)
    kernel(2, rows, columns, x.transpose(0, 2, 1), y[:, :rows, :columns])
    assert (y[:, :rows, :columns] == x.transpose(0, 2, 1)).all()
    assert (y[:, rows] == 7).all()
    assert (y[:, :, columns] == 7).all()


def test_indices_that_are_computed_loaded_and_repeated(compile_kernel: Any):
    kernel = compile_kernel("""
    kernel.func @indices(%n: index, %x: !kernel.buffer<f32, [1]>, %t: !kernel.buffer<f32, [?, 1]>,
        %k: !kernel.buffer<i64, [1]>, %y: !kernel.buffer<f32, [1]>,
        %z: !kernel.buffer<f32, [?, 1]>) {
      %one = arith.constant 1 : index
      %two = arith.constant 2 : index
      kernel.map (%i) to (%n) {
        %next = arith.addi %i, %one : index
        %a = kernel.load %x[%next] : f32
        %double = arith.muli %i, %two : index
        %b = kernel.load %x[%double] : f32
        %key = kernel.load %k[%i] : i64
        %row = arith.index_cast %key : i64 to index
        %c = kernel.load %t[%row, %one] : f32
        %d = kernel.load %t[%i, %i] : f32
        %s = arith.addf %a, %b : f32
        %u = arith.addf %s, %c : f32
        %v = arith.addf %u, %d : f32
        %number = arith.index_cast %i : index to i64
        %f = arith.sitofp %number : i64 to f32
        %w = arith.addf %v, %f : f32
        kernel.store %w, %y[%i]
        kernel.store %w, %z[%row, %double]
      }
    }""")
    for count in COUNTS:
        i = np.arange(count)
        x = RANDOM.standard_normal(2 * count + 2, np.float32)
        table = RANDOM.standard_normal((count + 2, count + 2), np.float32)
        keys = RANDOM.integers(0, count + 1, count)
        y, z = np.zeros(count, np.float32), np.zeros((count + 2, 2 * count + 2), np.float32)
        kernel(count, x, table, keys, y, z)
        expected = x[i + 1] + x[2 * i] + table[keys, 1] + table[i, i] + i.astype(np.float32)
        scattered = np.zeros_like(z)
        scattered[keys, 2 * i] = expected
        assert (y == expected).all()
        assert (z == scattered).all()


@pytest.mark.parametrize("count", COUNTS[1:])
def test_only_lanes_that_exist_report_faults(compile_kernel: Any, count: int):
    kernel = compile_kernel("""
    kernel.func @check(%n: index, %x: !kernel.buffer<i32, [1]>) {
      %zero = arith.constant 0 : i32
      kernel.map (%i) to (%n) {
        %v = kernel.load %x[%i] : i32
        %bad = arith.cmpi eq, %v, %zero : i32
        %worse = arith.cmpi slt, %v, %zero : i32
        kernel.check %bad, "ZeroDivisionError" at 5
        kernel.check %worse, "IndexError" at 6
      }
    }""")
    x = np.ones(count, np.int32)
    assert kernel(count, x) == (0, 0)
    x[-1] = -1
    assert kernel(count, x) == (3, 6)
    x[-1] = 0
    assert kernel(count, x) == (1, 5)
    x[0] = 0
    x[-1] = -1 if count > 8 else 0
    assert kernel(count, x) == (1, 5), "the first fault is kept"


def test_scalar_arguments_come_from_the_low_bits(compile_kernel: Any):
    kernel = compile_kernel("""
    kernel.func @scalars(%n: index, %a: f32, %b: f64, %c: i8, %d: i64, %e: i1,
        %y: !kernel.buffer<f64, [1]>) {
      kernel.map (%i) to (%n) {
        %f = arith.extf %a : f32 to f64
        %g = arith.addf %f, %b : f64
        %h = arith.extsi %c : i8 to i64
        %j = arith.addi %h, %d : i64
        %k = arith.sitofp %j : i64 to f64
        %l = arith.select %e, %g, %k : f64
        kernel.store %l, %y[%i]
      }
    }""")
    for flag, expected in ((True, 1.75), (False, -2.0)):
        y = np.zeros(5)
        kernel(5, np.float32(1.5), np.float64(0.25), np.int8(-3), np.int64(1), np.bool_(flag), y)
        assert (y == expected).all()


def test_an_unaligned_buffer(compile_kernel: Any):
    kernel = compile_kernel("""
    kernel.func @negate(%n: index, %x: !kernel.buffer<f32, [1]>) {
      kernel.map (%i) to (%n) {
        %v = kernel.load %x[%i] : f32
        %w = arith.negf %v : f32
        kernel.store %w, %x[%i]
      }
    }""")
    for start in range(8):
        x = np.arange(64, dtype=np.float32)
        kernel(50, x[start:])
        assert (x[start : start + 50] == -np.arange(start, start + 50)).all()
        assert (x[start + 50 :] == np.arange(start + 50, 64)).all()


def test_a_parallel_grid_runs_every_point(compile_kernel: Any):
    """Not scheduled: the emitter runs the points of a grid one after the other."""
    kernel = compile_kernel(
        """
    kernel.func @grid(%n: index, %m: index, %y: !kernel.buffer<f32, [?, 1]>, %s: f32) {
      kernel.parallel (%i, %j) to (%n, %m) {
        kernel.store %s, %y[%i, %j]
      }
    }""",
        vector_bits=0,
    )
    y = np.zeros((5, 7), np.float32)
    kernel(4, 6, y, np.float32(2.5))
    assert (y[:4, :6] == 2.5).all()
    assert y.sum() == 60


def test_a_masked_broadcast_reads_nothing_without_lanes(compile_kernel: Any):
    kernel = compile_kernel("""
    kernel.func @broadcast(%n: index, %x: !kernel.buffer<f32, [?, 0]>,
        %y: !kernel.buffer<f32, [?, 1]>) {
      %zero = arith.constant 0 : index
      %huge = arith.constant 1099511627776 : index
      %mask = kernel.mask %n : vector<8xi1>
      %v = kernel.load %x[%huge, %zero] mask %mask else 1 : vector<8xf32>
      kernel.store %v, %y[%zero, %zero]
    }""")
    x, y = np.zeros((2, 2), np.float32), np.zeros((1, 8), np.float32)
    kernel(0, x, y)
    assert (y == 1).all()


@pytest.mark.parametrize(
    ("target", "first", "last"),
    [
        (cpu_named("x86-64-v3"), "xmm0", "xmm15"),
        (CpuTarget("x86_64-linux-gnu", "x86-64-v4", "", 512, 512), "xmm0", "xmm31"),
        (cpu_named("armv8-a"), "v0", "v31"),
    ],
    ids=["AVX2", "AVX-512", "NEON"],
)
def test_registers_that_are_cleared_are_those_of_the_cpu(
    read_kernel: Any, target: CpuTarget, first: str, last: str
):
    kernel = read_kernel("""
    kernel.func @clear(%x: !kernel.buffer<f32, [1]>) {
      kernel.clear_registers
    }""")
    text = emit_kernel(kernel, target)
    assert f'asm sideeffect "", "~{{{first}}},' in text
    assert f'~{{{last}}}"() nounwind' in text
    assert "clear:" in assembly_of(text, target)
