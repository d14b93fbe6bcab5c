"""Kernels from text: parsed, scheduled, compiled, loaded and called with NumPy arrays."""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects import arith, builtin, math
from xdsl.parser import Parser

from trilith.compiler.codegen.llvm.kernel import emit_kernel
from trilith.compiler.codegen.llvm.objects import compile_text
from trilith.compiler.codegen.llvm.target import host_target
from trilith.compiler.interpret.kernel import interpret_kernel
from trilith.compiler.passes.kernels.expand_math import ExpandMathPass
from trilith.compiler.passes.kernels.schedule import SchedulePass
from trilith.dialects.attributes.faults import FAULTS
from trilith.dialects.kernel.abi import INDEX, OFFSET, STRIDE, KernelSignature
from trilith.dialects.kernel.dialect import KERNEL_DIALECT
from trilith.dialects.kernel.function import FuncOp
from trilith.runtime.devices.cpu import CpuStatusWord, link
from trilith.runtime.execution.artifact import KernelCode

FILES = pathlib.Path(__file__).parents[3] / "filecheck" / "kernel"

#: Arrays, sizes and NumPy scalars in argument order; the status word as (code, position). An array
#: whose dims are not those of its buffer is a pair with the strides of these, in elements.
Kernel = Callable[..., tuple[int, int]]
CompileKernel = Callable[..., Kernel]
ReadKernel = Callable[[str], FuncOp]


def _context() -> Context:
    context = Context()
    for dialect in (builtin.Builtin, arith.Arith, math.Math, KERNEL_DIALECT):
        context.load_dialect(dialect)
    return context


def _read(text: str, name: str | None, file: str | None, vector_bits: int) -> FuncOp:
    """Read one kernel, without mathematical functions; scheduled unless `vector_bits` is 0."""
    context = _context()
    source = text if file is None else (FILES / file).read_text(encoding="utf-8")
    module = Parser(context, source).parse_module()
    module.verify()
    ExpandMathPass().apply(context, module)
    if vector_bits:
        SchedulePass(vector_bits=vector_bits).apply(context, module)
        module.verify()
    functions = [op for op in module.body.block.ops if isinstance(op, FuncOp)]
    (function,) = [op for op in functions if name in (None, op.symbol)]
    return function


def _interpret(
    text: str, name: str | None = None, *, vector_bits: int = 0, file: str | None = None
) -> Kernel:
    function = _read(text, name, file, vector_bits)
    signature = KernelSignature.of(function)

    def call(*arguments: Any) -> tuple[int, int]:
        pointers = [_memory(arguments[number]) for number in signature.buffers]
        faults = interpret_kernel(function, pointers, _integers(signature, arguments))
        return (FAULTS.index(faults[0].code) + 1, faults[0].position) if faults else (0, 0)

    return call


def _compile(
    text: str, name: str | None = None, *, vector_bits: int = 256, file: str | None = None
) -> Kernel:
    function = _read(text, name, file, vector_bits)
    signature = KernelSignature.of(function)
    code = compile_text(emit_kernel(function, host_target()), verify=True)
    launch = link(
        KernelCode(
            name=signature.name,
            key="",
            target="cpu",
            code=code,
            pointers=signature.pointers,
            integers=len(signature.integers),
            can_fail=signature.can_fail,
        )
    )

    def call(*arguments: Any) -> tuple[int, int]:
        status = CpuStatusWord()
        pointers = [_memory(arguments[number]).ctypes.data for number in signature.buffers]
        if signature.can_fail:
            pointers.append(status.pointer)
        launch(*pointers, *_integers(signature, arguments))
        return status.read()

    return call


def _memory(argument: Any) -> Any:
    """Return the array behind a buffer."""
    return argument if hasattr(argument, "strides") else argument[0]


def _stride(argument: Any, dimension: int) -> int:
    """Return the elements between neighbours in a dimension of a buffer."""
    if hasattr(argument, "strides"):
        return argument.strides[dimension] // argument.itemsize
    return argument[1][dimension]


def _integers(signature: KernelSignature, arguments: tuple[Any, ...]) -> list[int]:
    integers: list[int] = []
    for slot in signature.integers:
        argument = arguments[slot.argument]
        if slot.kind == INDEX:
            integers.append(argument)
        elif slot.kind == OFFSET:
            integers.append(0)
        elif slot.kind == STRIDE:
            integers.append(_stride(argument, slot.dimension))
        else:
            data = np.asarray(argument).tobytes().ljust(8, b"\0")
            integers.append(int.from_bytes(data, "little", signed=True))
    return integers


@pytest.fixture
def compile_kernel() -> CompileKernel:
    """`compile_kernel(text, name)` or `compile_kernel("", name, file="softmax.mlir")`."""
    return _compile


@pytest.fixture
def read_kernel() -> ReadKernel:
    """`read_kernel(text)`: the one kernel of a text, structured."""
    return lambda text: _read(text, None, None, 0)


@pytest.fixture
def interpret_kernel_text() -> CompileKernel:
    """The same for the interpreter; scheduled first if `vector_bits` is given."""
    return _interpret


def _reduce_in_order(
    values: np.ndarray[Any, Any], lanes: int, block: int, ufunc: Any, neutral: float
) -> np.ndarray[Any, Any]:
    count = len(values)
    shape = (lanes, *values.shape[1:])
    totals = np.full(shape, neutral, values.dtype)
    length = block or max(count, 1)
    for start in range(0, count, length):
        part = values[start : min(start + length, count)]
        current = np.full(shape, neutral, values.dtype)
        for first in range(0, len(part), lanes):
            piece = part[first : first + lanes]
            current[: len(piece)] = ufunc(current[: len(piece)], piece)
        totals = ufunc(totals, current)
    while len(totals) > 1:
        half = len(totals) // 2
        totals = ufunc(totals[:half], totals[half:])
    return totals[0]


@pytest.fixture
def reduce_in_order() -> Callable[..., Any]:
    """The order of kernel.reduce, written in NumPy: reductions of the first axis."""
    return _reduce_in_order
