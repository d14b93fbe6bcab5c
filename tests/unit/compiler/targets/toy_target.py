"""A target for tests that nothing else knows of: C, built by the machine's compiler."""

from __future__ import annotations

import ctypes
import hashlib
import pathlib
import subprocess
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from trilith.compiler.codegen.kernel_text import KernelText
from trilith.compiler.schedules.scalar import schedule_in_scalars
from trilith.compiler.targets import table as targets
from trilith.compiler.targets.steps import (
    EXPAND_MATH,
    PLAN_BUFFERS,
    TO_KERNELS,
    legalize,
    schedule,
)
from trilith.compiler.targets.target import Level, Target
from trilith.dialects.attributes.device import Device
from trilith.dialects.kernel.function import FuncOp
from trilith.dialects.kernel.memory import AllocOp, LoadOp, StoreOp
from trilith.dialects.kernel.scheduled import ForOp, IfOp
from trilith.dialects.kernel.types import BufferType, buffer_type_of
from trilith.runtime.devices import base
from trilith.runtime.devices.cpu import CpuRuntime
from trilith.runtime.execution.artifact import KernelCode

#: A type of devices that PyTorch has and nobody else here uses.
KIND = "maia"

_TYPES = {"f32": "float", "f64": "double", "i1": "_Bool", "i32": "int32_t", "i64": "int64_t"}
_BINARY = {
    **{"arith.addf": "+", "arith.subf": "-", "arith.mulf": "*", "arith.divf": "/"},
    **{"arith.addi": "+", "arith.subi": "-", "arith.muli": "*", "arith.andi": "&"},
    **{"arith.divui": "/", "arith.remui": "%", "arith.shrui": ">>"},
}
_PREDICATES = ("==", "!=", "<", "<=", ">", ">=")


def c_type(type_: Attribute) -> str:
    return _TYPES.get(str(type_), "int64_t")


class Writer:
    """The text of one kernel: what its own schedule leaves, and no more."""

    def __init__(self, kernel: FuncOp) -> None:
        self.names: dict[SSAValue, str] = {}
        self.strides: dict[SSAValue, list[str]] = {}
        self.lines: list[str] = []
        self.kernel = kernel

    def text(self) -> str:
        pointers: list[str] = []
        integers: list[str] = []
        for number, argument in enumerate(self.kernel.block.args):
            name, type_ = f"a{number}", argument.type
            if isinstance(type_, BufferType):
                pointers.append(f"{c_type(type_.element)} *p{number}")
                integers.append(f"int64_t o{number}")
                self.lines.append(f"{c_type(type_.element)} *{name} = p{number} + o{number};")
                self.names[argument] = name
                self.strides[argument] = []
                for place, stride in enumerate(type_.strides):
                    word = str(stride) if stride is not None else f"s{number}_{place}"
                    integers += [] if stride is not None else [f"int64_t {word}"]
                    self.strides[argument].append(word)
            else:
                integers.append(f"int64_t n{number}")
                self.lines.append(f"{c_type(type_)} {name};")
                self.lines.append(f"memcpy(&{name}, &n{number}, sizeof {name});")
                self.names[argument] = name
        self.block(self.kernel.block)
        body = "\n".join(f"  {line}" for line in self.lines)
        arguments = ", ".join((*pointers, *integers))
        head = "#include <stdint.h>\n#include <string.h>\n"
        return f"{head}void {self.kernel.symbol}({arguments}) {{\n{body}\n}}\n"

    def new(self, value: SSAValue) -> str:
        self.names[value] = f"v{len(self.names)}"
        return self.names[value]

    def block(self, block: Block) -> Operation:
        *ops, last = block.ops
        for op in ops:
            self.operation(op)
        return last

    def place(self, op: LoadOp | StoreOp) -> str:
        strides = self.strides[op.buffer]
        offsets = [
            f"{self.names[index]} * {stride}"
            for index, stride in zip(op.indices, strides, strict=True)
        ]
        return f"{self.names[op.buffer]}[{' + '.join(offsets) or '0'}]"

    def operation(self, op: Operation) -> None:
        operands = [self.names[operand] for operand in op.operands]
        if isinstance(op, LoadOp):
            place, type_ = self.place(op), c_type(op.results[0].type)
            self.lines.append(f"{type_} {self.new(op.results[0])} = {place};")
        elif isinstance(op, StoreOp):
            self.lines.append(f"{self.place(op)} = {self.names[op.value]};")
        elif isinstance(op, AllocOp):
            type_ = buffer_type_of(op.results[0])
            count = op.shape[0] * (type_.strides[0] or 1)
            self.strides[op.results[0]] = [str(stride) for stride in type_.strides]
            self.lines.append(f"{c_type(type_.element)} {self.new(op.results[0])}[{count}];")
        elif isinstance(op, ForOp):
            self.loop(op, operands)
        elif isinstance(op, IfOp):
            self.branch(op, operands[0])
        else:
            type_ = c_type(op.results[0].type)
            value = self.value(op, operands)
            self.lines.append(f"{type_} {self.new(op.results[0])} = {value};")

    def value(self, op: Operation, operands: list[str]) -> str:
        if op.name == "arith.constant":
            value = op.properties["value"]
            if isinstance(value, IntegerAttr):
                return str(value.value.data)
            return f"{value}".partition(" ")[0]  # pyright: ignore[reportUnknownArgumentType]
        if op.name == "arith.cmpi":
            number = op.properties["predicate"]
            assert isinstance(number, IntegerAttr)
            return f"{operands[0]} {_PREDICATES[number.value.data]} {operands[1]}"
        if op.name in ("arith.minsi", "arith.maxsi"):
            word = "<" if op.name == "arith.minsi" else ">"
            return f"{operands[0]} {word} {operands[1]} ? {operands[0]} : {operands[1]}"
        return f"{operands[0]} {_BINARY[op.name]} {operands[1]}"

    def loop(self, op: ForOp, operands: list[str]) -> None:
        start, stop, step, *inits = operands
        index, *carried = op.block.args
        for result, value, init in zip(op.results, carried, inits, strict=True):
            self.names[value] = self.new(result)
            self.lines.append(f"{c_type(value.type)} {self.names[result]} = {init};")
        name = self.new(index)
        self.lines.append(f"for (int64_t {name} = {start}; {name} < {stop}; {name} += {step}) {{")
        last = self.block(op.block)
        for result, value in zip(op.results, last.operands, strict=True):
            self.lines.append(f"{self.names[result]} = {self.names[value]};")
        self.lines.append("}")

    def branch(self, op: IfOp, condition: str) -> None:
        for result in op.results:
            self.lines.append(f"{c_type(result.type)} {self.new(result)};")
        for number, region in enumerate(op.regions):
            self.lines.append("} else {" if number else f"if ({condition}) {{")
            last = self.block(region.blocks[0])
            for result, value in zip(op.results, last.operands, strict=True):
                self.lines.append(f"{self.names[result]} = {self.names[value]};")
        self.lines.append("}")


