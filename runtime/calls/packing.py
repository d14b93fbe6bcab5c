"""How does a plan lie in memory for native code? As a block of words: see `native/form.py`.

Only what is usual is packed: kernels of the host, numbers that are converted as C converts them,
results that are tensors of the plan's specs. For anything else there is None, and the plan runs in
Python alone.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from ...dialects.attributes import dtype as dtypes
from ...dialects.attributes.device import cpu
from ...dialects.attributes.dtype import Category, DType
from ...dialects.attributes.extents import storage_extent
from ...dialects.attributes.layout import strided
from ...dialects.attributes.settings import Settings
from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.symint import ShapeEnv, SymInt
from ...dialects.locks import new_lock
from ...dialects.records import record
from ..devices.base import runtime_of
from ..devices.threads import can_be_shared, cut_words
from ..execution.allocator import block_size
from ..execution.artifact import Artifact, KernelCode, Launch, OutputPlan
from ..execution.better_code import BetterCode
from ..execution.number_bits import encoder
from ..executor import is_inside
from ..native import form
from ..native.pools import Front
from ..tensors.sealed import SealedTensor
from ..tensors.tensor import Tensor
from .demands import Demands, Role, Unusual
from .steps import Steps, Symbols, TooLarge

#: What a call gives: its one result, all of them, its first argument, or nothing.
Gives: TypeAlias = Literal["one", "several", "first argument", "nothing"]

_GIVES = {
    "one": form.ONE,
    "several": form.SEVERAL,
    "first argument": form.FIRST_ARGUMENT,
    "nothing": form.NOTHING,
}
_BYTES = 8
#: Held by who says in a plan how many of its kernels wait for better code.
_NOTING = new_lock()


@record
class Part:
    """A part of the first argument, which is the plan's first operand: a view of it."""

    whole: TensorSpec
    spec: TensorSpec
    #: In elements behind where the argument begins.
    offset: int
    #: The symbols of the three, if they are for all sizes.
    env: ShapeEnv | None = None


@record
class CallPlan:
    """What a call is made of, for native code: a plan, and what its arguments must be."""

    artifact: Artifact
    #: What each argument is for the plan; tensors and numbers in the order in which it takes them.
    roles: Sequence[Role]
    settings: Settings
    gives: Gives = "one"
    #: Which operands are written to.
    written: Sequence[int] = ()
    #: Tensors of the enclosing program, which follow the arguments.
    captured: Sequence[Tensor] = ()
    #: Results by index that are an operand.
    same: Sequence[tuple[int, int]] = ()
    #: Whether the plan is that of the usual place for new tensors.
    is_placed: bool = False
    #: The class of a tuple of several results.
    result_type: type = tuple
    #: The names of the last arguments.
    names: tuple[str, ...] = ()
    #: The part of the first argument that is the first operand, if it is one.
    part: Part | None = None
    #: Whether nothing is done but to see that the second argument is that very part.
    is_same_part: bool = False
    #: The symbols of the artifact, if it is for all sizes: what integers of arguments, and what the
    #: patterns of operands leave open, in the order of the arguments.
    env: ShapeEnv | None = None
    #: What must be as it was for the last captured tensors, which were derived from it, to be used.
    sealed: Sequence[SealedTensor] = ()

    @property
    def is_open(self) -> bool:
        """Whether it is for all sizes that pass its guards."""
        return self.env is not None


