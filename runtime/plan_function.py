"""How does a plan for all sizes run? As one function that is written for it.

The integers of the artifact are expressions of the numbers that the operands' patterns leave open.
The function checks the guards, hands out memory, launches the kernels and makes the results; what
it computes from sizes are a few products. It holds nothing of any one size::

    def run(tensors, scalars, numbers):      # x + 1
        (t0,) = tensors
        (n0,) = numbers
        if not (n0 <= 2305843009213693951): return None
        ...
        o1 = allocate(...)
        m0, f0 = t0.memory, t0.byte_offset
        ...
        launch0(a0, o1.pointer, n0, 0, 0, encode0(scalars[0]))
        return [adopt(o1, spec_of(pattern0, (n0,)), 0)]

The text is made of integers and of names that are made here; nothing of a stored artifact enters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, cast

from ..dialects.attributes.extents import storage_extent
from ..dialects.attributes.layout import strided
from ..dialects.attributes.spec import TensorSpec, spec_of
from ..dialects.attributes.symint import ShapeEnv, SymInt, is_symbolic
from ..dialects.diagnostics import TrilithError, TrilithRuntimeError
from .devices.base import DeviceRuntime, runtime_of
from .devices.hurried import waiting_launcher
from .devices.threads import shared_launcher
from .execution.allocator import block_size
from .execution.artifact import Artifact, BufferPlan, HostCall, Launch, OutputPlan
from .execution.number_bits import encoder
from .execution.storage import Storage
from .executor import (
    check_writable,
    is_inside,
    load_constants,
    view_inside,
    view_of_input,
)
from .faults import error_maker
from .tensors.host_calls import caller_of
from .tensors.tensor import Tensor, adopt

#: run(tensors, scalars, numbers) -> results; None if the guards do not take the numbers.
PlanFunction: TypeAlias = Callable[
    [Sequence[Tensor], Sequence[Any], Sequence[int]], "list[Tensor] | None"
]


def plan_function(artifact: Artifact, env: ShapeEnv) -> PlanFunction | None:
    """Return what runs an artifact of expressions; None if it lies on several devices.

    What cannot be proven of the artifact for all sizes becomes one more guard.
    """
    if not artifact.is_on_one_device:
        return None
    artifact.validate()
    writer = _Writer(artifact, env, runtime_of(artifact.device))
    source = writer.source()
    # In the name of the file is where it was written: no line of the user's.
    file = f"{Path(__file__).parent}/<plan of {artifact.name}>"
    exec(compile(source, file, "exec"), writer.names)
    run: Any = writer.names["run"]
    run.source, run.env = source, env
    return run


def spelled(value: Any) -> str:
    """Return an integer as Python spells it."""
    return value.expression.source() if type(value) is SymInt else str(value)


def _tuple(values: Sequence[Any]) -> str:
    return "(" + "".join(f"{spelled(value)}, " for value in values) + ")"


def _changed(tensor: Tensor) -> TrilithError:
    """Return the error for an operand that is too small for the call that it is in."""
    try:
        tensor.check_extent()  # the storage was resized
    except TrilithError as error:
        return error
    return TrilithRuntimeError(
        "an operand was changed while an operation ran on it",
        hint="by a finalizer, a callback or another thread: pass a clone() of it",
    )


class _Writer:
    """Writes the text of one plan, and collects what it names."""

    def __init__(self, artifact: Artifact, env: ShapeEnv, runtime: DeviceRuntime) -> None:
        self.artifact = artifact
        self.env = env
        self.runtime = runtime
        self.lines: list[str] = []
        self.names: dict[str, Any] = {
            "allocate": Storage.allocate,
            "allocator": runtime.allocator,
            "device": runtime.device,
            "block_size": block_size,
            "adopt": adopt,
            "spec_of": spec_of,
            "view_of_input": view_of_input,
            "view_inside": view_inside,
            "check_writable": partial(check_writable, artifact),
        }
        #: By buffer where it begins.
        self.addresses: list[str] = []

    def source(self) -> str:
        """Return the text of the function."""
        count = len(self.artifact.inputs)
        self._memories()
        for number, launch in enumerate(self.artifact.launches):
            if isinstance(launch, HostCall):
                self._call(number, launch)
                continue
            assert isinstance(launch, Launch)
            self._launch(number, launch)
        results = [self._result(n, output) for n, output in enumerate(self.artifact.outputs)]
        self.lines.append(f"return [{', '.join(results)}]")
        # Writing asks, too (is a result inside of its operand?): the guards come last.
        head = [f"{''.join(f't{n}, ' for n in range(count))}= tensors"] if count else []
        head += self._guards()
        return "\n    ".join(["def run(tensors, scalars, numbers):", *head, *self.lines])

    def _guards(self) -> list[str]:
        symbols = list(self.env.hints)
        if not symbols:
            return []
        largest = self.env.largest()
        checks = [guard.source() for guard in self.env.needed_guards()]
        checks += [
            f"{name} <= {largest}"
            if name in self.env.positive
            else f"-{largest} <= {name} <= {largest}"
            for name in symbols
        ]
        return [
            f"{''.join(f'{name}, ' for name in symbols)}= numbers",
            f"if not ({' and '.join(checks)}): return None",
        ]

    # Memory

    def _memories(self) -> None:
        for number, buffer in enumerate(self.artifact.buffers):
            self.addresses.append(self._address(number, buffer))
            if buffer.role == "output":
                self._allocate(f"o{number}", buffer.nbytes)
        if self.artifact.of_role("temporary"):
            self._allocate("arena", self.artifact.arena_nbytes)
        if self.artifact.of_role("constant"):
            self.names["constants"] = load_constants(self.artifact)
        inputs = [buffer.index for buffer in self.artifact.of_role("input")]
        if self.artifact.launches and inputs:
            # The collector may run where anything is made, and what it runs may change an operand:
            # it is read when all is made, and its memory held.
            self.lines += [line for index in inputs for line in self._read(index)]
        written = [b.index for b in self.artifact.of_role("input") if b.is_written]
        if written:
            self.lines.append(f"check_writable(tensors, {written})")

    def _read(self, index: int) -> list[str]:
        """Return how the address of an operand is read, which must hold what the plan reads."""
        spec = self.artifact.inputs[index]
        reach = spelled(storage_extent(spec.shape, spec.strides) * spec.dtype.itemsize)
        self.names["changed"] = _changed
        tensor, memory, begin = f"t{index}", f"m{index}", f"f{index}"
        # What has no elements may begin anywhere.
        check = f"if {begin} + {reach} > {memory}.length: raise changed({tensor})"
        return [
            f"{memory}, {begin} = {tensor}.memory, {tensor}.byte_offset",
            *([] if reach == "0" else [check]),
            f"try: a{index} = {memory}.pointer + {begin}",
            # The storage became smaller at some time.
            f"except AttributeError: a{index} = {tensor}.address()",
        ]

    def _address(self, number: int, buffer: BufferPlan) -> str:
        match buffer.role:
            case "input":
                return f"a{buffer.index}"
            case "output":
                return f"o{number}.pointer"
            case "temporary":
                return f"arena.pointer + {spelled(buffer.arena_offset)}"
            case "constant":
                place = self.artifact.of_role("constant").index(buffer)
                return f"constants[{place}].pointer"

    def _allocate(self, name: str, nbytes: Any) -> None:
        if type(nbytes) is SymInt:
            self.lines.append(f"b = {spelled(nbytes)}")
            self.lines.append(f"{name} = allocate(allocator, b, device, block_size(b))")
        else:
            block = block_size(nbytes)
            self.lines.append(f"{name} = allocate(allocator, {nbytes}, device, {block})")

    # Launches

    def _launch(self, number: int, launch: Launch) -> None:
        kernel = self.artifact.kernels[launch.kernel]
        launcher = self.runtime.load(kernel)
        if self.runtime.device.is_host:
            launcher = waiting_launcher(kernel, shared_launcher(kernel, launcher))
        self.names[f"launch{number}"] = launcher
        integers = [spelled(integer) for integer in launch.integers]
        for slot in launch.scalars:
            encode = f"encode{number}_{slot.position}"
            self.names[encode] = encoder(slot)
            size = self.env.scalars.get(slot.argument)
            value = f"scalars[{slot.argument}]" if size is None else spelled(size)
            integers[slot.position] = f"{encode}({value})"
        pointers = [self.addresses[buffer] for buffer in launch.buffers]
        if not kernel.can_fail:
            self.lines.append(f"launch{number}({', '.join(pointers + integers)})")
            return
        self.names[f"error{number}"] = error_maker(launch, self.runtime)
        self.names["new_status"], self.names["watch"] = self.runtime.new_status, self.runtime.watch
        self.lines += [
            f"e = error{number}()",
            "s = new_status(e)",
            f"launch{number}({', '.join([*pointers, 's.pointer', *integers])})",
            "watch(s, e)",
        ]

    def _call(self, number: int, call: HostCall) -> None:
        """Write a call on the host: where its arrays lie, and the values of its attributes."""
        self.names[f"host{number}"] = caller_of(call)
        places: list[str] = []
        for index, array in enumerate(call.arrays):
            memory, start = self._place(array.buffer)
            offset = spelled(array.offset * array.spec.dtype.itemsize)
            spec = self._spec(f"{number}_{index}", array.spec)
            places.append(f"({memory}, {start} + {offset}, {spec}), ")
        values = "".join(f"{self._value(number, value)}, " for _, value in call.attributes)
        self.lines.append(f"host{number}(({''.join(places)}), ({values}))")

    def _place(self, number: int) -> tuple[str, str]:
        """Return in which memory a buffer lies, and from which byte on."""
        buffer = self.artifact.buffers[number]
        match buffer.role:
            case "input":
                return f"m{buffer.index}", f"f{buffer.index}"
            case "output":
                return f"o{number}", "0"
            case "temporary":
                return "arena", spelled(buffer.arena_offset)
            case "constant":
                return f"constants[{self.artifact.of_role('constant').index(buffer)}]", "0"

    def _value(self, number: int, value: Any) -> str:
        """Return what a static value is called; of a stored plan its text is not part of ours."""
        if type(value) is SymInt:
            return spelled(value)
        if isinstance(value, tuple):
            items = cast("tuple[Any, ...]", value)
            return f"({''.join(f'{self._value(number, item)}, ' for item in items)})"
        name = f"value{number}_{len(self.names)}"
        self.names[name] = value
        return name

    # Results

    def _result(self, number: int, output: OutputPlan) -> str:
        spec, offset = output.spec, spelled(output.storage_offset)
        buffer = self.artifact.buffers[output.buffer]
        made = self._spec(str(number), spec)
        if buffer.role == "output":
            return f"adopt(o{output.buffer}, {made}, {offset})"
        if buffer.role == "constant":
            place = self.artifact.of_role("constant").index(buffer)
            return f"adopt(constants[{place}], {made}, {offset})"
        tensor = f"t{buffer.index}"
        if is_inside(self.artifact.inputs[buffer.index], spec, output.storage_offset):
            return f"view_inside({tensor}, {made}, {offset})"
        return f"view_of_input({tensor}, {made}, {offset})"

    def _spec(self, number: str, spec: TensorSpec) -> str:
        if spec.layout is not strided or not is_symbolic((*spec.shape, *spec.strides)):
            self.names[f"spec{number}"] = spec
            return f"spec{number}"
        self.names[f"pattern{number}"] = spec.pattern
        return f"spec_of(pattern{number}, {_tuple(spec.numbers)})"