class ToyEmitter:
    """What makes C of a scheduled kernel."""

    def code(self, kernel: FuncOp) -> bytes:
        return Writer(kernel).text().encode()

    def quick(self, kernel: FuncOp) -> None:
        pass

    def machine(self) -> str:
        return "C"

    def environment(self) -> Sequence[str]:
        return ()


@dataclass(frozen=True)
class ToyText(KernelText):
    """The C text of a kernel."""

    name = "tri-c"

    def text(self, kernel: FuncOp) -> str:
        return Writer(kernel).text()


TOY = Target(
    name="toy",
    device_type=KIND,
    function=(*TO_KERNELS, PLAN_BUFFERS),
    kernel=lambda _: (legalize(half=False), EXPAND_MATH, schedule("toy")),
    schedule=lambda: schedule_in_scalars,
    emitter=ToyEmitter,
    levels=(Level("c", lambda: ToyText),),
    takes_host_arguments=True,
)


class ToyRuntime(CpuRuntime):
    """The host's memory, and kernels that the machine's C compiler builds."""

    kernel_target = "toy"

    def __init__(self, device: Device, folder: pathlib.Path) -> None:
        super().__init__(device)
        self.folder = folder
        self.launches: list[str] = []

    def load(self, code: KernelCode) -> Callable[..., None]:
        assert code.target == "C"
        name = hashlib.sha256(code.code).hexdigest()[:16]
        source, library = self.folder / f"{name}.c", self.folder / f"{name}.so"
        source.write_bytes(code.code)
        command = ["cc", "-O1", "-ffp-contract=off", "-shared", "-fPIC", "-o"]
        subprocess.run([*command, str(library), str(source)], check=True)
        function = ctypes.CDLL(str(library))[code.name]
        function.restype = None
        function.argtypes = [ctypes.c_void_p] * code.pointers + [ctypes.c_int64] * code.integers

        def launch(*arguments: int) -> None:
            self.launches.append(code.name)
            function(*arguments)

        return launch


@contextmanager
def registered(folder: pathlib.Path) -> Generator[ToyRuntime]:
    """Have the target and its device while the block runs."""
    runtime = ToyRuntime(Device(KIND, 0), folder)
    base.register(KIND, lambda _: runtime, 1)
    targets.register(TOY)
    try:
        yield runtime
    finally:
        targets.unregister(TOY.name)
        base.unregister(KIND)