class PackedPlan:
    """A plan in memory, and what must live as long as it does."""

    __slots__ = ("__weakref__", "_awaited", "_kept", "_words", "address")

    def __init__(self, values: list[int], kept: list[Any]) -> None:
        """Lay the words down; the first one is this object."""
        values[0] = id(self)
        self._words = (ctypes.c_int64 * len(values))(*values)
        self._kept = kept
        self._awaited: list[BetterCode[KernelCode]] = []
        self.address = ctypes.addressof(self._words)

    def wait_for_better(self, kernels: Sequence[KernelCode]) -> None:
        """Leave long calls to Python while code of the kernels was made for short ones."""
        self._awaited = [
            kernel.better
            for kernel in kernels
            if kernel.better is not None and kernel.better.most_work is not None
        ]
        for better in self._awaited:
            self.take_better()
            better.when_made(self)

    def take_better(self, _: KernelCode | None = None) -> None:
        """Say how many kernels are still those that were made for short calls."""
        with _NOTING:
            left = sum(better.made is None for better in self._awaited)
            self._words[form.HURRIED // _BYTES] = left

    def is_like(self, other: PackedPlan) -> bool:
        """Whether another plan says the same."""
        return bytes(self._words)[8:] == bytes(other._words)[8:]


def packed_plan(plan: CallPlan, arguments: Sequence[Any]) -> PackedPlan | None:
    """Return the plan of a call with these arguments for native code; None if it is not usual."""
    try:
        return _Packer(plan).packed(arguments)
    except (Unusual, TooLarge):
        return None


class _Packer:
    """Makes the words of one plan."""

    def __init__(self, plan: CallPlan) -> None:
        artifact = plan.artifact
        if not artifact.is_on_one_device or artifact.device is not cpu or artifact.has_host_calls:
            raise Unusual
        allocator: Any = runtime_of(cpu).allocator
        front: Front | None = allocator.front
        if front is None:
            raise Unusual
        self.plan = plan
        self.artifact = artifact
        self.front = front
        self.kept: list[Any] = [artifact, plan.settings]
        self.demands = Demands(self.keep, is_open=plan.is_open)
        self.outputs = {buffer: n for n, buffer in enumerate(artifact.of_role("output"))}
        #: What describes the specs of results, at the end of the plan.
        self.descriptions: list[int] = []
        #: How the frame ends: registers, after what every plan has there.
        self.first_register = 0
        self.steps = Steps(0)
        self.symbols: Symbols | None = None
        #: Registers of where the part begins, in bytes: what the first operand is read at.
        self.part_place = form.NO_REGISTER

    def keep(self, value: Any) -> int:
        """Return the address of an object that lives as long as the plan."""
        self.kept.append(value)
        return id(value)

    def packed(self, arguments: Sequence[Any]) -> PackedPlan:
        """Return the plan."""
        artifact, plan, demands = self.artifact, self.plan, self.demands
        body = [self.keep(name) for name in plan.names]
        for role, value in zip(plan.roles, arguments, strict=True):
            demands.add(role, value)
        body += demands.words
        self._compare_specs()
        for tensor in plan.captured:
            body += (self.keep(tensor), self.keep(tensor.spec))
        for seal in plan.sealed:
            body += map(self.keep, seal)
        self._begin_steps()
        rest = self._written()
        for buffer in self.outputs:
            rest += self._output(buffer.nbytes)
        fresh = [output.buffer for output in artifact.outputs if self._is_fresh(output)]
        if len(set(fresh)) < len(fresh):
            raise Unusual  # two results on one storage
        outputs = () if plan.is_same_part else artifact.outputs
        results = [self._result(number, output) for number, output in enumerate(outputs)]
        launches: list[int] = []
        for launch in artifact.launches:
            assert isinstance(launch, Launch)
            launches += self._launch(launch)
        header = self._header(len(arguments), len(outputs))
        if self.symbols is not None:
            self.symbols.finish()
        header[form.STEPS] = self.steps.length
        header[form.FRAME] = self.first_register // _BYTES + self.steps.count
        if header[form.FRAME] > form.MOST_ON_STACK:
            raise Unusual
        words = [header[offset] for offset in range(0, form.BODY, _BYTES)]
        words += [*body, *self.steps.words, *rest]
        end = (len(words) + 5 * len(results) + len(launches)) * _BYTES
        for result in results:
            if result[0] in (form.IS_OPEN_FRESH, form.IS_OPEN_VIEW):
                result[2] += end
            words += result
        made = PackedPlan([*words, *launches, *self.descriptions], self.kept)
        made.wait_for_better(artifact.kernels)
        return made

    def _compare_specs(self) -> None:
        """See that the operands are what the plan is for: the call may have changed one."""
        plan, demands = self.plan, self.demands
        captured = [tensor.spec for tensor in plan.captured]
        wanted = self.artifact.inputs
        if plan.is_same_part:
            assert plan.part is not None
            wanted = (plan.part.whole, plan.part.spec)
        elif plan.part is not None:
            wanted = (plan.part.whole, *wanted[1:])
        specs: list[TensorSpec | None] = [*demands.specs, *captured]
        if len(specs) != len(wanted):
            raise Unusual  # arguments that are one tensor are one operand
        for index, (spec, input_) in enumerate(zip(specs, wanted, strict=True)):
            if plan.is_open and index in demands.arrays and not input_.pattern.is_packed:
                raise Unusual
            if spec is None or spec is input_:
                continue
            if not plan.is_open or index >= len(demands.specs):
                raise Unusual
            if spec.pattern is not input_.pattern:
                raise Unusual

    def _header(self, arguments: int, results: int) -> dict[int, int]:
        plan, artifact = self.plan, self.artifact
        arena = self._arena()
        touched = 0
        if artifact.launches:
            touched = arena + sum(buffer.nbytes for buffer in artifact.buffers)
        is_open, has_open_arena = _is_expression(touched), _is_expression(arena)
        same_place = self.part_place if plan.is_same_part else form.NO_REGISTER
        return {
            form.KEEPER: 0,
            form.ARGUMENTS: arguments,
            form.NAMES: len(plan.names),
            form.SETTINGS: id(plan.settings),
            form.IS_PLACED: int(plan.is_placed),
            form.CAPTURED: len(plan.captured),
            form.OUTPUTS: len(self.outputs),
            form.WRITTEN: len(plan.written),
            form.LAUNCHES: len(artifact.launches),
            form.RESULTS: results,
            form.RESULT_KIND: _GIVES[plan.gives],
            form.RESULT_TYPE: self.keep(plan.result_type),
            form.RELEASES: int(not is_open and touched > form.RELEASING_BYTES),
            form.TENSORS: self._tensors(),
            form.SCALARS: self._scalars(),
            form.ARENA: self._pool(arena) if arena and not has_open_arena else 0,
            form.REGISTERS: self.first_register,
            form.SPANS: self._spans(),
            form.TOUCHED: self._size(touched) if is_open else form.NO_REGISTER,
            form.ARENA_BYTES: self._size(arena) if has_open_arena else form.NO_REGISTER,
            form.SAME_PLACE: same_place,
            form.HURRIED: 0,
            form.SEALED: len(plan.sealed),
        }

    def _arena(self) -> int:
        """Return how many bytes temporaries take; those without any are somewhere, too."""
        if not self.artifact.of_role("temporary"):
            return 0
        nbytes = self.artifact.arena_nbytes
        return nbytes if _is_expression(nbytes) else max(nbytes, 1)

    def _tensors(self) -> int:
        return len(self.demands.specs) + len(self.plan.captured)

    def _scalars(self) -> int:
        return sum(value is None for _, value in self.demands.numbers)

    def _spans(self) -> int:
        """Return how many spans of operands native code is told: what is written is compared."""
        return self._tensors() if self.plan.written and self._tensors() > 1 else 0

    # Sizes

    def _begin_steps(self) -> None:
        """Begin with the numbers that the call gives, and what is computed of them first."""
        plan, given = self.plan, len(self.demands.given)
        sizes = 0 if plan.env is None else len(plan.env.scalars)
        if len(self.demands.numbers) + sizes != len(self.artifact.scalars):
            raise Unusual
        results = len(self.outputs) + len(self.artifact.outputs)
        before = 3 * self._tensors() + self._scalars() + results
        self.first_register = form.FRAME_HEAD + before * _BYTES
        self.steps = Steps(given)
        numbers = [index * _BYTES for index in range(given)]
        part = plan.part
        if part is not None and part.env is not None:
            whole = len(part.env.hints)
            symbols = Symbols(self.steps, part.env, numbers[:whole])
            self.part_place = symbols.of(part.offset * part.spec.dtype.itemsize)
            numbers[:whole] = map(symbols.of, part.spec.numbers)
            if plan.is_same_part:
                self._demand_equal(numbers, len(part.spec.numbers))
            symbols.finish()
        elif part is not None:
            self.part_place = self.steps.number(part.offset * part.spec.dtype.itemsize)
        if plan.env is not None and not plan.is_same_part:
            if len(plan.env.hints) != len(numbers):
                raise Unusual
            self.symbols = Symbols(self.steps, plan.env, numbers)

    def _demand_equal(self, numbers: Sequence[int], count: int) -> None:
        """Demand that the numbers of the second operand are those of the part."""
        for first, second in zip(numbers[:count], numbers[count:], strict=True):
            opposite = self.steps.result(form.MULTIPLY_NUMBER, second, -1)
            difference = self.steps.result(form.ADD, first, opposite)
            self.steps.demand(form.EQUALS, difference, 0)

    def _size(self, value: Any) -> int:
        """Return the register of a size."""
        return self.steps.number(value) if self.symbols is None else self.symbols.of(value)

    def _span(self, spec: TensorSpec) -> int:
        """Return the register of how many bytes a tensor reaches over."""
        return self._size(storage_extent(spec.shape, spec.strides) * spec.dtype.itemsize)

    def _written(self) -> list[int]:
        """Return which operands are written to, and the spans of all."""
        plan, inputs = self.plan, self.artifact.inputs
        written = {buffer.index for buffer in self.artifact.of_role("input") if buffer.is_written}
        if not written <= set(plan.written) or (self.demands.arrays and plan.written):
            raise Unusual
        if not self._spans():
            return [word for index in plan.written for word in (index, 0, 0)]
        nowhere = self.steps.number(0)
        found: list[int] = []
        for index in plan.written:
            place = nowhere if index or self.part_place == form.NO_REGISTER else self.part_place
            found += index, place, self._span(inputs[index])
        return found + [self._span(spec) for spec in inputs]

    def _output(self, nbytes: Any) -> tuple[int, int]:
        if _is_expression(nbytes):
            return 0, self._size(nbytes)
        return self._pool(nbytes), self.keep(nbytes)

    def _pool(self, nbytes: int) -> int:
        pool = self.front.pool(block_size(nbytes)) if nbytes else 0
        if not pool:
            raise Unusual
        return pool

    # Launches

    def _launch(self, launch: Launch) -> list[int]:
        kernel = self.artifact.kernels[launch.kernel]
        count = kernel.pointers + kernel.integers
        if count > form.MOST_WORDS or (kernel.can_fail and self.plan.written):
            raise Unusual  # what has failed is done again in Python, which knows the error
        launcher = runtime_of(cpu).load(kernel)
        address = ctypes.cast(launcher, ctypes.c_void_p).value  # pyright: ignore[reportArgumentType]
        assert address is not None
        self.kept.append(launcher)
        words = [0] * kernel.pointers
        patches: list[int] = []
        for position, number in enumerate(launch.buffers):
            patches += (position, *self._pointer(number))
        if kernel.can_fail:
            patches += (len(launch.buffers), form.OF_STATUS, 0, 0)
        for position, integer in enumerate(launch.integers, kernel.pointers):
            words.append(0 if _is_expression(integer) else integer)
            if _is_expression(integer):
                patches += (position, form.OF_REGISTER, self._size(integer), 0)
        for slot in launch.scalars:
            position = kernel.pointers + slot.position
            size = None if self.plan.env is None else self.plan.env.scalars.get(slot.argument)
            if size is not None:
                patches += (position, *_conversion(slot.dtype, int, self._size(size)))
                patches[-3] += form.IN_REGISTER
                continue
            kind, value = self.demands.numbers[slot.argument]
            if value is not None:
                words[position] = encoder(slot)(value)
            elif slot.part != "value":
                raise Unusual
            else:
                numbers = self.demands.numbers[: slot.argument]
                given = sum(value is None for _, value in numbers)
                patches += (position, *_conversion(slot.dtype, kind, given))
        cuts = cut_words(kernel) if can_be_shared(kernel) else []
        return [address, len(words), len(patches) // 4, len(cuts), *words, *patches, *cuts]

    def _pointer(self, number: int) -> tuple[int, int, int]:
        buffer = self.artifact.buffers[number]
        if buffer.role == "input":
            if buffer.index or self.part_place == form.NO_REGISTER:
                return form.OF_INPUT, buffer.index, 0
            return form.OF_PART, buffer.index, self.part_place
        if buffer.role == "output":
            return form.OF_OUTPUT, self.outputs[buffer], 0
        if buffer.role == "constant":
            raise Unusual
        place = buffer.arena_offset
        if _is_expression(place):
            return form.OF_ARENA_PART, self._size(place), 0
        return form.OF_ARENA, place, 0

    # Results

    def _is_fresh(self, output: OutputPlan) -> bool:
        return self.artifact.buffers[output.buffer].role == "output"

    def _result(self, number: int, output: OutputPlan) -> list[int]:
        for index, earlier in self.plan.same:
            if index == number:
                if earlier >= len(self.artifact.inputs) or earlier in self.demands.arrays:
                    raise Unusual
                return [form.IS_GIVEN, earlier, 0, 0, 0]
        spec, offset = output.spec, output.storage_offset
        if spec.layout is not strided:
            raise Unusual
        buffer = self.artifact.buffers[output.buffer]
        is_fresh = self._is_fresh(output)
        if not is_fresh:
            is_array = buffer.index in self.demands.arrays
            if is_array or not is_inside(self.artifact.inputs[buffer.index], spec, offset):
                raise Unusual
        which = self.outputs[buffer] if is_fresh else buffer.index
        itemsize = spec.dtype.itemsize
        if self.plan.is_open:
            kind = form.IS_OPEN_FRESH if is_fresh else form.IS_OPEN_VIEW
            return [kind, which, self._description(spec), self._size(offset), itemsize]
        if is_fresh:
            offsets = self.keep(offset), self.keep(offset * itemsize)
            return [form.IS_FRESH, which, self.keep(spec), *offsets]
        return [form.IS_VIEW, which, self.keep(spec), offset, itemsize]

    def _description(self, spec: TensorSpec) -> int:
        """Describe a spec by its numbers; return where, in bytes behind the first description."""
        place = len(self.descriptions) * _BYTES
        numbers = list(map(self._size, spec.numbers))
        self.descriptions += self.keep(spec.pattern), len(numbers), *numbers
        return place


def _is_expression(value: Any) -> bool:
    """Whether an integer is known only when a call comes."""
    return type(value) is SymInt


def _conversion(dtype: DType, kind: type, number: int) -> tuple[int, int, int]:
    """Return how a number of a kind becomes the bits of a dtype, which it is, and how many bits."""
    if dtype is dtypes.float64:
        return form.AS_FLOAT64, number, 64
    if dtype is dtypes.float32:
        return form.AS_FLOAT32, number, 32
    if kind is float:
        raise Unusual
    if dtype.category is Category.BOOLEAN:
        return form.AS_BOOL, number, 1
    if dtype.category is Category.INTEGRAL:
        how = form.AS_SIGNED if dtype.is_signed else form.AS_UNSIGNED
        return how, number, dtype.bits
    raise Unusual
